// Reads numbers from text that ends with '\n'. No function checks for the end of the buffer, because every loop stops
// at a character that is no digit. Each function returns the first character after the number, or nullptr.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpspy {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
inline bool ends_number(char c) { return is_blank(c) || c == '\n'; }
inline const char* skip_blanks(const char* p) {
  while (is_blank(*p)) ++p;
  return p;
}
inline unsigned digit_of(char c) { return static_cast<unsigned char>(c) - unsigned{'0'}; }

// Reads 1 to 19 digits; such a number fits into 64 bits without a check.
inline const char* parse_digits(const char* p, std::uint64_t& n) {
  const char* start = p;
  std::uint64_t value = 0;
  for (unsigned d = digit_of(*p); d <= 9; d = digit_of(*++p)) value = value * 10 + d;
  n = value;
  const auto digits = p - start;
  return digits >= 1 && digits <= 19 ? p : nullptr;
}

// Reads an index that counts from 1 and is at most `limit`; the result counts from 0.
template <class I>
const char* parse_index(const char* p, std::uint64_t limit, I& index) {
  std::uint64_t n = 0;
  p = parse_digits(p, n);
  if (!p || !ends_number(*p) || n - 1 >= limit) return nullptr;  // 0 wraps around
  index = static_cast<I>(n - 1);
  return p;
}

// A whole number of 64 bits, signed or not. `rounded` is increased if a double cannot hold the number.
inline const char* parse_integer(const char* p, double& value, std::int64_t& rounded) {
  const bool negative = *p == '-';
  if (*p == '-' || *p == '+') ++p;
  std::uint64_t n = 0;
  const char* start = p;
  p = parse_digits(p, n);
  if (!p) {  // 20 digits can still fit
    const char* stop = start;
    while (digit_of(*stop) <= 9) ++stop;
    const auto [end, status] = std::from_chars(start, stop, n);
    if (status != std::errc() || end != stop) return nullptr;
    p = stop;
  }
  if (!ends_number(*p) || (negative && n > std::uint64_t{1} << 63)) return nullptr;
  value = static_cast<double>(n);
  if (n > std::uint64_t{1} << 53) rounded += value >= 0x1p64 || static_cast<std::uint64_t>(value) != n;
  if (negative) value = -value;
  return p;
}

// Reads numbers that std::from_chars does not take, or calls out of range: with a leading '+', with Fortran exponents
// (1.5D+3), or too small for a double (they become 0 with their sign, as in the C library). Too large numbers are
// refused.
const char* parse_real_slowly(const char* p, double& value);
// Whether a decimal number that does not fit into a double, such as 0.1e400 or -12.5e-400, is too large rather than too
// small. `token` consists only of the number; an 'e' or 'E' precedes its exponent.
bool beyond_the_largest(std::string_view token);

inline const char* parse_real(const char* p, const char* end, double& value) {
  const auto [stop, status] = std::from_chars(p, end, value);
  if (status == std::errc() && ends_number(*stop)) return stop;
  return parse_real_slowly(p, value);
}

}  // namespace warpspy
