// The memory system of a GPU: an L1 (and, on some, a texture cache) per SM, a shared L2 in one or two partitions, DRAM.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/gpu/gpu_spec.hpp"
#include "core/run/sm_axis.hpp"
#include "kernels/simt/trace.hpp"
#include "profiling/simulated/cache.hpp"
#include "profiling/simulated/coalesce.hpp"

namespace warpspy {

// Sectors of one array that came from DRAM, and sectors asked for that L2 did not hold. `first` counts the first touch
// of a sector since the caches were last empty, `again` what had been there and was evicted.
struct ArrayMisses {
  std::uint64_t dram_first = 0, dram_again = 0;
  std::uint64_t l2_first = 0, l2_again = 0;
  std::uint64_t across = 0;  // found only in the partition that the SM does not ask: a miss of the one that it asks
  std::uint64_t written_bytes = 0;  // to DRAM
};

struct MemoryCounts {
  std::uint64_t l1_lookups = 0, l1_hits = 0;  // sectors of loads that went through a cache of the SM
  // Sectors of loads asked of L2, and those of them found in the partition that the SM asks: the other one's are not
  // hits (so it is counted on an H200).
  std::uint64_t l2_loads = 0, l2_load_hits = 0;
  std::uint64_t texture_lookups = 0, texture_hits = 0;  // of those above, through a texture cache of its own
  std::uint64_t l2_texture_loads = 0, l2_texture_load_hits = 0;
  std::uint64_t l2_sectors = 0;      // every sector that crossed between the SMs and L2 (or DRAM without L2)
  std::uint64_t l2_requests = 0;     // lines that these sectors were asked in, one request each
  std::uint64_t atomic_turns = 0;    // sectors of atomics at the L2 unit that had the most, every few bursts
  std::uint64_t atomics_evened = 0;  // sectors of atomics whose turns these are; the others' bursts have not ended
  std::uint64_t atomics = 0;         // all of them
  std::uint64_t swaps_in_a_row = 0;  // that got through at the element that has the most of them (Path::swap)
  std::uint64_t dram_written_bytes = 0;
  std::uint64_t dram_fill_sectors = 0;  // read to complete partly written sectors
  std::vector<ArrayMisses> arrays;

  MemoryCounts& operator+=(const MemoryCounts& o);
  // o must have been counted in this.
  MemoryCounts& operator-=(const MemoryCounts& o);
};

// How often a warp waits, by what it waits for: the slowest of the loads that are on their way together, or the answer
// of an atomic; and what it issues.
struct Waits {
  std::uint32_t dram = 0, l2 = 0, l1 = 0;
  std::uint32_t instructions = 0;
  Waits times(double factor) const;
  bool operator==(const Waits&) const = default;
};

// What one block took: the waits of its longest warp, its sectors between SM and L1, and the lines that its requests
// touched there. Without an L1 it is what the texture units fetch, and no lines.
struct BlockCost {
  Waits waits;
  std::uint64_t steps = 0;         // of its warps: memory, shared memory, exchanges of lanes
  std::uint64_t shared_steps = 0;  // of these, shared memory
  std::uint64_t sectors = 0, lines = 0;
  double times = 1;  // of a sample: so many blocks of the grid are like it
};

// A warp's loads are on their way together up to the first one that needs what another brings: x behind its
// index, an index of x or of the matrix behind x, since a warp issues in order, the matrix behind where a row of it
// begins or what says whether there is an entry, y behind what is added to it, and whatever comes behind a store of
// what was loaded or behind a barrier of the block. Rounds of a loop as it was compiled wait for each other: of one
// array no more loads than the launch's loads_in_flight, nor than GpuSpec::loads_in_flight, are of one round. The warp
// waits for the slowest of them.
//
// That takes other times than a microbenchmark tells of an idle GPU: so many times its latencies. A warp issues in
// order, and most instructions need what the one before computes: so many clocks for each. Shared memory, exchanges
// between lanes and atomics that are sent off are among them.
struct UnderLoad {
  double dram, cache, clocks_of_instruction;
  // Whether rounds of a loop wait for each other, and an entry for the number that says whether there is one: so nvcc
  // 13.0 compiles them.
  bool as_compiled;
};
// Fitted on an H200 (docs/validation.md).
constexpr UnderLoad since_volta{1.25, 0.75, 6, true};
// What compilers made of loops was not looked at here. Chosen so that the papers' kernels keep their order
// (PaperOrderings of test_profiling); Fermi's arithmetic takes 18 clocks.
constexpr UnderLoad before_volta{1.6, 1.1, 9, false};
constexpr const UnderLoad& under_load(int compute_capability) {
  return compute_capability >= 70 ? since_volta : before_volta;
}
// Sectors that an SM has on their way from L2 at most. They come back in order; meanwhile the oldest warp that has
// all it asked for goes on, so that young warps wait where warps ask for much, and few rows are open at a time. Chosen
// with the products named in docs/validation.md.
constexpr std::int64_t sectors_in_flight = 1250;
// SMs share L2 evenly: so many sectors of each at a time.
constexpr std::int64_t sectors_per_burst = 64;
// What that takes in all.
double waited_ns(const Waits& waits, const GpuSpec& gpu);
// Lines that a set holds. L1: found by products that read rows which lie apart (docs/validation.md). L2: an estimate.
// Texture cache of GT200: H. Wong et al., Demystifying GPU Microarchitecture through Microbenchmarking, ISPASS 2010.
constexpr std::uint32_t l1_ways = 4, l2_ways = 16, texture_ways = 20;
// What L2 has for data, and how seldom its victim is not the oldest line of its set: as an H200 answers to 28 to 56 MiB
// read again and again, by one wave and by many (docs/validation.md has the rows).
constexpr double l2_for_data = 29.0 / 30;
// The share of L2 that a kernel leaves dirty at most: of 32-byte sectors written over four times its size an H200 has
// written 29.7 bytes each to DRAM when the kernel has ended (docs/validation.md).
constexpr double l2_dirty = 4 * (32 - 29.7) / 32;
constexpr std::uint32_t l2_random_victim_one_in = 10;
// Units of L2 that add for atomics, each for the lines that fall to it, and after how many bursts of all SMs they are
// even again. Estimates.
constexpr std::uint32_t l2_atomic_units = 96;
constexpr std::size_t bursts_of_atomics = 4;
// Neighbouring SMs that ask the same partition of L2, as those of a GPC: on an H200 all 16 blocks of a dense matrix of
// 2000 rows, in ELL and DIA, found in the other partition just the lines that are at home there.
constexpr std::uint32_t sms_of_a_partition = 16;

// What leaves an SM: sectors to load, or words to store.
struct L2Request {
  std::uint32_t line = 0;
  std::uint32_t bits = 0;  // loads: sectors; stores and atomics: words
  std::uint16_t warp = 0;
  std::uint8_t array = 0;
  Path path = Path::l2;
  bool end = false;  // last of the loads that are on their way together: the warp has waited
  SectorCache::Evict evict = SectorCache::Evict::normal;  // when L2 lets the line go
  bool joined = false;  // other sectors of a line that the warp asks for already: L2 gets one request for both
};

// What a warp asked for before it waited, and what it waited for then.
struct LoadGroup {
  std::uint16_t warp = 0;  // of the SM
  std::uint32_t requests = 0;
  std::int64_t end = -1;  // of SmRun::out, the request that ends it; -1: L1 answered, or there was nothing to wait for
  SmWait wait = SmWait::none;
};

// An SM while a block that somebody looks at is there: what its warps asked for, in the order in which they did.
struct SmLog {
  std::vector<LoadGroup> groups;
  std::vector<std::uint32_t> warps;  // of each block
  std::vector<std::int64_t> blocks;  // their numbers
  std::vector<std::uint32_t> inner;  // of each warp: steps that ask no memory
  std::size_t untold = 0;            // groups beyond those that are kept
};
constexpr std::size_t most_load_groups = most_sm_spans;

// Lines of which it is to be known who drove them out of L1 and L2, and the SM on which they are looked at.
struct LineWatch {
  struct Evictor {
    std::uint8_t array = 0;
    std::int16_t warp = -1;  // of its block
    std::int64_t block = -1;
  };
  // What L1 lacked of a touch.
  struct MissOfL1 {
    std::uint8_t first = 0, again = 0;  // sectors
    Evictor by;                         // of those that had been there
  };
  std::unordered_map<std::uint32_t, Evictor> lines;            // the last one of each; of no block: nobody
  std::unordered_map<const std::uint8_t*, Evictor> why_again;  // by BlockStream::served, where a touch missed L2 again
  std::unordered_map<const std::uint8_t*, MissOfL1> why_l1;    // the same, where a touch missed L1
  SmLog sm;
};

// Blocks that ran together on an SM, as L2 sees them.
struct SmRun {
  std::vector<L2Request> out;
  std::vector<std::size_t> burst_end;  // into out
  std::vector<Waits> waits;            // per warp; for loads that L1 answered, so far
  bool tells = false;                  // somebody asks where the sectors of a block came from
  std::vector<std::uint8_t*> told;     // of each request of out, then: its place in BlockStream::served, or nullptr
  std::vector<std::uint32_t> warps;    // of each block
  std::vector<std::int64_t> blocks;    // their numbers
  SmLog log;                           // where somebody asks
  std::uint64_t lookups = 0, hits = 0, texture_lookups = 0, texture_hits = 0;
  std::int64_t asked = 0, evict_first = 0;  // sectors of loads in out; those that L2 need not keep
  // Lines of which sectors were asked for last, and the first request for them, of out (MemorySystem::joins).
  struct AskedLine {
    std::uint32_t line = ~0u, request = 0;
  };
  std::array<AskedLine, 256> lines_asked{};
  std::uint32_t together = 0;  // of out, the first of the loads that are on their way together
  std::size_t bytes() const { return out.capacity() * sizeof(L2Request); }
};

// What the compiler made of a launch's code (LaunchShape), for a warp.
struct WarpCode {
  int loads_in_flight = 4, matrix_in_flight = 4;     // of one array; of one that leads nowhere
  double instructions = 0, shared_instructions = 0;  // for each step; for each that is an access to shared memory
};

// Whether blocks all over the grid touch the same elements of an array: what one of them brought to L2, others find.
constexpr bool shared_by_sms(simt::Role role) { return role == simt::Role::x || role == simt::Role::y; }

class MemorySystem {
 public:
  MemorySystem(const GpuSpec& gpu, const std::vector<simt::ArrayInfo>& arrays);

  // A new launch: the caches of the SMs are empty, L2 is as the launch before left it, counts begin at 0. `resident`
  // blocks with `shared_bytes` each live on an SM: on GPUs from Volta on, that memory is taken from L1.
  void begin_launch(int resident, int shared_bytes, const WarpCode& code = {});

  // Runs the blocks of each SM together through the caches of the SMs; first_sm is the SM of sms[0]. Returns what they
  // ask of L2.
  std::vector<SmRun> private_caches(std::span<const std::vector<const BlockStream*>> sms, int first_sm);
  // Asks it of L2, the SMs side by side. `dealt`: 0 where a block always meets the same SM; else these blocks went to
  // whichever SMs were free, and the number says which partition each of them asks this time. Tells the latencies of
  // the blocks, SM after SM; and of their warps, where somebody asks.
  void l2_and_dram(const std::vector<SmRun>& sms, int first_sm, std::uint32_t dealt, std::span<BlockCost> costs,
                   std::vector<Waits>* of_warps = nullptr);
  // Without its latency.
  BlockCost cost_of(const BlockStream& block) const;

  // Writes back what is still dirty. In a sample the sectors at its edges are partly written only because their other
  // writers did not run: they then count by the words written and need no fill.
  void flush(bool sample);
  // A product ends and nothing follows it: sectors that were written in part have been filled, and what is dirty stays
  // in L2, behind the end of all counters, but for what is more than a share of it.
  void end_product();
  // Of the caches, what blocks of a sample have of them: the others of the grid, which do not run, fill the rest.
  struct SampleShare {
    double of_l2 = 1, of_l1 = 1;
  };
  // A new sample: L2 is empty, until the next launch as large as its share of it, and what leaves it partly written
  // counts as flush(true) has it. L1 is empty as well, or, behind other blocks of the same SMs, as the sample before
  // left it: that stands for them.
  void begin_sample(const SampleShare& share, bool behind_others = false);

  // Of a sample, of each array: the share of the sectors that come from DRAM here for the first time, or once more, and
  // that L2 would hold in the whole grid. Empty: none.
  struct ExpectedInL2 {
    std::vector<double> first, again;
  };
  // From now on nobody waits for DRAM for these; counts stay as they are.
  void expect_in_l2(ExpectedInL2 shares) { in_whole_ = std::move(shares); }

  // Counts begin at 0 once more; caches stay as they are.
  void restart_counts();
  // A sample that is over before as many bursts as its wave would have between two times that units are even.
  void end_atomics();

  // Looked at from now on; nullptr: none.
  void watch(LineWatch* lines) { watch_ = lines; }

  const MemoryCounts& counts() const { return counts_; }
  bool has_l2() const { return !l2_.empty(); }

 private:
  struct Sm {
    Sm(double l1_bytes, double texture_bytes) : l1(l1_bytes, l1_ways), texture(texture_bytes, texture_ways) {}
    SectorCache l1, texture;
    // Of lines that are watched: the sectors that had come since the caches were last empty, and who drove the line
    // out.
    struct History {
      std::uint8_t had = 0;
      LineWatch::Evictor by;
    };
    std::unordered_map<std::uint32_t, History> history;
  };

  // Sectors of atomics by unit of L2.
  using UnitsOfL2 = std::array<std::uint64_t, l2_atomic_units>;
  struct AtomicsOfWindow {
    UnitsOfL2 units{};
    double bursts = 0;
    void add(const UnitsOfL2& more, double of_bursts) {
      for (std::size_t u = 0; u < units.size(); ++u) units[u] += more[u];
      bursts += of_bursts;
    }
  };

  struct Cursor;
  void loads(Sm& sm, SmRun& run, Cursor& c) const;
  bool instruction(Sm& sm, SmRun& run, Cursor& c) const;
  SmRun run_sm(Sm& sm, const std::vector<const BlockStream*>& blocks) const;
  // What a warp asks of a line before it waits, by however many loads, is one request to L2: within 4 % of what an H100
  // counted for five kernels on two matrices, where a request for each load came to 59 % more (docs/validation.md); of
  // other GPUs it is assumed.
  static bool joins(SmRun& run, std::uint32_t line);
  void request(Sm& sm, SmRun& run, const Cursor& c, const MemoryRequest& r) const;
  void note_l1(Sm& sm, const Cursor& c, std::uint8_t array, std::uint32_t touch, std::uint32_t missing,
               std::uint32_t valid, const SectorCache::Evicted& gone) const;
  bool ask(int partition, const L2Request& o);
  std::uint32_t load(SectorCache& cache, const L2Request& o, std::uint32_t sectors, std::uint32_t& awaited);
  // Returns the sectors that had to come from DRAM to be added to.
  std::uint32_t store(const L2Request& o);
  void count_swaps(const L2Request& o);
  // What the units had to add since they were even; of a sample, in such a window of its time.
  void end_of_bursts(std::size_t window);
  void count_turns(UnitsOfL2& units);
  // Returns the sectors that the whole grid would wait for too.
  std::uint32_t from_dram(std::uint8_t array, std::uint32_t line, std::uint32_t wanted, std::uint32_t filled);
  void make_l2(double share);
  void make_sms(double share);
  void write_back(const SectorCache::Evicted& e, bool sample);
  void count_written(std::uint32_t line, std::uint64_t bytes);
  void tell(std::uint32_t sectors, Served from) const;
  void note_evicted(const SectorCache::Evicted& gone, const L2Request& by) const;
  int home_of(std::uint32_t line) const;
  int partition_of(int sm, std::uint32_t dealt) const;
  bool first_touch(std::uint32_t line, std::uint32_t sector);

  GpuSpec gpu_;
  bool has_l1_, has_texture_;
  WarpCode code_;
  double l1_bytes_ = 0;                                        // of an SM, in this launch
  bool sampling_ = false;                                      // since begin_sample()
  SampleShare share_;                                          // of the sample
  std::vector<AtomicsOfWindow> windows_;                       // of samples, that are not a wave's yet
  double bursts_of_window_ = 0, bursts_asked_ = 0;             // of a wave until units are even; since then
  int first_sm_ = 0;                                           // of the blocks that asked last
  std::vector<simt::Role> roles_;                              // of the arrays
  std::vector<std::pair<std::uint32_t, std::size_t>> begins_;  // their first lines, in order, and which they are of
  std::unordered_map<std::uint64_t, std::uint32_t> swaps_;     // that got through, of each pair of words
  ExpectedInL2 in_whole_;
  std::uint32_t first_line_ = 0;
  std::vector<std::uint8_t> seen_;  // one nibble of sectors per line of the address space
  std::vector<Sm> sms_;
  std::vector<SectorCache> l2_;  // one per partition; empty when the GPU has none
  MemoryCounts counts_;
  UnitsOfL2 atomics_{};            // since the units were even
  std::uint8_t* told_ = nullptr;   // of the request under way
  const SmRun* asking_ = nullptr;  // whose request it is
  LineWatch* watch_ = nullptr;
};

}  // namespace warpspy
