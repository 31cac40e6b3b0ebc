// Sums and differences of counts.
#include "profiling/simulated/memory.hpp"

namespace warpspy {
namespace {

// Calls visit for each pair of corresponding counts of a and b.
template <class Visit>
void each_count(MemoryCounts& a, const MemoryCounts& b, Visit&& visit) {
  using M = MemoryCounts;
  constexpr std::uint64_t M::* counts[] = {&M::l1_lookups,         &M::l1_hits,
                                           &M::l2_loads,           &M::l2_load_hits,
                                           &M::texture_lookups,    &M::texture_hits,
                                           &M::l2_texture_loads,   &M::l2_sectors,
                                           &M::l2_requests,        &M::l2_texture_load_hits,
                                           &M::dram_written_bytes, &M::dram_fill_sectors,
                                           &M::atomic_turns,       &M::swaps_in_a_row,
                                           &M::atomics_evened,     &M::atomics};
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

}  // namespace warpspy
