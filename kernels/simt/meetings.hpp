// Where the lanes of a warp met: exchanges, votes, barriers. A trace counts them; who wants each of them keeps a log
// while a block runs.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/simt/trace.hpp"

namespace warpspy::simt {

enum class MeetingKind : std::uint8_t { exchange, vote, warp_barrier, block_barrier };

struct Meeting {
  MeetingKind kind = MeetingKind::exchange;
  std::uint16_t steps = 1;     // instructions of the warp that it stands for; 0: a block barrier, which is not counted
  Site site = {};              // where it stands
  std::uint32_t lanes = 0;     // who came
  std::uint32_t accesses = 0;  // of the warp's memory instructions, those before it
};

// While it lives, the blocks that this host thread emulates tell their meetings here. One at a time per thread.
class MeetingLog {
 public:
  MeetingLog();
  ~MeetingLog();
  MeetingLog(const MeetingLog&) = delete;
  MeetingLog& operator=(const MeetingLog&) = delete;
  // Of this host thread; nullptr when nobody asks.
  static MeetingLog* current();

  std::vector<std::vector<Meeting>> warps;  // of the block that ran last, in order
};

}  // namespace warpspy::simt
