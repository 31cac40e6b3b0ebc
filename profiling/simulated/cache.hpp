// A sectored cache: 128-byte lines whose 32-byte sectors are filled one by one, least recently used line evicted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace warpspy {

// Set-associative, about 16 ways. The number of sets is odd, so that no power-of-two stride falls into few sets (GPUs
// hash the address for the same reason), and the ways differ by one between sets where the capacity asks for it.
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
    const auto lines = static_cast<std::uint64_t>(std::max(1.0, bytes / 128));
    std::uint64_t sets = std::max<std::uint64_t>(1, lines / 16);
    if (sets % 2 == 0) --sets;
    sets_ = static_cast<std::uint32_t>(sets);
    for (std::uint64_t s = 0; s <= sets; ++s) begin_.push_back(static_cast<std::uint32_t>(s * lines / sets));
    tags_.assign(lines, none);
    state_.resize(lines);
  }

  void clear() { std::fill(tags_.begin(), tags_.end(), none); }

  // The state of `line`, made the most recently used one. A line that was not there has no valid sector; what had to go
  // for it is told through *evicted.
  Line& touch(std::uint32_t line, Evicted* evicted = nullptr) {
    const std::uint32_t set = line % sets_;
    const std::uint32_t first = begin_[set], ways = begin_[set + 1] - first;
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
  std::uint32_t sets_ = 1;
  std::vector<std::uint32_t> begin_;  // sets + 1 entries, into tags_ and state_
  std::vector<std::uint32_t> tags_;   // per set, most recently used first
  std::vector<Line> state_;
};

}  // namespace warpspy
