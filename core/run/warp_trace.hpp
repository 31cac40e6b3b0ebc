// The steps of one warp, as the emulator recorded them. The other warps of the run used the model's caches at the same
// time. Every number here is modelled.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/types.hpp"
#include "core/run/record.hpp"
#include "core/run/sm_axis.hpp"

namespace warpspy {

// exchange: lanes hand values to each other (shuffles); vote: a ballot; shared_*: accesses to shared memory.
enum class WarpOp : std::uint8_t {
  load,
  store,
  atomic,
  exchange,
  vote,
  warp_barrier,
  block_barrier,
  shared_load,
  shared_store,
  shared_atomic
};
const char* name_of(WarpOp op);
constexpr bool touches_memory(WarpOp op) { return op <= WarpOp::atomic; }
constexpr bool touches_shared(WarpOp op) { return op >= WarpOp::shared_load; }

// Tells what a lane does in a step. Why a lane is idle follows from its accesses before and after the step.
enum class LaneState : std::uint8_t {
  active,
  no_thread,  // the lane has no thread in this block
  no_work,    // accesses no memory in the whole kernel: it has no row
  ended,      // no entry is left of its row, or of its share of entries
  later,      // continues its row later: on another source line, or in the rest after the unrolled rounds
  padding,    // the slot that it reads holds padding
  branch,     // took another branch
  left,       // has finished the kernel
  unknown
};
constexpr int lane_states = 9;
const char* name_of(LaneState state);
// Explains the state in one sentence, for people.
const char* meaning_of(LaneState state);

// Tells where a sector of a request was found, or went to.
enum class SectorSource : std::uint8_t { l1, l2, dram_first, dram_again, written };
constexpr int sector_sources = 5;
const char* name_of(SectorSource from);
const char* meaning_of(SectorSource from);

// Tells which memory request last evicted a line from a cache. `block` is the number of its thread block in the launch,
// `warp` the warp in that block. -1: not known.
struct LineEvictor {
  std::int16_t array = -1, warp = -1;
  std::int64_t block = -1;
  bool known() const { return array >= 0; }
};

// A 128-byte line that a request touches.
struct WarpLine {
  std::uint64_t line = 0;    // address / 128
  std::uint32_t words = 0;   // bit w: the request asks for the 4-byte word w
  std::uint8_t sectors = 0;  // bit s: the request asks for the 32-byte sector s
  // Sectors that L1 lacked. l1_first: no warp of the SM had asked for them in this launch. l1_again: they had been in
  // L1 and were evicted.
  std::uint8_t l1_first = 0, l1_again = 0;
  std::array<SectorSource, 4> from{};            // where each of these sectors came from
  LineEvictor l1_evictor = {}, l2_evictor = {};  // set for L1 if l1_again, for L2 if a sector came from DRAM again
};

// The access of an active lane.
struct LaneAccess {
  index_t element = 0;            // index in the array; the first of several elements
  index_t row = -1, column = -1;  // the entry, row or column of the matrix to which the element belongs; -1: none
  double value = 0;               // of the entry
  bool entry = false, padding = false;
};

struct WarpStep {
  WarpOp op = WarpOp::load;
  std::uint16_t site = 0;     // into WarpTrace::sites
  std::int16_t array = -1;    // into WarpTrace::arrays; -1: no memory
  std::int16_t shared = -1;   // into WarpTrace::shared_arrays; -1: no shared memory
  std::uint8_t bytes = 0;     // per lane
  std::uint8_t requests = 0;  // 2 if half-warps make separate requests
  std::uint16_t times = 1;    // number of instructions; 0: the counters do not count it (a block barrier, an access to
                              // shared memory)
  std::uint8_t wavefronts = 0,
               ideal_wavefronts = 0;  // rounds in which shared memory answers: as it is, and if lanes used neighbouring
                                      // words
  std::uint32_t active = 0;           // lane mask
  std::uint32_t used_bytes = 0;       // bytes that its lanes ask for, each byte once
  std::uint32_t first_access = 0;     // into WarpTrace::accesses; one per active lane
  std::uint32_t first_line = 0, lines = 0;  // into WarpTrace::lines
  std::array<LaneState, 32> lanes{};
};

// Memory traffic summed over steps: of one array, of one source line, or of the whole warp.
struct WarpTraffic {
  std::string name;
  std::uint64_t requests = 0, sectors = 0;
  std::uint64_t least_sectors = 0;  // sectors that would be enough if the used bytes lay side by side
  std::uint64_t bytes = 0;          // bytes that lanes requested, as in Traffic::bytes_used
  std::uint64_t lanes = 0;          // lanes that took part in these requests
  std::array<std::uint64_t, sector_sources> from{};
  WarpTraffic& operator+=(const WarpTraffic& o);
};

// Tells how many lanes were in which state, summed over instructions. Each instruction adds 32 lanes, so the sum is 32
// x instructions.
struct LaneLedger {
  std::array<std::uint64_t, lane_states> lanes{};
  std::uint64_t instructions = 0;
  std::uint64_t active() const { return lanes[0]; }
  std::uint64_t idle() const { return 32 * instructions - active(); }
  LaneLedger& operator+=(const LaneLedger& o);
};

// Tells which warp it is: the number of its launch, of its block in the launch, and of the warp in the block. All count
// from 0.
struct WarpPlace {
  int launch = 0;
  std::int64_t block = 0;
  int warp = 0;
  auto operator<=>(const WarpPlace&) const = default;
};

enum class WarpMeasure : std::uint8_t { sectors, idle, time };
const char* name_of(WarpMeasure m);  // an id: "sectors"
// Throws Error listing the ids.
WarpMeasure warp_measure(const std::string& id);

// Tells which warp the caller asks for, and how it shall run.
struct WarpWanted {
  enum class By : std::uint8_t { row, entry, place, worst, median } by = By::row;
  index_t row = 0, column = 0;                 // row; entry
  WarpPlace place = {};                        // place
  WarpMeasure measure = WarpMeasure::sectors;  // worst, median: of the warps that ran
  bool alone = false;                          // the warp runs without the other blocks, in empty caches
  int first = 0;  // sentences count rows and columns from this number: 0, or 1 as in the pattern
  bool operator==(const WarpWanted&) const = default;
};

struct WarpTrace {
  struct Site {
    std::string file;
    int line = 0;
    std::string text;  // of the line, without its indentation; empty where the source is not known
    std::string name() const { return file + ":" + std::to_string(line); }
  };
  std::string kernel, kernel_label, format, gpu;
  index_t rows = 0, cols = 0;  // of the matrix
  int first = 0;               // as WarpWanted::first
  WarpPlace place;
  int launches = 1, warps_of_block = 1;
  std::int64_t blocks = 0;  // of the launch
  std::string why;          // why this warp was chosen: "reads entry (3, 7)"
  bool warm = false;        // whether L2 had at the start what the previous product left
  double share = 1;         // share of the run's blocks that used the caches
  bool alone = false;       // the warp used the caches alone, and they were empty at the start
  std::vector<std::string> notes;

  // Tells where an array lies in the modelled address space.
  struct Array {
    std::uint64_t base = 0, element_bytes = 4;
  };

  std::vector<Site> sites;
  std::vector<Array> array_places;         // as `arrays`
  std::vector<WarpTraffic> arrays, lines;  // traffic of the whole warp; lines by site
  std::vector<std::string> shared_arrays;
  LaneLedger ledger;                  // lane states of the whole warp
  double waited_ns = 0;               // time that the warp waits for loads, exchanges and atomics, by the model
  std::uint64_t shared_accesses = 0;  // accesses to shared memory by the lane that has most
  SmAxis axis;                        // what the other warps of its SM do at the same time

  std::vector<WarpStep> steps;  // only the first ones, if there are too many
  std::uint64_t steps_in_all = 0;
  std::vector<LaneAccess> accesses;
  std::vector<WarpLine> requested;

  bool cut() const { return steps.size() < steps_in_all; }
  std::size_t bytes() const;
};
// At most this many steps of a warp are stored, which take about 50 MB.
constexpr std::size_t most_warp_steps = std::size_t{1} << 14;

// The memory traffic of one step; its `name` is empty.
WarpTraffic traffic_of(const WarpTrace& trace, const WarpStep& step);
LaneLedger ledger_of(const WarpStep& step);
// Tells where the data of a lane's access lie. `line` is an index into the step's lines, `word` the 4-byte word of that
// line where the data begin. `from` is the slowest memory from which one of their sectors came.
struct LaneSource {
  std::uint32_t line = 0;
  int word = 0;
  SectorSource from = SectorSource::l1;
};
LaneSource source_of(const WarpTrace& trace, const WarpStep& step, const LaneAccess& access);
// Describes the bank conflicts of a step on shared memory: "no bank conflict", "8-way bank conflict: 8 turns". A turn
// is a round in which each bank answers once.
std::string bank_text(const WarpStep& step);
// Returns why sectors of a line were not found, in words: "L1: first touch", "L1: driven out by x of block 3, warp 1".
std::vector<std::string> reasons_of(const WarpTrace& trace, const WarpLine& line);

// The rows of the matrix, from the first to the one past the last, whose entries a step reads; an empty range if it
// reads none.
std::pair<index_t, index_t> rows_of(const WarpTrace& trace, const WarpStep& step);
// The warp's traffic by source line, in the form of a run's traffic.
std::vector<Traffic> traffic_by_line(const WarpTrace& trace);

// Sums over the first `steps` steps.
struct WarpSums {
  WarpTraffic traffic;
  LaneLedger ledger;
};
WarpSums sums_until(const WarpTrace& trace, std::size_t steps);
// As sums_until(), but fast for the window, which asks after every step. It keeps intermediate sums, and so does not
// start from the first step each time.
class RunningSums {
 public:
  explicit RunningSums(const WarpTrace& trace);
  WarpSums until(const WarpTrace& trace, std::size_t steps) const;

 private:
  std::vector<WarpSums> sums_;  // sums over the first 0, 64, 128, ... steps
};

// Tells how far one press of a key steps.
enum class WarpStride : std::uint8_t { access, line, iteration, barrier };
// Returns the step that a stride reaches from `step`, forward or back. access: the next step. line: the next step on
// another source line. iteration: the next step of the same source line and array. barrier: the next barrier. If no
// step fits, it is the first or the last one.
std::size_t stride(const WarpTrace& trace, std::size_t step, WarpStride by, bool forward);

// Returns the JSON object of `warpspy warp --json`: the facts about the warp and its steps. With `only` >= 0 it has
// only the step with that number.
std::string to_json(const WarpTrace& trace, std::int64_t only = -1);

}  // namespace warpspy
