// Figures on pages: nothing cut, nothing small, nothing out of the page, nothing over each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <tuple>
#include <vector>

#include "cases.hpp"
#include "core/base/types.hpp"
#include "core/plot/export.hpp"
#include "core/plot/label_placer.hpp"
#include "core/plot/page.hpp"
#include "core/plot/svg_canvas.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

namespace fs = std::filesystem;
using samples::Case;
using samples::kCases;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// WARPSPY_SHOW_PAGES names a folder where the pictures stay, to be looked at.
fs::path place_of(const std::string& name) {
  const char* keep = std::getenv("WARPSPY_SHOW_PAGES");
  return fs::path(keep ? keep : ::testing::TempDir()) / name;
}

double number(const std::string& element, const char* name) {
  std::smatch m;
  return std::regex_search(element, m, std::regex(std::string(" ") + name + "=\"(-?[0-9.]+)")) ? std::stod(m[1]) : NAN;
}

struct Word {
  std::string text;
  double size = 0;
  Box box;
};

std::string plain(std::string s) {
  for (const auto& [entity, letter] :
       {std::pair{"&lt;", "<"}, std::pair{"&gt;", ">"}, std::pair{"&quot;", "\""}, std::pair{"&amp;", "&"}})
    for (std::size_t at; (at = s.find(entity)) != std::string::npos;) s.replace(at, std::string(entity).size(), letter);
  return s;
}

// Of a letter's height what ink there is between the baseline and the top of small letters.
std::vector<Word> words_in(const std::string& svg) {
  const SvgCanvas metrics(1, 1, "");
  std::vector<Word> words;
  const std::regex text("<text([^>]*)>([^<]*)</text>");
  for (std::sregex_iterator it(svg.begin(), svg.end(), text), end; it != end; ++it) {
    const std::string attributes = (*it)[1];
    Word w;
    w.text = plain((*it)[2]);
    w.size = number(attributes, "font-size");
    const Font font = attributes.find("font-weight") != std::string::npos ? Font::bold
                      : attributes.find("JetBrains") != std::string::npos ? Font::mono
                                                                          : Font::ui;
    const double width = metrics.text_width(w.text, w.size, font);
    const double shift = attributes.find("\"middle\"") != std::string::npos ? 0
                         : attributes.find("\"end\"") != std::string::npos  ? -width / 2
                                                                            : width / 2;
    std::smatch turn;
    const double radians =
        std::regex_search(attributes, turn, std::regex("rotate\\((-?[0-9.]+)")) ? -std::stod(turn[1]) * M_PI / 180 : 0;
    const double up = 0.36 * w.size, c = std::cos(radians), s = -std::sin(radians);
    const Point at{number(attributes, "x"), number(attributes, "y")};
    // An exponent stands right behind its base.
    w.box = {{at.x + c * shift + s * up, at.y + s * shift - c * up}, width / 2 - 0.3, 0.36 * w.size, radians};
    words.push_back(std::move(w));
  }
  return words;
}

class Pages : public ::testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(Pages, EveryWordIsWholeAndReadable) {
  const Case& c = kCases[std::get<0>(GetParam())];
  const PagePreset& preset = page_presets()[static_cast<std::size_t>(std::get<1>(GetParam()))];
  const Page page = page_of(preset);
  const Plot plot = c.make(theme_of(page));
  const std::string name = std::string(c.name) + "_" + preset.id;
  const fs::path file = place_of(name + ".svg");
  const Fitted fitted = export_plot(plot, file, page);
  EXPECT_EQ(fitted.left_out, 0u);
  EXPECT_GE(fitted.font_pt, kLeastPt);
  if (std::getenv("WARPSPY_SHOW_PAGES")) export_plot(plot, place_of(name + ".png"), page);

  const std::string svg = read(file);
  // The page is as wide as the preset says, and as high unless it grows.
  EXPECT_NE(svg.find("mm\""), std::string::npos);
  EXPECT_NEAR(number(svg, "width"), preset.width_mm, 0.1);
  if (preset.grows)
    EXPECT_LE(number(svg, "height"), 240.1);
  else
    EXPECT_NEAR(number(svg, "height"), preset.height_mm, 0.1);

  const Rect whole{-0.5, -0.5, fitted.width + 1, fitted.height + 1};
  const std::vector<Word> words = words_in(svg);
  ASSERT_FALSE(words.empty());
  for (std::size_t k = 0; k < words.size(); ++k) {
    const Word& w = words[k];
    EXPECT_GE(w.size, kLeastPt * kPxPerPt - 0.01) << w.text;
    EXPECT_TRUE(inside(w.box, whole)) << w.text << " leaves the page";
    EXPECT_FALSE(w.text.ends_with("...") || w.text.ends_with("\xE2\x80\xA6")) << w.text << " is cut";
    for (std::size_t other = 0; other < k; ++other)
      EXPECT_FALSE(overlap(w.box, words[other].box)) << "\"" << w.text << "\" over \"" << words[other].text << "\"";
  }
}

INSTANTIATE_TEST_SUITE_P(All, Pages,
                         ::testing::Combine(::testing::Range(0, static_cast<int>(std::size(kCases))),
                                            ::testing::Range(0, 3)),
                         [](const auto& shape) {
                           return std::string(kCases[std::get<0>(shape.param)].name) + "_" +
                                  page_presets()[static_cast<std::size_t>(std::get<1>(shape.param))].id;
                         });

TEST(Page, PdfAndPngAreAsLargeAsThePage) {
  const Plot plot = samples::histogram(light_theme());
  for (const PagePreset& preset : page_presets()) {
    Page page = page_of(preset);
    const fs::path pdf = place_of(std::string("size_") + preset.id + ".pdf");
    const Fitted fitted = export_plot(plot, pdf, page);
    const std::string bytes = read(pdf);
    std::smatch box;
    ASSERT_TRUE(std::regex_search(bytes, box, std::regex("/MediaBox \\[ 0 0 ([0-9.]+) ([0-9.]+) \\]")));
    EXPECT_NEAR(std::stod(box[1]) / 72 * 25.4, preset.width_mm, 0.1) << preset.id;
    EXPECT_NEAR(std::stod(box[2]), fitted.height * 0.75, 0.3) << preset.id;
    EXPECT_EQ(bytes.find("/Type3"), std::string::npos) << "letters are outlines of a font, not drawings";
  }
}

TEST(Page, TitleAndLegendCanBeLeftOut) {
  Page page = page_of(*page_preset("column"));
  const Plot plot = samples::roofline(theme_of(page));
  const auto text = [&] {
    const fs::path file = place_of("parts.svg");
    export_plot(plot, file, page);
    std::string all;
    for (const Word& w : words_in(read(file))) all += w.text + "\n";
    return all;
  };
  EXPECT_NE(text().find("Roofline"), std::string::npos);
  EXPECT_NE(text().find("modelled"), std::string::npos);
  page.title = page.legend = false;
  EXPECT_EQ(text().find("Roofline"), std::string::npos);
  EXPECT_EQ(text().find("modelled"), std::string::npos);
}

TEST(Page, TheFontIsWhatWasAskedFor) {
  Page page = page_of(*page_preset("columns"));
  page.font_pt = 10;
  const Plot plot = samples::histogram(theme_of(page));
  const fs::path file = place_of("font.svg");
  EXPECT_EQ(export_plot(plot, file, page).font_pt, 10);
  bool any = false;
  for (const Word& w : words_in(read(file))) any |= std::abs(w.size - 10 * kPxPerPt) < 0.01;
  EXPECT_TRUE(any);
}

// Relative luminance, as a grey printer sees it.
TEST(Page, GreyColoursDifferInLightness) {
  const Color white = rgb(0xFFFFFF);
  std::vector<double> contrasts;
  for (const Color c : {kDram, kL2, kL1}) contrasts.push_back(contrast(on_page(c, Colours::grey), white));
  for (std::size_t a = 0; a < contrasts.size(); ++a) {
    EXPECT_GT(contrasts[a], 1.6) << "a line on white is seen";
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_GT(std::max(contrasts[a], contrasts[b]) / std::min(contrasts[a], contrasts[b]), 1.5) << a << " and " << b;
  }
  EXPECT_EQ(on_page(rgb(0x1A1D21), Colours::grey), rgb(0x1A1D21)) << "ink stays ink";
  EXPECT_EQ(on_page(kDram, Colours::print), kDram);
}

// Live leaves a trail, whose newest point is named: on every page, the screen's too, no label stands over another.
TEST(Page, LabelsOfATrailDoNotCollide) {
  const auto runs = samples::dragged_runs();
  RooflineStyle style;
  for (std::size_t k = 0; k + 1 < runs.size(); ++k) style.trail.push_back(runs[k]->id);
  style.selected = runs.back()->id;
  for (const PagePreset& preset : page_presets()) {
    SCOPED_TRACE(preset.id);
    const Page page = page_of(preset);
    const fs::path file = place_of(std::string("trail_") + preset.id + ".svg");
    export_plot(roofline_figure(samples::h200_roofs(), "NVIDIA H200", runs, style, theme_of(page)), file, page);
    const std::vector<Word> words = words_in(read(file));
    for (std::size_t k = 0; k < words.size(); ++k)
      for (std::size_t other = 0; other < k; ++other)
        EXPECT_FALSE(overlap(words[k].box, words[other].box)) << words[k].text << " over " << words[other].text;
  }
}

TEST(Page, AWideDiagramIsNotSqueezed) {
  const Page page = page_of(*page_preset("columns"));
  const Fitted fitted = fitted_to(samples::memory(theme_of(page)), page);
  EXPECT_GE(fitted.height, page.height) << "flows beside each other need as much height as axes do";
  EXPECT_EQ(fitted.font_pt, page.font_pt);
  EXPECT_EQ(fitted.left_out, 0u);
}

TEST(Page, WhatHasNoRoomIsRefused) {
  Page page = page_of(*page_preset("column"));
  Plot plot = samples::histogram(theme_of(page));
  plot.x.categories.clear();
  for (int k = 0; k < 200; ++k) plot.x.categories.push_back("kernel number " + std::to_string(k));
  plot.x.scale = Scale::linear, plot.x.min = 0, plot.x.max = 200;
  const fs::path file = place_of("refused.svg");
  fs::remove(file);
  EXPECT_THROW(export_plot(plot, file, page), Error);
  EXPECT_FALSE(fs::exists(file));
}

}  // namespace
}  // namespace warpspy::plot
