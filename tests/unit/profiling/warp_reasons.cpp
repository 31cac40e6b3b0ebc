// Why a warp's loads miss L1, what its accesses to shared memory collide on, a warp alone, and the axis of its SM.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/generate/generate.hpp"
#include "core/run/warp_trace.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/simulated/banks.hpp"
#include "profiling/simulated/sm_schedule.hpp"
#include "tests/paths.hpp"
#include "tests/shapes.hpp"

using namespace warpspy;

namespace {

Matrix made(const std::string& spec) {
  Progress progress;
  return generate(spec, progress);
}

WarpTrace traced(const Matrix& m, const std::string& kernel, const WarpWanted& wanted, Depth depth = Depth::whole,
                 const std::string& device = "sim:h200", const ParamSet& params = {}) {
  static const auto engine = make_engine(WARPSPY_SOURCE_DIR "/assets");
  RunRequest r;
  r.kernel = kernel;
  r.params = params;
  r.device = device;
  r.depth = depth;
  r.cache_state = CacheState::cold;
  Progress progress;
  return engine->trace_warp(r, m, wanted, progress);
}

WarpWanted row(index_t r, bool alone = false) {
  WarpWanted wanted;
  wanted.row = r;
  wanted.alone = alone;
  return wanted;
}

struct Misses {
  int first = 0, again = 0, hits = 0, told = 0;
};
// Of the loads of a trace, sector by sector; each that L1 lacked has one reason.
Misses misses_of(const WarpTrace& t) {
  Misses m;
  for (const WarpLine& line : t.requested) {
    EXPECT_EQ(line.l1_first & line.l1_again, 0);
    EXPECT_EQ((line.l1_first | line.l1_again) & ~line.sectors, 0);
    EXPECT_TRUE(line.l1_again || !line.l1_evictor.known());
    if (line.from[0] == SectorSource::written) continue;
    for (int s = 0; s < 4; ++s) {
      if (!(line.sectors >> s & 1)) continue;
      const bool missed = (line.l1_first | line.l1_again) >> s & 1;
      EXPECT_EQ(missed, line.from[static_cast<std::size_t>(s)] != SectorSource::l1);
      m.hits += !missed;
      m.first += line.l1_first >> s & 1;
      m.again += line.l1_again >> s & 1;
    }
    m.told += line.l1_again && line.l1_evictor.known();
  }
  return m;
}

TEST(WarpReasons, AFirstTouchOfL1) {
  const WarpTrace t = traced(made("gen:laplace5?nx=40&ny=20"), "csr_scalar", row(5));
  const Misses m = misses_of(t);
  EXPECT_GT(m.first, 0);
  EXPECT_EQ(m.again, 0) << "all of it fits";
  EXPECT_GT(m.hits, 0);
}

// Rows of 600 entries that lie apart, a thread each: more lines than a small L1 holds.
TEST(WarpReasons, WhoDroveALineOutOfL1) {
  const WarpTrace t = traced(made("gen:dense?rows=4000&cols=600"), "csr_scalar", row(300), Depth::whole, "sim:c2070");
  const Misses m = misses_of(t);
  EXPECT_GT(m.again, 0);
  EXPECT_GT(m.told, 0);
  for (const WarpLine& line : t.requested)
    if (line.l1_evictor.known()) {
      EXPECT_LT(line.l1_evictor.array, static_cast<int>(t.arrays.size()));
      EXPECT_LT(line.l1_evictor.block, t.blocks);
      EXPECT_GE(line.l1_evictor.warp, 0);
      EXPECT_LT(line.l1_evictor.warp, t.warps_of_block);
      EXPECT_NE(reasons_of(t, line).front().find("L1: driven out by "), std::string::npos);
    }
}

TEST(WarpReasons, AloneItFindsNothingOfOthers) {
  const Matrix m = made("gen:laplace5?nx=60&ny=60");
  const WarpTrace amid = traced(m, "csr_scalar", row(1000)), alone = traced(m, "csr_scalar", row(1000, true));
  EXPECT_EQ(amid.place, alone.place);
  EXPECT_TRUE(alone.alone);
  EXPECT_FALSE(amid.alone);
  ASSERT_EQ(amid.steps.size(), alone.steps.size());
  const auto all = [](const WarpTrace& t) { return sums_until(t, t.steps.size()).traffic; };
  EXPECT_EQ(all(amid).sectors, all(alone).sectors);
  EXPECT_EQ(all(alone).from[static_cast<int>(SectorSource::dram_again)], 0u);
  EXPECT_GT(all(alone).from[static_cast<int>(SectorSource::dram_first)],
            all(amid).from[static_cast<int>(SectorSource::dram_first)]);
  EXPECT_TRUE(std::any_of(alone.notes.begin(), alone.notes.end(),
                          [](const std::string& n) { return n.starts_with("alone, as was asked"); }));
  int others = 0;
  for (const SmWarp& w : alone.axis.warps) others += !w.spans.empty();
  EXPECT_EQ(others, 1) << "nobody else issues";
}

// Every request of a warp stands on its axis once, and spans do not overlap.
TEST(WarpReasons, TheAxisHoldsEveryRequest) {
  for (const char* kernel : {"csr_scalar", "csr_vector", "ell", "coo_segmented", "csr_even"}) {
    SCOPED_TRACE(kernel);
    const WarpTrace t = traced(made("gen:powerlaw?rows=3000"), kernel, row(1500));
    ASSERT_GE(t.axis.watched, 0);
    const SmWarp& warp = t.axis.warps[static_cast<std::size_t>(t.axis.watched)];
    EXPECT_EQ(warp.block, t.place.block);
    EXPECT_EQ(warp.warp, t.place.warp);
    std::uint64_t requests = 0, asked = 0;
    for (const SmSpan& s : warp.spans) requests += s.requests;
    for (const WarpStep& s : t.steps) asked += s.requests;
    EXPECT_EQ(requests, asked);
    for (const SmWarp& w : t.axis.warps) {
      float end = 0;
      for (const SmSpan& s : w.spans) {
        EXPECT_GE(s.begin_ns, end);
        EXPECT_GE(s.issued_ns, s.begin_ns);
        EXPECT_GE(s.end_ns, s.issued_ns);
        end = s.end_ns;
      }
      EXPECT_LE(static_cast<double>(end), t.axis.end_ns);
    }
    EXPECT_GT(t.axis.issuing, 0);
    EXPECT_LE(t.axis.issuing, 1);
    EXPECT_GE(t.axis.hidden, 0);
    EXPECT_LE(t.axis.hidden, 1);
  }
}

// More warps hide more of the waiting.
TEST(WarpReasons, WarpsHideEachOthersWaiting) {
  const WarpTrace many = traced(made("gen:laplace5?nx=500&ny=500"), "csr_scalar", row(1000), Depth::quick);
  const WarpTrace one = traced(made("gen:laplace5?nx=8&ny=4"), "csr_scalar", row(3));
  EXPECT_GT(many.axis.warps.size(), one.axis.warps.size());
  EXPECT_GT(many.axis.hidden, one.axis.hidden);
}

TEST(WarpReasons, AccessesToSharedMemoryAreSteps) {
  const Matrix m = made("gen:dense?rows=64&cols=64");
  int kernels_with = 0;
  for (const char* kernel : {"csr_stream", "csr_merge", "csr_even", "dia", "coo_segmented", "csr_striped"}) {
    SCOPED_TRACE(kernel);
    WarpTrace t;
    try {
      t = traced(m, kernel, row(5));
    } catch (const Error&) {
      continue;
    }
    int shared = 0;
    for (const WarpStep& s : t.steps) {
      if (!touches_shared(s.op)) continue;
      ++shared;
      ASSERT_GE(s.shared, 0);
      ASSERT_LT(static_cast<std::size_t>(s.shared), t.shared_arrays.size());
      EXPECT_FALSE(t.shared_arrays[static_cast<std::size_t>(s.shared)].empty());
      EXPECT_EQ(s.times, 0);
      EXPECT_GE(s.wavefronts, s.ideal_wavefronts);
      EXPECT_GE(s.ideal_wavefronts, 1);
      EXPECT_EQ(s.lines, 0u);
      EXPECT_GT(std::popcount(s.active), 0);
    }
    EXPECT_EQ(shared > 0, t.shared_accesses > 0);
    kernels_with += shared > 0;
  }
  EXPECT_GT(kernels_with, 0);
}

std::vector<std::int64_t> elements(int lanes, std::int64_t stride) {
  std::vector<std::int64_t> list;
  for (int k = 0; k < lanes; ++k) list.push_back(k * stride);
  return list;
}

TEST(Banks, TurnsAreTheMostWordsOfABank) {
  EXPECT_EQ(bank_wavefronts(elements(32, 1), ~0u, 4, false, 32), 1);
  EXPECT_EQ(bank_wavefronts(elements(32, 2), ~0u, 4, false, 32), 2);
  EXPECT_EQ(bank_wavefronts(elements(32, 32), ~0u, 4, false, 32), 32);
  EXPECT_EQ(bank_wavefronts(elements(32, 33), ~0u, 4, false, 32), 1) << "padded by one";
  EXPECT_EQ(bank_wavefronts(elements(32, 0), ~0u, 4, false, 32), 1) << "one word for all";
  EXPECT_EQ(bank_wavefronts(elements(32, 0), ~0u, 4, true, 32), 32) << "added to, one after another";
  EXPECT_EQ(bank_wavefronts(elements(32, 1), ~0u, 8, false, 32), 2) << "two halves";
  EXPECT_EQ(bank_wavefronts(elements(1, 1), 1u << 7, 4, false, 32), 1);
  EXPECT_EQ(bank_wavefronts(elements(32, 1), ~0u, 4, false, 16), 2) << "half-warps ask apart";
}

TEST(Banks, ConflictsAreSaid) {
  WarpStep s;
  s.op = WarpOp::shared_load, s.wavefronts = 1, s.ideal_wavefronts = 1;
  EXPECT_EQ(bank_text(s), "no bank conflict");
  s.wavefronts = 8;
  EXPECT_EQ(bank_text(s), "8-way bank conflict: 8 wavefronts");
  s.wavefronts = s.ideal_wavefronts = 2;
  EXPECT_EQ(bank_text(s), "no bank conflict");
}

}  // namespace
