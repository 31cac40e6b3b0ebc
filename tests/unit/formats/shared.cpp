// Every format over every real matrix there is. Skipped where the folder is absent.
#include "tests/shared.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/io/io.hpp"
#include "entries.hpp"

namespace warpspy {
namespace {

TEST(SharedMatrices, EveryFormatHoldsEveryMatrix) {
  const std::filesystem::path folder = test::kSharedMatrices;
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << test::needs_shared(folder.string());
  int held = 0, refused = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (!file.is_regular_file()) continue;
    Matrix m;
    try {
      Progress progress;
      m = open_matrix(file.path().string(), progress, 0);
    } catch (const Error&) {
      continue;  // not a matrix, or of a kind that cannot be read yet: the reader's tests see to that
    }
    const FormatFacts facts(m.csr);
    for (const FormatRow& row : formats()) {
      // Any budget does; this one keeps DIA and ELL of the largest ones from taking seconds.
      if (testing::can_hold(row, facts) &&
          row.estimate(facts, Precision::f64, {}).bytes() > 20 * m.csr->bytes() + 1'000'000) {
        ++refused;
        continue;
      }
      EXPECT_EQ(testing::fault_of(row, facts, Precision::f64, {}), "") << row.info.id << " " << file.path();
      ++held;
    }
  }
  EXPECT_GT(held, 100 * refused / 20);
}

}  // namespace
}  // namespace warpspy
