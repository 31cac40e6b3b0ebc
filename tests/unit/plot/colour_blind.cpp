// The colours of a warp's lanes, as a deuteranope sees them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/plot/theme.hpp"
#include "core/plot/warp_figure.hpp"

namespace warpspy::plot {
namespace {

using Three = std::array<double, 3>;

double linear(std::uint8_t c) {
  const double v = c / 255.0;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

// Machado, Oliveira & Fernandes 2009, severity 1, on linear RGB.
Three as_deuteranope(Color c) {
  const Three in = {linear(c.r), linear(c.g), linear(c.b)};
  constexpr double m[3][3] = {
      {0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}};
  Three out{};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) out[i] += m[i][k] * in[k];
  return out;
}

Three lab(const Three& rgb) {
  const double x = (0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505;
  const double y = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
  const double z = (0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089;
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}

double apart(Color a, Color b) {
  const Three p = lab(as_deuteranope(a)), q = lab(as_deuteranope(b));
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

TEST(ColourBlind, KeysOfAWarpAreToldApart) {
  for (const Theme& theme : {light_theme(), dark_theme()}) {
    auto trace = std::make_shared<WarpTrace>();
    trace->shared_arrays = {"sums"};
    const Plot plot = warp_figure({SeenWarp(trace)}, 0, theme);
    ASSERT_GE(plot.keys.size(), 8u);
    for (std::size_t a = 0; a < plot.keys.size(); ++a)
      for (std::size_t b = a + 1; b < plot.keys.size(); ++b)
        EXPECT_GT(apart(plot.keys[a].first, plot.keys[b].first), 14)
            << plot.keys[a].second << " and " << plot.keys[b].second << (theme.dark ? ", dark" : ", paper");
  }
}

}  // namespace
}  // namespace warpspy::plot
