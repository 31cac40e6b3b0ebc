// Facts about a matrix that estimates need. Each fact is computed when first asked for, and kept. So an estimate can
// follow a slider even for a matrix of millions of entries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/matrix/csr.hpp"

namespace warpspy {

// The distribution of row lengths as the formats use it.
struct LengthCounts {
  index_t longest = 0;
  // at_least[k]: rows with k or more entries, k = 0..longest + 1 (at_least[0] = rows, the last one is 0).
  std::vector<index_t> at_least;
  // within[k]: entries among the first k of their row, k = 0..longest: what an ELL part of width k holds.
  std::vector<index_t> within;

  index_t rows_of_length(index_t k) const { return at_least[k] - at_least[k + 1]; }
};
// Computes the distribution from how many rows have k entries, k = 0..longest.
LengthCounts length_counts(std::vector<index_t> rows_of_length);

// Whether values of one precision could be stored in fewer bytes. Values are compared by their bits: 0 and -0 are two
// values, and so are NaNs with different bits.
struct ValueFacts {
  static constexpr std::size_t most_distinct = 256;
  // The bits of all different values, increasing; empty if there are more than most_distinct, or no values.
  std::vector<std::uint64_t> distinct;
  bool exact_in_f32 = false;  // each f64 value is an f32 value

  // The position of a bit pattern in `distinct`; the pattern must be there.
  std::uint8_t place_of(std::uint64_t bits) const {
    return static_cast<std::uint8_t>(std::lower_bound(distinct.begin(), distinct.end(), bits) - distinct.begin());
  }
};

// Whether a matrix is the same across its diagonal.
struct SymmetryFacts {
  bool values =
      false;  // square, and (j, i) is stored wherever (i, j) is, with the same bits (of its modulus, and its real part)
  index_t diagonal = 0;  // entries on the diagonal, if the matrix is symmetric
  // The row and column of the first entry without an equal mirror; -1 for a matrix that is not square.
  index_t row = -1, column = -1;
};

// Facts about one matrix; any thread may ask for them. The constructor is O(1); the first call of each function does
// the work.
class FormatFacts {
 public:
  FormatFacts(const Csr& a) : a_(a) {}  // NOLINT: a Csr may be given where facts are asked for; `a` must live longer
  explicit FormatFacts(std::shared_ptr<const Csr> a) : kept_(std::move(a)), a_(*kept_) {}
  // Only facts made from a Matrix know its finite elements.
  explicit FormatFacts(const Matrix& m) : kept_(m.csr), elements_(m.elements), a_(*kept_) {}

  const Csr& csr() const { return a_; }
  const ElementMatrices* elements() const { return elements_.get(); }  // null unless from finite elements
  const LengthCounts& lengths() const;                                 // O(rows + longest)
  const std::vector<index_t>& diagonals() const;  // offsets (column - row) of those with an entry, increasing; O(nnz)
  index_t blocks(index_t r, index_t c) const;  // r x c blocks with an entry, aligned to multiples; O(nnz) for each r, c
  // Facts about real values. For a complex matrix, whose values can be read in two ways, nothing is known. O(nnz); it
  // stops early when values are many and not exact in f32.
  const ValueFacts& values(Precision precision) const;
  bool symmetric_pattern() const;         // square, and (j, i) is stored wherever (i, j) is; O(nnz log)
  const SymmetryFacts& symmetry() const;  // O(nnz log); stops at the first entry without an equal mirror
  // A partition of the rows into parts of at most `most` rows with few entries between them (METIS), for a symmetric
  // pattern. part[row]; the parts are numbered from 0 without gaps. Seconds for millions of rows.
  struct Partition {
    index_t parts = 0;
    std::vector<std::int32_t> part;
  };
  std::shared_ptr<const Partition> partition(index_t most) const;

 private:
  std::shared_ptr<const Csr> kept_;
  std::shared_ptr<const ElementMatrices> elements_;
  const Csr& a_;
  mutable std::mutex mutex_;
  mutable std::optional<LengthCounts> lengths_;
  mutable std::optional<std::vector<index_t>> diagonals_;
  mutable std::map<std::pair<index_t, index_t>, index_t> blocks_;
  mutable std::optional<bool> symmetric_;
  mutable std::optional<SymmetryFacts> symmetry_;
  mutable std::optional<ValueFacts> values_[2];  // f32, f64
  mutable index_t partition_most_ = 0;
  mutable std::shared_ptr<const Partition> partition_;  // the latest
};

// The columns of blocks of width c that have an entry in rows first..last-1, increasing. `out` is overwritten.
void block_columns_of(const Csr& a, index_t first, index_t last, index_t c, std::vector<index_t>& out);

}  // namespace warpspy
