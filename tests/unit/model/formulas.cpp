// The papers' formulas against numbers of their text and tables, worked by hand.
#include "core/model/formulas.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/model/bytes.hpp"

namespace warpspy {
namespace {

// EVC-HYB paper, section 3.2: C_t = 110, C_L2t = 220, C_L2_L1 = 230, C_d = 600. Figure 7 goes down to h_t = 1.95 % and
// h_L2t = 39.33 %, which are web-Google's, with 444 cycles: 2.145 + 84.84 + 356.92.
TEST(MeanLatency, OfTheEvcHybPaper) {
  EXPECT_NEAR(mean_latency(110, 0.0195, 220, 0.3933, 600), 444, 0.5);
  // The other end, h_t = 95.31 % and h_L2t = 94.45 %: TSOPF_RS_b2383 with 116 cycles.
  EXPECT_NEAR(mean_latency(110, 0.9531, 220, 0.9445, 600), 116, 0.5);
  // Table 4: h_L1 = 0, h_L2_L1 = 6.48 %: 230 x 0.0648 + 600 x 0.9352 = 576.0, "around 580 cycles".
  EXPECT_NEAR(mean_latency(1e9, 0, 230, 0.0648, 600), 576.024, 1e-9);
}

// EVC-HYB paper, section 3.2 and Table 3: web-Google has 5105039 entries in 916428 rows, alpha about 4.93 and B = 21.4.
TEST(CodeBalance, OfWebGoogle) {
  Balance s;
  s.nnz = 5105039;
  s.per_row = 5105039.0 / 916428;  // 5.5706
  s.beta = 1;                      // 0.09 % more slots than entries: no difference in three digits
  // (12 + 39.44 + 2.872) / (2 + 0.5385) = 54.312 / 2.5385
  EXPECT_NEAR(code_balance(s, 4.93), 21.4, 0.05);
  // Table 4: 146.80 GB/s read at 5.34 GFLOP/s are 2 x 146.80 / 5.34 = 54.98 bytes per entry. By the paper's own form:
  // alpha = 1/4 (54.98 / 2 - 6 - 8 / 5.5706) = 5.01, which its figure gives as about 4.93.
  const double moved = 146.80 / 5.34 * 2 * s.nnz;
  EXPECT_NEAR(alpha_of(s, moved), 0.25 * (moved / (2 * s.nnz) - 6 - 8 / s.per_row), 1e-12);
  EXPECT_NEAR(alpha_of(s, moved), 5.01, 0.01);
}

RC_GTEST_PROP(CodeBalance, AlphaSolvesTheBytes, ()) {
  Balance s;
  s.nnz = *rc::gen::inRange(1, 100000000);
  s.per_row = *rc::gen::inRange(1, 1000);
  s.beta = *rc::gen::inRange(1, 100) / 100.0;
  s.value_bytes = *rc::gen::element(4, 8);
  const double alpha = *rc::gen::inRange(0, 1000) / 100.0;
  RC_ASSERT(std::abs(alpha_of(s, balance_bytes(s, alpha)) - alpha) < 1e-9);
  RC_ASSERT(std::abs(code_balance(s, alpha) * balance_flops(s) / balance_bytes(s, alpha) - 1) < 1e-12);
}

TEST(TimeSplit, ByHand) {
  // 70 us without x, 50 us without A, 20 us without both: T_A = 50, T_X = 30, T_Y = 20.
  const TimeSplit t = time_split(70, 50, 20);
  EXPECT_EQ(t.a, 50);
  EXPECT_EQ(t.x, 30);
  EXPECT_EQ(t.y, 20);
  EXPECT_EQ(t.total(), 100);
}

TEST(IdleShare, ByHand) {
  EXPECT_EQ(idle_share(32), 0);
  EXPECT_EQ(idle_share(16), 0.5);  // shallow_water1 has 4 entries a row: coop 8 leaves half of the threads idle
}

TEST(Table1, OfBellAndGarland) {
  FormatInfo format{"ell", "ELLPACK", "", ""};
  EXPECT_EQ(table1_bytes_per_flop(format, Precision::f32), std::nullopt);
  format.table1_f32 = 6, format.table1_f64 = 10;
  EXPECT_EQ(table1_bytes_per_flop(format, Precision::f32), 6);
  EXPECT_EQ(table1_bytes_per_flop(format, Precision::f64), 10);
  // A derivation of the ELL row: value, index and x per entry, 2 flops: (4 + 4 + 4) / 2.
  EXPECT_EQ(effective_bytes(0, 1, Precision::f32) / product_flops(1), 6);
  EXPECT_EQ(effective_bytes(0, 1, Precision::f64) / product_flops(1), 10);
}

Csr matrix(index_t rows, index_t cols, const std::vector<std::vector<int>>& lists) {
  std::vector<index_t> row_ptr{0};
  std::vector<std::int32_t> columns;
  for (const auto& list : lists) {
    columns.insert(columns.end(), list.begin(), list.end());
    row_ptr.push_back(static_cast<index_t>(columns.size()));
  }
  std::vector<double> values(columns.size(), 1.0);
  return Csr(rows, cols, row_ptr, Indices(std::move(columns)), std::move(values));
}

TEST(CachingBytes, LinesCountedByHand) {
  // f32 and lines of 128 bytes: 32 columns of x share a line. Columns 0, 31 | 32 in row 0; 0, 100 in row 1.
  const Csr a = matrix(2, 128, {{0, 31, 32}, {0, 100}});
  // One block: x lines {0, 1, 3}; values, columns, row pointers and y one line each.
  EXPECT_EQ(caching_bytes(a, 2, Precision::f32), 128.0 * (3 + 4));
  // A block per row: x {0, 1} and {0, 3}; the other four once for each block.
  EXPECT_EQ(caching_bytes(a, 1, Precision::f32), 128.0 * (2 + 2 + 8));
  // f64: 16 columns share a line, so that 0 and 31 do not: {0, 1, 2} and {0, 6}.
  EXPECT_EQ(caching_bytes(a, 1, Precision::f64), 128.0 * (3 + 2 + 8));
}

TEST(GatheredBytes, SectorsOfPartsCountedByHand) {
  // f32: 8 columns share a sector of x. Entries in two parts of three: columns 0, 7, 8 | 0, 1, 100.
  const Csr a = matrix(2, 128, {{0, 7, 8}, {0, 1, 100}});
  EXPECT_EQ(gathered_bytes(a, 1, Precision::f32), 32.0 * 3);
  EXPECT_EQ(gathered_bytes(a, 2, Precision::f32), 32.0 * (2 + 2));
  EXPECT_EQ(gathered_bytes(a, 2, Precision::f64), 32.0 * (3 + 2));  // 4 columns: 0, 7 and 8 are three
  EXPECT_EQ(gathered_bytes(a, 100, Precision::f32), 32.0 * 6) << "more parts than entries";
  EXPECT_EQ(gathered_bytes(matrix(2, 4, {{}, {}}), 8, Precision::f64), 0);
}

TEST(CachingBytes, EmptyRowsLoadNothingOfTheMatrix) {
  const Csr a = matrix(2, 4, {{}, {}});
  EXPECT_EQ(caching_bytes(a, 2, Precision::f32), 128.0 * 2);  // row pointers and y
  EXPECT_EQ(caching_bytes(matrix(0, 4, {}), 32, Precision::f32), 0);
}

RC_GTEST_PROP(CachingBytes, LargerBlocksLoadNoMore, ()) {
  const auto lists =
      *rc::gen::container<std::vector<std::vector<int>>>(rc::gen::unique<std::vector<int>>(rc::gen::inRange(0, 500)));
  auto sorted = lists;
  for (auto& l : sorted) std::sort(l.begin(), l.end());
  const Csr a = matrix(static_cast<index_t>(sorted.size()), 500, sorted);
  double before = 1e300;
  for (const index_t rows : {1, 2, 4, 8, 1024}) {
    const double bytes = caching_bytes(a, rows, Precision::f64);
    RC_ASSERT(bytes <= before);
    // Whole lines: what lies in them is the least that must be moved.
    before = bytes;
  }
}

}  // namespace
}  // namespace warpspy
