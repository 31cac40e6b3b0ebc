// Turns the addresses of lanes into memory requests of warps: which 128-byte lines a warp touches, and which words of
// each line. The caches need no more, and it is far smaller than the trace.
#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/gpu_spec.hpp"
#include "kernels/simt/trace.hpp"

namespace warpspy {

constexpr int words_per_line = 32;  // of 4 bytes
constexpr int sectors_per_line = 4;
constexpr int sector_size = 32;

// A 128-byte line and the words of it that are touched.
struct LineTouch {
  std::uint32_t line = 0;   // address / 128
  std::uint32_t words = 0;  // bit w: the 4-byte word w
};

// sectors_with returns the 32-byte sectors of a line that contain any of these words. sectors_full_of returns the
// sectors all of whose words are among these.
constexpr std::uint32_t sectors_with(std::uint32_t words) {
  return ((words & 0xFFu) ? 1u : 0u) | ((words & 0xFF00u) ? 2u : 0u) | ((words & 0xFF0000u) ? 4u : 0u) |
         ((words & 0xFF000000u) ? 8u : 0u);
}
constexpr std::uint32_t sectors_full_of(std::uint32_t words) { return 0xFu & ~sectors_with(~words); }
constexpr std::uint32_t words_of(std::uint32_t sectors) {
  return ((sectors & 1u) ? 0xFFu : 0u) | ((sectors & 2u) ? 0xFF00u : 0u) | ((sectors & 4u) ? 0xFF0000u : 0u) |
         ((sectors & 8u) ? 0xFF000000u : 0u);
}

// The path that a memory request takes through the caches. exchange: an atomic whose result the warp waits for. swap: a
// compare-and-swap of an addition, by the kernel or because the GPU has no such atomic. The warp waits for its result,
// and a lane tries again if another lane has changed the element in between.
enum class Path : std::uint8_t { l1, texture, l2, store, atomic, exchange, swap };
constexpr bool is_atomic(Path p) { return p >= Path::atomic; }
// Whether a GPU has an atomic addition for values of this size (CUDA C++ Programming Guide, atomicAdd). f64 has one
// from compute capability 6.0 on; older GPUs add by compare-and-swap, as the guide shows. f32 has one from 2.0 on. On
// still older GPUs the model uses an atomic for f32 too, since the papers' kernels of that time do not add by atomics.
constexpr bool adds_natively(int compute_capability, int bytes) { return compute_capability >= 60 || bytes <= 4; }

// One memory request: up to coalesce_lanes lanes of one instruction.
struct MemoryRequest {
  std::uint32_t first = 0;  // into BlockStream::touches
  std::uint16_t touches = 0;
  std::uint8_t array = 0;
  Path path = Path::l1;
  bool last = true;     // the last request of its instruction; a GT200 warp makes two
  bool behind = false;  // the first request after a barrier of the block
  simt::CachePolicy policy = simt::CachePolicy::plain;
};

// The first compute capability (80 = 8.0) on which loads can ask L2 to keep a share of an array. On older GPUs such
// loads are plain.
constexpr int keeps_shares_from = 80;

// The share of the lines of such loads that L2 keeps; the other lines are evicted first.
constexpr double kept_by(simt::CachePolicy policy) {
  if (policy == simt::CachePolicy::streaming) return 0;
  return simt::is_evict_last(policy) ? static_cast<double>(simt::evict_last_share(policy)) : 1;
}

struct TrafficSum {
  std::uint64_t requests = 0, sectors = 0, bytes = 0, lanes = 0;
  double evict_first = 0;       // sectors of lines that L2 need not keep
  std::uint64_t of_arrays = 0;  // bit a: the block accesses array a; only for the first 64 arrays
  TrafficSum& operator+=(const TrafficSum& o) {
    requests += o.requests, sectors += o.sectors, bytes += o.bytes, lanes += o.lanes, evict_first += o.evict_first;
    of_arrays |= o.of_arrays;
    return *this;
  }
};

// Tells where a requested sector was found.
enum class Served : std::uint8_t { l1, l2, dram_first, dram_again };

// One block, ready for the caches.
struct BlockStream {
  std::int64_t block = 0;
  std::vector<LineTouch> touches;
  std::vector<MemoryRequest> requests;       // warp after warp
  std::vector<std::uint32_t> warp_begin;     // warps + 1 entries, into requests
  std::vector<std::uint32_t> steps_of_warp;  // memory, shared memory, exchanges of lanes
  std::vector<std::uint32_t> loops_of_warp;  // of additions to shared memory (banks.hpp); may be empty: none
  std::vector<TrafficSum> arrays, sites;     // traffic by index of the trace
  std::uint64_t lane_steps = 0, warp_steps = 0;
  std::uint64_t shared_steps = 0;     // of all warps
  std::uint64_t addition_rounds = 0;  // in which the banks of shared memory serve the warps' additions
  std::uint64_t texture_bytes = 0;    // asked of a texture cache by all lanes together
  double work = 0;                    // work_of the trace
  // Tells where the sectors of each touch came from, two bits (Served) for each sector of the line. The memory system
  // writes it for an observer; nullptr: there is none.
  std::uint8_t* served = nullptr;
  std::size_t bytes() const {
    return touches.capacity() * sizeof(LineTouch) + requests.capacity() * sizeof(MemoryRequest);
  }
};

// The work of emulating a block, in lane steps: a lane step is one lane's part in one instruction that accesses memory,
// shared memory or other lanes. It depends only on what ran, so that samples are planned alike on every machine.
double work_of(const simt::BlockTrace& trace);

// Coalesces all accesses of a block by the rules of the GPU: all lanes of a warp together, in 32-byte sectors. On GT200
// (coalesce_lanes 16) half-warps make requests: one transaction for each lane unless lanes access in order, in the
// smallest aligned segment of 32, 64 or 128 bytes that holds the used part of a line (CUDA C Programming Guide, compute
// capability 1.2 and 1.3). Loads through GT200's texture cache use sectors, since these fill that cache. Additions by
// compare-and-swap become loads and compare-and-swaps. Throws Error for an address beyond 512 GiB.
BlockStream coalesce(const simt::BlockTrace& trace, const GpuSpec& gpu);

}  // namespace warpspy
