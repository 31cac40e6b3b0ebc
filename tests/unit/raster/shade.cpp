#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/raster/raster.hpp"

namespace warpspy {
namespace {

constexpr Colormap kMaps[] = {Colormap::cividis, Colormap::viridis, Colormap::grey};
constexpr Shading kShadings[] = {Shading::linear, Shading::log, Shading::binary};
struct Ground {
  std::uint32_t pixel;
  bool dark;
};
constexpr Ground kGrounds[] = {{0xffffffff, false}, {0xfff5f8fa, false}, {0xff1c1816, true}, {0xff000000, true}};

// WCAG 2.1 relative luminance.
double luminance(std::uint32_t pixel) {
  double sum = 0;
  constexpr double weights[] = {0.2126, 0.7152, 0.0722};
  for (int i = 0; i < 3; ++i) {
    const double c = ((pixel >> (8 * i)) & 255) / 255.0;
    sum += weights[i] * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
  return sum;
}
double contrast(std::uint32_t a, std::uint32_t b) {
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

TEST(Shade, ZeroIsTheGroundAndOneEntryStandsOut) {
  for (const Ground g : kGrounds)
    for (const Colormap map : kMaps)
      for (const Shading shading : kShadings)
        for (const std::uint32_t max : {1u, 2u, 1000u, 4'000'000'000u}) {
          const auto pixels = shade({0, 1}, max, shading, map, g.pixel, g.dark);
          EXPECT_EQ(pixels[0], g.pixel);
          EXPECT_GE(contrast(pixels[1], g.pixel), 3.0)
              << "map " << static_cast<int>(map) << ", " << name_of(shading) << ", max " << max;
          EXPECT_EQ(pixels[1] >> 24, 255u);
        }
}

RC_GTEST_PROP(Shade, MoreEntriesAreFurtherFromTheGround, ()) {
  const Ground g = *rc::gen::elementOf(std::vector<Ground>(std::begin(kGrounds), std::end(kGrounds)));
  const Colormap map = *rc::gen::elementOf(std::vector<Colormap>(std::begin(kMaps), std::end(kMaps)));
  const Shading shading = *rc::gen::elementOf(std::vector<Shading>(std::begin(kShadings), std::end(kShadings)));
  auto counts = *rc::gen::container<std::vector<std::uint32_t>>(
      rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(1, 100), rc::gen::inRange<std::uint32_t>(1, 0xffffffff)));
  counts.push_back(1);
  std::sort(counts.begin(), counts.end());
  const auto pixels = shade(counts, counts.back(), shading, map, g.pixel, g.dark);
  for (std::size_t i = 1; i < pixels.size(); ++i) {
    const double before = luminance(pixels[i - 1]), now = luminance(pixels[i]);
    // A rounding step of one byte in one channel is not a change of order.
    const bool further = g.dark ? now >= before - 0.002 : now <= before + 0.002;
    RC_ASSERT(further);
  }
}

TEST(Shade, SpansTheMap) {
  for (const Colormap map : kMaps) {
    const auto light = shade({1, 1000}, 1000, Shading::log, map, 0xffffffff, false);
    EXPECT_GE(contrast(light[1], 0xffffffff), 15.0) << static_cast<int>(map);
    EXPECT_GE(luminance(light[0]) - luminance(light[1]), 0.2);
    const auto dark = shade({1, 1000}, 1000, Shading::log, map, 0xff000000, true);
    EXPECT_GE(contrast(dark[1], 0xff000000), 15.0);
    EXPECT_GE(luminance(dark[1]) - luminance(dark[0]), 0.5);
  }
}

TEST(Shade, MapsAreThoseOfTheirSources) {
  const auto ends = [](Colormap map) {
    return std::pair{shade({5}, 5, Shading::log, map, 0xffffffff, false)[0],
                     shade({5}, 5, Shading::log, map, 0xff000000, true)[0]};
  };
  // First and last colour, 0xAABBGGRR: viridis #440154, #fde725; cividis #00224e, #fee838.
  EXPECT_EQ(ends(Colormap::viridis), std::pair(0xff540144u, 0xff25e7fdu));
  EXPECT_EQ(ends(Colormap::cividis), std::pair(0xff4e2200u, 0xff38e8feu));
  EXPECT_EQ(ends(Colormap::grey), std::pair(0xff000000u, 0xffffffffu));
}

TEST(Shade, LogAndLinearPlaceTheMiddle) {
  const std::vector<std::uint32_t> counts{1, 10, 50, 100};
  const auto log = shade(counts, 100, Shading::log, Colormap::grey, 0xff000000, true);
  const auto linear = shade(counts, 100, Shading::linear, Colormap::grey, 0xff000000, true);
  const auto level = [](std::uint32_t pixel) { return static_cast<int>(pixel & 255); };
  const int low = level(log[0]), high = level(log[3]);
  EXPECT_EQ(high, 255);
  EXPECT_NEAR(level(log[1]), (low + high) / 2, 2);     // 10 of 100 is half way
  EXPECT_NEAR(level(linear[2]), (low + high) / 2, 2);  // 50 of 100 is
  const auto binary = shade(counts, 100, Shading::binary, Colormap::grey, 0xff000000, true);
  EXPECT_EQ(binary[0], binary[3]);
}

TEST(Shade, TakesAnythingItIsGiven) {
  EXPECT_TRUE(shade({}, 0, Shading::log, Colormap::grey, 0xffffffff, false).empty());
  const auto above = shade({7, 0}, 3, Shading::linear, Colormap::cividis, 0xffffffff, false);
  EXPECT_EQ(above[0], shade({3}, 3, Shading::linear, Colormap::cividis, 0xffffffff, false)[0]);
  const auto zero_max = shade({7, 0}, 0, Shading::log, Colormap::cividis, 0xffffffff, false);
  EXPECT_EQ(zero_max[0], above[0]);
  EXPECT_EQ(zero_max[1], 0xffffffffu);
}

}  // namespace
}  // namespace warpspy
