// Checks how deeply JSON from outside is nested, and how many parts it has.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpspy {

// Whether the text is nested deeper than anything that Warpspy writes. The library's parser works at any depth. But its
// copies, comparisons and dumps recurse once per level, so a file with a few megabytes of '[' overflows the stack.
inline bool nested_deeply(std::string_view json) {
  constexpr int deepest = 100;
  int depth = 0;
  bool in_text = false;
  for (std::size_t k = 0; k < json.size(); ++k) {
    const char c = json[k];
    if (c == '"') in_text = !in_text;
    if (in_text && c == '\\') ++k;
    if (in_text) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > deepest) return true;
  }
  return false;
}

// An upper bound for the number of lists, objects and values in the text. The parser needs about sixty bytes for each,
// though `[],` has only three.
inline std::size_t parts_of(std::string_view json) {
  std::size_t parts = 1;
  bool in_text = false;
  for (std::size_t k = 0; k < json.size(); ++k) {
    const char c = json[k];
    if (c == '"') in_text = !in_text;
    if (in_text && c == '\\') ++k;
    if (!in_text && (c == ',' || c == '[' || c == '{')) ++parts;
  }
  return parts;
}

}  // namespace warpspy
