// Figures in a hall: no text smaller than a thirtieth of the screen's height, and what is named can be read.
#include <gtest/gtest.h>

#include <memory>

#include "core/plot/warp_figure.hpp"
#include "recording_canvas.hpp"
#include "tests/ui/toy_warp.hpp"

namespace warpspy::plot {
namespace {

constexpr double kLeast = 768.0 / 30;

// Below a title and a sentence of a window of 1024x768.
RecordingCanvas drawn(const Theme& theme, Layout& layout) {
  const Plot plot = warp_figure({SeenWarp(ui::shared_toy_warp("csr_scalar"))}, 0, theme);
  RecordingCanvas canvas;
  layout = draw(plot, canvas, {20, 90, 984, 640}, theme, {.titles = false, .foot = false});
  return canvas;
}

TEST(Hall, LanesAndTimelineOfAWarpCanBeRead) {
  Theme theme = light_theme();
  theme.text_size = theme.least_text = kLeast;
  Layout layout;
  const RecordingCanvas canvas = drawn(theme, layout);
  double before = -1e9;
  int named = 0;
  for (const auto& t : canvas.texts) {
    EXPECT_GE(t.size, kLeast) << t.text;
    if (t.align != Align::right || t.text.find_first_not_of("0123456789") != std::string::npos) continue;
    EXPECT_GE(t.at.y - before, 0.95 * t.size) << "lane " << t.text << " lies over another";
    before = t.at.y;
    ++named;
  }
  EXPECT_GE(named, 4) << "lanes are named";
  ASSERT_EQ(layout.warps.size(), 1u);
  EXPECT_EQ(layout.warps[0].lanes.size(), 32u) << "and all are drawn";
  EXPECT_GT(layout.warps[0].steps.h, 2 * kLeast) << "the timeline";
}

TEST(Hall, ElsewhereEveryLaneHasItsName) {
  const Theme theme = light_theme();
  Layout layout;
  const RecordingCanvas canvas = drawn(theme, layout);
  int named = 0;
  for (const auto& t : canvas.texts)
    if (t.align == Align::right && t.text.find_first_not_of("0123456789") == std::string::npos) ++named;
  EXPECT_EQ(named, 32);
}

}  // namespace
}  // namespace warpspy::plot
