// Figures against pictures and lists of draw calls in tests/golden (see its README).
#include <cairo.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>
#include <vector>

#include "cases.hpp"
#include "core/plot/cairo_canvas.hpp"
#include "core/plot/export.hpp"
#include "recording_canvas.hpp"
#include "tests/paths.hpp"

namespace warpspy::plot {
namespace {

namespace fs = std::filesystem;

constexpr int kWidth = 600, kHeight = 400;

using samples::Case;
using samples::kCases;
constexpr int kCaseCount = static_cast<int>(std::size(kCases));

fs::path golden(const std::string& file) { return fs::path(WARPSPY_SOURCE_DIR) / "tests/golden" / file; }
fs::path beside_the_test(const std::string& file) {
  return fs::read_symlink("/proc/self/exe").parent_path() / ("actual_" + file);
}
bool update() {
  const char* v = std::getenv("WARPSPY_UPDATE_GOLDEN");
  return v && std::string(v) == "1";
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Picture {
  int w = 0, h = 0;
  std::vector<double> v;  // 3 channels
};

Picture picture_of(int w, int h, const std::vector<std::uint32_t>& rgba) {
  Picture p{w, h, {}};
  for (std::uint32_t c : rgba)
    for (int shift : {0, 8, 16}) p.v.push_back(c >> shift & 255);
  return p;
}

Picture read_png(const fs::path& path) {
  Picture p;
  cairo_surface_t* s = cairo_image_surface_create_from_png(path.c_str());
  if (cairo_surface_status(s) == CAIRO_STATUS_SUCCESS) {
    p.w = cairo_image_surface_get_width(s), p.h = cairo_image_surface_get_height(s);
    for (int y = 0; y < p.h; ++y) {
      const unsigned char* row = cairo_image_surface_get_data(s) + y * cairo_image_surface_get_stride(s);
      for (int x = 0; x < p.w; ++x)
        for (int k : {2, 1, 0}) p.v.push_back(row[4 * x + k]);
    }
  }
  cairo_surface_destroy(s);
  return p;
}

// The mean over 2 * radius + 1 places along a line of `count`, `step` values apart; at the ends over fewer.
void blur_line(double* v, int count, std::ptrdiff_t step, int radius) {
  std::vector<double> before;
  for (int i = 0; i < count; ++i) before.push_back(v[i * step]);
  for (int i = 0; i < count; ++i) {
    const int first = std::max(0, i - radius), last = std::min(count - 1, i + radius);
    double sum = 0;
    for (int j = first; j <= last; ++j) sum += before[static_cast<std::size_t>(j)];
    v[i * step] = sum / (last - first + 1);
  }
}

// Text set by another version of FreeType or Cairo moves by a fraction of a pixel: a blur forgives that.
Picture blurred(Picture p, int radius) {
  for (int y = 0; y < p.h; ++y)
    for (int k = 0; k < 3; ++k) blur_line(&p.v[static_cast<std::size_t>(3 * y * p.w + k)], p.w, 3, radius);
  for (int x = 0; x < p.w; ++x)
    for (int k = 0; k < 3; ++k) blur_line(&p.v[static_cast<std::size_t>(3 * x + k)], p.h, 3 * p.w, radius);
  return p;
}

struct Difference {
  double mean = 255;  // of 255
  double share = 1;   // of pixels that differ by more than 32
  bool small() const { return mean <= 1 && share <= 0.003; }
};

Difference difference(const Picture& a, const Picture& b) {
  if (a.w != b.w || a.h != b.h || a.w == 0) return {};
  const Picture p = blurred(a, 2), q = blurred(b, 2);
  Difference d{0, 0};
  for (std::size_t k = 0; k < p.v.size(); k += 3) {
    double most = 0;
    for (std::size_t c = k; c < k + 3; ++c) {
      d.mean += std::abs(p.v[c] - q.v[c]);
      most = std::max(most, std::abs(p.v[c] - q.v[c]));
    }
    d.share += most > 32;
  }
  d.mean /= static_cast<double>(p.v.size());
  d.share /= static_cast<double>(p.v.size()) / 3;
  return d;
}

std::vector<std::uint32_t> pixels_of(const Plot& plot, const Theme& theme) {
  CairoCanvas canvas = CairoCanvas::raster(kWidth, kHeight, 1);
  draw(plot, canvas, {0, 0, kWidth, kHeight}, theme);
  return canvas.pixels();
}

class GoldenPicture : public ::testing::TestWithParam<std::tuple<int, bool>> {};
class GoldenCalls : public ::testing::TestWithParam<int> {};

TEST_P(GoldenPicture, Looks) {
  const auto [which, dark] = GetParam();
  const Theme theme = dark ? dark_theme() : light_theme();
  const std::string file = std::string(kCases[which].name) + (dark ? "_dark.png" : "_light.png");
  const auto pixels = pixels_of(kCases[which].make(theme), theme);
  if (update()) write_png(golden(file).string(), kWidth, kHeight, pixels.data());
  const Difference d = difference(picture_of(kWidth, kHeight, pixels), read_png(golden(file)));
  if (d.small()) return;
  write_png(beside_the_test(file).string(), kWidth, kHeight, pixels.data());
  ADD_FAILURE() << file << " differs: mean " << d.mean << " of 255, " << 100 * d.share
                << " % of the pixels by more than 32. Compare " << golden(file) << " with " << beside_the_test(file)
                << "; if the new one is right, run this test with WARPSPY_UPDATE_GOLDEN=1.";
}

// In the light theme only: the dark one makes the same calls in other colours.
TEST_P(GoldenCalls, Match) {
  const int which = GetParam();
  RecordingCanvas canvas;
  draw(kCases[which].make(light_theme()), canvas, {0, 0, kWidth, kHeight}, light_theme());
  const std::string file = std::string(kCases[which].name) + ".txt";
  if (update()) std::ofstream(golden(file)) << canvas.calls;
  if (canvas.calls == read(golden(file))) return;
  std::ofstream(beside_the_test(file)) << canvas.calls;
  ADD_FAILURE() << file << " differs: compare it with diff " << golden(file) << " " << beside_the_test(file)
                << "; if the new one is right, run this test with WARPSPY_UPDATE_GOLDEN=1.";
}

INSTANTIATE_TEST_SUITE_P(Figures, GoldenPicture, ::testing::Combine(::testing::Range(0, kCaseCount), ::testing::Bool()),
                         [](const auto& tested) {
                           return std::string(kCases[std::get<0>(tested.param)].name) +
                                  (std::get<1>(tested.param) ? "_dark" : "_light");
                         });
INSTANTIATE_TEST_SUITE_P(Figures, GoldenCalls, ::testing::Range(0, kCaseCount),
                         [](const auto& tested) { return std::string(kCases[tested.param].name); });

// The comparison forgives antialiasing, not content.
TEST(GoldenComparison, SeesWhatMatters) {
  const Theme theme = light_theme();
  const auto picture = [&](const Plot& p) { return picture_of(kWidth, kHeight, pixels_of(p, theme)); };
  const Plot plot = samples::roofline(theme);
  const Picture whole = picture(plot);
  EXPECT_TRUE(difference(whole, picture(samples::roofline(theme))).small());

  Plot without_a_roof = plot;
  without_a_roof.series.erase(without_a_roof.series.begin() + 1);
  EXPECT_FALSE(difference(whole, picture(without_a_roof)).small());

  Plot other_label = plot;
  other_label.x.label = "row length (entries)";
  EXPECT_FALSE(difference(whole, picture(other_label)).small());

  Plot moved = plot;
  moved.y.max *= 1.2;
  EXPECT_FALSE(difference(whole, picture(moved)).small());
}

// The same picture with every letter at its exact place: what a Cairo that sets text between the pixels makes of it.
TEST(GoldenComparison, ForgivesTheFinePlacementOfText) {
  const Theme theme = light_theme();
  for (const Case& c : kCases) {
    Plot plot = c.make(theme);
    plot.images.clear();  // cells whose size is no whole number of pixels are resampled, which is not text
    constexpr int kFine = 4;
    CairoCanvas fine = CairoCanvas::raster(kWidth, kHeight, kFine);
    draw(plot, fine, {0, 0, kWidth, kHeight}, theme);
    const Picture big = picture_of(kWidth * kFine, kHeight * kFine, fine.pixels());
    Picture small{kWidth, kHeight, std::vector<double>(kWidth * kHeight * 3)};
    for (int y = 0; y < big.h; ++y)
      for (int x = 0; x < big.w; ++x)
        for (int k = 0; k < 3; ++k)
          small.v[static_cast<std::size_t>((y / kFine * kWidth + x / kFine) * 3 + k)] +=
              big.v[static_cast<std::size_t>((y * big.w + x) * 3 + k)] / (kFine * kFine);
    const Difference d = difference(small, picture_of(kWidth, kHeight, pixels_of(plot, theme)));
    EXPECT_TRUE(d.small()) << c.name << ": mean " << d.mean << ", share " << d.share;
  }
}

}  // namespace
}  // namespace warpspy::plot
