// The program's own faces have every sign that the program writes.
#include <ft2build.h>
#include <gtest/gtest.h>
#include FT_FREETYPE_H

#include <iomanip>
#include <string>

#include "core/plot/cairo_canvas.hpp"
#include "core/plot/fonts.hpp"
#include "tests/drawn_signs.hpp"
#include "tests/paths.hpp"

namespace warpspy::plot {
namespace {

TEST(Fonts, EverySignThatTheProgramWritesIsInEveryFace) {
  const auto signs = drawn_signs::all(WARPSPY_SOURCE_DIR);
  // Signs that were there when this was written: the search finds them as themselves and as \x escapes.
  ASSERT_TRUE(signs.count(U'×'));
  ASSERT_TRUE(signs.count(U'−'));
  FT_Library library;
  ASSERT_EQ(FT_Init_FreeType(&library), 0);
  for (Font font : {Font::ui, Font::mono, Font::bold}) {
    const auto file = font_file(font);
    FT_Face face;
    ASSERT_EQ(FT_New_Memory_Face(library, file.data(), static_cast<FT_Long>(file.size()), 0, &face), 0);
    for (const auto& [sign, where] : signs)
      EXPECT_NE(FT_Get_Char_Index(face, sign), 0u)
          << face->family_name << " lacks U+" << std::hex << static_cast<unsigned>(sign) << ", written by " << where;
    FT_Done_Face(face);
  }
  FT_Done_FreeType(library);
}

// Widths are the files' own: what is installed on the machine has no say.
TEST(Fonts, FiguresUseThem) {
  FT_Library library;
  ASSERT_EQ(FT_Init_FreeType(&library), 0);
  const CairoCanvas canvas = CairoCanvas::raster(1, 1, 1);
  for (Font font : {Font::ui, Font::mono, Font::bold}) {
    const auto file = font_file(font);
    FT_Face face;
    ASSERT_EQ(FT_New_Memory_Face(library, file.data(), static_cast<FT_Long>(file.size()), 0, &face), 0);
    double units = 0;
    for (const char c : std::string("Roofline 27-point")) {
      ASSERT_EQ(FT_Load_Char(face, static_cast<FT_ULong>(c), FT_LOAD_NO_SCALE), 0);
      units += static_cast<double>(face->glyph->metrics.horiAdvance);
    }
    EXPECT_NEAR(canvas.text_width("Roofline 27-point", 100, font), 100 * units / face->units_per_EM, 0.5);
    FT_Done_Face(face);
  }
  FT_Done_FreeType(library);
}

}  // namespace
}  // namespace warpspy::plot
