#include "core/diagnosis/words.hpp"

#include <cmath>
#include <cstdio>

#include "core/base/numbers.hpp"

namespace warpspy {
namespace {

std::string printed(const char* format, int digits, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}

}  // namespace

std::string count_text(double value, int digits) {
  const double size = std::abs(value);
  if (size >= 1e6) return printed("%.*g million", digits, value / 1e6);
  if (size >= 1000) return grouped(static_cast<index_t>(std::llround(value)), ',');
  return printed("%.*g", digits, value);
}
std::string us_text(double us) { return count_text(us) + " \xC2\xB5s"; }
std::string times_text(double times) { return printed("%.*f", times < 10 ? 2 : 1, times) + "x"; }
std::string percent_of(double share) {
  return printed("%.*f", share < 0.01 && share >= 0.0005 ? 1 : 0, 100 * share) + " %";
}

std::string byte_words(double bytes) { return byte_text(bytes, 3); }

}  // namespace warpspy
