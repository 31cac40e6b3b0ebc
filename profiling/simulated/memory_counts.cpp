// Sums and differences of counts, and the time of waits.
#include <algorithm>
#include <cmath>
#include <limits>

#include "profiling/simulated/memory.hpp"

namespace warpspy {
namespace {

// Calls visit for each pair of corresponding counts of a and b.
template <class Visit>
void each_count(MemoryCounts& a, const MemoryCounts& b, Visit&& visit) {
  using M = MemoryCounts;
  constexpr std::uint64_t M::* counts[] = {
      &M::l1_lookups,         &M::l1_hits,           &M::l2_loads,    &M::l2_load_hits, &M::texture_lookups,
      &M::texture_hits,       &M::l2_texture_loads,  &M::l2_sectors,  &M::l2_requests,  &M::l2_texture_load_hits,
      &M::dram_written_bytes, &M::dram_fill_sectors, &M::check_reads, &M::check_writes, &M::atomic_turns,
      &M::swaps_in_a_row,     &M::atomics_evened,    &M::atomics};
  for (const auto member : counts) visit(a.*member, b.*member);
  using A = ArrayMisses;
  constexpr std::uint64_t A::* misses[] = {&A::dram_first, &A::dram_again, &A::l2_first,
                                           &A::l2_again,   &A::across,     &A::written_bytes};
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

double waited_ns(const Waits& w, const GpuSpec& gpu) {
  const UnderLoad& load = under_load(gpu.compute_capability);
  const double instruction_ns = load.clocks_of_instruction / gpu.clock_mhz * 1e3;
  return w.dram * load.dram * gpu.dram_latency_ns + load.cache * (w.l2 * gpu.l2_latency_ns + w.l1 * gpu.l1_latency_ns) +
         w.instructions * instruction_ns + w.loops * clocks_of_addition_loop / gpu.clock_mhz * 1e3;
}

Waits Waits::times(double factor) const {
  constexpr double most = std::numeric_limits<std::uint32_t>::max();
  const auto of = [&](std::uint32_t n) { return static_cast<std::uint32_t>(std::min(most, std::round(n * factor))); };
  return {of(dram), of(l2), of(l1), of(instructions), of(loops)};
}

}  // namespace warpspy
