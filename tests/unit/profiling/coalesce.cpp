#include "profiling/simulated/coalesce.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "traces.hpp"

namespace warpspy {
namespace {

// Sectors per request of one instruction.
std::vector<std::uint64_t> sectors(const GpuSpec& gpu, const std::function<std::uint64_t(int)>& offset,
                                   std::uint8_t bytes = 4, std::uint32_t active = ~0u) {
  const BlockStream s =
      coalesce(one_warp([&](auto& w) { access(w, a_base, offset, simt::Op::load, active, bytes); }), gpu);
  std::vector<std::uint64_t> result;
  for (const MemoryRequest& r : s.requests) {
    std::uint64_t sum = 0;
    for (std::uint32_t t = r.first; t < r.first + r.touches; ++t)
      sum += static_cast<std::uint64_t>(std::popcount(sectors_with(s.touches[t].words)));
    result.push_back(sum);
  }
  return result;
}

using Counts = std::vector<std::uint64_t>;

// The same numbers as measured on an H200: 4-byte reads at stride 4, 8, 16, 32, 64 touch 4, 8, 16, 32, 32 sectors.
TEST(Coalesce, SectorsPerRequest) {
  const GpuSpec gpu = small_gpu();
  EXPECT_EQ(sectors(gpu, [](int l) { return 4 * l; }), Counts{4});
  EXPECT_EQ(sectors(gpu, [](int l) { return 8 * l; }), Counts{8});
  EXPECT_EQ(sectors(gpu, [](int l) { return 16 * l; }), Counts{16});
  EXPECT_EQ(sectors(gpu, [](int l) { return 32 * l; }), Counts{32});
  EXPECT_EQ(sectors(gpu, [](int l) { return 128 * l; }), Counts{32});
  EXPECT_EQ(sectors(gpu, [](int l) { return 4 * l + 4; }), Counts{5});          // misaligned by one value
  EXPECT_EQ(sectors(gpu, [](int l) { return 8 * l; }, 8), Counts{8});           // 32 doubles
  EXPECT_EQ(sectors(gpu, [](int l) { return 16 * l; }, 16), Counts{16});        // 32 float4
  EXPECT_EQ(sectors(gpu, [](int) { return 0; }), Counts{1});                    // all the same
  EXPECT_EQ(sectors(gpu, [](int l) { return 4 * (31 - l); }), Counts{4});       // the order of lanes does not matter
  EXPECT_EQ(sectors(gpu, [](int l) { return 4 * l; }, 4, 0xFFu), Counts{1});    // eight lanes of 32
  EXPECT_EQ(sectors(gpu, [](int l) { return 124 + 128 * l; }, 8), Counts{64});  // each straddles two lines
}

// As counted on an H200: lanes that add to the same element take turns, and each turn asks for its sectors.
TEST(Coalesce, AtomicsTakeTurnsAtTheSameElement) {
  const auto adds = [](const std::function<std::uint64_t(int)>& offset) {
    const BlockStream s =
        coalesce(one_warp([&](auto& w) { access(w, y_base, offset, simt::Op::atomic); }), small_gpu());
    EXPECT_EQ(s.requests.size(), 1u);
    return s.arrays.at(1).sectors;
  };
  EXPECT_EQ(adds([](int l) { return 4 * l; }), 4u);
  EXPECT_EQ(adds([](int) { return 0; }), 32u);
  EXPECT_EQ(adds([](int l) { return 4 * (l / 2); }), 2u + 2u);         // pairs: two turns of 16 elements
  EXPECT_EQ(adds([](int l) { return l < 31 ? 4 * l : 0; }), 4u + 1u);  // one element comes twice
}

// CUDA C++ Programming Guide, atomicAdd: f64 from compute capability 6.0 on; before, a load and rounds
// of compare-and-swap, in each of which one lane of those at the same element gets through.
TEST(Coalesce, AdditionsWithoutAnAtomicAreRoundsOfCompareAndSwap) {
  const auto adds = [](int capability, std::uint8_t bytes, int of_an_element) {
    GpuSpec gpu = small_gpu();
    gpu.compute_capability = capability;
    const auto offset = [=](int l) { return static_cast<std::uint64_t>(bytes * (l / of_an_element)); };
    return coalesce(one_warp([&](auto& w) { access(w, y_base, offset, simt::Op::atomic, ~0u, bytes); }), gpu);
  };
  for (const auto& [capability, bytes] : {std::pair{60, 8}, std::pair{52, 4}, std::pair{13, 4}})
    EXPECT_EQ(adds(capability, static_cast<std::uint8_t>(bytes), 4).requests.size(), 1u) << capability;
  for (const auto& [capability, bytes] : {std::pair{52, 8}, std::pair{20, 8}, std::pair{13, 8}}) {
    for (const int of_an_element : {1, 4, 32}) {
      const BlockStream s = adds(capability, static_cast<std::uint8_t>(bytes), of_an_element);
      ASSERT_EQ(s.requests.size(), 1u + static_cast<std::size_t>(of_an_element)) << capability;
      for (std::size_t r = 0; r < s.requests.size(); ++r) {
        EXPECT_EQ(s.requests[r].last, r + 1 == s.requests.size());
        EXPECT_EQ(s.requests[r].path, r > 0 ? Path::swap : Path::l2);
      }
      EXPECT_EQ(s.steps_of_warp[0], 1u + static_cast<std::uint32_t>(of_an_element));
    }
  }
}

// Where the kernel adds by compare-and-swap (Steinberger et al., algorithm 3), every GPU does.
TEST(Coalesce, AKernelMayAddByCompareAndSwap) {
  GpuSpec gpu = small_gpu();
  gpu.compute_capability = 90;
  const auto twice = [](int l) { return static_cast<std::uint64_t>(8 * (l / 2)); };
  const BlockStream s = coalesce(one_warp([&](auto& w) { access(w, y_base, twice, simt::Op::swap, ~0u, 8); }), gpu);
  ASSERT_EQ(s.requests.size(), 3u);
  EXPECT_EQ(s.requests[0].path, Path::l2);
  EXPECT_EQ(s.requests[1].path, Path::swap);
  EXPECT_EQ(s.requests[2].path, Path::swap);
  std::uint64_t lanes = 0;
  for (const TrafficSum& array : s.arrays) lanes += array.lanes;
  EXPECT_EQ(lanes, 32u + 32 + 16);  // all load, all try, and half of them again
}

// CUDA C Programming Guide, compute capability 1.0 and 1.1: one transaction where lane k asks for word k of an aligned
// segment, else one for each lane.
TEST(Coalesce, HalfWarpsOfG92AskInOrderOrLaneByLane) {
  GpuSpec gpu = small_gpu();
  gpu.coalesce_lanes = 16;
  gpu.compute_capability = 11;
  EXPECT_EQ(sectors(gpu, [](int l) { return 4 * l; }), (Counts{2, 2}));
  EXPECT_EQ(sectors(gpu, [](int l) { return 4 * l; }, 4, 0xFFFF0101u), (Counts{2, 2}));  // some do not ask
  EXPECT_EQ(sectors(gpu, [](int l) { return 4 * l + 4; }), (Counts{16, 16}));
  EXPECT_EQ(sectors(gpu, [](int l) { return 4 * (l ^ 1); }), (Counts{16, 16}));
  EXPECT_EQ(sectors(gpu, [](int) { return 0; }), (Counts{16, 16}));
}

// CUDA C Programming Guide, compute capability 1.2 and 1.3: half-warps, segments of 32, 64 or 128 bytes.
TEST(Coalesce, HalfWarpSegmentsOfGt200) {
  GpuSpec gpu = small_gpu();
  gpu.coalesce_lanes = 16;
  EXPECT_EQ(sectors(gpu, [](int l) { return 4 * l; }), (Counts{2, 2}));      // one 64-byte segment each
  EXPECT_EQ(sectors(gpu, [](int l) { return 8 * l; }, 8), (Counts{4, 4}));   // one 128-byte segment each
  EXPECT_EQ(sectors(gpu, [](int l) { return 4 * l + 4; }), (Counts{4, 3}));  // 4..67: 128 bytes; 68..131: 64 + 32
  EXPECT_EQ(sectors(gpu, [](int l) { return 32 * l; }), (Counts{16, 16}));
  EXPECT_EQ(sectors(gpu, [](int l) { return 256 * l; }), (Counts{16, 16}));         // 32-byte segments
  EXPECT_EQ(sectors(gpu, [](int l) { return 4 * l; }, 4, 0xFFFF0000u), Counts{2});  // the other half asks nothing
  const BlockStream s = coalesce(one_warp([&](auto& w) { access(w, a_base, [](int l) { return 4 * l; }); }), gpu);
  EXPECT_FALSE(s.requests[0].last);
  EXPECT_TRUE(s.requests[1].last);
}

// Segments are a matter of global memory; a texture cache is filled by the sectors that lanes ask for.
TEST(Coalesce, Gt200TextureLoadsTakeSectorsNotSegments) {
  GpuSpec gpu = small_gpu();
  gpu.coalesce_lanes = 16;
  gpu.texture_bytes_per_sm = 8192;
  const auto unaligned = [&](simt::CachePolicy policy) {
    return coalesce(
        one_warp([&](auto& w) { access(w, a_base, [](int l) { return 4 * l + 4; }, simt::Op::load, ~0u, 4, policy); }),
        gpu);
  };
  const BlockStream global = unaligned(simt::CachePolicy::plain), texture = unaligned(simt::CachePolicy::read_only);
  EXPECT_EQ(global.arrays.at(0).sectors, 4u + 3u);   // 4..67: a segment of 128 bytes; 68..131: of 64 and of 32
  EXPECT_EQ(texture.arrays.at(0).sectors, 3u + 3u);  // 0..95; 64..159
  EXPECT_EQ(global.texture_bytes, 0u);
  EXPECT_EQ(texture.texture_bytes, 128u);
}

TEST(Coalesce, PathsFollowPolicyAndGpu) {
  const auto path = [](GpuSpec gpu, simt::Op op, simt::CachePolicy policy) {
    const auto trace = one_warp([&](auto& w) { access(w, a_base, [](int l) { return 4 * l; }, op, ~0u, 4, policy); });
    return coalesce(trace, gpu).requests.at(0).path;
  };
  using enum simt::CachePolicy;
  GpuSpec volta = small_gpu();
  EXPECT_EQ(path(volta, simt::Op::load, plain), Path::l1);
  EXPECT_EQ(path(volta, simt::Op::load, read_only), Path::l1);
  EXPECT_EQ(path(volta, simt::Op::load, streaming), Path::l1);
  EXPECT_EQ(path(volta, simt::Op::load, no_l1), Path::l2);
  EXPECT_EQ(path(volta, simt::Op::store, plain), Path::store);
  EXPECT_EQ(path(volta, simt::Op::atomic, plain), Path::atomic);
  GpuSpec kepler = small_gpu();
  kepler.l1_caches_global = false;
  kepler.texture_bytes_per_sm = 49152;
  EXPECT_EQ(path(kepler, simt::Op::load, plain), Path::l2);
  EXPECT_EQ(path(kepler, simt::Op::load, read_only), Path::texture);
}

TEST(Coalesce, CountsPerArrayAndSite) {
  const auto trace = one_warp([&](auto& w) {
    access(w, a_base, [](int l) { return 4 * l; });
    access(w, y_base, [](int l) { return 4 * l; }, simt::Op::store, 0xFu);
    w.accesses.back().site = 2;
  });
  const BlockStream s = coalesce(trace, small_gpu());
  ASSERT_EQ(s.arrays.size(), 2u);
  EXPECT_EQ(s.arrays[0].sectors, 4u);
  EXPECT_EQ(s.arrays[0].bytes, 128u);
  EXPECT_EQ(s.arrays[1].sectors, 1u);
  EXPECT_EQ(s.arrays[1].lanes, 4u);
  ASSERT_EQ(s.sites.size(), 3u);
  EXPECT_EQ(s.sites[1].requests, 0u);
  EXPECT_EQ(s.sites[2].bytes, 16u);
  EXPECT_EQ(s.lane_steps, 36u);
}

TEST(Coalesce, RefusesAddressesBeyondTheModel) {
  const auto trace = one_warp([&](auto& w) { access(w, a_base, [](int) { return 1ull << 40; }); });
  EXPECT_THROW(coalesce(trace, small_gpu()), Error);
}

RC_GTEST_PROP(Coalesce, SectorsAreTheDistinctSectorsOfTheLanes, ()) {
  std::set<std::uint64_t> distinct;
  std::vector<std::uint64_t> offsets;
  for (int lane = 0; lane < 32; ++lane) {
    offsets.push_back(4ull * static_cast<std::uint64_t>(*rc::gen::inRange(0, 4000)));
    distinct.insert((a_base + offsets.back()) / 32);
  }
  RC_ASSERT(sectors(small_gpu(), [&](int l) { return offsets[static_cast<std::size_t>(l)]; }) ==
            Counts{distinct.size()});
}

}  // namespace
}  // namespace warpspy
