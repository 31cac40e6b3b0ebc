#include "core/base/numbers.hpp"

#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace warpspy {
namespace {

struct Unit {
  const char* name;
  double bytes;
};
constexpr Unit units[] = {{"", 1},         {"B", 1},        {"kB", 1e3},     {"MB", 1e6},     {"GB", 1e9},
                          {"TB", 1e12},    {"PB", 1e15},    {"EB", 1e18},    {"KiB", 0x1p10}, {"MiB", 0x1p20},
                          {"GiB", 0x1p30}, {"TiB", 0x1p40}, {"PiB", 0x1p50}, {"EiB", 0x1p60}};

std::string lower_without_spaces(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

std::string grouped(index_t n, char between) {
  std::string s = std::to_string(n);
  for (auto at = static_cast<std::ptrdiff_t>(s.size()) - 3; at > (n < 0 ? 1 : 0); at -= 3)
    s.insert(static_cast<std::size_t>(at), 1, between);
  return s;
}

std::string counted(index_t n, const std::string& word, const std::string& plural) {
  return grouped(n) + " " + (n == 1 ? word : plural.empty() ? word + "s" : plural);
}

std::uint64_t bytes_from_text(const std::string& text, const std::string& what) {
  const char* rest = text.c_str();
  char* end = nullptr;
  const double number = std::strtod(rest, &end);
  const std::string unit = lower_without_spaces(end);
  for (const Unit& u : units) {
    if (end == rest || unit != lower_without_spaces(u.name)) continue;
    const double bytes = number * u.bytes;
    if (!(bytes >= 1 && bytes < 0x1p63)) break;  // zero, negative, NaN, or too large
    return static_cast<std::uint64_t>(bytes);
  }
  throw Error(what + " '" + text + "' is not understood", {},
              "write a number above 0 and a unit, such as 4GiB, 1.5GB or 512MB");
}

std::string exact_bytes_text(std::uint64_t bytes) {
  // The unit that needs the fewest digits; binary units come last: 4GiB rather than 4294967296.
  std::string best = std::to_string(bytes);
  for (const Unit& u : units) {
    const auto each = static_cast<std::uint64_t>(u.bytes);
    if (bytes == 0 || bytes % each != 0) continue;
    const std::string text = std::to_string(bytes / each) + u.name;
    if (text.size() <= best.size()) best = text;
  }
  return best;
}

ScaledBytes scaled_bytes(double bytes) {
  constexpr const char* decimal[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  int unit = 0;
  for (; std::abs(bytes) >= 999.5 && unit < 6; ++unit) bytes /= 1000;
  return {bytes, decimal[unit]};
}

std::string byte_text(double bytes) {
  const auto [value, unit] = scaled_bytes(bytes);
  char text[32];
  std::snprintf(text, sizeof text, bytes < 999.5 || value >= 99.95 ? "%.0f %s" : "%.1f %s", value, unit);
  return text;
}

std::string byte_text(double bytes, int digits) {
  const auto [value, unit] = scaled_bytes(bytes);
  char text[48];
  if (std::abs(bytes) < 999.5)
    std::snprintf(text, sizeof text, "%.0f %s", value, unit);
  else
    std::snprintf(text, sizeof text, "%.*g %s", digits, value, unit);
  return text;
}

}  // namespace warpspy
