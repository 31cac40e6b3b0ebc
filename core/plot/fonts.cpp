#include "core/plot/fonts.hpp"

#include <cairo-ft.h>

#include <array>

#include "core/base/types.hpp"

// The assembler puts the files into the program as they are: a C++ array of their bytes would take seconds to compile.
// clang-format off
#define WARPSPY_EMBED(name, file)                                             \
  __asm__(".pushsection .rodata\n"                                            \
          ".global " #name "\n"      ".hidden " #name "\n"                     \
          ".global " #name "_end\n"  ".hidden " #name "_end\n"                 \
          ".balign 16\n"                                                      \
          #name ":\n"                                                         \
          ".incbin \"" WARPSPY_FONTS "/" file "\"\n"                           \
          #name "_end:\n"                                                     \
          ".popsection\n");                                                   \
  extern "C" __attribute__((visibility("hidden"))) const unsigned char name[], name##_end[]
// clang-format on

WARPSPY_EMBED(warpspy_inter_regular, "Inter-Regular.otf");
WARPSPY_EMBED(warpspy_inter_semibold, "Inter-SemiBold.otf");
WARPSPY_EMBED(warpspy_jetbrains_mono, "JetBrainsMono-Regular.ttf");

namespace warpspy::plot {
namespace {

// The font faces, opened by FreeType from memory. Opening them by name would ask fontconfig, which may return other
// fonts. They are never closed, since Cairo caches glyphs, and with them the face, until the process ends.
struct Faces {
  std::array<cairo_font_face_t*, 3> of{};
  Faces() {
    FT_Library library = nullptr;
    if (FT_Init_FreeType(&library) != 0) return;
    for (Font font : {Font::ui, Font::mono, Font::bold}) {
      const auto file = font_file(font);
      FT_Face face = nullptr;
      if (FT_New_Memory_Face(library, file.data(), static_cast<FT_Long>(file.size()), 0, &face) == 0)
        of[static_cast<std::size_t>(font)] = cairo_ft_font_face_create_for_ft_face(face, 0);
    }
  }
};

}  // namespace

std::span<const unsigned char> font_file(Font font) {
  switch (font) {
    case Font::mono:
      return {warpspy_jetbrains_mono, warpspy_jetbrains_mono_end};
    case Font::bold:
      return {warpspy_inter_semibold, warpspy_inter_semibold_end};
    default:
      return {warpspy_inter_regular, warpspy_inter_regular_end};
  }
}

cairo_font_face_t* cairo_face(Font font) {
  static const Faces faces;
  cairo_font_face_t* face = faces.of[static_cast<std::size_t>(font)];
  if (!face)
    throw Error("the program's own fonts could not be opened", {}, "the program may be damaged: install it again");
  return face;
}

}  // namespace warpspy::plot
