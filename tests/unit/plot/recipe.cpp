// A figure's recipe: it comes out of a file as it went in, and a figure drawn from it is the same file.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cases.hpp"
#include "core/base/base64.hpp"
#include "core/base/types.hpp"
#include "core/plot/export.hpp"
#include "core/plot/figure_recipe.hpp"
#include "core/plot/plot_json.hpp"
#include "core/plot/png.hpp"
#include "core/run/record.hpp"

namespace warpspy::plot {
namespace {

namespace fs = std::filesystem;

const FigureRecipe kRecipe = {"warpspy spy 'a b.mtx' --map grey",
                              "0.1.0 (abc)",
                              {{"a b.mtx", "00112233445566778899aabbccddeeff"}, {"gen:laplace5?nx=3&ny=3", ""}},
                              {"NVIDIA H200"},
                              {3, 17},
                              "measured and modelled"};

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
fs::path at(const std::string& name) { return fs::path(::testing::TempDir()) / ("recipe_" + name); }

// The words of a file: an SVG's are its text, a PDF's its subject, which Cairo 1.18 writes in brackets and 1.16 as the
// digits of UTF-16.
std::string spoken(const std::string& file) {
  const std::string subject = "/Subject ";
  const auto begin = file.find(subject);
  if (begin == std::string::npos) return file;
  const std::string rest = file.substr(begin + subject.size());
  const std::string utf16 = "<FEFF";
  if (!rest.starts_with(utf16)) return rest;
  std::string words;
  for (auto k = utf16.size(); k + 4 <= rest.find('>'); k += 4)
    words += static_cast<char>(std::stoi(rest.substr(k, 4), nullptr, 16));
  return words;
}

TEST(Recipe, EveryFigureIsDrawnAgainByteForByte) {
  for (const samples::Case& c : samples::kCases)
    for (const char* ending : {".svg", ".pdf", ".png"})
      for (const char* preset : {"column", "screen"}) {
        SCOPED_TRACE(std::string(c.name) + ending + " " + preset);
        const Page page = page_of(*page_preset(preset));
        const fs::path first = at(std::string("first") + ending), again = at(std::string("again") + ending);
        export_plot(c.make(theme_of(page)), first, page, kRecipe);
        const FoundFigure found = read_figure(read(first));
        EXPECT_EQ(found.recipe, kRecipe);
        EXPECT_EQ(found.page, page);
        EXPECT_FALSE(found.edited);
        export_plot(found.plot, again, found.page, found.recipe);
        EXPECT_TRUE(read(first) == read(again));
      }
}

TEST(Recipe, WhatTheWindowShowsOfItComesBack) {
  FigureRecipe recipe = kRecipe;
  recipe.desk = R"({"tab":"\u00b5"} and "quotes" )" + std::string(1000, 'x');
  for (const char* ending : {".svg", ".pdf", ".png"}) {
    const fs::path first = at(std::string("desk") + ending), again = at(std::string("desk_again") + ending);
    export_plot(samples::histogram(light_theme()), first, Page{}, recipe);
    const FoundFigure found = read_figure(read(first));
    EXPECT_EQ(found.recipe, recipe);
    export_plot(found.plot, again, found.page, found.recipe);
    EXPECT_TRUE(read(first) == read(again));
  }
}

// A command that names its runs says so once.
TEST(Recipe, NumbersOfRunsStandInItsCaptionOnce) {
  FigureRecipe recipe = kRecipe;
  EXPECT_NE(facts_line(recipe).find("runs 3, 17"), std::string::npos) << facts_line(recipe);
  recipe.command = "warpspy draw roofline 3 17 --selected 3";
  EXPECT_EQ(facts_line(recipe).find("runs 3, 17"), std::string::npos) << facts_line(recipe);
  recipe.command = "warpspy draw roofline 13 17";
  EXPECT_NE(facts_line(recipe).find("runs 3, 17"), std::string::npos) << "13 is not 3";
}

// A line of comment in a CSV would be a row to most readers.
TEST(Recipe, OfNumbersStandsBesideThem) {
  const fs::path file = at("numbers.csv"), beside = at("numbers.csv-metadata.json");
  const Plot plot = samples::histogram(light_theme());
  export_plot(plot, file, Page{}, kRecipe);
  EXPECT_EQ(read(file), to_csv(plot)) << "nothing but numbers";
  const auto told = nlohmann::json::parse(read(beside));
  EXPECT_EQ(told.at("url"), file.filename().string());
  EXPECT_EQ(told.at("notes").at(0), nlohmann::json::parse(facts_json(kRecipe)));
  fs::remove(beside);
  export_plot(plot, file, Page{});
  EXPECT_FALSE(fs::exists(beside)) << "nobody said how it was made";
}

TEST(Recipe, ARunTellsDeviceAndDriver) {
  RunRecord run;
  run.id = 7, run.device_name = "NVIDIA H200", run.provenance = Provenance::measured;
  run.details.push_back({"driver", "driver of CUDA", {13.0, "1", Provenance::measured}});
  FigureRecipe recipe;
  add_run(recipe, run, true);
  add_run(recipe, run, true);
  run.id = 8, run.details.clear(), run.provenance = Provenance::modelled;
  add_run(recipe, run, false);
  EXPECT_EQ(recipe.devices, (std::vector<std::string>{"NVIDIA H200, driver of CUDA 13.0", "NVIDIA H200"}));
  EXPECT_EQ(recipe.runs, std::vector<std::uint64_t>{7}) << "what was not kept has no number";
  EXPECT_EQ(recipe.provenance, "measured and modelled");
}

TEST(Recipe, APngIsAsLargeAsItsPage) {
  for (const char* preset : {"column", "columns", "slide", "screen"}) {
    const Page page = page_of(*page_preset(preset));
    const fs::path file = at("size.png");
    export_plot(samples::histogram(theme_of(page)), file, page, kRecipe);
    const std::string png = read(file);
    const auto number = [&](std::size_t where) {
      std::uint32_t v = 0;
      for (std::size_t k = 0; k < 4; ++k) v = v << 8 | static_cast<unsigned char>(png[where + k]);
      return static_cast<double>(v);
    };
    const auto [first, past] = find_png_chunk(png, "pHYs");
    ASSERT_EQ(past - first, 21u) << preset;
    const double mm = 1000 * number(16) / number(first + 8);
    EXPECT_NEAR(mm, page.width / kPxPerMm, 0.1) << preset;
    EXPECT_EQ(png[first + 16], 1) << "to the metre";
  }
}

TEST(Recipe, TheNumbersComeBackToo) {
  const Plot plot = samples::histogram(light_theme());
  const fs::path file = at("numbers.png");
  export_plot(plot, file, Page{}, kRecipe);
  const FoundFigure found = read_figure(read(file));
  EXPECT_TRUE(found.has_rows);
  EXPECT_EQ(to_csv(found.plot), to_csv(plot));
}

TEST(Recipe, TooManyNumbersAreLeftOutAndItSaysSo) {
  Plot plot = samples::histogram(light_theme());
  plot.rows.assign(kMostRows + 1, {"1"});
  const fs::path file = at("many.svg");
  export_plot(plot, file, Page{}, kRecipe);
  const FoundFigure found = read_figure(read(file));
  EXPECT_FALSE(found.has_rows);
  EXPECT_TRUE(found.plot.rows.empty());
}

TEST(Recipe, FactsStandInPlainWordsToo) {
  const Plot plot = samples::histogram(light_theme());
  for (const char* ending : {".svg", ".pdf"}) {
    const fs::path file = at(std::string("facts") + ending);
    export_plot(plot, file, Page{}, kRecipe);
    EXPECT_NE(spoken(read(file)).find("00112233445566778899aabbccddeeff"), std::string::npos) << ending;
  }
}

TEST(Recipe, AChangedFileIsToldAndItsRecipeStillCounts) {
  const Plot plot = samples::histogram(light_theme());
  for (const char* ending : {".svg", ".pdf", ".png"}) {
    const fs::path file = at(std::string("edited") + ending);
    export_plot(plot, file, Page{}, kRecipe);
    std::string behind = read(file);
    behind.insert(behind.size() - 12, " ");  // of the drawing
    const FoundFigure found = read_figure(behind);
    EXPECT_TRUE(found.edited) << ending;
    EXPECT_EQ(found.recipe, kRecipe);
  }
}

TEST(Recipe, WhatIsNotWholeIsRefused) {
  const fs::path file = at("broken.svg");
  export_plot(samples::histogram(light_theme()), file, Page{}, kRecipe);
  const std::string bytes = read(file);
  const std::size_t begin = bytes.find("warpspy-recipe 1 ");
  ASSERT_NE(begin, std::string::npos);
  const std::size_t end = bytes.find('.', begin + 30);
  EXPECT_THROW(read_figure("<svg></svg>"), Error);
  EXPECT_THROW(read_figure(bytes.substr(0, begin + 100)), Error);
  // Every hundredth letter of it, changed: refused, or no letter of what counts.
  for (std::size_t k = begin + 20; k < end; k += 101) {
    std::string broken = bytes;
    broken[k] = broken[k] == 'A' ? 'B' : 'A';
    try {
      EXPECT_TRUE(read_figure(broken).edited) << k;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("not whole"), std::string::npos) << e.what();
    }
  }
}

TEST(Base64, ThereAndBack) {
  std::string bytes;
  for (int k = 0; k < 300; ++k) {
    EXPECT_EQ(from_base64(base64(bytes)), bytes);
    bytes += static_cast<char>(k * 37);
  }
  EXPECT_EQ(base64("Man"), "TWFu");
  EXPECT_EQ(base64("Ma"), "TWE=");
  for (const char* bad : {"A", "TWF", "T===", "TW=u", "T!Fu", "TWE=TWFu"}) EXPECT_FALSE(from_base64(bad)) << bad;
}

}  // namespace
}  // namespace warpspy::plot
