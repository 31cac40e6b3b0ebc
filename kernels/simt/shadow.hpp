// The shadow of memory remembers which thread touched which element, for checks that need more than an index.
//
// Shared memory: every cell remembers its store and its loads (order.hpp). A race is an Error, and so is a load of an
// element that no thread of the block has stored. Global memory, arrays that a kernel may write: within a block the
// same, in a table of the elements that the block touched. Blocks of a launch are never ordered. So when a block ends,
// each element that it touched goes into a word per element that all blocks of the launch share: two blocks may both
// only load it, or both only add to it by atomics. Whichever block comes second finds the other, so a race is found in
// any order of blocks on any number of threads.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels/simt/order.hpp"
#include "kernels/simt/sites.hpp"
#include "kernels/simt/trace.hpp"

namespace warpspy::simt {

struct Launch;

// What the blocks of one launch did to the elements of its writable arrays: one word for each element; the system
// provides the memory when a word is first touched. Several host threads may use it.
class TouchedElements {
 public:
  using Word = std::atomic<std::uint64_t>;

  // Call this when a block of the launch begins. The first block of a launch clears what other launches did.
  void begin(int launch);
  // As many words as the array has elements.
  Word* of(std::uint16_t array, std::int64_t size);

 private:
  struct Free {
    void operator()(Word* words) const;
  };
  std::mutex mutex_;
  int launch_ = 0;
  std::vector<std::unique_ptr<Word, Free>> arrays_;
};

// A thread's access to `count` elements from `index` on.
struct GlobalAccess {
  std::uint16_t array;
  std::int64_t index, size;  // size of the array
  int count;
  Op op;
};

// The elements that one block touched.
class TouchedByBlock {
 public:
  struct Cell {
    std::uint64_t key = 0;
    std::uint32_t slot = 0;
    bool loaded = false, stored = false, added = false;
    Epoch store;
    AccessHistory loads, additions;

    std::uint16_t array() const { return static_cast<std::uint16_t>(key >> 48); }
    std::int64_t index() const { return static_cast<std::int64_t>(key & ((std::uint64_t{1} << 48) - 1)); }
  };
  Cell& at(std::uint16_t array, std::int64_t index);
  const std::vector<Cell>& cells() const { return cells_; }
  void clear();

 private:
  static constexpr std::uint32_t none = ~0u;
  std::uint32_t first_slot(std::uint64_t key) const;
  void grow();

  std::vector<Cell> cells_;
  std::vector<std::uint32_t> slots_;  // into cells_; a power of two of them, at most half of them full
  int shift_ = 64;
};

// The shadow of the block that runs on this host thread.
class Shadow {
 public:
  // A block of `threads`, whole warps of them. global: whether accesses to global memory are checked (not when the
  // block only tries).
  void begin(Launch& launch, int launch_number, std::int64_t block, std::size_t threads, SiteCache& sites, bool global);
  // Call this when the block has ended without an error. Throws Error if it races with another block.
  void end();
  void pass_block_barrier() { clock_.pass_block_barrier(); }
  // Also called when another warp goes on, since its lanes are not ordered with those that ran before.
  void pass_warp_barrier() { clock_.pass_warp_barrier(); }

  // A shared array, the same for all threads that name it: its elements and their cells. `offset`: of a dynamic one.
  struct Shared {
    void* data;
    SharedCell* cells;
  };
  Shared shared(const char* name, std::size_t element_bytes, std::int64_t count, std::int64_t offset);

  // All throw Error on a race; load_shared and add_shared on a cell that nobody stored.
  void load_shared(SharedCell& cell, const char* name, std::int64_t index, int thread,
                   const std::source_location& where) {
    ++shared_accesses_[static_cast<std::size_t>(thread)];
    const Epoch me = epoch(thread, where);
    if (cell.store.when() < clock_.began) [[unlikely]]
      unwritten(name, index, me);
    if (!clock_.orders(cell.store, me)) [[unlikely]]
      shared_race(name, index, cell.store, "writes", me, "reads");
    if (const Epoch other = cell.additions.racing(clock_, me)) [[unlikely]]
      shared_race(name, index, other, "adds to", me, "reads");
    cell.loads.add(me);
  }
  // Adds by an atomic; atomics do not race with each other.
  void add_shared(SharedCell& cell, const char* name, std::int64_t index, int thread,
                  const std::source_location& where) {
    ++shared_accesses_[static_cast<std::size_t>(thread)];
    const Epoch me = epoch(thread, where);
    if (cell.store.when() < clock_.began) [[unlikely]]
      unwritten(name, index, me);
    if (!clock_.orders(cell.store, me)) [[unlikely]]
      shared_race(name, index, cell.store, "writes", me, "adds to");
    if (const Epoch other = cell.loads.racing(clock_, me)) [[unlikely]]
      shared_race(name, index, other, "reads", me, "adds to");
    cell.additions.add(me);
  }
  void store_shared(SharedCell& cell, const char* name, std::int64_t index, int thread,
                    const std::source_location& where) {
    ++shared_accesses_[static_cast<std::size_t>(thread)];
    const Epoch me = epoch(thread, where);
    if (!clock_.orders(cell.store, me)) [[unlikely]]
      shared_race(name, index, cell.store, "writes", me, "writes");
    if (const Epoch other = cell.loads.racing(clock_, me)) [[unlikely]]
      shared_race(name, index, other, "reads", me, "writes");
    if (const Epoch other = cell.additions.racing(clock_, me)) [[unlikely]]
      shared_race(name, index, other, "adds to", me, "writes");
    cell = {me, {}, {}};
  }
  // The shared array of that name: its number among those that this host thread has met, and what it is.
  struct SharedName {
    std::uint16_t number;
    std::size_t element_bytes;
    std::int64_t offset;
  };
  SharedName named(const char* name) const;
  // Accesses to shared memory so far, by thread.
  const std::vector<std::uint32_t>& shared_accesses() const { return shared_accesses_; }
  // Returns true if the block has added to one of these elements by an atomic, and this access is no atomic: postponed
  // additions must be done first.
  bool global(const GlobalAccess& access, int thread, const std::source_location& where);

 private:
  struct SharedMemory {
    const char* name;
    std::size_t element_bytes;
    std::int64_t count, offset;
    std::vector<std::uint64_t> data;
    std::vector<SharedCell> cells;
    bool used = false;  // by this block
  };

  Epoch epoch(int thread, const std::source_location& where) { return {clock_.now, thread, sites_->id_of(where)}; }
  Shared claim(SharedMemory& memory, const char* name, std::size_t element_bytes, std::int64_t count,
               std::int64_t offset);
  std::string place(std::uint16_t site) const;
  [[noreturn]] void unwritten(const char* name, std::int64_t index, Epoch by) const;
  [[noreturn]] void shared_race(const char* name, std::int64_t index, Epoch first, const char* did, Epoch second,
                                const char* does) const;
  [[noreturn]] void global_race(const GlobalAccess& access, std::int64_t index, Epoch first, const char* did,
                                Epoch second) const;
  [[noreturn]] void race(const std::string& element, Epoch first, const char* did, Epoch second,
                         const char* does) const;
  [[noreturn]] void race_of_blocks(const TouchedByBlock::Cell& cell, std::uint64_t one, std::uint64_t other) const;
  std::uint64_t summary(const TouchedByBlock::Cell& cell) const;

  Clock clock_;
  Launch* launch_ = nullptr;
  std::int64_t block_ = 0;
  SiteCache* sites_ = nullptr;
  bool global_ = false;
  std::vector<std::uint32_t> shared_accesses_;
  std::deque<SharedMemory> shared_;
  TouchedByBlock touched_;
  std::vector<TouchedElements::Word*> words_;  // of the arrays that the block has touched, by number
};

}  // namespace warpspy::simt
