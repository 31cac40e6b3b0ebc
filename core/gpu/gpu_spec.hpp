// A GPU as numbers: what the emulator models and what the roofline draws. Simulated GPUs are JSON files in assets/gpus.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy {

// Units are in the names. 0 means "this GPU has none" (no L1 for global loads, no L2), never "unknown".
struct GpuSpec {
  std::string id;            // "h200"
  std::string name;          // "NVIDIA H200 SXM"
  std::string architecture;  // "Hopper"
  int year = 0;
  int compute_capability = 0;  // 90 = 9.0
  int sm_count = 0;
  double clock_mhz = 0;  // the clock at which the peaks below hold
  double memory_bytes = 0;
  double dram_gbs = 0;         // data sheet: the roof
  double dram_stream_gbs = 0;  // the bandwidth of a long copy or read, without check bits (dram_copy_gbs)
  double l2_bytes = 0;
  int l2_partitions = 1;  // 2: a line homed in one half is copied into the other when an SM there reads it
  double l2_gbs = 0;
  double l1_bytes_per_sm = 0;            // data available to global loads
  double l1_bytes_per_clock_per_sm = 0;  // throughput of a hit
  double texture_bytes_per_sm = 0;       // a separate read-only cache, where loads through it do not use L1
  double shared_bytes_per_sm = 0;
  double shared_bytes_per_block = 0;
  int line_bytes = 128;
  int sector_bytes = 32;         // granularity of L1/L2 fills
  int dram_granule_bytes = 64;   // smallest DRAM read
  bool l1_caches_global = true;  // plain loads go through L1
  bool ecc_in_memory = false;    // ECC is on, and check bits lie among the data (GDDR), not beside them (HBM)
  int coalesce_lanes = 32;       // lanes whose accesses form one request (16 on GT200)
  int max_threads_per_sm = 0;
  int max_blocks_per_sm = 0;
  int max_threads_per_block = 1024;
  double peak_f32_gflops = 0;  // fused multiply-adds counted as two
  double peak_f64_gflops = 0;
  double dram_latency_ns = 0, l2_latency_ns = 0, l1_latency_ns = 0;
  double launch_us = 0;  // one kernel launch in a stream, back to back
  // These depend on the compiler of the GPU's time. issues_per_step: instructions that a warp issues for each memory or
  // warp-wide instruction of its trace; 0: as many as the kernel says. loads_in_flight: how many loads of one array a
  // warp has in flight at most.
  double issues_per_step = 0;
  double loads_in_flight = 64;
  std::map<std::string, std::string> sources;  // figure name -> public source; every figure above is named
};

// What DRAM moves in a long copy, in GB/s: its data, and with ecc_in_memory check bits. Counters of DRAM are compared
// with this. Check bits take a sixteenth of the memory, so a sector of them checks 512 bytes. Fetching them takes about
// a fifth of the bandwidth, or more, by the pattern of accesses (CUDA C++ Best Practices Guide, 9.2.1). A fifth is one
// sector of check bits for each line, that is, for four sectors of data.
double dram_copy_gbs(const GpuSpec& gpu);

// Returns a number of the GPU by its name in the file, such as "dram_gbs". Nothing if there is no such name.
std::optional<double> figure_of(const GpuSpec& gpu, const std::string& id);

// Reads one file of assets/gpus. Throws Error if a number is missing, has no source or makes no sense; the message
// names it and the file.
GpuSpec read_gpu_spec(const std::string& path);
// Reads all files of a folder, sorted by year.
std::vector<GpuSpec> read_gpu_specs(const std::string& folder);

}  // namespace warpspy
