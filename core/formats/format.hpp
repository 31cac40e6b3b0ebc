// A storage format. It is built from CSR and lists its entries; its exact size is known before it is built.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/formats/facts.hpp"
#include "core/formats/values.hpp"
#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy {

struct ArraySize {
  std::string name;  // "values", "columns", "row_ptr"
  enum class Kind : std::uint8_t { values, indices, pointers } kind = Kind::values;
  std::size_t bytes = 0;
  bool operator==(const ArraySize&) const = default;
};

// A number that describes a built format, such as "k", "ell_share", "split_row". Shares are of nnz, 0 to 1.
struct FormatFact {
  std::string name;
  double value = 0;
  bool operator==(const FormatFact&) const = default;
};

// The size of a format for a matrix, computed without building the format. It equals the size of the built format to
// the byte.
struct Estimate {
  std::vector<ArraySize> arrays;
  index_t stored = 0;   // entries stored, padding included
  index_t padding = 0;  // of these, padding
  std::vector<FormatFact> facts = {};
  // An upper bound for the host memory that the conversion needs at its peak, besides the matrix and the arrays. 0 for
  // a built format.
  std::size_t scratch = 0;
  // Bytes of padding that a product need not read. They are the values of slots whose column marks them as padding, and
  // whole slots that belong to no row or lie after the end of a row whose length is stored.
  std::size_t skippable = 0;
  // Entries that are not stored, because their mirror at the diagonal stands for both.
  index_t mirrored = 0;

  std::size_t bytes() const;  // size of all arrays; stops at SIZE_MAX instead of overflowing
  std::size_t bytes(ArraySize::Kind kind) const;
  double padding_ratio() const {
    return stored == 0 ? 0.0 : static_cast<double>(padding) / static_cast<double>(stored);
  }
  const FormatFact* fact(const std::string& name) const;  // nullptr when there is none
};

// A named array of a built format. It may be read while the format lives.
struct ArrayView {
  std::string name;
  ArraySize::Kind kind = ArraySize::Kind::values;
  // pair16: two 16-bit offsets in one 32-bit word, row in the upper half. u16, u8: without a sign.
  enum class Type : std::uint8_t { i32, i64, f32, f64, pair16, u16, u8 } type = Type::i32;
  const void* data = nullptr;
  // The last dimension is contiguous: a column-major array of pitch x width has shape {width, pitch}.
  std::vector<index_t> shape;
  // Arrays of one part have a slot for the same entry at the same position. -1: not an array of entries.
  int part = -1;

  std::size_t size() const;
  std::size_t element_bytes() const;
  std::size_t bytes() const { return size() * element_bytes(); }
  // Element k as a number; an f32 or f64 element and an index below 2^53 exactly.
  double operator[](std::size_t k) const;
};

// A slot is a place in a format's arrays; it holds an entry of the matrix, or padding.
struct Slot {
  int part = 0;
  index_t position = 0;
  index_t row = -1, column = -1;  // -1: padding
  double value = 0;
  bool mirrored = false;  // the slot also stands for the entry (column, row)
  bool padding() const { return row < 0; }
};
using SlotVisitor = std::function<void(const Slot&)>;

// Tells how an array is printed as a grid, as in the papers: rows of the matrix go downwards.
struct ArrayGrid {
  std::string name;
  std::size_t array = 0;  // index into arrays()
  std::size_t begin = 0;
  index_t rows = 0, cols = 0;
  std::size_t row_step = 0, col_step = 0;
};

// A built format, which never changes. Kernels cast it to its concrete type, by its id.
class Format {
 public:
  virtual ~Format() = default;
  Format(const Format&) = delete;
  Format& operator=(const Format&) = delete;

  virtual std::string id() const = 0;
  virtual std::vector<ArrayView> arrays() const = 0;
  virtual std::vector<FormatFact> facts() const { return {}; }
  // The number of slots of a part that hold no entry.
  virtual index_t padding_of(int part) const { return part == 0 ? slots() + mirrored() - nnz_ : 0; }
  virtual index_t mirrored() const { return 0; }  // Estimate::mirrored
  // Calls visit for every slot that holds an entry or padding, in storage order, part after part.
  virtual void for_each_slot(const SlotVisitor& visit) const = 0;
  // One grid per array, unless the format overrides this.
  virtual std::vector<ArrayGrid> grids() const;

  // The size of the built arrays.
  Estimate size() const;
  virtual Precision precision() const;  // the precision of the format's values; a format that stores them in fewer
                                        // bytes overrides this
  index_t slots() const;                // slots of all parts, padding included
  // Calls visit(row, column, value) for every entry that is not padding, in storage order.
  void for_each(const std::function<void(index_t, index_t, double)>& visit) const;

  index_t rows() const { return rows_; }
  index_t cols() const { return cols_; }
  index_t nnz() const { return nnz_; }

 protected:
  explicit Format(const Csr& a) : rows_(a.rows()), cols_(a.cols()), nnz_(a.nnz()) {}

 private:
  virtual std::size_t skippable_bytes() const { return 0; }  // Estimate::skippable

  index_t rows_, cols_, nnz_;
};

class PaddingRows;  // padding.hpp

struct FormatRow {
  FormatInfo info;
  // `estimate` and `build` also take a Csr, which converts to FormatFacts. If estimates follow a slider, keep one
  // FormatFacts per matrix. Throws Error when the format cannot hold the matrix whatever the memory (PKT of an
  // unsymmetric pattern, LMA without elements).
  Estimate (*estimate)(const FormatFacts&, Precision, const ParamSet&) = nullptr;
  // Builds the format, in parallel. Values are converted to `precision`; of a complex matrix `view` decides which real
  // numbers are taken. Throws Error if a value does not fit the precision, or the arrays do not fit into memory. Throws
  // Cancelled.
  std::shared_ptr<const Format> (*build)(const FormatFacts&, Precision, RealView, const ParamSet&, Progress&) = nullptr;
  // Whether the first estimate after a change of parameters takes seconds for a large matrix. The window then waits
  // until the slider rests.
  bool slow_estimate = false;
  bool from_elements = false;  // only for matrices that keep their element matrices
  bool symmetric = false;      // only for matrices with equal values across the diagonal; half of them are stored
  // Reports how many slots every row takes (padding.hpp); nullptr if padding belongs to no row.
  void (*padding)(PaddingRows&) = nullptr;
};
// The one list of formats.
const std::vector<FormatRow>& formats();
const FormatRow& format_row(const std::string& id);  // throws Error listing the known ids

// The least bytes that one product must move. It reads every array of the format once, except padding that can be
// skipped, reads x once and writes y once (Reguly & Giles eq. 4).
std::size_t minimum_bytes(const Estimate& e, const Csr& a, Precision precision);

}  // namespace warpspy
