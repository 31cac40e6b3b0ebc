// Stand-ins: the figures of the table, to the entry or within one percent.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <ostream>
#include <string>

#include "core/generate/collection_table.hpp"
#include "core/generate/generate.hpp"
#include "core/generate/makers.hpp"
#include "core/generate/row_lengths.hpp"
#include "core/matrix/stats.hpp"

namespace warpspy {

namespace generate_detail {
// How a failing test names its parameter.
static void PrintTo(const CollectionFacts& facts, std::ostream* out) { *out << facts.name; }
}  // namespace generate_detail

namespace {

using generate_detail::collection_table;
using generate_detail::CollectionFacts;
using generate_detail::Contents;
using generate_detail::RowLengths;
using generate_detail::Shuffle;

Matrix like(const std::string& name, int seed = 1) {
  Progress progress;
  return generate("like?name=" + name + "&seed=" + std::to_string(seed), progress);
}

// gtest test names are letters, digits and underscores.
std::string plain(std::string_view name) {
  std::string text(name);
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return text;
}

void expect_within_one_percent(double is, double should_be, const char* what) {
  EXPECT_NEAR(is, should_be, 0.01 * std::abs(should_be)) << what;
}

bool same(const Csr& a, const Csr& b) {
  return std::equal(a.row_ptr().begin(), a.row_ptr().end(), b.row_ptr().begin(), b.row_ptr().end()) &&
         a.columns().visit([&](auto x) {
           return b.columns().visit([&](auto y) { return std::equal(x.begin(), x.end(), y.begin(), y.end()); });
         }) &&
         std::equal(a.values().begin(), a.values().end(), b.values().begin(), b.values().end());
}

class Lengths : public testing::TestWithParam<CollectionFacts> {};
INSTANTIATE_TEST_SUITE_P(Collection, Lengths, testing::ValuesIn(collection_table().begin(), collection_table().end()),
                         [](const auto& each) { return plain(each.param.name); });

// Every name of the table: the lengths are cheap.
TEST_P(Lengths, HaveTheFigures) {
  const CollectionFacts& facts = GetParam();
  const RowLengths lengths(facts);
  index_t sum = 0;
  for (index_t rank = 0; rank < facts.rows; rank += std::max<index_t>(1, facts.rows / 1000))
    ASSERT_LE(lengths.at_rank(rank), lengths.at_rank(std::min(facts.rows - 1, rank + 1)));
  const auto& runs = lengths.runs();
  for (std::size_t k = 0; k < runs.size(); ++k)
    sum += runs[k].length * ((k + 1 < runs.size() ? runs[k + 1].first_rank : facts.rows) - runs[k].first_rank);
  EXPECT_EQ(sum, facts.nnz);
  EXPECT_EQ(lengths.at_rank(0), facts.row_min);
  EXPECT_EQ(lengths.at_rank(facts.rows - 1), facts.row_max);
  expect_within_one_percent(lengths.variance(), facts.row_variance, "variance");
}

// The whole matrix. Those of more than two million entries take too long for every run:
// WARPSPY_FULL=1 test_generate --gtest_filter='*StandIn*' makes them all.
class StandIn : public testing::TestWithParam<CollectionFacts> {};
INSTANTIATE_TEST_SUITE_P(Collection, StandIn, testing::ValuesIn(collection_table().begin(), collection_table().end()),
                         [](const auto& each) { return plain(each.param.name); });

TEST_P(StandIn, HasTheFigures) {
  const CollectionFacts& facts = GetParam();
  if (facts.nnz > 2'000'000 && facts.name != "amazon0505" && !std::getenv("WARPSPY_FULL"))
    GTEST_SKIP() << "large; set WARPSPY_FULL=1 to make it";
  const auto start = std::chrono::steady_clock::now();
  const Matrix m = like(std::string(facts.name));
  RecordProperty(
      "milliseconds",
      static_cast<int>(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count()));
  ASSERT_EQ(m.csr->rows(), facts.rows);
  ASSERT_EQ(m.csr->cols(), facts.cols);
  ASSERT_EQ(m.csr->nnz(), facts.nnz);
  const RowStats rows = row_stats(*m.csr);
  EXPECT_EQ(rows.min, facts.row_min);
  EXPECT_EQ(rows.max, facts.row_max);
  expect_within_one_percent(rows.q1, facts.row_q1, "q1");
  expect_within_one_percent(rows.median, facts.row_median, "median");
  expect_within_one_percent(rows.q3, facts.row_q3, "q3");
  expect_within_one_percent(rows.variance, facts.row_variance, "variance");
  if (facts.rows != facts.cols) return;
  const Structure structure = structure_of(*m.csr);
  if (facts.pattern_symmetry == 1) {
    EXPECT_EQ(structure.pattern_symmetry, 1);
    EXPECT_EQ(m.source.symmetry, facts.numeric_symmetry == 1 ? "symmetric" : "general");
  } else {
    // One percent, or a thousandth of all entries where hardly any has a mirror (TSOPF_RS_b2383).
    EXPECT_NEAR(structure.pattern_symmetry, facts.pattern_symmetry, std::max(0.01 * facts.pattern_symmetry, 0.001));
  }
  // The index has three digits, and of values that are drawn so many are equal as luck has it.
  EXPECT_NEAR(structure.value_symmetry, facts.numeric_symmetry,
              facts.numeric_symmetry == 1 ? 0 : 0.002 + 0.01 * facts.numeric_symmetry);
  const bool ones = std::all_of(m.csr->values().begin(), m.csr->values().end(), [](double v) { return v == 1; });
  EXPECT_EQ(ones, facts.contents == Contents::ones);
}

TEST(StandIns, SameTextSameMatrixOnAnyNumberOfThreads) {
  for (const char* name : {"bcsstk17", "memplus", "mac_econ_fwd500", "dc1"}) {
    std::shared_ptr<const Csr> one;
    {
      tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
      one = like(name).csr;
    }
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 5);
    EXPECT_TRUE(same(*one, *like(name).csr)) << name;
    EXPECT_FALSE(same(*one, *like(name, 2).csr)) << name;
  }
}

TEST(StandIns, OtherSeedsWorkToo) {
  for (int seed = 2; seed < 8; ++seed)
    for (const char* name : {"bcsstk18", "poisson3Da", "memplus"}) EXPECT_NO_THROW(like(name, seed)) << name << seed;
}

TEST(StandIns, SayThatTheyAre) {
  ASSERT_EQ(like("memplus").source.warnings.size(), 1u);
  EXPECT_NE(like("memplus").source.warnings[0].find("stand-in"), std::string::npos);
  EXPECT_TRUE(like("qcd5_4").source.warnings.empty()) << "its pattern is known";
}

TEST(StandIns, KeepTheHabitsOfTheirFamily) {
  const auto near_share = [](const Csr& a) {
    index_t near = 0;
    for (index_t row = 0; row < a.rows(); ++row)
      for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k)
        near += std::abs(a.columns()[k] - row) < a.rows() / 10;
    return static_cast<double>(near) / static_cast<double>(a.nnz());
  };
  EXPECT_GT(near_share(*like("bcsstk17").csr), 0.8) << "a mesh: a band";
  EXPECT_LT(near_share(*like("mac_econ_fwd500").csr), 0.7) << "an economy: also far";
  const auto longest_column = [](const Csr& a) {
    std::vector<index_t> column(static_cast<std::size_t>(a.cols()));
    for (index_t k = 0; k < a.nnz(); ++k) ++column[a.columns()[k]];
    return static_cast<double>(*std::max_element(column.begin(), column.end()));
  };
  EXPECT_NEAR(longest_column(*like("amazon0505").csr), 2760, 2760 / 2) << "a web: columns of hubs, rows of at most 10";
}

TEST(StandIns, WithThePapersFactsAreMadeWhole) {
  const Csr whole = *like("scircuit&facts=papers").csr;
  const CollectionFacts* facts = nullptr;
  for (const CollectionFacts& f : collection_table())
    if (f.name == "scircuit") facts = &f;
  ASSERT_NE(facts, nullptr);
  EXPECT_NEAR(structure_of(whole).pattern_symmetry, facts->pattern_symmetry, 0.01);
  EXPECT_FALSE(same(whole, *like("scircuit").csr)) << "other row lengths";
  try {
    like("cant&facts=papers");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(e.reason.find("cant"), std::string::npos);
    EXPECT_NE(e.remedy.find("rail4284, rma10, scircuit"), std::string::npos) << e.remedy;
  }
  EXPECT_THROW(like("dense2&facts=papers"), Error) << "its pattern is known";
}

TEST(StandIns, UnknownNamesAreRefusedWithTheKnownOnes) {
  try {
    like("webbase-2M");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(e.remedy.find("webbase-1M"), std::string::npos);
  }
}

TEST(ShuffleOfRows, IsABijection) {
  for (const index_t n : {1, 2, 3, 5, 64, 1000, 4097}) {
    const Shuffle shuffle(n, 7);
    std::vector<bool> seen(static_cast<std::size_t>(n), false);
    for (index_t x = 0; x < n; ++x) {
      const index_t y = shuffle(x);
      ASSERT_TRUE(y >= 0 && y < n && !seen[y]);
      seen[y] = true;
      ASSERT_EQ(shuffle.inverse(y), x);
    }
  }
}

TEST(Known, EpidemicHasTheDiagonalsOfTheRealOne) {
  const Csr a = *like("mc2depi").csr;
  EXPECT_EQ(a.rows(), 525825);
  EXPECT_EQ(a.nnz(), 2100225);
  const RowStats rows = row_stats(a);
  EXPECT_EQ(rows.min, 2);
  EXPECT_EQ(rows.max, 4);
  EXPECT_NEAR(rows.mean, 3.9942, 1e-4);
  EXPECT_NEAR(rows.variance, 0.006, 5e-4);
  EXPECT_NEAR(rows.skew, -13.0, 0.05);
  EXPECT_EQ(structure_of(a).pattern_symmetry, 0);
  // Bell & Garland, section 5.2: 769 diagonals, and most entries on three of them.
  std::map<index_t, index_t> diagonals;
  for (index_t row = 0; row < a.rows(); ++row)
    for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) {
      ++diagonals[a.columns()[k] - row];
      EXPECT_TRUE(k == a.row_ptr()[row] || a.columns()[k - 1] < a.columns()[k]) << "row " << row;
    }
  EXPECT_EQ(diagonals.size(), 769u);
  std::vector<index_t> entries;
  for (const auto& [offset, count] : diagonals) entries.push_back(count);
  std::sort(entries.rbegin(), entries.rend());
  EXPECT_EQ(entries[0] + entries[1] + entries[2], 525825 + 395258 + 394752);
  EXPECT_LT(entries[3], entries[2]);
  std::vector<index_t> column(static_cast<std::size_t>(a.cols()));
  for (index_t k = 0; k < a.nnz(); ++k) ++column[a.columns()[k]];
  EXPECT_EQ(*std::max_element(column.begin(), column.end()), 4);
  for (index_t row = 0; row < a.rows(); row += 1000) {
    double sum = 0;
    for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) sum += a.values()[k];
    EXPECT_NEAR(sum, 0, 1e-12) << "probability is kept";
  }
}

TEST(Known, QcdHas39EntriesInEveryRowAndColumn) {
  const Csr a = *like("qcd5_4").csr;
  EXPECT_EQ(a.rows(), 49152);
  EXPECT_EQ(a.nnz(), 1916928);
  EXPECT_EQ(row_stats(a).min, 39);
  EXPECT_EQ(row_stats(a).max, 39);
  std::vector<index_t> column(static_cast<std::size_t>(a.cols()));
  for (index_t k = 0; k < a.nnz(); ++k) ++column[a.columns()[k]];
  EXPECT_EQ(*std::min_element(column.begin(), column.end()), 39);
  EXPECT_EQ(*std::max_element(column.begin(), column.end()), 39);
  // Hops in space are mirrored, hops in time are not.
  EXPECT_NEAR(structure_of(a).pattern_symmetry, 36.0 / 39, 1e-12);
}

TEST(Known, OthersHaveTheFiguresOfTheTable) {
  const Csr dense = *like("dense2").csr;
  EXPECT_EQ(dense.rows(), 2000);
  EXPECT_EQ(dense.nnz(), 4'000'000);
  const Csr wissgott = *like("parabolic_fem").csr;
  EXPECT_EQ(wissgott.rows(), 525825);
  EXPECT_EQ(wissgott.nnz(), 3674625);
  EXPECT_EQ(row_stats(wissgott).min, 3);
  EXPECT_NEAR(row_stats(wissgott).skew, -12.994, 1e-3);
  const Csr atmosphere = *like("atmosmodd").csr;
  EXPECT_EQ(atmosphere.rows(), 1270432);
  EXPECT_EQ(atmosphere.nnz(), 8814880);
  EXPECT_NEAR(row_stats(atmosphere).skew, -3.879, 1e-3);
  EXPECT_EQ(structure_of(atmosphere).pattern_symmetry, 1);
  EXPECT_NE(atmosphere.real_value(1, RealView::real_part),  // (0, 1)
            atmosphere.real_value(atmosphere.row_ptr()[1], RealView::real_part));
  EXPECT_EQ(like("laplace_5pt").csr->nnz(), 4'996'000);
}

}  // namespace
}  // namespace warpspy
