// JSON as text, the one way in which all of Warpspy writes it; and whole numbers out of JSON that others may have
// written.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/base/types.hpp"

namespace warpspy {

// File names, names in archives and text out of headers may be any bytes, but JSON is UTF-8: what is not becomes
// U+FFFD. nlohmann's own default is to throw. indent: -1 for a single line.
template <class Json>
std::string json_text(const Json& j, int indent = 2) {
  return j.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// A whole number that T holds. nlohmann's own get() takes fractions and what is too large for T, whose conversion is
// undefined. Throws Error.
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
