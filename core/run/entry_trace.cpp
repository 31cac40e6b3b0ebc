#include "core/run/entry_trace.hpp"

#include <algorithm>

namespace warpspy {

const EntryRead* EntryTrace::find(index_t position) const {
  const auto at = std::lower_bound(entries.begin(), entries.end(), position,
                                   [](const EntryRead& e, index_t wanted) { return e.position < wanted; });
  return at != entries.end() && at->position == position ? &*at : nullptr;
}

}  // namespace warpspy
