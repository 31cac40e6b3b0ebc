// A sectored cache: 128-byte lines whose 32-byte sectors are filled one by one, least recently used line evicted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace warpspy {

// Set-associative, 12 to 20 ways. The number of sets is odd, so that no power-of-two stride falls into few sets (GPUs
// hash the address for the same reason); of those, the one whose sets times ways come nearest to the capacity. One line
// in sixteen goes to another set than its number says: with sets as even as they could be, what is read in a circle
// would hit in full up to the capacity and not at all beyond, where an H200's L1 and L2 soften over some 15 % (README).
class SectorCache {
 public:
  struct Line {
    std::uint32_t written = 0;  // words written here and not yet in memory
    std::uint8_t valid = 0;     // sectors read from below
  };
  struct Evicted {
    std::uint32_t line = none;
    Line state;
  };
  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  explicit SectorCache(double bytes) {
    const auto lines = static_cast<std::uint32_t>(std::max(1.0, bytes / 128));
    const std::uint32_t middle = std::max(1u, lines / 16) | 1u;
    std::uint32_t best = ~0u;
    for (std::uint32_t sets = std::max(1u, lines / 20) | 1u; sets <= std::max(middle, lines / 12); sets += 2) {
      const std::uint32_t ways = (lines + sets - 1) / sets;
      if (sets * ways - lines >= best) continue;
      best = sets * ways - lines;
      sets_ = sets;
      ways_ = ways;
      if (best == 0) break;
    }
    tags_.assign(std::size_t{sets_} * ways_, none);
    state_.resize(tags_.size());
  }

  void clear() { std::fill(tags_.begin(), tags_.end(), none); }

  // The state of `line`, made the most recently used one. A line that was not there has no valid sector; what had to go
  // for it is told through *evicted.
  Line& touch(std::uint32_t line, Evicted* evicted = nullptr) {
    const std::size_t first = std::size_t{set_of(line)} * ways_;
    const std::uint32_t ways = ways_;
    std::uint32_t* tags = tags_.data() + first;
    Line* state = state_.data() + first;
    if (tags[0] == line) return state[0];
    std::uint32_t way = 1;
    while (way < ways && tags[way] != line) ++way;
    Line found;
    if (way < ways) {
      found = state[way];
    } else {
      way = ways - 1;
      if (evicted) *evicted = {tags[way], tags[way] == none ? Line{} : state[way]};
    }
    std::memmove(tags + 1, tags, way * sizeof *tags);
    std::memmove(state + 1, state, way * sizeof *state);
    tags[0] = line;
    state[0] = found;
    return state[0];
  }

  // Calls visit(line, state) for every line held.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < tags_.size(); ++i)
      if (tags_[i] != none) visit(tags_[i], state_[i]);
  }

 private:
  std::uint32_t set_of(std::uint32_t line) const {
    std::uint32_t hash = line * 0x9E3779B1u;
    hash ^= hash >> 15;
    return ((hash & 15) == 0 ? hash >> 4 : line) % sets_;
  }

  std::uint32_t sets_ = 1, ways_ = 1;
  std::vector<std::uint32_t> tags_;  // per set, most recently used first
  std::vector<Line> state_;
};

}  // namespace warpspy
