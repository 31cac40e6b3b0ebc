// How the rows of a matrix are divided among GPUs.
#pragma once

#include <cstdint>

namespace warpspy {

// rows: blocks of equally many rows. entries: blocks of about equally many entries. metis: parts of the matrix' graph
// with about equally many entries and few entries between them.
enum class Split : std::uint8_t { rows, entries, metis };
constexpr const char* name_of(Split s) {
  constexpr const char* names[] = {"rows", "entries", "metis"};
  return names[static_cast<int>(s)];
}

}  // namespace warpspy
