// How deep JSON from outside is nested, and of how many parts it is.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpspy {

// Whether the text is nested deeper than anything that Warpspy writes. The library's parser minds no depth, but its
// copies, comparisons and dumps call themselves once for each level: a file of a few megabytes of '[' ends the stack.
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

// Lists, objects and what stands in them, at most so many: each takes the parser some sixty bytes, though `[],` is
// three.
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
