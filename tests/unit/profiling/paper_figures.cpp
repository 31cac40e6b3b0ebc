// Bell & Garland 2008, figures 16, 18, 21 and 23: what the warps of our kernels read of the matrix of their section 3,
// against what the paper prints.
#include <gtest/gtest.h>

#include "core/plot/theme.hpp"
#include "core/plot/warp_figure.hpp"
#include "tests/unit/profiling/paper_warps.hpp"

using namespace warpspy;

namespace {

std::vector<WarpTrace> warps_of(const std::string& kernel, const ParamSet& params, const ParamSet& format = {}) {
  return warpspy::testing::paper_warps(kernel, params, format);
}

// The cells of a table, one after another; "." where nobody reads.
std::string cells(const plot::Table& t) {
  std::string text;
  for (const plot::Table::Cell& c : t.cells) text += (text.empty() ? "" : " ") + (c.text.empty() ? "." : c.text);
  return text;
}

void expect_rows(const plot::Plot& figure, const std::vector<std::string>& rows) {
  ASSERT_EQ(figure.tables.size(), rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) EXPECT_EQ(cells(figure.tables[k]), rows[k]) << figure.tables[k].name;
}

// The paper's diagonals are four rows long; ours begin aligned, so that here an alignment of four is asked for. Of
// padding nothing is read.
TEST(PaperFigures, Figure16Dia) {
  expect_rows(plot::access_figure(warps_of("dia", {{"block_size", 32}}, {{"alignment", 4}}), "values",
                                  plot::AccessRows::iterations),
              {". . 5 6 1 2 3 4 7 8 9", ". . 2 3 . . . . . . .", ". . . . 0 1 2 3 . . .", ". . . . . . . . 0 1 2"});
}

TEST(PaperFigures, Figure18Ell) {
  const auto warps = warps_of("ell", {{"block_size", 32}}, {{"alignment", 4}});
  // Ours reads the column to find out that a slot is padding, where the paper's reads the value.
  expect_rows(
      plot::access_figure(warps, "columns", plot::AccessRows::iterations),
      {"1 2 5 6 7 8 3 4 * * 9 *", "0 1 2 3 . . . . . . . .", ". . . . 0 1 2 3 . . . .", ". . . . . . . . 0 1 2 3"});
  expect_rows(plot::access_figure(warps, "values", plot::AccessRows::iterations),
              {"1 2 5 6 7 8 3 4 . . 9", "0 1 2 3 . . . . . . .", ". . . . 0 1 2 3 . . .", ". . . . . . . . . . 2"});
}

TEST(PaperFigures, Figure21CsrScalar) {
  expect_rows(plot::access_figure(warps_of("csr_scalar", {{"block_size", 32}}), "values", plot::AccessRows::iterations),
              {"1 7 2 8 5 3 9 6 4", "0 . 1 . 2 . . 3 .", ". 0 . 1 . 2 . . 3", ". . . . . . 2 . ."});
}

TEST(PaperFigures, Figure23CsrVector) {
  const auto figure = plot::access_figure(warps_of("csr_vector", {{"coop", 32}, {"block_size", 32}}), "values",
                                          plot::AccessRows::warps);
  expect_rows(figure, {"1 7 2 8 5 3 9 6 4", "0 0 . . . . . . .", ". . 1 1 . . . . .", ". . . . 2 2 2 . .",
                       ". . . . . . . 3 3"});
  EXPECT_EQ(figure.tables[2].name, "warp 1");
}

TEST(PaperFigures, WhatCannotBePrintedIsRefused) {
  const auto warps = warps_of("csr_scalar", {{"block_size", 32}});
  EXPECT_THROW(plot::access_figure(warps, "nothing", plot::AccessRows::warps), Error);
  EXPECT_THROW(plot::access_figure({}, "values", plot::AccessRows::warps), Error);
}

}  // namespace
