// The faces of the window and of every figure: Inter and JetBrains Mono (SIL Open Font License, assets/fonts). They are
// part of the program, so that no figure depends on installed fonts.
#pragma once

#include <span>

#include "core/plot/canvas.hpp"

typedef struct _cairo_font_face cairo_font_face_t;

namespace warpspy::plot {

// The bytes of the face's file (OpenType or TrueType), for as long as the program runs.
std::span<const unsigned char> font_file(Font font);

// The face for Cairo. It belongs to the process, and any thread may use it. Throws Error.
cairo_font_face_t* cairo_face(Font font);

}  // namespace warpspy::plot
