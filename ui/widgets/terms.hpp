// Explains the field's words (such as warp or sector), when the mouse rests on them and as a list.
#pragma once

#include <string>

#include "core/catalog/terms.hpp"
#include "ui/look/look.hpp"

namespace warpspy::ui {

// A term's name, picture and sentences at the cursor, as wide as `width`.
void show_term(const Look& l, const Term& t, float width);

// A picture of cells, as terms have one (core/catalog/terms.hpp), at the cursor.
void show_cells(const Look& l, const char* picture, float width);

// Explains the last item, as tip() does, and the field's words in `words` (the item's text), at most two. Does nothing
// if there is nothing to explain.
void explain(const Look& l, const std::string& words, const std::string& help);

// The field's words in a text, as a row of words that explain themselves when the mouse rests on them or the
// keys come to them.
void term_row(const Look& l, const std::string& text);

}  // namespace warpspy::ui
