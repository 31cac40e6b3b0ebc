// Traces counted by hand, and lanes merged as a stack of masks would have issued them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "core/formats/format.hpp"
#include "kernels/table/table.hpp"
#include "tests/shapes.hpp"
#include "tests/unit/kernels/simt.hpp"

namespace warpspy::simt {
namespace {

using Steps = std::vector<std::string>;

// The first block of a kernel on a matrix given by the columns of its rows.
struct FirstBlock {
  std::unique_ptr<EmulatedProduct> product;
  BlockTrace trace;
  FirstBlock(const std::string& kernel, index_t cols, const std::vector<std::vector<index_t>>& rows,
             const ParamSet& params, const ParamSet& format_params = {}) {
    const Csr a = testing::from_rows(cols, rows, testing::some_value);
    Progress progress;
    const KernelRow& row = kernel_row(kernel);
    const auto format =
        format_row(row.info.format).build(a, Precision::f32, RealView::real_part, format_params, progress);
    const auto x = testing::some_vector(cols);
    product = row.emulate({.format = format, .params = params, .x = x});
    product->emulate_block(0, 0, &trace);
  }
  Steps steps() const { return simt::steps(trace.warps.at(0), product->arrays()); }
};

TEST(Traces, ThirtyTwoConsecutiveFloatsAreOneAccess) {
  std::vector<float> data(32);
  Bench bench;
  const auto a = bench.array("data", data);
  struct Kernel {
    Array<float> a;
    void operator()(Thread t) const { ld(CachePolicy::streaming, a, t.thread); }
  };
  const BlockTrace trace = bench.run(Kernel{a});
  ASSERT_EQ(trace.warps.size(), 1u);
  const WarpTrace& warp = trace.warps[0];
  ASSERT_EQ(warp.accesses.size(), 1u);
  EXPECT_EQ(warp.accesses[0].active, 0xffffffffu);
  EXPECT_EQ(warp.accesses[0].bytes, 4);
  EXPECT_EQ(warp.accesses[0].op, Op::load);
  EXPECT_EQ(warp.accesses[0].policy, CachePolicy::streaming);
  std::vector<std::uint64_t> expected(32);
  for (std::size_t i = 0; i < 32; ++i) expected[i] = 0x10000 + 4 * i;
  EXPECT_EQ(warp.addresses, expected);
  EXPECT_EQ(warp.lane_steps, 32u);
  EXPECT_EQ(warp.warp_steps, 1u);
  EXPECT_EQ(std::string(bench.launch.sites.sites().at(0).file), "traces.cpp");
}

// Rows of 2, 0, 3 and 1 entries: lanes leave the loop one by one and store together.
TEST(Traces, CsrScalarDivergesOnRowLengths) {
  const FirstBlock run("csr_scalar", 4, {{0, 1}, {}, {0, 2, 3}, {3}}, {{"block_size", 32}});
  EXPECT_EQ(run.steps(), (Steps{"row_ptr f", "row_ptr f",        //
                                "columns d", "values d", "x d",  // entry 0 of rows 0, 2, 3
                                "columns 5", "values 5", "x 5",  // entry 1 of rows 0, 2
                                "columns 4", "values 4", "x 4", "y f"}));
  const WarpTrace& warp = run.trace.warps[0];
  EXPECT_EQ(warp.warp_steps, 12u);
  EXPECT_EQ(warp.lane_steps, 4u + 4 + 3 * 3 + 2 * 3 + 3 + 4);
  const std::uint64_t columns = run.product->arrays()[1].base;
  EXPECT_EQ(run.product->arrays()[1].name, "columns");
  EXPECT_EQ(addresses(warp, 2), (std::vector<std::uint64_t>{columns, columns + 8, columns + 20}));
  const std::uint64_t x = run.product->arrays()[3].base;
  EXPECT_EQ(addresses(warp, 7), (std::vector<std::uint64_t>{x + 4, x + 8}));
}

// coop 4: lanes 0-3 share row 0 (5 entries), lanes 4-7 row 1 (2 entries); rows beyond the last only take part in
// shuffles.
TEST(Traces, CsrVectorReadsRowsSideBySide) {
  const FirstBlock run("csr_vector", 8, {{0, 2, 4, 6, 7}, {1, 3}}, {{"coop", 4}, {"block_size", 32}});
  EXPECT_EQ(run.steps(), (Steps{"row_ptr ff", "row_ptr ff",         //
                                "columns 3f", "values 3f", "x 3f",  // 4 + 2 entries
                                "columns 1", "values 1", "x 1",     // the fifth of row 0
                                "y 11"}));
  const WarpTrace& warp = run.trace.warps[0];
  EXPECT_EQ(warp.warp_steps, 9u + 2);  // two shuffles of all 32 lanes
  EXPECT_EQ(warp.lane_steps, 8u + 8 + 3 * 6 + 3 * 1 + 2 + 2 * 32);
  const std::uint64_t row_ptr = run.product->arrays()[0].base;
  EXPECT_EQ(addresses(warp, 0), (std::vector<std::uint64_t>{row_ptr, row_ptr, row_ptr, row_ptr, row_ptr + 4,
                                                            row_ptr + 4, row_ptr + 4, row_ptr + 4}));
}

// repeat 2: the store of the first row comes before the loads of the second, which all lanes make together.
TEST(Traces, CsrVectorReconvergesAfterEachStore) {
  std::vector<std::vector<index_t>> rows(32, {0});
  const FirstBlock run("csr_vector", 1, rows, {{"coop", 2}, {"block_size", 32}, {"repeat", 2}});
  const Steps once{"row_ptr ffffffff", "row_ptr ffffffff", "columns 55555555",
                   "values 55555555",  "x 55555555",       "y 55555555"};
  Steps twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  EXPECT_EQ(run.steps(), twice);
}

// Padding costs no access to its value nor to x; lanes whose entry is padding wait at the next entry for those whose is
// not.
TEST(Traces, EllReadsOfPaddingOnlyTheColumn) {
  const FirstBlock run("ell", 3, {{0, 1, 2}, {1}, {0, 2}}, {{"block_size", 32}});
  EXPECT_EQ(run.steps(), (Steps{"columns 7", "values 7", "x 7", "columns 7", "values 5", "x 5", "columns 7", "values 1",
                                "x 1", "y 7"}));
}

// Slices of two rows: the third row's slice is as wide as that row alone.
TEST(Traces, SellWalksAsFarAsItsSlice) {
  const FirstBlock run("sell", 3, {{0, 1, 2}, {1}, {0, 2}}, {{"block_size", 32}},
                       {{"slice_rows", 2}, {"sort_window", 1}});
  EXPECT_EQ(run.steps(), (Steps{"slice_ptr 7", "slice_ptr 7", "columns 7", "values 7", "x 7", "columns 7", "values 5",
                                "x 5", "columns 3", "values 1", "x 1", "y 7"}));
}

// Two blocks of 2 x 2 on the diagonal, two lanes per row: eight lanes read eight values as they lie.
TEST(Traces, BsrReadsWholeBlocks) {
  const FirstBlock run("bsr", 4, {{0, 1}, {0, 1}, {2, 3}, {2, 3}}, {{"coop", 2}, {"block_size", 32}});
  EXPECT_EQ(run.steps(), (Steps{"block_ptr ff", "block_ptr ff", "block_columns ff", "values ff", "x ff", "y 55"}));
  const std::uint64_t values = run.product->arrays()[2].base, x = run.product->arrays()[3].base;
  std::vector<std::uint64_t> as_they_lie;
  for (std::uint64_t i = 0; i < 8; ++i) as_they_lie.push_back(values + 4 * i);
  EXPECT_EQ(addresses(run.trace.warps[0], 3), as_they_lie);
  EXPECT_EQ(addresses(run.trace.warps[0], 4),
            (std::vector<std::uint64_t>{x, x + 4, x, x + 4, x + 8, x + 12, x + 8, x + 12}));
}

// Rows of 1, 4 and 2 entries and one entry per thread: a range and a block for each, the shortest first.
TEST(Traces, CsrAdaptiveGivesLongRowsMoreThreads) {
  const FirstBlock run("csr_adaptive", 4, {{2}, {0, 1, 2, 3}, {1, 3}}, {{"block_size", 32}, {"entries", 1}});
  EXPECT_EQ(run.steps(), (Steps{"row_order 1", "row_ptr 1", "row_ptr 1", "columns 1", "values 1", "x 1", "y 1"}));
  ASSERT_EQ(run.product->launches().at(0).grid, 3);
  BlockTrace last;
  run.product->emulate_block(0, 2, &last);
  EXPECT_EQ(simt::steps(last.warps.at(0), run.product->arrays()),
            (Steps{"row_order f", "row_ptr f", "row_ptr f", "columns f", "values f", "x f", "y 1"}));
}

// A line of four nodes in one packet on 32 threads: x and y of the packet once each, a lane per row, padding ends it.
TEST(Traces, PktReadsXOnceForAPacket) {
  const FirstBlock run("pkt", 4, {{0, 1}, {0, 1, 2}, {1, 2, 3}, {2, 3}}, {}, {{"threads", 32}});
  const std::string all = " ffffffff";
  EXPECT_EQ(run.steps(), (Steps{"packet_row" + all, "packet_row" + all, "permutation f", "x f",  //
                                "packet_begin" + all, "packet_begin" + all,                      //
                                "packet_indices" + all, "packet_values" + all,                   //
                                "packet_indices f", "packet_values f",                           //
                                "packet_indices f", "packet_values f",                           //
                                "permutation f", "y f"}));
  EXPECT_EQ(run.product->launches().size(), 1u);  // nothing lies between packets
}

// Bell & Garland 2008, figure 2: with a stride of 3 neighbouring lanes are 12 bytes apart.
TEST(Traces, AxpyStrides) {
  const auto x = testing::some_vector(94), y = testing::some_vector(94);
  const auto product = kernel_row("axpy").emulate(
      {.format = nullptr, .params = {{"stride", 3}, {"block_size", 32}}, .x = x, .beta = 1, .y = y});
  ASSERT_EQ(product->launches().at(0).grid, 1);  // 32 of 94 elements
  BlockTrace trace;
  product->emulate_block(0, 0, &trace);
  EXPECT_EQ(steps(trace.warps.at(0), product->arrays()), (Steps{"x ffffffff", "y ffffffff", "y ffffffff"}));
  std::vector<std::uint64_t> strided;
  for (std::uint64_t i = 0; i < 32; ++i) strided.push_back(product->arrays()[0].base + 12 * i);
  EXPECT_EQ(addresses(trace.warps[0], 0), strided);
}

TEST(Traces, AreTheSameEveryTimeAndOnEveryThread) {
  const Csr a = testing::random_rows(500, 500, [](index_t r) { return r % 50; }, 3);
  Progress progress;
  const auto format = format_row("csr").build(a, Precision::f64, RealView::real_part, {}, progress);
  const auto x = testing::some_vector(500);
  const auto text = [&](bool backwards) {
    const auto product = kernel_row("csr_vector").emulate({.format = format, .precision = Precision::f64, .x = x});
    std::vector<std::string> blocks(static_cast<std::size_t>(product->launches()[0].grid));
    for (std::int64_t i = 0; i < product->launches()[0].grid; ++i) {
      const std::int64_t block = backwards ? product->launches()[0].grid - 1 - i : i;
      BlockTrace trace;
      product->emulate_block(0, block, &trace);
      for (const WarpTrace& warp : trace.warps) {
        for (const std::string& s : steps(warp, product->arrays())) blocks[block] += s + "\n";
        for (std::uint64_t address : warp.addresses) blocks[block] += std::to_string(address) + " ";
      }
    }
    return blocks;
  };
  const auto once = text(false);
  EXPECT_EQ(once, text(true));
  EXPECT_GT(once.size(), 1u);
}

// ---- Random structured programs: the merged trace against a machine that keeps a stack of masks
// ------------------------

struct Node {
  enum Kind { access, loop, branch } kind = access;
  int id = 0;  // of an access: its place in the program text
  std::vector<Node> body;
};
using Program = std::vector<Node>;
constexpr int most_opened = 12, most_places = 24;

// Loop bodies begin and end with an unconditional access of their own: the merge's documented limits.
Program random_program(int depth, int& places, bool in_loop) {
  Program p;
  static int ids = 1000;
  if (in_loop) p.push_back({Node::access, places++, {}});
  const int length = *rc::gen::inRange(1, 4);
  for (int i = 0; i < length && places < most_opened; ++i) {
    const int kind = depth == 0 ? 0 : *rc::gen::inRange(0, 3);
    if (kind == Node::access) {
      p.push_back({Node::access, places++, {}});
    } else {
      Node n{static_cast<Node::Kind>(kind), ids++, {}};
      n.body = random_program(depth - 1, places, kind == Node::loop);
      p.push_back(std::move(n));
    }
  }
  if (in_loop && p.back().kind != Node::access) p.push_back({Node::access, places++, {}});
  return p;
}

// What lane `lane` decides at its v-th visit of a node.
int decision(int node, int lane, int visit, int choices) {
  std::uint32_t h = static_cast<std::uint32_t>(node * 977 + lane * 31 + visit * 7919);
  h = (h ^ (h >> 13)) * 0x5bd1e995u;
  h ^= h >> 15;
  return static_cast<int>(h % static_cast<std::uint32_t>(choices));
}

using Visits = std::map<int, int>;

void access_at(const Array<int>& a, int place, int lane) {
  switch (place) {
    case 0:
      ld(a, 32 * 0 + lane);
      break;
    case 1:
      ld(a, 32 * 1 + lane);
      break;
    case 2:
      ld(a, 32 * 2 + lane);
      break;
    case 3:
      ld(a, 32 * 3 + lane);
      break;
    case 4:
      ld(a, 32 * 4 + lane);
      break;
    case 5:
      ld(a, 32 * 5 + lane);
      break;
    case 6:
      ld(a, 32 * 6 + lane);
      break;
    case 7:
      ld(a, 32 * 7 + lane);
      break;
    case 8:
      ld(a, 32 * 8 + lane);
      break;
    case 9:
      ld(a, 32 * 9 + lane);
      break;
    case 10:
      ld(a, 32 * 10 + lane);
      break;
    case 11:
      ld(a, 32 * 11 + lane);
      break;
    case 12:
      ld(a, 32 * 12 + lane);
      break;
    case 13:
      ld(a, 32 * 13 + lane);
      break;
    case 14:
      ld(a, 32 * 14 + lane);
      break;
    case 15:
      ld(a, 32 * 15 + lane);
      break;
    case 16:
      ld(a, 32 * 16 + lane);
      break;
    case 17:
      ld(a, 32 * 17 + lane);
      break;
    case 18:
      ld(a, 32 * 18 + lane);
      break;
    case 19:
      ld(a, 32 * 19 + lane);
      break;
    case 20:
      ld(a, 32 * 20 + lane);
      break;
    case 21:
      ld(a, 32 * 21 + lane);
      break;
    case 22:
      ld(a, 32 * 22 + lane);
      break;
    case 23:
      ld(a, 32 * 23 + lane);
      break;
    default:
      FAIL() << "more places than lines";
  }
}

void run_lane(const Program& p, const Array<int>& a, int lane, Visits& visits) {
  for (const Node& n : p) {
    if (n.kind == Node::access) {
      access_at(a, n.id, lane);
      continue;
    }
    const int trips = decision(n.id, lane, visits[n.id]++, n.kind == Node::loop ? 4 : 2);
    for (int i = 0; i < trips; ++i) run_lane(n.body, a, lane, visits);
  }
}

using Issued = std::vector<std::pair<int, std::uint32_t>>;  // place, mask

void run_masked(const Program& p, std::uint32_t mask, std::vector<Visits>& visits, Issued& out) {
  if (!mask) return;
  for (const Node& n : p) {
    if (n.kind == Node::access) {
      out.push_back({n.id, mask});
      continue;
    }
    std::array<int, 32> trips{};
    for (int lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1) trips[lane] = decision(n.id, lane, visits[lane][n.id]++, n.kind == Node::loop ? 4 : 2);
    for (int i = 0;; ++i) {
      std::uint32_t still = 0;
      for (int lane = 0; lane < 32; ++lane)
        if ((mask >> lane & 1) && i < trips[lane]) still |= 1u << lane;
      if (!still) break;
      run_masked(n.body, still, visits, out);
    }
  }
}

RC_GTEST_PROP(Merge, IssuesWhatAStackOfMasksWould, ()) {
  int places = 0;
  const Program program = random_program(3, places, false);
  std::vector<int> data(32 * most_places);
  Bench bench;
  const auto a = bench.array("a", data);
  struct Kernel {
    const Program* program;
    Array<int> a;
    void operator()(Thread t) const {
      Visits visits;
      run_lane(*program, a, t.thread, visits);
    }
  };
  const BlockTrace trace = bench.run(Kernel{&program, a});
  Issued expected;
  std::vector<Visits> visits(32);
  run_masked(program, ~0u, visits, expected);
  Issued seen;
  for (const Access& access : trace.warps.at(0).accesses) {
    const std::uint64_t offset = trace.warps[0].addresses[access.first] - a.base;
    seen.push_back({static_cast<int>(offset / 4 / 32), access.active});
  }
  RC_ASSERT(seen == expected);
}

}  // namespace
}  // namespace warpspy::simt
