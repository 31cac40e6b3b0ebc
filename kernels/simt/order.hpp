// Tells which accesses of a block are ordered, and which race (CUDA C++ Programming Guide, "Synchronization Functions"
// and "Warp Shuffle Functions"). sync_block orders what the threads of a block did before it and what they do after it;
// syncwarp does the same for the lanes of a warp. A shuffle or a ballot exchanges words but orders no memory ("do not
// imply a memory barrier"). A thread that has left the kernel counts as arrived at every later sync_block of its block.
//
// Lanes run one after another, so the time is the number of barriers so far. Two accesses by lanes of one warp are
// ordered if a barrier of their warp or block is between them. For lanes of different warps it must be a block barrier.
#pragma once

#include <cstdint>

#include "kernels/simt/trace.hpp"

namespace warpspy::simt {

constexpr int max_block_threads = 1024;

// One access: its time and thread (the epoch of Flanagan & Freund, "FastTrack", PLDI 2009), and its source line. A word
// of 0 is no access.
class Epoch {
 public:
  Epoch() = default;
  Epoch(std::uint64_t when, int thread, std::uint16_t site)
      : word_(when << 26 | static_cast<std::uint64_t>(thread) << 16 | site) {}
  std::uint64_t when() const { return word_ >> 26; }  // 38 bits are enough for hours of barriers
  int thread() const { return static_cast<int>(word_ >> 16 & (max_block_threads - 1)); }
  int warp() const { return thread() / warp_size; }
  std::uint16_t site() const { return static_cast<std::uint16_t>(word_); }
  explicit operator bool() const { return word_ != 0; }
  bool operator==(const Epoch&) const = default;

 private:
  std::uint64_t word_ = 0;
};

// The time of the block that runs. It only increases, so accesses of earlier blocks are always before `began`.
struct Clock {
  std::uint64_t began = 1;    // when this block began
  std::uint64_t barrier = 1;  // when the last block barrier was passed
  std::uint64_t now = 1;      // time of the last barrier of any kind, or of the last change to another warp

  void begin_block() { began = barrier = ++now; }
  void pass_block_barrier() { barrier = ++now; }
  void pass_warp_barrier() { ++now; }
  // Whether `before` happens before `after`, which happens now.
  bool orders(Epoch before, Epoch after) const {
    if (before.thread() == after.thread()) return true;
    return before.when() < (before.warp() == after.warp() ? now : barrier);
  }
};

// Accesses that do not race with each other: only loads, or only atomic additions. A later access of another kind may
// race with one of them. Between two block barriers warps run one after another. So three accesses are enough: the
// latest, the latest by another lane of the same warp, and the latest of another warp.
class AccessHistory {
 public:
  void add(Epoch s) {
    if (latest_.thread() != s.thread()) (latest_.warp() == s.warp() ? lane_ : warp_) = latest_;
    latest_ = s;
  }
  // Returns an access that races with s, or none if s is ordered after all of them.
  Epoch racing(const Clock& clock, Epoch s) const {
    if (latest_.when() < clock.barrier) return {};  // all others are even earlier
    for (const Epoch other : {latest_, lane_, warp_})
      if (!clock.orders(other, s)) return other;
    return {};
  }
  Epoch latest() const { return latest_; }

 private:
  Epoch latest_, lane_, warp_;
};

// The history of one element of shared memory.
struct SharedCell {
  Epoch store;
  AccessHistory loads, additions;
};

}  // namespace warpspy::simt
