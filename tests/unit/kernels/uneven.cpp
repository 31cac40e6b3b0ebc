// Every kernel on 200 random matrices with dense rows and dense columns, empty stretches, one entry, all in one row or
// one column: in the emulator, which checks bounds and races.
#include "tests/uneven.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "kernels/table/table.hpp"
#include "tests/products.hpp"

namespace warpspy {
namespace {

std::vector<std::string> ids() {
  std::vector<std::string> list;
  for (const KernelRow& k : kernels())
    if (k.emulate && !k.info.format.empty()) list.push_back(k.info.id);
  return list;
}

// What a format makes of these may be far larger than they are, since one row is that long: left out, like what the
// format cannot hold.
bool fits(const KernelRow& kernel, const Matrix& m) {
  constexpr std::size_t most_bytes = 4'000'000;
  const FormatRow& row = format_row(kernel.info.format);
  try {
    return row.estimate(FormatFacts(m), Precision::f64, {}).bytes() <= most_bytes;
  } catch (const Error&) {
    return false;
  }
}

class UnevenMatrices : public ::testing::TestWithParam<std::string> {};

TEST_P(UnevenMatrices, GiveTheProduct) {
  const KernelRow& kernel = kernel_row(GetParam());
  int ran = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    const bool symmetric = format_row(kernel.info.format).symmetric || kernel.info.format == "pkt";
    const Matrix m = symmetric ? testing::uneven_symmetric(seed, rng) : testing::uneven(seed, rng);
    if (!fits(kernel, m)) continue;
    const auto p = testing::product_of(kernel, m, seed % 2 ? Precision::f32 : Precision::f64, {},
                                       {.alpha = -1.5, .beta = seed % 3 ? 0.0 : 2.0});
    ASSERT_TRUE(p);
    const auto product = kernel.emulate(p->inputs);
    EXPECT_EQ(testing::first_wrong_row(p->expected, testing::emulated(*product)), "");
    ++ran;
  }
  if (kernel.info.format == "lma") GTEST_SKIP() << "none of these matrices has elements";
  EXPECT_GE(ran, 50);
  RecordProperty("matrices", ran);
}

INSTANTIATE_TEST_SUITE_P(Kernels, UnevenMatrices, ::testing::ValuesIn(ids()),
                         [](const auto& kernel) { return kernel.param; });

}  // namespace
}  // namespace warpspy
