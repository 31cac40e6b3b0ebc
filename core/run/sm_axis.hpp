// The warps that share an SM, on an axis of time. It shows when each warp issues instructions, when it waits, and for
// what. All of it is modelled.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpspy {

// Tells what a warp waits for after it has issued instructions: nothing, the slowest of its loads (from L1, L2 or
// DRAM), or an exchange of values between its lanes.
enum class SmWait : std::uint8_t { none, l1, l2, dram, exchange };
constexpr int sm_waits = 5;
const char* name_of(SmWait wait);

// Instructions that a warp issues in a row, and the wait after them.
struct SmSpan {
  float begin_ns = 0;   // until then the warp is ready, but other warps issue
  float issued_ns = 0;  // the end of issuing; afterwards the warp waits
  float end_ns = 0;
  std::uint32_t requests = 0;  // to memory
  SmWait wait = SmWait::none;
};

struct SmWarp {
  std::int64_t block = 0;
  int warp = 0;  // of the block
  std::vector<SmSpan> spans;
};

// Tells how the SM spends its time. At each moment a scheduler issues, or none of its warps is ready, or all its warps
// have ended.
struct SmAxis {
  std::vector<SmWarp> warps;  // warps of the blocks that are on the SM together
  int watched = -1;           // index into `warps` of the warp that the trace shows
  double end_ns = 0;          // when the last load of these warps has arrived
  double issuing = 0;         // share of the time in which some warp issues
  double hidden = 0;          // share of the watched warp's waits during which another warp issues
  int schedulers = 1;         // how many warps can issue at the same time
  bool cut = false;           // only the first spans are stored
  bool empty() const { return warps.empty(); }
  std::size_t bytes() const;
};
// An axis stores at most this many spans, which take about 4 MB.
constexpr std::size_t most_sm_spans = std::size_t{1} << 18;

// Holds what the warps do at one moment: how many issue, how many are ready, how many have ended, and how many wait for
// each SmWait.
struct SmMoment {
  int issuing = 0, ready = 0, done = 0;
  std::array<int, sm_waits> waiting{};
};
SmMoment moment_of(const SmAxis& axis, double ns);

// Returns when the watched warp has issued its `request`-th memory request, counted from 0. It is the beginning of the
// span with that request, or -1 if no stored span has it.
double time_of_request(const SmAxis& axis, std::uint64_t request);

}  // namespace warpspy
