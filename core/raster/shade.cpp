#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/raster/raster.hpp"

namespace warpspy {
namespace {

// A colour of a map at position 0 to 255, dark to bright, 0xRRGGBB; linear between two of them.
struct Stop {
  int at;
  std::uint32_t rgb;
};

// cividis: J. R. Nunez, C. R. Anderton, R. S. Renslow, "Optimizing colormaps with consideration for color vision
// deficiency", PLoS ONE 13(7), 2018.
constexpr Stop kCividis[] = {{0, 0x00224e},   {16, 0x002e6a},  {19, 0x00306f},  {23, 0x013271},  {32, 0x1a386f},
                             {48, 0x32436d},  {64, 0x434e6c},  {80, 0x535a6d},  {96, 0x61656f},  {112, 0x6f7073},
                             {124, 0x797977}, {144, 0x8c8878}, {160, 0x9b9476}, {176, 0xaba072}, {192, 0xbcae6c},
                             {208, 0xcdbb63}, {224, 0xdec958}, {240, 0xf0d846}, {251, 0xfde334}, {255, 0xfee838}};

// viridis: S. van der Walt, N. J. Smith, 2015 (released under CC0).
constexpr Stop kViridis[] = {{0, 0x440154},   {16, 0x48186a},  {32, 0x472d7b},  {48, 0x424086},  {64, 0x3b528b},
                             {80, 0x33638d},  {96, 0x2c728e},  {112, 0x26828e}, {128, 0x21918c}, {144, 0x1fa088},
                             {160, 0x28ae80}, {176, 0x3fbc73}, {192, 0x5ec962}, {208, 0x84d44b}, {224, 0xaddc30},
                             {240, 0xd8e219}, {255, 0xfde725}};

// Grey levels of sRGB have nearly even steps of lightness.
constexpr Stop kGrey[] = {{0, 0x000000}, {255, 0xffffff}};

std::span<const Stop> stops_of(Colormap map) {
  switch (map) {
    case Colormap::cividis:
      return kCividis;
    case Colormap::viridis:
      return kViridis;
    case Colormap::grey:
      break;
  }
  return kGrey;
}

constexpr std::uint32_t byte_of(std::uint32_t color, int index) { return (color >> (8 * index)) & 255; }

// The colour at position 0 to 255 of a map, as an opaque pixel (0xAABBGGRR).
std::uint32_t color_at(std::span<const Stop> stops, double position) {
  std::size_t i = 1;
  while (i + 1 < stops.size() && stops[i].at < position) ++i;
  const Stop &a = stops[i - 1], &b = stops[i];
  const double t = (position - a.at) / (b.at - a.at);
  std::uint32_t pixel = 0xff000000u;
  for (int channel = 0; channel < 3; ++channel) {
    const double from = byte_of(a.rgb, 2 - channel), to = byte_of(b.rgb, 2 - channel);
    pixel |= static_cast<std::uint32_t>(std::lround(from + t * (to - from))) << (8 * channel);
  }
  return pixel;
}

// Relative luminance and contrast ratio, as WCAG 2.1 defines them.
double luminance(std::uint32_t pixel) {
  const auto linear = [&](int index) {
    const double c = byte_of(pixel, index) / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2);
}
double contrast(std::uint32_t a, std::uint32_t b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

// WCAG requires a contrast of 3:1 for graphical objects, such as the pixel of a single entry.
constexpr double kVisible = 3.0;
using Ramp = std::array<std::uint32_t, 256>;

// From the first colour with enough contrast to the background (few entries) to the end of the map (many entries). If
// no colour has it, only the end of the map is used.
Ramp ramp_for(Colormap map, std::uint32_t ground, bool dark_ground) {
  const std::span<const Stop> stops = stops_of(map);
  const int last = dark_ground ? 255 : 0, step = dark_ground ? 1 : -1;
  int first = 255 - last;
  while (first != last && contrast(color_at(stops, first), ground) < kVisible) first += step;
  Ramp ramp;
  for (int i = 0; i < 256; ++i) ramp[i] = color_at(stops, first + (last - first) * (i / 255.0));
  return ramp;
}

}  // namespace

std::vector<std::uint32_t> shade(const std::vector<std::uint32_t>& counts, std::uint32_t max, Shading shading,
                                 Colormap map, std::uint32_t ground, bool dark_ground) {
  const Ramp ramp = ramp_for(map, ground, dark_ground);
  const float linear_scale = max > 1 ? 255.0f / static_cast<float>(max - 1) : 0.0f;
  const float log_scale = max > 1 ? 255.0f / std::log2(static_cast<float>(max)) : 0.0f;
  const auto pixel = [&](std::uint32_t count) {
    if (count == 0) return ground;
    if (count >= max || shading == Shading::binary) return ramp[255];
    const float at = shading == Shading::linear ? linear_scale * static_cast<float>(count - 1)
                                                : log_scale * std::log2(static_cast<float>(count));
    return ramp[std::min(255, static_cast<int>(at + 0.5f))];
  };
  std::vector<std::uint32_t> pixels(counts.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, counts.size(), 1 << 16), [&](const auto& range) {
    for (std::size_t i = range.begin(); i != range.end(); ++i) pixels[i] = pixel(counts[i]);
  });
  return pixels;
}

}  // namespace warpspy
