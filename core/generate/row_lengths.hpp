// Private to the room: row lengths with given quartiles, extremes, sum and variance, and the row that has each.
#pragma once

#include <vector>

#include "core/generate/build.hpp"
#include "core/generate/collection_table.hpp"

namespace warpspy::generate_detail {

// A bijection of [0, n) that looks random (a Feistel network of four rounds, walking the cycle until the result is
// below n): evaluated anywhere, in any order, without a table.
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

// Row lengths by rank: ascending, as runs of equal ones.
class RowLengths {
 public:
  struct Run {
    index_t length, first_rank;
  };
  // Sum, minimum, maximum as in the facts; quartiles to the interpolation between two neighbours; the variance closest
  // to that of the facts. Between the quartiles the distribution is the one of greatest entropy (relative to uniform,
  // above the last quartile to length^-1.5) with the mean and variance asked for. Throws Error when there is none.
  explicit RowLengths(const CollectionFacts& facts);
  index_t at_rank(index_t rank) const;
  index_t rows() const { return rows_; }
  double variance() const;
  const std::vector<Run>& runs() const { return runs_; }

 private:
  index_t rows_;
  std::vector<Run> runs_;
};

}  // namespace warpspy::generate_detail
