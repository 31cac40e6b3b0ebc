// Finds which rows of a matrix have how much padding in a format.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/format.hpp"

namespace warpspy {

// Tells how many slots rows take: entries, padding, and entries that are stored elsewhere (in COO or CSR). Rows are
// counted in groups, in the order of the format.
struct PaddingProfile {
  struct Group {
    index_t rows = 0;
    index_t entries = 0, padding = 0, rest = 0;
  };
  std::vector<Group> groups;
  std::string order = "rows";  // order of the rows: "rows", "rows, longest first"
  std::string rest;            // where the other entries are: "in COO"; empty: no others
  index_t padding() const;
};
// The slots that each row of the matrix takes. Padding below the last row (alignment) belongs to no row and is left
// out. Returns nothing for formats whose padding belongs to no row (PKT, LMA). O(rows), O(nnz) for BSR. Throws Error
// for bad parameters.
std::optional<PaddingProfile> padding_profile(const FormatFacts& facts, const std::string& format,
                                              const ParamSet& params, const Estimate& estimate, int most_groups = 160);

// The argument of FormatRow::padding: it answers questions about the matrix, and takes the report of every row, once.
class PaddingRows {
 public:
  PaddingRows(const FormatFacts& facts_of, const ParamSet& given, const Estimate& estimate_of, int most_groups);

  const FormatFacts& facts;
  const ParamSet& params;
  const Estimate& estimate;
  PaddingProfile profile;  // the format sets `order` and `rest`

  // Reports a row with `length` entries. It has `width` slots in the part of the format that pads. `row` counts in the
  // format's order.
  void add(index_t row, index_t length, index_t width);
  // Adds all rows in the order of the matrix.
  void add_all(const std::function<index_t(index_t length)>& width);
  // Calls f(row, length) for the rows in order of their lengths.
  void by_length(bool longest_first, const std::function<void(index_t row, index_t length)>& f) const;
  // A fact of the estimate as a whole number; 0 when there is none.
  index_t fact(const std::string& name) const;

 private:
  index_t each_;  // rows of a group
};

// The function for formats that pad no row (FormatRow::padding).
void no_padding(PaddingRows& to);

}  // namespace warpspy
