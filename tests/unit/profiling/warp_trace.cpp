// The steps of warps: all of them together are what the run counts, idle lanes add up, and each warp is the right one.
#include "core/run/warp_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/formats/format.hpp"
#include "core/generate/generate.hpp"
#include "kernels/table/sources.hpp"
#include "kernels/table/table.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/simulated/simulate.hpp"
#include "profiling/simulated/warp_steps.hpp"
#include "profiling/simulated/warp_watch.hpp"
#include "tests/paths.hpp"
#include "tests/products.hpp"

using namespace warpspy;

namespace {

Matrix made(const std::string& spec) {
  Progress progress;
  return generate(spec, progress);
}

Matrix of(Csr&& csr) {
  Matrix m;
  m.csr = std::make_shared<const Csr>(std::move(csr));
  return m;
}

GpuSpec gpu(const std::string& id) {
  static const Catalog catalog = make_catalog(WARPSPY_SOURCE_DIR "/assets");
  return catalog.device("sim:" + id)->spec;
}

RunRequest request(const std::string& kernel, ParamSet params = {}) {
  RunRequest r;
  r.kernel = kernel;
  r.params = std::move(params);
  r.device = "sim:h200";
  r.cache_state = CacheState::cold;
  return r;
}

Engine& engine() {
  static const auto made = make_engine(WARPSPY_SOURCE_DIR "/assets");
  return *made;
}

WarpTrace traced(const Matrix& m, const RunRequest& r, const WarpWanted& wanted) {
  Progress progress;
  return engine().trace_warp(r, m, wanted, progress);
}

WarpWanted row(index_t r) {
  WarpWanted wanted;
  wanted.row = r;
  return wanted;
}
WarpWanted place(const WarpPlace& p) {
  WarpWanted wanted;
  wanted.by = WarpWanted::By::place;
  wanted.place = p;
  return wanted;
}

bool reads_matrix(const KernelRow& k) { return k.emulate && !k.info.format.empty(); }

// Everything that a trace says of a warp holds together.
void expect_sound(const WarpTrace& t) {
  const WarpSums sums = sums_until(t, t.steps.size());
  if (!t.cut()) {
    EXPECT_EQ(sums.ledger.lanes, t.ledger.lanes);
    EXPECT_EQ(sums.ledger.instructions, t.ledger.instructions);
  }
  const RunningSums running(t);
  for (const std::size_t steps : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, t.steps.size()}) {
    const WarpSums one = sums_until(t, steps), same = running.until(t, steps);
    EXPECT_EQ(same.ledger.lanes, one.ledger.lanes) << steps;
    EXPECT_EQ(same.traffic.sectors, one.traffic.sectors) << steps;
  }
  const auto all = std::accumulate(t.ledger.lanes.begin(), t.ledger.lanes.end(), std::uint64_t{0});
  EXPECT_EQ(all, 32 * t.ledger.instructions);
  EXPECT_EQ(t.ledger.idle(), all - t.ledger.active());
  for (const WarpStep& s : t.steps) {
    const WarpTraffic traffic = traffic_of(t, s);
    EXPECT_LE(traffic.least_sectors, traffic.sectors);
    EXPECT_EQ(std::accumulate(traffic.from.begin(), traffic.from.end(), std::uint64_t{0}), traffic.sectors);
    for (int lane = 0; lane < 32; ++lane) ASSERT_EQ(s.lanes[lane] == LaneState::active, (s.active >> lane & 1) != 0);
  }
}

// Of steps that are only counted the same is said as of those that are told.
template <class Tell>
void expect_same_when_cut(const WarpTrace& t, const Tell& tell) {
  for (const std::size_t most : {t.steps.size() / 3, t.steps.size() / 2}) {
    WarpTrace cut;
    cut.place = t.place;
    tell(most, cut);
    ASSERT_EQ(cut.steps.size(), most);
    EXPECT_EQ(cut.ledger.lanes, t.ledger.lanes) << most << " of " << t.steps.size();
    for (std::size_t k = 0; k < most; ++k) ASSERT_EQ(cut.steps[k].lanes, t.steps[k].lanes) << k << " of " << most;
  }
}

// A whole run, every warp of it looked at.
void expect_sums(const KernelRow& kernel, const Matrix& m, const GpuSpec& gpu, const std::string& what) {
  SCOPED_TRACE(what);
  Progress progress;
  std::shared_ptr<const Format> format;
  try {
    format = format_row(kernel.info.format).build(FormatFacts(m), Precision::f32, RealView::real_part, {}, progress);
  } catch (const Error&) {
    return;  // PKT and LMA do not take every matrix
  }
  const auto x = warpspy::testing::some_vector(input_size(kernel.info.operation, m.csr->rows(), m.csr->cols()));
  ProductInputs inputs;
  inputs.format = format;
  inputs.x = x;
  const auto product = kernel.emulate(inputs);
  WarpWatch watch;
  watch.every_block = true;
  SimulateOptions options;
  options.watch = &watch;
  options.budget = budget_of(Depth::whole);
  Simulation s;
  try {
    s = simulate(*product, gpu, options, progress);
  } catch (const Error& e) {
    // A block of 1024 threads does not fit every GPU.
    ASSERT_NE(e.reason.find("does not fit"), std::string::npos) << e.what();
    return;
  }
  ASSERT_EQ(s.share, 1);
  std::map<std::string, WarpTraffic> arrays, lines;
  LaneLedger ledger;
  std::uint64_t hits = 0;
  for (const BlockRun& block : watch.blocks)
    for (std::size_t w = 0; w < block.trace.warps.size(); ++w) {
      WarpTrace t;
      t.place = {block.launch, block.trace.block, static_cast<int>(w)};
      tell_steps(block, watch.lines, {*product, *format, *m.csr, kernel.info.operation}, gpu, most_warp_steps, t,
                 progress);
      expect_sound(t);
      expect_same_when_cut(t, [&](std::size_t most, WarpTrace& to) {
        tell_steps(block, watch.lines, {*product, *format, *m.csr, kernel.info.operation}, gpu, most, to, progress);
      });
      for (const WarpTraffic& a : t.arrays) arrays[a.name] += a, hits += a.from[0];
      for (const WarpTraffic& l : t.lines) lines[l.name] += l;
      ledger += t.ledger;
    }
  EXPECT_EQ(static_cast<double>(ledger.instructions), s.warp_steps);
  EXPECT_EQ(static_cast<double>(ledger.active()), s.lane_steps);
  EXPECT_EQ(static_cast<double>(hits), s.l1_hits);
  const auto same = [](const std::vector<Traffic>& of_run, const std::map<std::string, WarpTraffic>& of_warps) {
    for (const Traffic& t : of_run) {
      const auto at = of_warps.find(t.name);
      ASSERT_TRUE(at != of_warps.end() || t.requests == 0) << t.name;
      if (at == of_warps.end()) continue;
      EXPECT_EQ(static_cast<double>(at->second.requests), t.requests) << t.name;
      EXPECT_EQ(static_cast<double>(at->second.sectors), t.sectors) << t.name;
      EXPECT_EQ(static_cast<double>(at->second.bytes), t.bytes_used) << t.name;
      if (t.requests > 0) {
        EXPECT_DOUBLE_EQ(static_cast<double>(at->second.lanes) / t.requests, t.active_lanes) << t.name;
      }
    }
  };
  same(s.arrays, arrays);
  same(s.lines, lines);
}

TEST(WarpTrace, AllWarpsTogetherAreWhatTheRunCounts) {
  const auto matrices = warpspy::testing::product_matrices();
  bool old = false;  // a new and an old GPU in turn: every kernel runs on both
  for (const KernelRow& kernel : kernels()) {
    if (!reads_matrix(kernel)) continue;
    for (const auto& [name, m] : matrices) {
      old = !old;
      const std::string id = old ? "gtx280" : "h200";
      expect_sums(kernel, m, gpu(id), kernel.info.id + " " + name + " " + id);
    }
  }
}

// Lane l of warp w of block b has row (b * 4 + w) * 32 + l.
TEST(WarpTrace, TheWarpOfARow) {
  const Matrix m = made("gen:laplace5?nx=40&ny=20");
  const WarpTrace t = traced(m, request("csr_scalar"), row(333));
  EXPECT_EQ(t.place, (WarpPlace{0, 2, 2}));
  expect_sound(t);
  EXPECT_NE(t.why.find("row 333, lane 13"), std::string::npos) << t.why;
  bool read = false;
  for (const WarpStep& s : t.steps) {
    if (s.array < 0 || t.arrays[s.array].name != "values") continue;
    for (int i = 0; i < std::popcount(s.active); ++i) {
      const LaneAccess& a = t.accesses[s.first_access + i];
      EXPECT_TRUE(a.entry);
      EXPECT_EQ(a.value, m.csr->values()[a.element]);
      read |= a.row == 333;
    }
  }
  EXPECT_TRUE(read);
}

// Every kernel finds a warp for a row in the middle, and that warp reads or writes the row.
TEST(WarpTrace, EveryKernelFindsTheWarpOfARow) {
  const Matrix m = made("gen:powerlaw?rows=300");
  for (const KernelRow& kernel : kernels()) {
    if (!reads_matrix(kernel)) continue;
    SCOPED_TRACE(kernel.info.id);
    try {
      const WarpTrace t = traced(m, request(kernel.info.id), row(150));
      expect_sound(t);
      bool read = false;
      // Of several elements that a lane loads at once the first is told, and that may be padding.
      if (kernel.info.format == "bsr") continue;
      for (const LaneAccess& a : t.accesses) read |= a.row == 150;
      EXPECT_TRUE(read);
    } catch (const Error& e) {
      const std::string why = e.what();
      EXPECT_TRUE(why.find("of its own") != std::string::npos || kernel.info.format == "pkt" ||
                  format_row(kernel.info.format).symmetric || kernel.info.format == "lma")
          << why;
    }
  }
}

// Rows of 9, 3, 0 and 1 entries: four at a time in the unrolled loop, the rest one by one.
TEST(WarpTrace, SaysWhyLanesAreIdle) {
  std::vector<std::vector<index_t>> rows = {{0, 1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3}, {}, {5}};
  const Matrix m = of(warpspy::testing::from_rows(9, rows, warpspy::testing::some_value));
  const WarpTrace t = traced(m, request("csr_scalar", {{"block_size", 32}}), row(0));
  expect_sound(t);
  std::vector<const WarpStep*> of_values;
  for (const WarpStep& s : t.steps)
    if (s.array >= 0 && t.arrays[s.array].name == "values") of_values.push_back(&s);
  ASSERT_EQ(of_values.size(), 8u + 3u);
  const auto& unrolled = of_values[0]->lanes;
  EXPECT_EQ(unrolled[0], LaneState::active);
  EXPECT_EQ(unrolled[1], LaneState::later);
  EXPECT_EQ(unrolled[2], LaneState::ended);
  EXPECT_EQ(unrolled[3], LaneState::later);
  EXPECT_EQ(unrolled[4], LaneState::no_work);
  const auto& rest = of_values[9]->lanes;  // the second of the rest
  EXPECT_EQ(rest[0], LaneState::ended);
  EXPECT_EQ(rest[1], LaneState::active);
  EXPECT_EQ(rest[2], LaneState::ended);
  EXPECT_EQ(rest[3], LaneState::ended);
}

TEST(WarpTrace, PaddingIsNoEntry) {
  std::vector<std::vector<index_t>> rows = {{0, 1, 2, 3, 4, 5}, {1}, {2, 3}};
  const Matrix m = of(warpspy::testing::from_rows(6, rows, warpspy::testing::some_value));
  const WarpTrace t = traced(m, request("ell"), row(0));
  expect_sound(t);
  EXPECT_GT(t.ledger.lanes[static_cast<int>(LaneState::padding)], 0u);
  EXPECT_EQ(t.ledger.lanes[static_cast<int>(LaneState::later)], 0u);
}

// 33 threads: the second warp has one.
TEST(WarpTrace, AnExchangeIsAStep) {
  const Matrix m = made("gen:dense?rows=40&cols=40");
  const WarpTrace t = traced(m, request("csr_vector", {{"coop", 32}}), row(5));
  expect_sound(t);
  int exchanges = 0;
  for (const WarpStep& s : t.steps)
    if (s.op == WarpOp::exchange) exchanges += s.times;
  EXPECT_EQ(exchanges, 5);  // 16, 8, 4, 2, 1
}

TEST(WarpTrace, TheWorstIsNoBetterThanTheMedian) {
  const Matrix m = made("gen:powerlaw?rows=3000");
  for (const WarpMeasure measure : {WarpMeasure::sectors, WarpMeasure::idle, WarpMeasure::time}) {
    WarpWanted wanted;
    wanted.by = WarpWanted::By::worst;
    wanted.measure = measure;
    const auto cost = [&](const WarpTrace& t) {
      const WarpTraffic all = sums_until(t, t.steps.size()).traffic;
      return measure == WarpMeasure::time   ? t.waited_ns
             : measure == WarpMeasure::idle ? static_cast<double>(t.ledger.idle())
                                            : static_cast<double>(all.sectors) / static_cast<double>(all.requests);
    };
    const WarpTrace worst = traced(m, request("csr_scalar"), wanted);
    wanted.by = WarpWanted::By::median;
    const WarpTrace median = traced(m, request("csr_scalar"), wanted);
    EXPECT_GT(cost(worst), cost(median)) << name_of(measure);
    EXPECT_NE(worst.why.find("worst"), std::string::npos);
  }
}

// A block that the sample leaves out runs besides, and the trace says so; the run's numbers stay as they are.
TEST(WarpTrace, ABlockOutsideTheSampleIsRunBesides) {
  const Matrix m = made("gen:laplace5?nx=1500&ny=1500");
  RunRequest r = request("csr_scalar");
  r.depth = Depth::quick;
  const WarpTrace first = traced(m, r, place({0, 0, 1}));
  const WarpTrace last = traced(m, r, place({0, first.blocks - 1, 0}));
  EXPECT_LT(first.share, 1);
  int besides = 0;
  for (const WarpTrace* t : {&first, &last})
    for (const std::string& note : t->notes) besides += note.find("left out") != std::string::npos;
  EXPECT_GT(besides, 0);
  EXPECT_FALSE(last.steps.empty());
}

// An x that does not fit into L2: what comes again was driven out by somebody.
TEST(WarpTrace, SaysWhoDroveALineOut) {
  const Matrix m = made("gen:random?rows=60000&cols=400000&per_row=8");
  RunRequest r = request("csr_scalar");
  r.device = "sim:c2070";
  r.depth = Depth::whole;
  const WarpTrace t = traced(m, r, row(59000));
  expect_sound(t);
  int again = 0, told = 0;
  for (const WarpLine& line : t.requested) {
    const bool came_again = std::find(line.from.begin(), line.from.end(), SectorSource::dram_again) != line.from.end();
    EXPECT_TRUE(came_again || !line.l2_evictor.known());
    again += came_again, told += line.l2_evictor.known();
    EXPECT_LT(line.l2_evictor.block, t.blocks);
  }
  EXPECT_GT(again, 0);
  EXPECT_EQ(told, again);
}

TEST(WarpTrace, LookingChangesNoNumber) {
  const Matrix m = made("gen:powerlaw?rows=3000");
  Progress progress;
  const KernelRow& kernel = kernel_row("csr_vector");
  const auto format = format_row("csr").build(FormatFacts(m), Precision::f32, RealView::real_part, {}, progress);
  const auto x = warpspy::testing::some_vector(m.csr->cols());
  ProductInputs inputs;
  inputs.format = format;
  inputs.x = x;
  const auto run = [&](WarpWatch* watch, double budget) {
    SimulateOptions options;
    options.budget = budget;
    options.watch = watch;
    options.cache_state = CacheState::warm;
    return simulate(*kernel.emulate(inputs), gpu("h200"), options, progress);
  };
  for (const double budget : {budget_of(Depth::full), 1e4}) {
    WarpWatch watch;
    watch.launch = 0;
    watch.block = 3;
    const Simulation seen = run(&watch, budget), unseen = run(nullptr, budget);
    EXPECT_TRUE(watch.find(0, 3));
    EXPECT_EQ(seen.dram_read_bytes, unseen.dram_read_bytes);
    EXPECT_EQ(seen.l1_hits, unseen.l1_hits);
    EXPECT_EQ(seen.l2_load_hits, unseen.l2_load_hits);
    EXPECT_EQ(seen.share, unseen.share);
  }
}

// A row that takes more steps than are told: the rest is counted.
TEST(WarpTrace, ALongWarpIsCutAndSaid) {
  const Matrix m = made("gen:dense?rows=1&cols=20000");
  const WarpTrace t = traced(m, request("csr_scalar"), row(0));
  EXPECT_TRUE(t.cut());
  EXPECT_EQ(t.steps.size(), most_warp_steps);
  expect_sound(t);
  EXPECT_LT(t.bytes(), std::size_t{50} << 20);
  EXPECT_NE(t.notes.back().find("told"), std::string::npos);
  std::uint64_t sectors = 0, told = sums_until(t, t.steps.size()).traffic.sectors;
  for (const WarpTraffic& a : t.arrays) sectors += a.sectors;
  EXPECT_GT(sectors, told);
  const auto of = [&](LaneState state) { return t.ledger.lanes[static_cast<std::size_t>(state)]; };
  EXPECT_EQ(of(LaneState::unknown), 0u) << "one lane works, and the others never do";
  EXPECT_EQ(of(LaneState::no_work), 31 * t.ledger.instructions);
}

// Lanes whose short rows ended before the steps that are only counted have read their last entry, though all write y.
TEST(WarpTrace, LanesOfRowsThatEndedStayEndedInStepsThatAreOnlyCounted) {
  std::vector<std::vector<index_t>> rows(32, {0, 1, 2, 3});  // one round of the unrolled loop
  for (index_t c = 4; c < 20000; ++c) rows[0].push_back(c);
  const Matrix m = of(warpspy::testing::from_rows(20000, rows, warpspy::testing::some_value));
  const WarpTrace t = traced(m, request("csr_scalar"), row(0));
  ASSERT_TRUE(t.cut());
  expect_sound(t);
  const auto of = [&](LaneState state) { return t.ledger.lanes[static_cast<std::size_t>(state)]; };
  EXPECT_EQ(of(LaneState::unknown), 0u);
  EXPECT_GT(of(LaneState::ended), 25 * t.ledger.instructions);
}

// Rows of fewer entries than a round of the unrolled loop are read behind it: until then their lanes wait for it.
TEST(WarpTrace, LanesOfRowsThatComeBehindTheStepsThatAreToldWaitForThem) {
  std::vector<std::vector<index_t>> rows(32, {0, 1, 2});
  for (index_t c = 3; c < 20000; ++c) rows[0].push_back(c);
  const Matrix m = of(warpspy::testing::from_rows(20000, rows, warpspy::testing::some_value));
  const WarpTrace t = traced(m, request("csr_scalar"), row(0));
  ASSERT_TRUE(t.cut());
  expect_sound(t);
  const auto of = [&](LaneState state) { return t.ledger.lanes[static_cast<std::size_t>(state)]; };
  EXPECT_EQ(of(LaneState::unknown), 0u);
  EXPECT_GT(of(LaneState::later), 25 * t.ledger.instructions);
}

TEST(WarpTrace, BadRequestsAreRefused) {
  const Matrix m = of(warpspy::testing::from_rows(4, {{0, 1}, {}, {3}}, warpspy::testing::some_value));
  const auto why = [&](const WarpWanted& wanted, const char* kernel = "csr_scalar") -> std::string {
    try {
      traced(m, request(kernel), wanted);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(why(row(3)).find("no row 3"), std::string::npos);
  EXPECT_NE(why(row(-1)).find("no row -1"), std::string::npos);
  WarpWanted entry = row(0);
  entry.by = WarpWanted::By::entry;
  entry.column = 3;
  EXPECT_NE(why(entry).find("no entry (0, 3)"), std::string::npos);
  EXPECT_NE(why(place({0, 7, 0})).find("no warp 0 of block 7"), std::string::npos);
  EXPECT_NE(why(place({2, 0, 0})).find("no launch 2"), std::string::npos);
  EXPECT_NE(why(row(1), "coo_atomic").find("no entries"), std::string::npos);
  EXPECT_NE(why(row(0), "axpy").find("reads no matrix"), std::string::npos);
  EXPECT_EQ(why(row(1)), "") << "one thread per row: somebody writes its y";
}

TEST(WarpTrace, StridesGoOnAndBack) {
  const Matrix m = made("gen:dense?rows=32&cols=32");
  const WarpTrace t = traced(m, request("csr_scalar"), row(0));
  const std::size_t last = t.steps.size() - 1;
  EXPECT_EQ(stride(t, 3, WarpStride::access, true), 4u);
  EXPECT_EQ(stride(t, 0, WarpStride::access, false), 0u);
  EXPECT_EQ(stride(t, last, WarpStride::access, true), last);
  const std::size_t round = stride(t, 5, WarpStride::iteration, true);
  EXPECT_GT(round, 5u);
  EXPECT_EQ(stride(t, round, WarpStride::iteration, false), 5u);
  const std::size_t line = stride(t, 0, WarpStride::line, true);
  EXPECT_NE(t.steps[line].site, t.steps[0].site);
  EXPECT_EQ(stride(t, 0, WarpStride::barrier, true), last) << "there is none";
  EXPECT_EQ(stride(WarpTrace{}, 4, WarpStride::line, true), 0u);
}

TEST(WarpTrace, Json) {
  const Matrix m = made("gen:laplace5?nx=40&ny=20");
  const WarpTrace t = traced(m, request("csr_scalar"), row(333));
  const auto all = nlohmann::json::parse(to_json(t));
  EXPECT_EQ(all["steps"].size(), t.steps.size());
  EXPECT_EQ(all["provenance"], "modelled");
  EXPECT_EQ(all["warp"]["block"], 2);
  const auto one = nlohmann::json::parse(to_json(t, 2));
  ASSERT_EQ(one["steps"].size(), 1u);
  EXPECT_EQ(one["steps"][0]["step"], 2);
  EXPECT_EQ(one["steps"][0]["lanes"].size(), 32u);
}

TEST(WarpTrace, KnowsItsSource) {
  const WarpTrace t = traced(made("gen:laplace5?nx=40&ny=20"), request("csr_scalar"), row(333));
  ASSERT_FALSE(t.sites.empty());
  for (const WarpTrace::Site& s : t.sites) EXPECT_FALSE(s.text.empty()) << s.name();
  EXPECT_NE(t.sites.front().text.find("simt::ld("), std::string::npos);
  EXPECT_EQ(kernel_source("nobody.hpp"), "");
  EXPECT_EQ(kernel_source_line("csr_scalar.hpp", 0), kernel_source_line("csr_scalar.hpp", 1));
  EXPECT_EQ(kernel_source_line("csr_scalar.hpp", 100000), "");
}

}  // namespace
