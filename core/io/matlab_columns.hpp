// A sparse matrix as MATLAB stores it, in compressed columns, built piece by piece as it arrives from a file or a pipe:
// the row indices, the column pointers, the values. If a piece contradicts the earlier ones, it is refused at once.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/matrix/csr.hpp"
#include "core/matrix/pages.hpp"

namespace warpspy {

// Holds what is wrong with a variable ("its column pointers decrease"); the code that catches it adds the file and the
// variable.
struct MatlabMisfit {
  std::string what;
};

inline void require_fit(bool ok, const char* what) {
  if (!ok) throw MatlabMisfit{what};
}

// The matrix as it grows. I is the integer type of the indices.
template <class I>
class MatlabColumns {
 public:
  // `room`: how many row indices will come; there may be fewer entries. The caller has checked the memory.
  MatlabColumns(index_t rows, index_t cols, std::size_t room)
      : rows_(rows), cols_(cols), row_(with_room<I>(room)), col_(with_room<I>(room)) {}

  template <class T>
  void add_rows(std::span<const T> piece) {
    for (const T v : piece) {
      const std::uint64_t i = whole(v);
      require_fit(std::in_range<I>(i), "a row index is out of range");
      row_.push_back(static_cast<I>(i));
    }
  }

  template <class T>
  void add_pointers(std::span<const T> piece) {
    for (const T p : piece) {
      const std::uint64_t next = whole(p);
      require_fit(pointers_ > 0 || next == 0, "its first column pointer is not 0");
      require_fit(next >= last_, "its column pointers decrease");
      require_fit(next <= row_.size(), "it has fewer row indices than entries");
      require_fit(pointers_ <= static_cast<std::uint64_t>(cols_), "it has too many column pointers");
      if (pointers_ > 0) col_.insert(col_.end(), next - last_, static_cast<I>(pointers_ - 1));
      last_ = next;
      ++pointers_;
    }
  }

  // Call this when all pointers are there. They say how many of the indices are entries.
  void end_pointers() {
    require_fit(pointers_ == static_cast<std::uint64_t>(cols_) + 1, "it has too few column pointers");
    row_.resize(last_);
    require_fit(std::all_of(row_.begin(), row_.end(), [&](I i) { return i < rows_; }), "a row index is out of range");
    re_ = with_room<double>(last_);
  }

  template <class T>
  void add_values(std::span<const T> piece, bool logical) {
    add(piece, re_, logical);
  }
  template <class T>
  void add_imaginary(std::span<const T> piece) {
    if (im_.capacity() == 0) im_ = with_room<double>(last_);
    add(piece, im_, false);
  }

  std::size_t entries() const { return last_; }

  Coo coo(bool complex) && {
    require_fit(re_.size() == last_, "it has fewer values than entries");
    require_fit(im_.size() == (complex ? last_ : 0), "it has fewer imaginary parts than entries");
    return {rows_, cols_, Indices(std::move(row_)), Indices(std::move(col_)), std::move(re_), std::move(im_)};
  }

 private:
  template <class T>
  static std::uint64_t whole(T v) {
    if constexpr (std::integral<T>) {
      require_fit(std::in_range<std::uint64_t>(v), "an index is negative");
      return static_cast<std::uint64_t>(v);
    } else {
      throw MatlabMisfit{"its indices are no whole numbers"};
    }
  }
  // MATLAB may keep room after the last entry; anything there is ignored.
  template <class T>
  void add(std::span<const T> piece, std::vector<double>& to, bool logical) {
    const std::size_t n = std::min(piece.size(), last_ - to.size());
    for (const T v : piece.first(n)) to.push_back(logical ? static_cast<double>(v != 0) : static_cast<double>(v));
  }

  index_t rows_, cols_;
  std::vector<I> row_, col_;
  std::vector<double> re_, im_;
  std::uint64_t pointers_ = 0;  // taken so far
  std::size_t last_ = 0;        // the last of them
};

}  // namespace warpspy
