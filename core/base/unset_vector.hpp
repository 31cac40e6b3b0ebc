// A vector whose elements are not set to 0 when it is made. The code that uses it sets all elements itself, on several
// processors. The first touch of new memory takes longer than writing; otherwise one processor would do all of it.
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
