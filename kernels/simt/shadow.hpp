// The shadow of memory remembers which thread accessed which element, for checks that need more than an index.
//
// Shared memory: each element has a history of its stores and loads (order.hpp). A race is an Error, and so is a load
// of an element that no thread of the block has stored.
//
// Global memory: for arrays that a kernel may write, a table has the same history of the elements that the block has
// accessed. Blocks of a launch are never ordered. So when a block ends, its accesses go into words that all blocks of
// the launch share, one word per element. Two blocks may both only load an element, or both only add to it by atomics.
// The second block finds the first one's accesses, so a race is found in any order of blocks, on any number of threads.
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

// Holds what the blocks of one launch did to the elements of its writable arrays: one word for each element. The system
// provides the memory when a word is first accessed. Several host threads may use it.
class TouchedElements {
 public:
  using Word = std::atomic<std::uint64_t>;

  // Call this when a block of the launch begins. The first block of a launch clears the words of other launches.
  void begin(int launch);
  // The words of an array with `size` elements.
  Word* of(std::uint16_t array, std::int64_t size);

 private:
  struct Free {
    void operator()(Word* words) const;
  };
  std::mutex mutex_;
  int launch_ = 0;
  std::vector<std::unique_ptr<Word, Free>> arrays_;
};

// A thread's access to the elements index to index + count - 1.
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
  std::vector<std::uint32_t> slots_;  // indices into cells_; the size is a power of two, and at most half of them are
                                      // used
  int shift_ = 64;
};

// The shadow of the block that runs on this host thread.
class Shadow {
 public:
  // `threads`: those of the block, in whole warps. global: whether accesses to global memory are checked (not if the
  // block runs only as a trial).
  void begin(Launch& launch, int launch_number, std::int64_t block, std::size_t threads, SiteCache& sites, bool global);
  // Call this when the block has ended without an error. Throws Error if the block races with another one.
  void end();
  void pass_block_barrier() { clock_.pass_block_barrier(); }
  // Also called when another warp continues: its lanes are not ordered after those that ran before.
  void pass_warp_barrier() { clock_.pass_warp_barrier(); }

  // A shared array: its elements and their histories. All threads that use this name get the same array. `offset` is
  // that of a dynamic one.
  struct Shared {
    void* data;
    SharedCell* cells;
  };
  Shared shared(const char* name, std::size_t element_bytes, std::int64_t count, std::int64_t offset);

  // All throw Error on a race. load_shared and add_shared also do so if nobody has stored the element.
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
  // Adds by an atomic. Atomics do not race with each other.
  void add_shared(SharedCell& cell, const char* name, std::int64_t index, std::size_t bytes, int thread,
                  const std::source_location& where) {
    ++shared_accesses_[static_cast<std::size_t>(thread)];
    additions_[static_cast<std::size_t>(thread)].push_back(static_cast<std::int32_t>(index));
    addition_bytes_ = bytes;
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
  // A name of a shared array: its number among all names that this host thread has met, and its type.
  struct SharedName {
    std::uint16_t number;
    std::size_t element_bytes;
    std::int64_t offset;
  };
  SharedName named(const char* name) const;
  // Number of accesses to shared memory so far, for each thread.
  const std::vector<std::uint32_t>& shared_accesses() const { return shared_accesses_; }
  // For each thread: the elements of shared memory that it has added to so far. They have addition_bytes() each.
  std::vector<std::vector<std::int32_t>>& additions() { return additions_; }
  std::size_t addition_bytes() const { return addition_bytes_; }
  // Returns true if this access is not atomic, but the block has added to one of these elements by an atomic. Then the
  // postponed additions must be done first.
  bool global(const GlobalAccess& access, int thread, const std::source_location& where);

 private:
  struct SharedMemory {
    const char* name;
    std::size_t element_bytes;
    std::int64_t count, offset;
    std::vector<std::uint64_t> data;
    std::vector<SharedCell> cells;
    bool used = false;  // whether this block uses it
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
  std::vector<std::vector<std::int32_t>> additions_;
  std::size_t addition_bytes_ = 0;
  std::deque<SharedMemory> shared_;
  TouchedByBlock touched_;
  std::vector<TouchedElements::Word*> words_;  // words of the arrays that the block has accessed, by the number of the
                                               // array
};

}  // namespace warpspy::simt
