// A matrix in parts: no entry is lost, the halo is what an independent count finds, and bad input is refused.
#include "core/partition/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "core/generate/generate.hpp"
#include "tests/shapes.hpp"

namespace warpspy {
namespace {

using testing::from_rows;
using testing::random_rows;
using testing::some_value;

constexpr Split splits[] = {Split::rows, Split::entries, Split::metis};

Partition divided(const Csr& a, std::uint64_t parts, Split split) {
  Progress progress;
  return partition_of(a, row_parts(a, parts, split, progress), parts, progress);
}
Csr generated(const std::string& spec) {
  Progress progress;
  return *generate(spec, progress).csr;
}
std::string refusal_of(const Csr& a, std::uint64_t parts, Split split) {
  try {
    divided(a, parts, split);
  } catch (const Error& e) {
    return e.what();
  }
  return "none";
}

using Entries = std::map<std::pair<index_t, index_t>, double>;
Entries entries_of(const Csr& a) {
  Entries e;
  for (index_t row = 0; row < a.rows(); ++row)
    for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) e[{row, a.columns()[k]}] = a.values()[k];
  return e;
}
// The entries of all parts, at their places in the matrix. No place may come twice.
Entries entries_of(const Partition& p) {
  Entries all;
  for (const Part& part : p.parts) {
    for (const auto& [at, value] : entries_of(*part.local))
      EXPECT_TRUE(all.insert({{part.rows[at.first], part.columns[at.second]}, value}).second);
    for (const auto& [at, value] : entries_of(*part.halo))
      EXPECT_TRUE(all.insert({{part.rows[part.boundary + at.first], part.halo_columns[at.second]}, value}).second);
  }
  return all;
}

// What each part must get from each other one, counted from the matrix and from who has which row and column alone.
using Halo = std::map<std::pair<std::size_t, std::size_t>, std::set<index_t>>;  // of {part, giver}
Halo counted_halo(const Csr& a, const Partition& p) {
  std::map<index_t, std::size_t> row_owner, column_owner;
  for (std::size_t k = 0; k < p.parts.size(); ++k) {
    for (const index_t row : p.parts[k].rows) EXPECT_TRUE(row_owner.insert({row, k}).second) << "two parts have a row";
    for (const index_t column : p.parts[k].columns) EXPECT_TRUE(column_owner.insert({column, k}).second);
  }
  EXPECT_EQ(row_owner.size(), static_cast<std::size_t>(a.rows()));
  EXPECT_EQ(column_owner.size(), static_cast<std::size_t>(a.cols()));
  Halo halo;
  for (const auto& [at, value] : entries_of(a))
    if (const std::size_t part = row_owner.at(at.first), giver = column_owner.at(at.second); part != giver)
      halo[{part, giver}].insert(at.second);
  return halo;
}
Halo told_halo(const Partition& p) {
  Halo halo;
  for (std::size_t k = 0; k < p.parts.size(); ++k)
    for (const HaloIn& in : p.parts[k].in) {
      std::set<index_t>& columns = halo[{k, static_cast<std::size_t>(in.from)}];
      for (index_t i = in.first; i < in.first + in.count; ++i)
        EXPECT_TRUE(columns.insert(p.parts[k].halo_columns[i]).second);
    }
  return halo;
}

void expect_right(const Csr& a, const Partition& p) {
  EXPECT_EQ(entries_of(p), entries_of(a));
  EXPECT_EQ(told_halo(p), counted_halo(a, p));
  const std::vector<PartResult> counts = counts_of(p);
  for (std::size_t k = 0; k < p.parts.size(); ++k) {
    const Part& part = p.parts[k];
    EXPECT_TRUE(std::is_sorted(part.rows.begin(), part.rows.begin() + part.boundary));
    EXPECT_TRUE(std::is_sorted(part.rows.begin() + part.boundary, part.rows.end()));
    EXPECT_EQ(part.local->rows(), static_cast<index_t>(part.rows.size()));
    EXPECT_EQ(part.local->cols(), static_cast<index_t>(part.columns.size()));
    EXPECT_EQ(part.halo->rows(), static_cast<index_t>(part.rows.size()) - part.boundary);
    EXPECT_EQ(part.halo->cols(), static_cast<index_t>(part.halo_columns.size()));
    EXPECT_TRUE(a.rows() != a.cols() || part.columns == part.rows);
    for (index_t row = 0; row < part.halo->rows(); ++row) EXPECT_GT(part.halo->row_length(row), 0) << "no boundary row";
    // What one gives is what the other gets, in that order.
    index_t given = 0;
    for (const HaloOut& out : part.out) {
      const Part& taker = p.parts[static_cast<std::size_t>(out.to)];
      const auto in = std::find_if(taker.in.begin(), taker.in.end(),
                                   [&](const HaloIn& i) { return i.from == static_cast<std::int32_t>(k); });
      ASSERT_NE(in, taker.in.end());
      ASSERT_EQ(in->count, static_cast<index_t>(out.places.size()));
      EXPECT_TRUE(std::is_sorted(out.places.begin(), out.places.end()));
      for (index_t i = 0; i < in->count; ++i) EXPECT_EQ(part.columns[out.places[i]], taker.halo_columns[in->first + i]);
      given += in->count;
    }
    EXPECT_EQ(counts[k].halo_out, given);
    EXPECT_EQ(counts[k].halo_in, part.halo->cols());
    EXPECT_EQ(counts[k].messages, static_cast<index_t>(part.in.size()));
    EXPECT_EQ(counts[k].sent, static_cast<index_t>(part.out.size()));
    EXPECT_EQ(counts[k].entries, part.entries());
    EXPECT_EQ(counts[k].boundary_rows, part.halo->rows());
  }
}

TEST(Partition, OfRandomMatricesIsRight) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 rng(seed);
  for (std::uint64_t parts = 1; parts <= 9; ++parts)
    for (const Split split : splits) {
      SCOPED_TRACE(std::to_string(parts) + " parts by " + name_of(split));
      const index_t rows = 9 + static_cast<index_t>(rng() % 60);
      const index_t cols = split == Split::metis || rng() % 2 == 0 ? rows : 1 + static_cast<index_t>(rng() % 80);
      const Csr a = random_rows(rows, cols, [&](index_t) { return static_cast<index_t>(rng() % 9); }, rng());
      expect_right(a, divided(a, parts, split));
    }
}

TEST(Partition, OfEveryShapeIsRight) {
  for (const auto& [name, a] : testing::shapes())
    for (const Split split : splits) {
      if (a.rows() < 3 || a.nnz() > 50'000 || (split == Split::metis && a.rows() != a.cols())) continue;
      SCOPED_TRACE(name + " by " + name_of(split));
      expect_right(a, divided(a, 3, split));
    }
}

TEST(Partition, KeepsImaginaryParts) {
  const Csr a(3, 3, {0, 2, 3, 4}, Indices(std::vector<std::int32_t>{0, 2, 1, 0}), {1, 2, 3, 4}, {5, 6, 7, 8});
  const Partition p = divided(a, 3, Split::rows);
  EXPECT_EQ(p.parts[0].local->imag()[0], 5);
  EXPECT_EQ(p.parts[0].halo->imag()[0], 6);
  EXPECT_EQ(p.parts[2].halo->imag()[0], 8);
}

// 10 rows, of which the first has as many entries as all others together.
TEST(Partition, BlocksAreEvenInWhatTheySay) {
  const Csr a = random_rows(10, 400, [](index_t row) { return row == 0 ? 300 : 10; }, 1);
  const Partition by_rows = divided(a, 2, Split::rows), by_entries = divided(a, 2, Split::entries);
  EXPECT_EQ(by_rows.parts[0].rows.size(), 5u);
  EXPECT_EQ(by_rows.parts[1].rows.size(), 5u);
  EXPECT_EQ(by_entries.parts[0].rows.size(), 1u);
  EXPECT_LT(imbalance_of(by_entries), imbalance_of(by_rows));
  EXPECT_DOUBLE_EQ(imbalance_of(by_rows),
                   2.0 * static_cast<double>(by_rows.parts[0].entries()) / static_cast<double>(a.nnz()));
}

// Of the 5-point Laplacian of 12 x 12 a block of rows is a strip of the grid: each side has 12 neighbours.
TEST(Partition, OfAGridHasAStripsHalo) {
  const Partition p = divided(generated("gen:laplace5?nx=12&ny=12"), 4, Split::rows);
  const std::vector<PartResult> counts = counts_of(p);
  for (std::size_t k = 0; k < 4; ++k) {
    const index_t sides = k == 0 || k == 3 ? 1 : 2;
    EXPECT_EQ(counts[k].rows, 36);
    EXPECT_EQ(counts[k].halo_in, 12 * sides);
    EXPECT_EQ(counts[k].halo_out, 12 * sides);
    EXPECT_EQ(counts[k].boundary_rows, 12 * sides);
    EXPECT_EQ(counts[k].messages, sides);
  }
}

// METIS finds the grid again, whose rows are in random order.
TEST(Partition, ByMetisHasASmallerHaloThanBlocksOfAShuffledGrid) {
  const Csr grid = generated("gen:laplace5?nx=40&ny=40");
  std::vector<index_t> place(1600);
  for (std::size_t k = 0; k < place.size(); ++k) place[k] = static_cast<index_t>(k);
  std::shuffle(place.begin(), place.end(), std::mt19937(7));
  std::vector<std::vector<index_t>> rows(1600);
  for (const auto& [at, value] : entries_of(grid)) rows[place[at.first]].push_back(place[at.second]);
  const Csr a = from_rows(1600, rows, some_value);
  const auto halo = [&](Split split) {
    index_t all = 0;
    for (const PartResult& r : counts_of(divided(a, 4, split))) all += r.halo_in;
    return all;
  };
  EXPECT_LT(halo(Split::metis), halo(Split::rows) / 4);
  EXPECT_LT(imbalance_of(divided(a, 4, Split::metis)), 1.1);
  EXPECT_EQ(divided(a, 4, Split::metis).parts[2].rows, divided(a, 4, Split::metis).parts[2].rows)
      << "its seed is fixed";
}

TEST(Partition, MayHavePartsWithoutRows) {
  const Csr a = random_rows(6, 300, [](index_t row) { return row == 0 ? 290 : 1; }, 3);
  const Partition p = divided(a, 6, Split::entries);
  EXPECT_TRUE(std::any_of(p.parts.begin(), p.parts.end(), [](const Part& part) { return part.rows.empty(); }));
  expect_right(a, p);
  const Csr empty = from_rows(5, {{}, {}, {}, {}, {}}, some_value);
  for (const Split split : splits) {
    expect_right(empty, divided(empty, 4, split));
    EXPECT_EQ(imbalance_of(divided(empty, 4, split)), 1);
  }
}

TEST(Partition, BadInputIsRefused) {
  const Csr a = random_rows(4, 4, [](index_t) { return 2; }, 5), wide = random_rows(4, 6, [](index_t) { return 2; }, 5);
  EXPECT_EQ(refusal_of(a, 5, Split::rows),
            "parts: 5 parts are more than the 4 rows of the matrix; use at most as many parts as rows");
  EXPECT_EQ(refusal_of(a, 0, Split::rows),
            "parts: a matrix is run in one part or more, and not in 0; use --parts 1 or more");
  EXPECT_NE(refusal_of(a, UINT64_MAX, Split::metis).find("use at most"), std::string::npos);
  EXPECT_EQ(
      refusal_of(wide, 2, Split::metis),
      "split: METIS divides the graph of a square matrix; this one is 4 x 6; use --split rows or --split entries");
  EXPECT_EQ(refusal_of(from_rows(0, {}, some_value), 1, Split::rows).find("parts: 1 parts are more"), 0u);
  EXPECT_EQ(refusal_of(a, 4, Split::metis), "none");
}

TEST(Partition, CanBeCancelled) {
  const Csr a = random_rows(40, 40, [](index_t) { return 3; }, 2);
  Progress progress;
  const auto owners = row_parts(a, 4, Split::rows, progress);
  progress.cancel();
  EXPECT_THROW(row_parts(a, 4, Split::rows, progress), Cancelled);
  EXPECT_THROW(partition_of(a, owners, 4, progress), Cancelled);
}

}  // namespace
}  // namespace warpspy
