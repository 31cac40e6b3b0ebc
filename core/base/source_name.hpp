// Tells which kind of source a name means: "gen:NAME?..." (core/generate), "collection:GROUP/NAME" (core/collection),
// "standard input", which nobody can open again, or a path.
#pragma once

#include <string_view>

namespace warpspy {

constexpr bool is_generated(std::string_view source) { return source.starts_with("gen:"); }
constexpr bool is_of_collection(std::string_view source) { return source.starts_with("collection:"); }
constexpr std::string_view kStandardInput = "standard input";
// Whether the name is a path: it means a file of this machine, and depends on the working folder.
constexpr bool is_path(std::string_view source) {
  return !is_generated(source) && !is_of_collection(source) && source != kStandardInput;
}

}  // namespace warpspy
