#include "profiling/simulated/memory.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <utility>

namespace warpspy {
namespace {

// All sectors that are fetched, if fetches are aligned pieces of `granule` bytes.
std::uint32_t widened(std::uint32_t sectors, int granule) {
  if (granule <= sector_size) return sectors;
  if (granule >= 128) return sectors ? 0xFu : 0u;
  return ((sectors & 0x3u) ? 0x3u : 0u) | ((sectors & 0xCu) ? 0xCu : 0u);
}

std::uint64_t count(std::uint32_t bits) { return static_cast<std::uint64_t>(std::popcount(bits)); }

// The sectors that a load can hit: filled from the next level, or written completely.
std::uint32_t readable(const SectorCache::Line& line) { return line.valid | sectors_full_of(line.written); }

// On a GPU it is unknown which lines belong to the share; here they are always the same.
SectorCache::Evict evict_in_l2(std::uint32_t line, simt::CachePolicy policy) {
  const double kept = kept_by(policy);
  if (kept == 1) return SectorCache::Evict::normal;
  return (line * 0x9E3779B1u >> 8) * 0x1p-24 < kept ? SectorCache::Evict::last : SectorCache::Evict::first;
}

void note_group(SmLog& log, const LoadGroup& group) {
  if (log.groups.size() < most_load_groups)
    log.groups.push_back(group);
  else
    ++log.untold;
}
// Logs what the group of loads that ends with request `end` waited for.
void tell_group(SmLog& log, std::size_t& next, std::size_t end, SmWait wait) {
  while (next < log.groups.size() && log.groups[next].end < static_cast<std::int64_t>(end)) ++next;
  if (next < log.groups.size()) log.groups[next].wait = wait;
}

}  // namespace

// The position of a warp in its requests.
struct MemorySystem::Cursor {
  const BlockStream* block;
  std::uint32_t next, end;
  std::uint16_t warp;                     // number of the warp on the SM
  std::int16_t of_block;                  // the same warp in its block
  std::array<std::uint8_t, 256> round{};  // loads of each array since the current round of its loop began
  std::int64_t until = 0;                 // the warp waits until so many sectors of its SM have arrived
  std::vector<std::uint32_t> passed{};    // loads of x after the index of a later load (hoisted_x_index)
};

MemorySystem::MemorySystem(const GpuSpec& gpu, const std::vector<simt::ArrayInfo>& arrays)
    : gpu_(gpu),
      has_l1_(gpu.l1_bytes_per_sm > 0),
      has_texture_(gpu.texture_bytes_per_sm > 0),
      small_lines_(texture_lines_of_a_sector(gpu.compute_capability)) {
  make_l2(1);
  std::uint64_t first = ~0ull, last = 0;
  for (const simt::ArrayInfo& a : arrays) {
    first = std::min(first, a.base / 128);
    last = std::max(last, (a.base + a.bytes) / 128 + 1);
    begins_.emplace_back(static_cast<std::uint32_t>(a.base / 128), roles_.size());
    roles_.push_back(a.role);
  }
  std::sort(begins_.begin(), begins_.end());
  first_line_ = static_cast<std::uint32_t>(std::min(first, last));
  seen_.resize((last - first_line_) / 2 + 1);
  counts_.arrays.resize(arrays.size());
  begin_launch(0, 0);
}

void MemorySystem::begin_launch(int resident, int shared_bytes, const WarpCode& code) {
  code_ = code;
  for (int* loads : {&code_.loads_in_flight, &code_.matrix_in_flight})
    *loads = static_cast<int>(std::min<double>(gpu_.loads_in_flight, *loads));
  l1_bytes_ = gpu_.l1_bytes_per_sm;
  // From Volta on, L1 and shared memory share one memory; at least 16 KiB of it are L1.
  if (gpu_.compute_capability >= 70) l1_bytes_ = std::max(16384.0, l1_bytes_ - 1.0 * resident * shared_bytes);
  make_sms(1);
  first_sm_ = 0;
  if (std::exchange(sampling_, false)) make_l2(1);
  restart_counts();
}

void MemorySystem::restart_counts() {
  swaps_.clear();
  atomics_.fill(0);
  bursts_asked_ = 0;
  windows_.clear();
  const std::size_t arrays = counts_.arrays.size();
  counts_ = {};
  counts_.arrays.resize(arrays);
}

void MemorySystem::make_l2(double share) {
  l2_.clear();
  for (int p = 0; gpu_.l2_bytes > 0 && p < gpu_.l2_partitions; ++p)
    l2_.emplace_back(share * l2_for_data * gpu_.l2_bytes / gpu_.l2_partitions, l2_ways, l2_random_victim_one_in);
}

void MemorySystem::make_sms(double share) {
  sms_.clear();
  const int texture_line = small_lines_ ? sector_size : 128;
  for (int s = 0; s < gpu_.sm_count; ++s)
    sms_.emplace_back(has_l1_ ? share * l1_bytes_ : 0, share * gpu_.texture_bytes_per_sm / texture_line);
}

void MemorySystem::begin_sample(const SampleShare& share, bool behind_others) {
  sampling_ = true;
  share_ = share;
  make_l2(share.of_l2);
  if (!behind_others) make_sms(share.of_l1);
  std::fill(seen_.begin(), seen_.end(), std::uint8_t{0});
}

std::vector<SmRun> MemorySystem::private_caches(std::span<const std::vector<const BlockStream*>> sms, int first_sm) {
  // SMs do not interact above L2, so this part may run on all cores.
  std::vector<SmRun> runs(sms.size());
  // Later blocks of a sample stand for other blocks on the same SMs, and continue with their caches.
  if (sampling_)
    std::rotate(sms_.begin(), sms_.begin() + (first_sm_ - first_sm + gpu_.sm_count) % gpu_.sm_count, sms_.end());
  first_sm_ = first_sm;
  tbb::parallel_for(std::size_t{0}, sms.size(), [&](std::size_t s) { runs[s] = run_sm(sms_[first_sm + s], sms[s]); });
  return runs;
}

void MemorySystem::l2_and_dram(const std::vector<SmRun>& sms, int first_sm, std::uint32_t dealt,
                               std::span<BlockCost> costs, std::vector<Waits>* of_warps) {
  std::size_t bursts = 0;
  std::vector<std::vector<Waits>> waits;
  std::vector<int> partitions;
  for (const SmRun& sm : sms) {
    bursts = std::max(bursts, sm.burst_end.size());
    partitions.push_back(partition_of(first_sm + static_cast<int>(partitions.size()), dealt));
    waits.push_back(sm.waits);
    counts_.l1_lookups += sm.lookups;
    counts_.l1_hits += sm.hits;
    counts_.texture_lookups += sm.texture_lookups;
    counts_.texture_hits += sm.texture_hits;
  }
  std::size_t to_even = bursts_of_atomics;
  if (sampling_) {
    // A wave of short blocks ends before a whole window; then the window ends with it.
    const double of_wave = static_cast<double>(sms.size()) * share_.of_l1 / share_.of_l2;
    bursts_of_window_ = std::min(of_wave, static_cast<double>(sms_.size())) *
                        std::min<double>(bursts_of_atomics, static_cast<double>(bursts) / share_.of_l1);
  } else {
    // For a slice of the SMs: as many bursts as bring the sectors that all SMs would request in a window.
    to_even = to_even * sms_.size() / std::max<std::size_t>(1, sms.size());
  }
  std::vector<char> from_dram(sms.size(), 0);  // whether the current load needed DRAM
  const auto looked_at = static_cast<std::size_t>(
      std::find_if(sms.begin(), sms.end(), [](const SmRun& sm) { return sm.tells; }) - sms.begin());
  const bool tells = watch_ && looked_at < sms.size();
  if (tells) watch_->sm = sms[looked_at].log;
  std::size_t group = 0;  // index of the group that comes next in the log
  for (std::size_t burst = 0; burst < bursts; ++burst) {
    if (burst > 0 && burst % to_even == 0) end_of_bursts(burst / to_even - 1);
    for (std::size_t s = 0; s < sms.size(); ++s) {
      const SmRun& sm = sms[s];
      if (burst >= sm.burst_end.size()) continue;
      ++bursts_asked_;
      for (std::size_t i = burst ? sm.burst_end[burst - 1] : 0; i < sm.burst_end[burst]; ++i) {
        const L2Request& o = sm.out[i];
        asking_ = &sm;
        told_ = sm.told.empty() ? nullptr : sm.told[i];
        const bool missed = ask(partitions[s], o);
        if (missed && o.path != Path::store && o.path != Path::atomic) from_dram[s] = 1;
        if (!o.end) continue;
        ++(from_dram[s] ? waits[s][o.warp].dram : waits[s][o.warp].l2);
        if (tells && s == looked_at) tell_group(watch_->sm, group, i, from_dram[s] ? SmWait::dram : SmWait::l2);
        from_dram[s] = 0;
      }
    }
  }
  if (bursts > 0) end_of_bursts((bursts - 1) / to_even);
  std::size_t block = 0;
  const auto shorter = [&](const Waits& a, const Waits& b) { return waited_ns(a, gpu_) < waited_ns(b, gpu_); };
  for (std::size_t s = 0; s < sms.size(); ++s) {
    auto warp = waits[s].begin();
    for (const std::uint32_t warps : sms[s].warps) {
      if (of_warps) of_warps->insert(of_warps->end(), warp, warp + warps);
      costs[block++].waits = warps ? *std::max_element(warp, warp + warps, shorter) : Waits{};
      warp += warps;
    }
  }
}

BlockCost MemorySystem::cost_of(const BlockStream& block) const {
  BlockCost cost;
  cost.steps = block.warp_steps + block.shared_steps;
  cost.addition_rounds = block.addition_rounds;
  for (const std::uint32_t steps : block.steps_of_warp) cost.warps += steps > 0;
  if (has_l1_) {
    for (const TrafficSum& a : block.arrays) cost.sectors += a.sectors;
    cost.lines = block.touches.size();
  } else {
    cost.sectors = block.texture_bytes / sector_size;  // the texture units fetch for each lane; other loads bypass them
  }
  return cost;
}

SmRun MemorySystem::run_sm(Sm& sm, const std::vector<const BlockStream*>& blocks) const {
  SmRun run;
  run.tells = std::any_of(blocks.begin(), blocks.end(), [](const BlockStream* b) { return b->served != nullptr; });
  std::vector<Cursor> active;
  std::uint16_t warp = 0;
  for (const BlockStream* block : blocks) {
    run.blocks.push_back(block->block);
    run.warps.push_back(static_cast<std::uint32_t>(block->warp_begin.size() - 1));
    for (std::size_t w = 0; w + 1 < block->warp_begin.size(); ++w) {
      const std::uint32_t first = block->warp_begin[w], end = block->warp_begin[w + 1], steps = block->steps_of_warp[w];
      active.push_back(
          {.block = block, .next = first, .end = end, .warp = warp++, .of_block = static_cast<std::int16_t>(w)});
      if (run.tells) run.log.inner.push_back(steps - std::min(steps, end - first));
      run.waits.push_back({.instructions = static_cast<std::uint32_t>(code_.issued.of(steps > 0 ? 1 : 0, steps)),
                           .loops = w < block->loops_of_warp.size() ? block->loops_of_warp[w] : 0});
    }
  }

  if (run.tells) run.log.warps = run.warps, run.log.blocks = run.blocks;
  std::int64_t here = 0;  // sectors that came back
  while (!active.empty()) {
    here = std::max(here, run.asked - sectors_in_flight);
    auto oldest = std::find_if(active.begin(), active.end(), [&](const Cursor& c) { return c.until <= here; });
    if (oldest == active.end()) {
      oldest = std::min_element(active.begin(), active.end(),
                                [](const Cursor& a, const Cursor& b) { return a.until < b.until; });
      here = oldest->until;
    }
    const std::int64_t before = run.asked;
    loads(sm, run, *oldest);
    if (before / sectors_per_burst != run.asked / sectors_per_burst) run.burst_end.push_back(run.out.size());
    oldest->until = run.asked;
    if (oldest->next >= oldest->end && oldest->passed.empty()) active.erase(oldest);
  }
  run.burst_end.push_back(run.out.size());
  return run;
}

// The loads that a warp issues before it waits.
void MemorySystem::loads(Sm& sm, SmRun& run, Cursor& c) const {
  const std::int64_t asked = run.asked;
  const std::uint32_t first = c.next;
  run.together = static_cast<std::uint32_t>(run.out.size());
  bool located = false, pointed = false, numbered = false, led = false, ahead = false, gathered = false, any = false,
       answered = false;
  const bool as_compiled = under_load(gpu_.compute_capability).as_compiled;
  const std::vector<std::uint32_t> passed = std::exchange(c.passed, {});
  const auto in_flight = [&](std::uint8_t array) {
    return roles_[array] == simt::Role::matrix ? code_.matrix_in_flight : code_.loads_in_flight;
  };
  const auto round_is_full = [&] {
    const std::uint8_t array = c.block->requests[c.next].array;
    return c.round[array] >= in_flight(array);
  };
  const bool next_round = c.next < c.end && round_is_full();
  if (!as_compiled || (next_round && passed.empty())) c.round = {};
  for (const std::uint32_t r : passed) {
    request(sm, run, c, c.block->requests[r]);
    any = gathered = true;
  }
  while (c.next < c.end) {
    const MemoryRequest& next = c.block->requests[c.next];
    const simt::Role role = roles_[next.array];
    const bool exchange = next.path == Path::exchange;
    const bool load = next.path != Path::store && !is_atomic(next.path);
    const bool locates = role == simt::Role::pointer_index, numbers = role == simt::Role::guarding_x_index;
    const bool points = locates || role == simt::Role::matrix_index;
    const bool goes_ahead = as_compiled && role == simt::Role::hoisted_x_index;
    const bool leads = points || numbers || role == simt::Role::x_index || role == simt::Role::hoisted_x_index;
    if ((located && !locates) || (pointed && !points) || (numbered && !numbers)) break;
    if (load && role == simt::Role::x && ahead && !led && !round_is_full()) {
      ++c.round[next.array];
      c.passed.push_back(c.next++);
      continue;
    }
    if (!c.passed.empty() && (!load || role == simt::Role::y || next.behind)) break;
    if ((role == simt::Role::x && (led || ahead)) || (leads && gathered)) break;
    if (load && round_is_full()) break;
    if (any && (next.behind || exchange || (load && role == simt::Role::y))) break;
    c.round[next.array] = static_cast<std::uint8_t>(c.round[next.array] + load);
    located |= locates;
    pointed |= points;
    numbered |= numbers && as_compiled;
    led |= role == simt::Role::x_index || (!as_compiled && (numbers || role == simt::Role::hoisted_x_index));
    ahead |= goes_ahead;
    gathered |= role == simt::Role::x;
    const bool waits = instruction(sm, run, c);
    answered = exchange || c.block->requests[c.next - 1].path == Path::swap;
    if (answered) break;
    if (any && !waits) break;  // these loads are needed for the store
    any |= waits;
  }
  const bool beyond = run.asked > asked || answered;  // the data that it waits for comes from L2
  if (beyond)
    run.out.back().end = true;
  else if (any)
    ++run.waits[c.warp].l1;
  const std::size_t asked_now = passed.size() + (c.next - first) - c.passed.size();
  if (run.tells && asked_now > 0)
    note_group(run.log, {c.warp, static_cast<std::uint32_t>(asked_now),
                         beyond ? static_cast<std::int64_t>(run.out.size()) - 1 : -1, any ? SmWait::l1 : SmWait::none});
}

// Returns whether the warp waits for the result: not for stores and reductions.
bool MemorySystem::instruction(Sm& sm, SmRun& run, Cursor& c) const {
  bool last = false;
  Path path = Path::l1;
  while (!last && c.next < c.end) {
    const MemoryRequest& r = c.block->requests[c.next++];
    request(sm, run, c, r);
    last = r.last;
    path = r.path;
    // A round of compare-and-swap begins when the previous result has arrived.
    if (!last && c.block->requests[c.next].path == Path::swap) run.out.back().end = true;
  }
  return path != Path::store && !is_atomic(path);
}

bool MemorySystem::joins(SmRun& run, std::uint32_t line) {
  SmRun::AskedLine& known = run.lines_asked[line % run.lines_asked.size()];
  const bool again = known.line == line && known.request >= run.together;
  if (!again) known = {line, static_cast<std::uint32_t>(run.out.size())};
  return again;
}

void MemorySystem::request(Sm& sm, SmRun& run, const Cursor& c, const MemoryRequest& r) const {
  const BlockStream& block = *c.block;
  const std::uint16_t warp = c.warp;
  for (std::uint32_t t = r.first; t < r.first + r.touches; ++t) {
    const LineTouch& touch = block.touches[t];
    const auto send = [&](const L2Request& o) {
      run.out.push_back(o);
      if (run.tells) run.told.push_back(block.served ? block.served + t : nullptr);
    };
    if (r.path == Path::store || is_atomic(r.path)) {
      send({touch.line, touch.words, warp, r.array, r.path});
      continue;
    }
    const std::uint32_t sectors = r.path == Path::l2 ? sectors_with(touch.words) : in_sm(sm, run, c, r, t);
    if (!sectors) continue;
    const SectorCache::Evict evict = evict_in_l2(touch.line, r.policy);
    run.asked += std::popcount(sectors);
    run.evict_first += evict == SectorCache::Evict::first ? std::popcount(sectors) : 0;
    send({touch.line, sectors, warp, r.array, r.path, false, evict, r.path == Path::l1 && joins(run, touch.line)});
  }
}

std::uint32_t MemorySystem::in_sm(Sm& sm, SmRun& run, const Cursor& c, const MemoryRequest& r,
                                  std::uint32_t touch) const {
  const LineTouch& at = c.block->touches[touch];
  const bool texture = r.path == Path::texture;
  const std::uint32_t wanted = sectors_with(at.words);
  std::uint32_t missing = 0, asked = 0, valid = wanted;
  if (texture && small_lines_) {
    missing = asked = in_small_lines(sm, c, r.array, at.line, wanted);
  } else {
    SectorCache::Evicted gone;
    SectorCache::Line& line = (texture ? sm.texture : sm.l1).touch(at.line, watch_ ? &gone : nullptr);
    const std::uint32_t have = line.valid;
    missing = wanted & ~have;
    if (missing) line.valid = static_cast<std::uint8_t>(have | widened(missing, gpu_.sector_bytes));
    valid = line.valid;
    asked = valid & ~have;
    if (gone.line != SectorCache::none) note_gone(sm, c, r.array, gone.line);
  }
  if (watch_) note_l1(sm, c, touch, missing, valid);
  run.lookups += count(wanted);
  run.hits += count(wanted & ~missing);
  if (texture) {
    run.texture_lookups += count(wanted);
    run.texture_hits += count(wanted & ~missing);
  }
  return asked;
}

std::uint32_t MemorySystem::in_small_lines(Sm& sm, const Cursor& c, std::uint8_t array, std::uint32_t line,
                                           std::uint32_t sectors) const {
  std::uint32_t missing = 0;
  for (std::uint32_t s = 0; s < sectors_per_line; ++s) {
    if (!(sectors >> s & 1)) continue;
    SectorCache::Evicted gone;
    SectorCache::Line& small = sm.texture.touch(line * sectors_per_line + s, watch_ ? &gone : nullptr);
    if (!small.valid) missing |= 1u << s;
    small.valid = 1;
    if (gone.line != SectorCache::none) note_gone(sm, c, array, gone.line / sectors_per_line);
  }
  return missing;
}

// There is at most one watch, and only the SM with the watched block writes into it.
void MemorySystem::note_gone(Sm& sm, const Cursor& c, std::uint8_t array, std::uint32_t line) const {
  if (watch_->lines.contains(line)) sm.history[line].by = {array, c.of_block, c.block->block};
}

void MemorySystem::note_l1(Sm& sm, const Cursor& c, std::uint32_t touch, std::uint32_t missing,
                           std::uint32_t valid) const {
  const std::uint32_t line = c.block->touches[touch].line;
  if (!watch_->lines.contains(line)) return;
  Sm::History& known = sm.history[line];
  if (missing && c.block->served)
    watch_->why_l1[c.block->served + touch] = {static_cast<std::uint8_t>(missing & ~known.had),
                                               static_cast<std::uint8_t>(missing & known.had), known.by};
  known.had = static_cast<std::uint8_t>(known.had | valid);
}

// A request of an SM to this partition of L2. Returns whether DRAM was needed.
bool MemorySystem::ask(int partition, const L2Request& o) {
  counts_.l2_requests += !o.joined && !(o.path == Path::texture && small_lines_);
  if (o.path == Path::store || is_atomic(o.path)) {
    counts_.l2_sectors += count(sectors_with(o.bits));
    if (is_atomic(o.path)) {
      atomics_[(o.line * 0x9E3779B1u >> 16) % l2_atomic_units] += count(sectors_with(o.bits));
      counts_.atomics += count(sectors_with(o.bits));
    }
    if (o.path == Path::swap) count_swaps(o);
    return store(o) != 0;
  }
  counts_.l2_sectors += count(o.bits);
  counts_.l2_loads += count(o.bits);
  std::uint32_t missing = o.bits, across = 0;  // across: found in the other partition only
  std::uint32_t awaited = 0;                   // of these, sectors for which warps wait (expect_in_l2)
  if (has_l2()) {
    const int home = home_of(o.line);
    if (home != partition) {
      SectorCache::Evicted gone;
      SectorCache::Line& copy = l2_[partition].touch(o.line, &gone, o.evict);
      missing &= ~readable(copy);
      copy.valid = static_cast<std::uint8_t>(copy.valid | missing);
      write_back(gone, sampling_);
      across = missing;
    }
    if (missing) missing = load(l2_[home], o, missing, awaited);
    across &= ~missing;
  } else {
    awaited = from_dram(o.array, o.line, missing, missing, 0);
  }
  tell(o.bits & ~missing, Served::l2);
  counts_.arrays[o.array].across += count(across);
  counts_.l2_load_hits += count(o.bits) - count(missing | across);
  if (o.path == Path::texture) {
    counts_.l2_texture_loads += count(o.bits);
    counts_.l2_texture_load_hits += count(o.bits) - count(missing);
  }
  return awaited != 0;
}

// Looks up `sectors` in the line's home partition. Returns the sectors that came from DRAM.
std::uint32_t MemorySystem::load(SectorCache& cache, const L2Request& o, std::uint32_t sectors,
                                 std::uint32_t& awaited) {
  SectorCache::Evicted gone;
  SectorCache::Line& line = cache.touch(o.line, &gone, o.evict);
  const std::uint32_t have = readable(line);
  const std::uint32_t missing = sectors & ~have;
  if (missing) {
    const std::uint32_t filled = widened(missing, gpu_.dram_granule_bytes) & ~have;
    line.valid = static_cast<std::uint8_t>(line.valid | filled);
    awaited = from_dram(o.array, o.line, missing, filled, have);
  }
  write_back(gone, sampling_);
  if (watch_) note_evicted(gone, o);
  return missing;
}

std::uint32_t MemorySystem::store(const L2Request& o) {
  if (!has_l2()) {
    const std::uint64_t bytes = count(sectors_with(o.bits)) * sector_size;
    count_written(o.line, bytes);
    if (is_atomic(o.path)) from_dram(o.array, o.line, sectors_with(o.bits), sectors_with(o.bits), 0);
    return sectors_with(o.bits);
  }
  SectorCache::Evicted gone;
  SectorCache::Line& line = l2_[home_of(o.line)].touch(o.line, &gone);
  std::uint32_t missing = 0;
  if (is_atomic(o.path)) {  // an atomic adds to the old value, so it must be loaded
    missing = sectors_with(o.bits) & ~readable(line);
    if (missing) from_dram(o.array, o.line, missing, missing, readable(line));
    line.valid = static_cast<std::uint8_t>(line.valid | missing);
  }
  line.written |= o.bits;
  write_back(gone, sampling_);
  if (watch_) note_evicted(gone, o);
  return missing;
}

void MemorySystem::note_evicted(const SectorCache::Evicted& gone, const L2Request& by) const {
  const auto line = gone.line == SectorCache::none ? watch_->lines.end() : watch_->lines.find(gone.line);
  if (line == watch_->lines.end()) return;
  std::size_t block = 0;
  std::uint32_t warp = by.warp;
  for (; block + 1 < asking_->warps.size() && warp >= asking_->warps[block]; ++block) warp -= asking_->warps[block];
  line->second = {by.array, static_cast<std::int16_t>(warp), asking_->blocks[block]};
}

std::uint32_t MemorySystem::from_dram(std::uint8_t array, std::uint32_t line, std::uint32_t wanted,
                                      std::uint32_t filled, std::uint32_t have) {
  ArrayMisses& misses = counts_.arrays[array];
  std::uint32_t awaited = wanted;
  counts_.check_reads += gpu_.ecc_in_memory && have == 0;
  for (std::uint32_t bit = 1; bit <= 8; bit <<= 1) {
    if (!(filled & bit)) continue;
    const bool first = first_touch(line, bit);
    tell(bit, first ? Served::dram_first : Served::dram_again);
    if (watch_ && told_ && !first) watch_->why_again[told_] = watch_->lines[line];
    ++(first ? misses.dram_first : misses.dram_again);
    if (wanted & bit) ++(first ? misses.l2_first : misses.l2_again);
    const std::vector<double>& in_whole = first ? in_whole_.first : in_whole_.again;
    const double share = array < in_whole.size() ? in_whole[array] : 0;
    if (((line * 8 + bit) * 0x9E3779B1u >> 8) * 0x1p-24 < share) awaited &= ~bit;
  }
  return awaited;
}

void MemorySystem::tell(std::uint32_t sectors, Served from) const {
  if (!told_) return;
  for (int s = 0; s < sectors_per_line; ++s)
    if (sectors >> s & 1)
      *told_ = static_cast<std::uint8_t>((*told_ & ~(3 << 2 * s)) | static_cast<int>(from) << 2 * s);
}

void MemorySystem::write_back(const SectorCache::Evicted& e, bool sample) {
  if (e.line == SectorCache::none || !e.state.written) return;
  const std::uint32_t dirty = sectors_with(e.state.written);
  const std::uint32_t partly = dirty & ~readable(e.state);
  counts_.check_writes += gpu_.ecc_in_memory;
  counts_.check_reads += gpu_.ecc_in_memory && partly && !sample;
  if (sample) {
    count_written(e.line, count(dirty & ~partly) * sector_size + count(e.state.written & words_of(partly)) * 4);
    return;
  }
  count_written(e.line, count(dirty) * sector_size);
  counts_.dram_fill_sectors += count(partly);
}

void MemorySystem::count_written(std::uint32_t line, std::uint64_t bytes) {
  counts_.dram_written_bytes += bytes;
  const auto behind = std::upper_bound(begins_.begin(), begins_.end(), std::pair(line, roles_.size()));
  if (behind != begins_.begin()) counts_.arrays[std::prev(behind)->second].written_bytes += bytes;
}

void MemorySystem::flush(bool sample) {
  for (SectorCache& cache : l2_) {
    cache.for_each([&](std::uint32_t line, const SectorCache::Line& state) { write_back({line, state}, sample); });
    cache.clear();
  }
}

void MemorySystem::end_product() {
  std::uint64_t dirty_bytes = 0;
  for (SectorCache& cache : l2_)
    cache.for_each([&](std::uint32_t, const SectorCache::Line& state) {
      const std::uint32_t dirty = sectors_with(state.written);
      counts_.dram_fill_sectors += count(dirty & ~readable(state));
      dirty_bytes += count(dirty) * sector_size;
    });
  const auto stays = static_cast<std::uint64_t>(l2_dirty * gpu_.l2_bytes);
  if (dirty_bytes <= stays) return;
  counts_.dram_written_bytes += dirty_bytes - stays;
  if (gpu_.ecc_in_memory) counts_.check_writes += (dirty_bytes - stays) / 128;
}

int MemorySystem::home_of(std::uint32_t line) const {
  return l2_.size() < 2 ? 0 : static_cast<int>((line * 0x9E3779B1u) >> 31);
}

int MemorySystem::partition_of(int sm, std::uint32_t dealt) const {
  if (l2_.size() < 2) return 0;
  const auto number = static_cast<std::uint32_t>(sm);
  if (!dealt) return static_cast<int>(number / sms_of_a_partition % 2);
  // Of two neighbouring SMs one asks this partition and the other one the second, chosen by a hash of the SMs and
  // `dealt`. A good hash makes products differ whose numbers differ in one bit.
  std::uint64_t hash = (std::uint64_t{dealt} << 32 | number / 2) * 0x9E3779B97F4A7C15u;
  hash = (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9u;
  return static_cast<int>((hash ^ hash >> 32 ^ number) & 1);
}

bool MemorySystem::first_touch(std::uint32_t line, std::uint32_t sector) {
  const std::uint32_t at = line - first_line_;
  if (at / 2 >= seen_.size()) return true;  // Impossible: the emulator refuses accesses outside the arrays.
  const std::uint32_t bit = sector << (at % 2 * 4);
  const bool first = !(seen_[at / 2] & bit);
  seen_[at / 2] = static_cast<std::uint8_t>(seen_[at / 2] | bit);
  return first;
}

}  // namespace warpspy
