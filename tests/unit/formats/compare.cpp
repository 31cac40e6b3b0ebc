// The comparison of a built format with its matrix sees what is wrong, and only that.
#include "core/formats/compare.hpp"

#include <gtest/gtest.h>

#include "core/generate/generate.hpp"
#include "entries.hpp"

namespace warpspy {
namespace {

TEST(Compare, SeesAChangedEntry) {
  const Csr a(2, 2, {0, 1, 2}, Indices(std::vector<std::int32_t>{0, 1}), {1, 2});
  const Csr moved(2, 2, {0, 1, 2}, Indices(std::vector<std::int32_t>{1, 1}), {1, 2});
  const Csr changed(2, 2, {0, 1, 2}, Indices(std::vector<std::int32_t>{0, 1}), {2, 1});
  const Csr lost(2, 2, {0, 1, 1}, Indices(std::vector<std::int32_t>{0}), {1});
  Progress p;
  const auto built = testing::built(format_row("csr"), a, Precision::f32);
  EXPECT_EQ(difference(a, *built, Precision::f32, RealView::real_part, p), "");
  for (const Csr* other : {&moved, &changed, &lost})
    EXPECT_NE(difference(*other, *built, Precision::f32, RealView::real_part, p), "");
}

Matrix mesh(int degree) {
  Progress p;
  return generate("fem_quad?nx=5&ny=4&degree=" + std::to_string(degree), p);
}

std::string difference_of(const Matrix& m, Precision precision) {
  Progress p;
  const auto built = testing::built(format_row("lma"), FormatFacts(m), precision);
  return difference(*m.csr, *built, precision, RealView::real_part, p);
}

TEST(Compare, ContributionsOfElementsAddUpToTheEntries) {
  for (const int degree : {1, 2, 3, 4})
    for (const Precision precision : {Precision::f32, Precision::f64})
      EXPECT_EQ(difference_of(mesh(degree), precision), "") << degree << name_of(precision);
}

// An error a little above what rounding can do is seen, in either precision; one far below is rounding.
TEST(Compare, TheToleranceIsRoundingAndNoMore) {
  for (const auto& [precision, unit] : {std::pair{Precision::f32, 0x1p-24}, {Precision::f64, 0x1p-53}})
    for (const auto& [times, seen] : {std::pair{100.0, true}, {-100.0, true}, {0.0, false}}) {
      Matrix m = mesh(2);
      auto changed = std::make_shared<ElementMatrices>(*m.elements);
      const auto largest = std::max_element(changed->matrices.begin(), changed->matrices.end(),
                                            [](double x, double y) { return std::abs(x) < std::abs(y); });
      *largest *= 1 + times * unit;
      m.elements = changed;
      EXPECT_EQ(!difference_of(m, precision).empty(), seen) << name_of(precision) << times;
    }
}

TEST(Compare, ALostOrStrayContributionIsSeen) {
  Matrix m = mesh(1);
  const Csr& a = *m.csr;
  Progress p;
  const auto built = testing::built(format_row("lma"), FormatFacts(m), Precision::f64);
  // The matrix without its first entry, and with one more.
  std::vector<index_t> ptr(a.row_ptr().begin(), a.row_ptr().end());
  std::vector<std::int32_t> columns;
  for (index_t k = 0; k < a.nnz(); ++k) columns.push_back(static_cast<std::int32_t>(a.columns()[k]));
  std::vector<double> values(a.values().begin(), a.values().end());
  auto fewer_ptr = ptr, more_ptr = ptr;
  for (std::size_t r = 1; r < ptr.size(); ++r) --fewer_ptr[r], ++more_ptr[r];
  const Csr fewer(a.rows(), a.cols(), fewer_ptr, Indices(std::vector(columns.begin() + 1, columns.end())),
                  std::vector(values.begin() + 1, values.end()));
  EXPECT_NE(difference(fewer, *built, Precision::f64, RealView::real_part, p).find("is no entry"), std::string::npos);
  const auto end = static_cast<std::ptrdiff_t>(ptr[1]);
  ASSERT_LT(columns[end - 1], a.cols() - 1);
  auto more_columns = columns;
  auto more_values = values;
  more_columns.insert(more_columns.begin() + end, static_cast<std::int32_t>(a.cols() - 1));
  more_values.insert(more_values.begin() + end, 0.0);
  const Csr more(a.rows(), a.cols(), more_ptr, Indices(more_columns), more_values);
  EXPECT_NE(difference(more, *built, Precision::f64, RealView::real_part, p).find("no contribution"),
            std::string::npos);
}

}  // namespace
}  // namespace warpspy
