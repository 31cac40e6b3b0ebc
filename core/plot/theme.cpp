#include "core/plot/theme.hpp"

#include <algorithm>
#include <cmath>

namespace warpspy::plot {

Theme light_theme() {
  Theme t;
  t.ground = rgb(0xFFFFFF), t.panel = rgb(0xF6F7F9), t.ink = rgb(0x1A1D21), t.muted = rgb(0x59626D);
  t.grid = rgb(0xE9ECEF), t.hairline = rgb(0x8C96A2);
  return t;
}

Theme dark_theme() {
  Theme t;
  t.ground = rgb(0x15181D), t.panel = rgb(0x1D2127), t.ink = rgb(0xE8EAED), t.muted = rgb(0x9DA6B2);
  t.grid = rgb(0x272C34), t.hairline = rgb(0x5A6472);
  t.dark = true;
  return t;
}

namespace {

double linear(std::uint8_t c) {
  const double v = c / 255.0;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double luminance(Color c) { return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b); }

}  // namespace

double contrast(Color a, Color b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Color mix(Color a, Color b, double share_of_b) {
  const auto blend = [&](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(std::lround(x + (y - x) * share_of_b));
  };
  return {blend(a.r, b.r), blend(a.g, b.g), blend(a.b, b.b), a.a};
}

Color readable(Color c, const Theme& theme) {
  for (double share = 0; share < 1; share += 0.05) {
    const Color candidate = mix(c, theme.ink, share);
    if (contrast(candidate, theme.ground) >= 4.5) return candidate;
  }
  return theme.ink;
}

}  // namespace warpspy::plot
