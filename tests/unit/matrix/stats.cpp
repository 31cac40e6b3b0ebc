#include "core/matrix/stats.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

namespace warpspy {
namespace {

// A matrix from rows of (column, value).
Csr matrix(index_t cols, const std::vector<std::vector<std::pair<int, double>>>& rows) {
  std::vector<index_t> ptr{0};
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (const auto& row : rows) {
    for (const auto& [col, value] : row) {
      columns.push_back(col);
      values.push_back(value);
    }
    ptr.push_back(static_cast<index_t>(columns.size()));
  }
  return Csr(static_cast<index_t>(rows.size()), cols, ptr, Indices(columns), values);
}

Csr with_lengths(const std::vector<int>& lengths) {
  std::vector<std::vector<std::pair<int, double>>> rows(lengths.size());
  for (std::size_t i = 0; i < lengths.size(); ++i)
    for (int c = 0; c < lengths[i]; ++c) rows[i].push_back({c, 1});
  return matrix(1000, rows);
}

// By hand: mean 16/5; variance 62.8/5; third central moment over variance^1.5.
TEST(RowStats, KnownDistribution) {
  const RowStats s = row_stats(with_lengths({3, 0, 10, 1, 2}));
  EXPECT_EQ(s.min, 0);
  EXPECT_EQ(s.max, 10);
  EXPECT_EQ(s.empty, 1);
  EXPECT_DOUBLE_EQ(s.q1, 1);
  EXPECT_DOUBLE_EQ(s.median, 2);
  EXPECT_DOUBLE_EQ(s.q3, 3);
  EXPECT_DOUBLE_EQ(s.mean, 3.2);
  EXPECT_DOUBLE_EQ(s.variance, 12.56);
  EXPECT_NEAR(s.skew, 1.2099004414720, 1e-12);
  EXPECT_EQ(s.longest, (std::vector<index_t>{2, 0, 4, 3, 1}));
  EXPECT_EQ(s.histogram, (std::vector<index_t>{1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1}));
}

TEST(RowStats, QuartilesInterpolate) {
  const RowStats s = row_stats(with_lengths({1, 2, 3, 4}));
  EXPECT_DOUBLE_EQ(s.q1, 1.75);
  EXPECT_DOUBLE_EQ(s.median, 2.5);
  EXPECT_DOUBLE_EQ(s.q3, 3.25);
}

TEST(RowStats, EqualRowsHaveNoSpread) {
  const RowStats s = row_stats(with_lengths(std::vector<int>(7, 3)));
  EXPECT_EQ(s.variance, 0);
  EXPECT_EQ(s.skew, 0);
  EXPECT_EQ(s.longest.size(), 7u);
}

TEST(RowStats, NoRows) {
  const RowStats s = row_stats(matrix(3, {}));
  EXPECT_EQ(s.max, 0);
  EXPECT_EQ(s.mean, 0);
  EXPECT_TRUE(s.longest.empty());
}

TEST(RowStats, AgreesWithSorting) {
  EXPECT_TRUE(rc::check([] {
    const auto lengths = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 60)));
    const RowStats s = row_stats(with_lengths(lengths));
    auto sorted = lengths;
    std::sort(sorted.begin(), sorted.end());
    const auto at = [&](double q) {
      const double x = q * static_cast<double>(sorted.size() - 1);
      const auto i = static_cast<std::size_t>(x);
      const double next = sorted[std::min(i + 1, sorted.size() - 1)];
      return sorted[i] + (x - static_cast<double>(i)) * (next - sorted[i]);
    };
    RC_ASSERT(s.min == sorted.front());
    RC_ASSERT(s.max == sorted.back());
    RC_ASSERT(s.empty == std::count(sorted.begin(), sorted.end(), 0));
    RC_ASSERT(std::abs(s.q1 - at(0.25)) < 1e-9);
    RC_ASSERT(std::abs(s.median - at(0.5)) < 1e-9);
    RC_ASSERT(std::abs(s.q3 - at(0.75)) < 1e-9);
    // Longest first, ties by row, up to 20.
    std::vector<index_t> order(lengths.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<index_t>(i);
    std::stable_sort(order.begin(), order.end(), [&](index_t x, index_t y) { return lengths[x] > lengths[y]; });
    order.resize(std::min<std::size_t>(order.size(), 20));
    RC_ASSERT(s.longest == order);
  }));
}

TEST(Structure, CountsWhatIsStored) {
  // 5 0* .    0* is a stored zero
  // 0*. 7
  // 2 7 .
  const Structure s = structure_of(matrix(3, {{{0, 5}, {1, 0}}, {{0, 0}, {2, 7}}, {{0, 2}, {1, 7}}}));
  EXPECT_EQ(s.lower_bandwidth, 2);
  EXPECT_EQ(s.upper_bandwidth, 1);
  EXPECT_EQ(s.bandwidth(), 2);
  EXPECT_EQ(s.explicit_zeros, 2);
  EXPECT_EQ(s.diagonal_entries, 1);
  EXPECT_DOUBLE_EQ(s.pattern_symmetry, 4.0 / 5);
  EXPECT_DOUBLE_EQ(s.value_symmetry, 4.0 / 5);
}

TEST(Structure, ValuesCanBreakSymmetry) {
  const Structure s = structure_of(matrix(2, {{{1, 3}}, {{0, -3}}}));
  EXPECT_EQ(s.pattern_symmetry, 1);
  EXPECT_EQ(s.value_symmetry, 0);
}

TEST(Structure, OneSidedAndDegenerate) {
  const Structure upper = structure_of(matrix(3, {{{2, 1}}, {}, {}}));
  EXPECT_EQ(upper.lower_bandwidth, 0);
  EXPECT_EQ(upper.upper_bandwidth, 2);
  EXPECT_EQ(upper.pattern_symmetry, 0);
  EXPECT_EQ(structure_of(matrix(2, {{{0, 1}}, {{1, 1}}})).pattern_symmetry, 1) << "diagonal";
  EXPECT_EQ(structure_of(matrix(5, {{{4, 1}}})).pattern_symmetry, -1) << "not square";
  EXPECT_EQ(structure_of(matrix(0, {})).bandwidth(), 0);
}

TEST(Info, HasTheKeys) {
  Matrix m;
  m.csr = std::make_shared<const Csr>(matrix(3, {{{0, 5}, {1, 0}}, {}, {{2, 1}}}));
  m.source.name = "small";
  m.source.field = "integer";
  m.source.entries_in_file = 3;
  const auto j = nlohmann::json::parse(info_json(m, facts_of(*m.csr)));
  EXPECT_EQ(j["rows"], 3);
  EXPECT_EQ(j["cols"], 3);
  EXPECT_EQ(j["nnz"], 3);
  EXPECT_EQ(j["entries_in_file"], 3);
  EXPECT_EQ(j["field"], "integer");
  EXPECT_EQ(j["symmetry"], "general");
  EXPECT_EQ(j["explicit_zeros"], 1);
  EXPECT_EQ(j["empty_rows"], 1);
  EXPECT_EQ(j["bandwidth"], 1);
  for (const char* key : {"min", "q1", "median", "q3", "max", "mean", "variance"})
    EXPECT_TRUE(j["row_length"].contains(key)) << key;
  EXPECT_EQ(j["row_length"]["max"], 2);
  EXPECT_DOUBLE_EQ(j["row_length"]["mean"], 1);
}

}  // namespace
}  // namespace warpspy
