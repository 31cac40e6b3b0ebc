// CSR (compressed sparse row) is the program's common form of a matrix. Readers and generators make it, and formats and
// views are made from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy {

// Column (or row) indices: 32 bits where the dimension fits, 64 where not.
class Indices {
 public:
  Indices() = default;
  explicit Indices(std::vector<std::int32_t> v) : v_(std::move(v)) {}
  explicit Indices(std::vector<std::int64_t> v) : v_(std::move(v)) {}
  // Zeroed storage for `count` indices below `dimension`.
  static Indices sized(index_t dimension, std::size_t count);
  static bool fits32(index_t dimension) { return dimension <= INT32_MAX; }

  bool is32() const { return v_.index() == 0; }
  std::size_t size() const { return is32() ? std::get<0>(v_).size() : std::get<1>(v_).size(); }
  index_t operator[](std::size_t k) const { return is32() ? std::get<0>(v_)[k] : std::get<1>(v_)[k]; }
  std::size_t bytes() const { return size() * (is32() ? 4 : 8); }
  // Calls f(std::span<const std::int32_t>) or f(std::span<const std::int64_t>): hoists the width out of hot loops.
  template <class F>
  decltype(auto) visit(F&& f) const {
    if (is32()) return f(std::span<const std::int32_t>(std::get<0>(v_)));
    return f(std::span<const std::int64_t>(std::get<1>(v_)));
  }
  // As the function above, with a mutable span, for code that builds the indices.
  template <class F>
  decltype(auto) visit_mut(F&& f) {
    if (is32()) return f(std::span<std::int32_t>(std::get<0>(v_)));
    return f(std::span<std::int64_t>(std::get<1>(v_)));
  }
  // Gives the storage to the caller and leaves this object empty. I must be the width of the indices.
  template <class I>
  std::vector<I> take() {
    return std::exchange(std::get<std::vector<I>>(v_), {});
  }

 private:
  std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>> v_;
};

// An immutable sparse matrix, validated once, at construction:
//   row_ptr: rows+1 entries, row_ptr[0] = 0, non-decreasing; columns: nnz, strictly increasing within a row, in
//   [0, cols); values: nnz doubles; imag: nnz doubles for a complex matrix, else empty.
// Stored zeros are entries like any other. Safe to share between threads.
class Csr {
 public:
  // Throws Error when an invariant does not hold, naming the row.
  Csr(index_t rows, index_t cols, std::vector<index_t> row_ptr, Indices columns, std::vector<double> values,
      std::vector<double> imag = {});

  index_t rows() const { return rows_; }
  index_t cols() const { return cols_; }
  index_t nnz() const { return row_ptr_.back(); }
  bool is_complex() const { return !imag_.empty(); }
  std::span<const index_t> row_ptr() const { return row_ptr_; }
  const Indices& columns() const { return columns_; }
  std::span<const double> values() const { return values_; }
  std::span<const double> imag() const { return imag_; }
  index_t row_length(index_t row) const { return row_ptr_[row + 1] - row_ptr_[row]; }
  // Host memory of the arrays in bytes.
  std::size_t bytes() const;
  // Entry k as a real number, by the given view (see RealView).
  double real_value(index_t k, RealView view) const;
  // Position of (row, col) in columns()/values(), or -1. O(log row length).
  index_t find(index_t row, index_t col) const;

 private:
  index_t rows_, cols_;
  std::vector<index_t> row_ptr_;
  Indices columns_;
  std::vector<double> values_, imag_;
};

// Entries in any order, with duplicates allowed. Readers and generators produce this.
struct Coo {
  index_t rows = 0, cols = 0;
  Indices row, col;
  std::vector<double> values, imag;  // imag empty unless complex
};

// Sorts by row, then column; sums duplicates (counted in *duplicates when given). Consumes its argument to keep the
// memory peak low. Parallel. Throws Error on an index outside the matrix.
Csr csr_from_coo(Coo coo, index_t* duplicates = nullptr);

// Facts that the source of a matrix (such as its file) states, and that a Csr does not have.
struct SourceFacts {
  std::string name;                   // short: "west0479"
  std::string location;               // path or "gen:..." as the user gave it
  std::string field = "real";         // real, integer, complex, pattern
  std::string symmetry = "general";   // general, symmetric, skew-symmetric, hermitian
  index_t entries_in_file = 0;        // data lines (array files: stored numbers)
  index_t duplicates = 0;             // entries summed into another
  std::vector<std::string> warnings;  // sentences for the user
};

// The finite elements a matrix was assembled from: A = sum over e of P_e^T K_e P_e (Reguly & Giles 2012, eq. 12), where
// P_e picks the nodes of element e. Node a of element e is row and column map[e * nodes + a] of the matrix; K_e is
// dense and row-major, its entry (a, b) stands at matrices[(e * nodes + a) * nodes + b].
struct ElementMatrices {
  index_t elements = 0, nodes = 0;  // nodes per element
  Indices map;
  std::vector<double> matrices;
};

// A matrix as the rest of the program uses it: its data and its origin. It is shared and never changes.
struct Matrix {
  std::shared_ptr<const Csr> csr;
  SourceFacts source;
  std::shared_ptr<const ElementMatrices> elements = nullptr;  // null unless assembled from finite elements
};

}  // namespace warpspy
