// The arrays of a small matrix as the papers print them (Bell & Garland 2008, figures 5, 7, 10, 11 and 14): they show
// which slot of which array has which entry, and which slots are padding. core/plot draws this data.
#pragma once

#include <string>
#include <vector>

#include "core/formats/format.hpp"

namespace warpspy {

struct LayoutCell {
  std::size_t slot = 0;           // position in the array
  index_t row = -1, column = -1;  // the entry of the slot; -1 for padding and for elements that belong to no single
                                  // entry
  bool padding = false;
  std::string text;  // "5", "(3, 2)"; "*" for padding, as in the papers
};

// One array, or the part of one that belongs to a slice, packet or block, row by row as it is printed.
struct LayoutArray {
  std::string name;
  index_t rows = 0, cols = 0;
  std::vector<LayoutCell> cells;  // rows x cols, row-major
};

// Throws Error when the arrays have more than `most` elements: such a picture would be unreadable.
std::vector<LayoutArray> layout_of(const Format& format, std::size_t most = 20000);

}  // namespace warpspy
