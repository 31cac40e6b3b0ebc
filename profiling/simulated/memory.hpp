// The memory system of a GPU: an L1 (and, on some, a texture cache) per SM, a shared L2 in one or two partitions, DRAM.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/gpu_spec.hpp"
#include "kernels/simt/trace.hpp"
#include "profiling/simulated/cache.hpp"
#include "profiling/simulated/coalesce.hpp"

namespace warpspy {

// Sectors of one array that came from DRAM, and sectors asked for that L2 did not hold. `first` counts the first touch
// of a sector since the caches were last empty, `again` what had been there and was evicted.
struct ArrayMisses {
  std::uint64_t dram_first = 0, dram_again = 0;
  std::uint64_t l2_first = 0, l2_again = 0;
};

struct MemoryCounts {
  std::uint64_t l1_lookups = 0, l1_hits = 0;  // sectors of loads that went through a cache of the SM
  // Sectors of loads asked of L2, and those of them found in the partition that the SM asks: the other one's are not
  // hits (so it is counted on an H200), but fabric_hits.
  std::uint64_t l2_loads = 0, l2_load_hits = 0, fabric_hits = 0;
  std::uint64_t texture_lookups = 0, texture_hits = 0;  // of those above, through a texture cache of its own
  std::uint64_t l2_texture_loads = 0, l2_texture_load_hits = 0;
  std::uint64_t l2_sectors = 0;   // every sector that crossed between the SMs and L2 (or DRAM without L2)
  std::uint64_t l2_requests = 0;  // lines that these sectors were asked in, one request each
  std::uint64_t dram_written_bytes = 0;
  std::uint64_t dram_fill_sectors = 0;  // read to complete partly written sectors
  std::vector<ArrayMisses> arrays;

  MemoryCounts& operator+=(const MemoryCounts& o);
  // o must have been counted in this.
  MemoryCounts& operator-=(const MemoryCounts& o);
};

// What one block took: the sum of latencies along its longest warp, its sectors at the SM's door, and the lines that
// its requests touched there. Without an L1 the door is that of the texture units: only what they fetch, no lines.
struct BlockCost {
  double latency_ns = 0;
  std::uint64_t sectors = 0, lines = 0;
};

// Memory instructions of a warp before another has its turn: four entries of a row with their value, column and x.
// Compilers unroll that far, so that a thread asks for neighbours in a row before others push them out of L1; with one
// instruction per turn the model evicted lines of long rows that an H200 keeps (see the README).
constexpr int instructions_per_turn = 12;

class MemorySystem {
 public:
  MemorySystem(const GpuSpec& gpu, const std::vector<simt::ArrayInfo>& arrays);

  // A new launch: the caches of the SMs are empty, L2 is as the launch before left it, counts begin at 0. `resident`
  // blocks with `shared_bytes` each live on an SM: on GPUs from Volta on, that memory is taken from L1.
  void begin_launch(int resident, int shared_bytes);

  // Runs the blocks of each SM together: warps take turns of instructions_per_turn; SMs take turns too. `first_sm`
  // is the SM of sms[0]. Adds one cost per block to *costs, SM after SM.
  void run(std::span<const std::vector<const BlockStream*>> sms, int first_sm, std::vector<BlockCost>* costs);

  // Writes back what is still dirty. In a sample the sectors at its edges are partly written only because their other
  // writers did not run: they then count by the words written and need no fill.
  void flush(bool sample);
  // Empties every cache: a new sample.
  void clear();

  const MemoryCounts& counts() const { return counts_; }
  bool has_l2() const { return !l2_.empty(); }

 private:
  // What leaves an SM: sectors to load, or words to store.
  struct Outgoing {
    std::uint32_t line = 0;
    std::uint32_t bits = 0;  // loads: sectors; stores and atomics: words
    std::uint16_t warp = 0;
    std::uint8_t array = 0;
    Path path = Path::l2;
    bool end = false;  // last of its load: the warp has waited
  };
  struct Sm {
    Sm(double l1_bytes, double texture_bytes) : l1(l1_bytes), texture(texture_bytes) {}
    SectorCache l1, texture;
    std::vector<Outgoing> out;
    std::vector<std::size_t> turn_end;  // into out
    std::vector<double> warp_ns;
    std::uint64_t lookups = 0, hits = 0, texture_lookups = 0, texture_hits = 0;
    int level = 0;  // deepest level of the load under way in L2: 0 L2, 1 DRAM
  };

  struct Cursor;
  void instruction(Sm& sm, Cursor& c);
  void run_sm(Sm& sm, const std::vector<const BlockStream*>& blocks);
  void request(Sm& sm, const BlockStream& block, const MemoryRequest& r, std::uint16_t warp);
  void below(Sm& sm, int sm_index, const Outgoing& o);
  std::uint32_t load(SectorCache& cache, const Outgoing& o, std::uint32_t sectors);
  void store(const Outgoing& o);
  void from_dram(std::uint8_t array, std::uint32_t line, std::uint32_t wanted, std::uint32_t filled);
  void write_back(const SectorCache::Evicted& e, bool sample);
  int home_of(std::uint32_t line) const;
  bool first_touch(std::uint32_t line, std::uint32_t sector);

  GpuSpec gpu_;
  bool has_l1_, has_texture_;
  std::uint32_t first_line_ = 0;
  std::vector<std::uint8_t> seen_;  // one nibble of sectors per line of the address space
  std::vector<Sm> sms_;
  std::vector<SectorCache> l2_;  // one per partition; empty when the GPU has none
  MemoryCounts counts_;
};

}  // namespace warpspy
