#include "kernels/simt/shadow.hpp"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "core/base/types.hpp"
#include "kernels/simt/emulator.hpp"

namespace warpspy::simt {
namespace {

// What one block did to an element, as bits; 0: nothing, or no block yet.
constexpr std::uint64_t loaded = 1, stored = 2, added = 4;
struct Summary {
  std::uint64_t word;
  std::uint64_t did() const { return word & 7; }
  std::uint16_t site() const { return static_cast<std::uint16_t>(word >> 3); }
  int thread() const { return static_cast<int>(word >> 19 & (max_block_threads - 1)); }
  std::int64_t block() const { return static_cast<std::int64_t>(word >> 29); }  // a grid has fewer than 2^31
};
Summary summary_of(std::uint64_t did, Epoch s, std::int64_t block) {
  return {did | std::uint64_t{s.site()} << 3 | static_cast<std::uint64_t>(s.thread()) << 19 |
          static_cast<std::uint64_t>(block) << 29};
}
// A verb for the access that the word records.
const char* verb(Summary s) { return s.did() & stored ? "writes" : s.did() & added ? "adds to" : "reads"; }

}  // namespace

// ---- elements that a launch touched
// ----------------------------------------------------------------------------------
void TouchedElements::begin(int launch) {
  std::lock_guard lock(mutex_);
  if (launch != launch_) arrays_.clear();
  launch_ = launch;
}

TouchedElements::Word* TouchedElements::of(std::uint16_t array, std::int64_t size) {
  static_assert(Word::is_always_lock_free && sizeof(Word) == sizeof(std::uint64_t));
  std::lock_guard lock(mutex_);
  if (arrays_.size() <= array) arrays_.resize(array + std::size_t{1});
  // calloc: a large array uses memory only where it is accessed.
  if (!arrays_[array]) arrays_[array].reset(static_cast<Word*>(std::calloc(static_cast<std::size_t>(size), 8)));
  if (!arrays_[array]) throw std::bad_alloc();
  return arrays_[array].get();
}

void TouchedElements::Free::operator()(Word* words) const { std::free(words); }

// ---- elements that a block touched
// -----------------------------------------------------------------------------------
std::uint32_t TouchedByBlock::first_slot(std::uint64_t key) const {
  // Neighbouring elements have neighbouring slots: 16 of them share a cache line.
  constexpr std::uint64_t line = 16;
  return static_cast<std::uint32_t>(((key / line * 0x9e3779b97f4a7c15u >> shift_) & ~(line - 1)) | key % line);
}

TouchedByBlock::Cell& TouchedByBlock::at(std::uint16_t array, std::int64_t index) {
  const std::uint64_t key = static_cast<std::uint64_t>(array) << 48 | static_cast<std::uint64_t>(index);
  // Often what was loaded just now is stored.
  if (!cells_.empty() && cells_.back().key == key) return cells_.back();
  if (2 * cells_.size() >= slots_.size()) grow();
  const auto mask = static_cast<std::uint32_t>(slots_.size() - 1);
  std::uint32_t slot = first_slot(key);
  for (; slots_[slot] != none; slot = (slot + 1) & mask)
    if (cells_[slots_[slot]].key == key) return cells_[slots_[slot]];
  Cell& cell = cells_.emplace_back();  // first the cell, then its slot: memory may run out here
  slots_[slot] = static_cast<std::uint32_t>(cells_.size() - 1);
  cell.key = key;
  cell.slot = slot;
  return cell;
}

void TouchedByBlock::clear() {
  for (const Cell& cell : cells_) slots_[cell.slot] = none;
  cells_.clear();
}

void TouchedByBlock::grow() {
  slots_.assign(std::max<std::size_t>(256, 2 * slots_.size()), none);
  shift_ = 64 - std::countr_zero(slots_.size());
  const auto mask = static_cast<std::uint32_t>(slots_.size() - 1);
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    std::uint32_t slot = first_slot(cells_[c].key);
    while (slots_[slot] != none) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(c);
    cells_[c].slot = slot;
  }
}

// ---- the block that runs
// ---------------------------------------------------------------------------------------------
void Shadow::begin(Launch& launch, int launch_number, std::int64_t block, std::size_t threads, SiteCache& sites,
                   bool global) {
  launch_ = &launch;
  block_ = block;
  sites_ = &sites;
  global_ = global;
  shared_accesses_.assign(threads, 0);
  for (auto& of_thread : additions_) of_thread.clear();
  additions_.resize(threads);
  clock_.begin_block();
  for (SharedMemory& memory : shared_) memory.used = false;
  touched_.clear();
  words_.clear();
  if (global_) launch_->touched.begin(launch_number);
}

void Shadow::end() {
  const std::vector<TouchedByBlock::Cell>& cells = touched_.cells();
  const auto word_of = [&](std::size_t c) { return words_[cells[c].array()] + cells[c].index(); };
  constexpr std::size_t ahead = 8;  // rounds ahead of the loop, since these words are scattered in memory
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (c + ahead < cells.size()) __builtin_prefetch(word_of(c + ahead), 1);
    const TouchedByBlock::Cell& cell = cells[c];
    const std::uint64_t mine = summary(cell);
    TouchedElements::Word& word = *word_of(c);
    std::uint64_t seen = word.load(std::memory_order_relaxed);
    while (true) {
      // The same block: the caller runs it again.
      if (seen && Summary{seen}.block() != block_) {
        const std::uint64_t both = Summary{seen}.did() | Summary{mine}.did();
        if (both != loaded && both != added) race_of_blocks(cell, seen, mine);
        // Keeps the block with the lowest number, so that an error message does not depend on the order of blocks.
        if (Summary{seen}.block() < block_) break;
      }
      if (seen == mine || word.compare_exchange_weak(seen, mine, std::memory_order_relaxed)) break;
    }
  }
}

std::uint64_t Shadow::summary(const TouchedByBlock::Cell& cell) const {
  const std::uint64_t did = cell.loaded * loaded | cell.stored * stored | cell.added * added;
  const Epoch telling = cell.stored ? cell.store : cell.added ? cell.additions.latest() : cell.loads.latest();
  return summary_of(did, telling, block_).word;
}

Shadow::Shared Shadow::shared(const char* name, std::size_t element_bytes, std::int64_t count, std::int64_t offset) {
  // Every lane calls this, mostly with the same pointer. Comparing letters first took a fifth of the time of an
  // emulated product.
  for (SharedMemory& memory : shared_)
    if (memory.name == name) return claim(memory, name, element_bytes, count, offset);
  for (SharedMemory& memory : shared_)
    if (std::strcmp(memory.name, name) == 0) return claim(memory, name, element_bytes, count, offset);
  return claim(shared_.emplace_back(), name, element_bytes, count, offset);
}

Shadow::SharedName Shadow::named(const char* name) const {
  std::uint16_t number = 0;
  for (const SharedMemory& memory : shared_) {
    if (memory.name == name || std::strcmp(memory.name, name) == 0)
      return {number, memory.element_bytes, memory.offset};
    ++number;
  }
  return {};
}

Shadow::Shared Shadow::claim(SharedMemory& memory, const char* name, std::size_t element_bytes, std::int64_t count,
                             std::int64_t offset) {
  const auto bytes_of = [](const SharedMemory& m) { return static_cast<std::int64_t>(m.element_bytes) * m.count; };
  if (memory.used) {
    if (memory.element_bytes != element_bytes || memory.count != count || memory.offset != offset)
      throw Error("kernel " + launch_->kernel + " asks for shared " + name + " twice, with " +
                      std::to_string(memory.count) + " elements of " + std::to_string(memory.element_bytes) +
                      " bytes and with " + std::to_string(count) + " of " + std::to_string(element_bytes),
                  {}, "give each array its own name, and all threads the same size and offset");
    return {memory.data.data(), memory.cells.data()};
  }
  memory.name = name;
  memory.element_bytes = element_bytes;
  memory.count = count;
  memory.offset = offset;
  for (const SharedMemory& other : shared_) {
    if (!other.used || offset < 0 || other.offset < 0) continue;
    if (offset < other.offset + bytes_of(other) && other.offset < offset + bytes_of(memory))
      throw Error("kernel " + launch_->kernel + ": shared " + other.name + " (bytes " + std::to_string(other.offset) +
                      " to " + std::to_string(other.offset + bytes_of(other)) + ") and " + name + " (" +
                      std::to_string(offset) + " to " + std::to_string(offset + bytes_of(memory)) + ") overlap",
                  {}, "give each array its own bytes");
  }
  const auto words = static_cast<std::size_t>(bytes_of(memory) / 8 + 1);
  const auto cells = static_cast<std::size_t>(count);
  if (memory.data.size() < words) memory.data.resize(words);
  if (memory.cells.size() < cells) memory.cells.resize(cells);
  memory.used = true;
  return {memory.data.data(), memory.cells.data()};
}

bool Shadow::global(const GlobalAccess& access, int thread, const std::source_location& where) {
  if (!global_) return false;
  const Epoch me = epoch(thread, where);
  if (access.array >= words_.size()) words_.resize(access.array + std::size_t{1});
  if (!words_[access.array]) words_[access.array] = launch_->touched.of(access.array, access.size);
  bool after_additions = false;
  for (std::int64_t i = access.index; i < access.index + access.count; ++i) {
    TouchedByBlock::Cell& cell = touched_.at(access.array, i);
    if (cell.loaded || cell.stored || cell.added) {  // most elements are touched once
      if (!clock_.orders(cell.store, me)) [[unlikely]]
        global_race(access, i, cell.store, "writes", me);
      if (access.op != Op::load)
        if (const Epoch other = cell.loads.racing(clock_, me)) [[unlikely]]
          global_race(access, i, other, "reads", me);
      if (!is_atomic(access.op))
        if (const Epoch other = cell.additions.racing(clock_, me)) [[unlikely]]
          global_race(access, i, other, "adds to", me);
      after_additions |= cell.added && !is_atomic(access.op);
    }
    if (access.op == Op::load) {
      cell.loaded = true;
      cell.loads.add(me);
    } else if (is_atomic(access.op)) {
      cell.added = true;
      cell.additions.add(me);
    } else {
      cell.stored = true;
      // Whoever races with an earlier access also races with this one.
      cell.store = me;
      cell.loads = cell.additions = {};
    }
  }
  return after_additions;
}

// ---- reports
// ---------------------------------------------------------------------------------------------------------
std::string Shadow::place(std::uint16_t site) const { return text_of(launch_->sites.at(site)); }

void Shadow::unwritten(const char* name, std::int64_t index, Epoch by) const {
  throw Error("kernel " + launch_->kernel + " reads shared " + name + "[" + std::to_string(index) +
                  "], which no thread has written (block " + std::to_string(block_) + ", thread " +
                  std::to_string(by.thread()) + ")",
              place(by.site()), "write it first, or do not read it");
}

void Shadow::shared_race(const char* name, std::int64_t index, Epoch first, const char* did, Epoch second,
                         const char* does) const {
  race("shared " + std::string(name) + "[" + std::to_string(index) + "]", first, did, second, does);
}

void Shadow::global_race(const GlobalAccess& access, std::int64_t index, Epoch first, const char* did,
                         Epoch second) const {
  constexpr const char* does[] = {"reads", "writes", "adds to"};
  race(launch_->arrays[access.array].name + "[" + std::to_string(index) + "]", first, did, second,
       does[static_cast<int>(access.op)]);
}

void Shadow::race(const std::string& element, Epoch first, const char* did, Epoch second, const char* does) const {
  const bool one_warp = first.warp() == second.warp();
  throw Error("kernel " + launch_->kernel + ": threads " + std::to_string(first.thread()) + " and " +
                  std::to_string(second.thread()) + " of block " + std::to_string(block_) + " race for " + element +
                  ": thread " + std::to_string(first.thread()) + " " + did + " it at " + place(first.site()) +
                  ", thread " + std::to_string(second.thread()) + " " + does + " it at " + place(second.site()) +
                  ", and no barrier stands between them",
              place(second.site()),
              one_warp ? "put syncwarp() or sync_block() between them" : "put sync_block() between them");
}

void Shadow::race_of_blocks(const TouchedByBlock::Cell& cell, std::uint64_t one, std::uint64_t other) const {
  Summary a{one}, b{other};
  if (a.block() > b.block()) std::swap(a, b);
  const auto who = [&](Summary s) {
    return "thread " + std::to_string(s.thread()) + " of block " + std::to_string(s.block()) + " " + verb(s) +
           " it at " + place(s.site()) + (s.did() == (loaded | added) ? " and its block reads it" : "");
  };
  throw Error("kernel " + launch_->kernel + ": blocks " + std::to_string(a.block()) + " and " +
                  std::to_string(b.block()) + " race for " + launch_->arrays[cell.array()].name + "[" +
                  std::to_string(cell.index()) + "]: " + who(a) + ", " + who(b) +
                  ", and nothing orders blocks of one launch",
              place(b.site()), "let all of them add by atomics, or leave the second access to a later launch");
}

}  // namespace warpspy::simt
