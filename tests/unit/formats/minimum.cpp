// What a product must move at least.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/formats/format.hpp"
#include "entries.hpp"

namespace warpspy {
namespace {

// Rows of 1, 1, 1 and 5 entries, 8 columns: 8 entries, in ELL 20 slots.
Csr uneven() {
  return testing::random_rows(4, 8, [](index_t row) { return row == 3 ? 5 : 1; }, 1);
}

std::size_t least(const std::string& format, const Csr& a, const ParamSet& params) {
  return minimum_bytes(format_row(format).estimate(a, Precision::f32, params), a, Precision::f32);
}

TEST(LeastBytes, ALoneEllColumnIsReadAPaddedValueIsNot) {
  const Csr a = uneven();
  const std::size_t vectors = (8 + 4) * 4;
  for (const double alignment : {1.0, 32.0})  // rows below the last are nobody's
    EXPECT_EQ(least("ell", a, {{"alignment", alignment}}), 20u * 4 + 8 * 4 + vectors) << alignment;
  EXPECT_EQ(least("ell", a, {{"row_lengths", 1}}), 8u * 4 + 8 * 4 + 4 * 4 + vectors);
}

TEST(LeastBytes, AreNeverMoreThanAllArraysAndNeverLessThanTheEntries) {
  for (const testing::Shape& shape : testing::format_shapes()) {
    const FormatFacts facts(shape.matrix);
    for (const FormatRow& row : formats()) {
      Estimate e;
      try {
        e = row.estimate(facts, Precision::f64, checked_params(row.info.params, {}));
      } catch (const Error&) {
        continue;  // this format cannot hold it
      }
      const Csr& a = facts.csr();
      const auto entries = static_cast<std::size_t>(a.nnz()) * 8;
      const auto vectors = static_cast<std::size_t>(a.rows() + a.cols()) * 8;
      const std::size_t minimum = minimum_bytes(e, a, Precision::f64);
      EXPECT_LE(minimum, e.bytes() + vectors) << row.info.id << " " << shape.name;
      if (row.from_elements) continue;  // an entry is the sum of several slots
      // A compact format may have less for values than they take.
      const std::size_t stored = row.info.compact() ? std::min(entries, e.bytes(ArraySize::Kind::values)) : entries;
      EXPECT_GE(minimum, stored + vectors) << row.info.id << " " << shape.name;
    }
  }
}

TEST(LeastBytes, AnAbsurdFormatStaysAbsurd) {
  Estimate e;
  e.arrays = {{"values", ArraySize::Kind::values, SIZE_MAX}};
  e.skippable = SIZE_MAX;
  EXPECT_EQ(minimum_bytes(e, uneven(), Precision::f32), SIZE_MAX);
}

}  // namespace
}  // namespace warpspy
