// Which accesses of one block are ordered, and which race (CUDA C++ Programming Guide, "Synchronization Functions" and
// "Warp Shuffle Functions"): sync_block orders what the threads of a block did before it before what they do after it,
// syncwarp the same for the lanes of a warp. A shuffle or a ballot exchanges words and orders no memory ("do not imply
// a memory barrier"). A thread that has left the kernel has come to every later sync_block of its block.
//
// Lanes run one after another, so time is a count of the barriers passed: two accesses by lanes of one warp are ordered
// when a barrier of their warp or block stands between them, two by lanes of different warps when a block barrier does.
#pragma once

#include <cstdint>

#include "kernels/simt/trace.hpp"

namespace warpspy::simt {

constexpr int max_block_threads = 1024;

// One access: when and by which thread of the block (the epoch of Flanagan & Freund, "FastTrack", PLDI 2009), and on
// which source line. All zero: none.
class Epoch {
 public:
  Epoch() = default;
  Epoch(std::uint64_t when, int thread, std::uint16_t site)
      : word_(when << 26 | static_cast<std::uint64_t>(thread) << 16 | site) {}
  std::uint64_t when() const { return word_ >> 26; }  // 38 bits: hours of nothing but barriers
  int thread() const { return static_cast<int>(word_ >> 16 & (max_block_threads - 1)); }
  int warp() const { return thread() / warp_size; }
  std::uint16_t site() const { return static_cast<std::uint16_t>(word_); }
  explicit operator bool() const { return word_ != 0; }
  bool operator==(const Epoch&) const = default;

 private:
  std::uint64_t word_ = 0;
};

// The time of the block that runs. Never set back, so that what earlier blocks left in a cell is older than `began`.
struct Clock {
  std::uint64_t began = 1;    // this block
  std::uint64_t barrier = 1;  // the last block barrier
  std::uint64_t now = 1;      // the last barrier of any kind, or the last change of warps

  void begin_block() { began = barrier = ++now; }
  void pass_block_barrier() { barrier = ++now; }
  void pass_warp_barrier() { ++now; }
  // True when `before` happens before `after`, which happens now.
  bool orders(Epoch before, Epoch after) const {
    if (before.thread() == after.thread()) return true;
    return before.when() < (before.warp() == after.warp() ? now : barrier);
  }
};

// Accesses that do not race with each other (loads, or atomic additions), as far as a later access of another kind
// could race with them: warps run one after another between two block barriers, so the latest access, the latest by
// another lane of the same warp and the latest of another warp stand for all.
class AccessHistory {
 public:
  void add(Epoch s) {
    if (latest_.thread() != s.thread()) (latest_.warp() == s.warp() ? lane_ : warp_) = latest_;
    latest_ = s;
  }
  // One that races with s; none when s is ordered behind them all.
  Epoch racing(const Clock& clock, Epoch s) const {
    if (latest_.when() < clock.barrier) return {};  // the others are older still
    for (const Epoch other : {latest_, lane_, warp_})
      if (!clock.orders(other, s)) return other;
    return {};
  }
  Epoch latest() const { return latest_; }

 private:
  Epoch latest_, lane_, warp_;
};

// A cell of shared memory.
struct SharedCell {
  Epoch store;
  AccessHistory loads, additions;
};

}  // namespace warpspy::simt
