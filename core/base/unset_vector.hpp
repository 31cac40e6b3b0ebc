// A vector whose elements are not set when it is made, for whoever sets all of them, on several processors: the first
// touch of new memory takes longer than writing there, and one processor would do it for all.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace warpspy {

template <class T>
struct Unset : std::allocator<T> {
  template <class U>
  void construct(U* place) const noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Values>
  void construct(U* place, Values&&... values) const {
    std::construct_at(place, std::forward<Values>(values)...);
  }
};
template <class T>
using UnsetVector = std::vector<T, Unset<T>>;

}  // namespace warpspy
