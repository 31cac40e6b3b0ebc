// Private to the room: row lengths with given quartiles, extremes, sum and variance, and the row that has each.
#pragma once

#include <span>
#include <vector>

#include "core/generate/build.hpp"
#include "core/generate/collection_table.hpp"

namespace warpspy::generate_detail {

// A bijection of [0, n) that looks random (a Feistel network of four rounds, walking the cycle until the result is
// below n): each value is computed alone, without a table.
class Shuffle {
 public:
  Shuffle(index_t n, std::uint64_t seed);
  index_t operator()(index_t x) const;
  index_t inverse(index_t y) const;

 private:
  std::uint64_t n_, mask_;
  int half_;
  std::uint64_t keys_[4];
};

// Facts about row lengths that a paper's numbers on HYB give. Its K is the length of the shortest of the `rows` longest
// rows (the largest K that so many rows reach), and its ELL holds `ell_share` of all entries.
struct RowCut {
  index_t rows, k;
  double ell_share = 0;  // 0: not known
};

// Row lengths by rank: ascending, as runs of equal ones.
class RowLengths {
 public:
  struct Run {
    index_t length, first_rank;
  };
  // Sum, minimum, maximum as in the facts; quartiles to the interpolation between two neighbours; the variance closest
  // to that of the facts. Between the quartiles the distribution is the one of greatest entropy (relative to uniform,
  // above the last quartile to length^-1.5) with the mean and variance asked for. Cuts, ascending in K, hold exactly.
  // Throws Error when there is none.
  explicit RowLengths(const CollectionFacts& facts, std::span<const RowCut> cuts = {});
  index_t at_rank(index_t rank) const;
  index_t rows() const { return rows_; }
  double variance() const;
  const std::vector<Run>& runs() const { return runs_; }

 private:
  index_t rows_;
  std::vector<Run> runs_;
};

// Tells which row gets the length of which rank. Runs of neighbouring rows get neighbouring ranks, and the runs are
// shuffled.
struct RowOrder {
  index_t rows, run, rest;  // the `rest` shortest rows fill no whole run and are the last rows
  Shuffle shuffle;

  RowOrder(index_t n, index_t run_length, std::uint64_t seed)
      : rows(n), run(std::min(run_length, n)), rest(n % run), shuffle(n / run, seed) {}
  index_t rank_of(index_t row) const {
    if (row >= rows - rest) return row - (rows - rest);
    return rest + shuffle(row / run) * run + row % run;
  }
  index_t row_of(index_t rank) const {
    if (rank < rest) return rows - rest + rank;
    return shuffle.inverse((rank - rest) / run) * run + (rank - rest) % run;
  }
};

// Draws rows with probability proportional to their length, among the shorter ones.
class LengthDraw {
 public:
  LengthDraw(const RowLengths& lengths, const RowOrder& order);
  // The number of entries of all rows that rank below this row: the limit for draw().
  index_t entries_below(index_t row) const;
  index_t draw(Random& random, index_t limit) const;

 private:
  const RowOrder& order_;
  const std::vector<RowLengths::Run>& runs_;
  std::vector<index_t> entries_;  // entries of all runs before this one
};

}  // namespace warpspy::generate_detail
