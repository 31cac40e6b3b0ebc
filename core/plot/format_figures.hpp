// Figures of storage formats: the arrays of a small matrix as the papers print them, and where a large matrix has
// padding. They are pure functions from data to a Plot.
#pragma once

#include "core/formats/budget.hpp"
#include "core/formats/layout.hpp"
#include "core/formats/padding.hpp"
#include "core/plot/plot.hpp"

namespace warpspy::plot {

// The arrays of a built format (Bell & Garland 2008, figures 5, 7, 10, 11 and 14), the matrix itself before them where
// it has at most `kMostPrinted` rows and columns. Cells that belong to one entry of the matrix share a tag. Rows that
// are padding to the last cell are printed once, with their number.
Plot layout_figure(const Matrix& m, const Format& format, const std::string& label, const Theme& theme);
inline constexpr index_t kMostPrinted = 16;
// Draws arrays in the form of layout_of() that come from another source.
Plot layout_figure(std::vector<LayoutArray> arrays, const std::string& title, const Theme& theme);

// Draws how many slots rows take: entries, padding, and entries that are stored elsewhere (in COO or CSR).
Plot padding_figure(const std::string& matrix, const std::string& format, const PaddingProfile& profile,
                    const Estimate& estimate, const Theme& theme);

// Tells which picture of a format: automatic shows its arrays if the matrix has at most kMostPrintedRows rows, else
// where the padding is.
enum class FormatPicture : std::uint8_t { automatic, arrays, padding };
inline constexpr index_t kMostPrintedRows = 64;
struct FormatChoice {
  std::string format;  // id
  ParamSet params;
  Precision precision = Precision::f32;
  RealView view = RealView::real_part;
  bool operator==(const FormatChoice&) const = default;
};
// Builds the format if its arrays are printed. Throws Error if the format cannot store the matrix, exceeds the budget,
// or has no such picture, and Cancelled.
Plot format_figure(const Matrix& m, const FormatFacts& facts, const FormatChoice& choice, FormatPicture picture,
                   const Budget& budget, const Theme& theme, Progress& progress);

}  // namespace warpspy::plot
