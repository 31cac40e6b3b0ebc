// Which blocks of a grid to run when not all of them can be, and what the sample says about the whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/gpu/gpu_spec.hpp"

namespace warpspy {

// A wave is what the GPU holds at a time: block b of it lives on SM b mod sm_count. A slice is a run of neighbouring
// SMs of one wave, with all their resident blocks.
struct Slice {
  std::int64_t wave = 0;
  int first_sm = 0, sms = 0;
};

struct Grid {
  std::int64_t blocks = 0;
  int sms = 1, resident = 1;  // of the GPU; blocks per SM
  std::int64_t wave() const { return static_cast<std::int64_t>(sms) * resident; }
  std::int64_t waves() const { return (blocks + wave() - 1) / wave(); }
  int sm_of(std::int64_t block) const { return static_cast<int>(block % wave() % sms); }
  // SMs that have a block in the first wave, and how many each has at most.
  std::int64_t busy_sms() const { return std::min<std::int64_t>(sms, blocks); }
  std::int64_t blocks_of_sm() const { return (std::min(wave(), blocks) + busy_sms() - 1) / busy_sms(); }
  // The blocks of each SM of a slice; shorter, or empty, where the grid ends.
  std::vector<std::vector<std::int64_t>> blocks_of(const Slice& s) const;
};

// Every wave in order, cut into slices of at most `max_sms` SMs.
std::vector<Slice> all_slices(const Grid& grid, int max_sms);
// Of a slice: one SM alone would make all of it its own edge.
constexpr std::int64_t fewest_sms = 2;
// About `blocks` blocks: whole waves spread evenly over the grid, or, when fewer than sixteen fit and not all of them,
// up to sixteen slices of `fewest` SMs or more, of different waves where one fits. In an order whose every beginning is
// spread evenly too, the middle first: sorted formats begin with what is least typical. Never twice the same block.
std::vector<Slice> sample_slices(const Grid& grid, std::int64_t blocks, std::int64_t fewest = fewest_sms);

// `n` places in [0, length): one step < 1 after another from the beginning, round and round. By an irrational step
// every beginning of the list is spread evenly, and none falls in with what a kernel does in turn (stripes, say).
std::vector<std::int64_t> spread(std::int64_t length, std::int64_t n, double step);
// Different blocks of the grid in such an order, `n` of them or all; the first lies behind the middle.
std::vector<std::int64_t> spread_blocks(std::int64_t grid, std::int64_t n);

// The grid's work to that of the blocks that ran, by the sizes of all blocks; none: by their numbers. `part`: of each
// block that ran.
double scale_by_size(const std::vector<double>& sizes, std::span<const std::int64_t> ran, double part,
                     std::int64_t blocks);
// So many blocks of the grid are like each of those that ran: by their sizes within a factor of two, and where none of
// about a size ran, those of the next size stand for them by so much more. As many as the grid has, together.
std::vector<double> like_each(const std::vector<double>& sizes, std::span<const std::int64_t> ran, std::int64_t blocks);

// An array's sectors, and the DRAM sectors that a sample which starts with empty caches asks of it, scaled to the grid:
// each once, or as often as its share of L2 had lost it where SMs all over the grid ask for it.
struct SampledArray {
  double size = 0;
  double first_touches = 0;
  double kept = 1;  // the share of them that L2 keeps as usual; the others are gone before the next product
};
// Shares of `footprint` sectors, gone through in a circle product after product by blocks that go wherever others end,
// that L2 still holds when their turn comes again: in the partition that the SM asks, and in either. `l2_sectors` is
// what L2 holds when it has a line twice that both partitions read. Straight lines between what an H200 answered to
// 28 to 56 MiB read again and again in blocks of 4 KiB.
struct KeptShare {
  double near = 0, either = 0;
};
// One wave: blocks meet the same SMs in every product, and whatever a partition has is asked of it again. As the
// model's L2 keeps 40 to 56 MB of an H200's.
KeptShare kept_in_l2(double footprint, double l2_sectors, bool one_wave = false);

struct WholeMisses {
  std::vector<double> dram, l2;  // per array; L2: of the partition that the SM asks
  double kept = 0;               // warm: kept_in_l2 of all arrays together, in either partition; cold: 0
  // Of what one SM asks for alone and its share of L2 has lost meanwhile, what L2 would hold: that of all arrays
  // together. A small share has few sets, and of an L2 that is almost full it loses more than the whole does.
  KeptShare again;
};
// How many of these first touches are misses in the whole grid, per array. An array touched more often than it has
// sectors is reused between samples; such a touch hits when fewer than `l2_sectors` other sectors came between (the
// characteristic time of Che, Tung and Wang, "Hierarchical Web caching systems: modeling, design and experimental
// results", IEEE JSAC 2002, with touches spread evenly over the grid). Each sector misses at least once.
// Warm: what the same product left in L2 hits too, and of an array's touches in a product one comes a whole product
// after the one before.
WholeMisses misses_in_whole(const std::vector<SampledArray>& arrays, double l2_sectors, bool warm = false,
                            bool one_wave = false);

}  // namespace warpspy
