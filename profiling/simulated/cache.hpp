// A sectored cache: its 128-byte lines have four sectors of 32 bytes, which are filled one by one. The least recently
// used line is evicted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace warpspy {

// The cache is set-associative. Neighbouring lines lie in neighbouring sets, so that reading in order fills the sets
// evenly. After as many lines as there are sets, the next line goes to another set than the first one. (GPUs hash
// addresses for the same reason.) So lines that are far apart, as in rows of a CSR matrix, share sets only by chance,
// whatever their stride. `random_victim_one_in`: one of this many evicted lines is a random line of its set instead of
// the oldest, as in a cache that knows the order only roughly. 0: always the oldest.
class SectorCache {
 public:
  // Tells when a line is evicted, in the words of PTX. first: before the other lines of its set. normal: when it is the
  // oldest. last: when no other line is left.
  enum class Evict : std::uint8_t { normal, first, last };
  struct Line {
    std::uint32_t written = 0;  // words that were written to the cache and not yet to memory
    std::uint8_t valid = 0;     // sectors that were read from the next memory level
    Evict evict = Evict::normal;
  };
  struct Evicted {
    std::uint32_t line = none;
    Line state;
  };
  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  SectorCache(double bytes, std::uint32_t ways, std::uint32_t random_victim_one_in = 0)
      : ways_(ways), random_victim_one_in_(random_victim_one_in) {
    sets_ = std::max(1u, static_cast<std::uint32_t>(bytes / (128.0 * ways)));
    tags_.assign(std::size_t{sets_} * ways_, none);
    state_.resize(tags_.size());
  }

  void clear() { std::fill(tags_.begin(), tags_.end(), none); }

  // The state of `line`, which becomes the most recently used line and is evicted by the rule `evict`. A line that was
  // not in the cache has no valid sector; *evicted is the line that had to go for it.
  Line& touch(std::uint32_t line, Evicted* evicted = nullptr, Evict evict = Evict::normal) {
    any_first_ |= evict == Evict::first;
    any_last_ |= evict == Evict::last;
    const std::size_t first = std::size_t{set_of(line)} * ways_;
    const std::uint32_t ways = ways_;
    std::uint32_t* tags = tags_.data() + first;
    Line* state = state_.data() + first;
    if (tags[0] == line) {
      state[0].evict = evict;
      return state[0];
    }
    std::uint32_t way = 1;
    while (way < ways && tags[way] != line) ++way;
    Line found;
    if (way < ways) {
      found = state[way];
    } else {
      way = victim(tags, state);
      if (evicted) *evicted = {tags[way], tags[way] == none ? Line{} : state[way]};
    }
    std::memmove(tags + 1, tags, way * sizeof *tags);
    std::memmove(state + 1, state, way * sizeof *state);
    tags[0] = line;
    state[0] = found;
    state[0].evict = evict;
    return state[0];
  }

  // Calls visit(line, state) for every line in the cache.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < tags_.size(); ++i)
      if (tags_[i] != none) visit(tags_[i], state_[i]);
  }

 private:
  // Returns the place for a new line: an empty one if there is one. Otherwise it is the least recently used line, first
  // among those with Evict::first, then Evict::normal, then all. Sometimes it is a random line.
  std::uint32_t victim(const std::uint32_t* tags, const Line* state) {
    if (tags[ways_ - 1] == none) return ways_ - 1;
    if (any_first_)
      for (std::uint32_t way = ways_; way-- > 0;)
        if (state[way].evict == Evict::first) return way;
    if (random_victim_one_in_ == 0 || ++victims_ % random_victim_one_in_ != 0) {
      if (any_last_)
        for (std::uint32_t way = ways_; way-- > 0;)
          if (state[way].evict != Evict::last) return way;
      return ways_ - 1;
    }
    const std::uint32_t hash = (victims_ ^ victims_ >> 15) * 0x9E3779B1u;
    return static_cast<std::uint32_t>((std::uint64_t{hash} * ways_) >> 32);
  }
  std::uint32_t set_of(std::uint32_t line) const {
    const std::uint32_t run = line / sets_, at = line - run * sets_;
    std::uint32_t hash = run * 0x9E3779B1u;
    hash = (hash ^ hash >> 15) * 0x85EBCA6Bu;
    const std::uint32_t set = at + static_cast<std::uint32_t>((std::uint64_t{hash} * sets_) >> 32);
    return set < sets_ ? set : set - sets_;
  }

  std::uint32_t sets_ = 1, ways_, random_victim_one_in_, victims_ = 0;
  bool any_first_ = false, any_last_ = false;
  std::vector<std::uint32_t> tags_;  // per set, most recently used first
  std::vector<Line> state_;
};

}  // namespace warpspy
