// Models the memory system of a GPU: each SM has an L1 (and, on some GPUs, a texture cache), and all share an L2 in one
// or two partitions, and DRAM.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/gpu/gpu_spec.hpp"
#include "core/run/sm_axis.hpp"
#include "kernels/product/machine_code.hpp"
#include "kernels/simt/trace.hpp"
#include "profiling/simulated/cache.hpp"
#include "profiling/simulated/coalesce.hpp"

namespace warpspy {

// Sectors of one array that came from DRAM, and requested sectors that L2 did not have. `first` counts the first touch
// of a sector since the caches were last empty, `again` sectors that had been there and were evicted.
struct ArrayMisses {
  std::uint64_t dram_first = 0, dram_again = 0;
  std::uint64_t l2_first = 0, l2_again = 0;
  std::uint64_t across = 0;         // sectors found only in the partition that was not asked
  std::uint64_t written_bytes = 0;  // bytes written to DRAM
};

struct MemoryCounts {
  std::uint64_t l1_lookups = 0, l1_hits = 0;  // sectors of loads that went through a cache of the SM
  // Sectors of loads asked of L2, and those of them found in the partition that the SM asks. Sectors in the other
  // partition are no hits, as an H200 counts.
  std::uint64_t l2_loads = 0, l2_load_hits = 0;
  std::uint64_t texture_lookups = 0, texture_hits = 0;  // the part of these that went through a separate texture cache
  std::uint64_t l2_texture_loads = 0, l2_texture_load_hits = 0;
  std::uint64_t l2_sectors = 0;      // every sector that crossed between the SMs and L2 (or DRAM without L2)
  std::uint64_t l2_requests = 0;     // lines that the SMs ask of L2, without those of texture_lines_of_a_sector
  std::uint64_t atomic_turns = 0;    // the most sectors of atomics that any unit of L2 gets, added up over windows of a
                                     // few bursts
  std::uint64_t atomics_evened = 0;  // sectors of atomics in the windows that have ended
  std::uint64_t atomics = 0;         // sectors of atomics in all
  std::uint64_t swaps_in_a_row = 0;  // successful compare-and-swaps at the element that has most of them (Path::swap)
  std::uint64_t dram_written_bytes = 0;
  std::uint64_t dram_fill_sectors = 0;  // read to complete partly written sectors
  // Sectors of check bits that DRAM reads and writes beside these, with GpuSpec::ecc_in_memory (dram_copy_gbs). A
  // line's come with its first sector, however few follow, and stay with the line in L2.
  std::uint64_t check_reads = 0, check_writes = 0;
  std::vector<ArrayMisses> arrays;

  MemoryCounts& operator+=(const MemoryCounts& o);
  // `o` must be a part of these counts.
  MemoryCounts& operator-=(const MemoryCounts& o);
};

// Tells how often a warp waits for each memory (by the slowest of the loads that it started together, or by the answer
// of an atomic), how many instructions it issues, and how many loops it takes to add to shared memory.
struct Waits {
  std::uint32_t dram = 0, l2 = 0, l1 = 0;
  std::uint32_t instructions = 0;
  std::uint32_t loops = 0;  // of additions to shared memory
  Waits times(double factor) const;
  bool operator==(const Waits&) const = default;
};

// The cost of one block: the waits of its longest warp, its sectors between SM and L1, and the lines that its requests
// touched in L1. Without an L1 the sectors are those that the texture units fetch, and there are no lines.
struct BlockCost {
  Waits waits;
  std::uint64_t steps = 0;  // steps of its warps: memory, shared memory, shuffles
  std::uint64_t warps = 0;  // warps that do anything
  std::uint64_t sectors = 0, lines = 0;
  std::uint64_t addition_rounds = 0;  // in which the banks of shared memory serve atomics
  double times = 1;                   // in a sample: for how many blocks of the grid this block stands
};

// A warp starts loads together, and waits before the first load that needs the result of another. A load of x needs its
// index. A load of the matrix needs to know where its row begins, or that there is an entry. A load of y waits for the
// sum that is added to it. Since a warp issues in order, an index that comes after a load of x waits too. So does a
// load after a store of a loaded value, or after a barrier of the block. The compiler unrolls loops into rounds: a warp
// starts a round when the slowest load of the one before is there. In a round at most loads_in_flight loads are of one
// array: the smaller of what the launch and the GPU (GpuSpec) have.
//
// On a busy GPU such a wait differs from the latencies that a microbenchmark measures: it takes them times `dram` or
// `cache`. A warp issues in order, and most instructions need the previous result, so each takes
// `clocks_of_instruction`. That includes shared memory, exchanges between lanes, and atomics without an answer.
struct UnderLoad {
  double dram, cache, clocks_of_instruction;
  // Whether rounds of a loop wait for each other, and whether a load of an entry waits for the number that says if it
  // exists, as in code of nvcc 13.0.
  bool as_compiled;
};
// Fitted on an H200 (docs/validation.md).
constexpr UnderLoad since_volta{1.25, 0.75, 6, true};
// For these GPUs the compiled loops were not examined. The numbers were chosen so that the papers' kernels keep their
// order (PaperOrderings of test_profiling); Fermi's arithmetic takes 18 clocks.
constexpr UnderLoad before_volta{1.6, 1.1, 9, false};
constexpr const UnderLoad& under_load(int compute_capability) {
  return compute_capability >= 70 ? since_volta : before_volta;
}
// How many clocks a warp takes for a loop that adds to shared memory (banks.hpp): a load, a sum, a compare-and-swap and
// a branch, each of which waits for the one before. One warp on an H200 took 92 clocks in f32 and 112 in f64, and as
// many more for each conflict of banks (docs/validation.md).
constexpr double clocks_of_addition_loop = 100;
// The most sectors that an SM has in flight from L2. They arrive in order, and the oldest warp whose data is complete
// continues. So if warps request much, young warps wait, and few rows are in progress at a time. The number was chosen
// with the products named in docs/validation.md.
constexpr std::int64_t sectors_in_flight = 1250;
// SMs share L2 evenly: each gets this many sectors, then it is the next SM's turn.
constexpr std::int64_t sectors_per_burst = 64;
// Returns the time of all these waits, in ns.
double waited_ns(const Waits& waits, const GpuSpec& gpu);
// Tells how many lines a set has. L1: found by products that read rows far apart in memory (docs/validation.md). L2: an
// estimate. Texture cache of GT200: H. Wong et al., Demystifying GPU Microarchitecture through Microbenchmarking,
// ISPASS 2010.
constexpr std::uint32_t l1_ways = 4, l2_ways = 16, texture_ways = 20;
// Before Maxwell a texture cache has lines of 32 bytes (GT200: Wong et al.; Fermi, Kepler: X. Mei and X. Chu,
// Dissecting GPU Memory Hierarchy through Microbenchmarking, IEEE TPDS 28(1), 2017, arXiv:1509.02308), and asks L2 for
// one at a time. So neither more of a Fermi's 128-byte lines comes, nor does the limit for lines of loads apply: the
// tags of this cache are fast enough for any pattern (NVIDIA Kepler GK110 whitepaper, 48 KB read-only data cache).
constexpr bool texture_lines_of_a_sector(int compute_capability) { return compute_capability < 50; }
// The share of L2 that holds data, and how often it evicts another line than the oldest of a set. Both fit what an H200
// keeps of 28 to 56 MiB that are read again and again, by one wave and by many (docs/validation.md).
constexpr double l2_for_data = 29.0 / 30;
// The largest share of L2 that is dirty when a kernel ends. An H200 wrote sectors over four times the size of L2; at
// the kernel's end 29.7 of each sector's 32 bytes had reached DRAM (docs/validation.md).
constexpr double l2_dirty = 4 * (32 - 29.7) / 32;
constexpr std::uint32_t l2_random_victim_one_in = 10;
// Tells how many units of L2 add for atomics (each has its own lines), and after how many bursts of all SMs the busiest
// one is found anew. Both are estimates.
constexpr std::uint32_t l2_atomic_units = 96;
constexpr std::size_t bursts_of_atomics = 4;
// Neighbouring SMs that ask the same partition of L2, as those of a GPC: on an H200 all 16 blocks of a dense matrix of
// 2000 rows, in ELL and DIA, found in the other partition just the lines that are at home there.
constexpr std::uint32_t sms_of_a_partition = 16;

// A request from an SM to L2: sectors to load, or words to store.
struct L2Request {
  std::uint32_t line = 0;
  std::uint32_t bits = 0;  // loads: sectors; stores and atomics: words
  std::uint16_t warp = 0;
  std::uint8_t array = 0;
  Path path = Path::l2;
  bool end = false;  // the last of the loads that were started together: the warp waits after it
  SectorCache::Evict evict = SectorCache::Evict::normal;  // when L2 evicts the line
  bool joined = false;  // the warp already asks for other sectors of this line, so L2 gets one request for both
};

// The loads that a warp started before it waited, and what it waited for.
struct LoadGroup {
  std::uint16_t warp = 0;  // of the SM
  std::uint32_t requests = 0;
  std::int64_t end = -1;  // index in SmRun::out of its last request; -1: L1 answered, or there was nothing to wait for
  SmWait wait = SmWait::none;
};

// The requests of an SM's warps, in order, while it runs an observed block.
struct SmLog {
  std::vector<LoadGroup> groups;
  std::vector<std::uint32_t> warps;  // of each block
  std::vector<std::int64_t> blocks;  // their numbers
  std::vector<std::uint32_t> inner;  // for each warp, its steps without memory accesses
  std::size_t untold = 0;            // how many further groups were left out
};
constexpr std::size_t most_load_groups = most_sm_spans;

// Lines for which it is noted which request evicted them from L1 and L2, and the observed SM.
struct LineWatch {
  struct Evictor {
    std::uint8_t array = 0;
    std::int16_t warp = -1;  // of its block
    std::int64_t block = -1;
  };
  // The sectors of a touch that L1 did not have.
  struct MissOfL1 {
    std::uint8_t first = 0, again = 0;  // sectors
    Evictor by;                         // which request evicted sectors that had been loaded before
  };
  std::unordered_map<std::uint32_t, Evictor> lines;            // the last evictor of each line; without a block: none
  std::unordered_map<const std::uint8_t*, Evictor> why_again;  // by place in BlockStream::served, for touches that
                                                               // missed L2 again
  std::unordered_map<const std::uint8_t*, MissOfL1> why_l1;    // the same, for touches that missed L1
  SmLog sm;
};

// Blocks that ran together on an SM, with their requests to L2.
struct SmRun {
  std::vector<L2Request> out;
  std::vector<std::size_t> burst_end;  // into out
  std::vector<Waits> waits;            // per warp; so far only for loads that L1 answered
  bool tells = false;                  // an observer wants to know where a block's sectors came from
  std::vector<std::uint8_t*> told;     // of each request of out, then: its place in BlockStream::served, or nullptr
  std::vector<std::uint32_t> warps;    // of each block
  std::vector<std::int64_t> blocks;    // their numbers
  SmLog log;                           // kept if a block is observed
  std::uint64_t lookups = 0, hits = 0, texture_lookups = 0, texture_hits = 0;
  std::int64_t asked = 0, evict_first = 0;  // sectors of loads in `out`; the part that L2 need not keep
  // Lines of which sectors were asked for last, and the first request for them, of out (MemorySystem::joins).
  struct AskedLine {
    std::uint32_t line = ~0u, request = 0;
  };
  std::array<AskedLine, 256> lines_asked{};
  std::uint32_t together = 0;  // index in out of the first of the loads that are in flight together
  std::size_t bytes() const { return out.capacity() * sizeof(L2Request); }
};

// Numbers of a launch's compiled code that decide when a warp waits (see LaunchShape).
struct WarpCode {
  int loads_in_flight = 4, matrix_in_flight = 4;  // for one array; for one array without indices
  IssuedByWarp issued = {.once = 0, .each_step = 0};
};

// Whether blocks all over the grid touch the same elements of an array: what one of them brought to L2, others find.
constexpr bool shared_by_sms(simt::Role role) { return role == simt::Role::x || role == simt::Role::y; }

class MemorySystem {
 public:
  MemorySystem(const GpuSpec& gpu, const std::vector<simt::ArrayInfo>& arrays);

  // Begins a launch: the caches of the SMs are empty, L2 is as the previous launch left it, and counts are 0. An SM
  // holds `resident` blocks with `shared_bytes` each; from Volta on that memory is taken from L1.
  void begin_launch(int resident, int shared_bytes, const WarpCode& code = {});

  // Runs the blocks of each SM together through the SM's caches; first_sm is the SM of sms[0]. Returns their requests
  // to L2.
  std::vector<SmRun> private_caches(std::span<const std::vector<const BlockStream*>> sms, int first_sm);
  // Sends these requests through L2 and DRAM, for all SMs in turn. `dealt`: 0 if a block always runs on the same SM.
  // Else the blocks ran on any free SM, and the number decides which partition each of them asks this time. Reports the
  // latencies of the blocks, SM after SM, and those of their warps to an observer.
  void l2_and_dram(const std::vector<SmRun>& sms, int first_sm, std::uint32_t dealt, std::span<BlockCost> costs,
                   std::vector<Waits>* of_warps = nullptr);
  // The cost of a block without its waits.
  BlockCost cost_of(const BlockStream& block) const;

  // Writes dirty data back. In a sample, sectors at its edges are partly written only because other blocks did not run.
  // They then count by their written words, and the rest is not read.
  void flush(bool sample);
  // Ends a product that nothing follows. Partly written sectors have been completed. Dirty data stays in L2, where no
  // counter sees it, except beyond the share l2_dirty.
  void end_product();
  // The share of the caches that the blocks of a sample get. The other blocks, which do not run, would fill the rest.
  struct SampleShare {
    double of_l2 = 1, of_l1 = 1;
  };
  // Begins a sample. L2 is empty, has only the sample's share until the next launch, and partly written sectors count
  // as in flush(true). L1 is empty too; if the sample follows other blocks of the same SMs, it keeps what the previous
  // sample left, which stands for theirs.
  void begin_sample(const SampleShare& share, bool behind_others = false);

  // For each array of a sample: the share of its sectors from DRAM (at first touch, or again) that L2 would have in the
  // whole grid. Empty: none.
  struct ExpectedInL2 {
    std::vector<double> first, again;
  };
  // From now on warps do not wait for DRAM for this share; counts do not change.
  void expect_in_l2(ExpectedInL2 shares) { in_whole_ = std::move(shares); }

  // Sets counts to 0; caches do not change.
  void restart_counts();
  // Ends a sample's window that is shorter than those of a wave.
  void end_atomics();

  // Watches these lines from now on; nullptr: none.
  void watch(LineWatch* lines) { watch_ = lines; }

  const MemoryCounts& counts() const { return counts_; }
  bool has_l2() const { return !l2_.empty(); }

 private:
  struct Sm {
    Sm(double l1_bytes, double texture_lines) : l1(l1_bytes, l1_ways), texture(128 * texture_lines, texture_ways) {}
    SectorCache l1, texture;
    // For watched lines: the sectors that had been loaded since the caches were last empty, and which request evicted
    // the line.
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
  // All loads of a line that a warp makes before it waits are one request to L2. For five kernels on two matrices that
  // is within 4 % of an H100's counter; with a request per load it was up to 59 % more (docs/validation.md). For other
  // GPUs it is assumed.
  static bool joins(SmRun& run, std::uint32_t line);
  void request(Sm& sm, SmRun& run, const Cursor& c, const MemoryRequest& r) const;
  // Looks up the sectors of a touch in the SM's L1 or texture cache. Returns those to ask L2 for.
  std::uint32_t in_sm(Sm& sm, SmRun& run, const Cursor& c, const MemoryRequest& r, std::uint32_t touch) const;
  // Reads these sectors through lines of a sector. Returns those that were not there.
  std::uint32_t in_small_lines(Sm& sm, const Cursor& c, std::uint8_t array, std::uint32_t line,
                               std::uint32_t sectors) const;
  void note_gone(Sm& sm, const Cursor& c, std::uint8_t array, std::uint32_t line) const;
  void note_l1(Sm& sm, const Cursor& c, std::uint32_t touch, std::uint32_t missing, std::uint32_t valid) const;
  bool ask(int partition, const L2Request& o);
  std::uint32_t load(SectorCache& cache, const L2Request& o, std::uint32_t sectors, std::uint32_t& awaited);
  // Returns the sectors that an addition had to load from DRAM.
  std::uint32_t store(const L2Request& o);
  void count_swaps(const L2Request& o);
  // Ends a window of bursts: counts the additions of the busiest unit of L2 in it. It is called for each window of a
  // sample.
  void end_of_bursts(std::size_t window);
  void count_turns(UnitsOfL2& units);
  // Counts the sectors that come from DRAM. Returns those that also a run of the whole grid would wait for.
  // `have`: what L2 has of the line.
  std::uint32_t from_dram(std::uint8_t array, std::uint32_t line, std::uint32_t wanted, std::uint32_t filled,
                          std::uint32_t have);
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
  bool has_l1_, has_texture_, small_lines_;  // small_lines_: texture_lines_of_a_sector
  WarpCode code_;
  double l1_bytes_ = 0;                                        // bytes of an SM's L1 in this launch
  bool sampling_ = false;                                      // since begin_sample()
  SampleShare share_;                                          // of the sample
  std::vector<AtomicsOfWindow> windows_;                       // windows of a sample that are not yet added up
  double bursts_of_window_ = 0, bursts_asked_ = 0;             // bursts in a window, and bursts since it began
  int first_sm_ = 0;                                           // the SM of the blocks that made the last requests
  std::vector<simt::Role> roles_;                              // of the arrays
  std::vector<std::pair<std::uint32_t, std::size_t>> begins_;  // their first lines, in order, and which they are of
  std::unordered_map<std::uint64_t, std::uint32_t> swaps_;     // successful compare-and-swaps for each pair of words
  ExpectedInL2 in_whole_;
  std::uint32_t first_line_ = 0;
  std::vector<std::uint8_t> seen_;  // one nibble of sectors per line of the address space
  std::vector<Sm> sms_;
  std::vector<SectorCache> l2_;  // one per partition; empty when the GPU has none
  MemoryCounts counts_;
  UnitsOfL2 atomics_{};            // sectors of atomics since the current window began
  std::uint8_t* told_ = nullptr;   // where the origin of the current request's sectors is written
  const SmRun* asking_ = nullptr;  // the SM whose request it is
  LineWatch* watch_ = nullptr;
};

}  // namespace warpspy
