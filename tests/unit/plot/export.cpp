#include "core/plot/export.hpp"

#include <cairo.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/plot/cairo_canvas.hpp"
#include "samples.hpp"

namespace warpspy::plot {
namespace {

namespace fs = std::filesystem;

class Export : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("warpspy-export-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string written(const Plot& plot, const std::string& name) const {
    export_plot(plot, path(name));
    return read(name);
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  fs::path folder_;
};

// Elements open and close in order, attributes are quoted, no bare & or <. Returns what is wrong.
std::string xml_fault(const std::string& s) {
  std::vector<std::string> open;
  std::size_t at = s.rfind("<?xml", 0) == 0 ? s.find("?>") + 2 : 0;
  while (at < s.size()) {
    if (s[at] == '&' && s.find(';', at) > at + 6) return "bare & at " + std::to_string(at);
    if (s[at] == '>') return "bare > at " + std::to_string(at);
    if (s[at++] != '<') continue;
    const std::size_t end = s.find('>', at);
    if (end == std::string::npos) return "a tag does not end";
    const std::string tag = s.substr(at, end - at);
    if (tag.find('<') != std::string::npos) return "< within " + tag;
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return "quotes in " + tag;
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag[0] == '/') {
      if (open.empty() || "/" + open.back() != tag) return "unexpected <" + tag + ">";
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    at = end + 1;
  }
  return open.empty() ? "" : "<" + open.back() + "> stays open";
}

TEST_F(Export, SvgIsWellFormedAndKeepsItsText) {
  const std::string svg = written(samples::roofline(light_theme()), "a.svg");
  EXPECT_EQ(xml_fault(svg), "");
  for (const char* text : {">Roofline: NVIDIA H200<", ">arithmetic intensity (flop/byte)<", ">GFLOP/s<",
                           ">DRAM 4800 GB/s<", ">csr_scalar<", ">modelled<"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  EXPECT_NE(svg.find("width=\"900\" height=\"600\""), std::string::npos);
  EXPECT_EQ(xml_fault(written(samples::histogram(dark_theme()), "b.svg")), "");
  const std::string spy = written(samples::spy(light_theme()), "c.svg");
  EXPECT_EQ(xml_fault(spy), "");
  EXPECT_NE(spy.find("data:image/png;base64,iVBORw0KGgo"), std::string::npos);
}

TEST_F(Export, SvgEscapesWhatAFileNameMayHold) {
  Plot plot;
  plot.title = "a<b> & \"c\"\x01";
  const std::string svg = written(plot, "a.svg");
  EXPECT_EQ(xml_fault(svg), "");
  EXPECT_NE(svg.find(">a&lt;b&gt; &amp; &quot;c&quot;\\u0001<"), std::string::npos);
}

TEST_F(Export, XmlCheckSeesFaults) {
  EXPECT_EQ(xml_fault("<a><b x=\"1\"/></a>"), "");
  for (const char* bad : {"<a>", "<a></b>", "<a x=\"1></a>", "<a>&</a>", "<a><b</a>"})
    EXPECT_NE(xml_fault(bad), "") << bad;
}

TEST_F(Export, PdfHasTextAndNoDates) {
  const std::string pdf = written(samples::roofline(light_theme()), "a.pdf");
  EXPECT_EQ(pdf.rfind("%PDF-", 0), 0u);
  EXPECT_NE(pdf.find("/Font"), std::string::npos);       // letters, not outlines
  EXPECT_NE(pdf.find("/ToUnicode"), std::string::npos);  // that can be copied
  EXPECT_EQ(pdf.find("CreationDate"), std::string::npos);
  EXPECT_EQ(pdf.find("/ModDate"), std::string::npos);
}

TEST_F(Export, PngHasTheAskedSize) {
  export_plot(samples::spy(light_theme()), path("a.png"), 300, 200, light_theme(), 2);
  cairo_surface_t* s = cairo_image_surface_create_from_png(path("a.png").c_str());
  EXPECT_EQ(cairo_image_surface_get_width(s), 600);
  EXPECT_EQ(cairo_image_surface_get_height(s), 400);
  cairo_surface_destroy(s);
}

TEST_F(Export, SameFigureSameBytes) {
  for (const char* name : {"a.svg", "a.pdf", "a.png", "a.csv", "a.json"})
    EXPECT_EQ(written(samples::roofline(light_theme()), name), written(samples::roofline(light_theme()), name)) << name;
}

TEST_F(Export, ExtensionInAnyCase) {
  EXPECT_EQ(written(samples::roofline(light_theme()), "A.PDF").rfind("%PDF", 0), 0u);
}

TEST_F(Export, CsvQuotesWhereNeeded) {
  Plot plot;
  plot.columns = {"a", "b"};
  plot.rows = {{"1", "x,y"}, {"say \"hi\"", "two\nlines"}};
  EXPECT_EQ(to_csv(plot), "a,b\n1,\"x,y\"\n\"say \"\"hi\"\"\",\"two\nlines\"\n");
}

TEST_F(Export, JsonKeepsNumbersNumbers) {
  Plot plot;
  plot.title = "t";
  plot.columns = {"n", "s", "none", "odd"};
  plot.rows = {{"0.25", "csr", "", "nan"}};
  const auto j = nlohmann::json::parse(to_json(plot));
  EXPECT_EQ(j["rows"][0]["n"], 0.25);
  EXPECT_EQ(j["rows"][0]["s"], "csr");
  EXPECT_TRUE(j["rows"][0]["none"].is_null());
  EXPECT_EQ(j["rows"][0]["odd"], "nan");
  plot.title = "broken \xFF name";
  EXPECT_TRUE(nlohmann::json::parse(to_json(plot)).is_object());
}

TEST_F(Export, UnknownExtensionNamesTheKnownOnes) {
  for (const char* name : {"a.bmp", "noextension"}) try {
      export_plot(samples::roofline(light_theme()), path(name));
      ADD_FAILURE() << name;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(".svg, .pdf, .png, .pgf, .tex, .csv, .json"), std::string::npos) << e.what();
    }
  EXPECT_EQ(files(), 0u);
}

TEST_F(Export, TexLeavesThePictureOfTheSameName) {
  const Plot plot = samples::spy(light_theme());
  const std::string picture = written(plot, "a.png");
  EXPECT_NE(written(plot, "a.tex").find("{a-tex.png}"), std::string::npos);
  EXPECT_EQ(read("a.png"), picture);
  EXPECT_EQ(read("a-tex.png").substr(1, 3), "PNG");
}

TEST_F(Export, UnwritablePathLeavesNothing) {
  EXPECT_THROW(export_plot(samples::roofline(light_theme()), path("missing/a.svg")), Error);
  fs::create_directory(folder_ / "taken.svg");
  EXPECT_THROW(export_plot(samples::roofline(light_theme()), path("taken.svg")), Error);
  EXPECT_EQ(files(), 1u);  // the folder itself
  try {
    export_plot(samples::roofline(light_theme()), path("missing/a.svg"));
  } catch (const Error& e) {
    EXPECT_EQ(e.where, path("missing/a.svg"));
    EXPECT_FALSE(e.remedy.empty());
  }
}

TEST_F(Export, ImpossibleSizesAreRefused) {
  for (const auto& [w, h] : {std::pair{0.0, 10.0}, {10.0, -1.0}, {1e6, 10.0}, {std::nan(""), 10.0}})
    EXPECT_THROW(export_plot(samples::roofline(light_theme()), path("a.png"), w, h), Error);
  EXPECT_EQ(files(), 0u);
}

TEST_F(Export, WritePngKeepsPixels) {
  const std::uint32_t pixels[] = {0xFF0000FF, 0xFF00FF00, 0xFFFF0000, 0xFF123456};
  write_png(path("a.png"), 2, 2, pixels);
  cairo_surface_t* s = cairo_image_surface_create_from_png(path("a.png").c_str());
  ASSERT_EQ(cairo_surface_status(s), CAIRO_STATUS_SUCCESS);
  const auto* row = reinterpret_cast<const std::uint32_t*>(cairo_image_surface_get_data(s));
  EXPECT_EQ(row[0] & 0xFFFFFF, 0xFF0000u);  // red is the lowest byte of RGBA
  EXPECT_EQ(row[1] & 0xFFFFFF, 0x00FF00u);
  cairo_surface_destroy(s);
  EXPECT_THROW(write_png(path("b.png"), 0, 2, pixels), Error);
}

TEST(CairoCanvas, EnlargesCellsWithoutBlur) {
  CairoCanvas canvas = CairoCanvas::raster(40, 20, 1);
  const std::uint32_t cells[] = {0xFF0000FF, 0xFFFFFFFF};
  canvas.image({0, 0, 40, 20}, 2, 1, cells);
  const auto pixels = canvas.pixels();
  for (int x = 0; x < 40; ++x)
    EXPECT_EQ(pixels[static_cast<std::size_t>(5 * 40 + x)], x < 20 ? cells[0] : cells[1]) << x;
}

TEST(CairoCanvas, LosesNoCellWhenShrinking) {
  // One dark cell among 1000 x 10, drawn on 100 x 10 pixels, still darkens one.
  std::vector<std::uint32_t> cells(10000, 0xFFFFFFFF);
  cells[5003] = 0xFF000000;
  CairoCanvas canvas = CairoCanvas::raster(100, 10, 1);
  canvas.image({0, 0, 100, 10}, 1000, 10, cells);
  const auto pixels = canvas.pixels();
  EXPECT_TRUE(std::any_of(pixels.begin(), pixels.end(), [](std::uint32_t p) { return (p & 255) < 250; }));
}

}  // namespace
}  // namespace warpspy::plot
