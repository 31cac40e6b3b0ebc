// The file of what searches found: what comes back, what stands apart, and what happens to a file that is damaged.
#include "core/run/choices.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/shapes.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

struct ChoicesFile : ::testing::Test {
  fs::path folder = fs::path(::testing::TempDir()) / ("warpspy_choices_" + std::to_string(::getpid()));
  std::string path = (folder / "deep" / "choices.json").string();
  ChoicesFile() { fs::remove_all(folder); }
  ~ChoicesFile() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
};

Choice choice(std::uint64_t fingerprint, double us) {
  return {{"NVIDIA H200", fingerprint, Precision::f64, Operation::transposed_product, true},
          "sell_warps",
          {{"warps", 4}},
          {{"sort_window", 256}},
          us,
          "2026-11-23T18:00:00Z"};
}

TEST_F(ChoicesFile, GivesBackWhatWasKept) {
  const Choice c = choice(0xfedcba9876543210u, 12.5);
  Choices(path).keep(c);
  const Choices again(path);
  ASSERT_TRUE(again.find(c.key));
  EXPECT_EQ(*again.find(c.key), c);
  for (const auto& change :
       {+[](ChoiceKey& k) { k.device = "NVIDIA H100"; }, +[](ChoiceKey& k) { ++k.fingerprint; },
        +[](ChoiceKey& k) { k.precision = Precision::f32; }, +[](ChoiceKey& k) { k.operation = Operation::product; },
        +[](ChoiceKey& k) { k.in_order = false; }}) {
    ChoiceKey other = c.key;
    change(other);
    EXPECT_FALSE(again.find(other));
  }
}

TEST_F(ChoicesFile, ALaterChoiceReplacesTheEarlierAndLeavesOthers) {
  Choices mine(path), others(path);
  mine.keep(choice(1, 10));
  others.keep(choice(2, 20));
  mine.keep(choice(1, 5));
  const Choices again(path);
  EXPECT_EQ(again.size(), 2u);
  EXPECT_EQ(again.find(choice(1, 0).key)->us, 5);
  EXPECT_EQ(again.find(choice(2, 0).key)->us, 20);
}

TEST_F(ChoicesFile, ADamagedFileHoldsNothingAndIsReplaced) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path) << "[{\"device\": 3}, 4, ";
  EXPECT_EQ(Choices(path).size(), 0u);
  std::ofstream(path) << "[{\"device\": 3}, 4]";
  EXPECT_EQ(Choices(path).size(), 0u);
  Choices(path).keep(choice(1, 10));
  EXPECT_EQ(Choices(path).size(), 1u);
}

TEST_F(ChoicesFile, NoPathKeepsNothing) {
  Choices none("");
  none.keep(choice(1, 10));
  EXPECT_EQ(none.size(), 0u);
}

TEST(Fingerprint, ChangesWithSizePatternAndValues) {
  const auto of = [](index_t cols, std::vector<std::vector<index_t>> rows, double scale) {
    return fingerprint_of(
        testing::from_rows(cols, rows, [&](index_t r, index_t c) { return scale * testing::some_value(r, c); }));
  };
  const std::uint64_t one = of(5, {{0, 2}, {1}}, 1);
  EXPECT_EQ(of(5, {{0, 2}, {1}}, 1), one);
  EXPECT_NE(of(6, {{0, 2}, {1}}, 1), one);
  EXPECT_NE(of(5, {{0, 3}, {1}}, 1), one);
  EXPECT_NE(of(5, {{0}, {1, 2}}, 1), one);
  EXPECT_NE(of(5, {{0, 2}, {1}}, 2), one);
}

}  // namespace
}  // namespace warpspy
