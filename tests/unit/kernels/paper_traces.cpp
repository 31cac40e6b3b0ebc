// Access patterns as the papers draw them, counted by hand: Bell & Garland 2008, figures 16, 18, 24 and 25, on the
// matrix of their section 3, and what the hybrid kernels launch.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <random>

#include "core/formats/format.hpp"
#include "kernels/spmv/coo_warp.hpp"
#include "kernels/spmv/y_order.hpp"
#include "kernels/table/table.hpp"
#include "tests/shapes.hpp"
#include "tests/unit/kernels/simt.hpp"

namespace warpspy::simt {
namespace {

using Steps = std::vector<std::string>;
using Rows = std::vector<std::vector<index_t>>;
using Addresses = std::vector<std::uint64_t>;

// Bell & Garland 2008, section 3: 1 7 0 0 / 0 2 8 0 / 5 0 3 9 / 0 6 0 4.
const Rows paper_matrix{{0, 1}, {1, 2}, {0, 2, 3}, {1, 3}};

// Every block of a kernel's launches, on a square matrix given by the columns of its rows.
struct Traced {
  std::unique_ptr<EmulatedProduct> product;
  std::vector<std::vector<BlockTrace>> traces;  // by launch and block

  Traced(const std::string& kernel, const Rows& rows, const ParamSet& params, const ParamSet& format_params = {},
         double beta = 0) {
    const auto n = static_cast<index_t>(rows.size());
    const Csr a = testing::from_rows(n, rows, testing::some_value);
    Progress progress;
    const KernelRow& row = kernel_row(kernel);
    const auto format =
        format_row(row.info.format).build(a, Precision::f32, RealView::real_part, format_params, progress);
    const auto x = testing::some_vector(n);
    product = row.emulate({.format = format, .params = params, .x = x, .beta = beta, .y = x});
    for (const LaunchShape& launch : product->launches()) {
      std::vector<BlockTrace>& blocks = traces.emplace_back(static_cast<std::size_t>(launch.grid));
      for (std::int64_t b = 0; b < launch.grid; ++b)
        product->emulate_block(static_cast<int>(traces.size()) - 1, b, &blocks[static_cast<std::size_t>(b)]);
    }
  }
  // The first warp of a block.
  const WarpTrace& warp(std::size_t launch, std::size_t block = 0) const {
    return traces.at(launch).at(block).warps.at(0);
  }
  Steps steps(std::size_t launch, std::size_t block = 0) const {
    return simt::steps(warp(launch, block), product->arrays());
  }
  // Elements of an array of 4-byte elements that an instruction touches.
  std::vector<index_t> elements(std::size_t launch, std::size_t instruction) const {
    const std::uint64_t base = product->arrays()[warp(launch).accesses[instruction].array].base;
    std::vector<index_t> list;
    for (std::uint64_t address : addresses(warp(launch), instruction))
      list.push_back(static_cast<index_t>(address - base) / 4);
    return list;
  }
};

// Iterations 0, 1 and 2: rows 2 3, rows 0 1 2 3, rows 0 1 2. Columns of the data begin aligned, 32 rows apart.
TEST(PaperTraces, DiaFigure16) {
  const Traced direct("dia", paper_matrix, {{"block_size", 32}});
  EXPECT_EQ(direct.steps(0), (Steps{"offsets f", "values c", "x c",  //
                                    "offsets f", "values f", "x f",  //
                                    "offsets f", "values 7", "x 7", "y f"}));
  EXPECT_EQ(direct.elements(0, 1), (std::vector<index_t>{2, 3}));
  EXPECT_EQ(direct.elements(0, 4), (std::vector<index_t>{32, 33, 34, 35}));
  EXPECT_EQ(direct.elements(0, 7), (std::vector<index_t>{64, 65, 66}));
  EXPECT_EQ(direct.elements(0, 8), (std::vector<index_t>{1, 2, 3}));  // x, contiguous too
}

// Each offset is read once by the block, also when it has more diagonals than threads. (What follows in a warp at the
// edge of the matrix is not told here: a lane reads nothing recorded in iterations that lead outside, and the merge
// cannot count those.)
TEST(PaperTraces, DiaReadsOffsetsOncePerBlock) {
  Rows dense(20);
  for (std::vector<index_t>& row : dense)
    for (index_t c = 0; c < 20; ++c) row.push_back(c);
  const Traced two_rounds("dia", dense, {{"block_size", 32}, {"offsets", 1}});
  std::vector<index_t> read;
  for (std::size_t i = 0; i < two_rounds.warp(0).accesses.size(); ++i)
    if (two_rounds.product->arrays()[two_rounds.warp(0).accesses[i].array].name == "offsets")
      for (index_t element : two_rounds.elements(0, i)) read.push_back(element);
  std::vector<index_t> each_once(39);
  for (index_t d = 0; d < 39; ++d) each_once[static_cast<std::size_t>(d)] = d;
  EXPECT_EQ(read, each_once);
}

// All four threads in all iterations; of the third entries only that of row 2 is no padding. The paper reads the value
// to find that out, we the column (which is -1), so that the value of padding is not read.
TEST(PaperTraces, EllFigure18) {
  const Traced run("ell", paper_matrix, {{"block_size", 32}});
  EXPECT_EQ(run.steps(0), (Steps{"columns f", "values f", "x f",  //
                                 "columns f", "values f", "x f",  //
                                 "columns f", "values 4", "x 4", "y f"}));
  EXPECT_EQ(run.elements(0, 3), (std::vector<index_t>{32, 33, 34, 35}));
}

TEST(PaperTraces, EllStopsAtTheRowLengthWhereItIsKept) {
  const Traced run("ell", paper_matrix, {{"block_size", 32}}, {{"row_lengths", 1}});
  EXPECT_EQ(run.steps(0), (Steps{"row_lengths f",                 //
                                 "columns f", "values f", "x f",  //
                                 "columns f", "values f", "x f",  //
                                 "columns 4", "values 4", "x 4", "y f"}));
}

// coop 2: lanes 0 and 1 take entries 0 and 1 of row 0, then lane 0 entry 2.
TEST(PaperTraces, EllThreadsOfARowTakeEntriesInTurn) {
  const Traced run("ell", paper_matrix, {{"block_size", 32}, {"coop", 2}});
  EXPECT_EQ(run.steps(0), (Steps{"columns ff", "values ff", "x ff",  //
                                 "columns 55", "values 10", "x 10", "y 55"}));
  EXPECT_EQ(run.elements(0, 0), (std::vector<index_t>{0, 32, 1, 33, 2, 34, 3, 35}));
  EXPECT_EQ(run.elements(0, 3), (std::vector<index_t>{64, 65, 66, 67}));
}

TEST(PaperTraces, CooAtomicAddsEveryEntry) {
  const Traced run("coo_atomic", paper_matrix, {{"block_size", 32}});
  EXPECT_EQ(run.steps(0), (Steps{"y f"}));  // beta = 0: y is not read
  EXPECT_EQ(run.steps(1), (Steps{"rows 1ff", "columns 1ff", "values 1ff", "x 1ff", "y 1ff"}));
  EXPECT_EQ(run.elements(1, 4), (std::vector<index_t>{0, 0, 1, 1, 2, 2, 2, 3, 3}));
}

// Nine lanes read the nine entries; the last entry's lane of each row adds to y.
TEST(PaperTraces, CooSegmentedAddsOncePerRow) {
  const Traced run("coo_segmented", paper_matrix, {{"block_size", 32}});
  EXPECT_EQ(run.steps(1), (Steps{"rows 1ff", "columns 1ff", "values 1ff", "x 1ff", "y 14a", "y 14a",  //
                                 "carry_rows 1", "carry_sums 1"}));
  EXPECT_EQ(run.elements(1, 4), (std::vector<index_t>{0, 1, 2, 3}));
  EXPECT_EQ(run.steps(2), (Steps{"carry_rows 1", "carry_sums 1"}));  // no row is left over
}

// A row over three warps: the last adds what it has, the carries of the others follow in one addition.
TEST(PaperTraces, CooSegmentedCarriesARowOverWarps) {
  Rows rows(80);
  for (index_t c = 0; c < 80; ++c) rows[1].push_back(c);
  const Traced run("coo_segmented", rows, {{"block_size", 32}});
  ASSERT_EQ(run.product->launches()[1].grid, 3);
  const Steps loads{"rows ffffffff", "columns ffffffff", "values ffffffff",
                    "x ffffffff",    "carry_rows 1",     "carry_sums 1"};
  EXPECT_EQ(run.steps(1, 0), loads);
  EXPECT_EQ(run.steps(1, 1), loads);
  EXPECT_EQ(run.steps(1, 2), (Steps{"rows ffff", "columns ffff", "values ffff", "x ffff", "y 8000", "y 8000",  //
                                    "carry_rows 1", "carry_sums 1"}));
  EXPECT_EQ(run.steps(2), (Steps{"carry_rows 7", "carry_sums 7", "y 2", "y 2"}));
}

// Figure 24: after the reduction each lane has the sum of its row up to itself.
TEST(PaperTraces, SegmentedReductionFigure24) {
  std::vector<int> rows{0, 0, 1, 1, 2, 2, 2, 3, 3}, sums(32);
  rows.resize(32, 4);
  Bench bench;
  struct Kernel {
    Array<int> rows, sums;
    void operator()(Thread t) const {
      const int row = ld(rows, t.thread), before = shfl_up(row, 1);
      const std::uint32_t heads = ballot(t.thread == 0 || row != before);
      st(sums, t.thread, sum_segments(1, t.thread, heads));
    }
  };
  bench.run(Kernel{bench.array("rows", rows), bench.array("sums", sums)});
  std::vector<int> expected{1, 2, 1, 2, 1, 2, 3, 1, 2};
  for (int i = 1; i <= 23; ++i) expected.push_back(i);
  EXPECT_EQ(sums, expected);
}

// sum_by_rows over arrays, as one warp.
struct WarpSums {
  Array<int> rows, values, sums, carry;
  std::int64_t begin, end;
  void operator()(Thread t) const {
    const auto last = sum_by_rows<int, int>(
        t.thread, begin, end,
        [&](std::int64_t k) {
          const int row = ld(rows, k);
          return RowSum<int, int>{row, ld(values, k)};
        },
        [&](int row, int sum) { st(sums, row, sum); });
    if (t.thread > 0) return;
    st(carry, 0, last.row);
    st(carry, 1, last.sum);
  }
};

// Figure 25 for a warp of 32: its rows of 2, 2, 3 and 2 entries eight times as long, so that entries 0 to 31 come in
// iteration 0, 32 to 63 in iteration 1, and the last eight in iteration 2. Row 1 ends with iteration 0, so that lane 0
// finishes it in the next.
TEST(PaperTraces, CooFigure25) {
  std::vector<int> rows, values(72, 1), sums(4), carry(2);
  for (const auto& [row, length] : {std::pair{0, 16}, {1, 16}, {2, 24}, {3, 16}})
    rows.insert(rows.end(), static_cast<std::size_t>(length), row);
  Bench bench;
  const BlockTrace trace = bench.run(WarpSums{bench.array("rows", rows), bench.array("values", values),
                                              bench.array("sums", sums), bench.array("carry", carry), 0, 72});
  EXPECT_EQ(steps(trace.warps.at(0), bench.launch.arrays),
            (Steps{"rows ffffffff", "values ffffffff",  //
                   "rows ffffffff", "values ffffffff",  //
                   "rows ff", "values ff",              //
                   "sums 8000", "sums 1", "sums 800000", "sums 80", "carry 1", "carry 1"}));
  EXPECT_EQ(sums, (std::vector<int>{16, 16, 24, 16}));
  EXPECT_EQ(carry[0], -1);
}

RC_GTEST_PROP(PaperTraces, SumByRowsFinishesEachRowOrCarriesIt, ()) {
  const int end = *rc::gen::inRange(1, 600), begin = *rc::gen::inRange(0, end);
  const int most = *rc::gen::element(2, 3, 40, 200);
  std::mt19937 rng(*rc::gen::arbitrary<unsigned>());
  std::vector<int> rows, values;
  for (int row = 0; static_cast<int>(rows.size()) < end; ++row)
    rows.insert(rows.end(), rng() % static_cast<unsigned>(most), row);
  for (std::size_t k = 0; k < rows.size(); ++k) values.push_back(static_cast<int>(rng() % 2000) - 1000);
  std::map<int, int> expected;
  for (int k = begin; k < end; ++k) expected[rows[static_cast<std::size_t>(k)]] += values[static_cast<std::size_t>(k)];
  constexpr int untouched = 1 << 30;
  std::vector<int> sums(static_cast<std::size_t>(rows.back()) + 1, untouched), carry(2);
  Bench bench;
  bench.run(WarpSums{bench.array("rows", rows), bench.array("values", values), bench.array("sums", sums),
                     bench.array("carry", carry), begin, end});
  RC_ASSERT(carry[0] == ((end - begin) % 32 == 0 ? rows[static_cast<std::size_t>(end) - 1] : -1));
  if (carry[0] >= 0) {
    RC_ASSERT(sums[static_cast<std::size_t>(carry[0])] == untouched);
    sums[static_cast<std::size_t>(carry[0])] = carry[1];
  }
  for (int row = 0; row < static_cast<int>(sums.size()); ++row)
    RC_ASSERT(sums[static_cast<std::size_t>(row)] == (expected.contains(row) ? expected[row] : untouched));
}

// The paper matrix sorted: rows 2, 0, 1, 3. Threads leave at the end of their row and store together.
TEST(PaperTraces, JdsStoresWhereRowsBelong) {
  const Traced run("jds", paper_matrix, {{"block_size", 32}});
  EXPECT_EQ(run.steps(0), (Steps{"diagonal_ptr f",                                  //
                                 "diagonal_ptr f", "columns f", "values f", "x f",  //
                                 "diagonal_ptr f", "columns f", "values f", "x f",  //
                                 "diagonal_ptr f", "columns 1", "values 1", "x 1",  //
                                 "permutation f", "y f"}));
  EXPECT_EQ(run.elements(0, 6), (std::vector<index_t>{4, 5, 6, 7}));
  EXPECT_EQ(run.elements(0, 14), (std::vector<index_t>{2, 0, 1, 3}));
}

constexpr double by_hand = 5;  // HybRule::by_hand
// Row 2 has one entry more than K: the COO part.
const ParamSet two_columns{{"rule", by_hand}, {"k", 2}};
// Lengths 1, 3, 2: ELL parts of one column with three, two and one rows, in the order 1, 2, 0.
const Rows three_parts{{0}, {0, 1, 2}, {1, 2}};
const ParamSet one_column{{"rule", by_hand}, {"k", 1}, {"stop_rows", 1}, {"stop_share", 0}};

TEST(PaperTraces, HybIsEllThenCoo) {
  const Traced run("hyb", paper_matrix, {{"block_size", 32}}, two_columns);
  EXPECT_EQ(run.steps(0), (Steps{"ell_columns f", "ell_values f", "x f", "ell_columns f", "ell_values f", "x f",  //
                                 "y f"}));
  EXPECT_EQ(run.steps(1), (Steps{"coo_rows 1", "coo_columns 1", "coo_values 1", "x 1", "y 1"}));
}

TEST(PaperTraces, HybFusedDoesBothSideBySide) {
  const Traced run("hyb_fused", paper_matrix, {{"block_size", 32}}, two_columns, 1);
  ASSERT_EQ(run.traces.at(0).size(), 2u);
  EXPECT_EQ(run.steps(0, 0), (Steps{"coo_rows 1", "coo_columns 1", "coo_values 1", "x 1", "y 1"}));
  EXPECT_EQ(run.steps(0, 1),
            (Steps{"ell_columns f", "ell_values f", "x f", "ell_columns f", "ell_values f", "x f", "y f"}));
  EXPECT_EQ(run.warp(0, 1).accesses.back().op, Op::atomic);
}

TEST(PaperTraces, HybRRunsOverFewerAndFewerRows) {
  const Traced run("hyb_r", three_parts, {{"block_size", 32}}, one_column);
  const auto part = [](const std::string& mask) {
    return Steps{"permutation " + mask, "ell_columns " + mask, "ell_values " + mask, "x " + mask, "y " + mask};
  };
  const auto adds = [&](const std::string& mask) {
    Steps list = part(mask);
    list.push_back("y " + mask);  // read, then written
    return list;
  };
  ASSERT_EQ(run.traces.size(), 3u);
  EXPECT_EQ(run.steps(0), part("7"));
  EXPECT_EQ(run.elements(0, 4), (std::vector<index_t>{1, 2, 0}));
  EXPECT_EQ(run.steps(1), adds("3"));
  EXPECT_EQ(run.elements(1, 5), (std::vector<index_t>{1, 2}));
  EXPECT_EQ(run.steps(2), adds("1"));
}

// As the paper has it: in the order of the sorted rows, then a launch that puts y back. Or nobody does in the kernel.
TEST(PaperTraces, HybRPutsYBackAfterwards) {
  const Traced run("hyb_r", three_parts, {{"block_size", 32}, {"reorder_y", YOrder::afterwards}}, one_column, 0.5);
  ASSERT_EQ(run.traces.size(), 4u);
  EXPECT_EQ(run.steps(0), (Steps{"ell_columns 7", "ell_values 7", "x 7", "sorted_y 7"}));
  EXPECT_EQ(run.elements(0, 3), (std::vector<index_t>{0, 1, 2}));
  EXPECT_EQ(run.steps(1), (Steps{"ell_columns 3", "ell_values 3", "x 3", "sorted_y 3", "sorted_y 3"}));
  EXPECT_EQ(run.steps(3), (Steps{"permutation 7", "sorted_y 7", "y 7", "y 7"}));  // beta y is read
  EXPECT_EQ(run.elements(3, 3), (std::vector<index_t>{1, 2, 0}));
  const Traced never("hyb_r", three_parts, {{"block_size", 32}, {"reorder_y", YOrder::never}}, one_column);
  ASSERT_EQ(never.traces.size(), 3u);
  EXPECT_EQ(never.steps(0), (Steps{"ell_columns 7", "ell_values 7", "x 7", "y 7"}));
  EXPECT_EQ(never.elements(0, 3), (std::vector<index_t>{0, 1, 2}));
}

// How many launches each takes: y is scaled by one more only where the kernel adds to it by atomics.
TEST(PaperTraces, LaunchesOfTheHybrids) {
  const Rows equal{{0}, {1}, {2}};
  struct Case {
    const char* kernel;
    const Rows& rows;
    ParamSet format_params;
    double beta;
    std::vector<std::int64_t> grids;
    ParamSet params = {};
  };
  const ParamSet afterwards{{"reorder_y", YOrder::afterwards}}, never{{"reorder_y", YOrder::never}};
  const Case cases[] = {
      {"hyb", paper_matrix, two_columns, 0, {1, 1}},
      {"hyb", equal, two_columns, 0, {1}},
      {"hyb_fused", paper_matrix, two_columns, 0, {1, 2}},
      {"hyb_fused", paper_matrix, two_columns, 1, {2}},
      {"hyb_fused", equal, two_columns, 0, {1}},
      {"hyb_r", three_parts, one_column, 0.5, {1, 1, 1}},
      {"hyb_r_fused", three_parts, one_column, 0.5, {1, 3}},
      {"hyb_r_fused", three_parts, one_column, 1, {3}},
      {"hyb_r_fused", equal, one_column, 0, {1}},
      {"hyb_r", equal, one_column, 0, {1}, afterwards},  // nothing is sorted
      {"hyb_r", three_parts, one_column, 0.5, {1, 1, 1}, never},
      {"hyb_r_fused", three_parts, one_column, 1, {1, 3, 1}, afterwards},  // what is added to begins at 0
      {"hyb_r_fused", three_parts, one_column, 1, {3}, never},
      {"coo_segmented", paper_matrix, {}, 1, {1, 1}},
      {"coo_atomic", paper_matrix, {}, 1, {1}},
  };
  for (const Case& c : cases) {
    const Traced run(c.kernel, c.rows, c.params, c.format_params, c.beta);
    std::vector<std::int64_t> grids;
    for (const LaunchShape& launch : run.product->launches()) grids.push_back(launch.grid);
    EXPECT_EQ(grids, c.grids) << c.kernel << " beta " << c.beta;
  }
}

}  // namespace
}  // namespace warpspy::simt
