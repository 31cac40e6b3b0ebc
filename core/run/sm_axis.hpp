// The warps that share an SM, on an axis of time: who issues, who waits and for what. Plain data; all of it is
// modelled.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpspy {

// What a warp waits for when it has issued: nothing (the next span follows), the slowest of its loads, or its lanes.
enum class SmWait : std::uint8_t { none, l1, l2, dram, exchange };
constexpr int sm_waits = 5;
const char* name_of(SmWait wait);

// Instructions that a warp issues in a row, and its waiting behind them.
struct SmSpan {
  float begin_ns = 0;   // until then it is ready, and others issue
  float issued_ns = 0;  // from then on it waits
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
  std::vector<SmWarp> warps;  // of the blocks that are on the SM together
  int watched = -1;           // into warps: the one that the trace is of
  double end_ns = 0;          // when the last of them is done
  double issuing = 0;         // share of the time in which some warp issues
  double hidden = 0;          // share of the watched warp's waiting in which another one issues
  int schedulers = 1;         // that issue side by side
  bool cut = false;           // only the first spans are told
  bool empty() const { return warps.empty(); }
  std::size_t bytes() const;
};
// An axis tells no more spans than these: some 4 MB.
constexpr std::size_t most_sm_spans = std::size_t{1} << 18;

// What the warps do at a time: how many issue, are ready, and wait, by SmWait.
struct SmMoment {
  int issuing = 0, ready = 0, done = 0;
  std::array<int, sm_waits> waiting{};
};
SmMoment moment_of(const SmAxis& axis, double ns);

// When the watched warp has issued its `request`-th request, counted from 0: the beginning of the span that has it; -1
// where it is not told.
double time_of_request(const SmAxis& axis, std::uint64_t request);

}  // namespace warpspy
