// SELL with 16-bit columns where these reach, just reach and do not; and the sample by which formats are guessed.
#include "core/formats/sell16.hpp"

#include <gtest/gtest.h>

#include "core/formats/sample.hpp"
#include "entries.hpp"

namespace warpspy {
namespace {

// 40 rows; entry n of every row lies `apart` columns or less from its neighbours'.
Csr with_steps(index_t apart) {
  std::vector<std::vector<index_t>> rows;
  for (index_t r = 0; r < 40; ++r) rows.push_back({r, 100 + (r == 7 ? apart : 0), 300'000 - r});
  return testing::from_rows(300'001, rows, testing::some_value);
}

TEST(Sell16, StepsThatAreWiderHave16BitsMore) {
  for (const index_t apart : {65533, 65534, 65535, 65536, 131071, 199'000}) {
    const Csr a = with_steps(apart);
    const FormatFacts facts(a);
    for (const int window : {1, 256}) {
      const ParamSet params{{"sort_window", window}};
      const auto format = testing::built_as<Sell16Format>("sell16", facts, Precision::f32, params);
      EXPECT_EQ(format->wide_at().empty(), apart <= 65534) << apart;
      EXPECT_EQ(testing::fault_of(format_row("sell16"), facts, Precision::f64, params), "") << apart;
    }
  }
}

TEST(Sell16, TakesTwoBytesForAColumnInsteadOfFour) {
  const Csr a = with_steps(1000);
  const FormatFacts facts(a);
  const auto bytes = [&](const char* id, const char* array) {
    const Estimate e = format_row(id).estimate(facts, Precision::f32, {});
    for (const ArraySize& s : e.arrays)
      if (s.name == array) return s.bytes;
    return std::size_t{0};
  };
  EXPECT_EQ(2 * bytes("sell16", "columns"), bytes("sell", "columns"));
  EXPECT_EQ(32 * bytes("sell16", "bases"), 2 * bytes("sell16", "columns"));
}

// What a format makes of a sample is what it makes of the whole.
TEST(Sample, KeepsFillDiagonalsAndLengths) {
  std::vector<std::vector<index_t>> rows;
  constexpr index_t n = 60'000;
  for (index_t r = 0; r < n; ++r) {
    std::vector<index_t> list;
    for (const index_t c : {r - 300, r / 2 * 2, r / 2 * 2 + 1, r + 300})
      if (c >= 0 && c < n && (list.empty() || c > list.back())) list.push_back(c);
    rows.push_back(list);
  }
  const Csr a = testing::from_rows(n, rows, testing::some_value);
  const auto sample = sample_rows(a, 20'000);
  ASSERT_TRUE(sample);
  EXPECT_NEAR(static_cast<double>(sample->nnz()), 20'000, 8'000);
  for (const FormatRow& row : formats()) {
    if (row.from_elements || row.slow_estimate) continue;
    if (row.info.id == "csc") continue;  // all columns are left, each with a pointer
    // Which values there are, how many columns, and what lies across the diagonal are not those of the matrix.
    if (row.info.id == "csr_compact" || row.symmetric) continue;
    const auto ratio = [&](const Csr& m) {
      return static_cast<double>(row.estimate(m, Precision::f32, {}).bytes()) /
             static_cast<double>(format_row("csr").estimate(m, Precision::f32, {}).bytes());
    };
    EXPECT_NEAR(ratio(*sample) / ratio(a), 1, 0.05) << row.info.id;
  }
  EXPECT_FALSE(sample_rows(a, a.nnz())) << "too small to be sampled";
}

}  // namespace
}  // namespace warpspy
