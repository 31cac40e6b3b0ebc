// Shows whose each row of the pattern is: a band in the margin and a tint across it, in the colours of the GPUs.
#pragma once

#include "ui/spy/paint.hpp"

namespace warpspy::ui {

// The colour of a GPU, from 0 on. Six colours take turns.
Color owner_color(std::int32_t part);

// The part that has most of the rows [row0, row1), which must not be empty. Of many rows 64 are looked at, evenly
// spaced.
std::int32_t most_rows_of(const RowOwners& owners, index_t row0, index_t row1);

// The rows' owners, if they are known and are those of this matrix; else nullptr.
const RowOwners* shown_owners(const AppState& s, const OpenMatrix& m);

void paint_owners(const SpyScene& s, const RowOwners& owners, float scale, ImDrawList* list);

}  // namespace warpspy::ui
