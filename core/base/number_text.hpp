// Reads numbers that people type. A text counts as a number only if all of it is one number of that type. Spaces, other
// bases, infinities, NaN and numbers out of range are refused.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace warpspy {

template <class T>
std::optional<T> number_from(std::string_view text) {
  T value = {};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace warpspy
