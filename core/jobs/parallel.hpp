// Runs a loop over independent parts on all processors. Headers use it because it needs no library.
#pragma once

#include <cstddef>
#include <functional>

namespace warpspy {

// Calls work(part) for 0 <= part < parts, several at a time and in no order, and returns when all are done. An
// exception of a part is thrown again.
void in_parallel(std::size_t parts, const std::function<void(std::size_t part)>& work);

// Returns where part `part` of `parts` begins when `count` things are divided in order, as evenly as possible.
constexpr std::size_t part_begin(std::size_t count, std::size_t part, std::size_t parts) {
  return count / parts * part + count % parts * part / parts;
}

}  // namespace warpspy
