#include "profiling/simulated/memory.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>

namespace warpspy {
namespace {

// The sectors that come along when `sectors` are fetched in aligned pieces of `granule` bytes.
std::uint32_t widened(std::uint32_t sectors, int granule) {
  if (granule <= sector_size) return sectors;
  if (granule >= 128) return sectors ? 0xFu : 0u;
  return ((sectors & 0x3u) ? 0x3u : 0u) | ((sectors & 0xCu) ? 0xCu : 0u);
}

std::uint64_t count(std::uint32_t bits) { return static_cast<std::uint64_t>(std::popcount(bits)); }

// What loads may find: sectors filled from below, and sectors written whole.
std::uint32_t readable(const SectorCache::Line& line) { return line.valid | sectors_full_of(line.written); }

// Every count of a and the same one of b.
template <class Visit>
void each_count(MemoryCounts& a, const MemoryCounts& b, Visit&& visit) {
  using M = MemoryCounts;
  constexpr std::uint64_t M::*counts[] = {&M::l1_lookups,
                                          &M::l1_hits,
                                          &M::l2_loads,
                                          &M::l2_load_hits,
                                          &M::fabric_hits,
                                          &M::texture_lookups,
                                          &M::texture_hits,
                                          &M::l2_texture_loads,
                                          &M::l2_sectors,
                                          &M::l2_requests,
                                          &M::l2_texture_load_hits,
                                          &M::dram_written_bytes,
                                          &M::dram_fill_sectors};
  for (const auto member : counts) visit(a.*member, b.*member);
  using A = ArrayMisses;
  constexpr std::uint64_t A::*misses[] = {&A::dram_first, &A::dram_again, &A::l2_first, &A::l2_again};
  if (a.arrays.size() < b.arrays.size()) a.arrays.resize(b.arrays.size());
  for (std::size_t i = 0; i < b.arrays.size(); ++i)
    for (const auto member : misses) visit(a.arrays[i].*member, b.arrays[i].*member);
}

}  // namespace

MemoryCounts& MemoryCounts::operator+=(const MemoryCounts& o) {
  each_count(*this, o, [](std::uint64_t& a, std::uint64_t b) { a += b; });
  return *this;
}
MemoryCounts& MemoryCounts::operator-=(const MemoryCounts& o) {
  each_count(*this, o, [](std::uint64_t& a, std::uint64_t b) { a -= b; });
  return *this;
}

// A warp on its way through its requests.
struct MemorySystem::Cursor {
  const BlockStream* block;
  std::uint32_t next, end;
  std::uint16_t warp;
};

MemorySystem::MemorySystem(const GpuSpec& gpu, const std::vector<simt::ArrayInfo>& arrays)
    : gpu_(gpu), has_l1_(gpu.l1_bytes_per_sm > 0), has_texture_(gpu.texture_bytes_per_sm > 0) {
  for (int p = 0; gpu.l2_bytes > 0 && p < gpu.l2_partitions; ++p) l2_.emplace_back(gpu.l2_bytes / gpu.l2_partitions);

  std::uint64_t first = ~0ull, last = 0;
  for (const simt::ArrayInfo& a : arrays) {
    first = std::min(first, a.base / 128);
    last = std::max(last, (a.base + a.bytes) / 128 + 1);
  }
  first_line_ = static_cast<std::uint32_t>(std::min(first, last));
  seen_.resize((last - first_line_) / 2 + 1);
  counts_.arrays.resize(arrays.size());
  begin_launch(0, 0);
}

void MemorySystem::begin_launch(int resident, int shared_bytes) {
  double l1 = gpu_.l1_bytes_per_sm;
  // From Volta on, L1 and shared memory are one pool; 16 KiB always stay with L1.
  if (gpu_.compute_capability >= 70) l1 = std::max(16384.0, l1 - 1.0 * resident * shared_bytes);
  sms_.clear();
  for (int s = 0; s < gpu_.sm_count; ++s) sms_.emplace_back(has_l1_ ? l1 : 0, gpu_.texture_bytes_per_sm);
  const std::size_t arrays = counts_.arrays.size();
  counts_ = {};
  counts_.arrays.resize(arrays);
}

void MemorySystem::run(std::span<const std::vector<const BlockStream*>> sms, int first_sm,
                       std::vector<BlockCost>* costs) {
  // The SMs do not see each other above L2, so that part may run on all cores.
  tbb::parallel_for(std::size_t{0}, sms.size(), [&](std::size_t s) { run_sm(sms_[first_sm + s], sms[s]); });

  std::size_t turns = 0;
  for (std::size_t s = 0; s < sms.size(); ++s) turns = std::max(turns, sms_[first_sm + s].turn_end.size());
  for (std::size_t turn = 0; turn < turns; ++turn) {
    for (std::size_t s = 0; s < sms.size(); ++s) {
      Sm& sm = sms_[first_sm + s];
      if (turn >= sm.turn_end.size()) continue;
      for (std::size_t i = turn ? sm.turn_end[turn - 1] : 0; i < sm.turn_end[turn]; ++i)
        below(sm, first_sm + static_cast<int>(s), sm.out[i]);
    }
  }

  for (std::size_t s = 0; s < sms.size(); ++s) {
    Sm& sm = sms_[first_sm + s];
    counts_.l1_lookups += sm.lookups;
    counts_.l1_hits += sm.hits;
    counts_.texture_lookups += sm.texture_lookups;
    counts_.texture_hits += sm.texture_hits;
    sm.lookups = sm.hits = sm.texture_lookups = sm.texture_hits = 0;
    std::size_t warp = 0;
    for (const BlockStream* block : sms[s]) {
      BlockCost cost;
      for (std::size_t w = 1; w < block->warp_begin.size(); ++w)
        cost.latency_ns = std::max(cost.latency_ns, sm.warp_ns[warp++]);
      if (has_l1_) {
        for (const TrafficSum& a : block->arrays) cost.sectors += a.sectors;
        cost.lines = block->touches.size();
      } else {
        cost.sectors = block->texture_bytes / sector_size;  // its units fetch lane by lane; the rest goes past them
      }
      if (costs) costs->push_back(cost);
    }
  }
}

void MemorySystem::run_sm(Sm& sm, const std::vector<const BlockStream*>& blocks) {
  sm.out.clear();
  sm.turn_end.clear();
  std::vector<Cursor> active;
  std::uint16_t warp = 0;
  for (const BlockStream* block : blocks)
    for (std::size_t w = 0; w + 1 < block->warp_begin.size(); ++w)
      active.push_back({block, block->warp_begin[w], block->warp_begin[w + 1], warp++});
  sm.warp_ns.assign(warp, 0.0);

  while (!active.empty()) {
    std::size_t kept = 0;
    for (Cursor& c : active) {
      for (int i = 0; i < instructions_per_turn && c.next < c.end; ++i) instruction(sm, c);
      if (c.next < c.end) active[kept++] = c;
    }
    active.resize(kept);
    sm.turn_end.push_back(sm.out.size());
  }
}

void MemorySystem::instruction(Sm& sm, Cursor& c) {
  const std::size_t before = sm.out.size();
  bool last = false;
  Path path = Path::l1;
  while (!last && c.next < c.end) {
    const MemoryRequest& r = c.block->requests[c.next++];
    request(sm, *c.block, r, c.warp);
    last = r.last;
    path = r.path;
  }
  // A warp waits for its loads only: stores and reductions are sent off.
  if (path == Path::store || path == Path::atomic) return;
  if (sm.out.size() > before)
    sm.out.back().end = true;
  else
    sm.warp_ns[c.warp] += gpu_.l1_latency_ns;
}

void MemorySystem::request(Sm& sm, const BlockStream& block, const MemoryRequest& r, std::uint16_t warp) {
  for (std::uint32_t t = r.first; t < r.first + r.touches; ++t) {
    const LineTouch& touch = block.touches[t];
    if (r.path == Path::store || r.path == Path::atomic) {
      sm.out.push_back({touch.line, touch.words, warp, r.array, r.path, false});
      continue;
    }
    std::uint32_t sectors = sectors_with(touch.words);
    if (r.path != Path::l2) {
      SectorCache::Line& line = (r.path == Path::texture ? sm.texture : sm.l1).touch(touch.line);
      const std::uint32_t missing = sectors & ~std::uint32_t{line.valid};
      sm.lookups += count(sectors);
      sm.hits += count(sectors & line.valid);
      if (r.path == Path::texture) {
        sm.texture_lookups += count(sectors);
        sm.texture_hits += count(sectors & line.valid);
      }
      if (!missing) continue;
      const std::uint32_t have = line.valid;
      line.valid = static_cast<std::uint8_t>(have | widened(missing, gpu_.sector_bytes));
      sectors = line.valid & ~have;
    }
    sm.out.push_back({touch.line, sectors, warp, r.array, r.path, false});
  }
}

// One request below the SM. Loads leave the deepest level they needed in sm.level.
void MemorySystem::below(Sm& sm, int sm_index, const Outgoing& o) {
  ++counts_.l2_requests;
  if (o.path == Path::store || o.path == Path::atomic) {
    counts_.l2_sectors += count(sectors_with(o.bits));
    store(o);
    return;
  }
  counts_.l2_sectors += count(o.bits);
  counts_.l2_loads += count(o.bits);
  std::uint32_t missing = o.bits, across = 0;  // across: found in the other partition only
  if (has_l2()) {
    const int home = home_of(o.line);
    const int own = sm_index % static_cast<int>(l2_.size());
    if (home != own) {
      SectorCache::Evicted gone;
      SectorCache::Line& copy = l2_[own].touch(o.line, &gone);
      missing &= ~readable(copy);
      copy.valid = static_cast<std::uint8_t>(copy.valid | missing);
      write_back(gone, false);
      across = missing;
    }
    if (missing) missing = load(l2_[home], o, missing);
    across &= ~missing;
  } else {
    from_dram(o.array, o.line, missing, missing);
  }
  counts_.fabric_hits += count(across);
  counts_.l2_load_hits += count(o.bits) - count(missing | across);
  if (o.path == Path::texture) {
    counts_.l2_texture_loads += count(o.bits);
    counts_.l2_texture_load_hits += count(o.bits) - count(missing);
  }
  if (missing) sm.level = 1;
  if (!o.end) return;
  sm.warp_ns[o.warp] += sm.level ? gpu_.dram_latency_ns : gpu_.l2_latency_ns;
  sm.level = 0;
}

// Looks `sectors` up where the line is homed; returns those that had to come from DRAM.
std::uint32_t MemorySystem::load(SectorCache& cache, const Outgoing& o, std::uint32_t sectors) {
  SectorCache::Evicted gone;
  SectorCache::Line& line = cache.touch(o.line, &gone);
  const std::uint32_t have = readable(line);
  const std::uint32_t missing = sectors & ~have;
  if (missing) {
    const std::uint32_t filled = widened(missing, gpu_.dram_granule_bytes) & ~have;
    line.valid = static_cast<std::uint8_t>(line.valid | filled);
    from_dram(o.array, o.line, missing, filled);
  }
  write_back(gone, false);
  return missing;
}

void MemorySystem::store(const Outgoing& o) {
  if (!has_l2()) {
    const std::uint64_t bytes = count(sectors_with(o.bits)) * sector_size;
    counts_.dram_written_bytes += bytes;
    if (o.path == Path::atomic) from_dram(o.array, o.line, sectors_with(o.bits), sectors_with(o.bits));
    return;
  }
  SectorCache::Evicted gone;
  SectorCache::Line& line = l2_[home_of(o.line)].touch(o.line, &gone);
  if (o.path == Path::atomic) {  // adds to what is there, so it must be there
    const std::uint32_t missing = sectors_with(o.bits) & ~readable(line);
    if (missing) from_dram(o.array, o.line, missing, missing);
    line.valid = static_cast<std::uint8_t>(line.valid | missing);
  }
  line.written |= o.bits;
  write_back(gone, false);
}

void MemorySystem::from_dram(std::uint8_t array, std::uint32_t line, std::uint32_t wanted, std::uint32_t filled) {
  ArrayMisses& misses = counts_.arrays[array];
  for (std::uint32_t bit = 1; bit <= 8; bit <<= 1) {
    if (!(filled & bit)) continue;
    const bool first = first_touch(line, bit);
    ++(first ? misses.dram_first : misses.dram_again);
    if (wanted & bit) ++(first ? misses.l2_first : misses.l2_again);
  }
}

void MemorySystem::write_back(const SectorCache::Evicted& e, bool sample) {
  if (e.line == SectorCache::none || !e.state.written) return;
  const std::uint32_t dirty = sectors_with(e.state.written);
  const std::uint32_t partly = dirty & ~readable(e.state);
  if (sample) {
    counts_.dram_written_bytes += count(dirty & ~partly) * sector_size + count(e.state.written & words_of(partly)) * 4;
    return;
  }
  counts_.dram_written_bytes += count(dirty) * sector_size;
  counts_.dram_fill_sectors += count(partly);
}

void MemorySystem::flush(bool sample) {
  for (SectorCache& cache : l2_) {
    cache.for_each([&](std::uint32_t line, const SectorCache::Line& state) { write_back({line, state}, sample); });
    cache.clear();
  }
}

void MemorySystem::clear() {
  for (SectorCache& cache : l2_) cache.clear();
  for (Sm& sm : sms_) sm.l1.clear(), sm.texture.clear();
  std::fill(seen_.begin(), seen_.end(), std::uint8_t{0});
}

int MemorySystem::home_of(std::uint32_t line) const {
  return l2_.size() < 2 ? 0 : static_cast<int>((line * 0x9E3779B1u) >> 31);
}

bool MemorySystem::first_touch(std::uint32_t line, std::uint32_t sector) {
  const std::uint32_t at = line - first_line_;
  if (at / 2 >= seen_.size()) return true;  // cannot happen: the emulator refuses accesses outside the arrays
  const std::uint32_t bit = sector << (at % 2 * 4);
  const bool first = !(seen_[at / 2] & bit);
  seen_[at / 2] = static_cast<std::uint8_t>(seen_[at / 2] | bit);
  return first;
}

}  // namespace warpspy
