// PGF for LaTeX. Where LaTeX is, it compiles.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "cases.hpp"
#include "core/base/types.hpp"
#include "core/plot/export.hpp"
#include "core/plot/pgf_canvas.hpp"

namespace warpspy::plot {
namespace {

namespace fs = std::filesystem;

fs::path folder() {
  const fs::path path = fs::path(::testing::TempDir()) / "warpspy_pgf";
  fs::create_directories(path);
  return path;
}
std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Pgf, WordsAreEscaped) {
  EXPECT_EQ(latex_of("a_b 50 % {x} #1 \\ C^2"), "a\\_b 50 \\% \\{x\\} \\#1 \\textbackslash{} C\\textasciicircum{}2");
  EXPECT_EQ(latex_of("2 \xC3\x97 3 \xC2\xB5s \xE2\x88\x92"
                     "1"),
            "2 $\\times$ 3 $\\mu$s $-$1");
}

TEST(Pgf, BracesAndScopesAreClosed) {
  const Page page = page_of(*page_preset("column"));
  for (const samples::Case& c : samples::kCases) {
    SCOPED_TRACE(c.name);
    const fs::path file = folder() / (std::string(c.name) + ".pgf");
    try {
      export_plot(c.make(theme_of(page)), file, page);
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("use .pdf"), std::string::npos) << e.what();
      continue;
    }
    const std::string text = read(file);
    int depth = 0;
    for (std::size_t k = 0; k < text.size() && depth >= 0; ++k) {
      if (text[k] == '\\') {
        ++k;
        continue;
      }
      depth += text[k] == '{' ? 1 : text[k] == '}' ? -1 : 0;
    }
    EXPECT_EQ(depth, 0);
    // Signs that pdflatex does not know without a package; letters with accents it does.
    for (std::size_t k = 0; k < text.size(); ++k) {
      const auto byte = static_cast<unsigned char>(text[k]);
      EXPECT_TRUE(byte < 0xC0 || byte == 0xC3u) << "near: " << text.substr(k > 20 ? k - 20 : 0, 40);
    }
    const auto count = [&](const std::string& words) {
      int n = 0;
      for (std::size_t at = 0; (at = text.find(words, at)) != std::string::npos; at += words.size()) ++n;
      return n;
    };
    EXPECT_EQ(count("\\begin{pgfscope}"), count("\\end{pgfscope}"));
    EXPECT_EQ(count("\\begin{pgfpicture}"), 1);
  }
}

// A page for each figure, in the document's own font, which runs wider than ours; a figure larger than its place would
// be an overfull line. WARPSPY_SHOW_PAGES names a folder where the document stays, with what we draw ourselves beside
// it.
class Latex : public ::testing::TestWithParam<const char*> {};
TEST_P(Latex, CompilesEveryFigure) {
  if (std::system("pdflatex --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no pdflatex";
  if (std::system("kpsewhich pgf.sty >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no PGF";
  const char* keep = std::getenv("WARPSPY_SHOW_PAGES");
  const fs::path place = fs::path(keep ? keep : folder().string()) / (std::string("latex_") + GetParam());
  fs::create_directories(place);
  const Page page = page_of(*page_preset(GetParam()));
  std::string body;
  int figures = 0;
  for (const samples::Case& c : samples::kCases) {
    const std::string name = std::string(c.name) + ".pgf";
    try {
      export_plot(c.make(theme_of(page)), place / name, page);
    } catch (const Error&) {
      continue;
    }
    if (keep) export_plot(c.make(theme_of(page)), place / (std::string(c.name) + ".pdf"), page);
    body += "\\input{" + name + "}\n\\newpage\n";
    ++figures;
  }
  const std::string width = std::to_string(page.width / kPxPerMm + 0.1);
  std::ofstream(place / "all.tex") << "\\documentclass{article}\n\\usepackage{pgf}\n"
                                   << "\\usepackage[hmargin=5mm,vmargin=5mm,textwidth=" << width
                                   << "mm,paperwidth=" << page.width / kPxPerMm + 10.1
                                   << "mm,paperheight=260mm]{geometry}\n"
                                   << "\\pagestyle{empty}\\parindent=0pt\n\\begin{document}\n"
                                   << body << "\\end{document}\n";
  const std::string run = "cd '" + place.string() + "' && pdflatex -halt-on-error all.tex >all.out 2>&1";
  ASSERT_EQ(std::system(run.c_str()), 0) << read(place / "all.out");
  const std::string log = read(place / "all.log");
  for (const char* bad : {"Overfull", "Missing character"})
    if (const auto at = log.find(bad); at != std::string::npos) ADD_FAILURE() << log.substr(at, 200);
  EXPECT_NE(log.find("(" + std::to_string(figures) + " page"), std::string::npos) << "a page each";
}
INSTANTIATE_TEST_SUITE_P(Pgf, Latex, ::testing::Values("column", "columns", "slide"),
                         [](const auto& preset) { return std::string(preset.param); });

}  // namespace
}  // namespace warpspy::plot
