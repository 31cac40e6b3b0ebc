// Writes JSON as text, in the same way everywhere in Warpspy, and reads whole numbers from JSON that others may have
// written.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/base/types.hpp"

namespace warpspy {

// File names, names in archives and text of headers may be any bytes, but JSON is UTF-8. Bytes that are not UTF-8
// become U+FFFD; nlohmann's default would be to throw. indent: -1 for a single line.
template <class Json>
std::string json_text(const Json& j, int indent = 2) {
  return j.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// A whole number that fits into T. nlohmann's own get() also takes fractions and numbers too large for T, whose
// conversion is undefined. Throws Error.
template <class T, class Json>
T whole_of(const Json& j) {
  if (j.is_number_unsigned()) {
    if (const auto n = j.template get<std::uint64_t>(); std::in_range<T>(n)) return static_cast<T>(n);
  } else if (j.is_number_integer()) {
    if (const auto n = j.template get<std::int64_t>(); std::in_range<T>(n)) return static_cast<T>(n);
  }
  throw Error("\"" + json_text(j, -1) + "\" is not a whole number of the range that was expected");
}

}  // namespace warpspy
