// What kernels say of their arrays, against what they do with them: the model of the memory system and the check of
// overlapping launches believe it.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/products.hpp"
#include "tests/unit/kernels/simt.hpp"

namespace warpspy {
namespace {

using simt::Role;

// Lanes read elements that lie neither in their order nor evenly apart: no arithmetic on lane numbers leads there.
bool is_gather(const simt::WarpTrace& warp, std::size_t instruction) {
  std::vector<std::uint64_t> at = simt::addresses(warp, instruction);
  if (std::is_sorted(at.begin(), at.end())) return false;
  std::sort(at.begin(), at.end());
  at.erase(std::unique(at.begin(), at.end()), at.end());
  for (std::size_t i = 2; i < at.size(); ++i)
    if (at[i] - at[i - 1] != at[1] - at[0]) return true;
  return false;
}

// What is wrong with a launch's use of its arrays, or "". Adds to *gathers.
std::string misuse(const simt::BlockTrace& trace, const std::vector<simt::ArrayInfo>& arrays, int* gathers) {
  for (const simt::WarpTrace& warp : trace.warps) {
    bool led = false;
    for (std::size_t i = 0; i < warp.accesses.size(); ++i) {
      const simt::Access& a = warp.accesses[i];
      const simt::ArrayInfo& array = arrays[a.array];
      if (a.op != simt::Op::load && array.role != Role::y && array.role != Role::scratch)
        return "writes " + array.name + ", whose role says that no launch does";
      led |= array.role == Role::x_index || array.role == Role::hoisted_x_index || array.role == Role::guarding_x_index;
      if (array.role != Role::x || !is_gather(warp, i)) continue;
      ++*gathers;
      if (!led) return "gathers x, and no array that was read before says that it leads there";
    }
  }
  return "";
}

std::string misuse(EmulatedProduct& product, int* gathers) {
  for (std::size_t launch = 0; launch < product.launches().size(); ++launch)
    for (std::int64_t block = 0; block < product.launches()[launch].grid; ++block) {
      simt::BlockTrace trace;
      product.emulate_block(static_cast<int>(launch), block, &trace);
      if (std::string wrong = misuse(trace, product.arrays(), gathers); !wrong.empty()) return wrong;
    }
  return "";
}

TEST(Roles, EveryArrayOfEveryKernelHasTheOneThatItIsUsedIn) {
  const auto matrices = testing::product_matrices();
  int gathering = 0;  // kernels
  for (const KernelRow& kernel : kernels()) {
    if (!kernel.emulate) continue;
    int gathers = 0;
    for (const auto& [name, matrix] : matrices) {
      const auto p = testing::product_of(kernel, matrix, Precision::f32, {}, {0.75, -2});
      if (!p) continue;
      const auto product = kernel.emulate(p->inputs);
      EXPECT_EQ(misuse(*product, &gathers), "") << kernel.info.id << " " << name;
      for (const simt::ArrayInfo& a : product->arrays()) {
        EXPECT_EQ(a.role == Role::x, a.name == "x") << kernel.info.id << " " << a.name;
        EXPECT_EQ(a.role == Role::y, a.name == "y") << kernel.info.id << " " << a.name;
      }
    }
    gathering += gathers > 0;
  }
  // All but those that read x in order: axpy, the diagonals, csr_striped, and transposes that walk the matrix by rows.
  EXPECT_GE(gathering, 20);
}

// A kernel that says nothing of the array that it takes its indices from, and one that writes to the matrix.
TEST(Roles, WhatIsNotAsSaidIsFound) {
  std::vector<float> data(61, 1.0F), result(32);
  for (const Role role : {Role::matrix, Role::x_index}) {
    std::vector<std::int32_t> order(32);
    for (int i = 0; i < 32; ++i) order[static_cast<std::size_t>(i)] = i * i % 61;
    simt::Bench bench;
    const auto indices = bench.array("indices", order, role);
    const auto x = bench.array("x", data, Role::x);
    const auto y = bench.array("y", result, Role::y);
    const auto gather = [=](simt::Thread t) { simt::st(y, t.thread, simt::ld(x, simt::ld(indices, t.thread))); };
    int gathers = 0;
    const std::string wrong = misuse(bench.run(gather), bench.launch.arrays, &gathers);
    EXPECT_EQ(gathers, 1);
    EXPECT_EQ(wrong.find("gathers x") == 0, role == Role::matrix) << wrong;
    const auto write = [=](simt::Thread t) { simt::st(indices, t.thread, 0); };
    EXPECT_EQ(misuse(bench.run(write), bench.launch.arrays, &gathers),
              "writes indices, whose role says that no launch does");
  }
}

}  // namespace
}  // namespace warpspy
