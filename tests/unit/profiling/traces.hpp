// Traces written by hand, and a small GPU to count them on.
#pragma once

#include <atomic>
#include <bit>
#include <functional>

#include "core/gpu/gpu_spec.hpp"
#include "kernels/table/table.hpp"

namespace warpspy {

inline GpuSpec small_gpu() {
  GpuSpec g;
  g.id = "small";
  g.name = "Small GPU";
  g.compute_capability = 60;
  g.sm_count = 4;
  g.clock_mhz = 1000;
  g.memory_bytes = 1e9;
  g.dram_gbs = 100, g.dram_stream_gbs = 100;
  g.l2_bytes = 1 << 20, g.l2_gbs = 500;
  g.l1_bytes_per_sm = 16384, g.l1_bytes_per_clock_per_sm = 128;
  g.shared_bytes_per_sm = 65536, g.shared_bytes_per_block = 49152;
  g.max_threads_per_sm = 2048, g.max_blocks_per_sm = 16;
  g.peak_f32_gflops = 1000, g.peak_f64_gflops = 500;
  g.dram_latency_ns = 400, g.l2_latency_ns = 200, g.l1_latency_ns = 30;
  g.launch_us = 2;
  return g;
}

// Arrays of the address space of the tests: a and y of 4 MiB each, x of 4 KiB.
constexpr std::uint64_t a_base = 0x1000000, y_base = 0x1400000, x_base = 0x1800000;
inline std::vector<simt::ArrayInfo> test_arrays() {
  return {{"a", a_base, 1 << 22}, {"y", y_base, 1 << 22, simt::Role::y}, {"x", x_base, 4096, simt::Role::x}};
}

// One instruction: active lanes read (or write) `bytes` at base + offset(lane).
inline void access(simt::WarpTrace& warp, std::uint64_t base, const std::function<std::uint64_t(int)>& offset,
                   simt::Op op = simt::Op::load, std::uint32_t active = ~0u, std::uint8_t bytes = 4,
                   simt::CachePolicy policy = simt::CachePolicy::plain) {
  simt::Access a;
  a.array = base >= x_base ? 2 : base >= y_base ? 1 : 0;
  a.op = op;
  a.policy = policy;
  a.bytes = bytes;
  a.active = active;
  a.first = static_cast<std::uint32_t>(warp.addresses.size());
  for (int lane = 0; lane < 32; ++lane)
    if (active >> lane & 1) warp.addresses.push_back(base + offset(lane));
  warp.accesses.push_back(a);
  warp.lane_steps += static_cast<std::uint64_t>(std::popcount(active));
  ++warp.warp_steps;
}

// A block of one warp.
inline simt::BlockTrace one_warp(const std::function<void(simt::WarpTrace&)>& fill) {
  simt::BlockTrace trace;
  trace.warps.resize(1);
  fill(trace.warps[0]);
  return trace;
}

// A product whose blocks are written by a function; it multiplies nothing.
class HandWritten : public EmulatedProduct {
 public:
  using Fill = std::function<void(std::int64_t, simt::BlockTrace&)>;
  HandWritten(std::int64_t grid, int block, Fill fill, std::vector<LongestSegment> longest = {},
              std::vector<std::int64_t> sections = {})
      : fill_(std::move(fill)) {
    if (grid > 0) launches_.push_back({.grid = grid, .block = block, .longest = longest, .sections = sections});
  }
  const std::vector<LaunchShape>& launches() const override { return launches_; }
  const std::vector<simt::ArrayInfo>& arrays() const override { return arrays_; }
  const std::vector<simt::Site>& sites() const override { return sites_; }
  void emulate_block(int, std::int64_t block, simt::BlockTrace* trace, simt::Additions*) override {
    ++emulated;
    if (!trace) return;
    trace->block = block;
    fill_(block, *trace);
  }
  std::optional<std::pair<index_t, index_t>> rows_of_block(std::int64_t block) const override {
    return std::pair{block, block + 1};
  }
  std::vector<double> y() const override { return {}; }

  std::atomic<std::int64_t> emulated{0};

 private:
  std::vector<LaunchShape> launches_;
  std::vector<simt::ArrayInfo> arrays_ = test_arrays();
  std::vector<simt::Site> sites_ = {{"hand.hpp", 1}};
  Fill fill_;
};

}  // namespace warpspy
