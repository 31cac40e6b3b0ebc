// The warps that share an SM, on an axis of time: which warps issue, which wait, and for what. All of it is modelled.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpspy {

// What a warp waits for after it has issued: nothing (the next span follows), the slowest of its loads, or its lanes.
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

// How the SM spends its time: a scheduler issues, it has no warp that is ready, or no warp is left.
struct SmAxis {
  std::vector<SmWarp> warps;  // warps of the blocks that are on the SM together
  int watched = -1;           // index into `warps` of the warp that the trace shows
  double end_ns = 0;          // when the last of these loads has arrived
  double issuing = 0;         // share of the time in which some warp issues
  double hidden = 0;          // share of the watched warp's waits during which another warp issues
  int schedulers = 1;         // how many warps can issue at the same time
  bool cut = false;           // only the first spans are stored
  bool empty() const { return warps.empty(); }
  std::size_t bytes() const;
};
// An axis stores at most so many spans: some 4 MB.
constexpr std::size_t most_sm_spans = std::size_t{1} << 18;

// What the warps do at one moment: how many issue, how many are ready, and how many wait, by SmWait.
struct SmMoment {
  int issuing = 0, ready = 0, done = 0;
  std::array<int, sm_waits> waiting{};
};
SmMoment moment_of(const SmAxis& axis, double ns);

// When the watched warp has issued its `request`-th request, counted from 0: the beginning of the span that has that
// request; -1 if no stored span has it.
double time_of_request(const SmAxis& axis, std::uint64_t request);

}  // namespace warpspy
