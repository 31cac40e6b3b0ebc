#include "core/plot/cell_colours.hpp"

#include <algorithm>

#include "core/plot/theme.hpp"
#include "core/raster/raster.hpp"

namespace warpspy::plot {

std::vector<std::uint32_t> cell_colours(const std::vector<std::uint32_t>& levels, const Theme& theme) {
  // Without both ends of the colour map: a path must be visible on the darkest cell, and the worst cell must not look
  // empty.
  std::vector<std::uint32_t> inner;
  for (const std::uint32_t v : levels) inner.push_back(v == 0 ? 0 : 60 + v * 840 / 1000);
  const Color empty = mix(theme.ground, theme.ink, 0.05);
  const std::uint32_t ground =
      0xff000000u | static_cast<std::uint32_t>(empty.b) << 16 | static_cast<std::uint32_t>(empty.g) << 8 | empty.r;
  return shade(inner, 1000, Shading::linear, Colormap::cividis, ground, theme.dark);
}

Color color_of_pixel(std::uint32_t pixel) {
  return {static_cast<std::uint8_t>(pixel), static_cast<std::uint8_t>(pixel >> 8),
          static_cast<std::uint8_t>(pixel >> 16)};
}

Color ink_on(Color ground) {
  constexpr Color black = rgb(0x111111), white = rgb(0xffffff);
  return contrast(black, ground) >= contrast(white, ground) ? black : white;
}

void add_hairlines(Plot& plot, int w, int h, const Theme& theme) {
  Series across, down;
  across.kind = Series::Kind::hline, down.kind = Series::Kind::vline;
  for (int i = 1; i < w; ++i) down.x.push_back(i - 0.5);
  for (int j = 1; j < h; ++j) across.y.push_back(j - 0.5);
  for (Series* s : {&across, &down}) {
    s->color = theme.ground, s->width = 1, s->faint = true;
    plot.series.push_back(*s);
  }
}

Color color_of_rank(std::size_t rank, std::size_t count, const Theme& theme) {
  constexpr std::uint32_t kMost = 1000;
  const auto level = static_cast<std::uint32_t>(kMost - (kMost - 1) * rank / std::max<std::size_t>(1, count));
  const std::uint32_t ground = 0xff000000u | static_cast<std::uint32_t>(theme.ground.b) << 16 |
                               static_cast<std::uint32_t>(theme.ground.g) << 8 | theme.ground.r;
  return color_of_pixel(shade({level}, kMost, Shading::linear, Colormap::viridis, ground, theme.dark)[0]);
}

}  // namespace warpspy::plot
