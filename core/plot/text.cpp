#include "core/plot/text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace warpspy::plot {

std::string percent(double share) {
  const double v = share * 100;
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, v != 0 && std::abs(v) < 1e-3 ? "%.1e %%" : "%.3g %%", v);
  // "1e+02 %" is not how people write 100.
  if (std::abs(v) >= 999.5) std::snprintf(buffer, sizeof buffer, "%.0f %%", v);
  return buffer;
}

std::string significant(double v, int digits) {
  if (!std::isfinite(v)) return "n/a";
  if (v == 0) return "0";
  char buffer[64];
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(v))));
  if (magnitude < -5 || magnitude > 12)
    std::snprintf(buffer, sizeof buffer, "%.*e", digits - 1, v);
  else
    std::snprintf(buffer, sizeof buffer, "%.*f", std::max(0, digits - 1 - magnitude), v);
  return buffer;
}

std::string exact(double v) {
  if (!std::isfinite(v)) return {};
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, v);
  return {buffer, result.ptr};
}

std::string with_micro(const std::string& text) {
  const auto is_word = [&](std::size_t k) {
    return k < text.size() && std::isalpha(static_cast<unsigned char>(text[k]));
  };
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool unit = text.compare(k, 2, "us") == 0 && !is_word(k + 2) &&
                      (k == 0 || text[k - 1] == '(' || std::isdigit(static_cast<unsigned char>(text[k - 1])) ||
                       (k > 1 && text[k - 1] == ' ' && std::isdigit(static_cast<unsigned char>(text[k - 2]))));
    out += unit ? "\xC2\xB5s" : text.substr(k, 1);
    k += unit;
  }
  return out;
}

std::string shortened(const std::string& name, std::size_t most) {
  if (name.size() <= most) return name;
  std::size_t head = most / 2 - 1, tail = name.size() - head;
  const auto inside = [&](std::size_t k) { return (static_cast<unsigned char>(name[k]) & 0xC0) == 0x80; };
  while (head > 0 && inside(head)) --head;
  while (tail < name.size() && inside(tail)) ++tail;
  return name.substr(0, head) + "\xE2\x80\xA6" + name.substr(tail);
}

}  // namespace warpspy::plot
