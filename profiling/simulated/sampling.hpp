// Chooses which blocks of a grid to run when not all can run, and computes from the sample what the whole grid would
// do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/gpu/gpu_spec.hpp"

namespace warpspy {

// A wave is the blocks that the GPU holds at a time; block b of a wave runs on SM b mod sm_count. A slice is some
// neighbouring SMs of one wave, with all their blocks.
struct Slice {
  std::int64_t wave = 0;
  int first_sm = 0, sms = 0;
};

struct Grid {
  std::int64_t blocks = 0;
  int sms = 1, resident = 1;  // SMs of the GPU, and blocks per SM
  std::int64_t wave() const { return static_cast<std::int64_t>(sms) * resident; }
  std::int64_t waves() const { return (blocks + wave() - 1) / wave(); }
  int sm_of(std::int64_t block) const { return static_cast<int>(block % wave() % sms); }
  // SMs that have a block in the first wave, and how many each has at most.
  std::int64_t busy_sms() const { return std::min<std::int64_t>(sms, blocks); }
  std::int64_t blocks_of_sm() const { return (std::min(wave(), blocks) + busy_sms() - 1) / busy_sms(); }
  // Lists the blocks of each SM of a slice. At the end of the grid the lists are shorter, or empty.
  std::vector<std::vector<std::int64_t>> blocks_of(const Slice& s) const;
};

// Lists all waves in order, cut into slices of at most `max_sms` SMs.
std::vector<Slice> all_slices(const Grid& grid, int max_sms);
// The least SMs of a slice: a single SM would consist only of edges.
constexpr std::int64_t fewest_sms = 2;
// Chooses a sample of about `blocks` blocks. It consists of whole waves, spread evenly over the grid. If fewer than
// sixteen waves fit, and not all, it is up to sixteen slices of at least `fewest` SMs, of different waves if one wave
// fits. Each beginning of the list is spread evenly too, so the sample may end early. The middle comes first, since
// sorted formats begin with their least typical rows. No block appears twice.
std::vector<Slice> sample_slices(const Grid& grid, std::int64_t blocks, std::int64_t fewest = fewest_sms);

// Returns `n` places in [0, length). Each is `step` (a share of the length, below 1) after the previous one; after the
// end it goes on at the beginning. With an irrational step every beginning of the list is spread evenly, and does not
// follow a period of the kernel (such as stripes).
std::vector<std::int64_t> spread(std::int64_t length, std::int64_t n, double step);
// Returns `n` different blocks of the grid (or all), in an order in which every beginning is spread evenly. The first
// lies after the middle.
std::vector<std::int64_t> spread_blocks(std::int64_t grid, std::int64_t n);

// The factor (work of the grid) / (work of the blocks that ran), from the sizes of all blocks; without sizes, from
// their numbers. `part` is the share of each block that ran.
double scale_by_size(const std::vector<double>& sizes, std::span<const std::int64_t> ran, double part,
                     std::int64_t blocks);
// For each block that ran, how many blocks of the grid have about its size (within a factor of two). If none of a size
// ran, those of the next size count more. The sum is the number of blocks of the grid.
std::vector<double> like_each(const std::vector<double>& sizes, std::span<const std::int64_t> ran, std::int64_t blocks);

// The sectors of an array, and those that a sample with empty caches loads from DRAM, scaled to the grid. A sector
// counts once. If SMs all over the grid use it, it counts as often as the sample's share of L2 has lost it.
struct SampledArray {
  double size = 0;
  double first_touches = 0;
  double kept = 1;  // the share of the sectors that L2 keeps as usual; the others are evicted before the next product
};
// The share of `footprint` sectors that L2 still has when the next product reads them again: in the partition that the
// SM asks, and in either. Products read the sectors in the same order, and a block runs on any free SM. `l2_sectors` is
// the size of L2 if lines that both partitions read are there twice. The shares are straight lines between measurements
// of an H200 (28 to 56 MiB read again and again in blocks of 4 KiB).
struct KeptShare {
  double near = 0, either = 0;
};
// one_wave: blocks run on the same SMs in every product, so each partition is asked for the same lines again. It fits
// what the model's L2 keeps of 40 to 56 MB on an H200.
KeptShare kept_in_l2(double footprint, double l2_sectors, bool one_wave = false);

struct WholeMisses {
  std::vector<double> dram, l2;  // per array; L2: of the partition that the SM asks
  double kept = 0;               // warm: kept_in_l2 of all arrays together, in either partition; cold: 0
  // The share that the whole L2 would still have of sectors that only one SM uses and that the sample's share of L2 has
  // lost. A small share has few sets, and when L2 is almost full it loses more than the whole L2 does.
  KeptShare again;
};
// Returns how many of these first touches are misses in the whole grid, per array. An array touched more often than it
// has sectors is reused between samples; such a touch hits when fewer than `l2_sectors` other sectors came between (the
// characteristic time of Che, Tung and Wang, "Hierarchical Web caching systems: modeling, design and experimental
// results", IEEE JSAC 2002, with touches spread evenly over the grid). Each sector misses at least once. Warm: data
// that the same product left in L2 hits too. The first touch of a sector in a product comes a whole product after the
// last one.
WholeMisses misses_in_whole(const std::vector<SampledArray>& arrays, double l2_sectors, bool warm = false,
                            bool one_wave = false);

}  // namespace warpspy
