#include "core/formats/facts.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <functional>
#include <type_traits>

#include "core/matrix/memory_guard.hpp"

namespace warpspy {
namespace {

using Range = tbb::blocked_range<index_t>;

// A thread that waits for its tasks holds the lock. Meanwhile it must not run another task that needs the lock.
auto isolated(auto&& f) { return tbb::this_task_arena::isolate(f); }

index_t longest_row(const Csr& a) {
  return tbb::parallel_reduce(
      Range(0, a.rows(), 1 << 16), index_t{0},
      [&](const Range& range, index_t longest) {
        for (index_t row = range.begin(); row < range.end(); ++row) longest = std::max(longest, a.row_length(row));
        return longest;
      },
      [](index_t x, index_t y) { return std::max(x, y); });
}

// How many rows have each length. One histogram per task, so a large histogram is not made too often.
std::vector<index_t> histogram_of(const Csr& a, index_t longest) {
  const index_t grain = std::max<index_t>({1 << 16, 16 * longest, a.rows() / 16});
  // One histogram for each running task, and two for merging them.
  const index_t tasks = std::min<index_t>(a.rows() / grain, tbb::this_task_arena::max_concurrency()) + 1;
  require_memory(static_cast<double>(tasks + 2) * static_cast<double>(longest + 1) * sizeof(index_t),
                 "the list of row lengths");
  const std::vector<index_t> none(static_cast<std::size_t>(longest) + 1, 0);
  return tbb::parallel_reduce(
      Range(0, a.rows(), static_cast<std::size_t>(grain)), none,
      [&](const Range& range, std::vector<index_t> count) {
        for (index_t row = range.begin(); row < range.end(); ++row) ++count[a.row_length(row)];
        return count;
      },
      [](std::vector<index_t> x, const std::vector<index_t>& y) {
        std::transform(x.begin(), x.end(), y.begin(), x.begin(), std::plus<>());
        return x;
      });
}

LengthCounts lengths_of(const Csr& a) { return length_counts(histogram_of(a, longest_row(a))); }

template <class C>
void for_each_offset(const Csr& a, std::span<const C> columns, const Range& rows, auto&& f) {
  for (index_t row = rows.begin(); row < rows.end(); ++row)
    for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) f(static_cast<index_t>(columns[k]) - row);
}

std::vector<index_t> diagonals_of(const Csr& a) {
  if (a.nnz() == 0) return {};
  std::vector<index_t> found;
  const index_t most = a.rows() + a.cols() - 1;
  if (most / 16 > a.nnz()) {  // a huge, nearly empty matrix: no memory for an element per diagonal
    require_memory(static_cast<double>(a.nnz()) * sizeof(index_t), "the list of diagonals");
    found.reserve(static_cast<std::size_t>(a.nnz()));
    a.columns().visit([&](auto columns) {
      for_each_offset(a, columns, Range(0, a.rows()), [&](index_t offset) { found.push_back(offset); });
    });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }
  require_memory(static_cast<double>(most), "the list of diagonals");
  std::vector<std::uint8_t> marked(static_cast<std::size_t>(most), 0);
  a.columns().visit([&](auto columns) {
    tbb::parallel_for(Range(0, a.rows(), 4096), [&](const Range& range) {
      for_each_offset(a, columns, range, [&](index_t offset) {
        std::atomic_ref<std::uint8_t> mark(marked[offset + a.rows() - 1]);
        if (mark.load(std::memory_order_relaxed) == 0) mark.store(1, std::memory_order_relaxed);
      });
    });
  });
  for (index_t d = 0; d < most; ++d)
    if (marked[d]) found.push_back(d - (a.rows() - 1));
  return found;
}

index_t blocks_of(const Csr& a, index_t r, index_t c) {
  return tbb::parallel_reduce(
      Range(0, (a.rows() + r - 1) / r, 1024), index_t{0},
      [&](const Range& range, index_t sum) {
        std::vector<index_t> columns;
        for (index_t b = range.begin(); b < range.end(); ++b) {
          block_columns_of(a, b * r, std::min((b + 1) * r, a.rows()), c, columns);
          sum += static_cast<index_t>(columns.size());
        }
        return sum;
      },
      [](index_t x, index_t y) { return x + y; });
}

// A set of bit patterns that gives up when there are too many.
class FewPatterns {
 public:
  // Returns false if the set is full.
  bool add(std::uint64_t bits) {
    std::size_t at = bits * 0x9e3779b97f4a7c15u >> (64 - kBits);
    for (; place_[at] != 0; at = (at + 1) % place_.size())
      if (patterns_[place_[at] - 1] == bits) return true;
    if (patterns_.size() == ValueFacts::most_distinct) return false;
    patterns_.push_back(bits);
    place_[at] = static_cast<std::uint16_t>(patterns_.size());
    return true;
  }
  const std::vector<std::uint64_t>& patterns() const { return patterns_; }

 private:
  static constexpr int kBits = 10;
  std::vector<std::uint64_t> patterns_;
  std::array<std::uint16_t, std::size_t{1} << kBits> place_{};  // index in patterns_, from 1; 0: free
};

template <class T>
ValueFacts value_facts_of(const Csr& a) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  if (a.is_complex() || a.nnz() == 0) return {};
  std::atomic<bool> many{false}, exact{sizeof(T) == 8};
  std::mutex together;
  FewPatterns all;
  tbb::parallel_for(Range(0, a.nnz(), 1 << 16), [&](const Range& range) {
    if (many && !exact) return;
    FewPatterns own;
    bool few = true, exact_here = sizeof(T) == 8;
    std::uint64_t before = 0;
    for (index_t k = range.begin(); k < range.end() && (few || exact_here); ++k) {
      const T value = static_cast<T>(a.values()[k]);
      const std::uint64_t bits = std::bit_cast<Bits>(value);
      if (exact_here) {
        const T back = static_cast<float>(value);
        exact_here = std::bit_cast<Bits>(back) == bits;
      }
      if (few && (bits != before || own.patterns().empty())) few = own.add(bits);
      before = bits;
    }
    if (!exact_here) exact = false;
    std::lock_guard lock(together);
    for (std::size_t i = 0; few && i < own.patterns().size(); ++i) few = all.add(own.patterns()[i]);
    if (!few) many = true;
  });
  ValueFacts facts{.distinct = many ? std::vector<std::uint64_t>{} : all.patterns(), .exact_in_f32 = exact};
  std::sort(facts.distinct.begin(), facts.distinct.end());
  return facts;
}

bool has_symmetric_pattern(const Csr& a) {
  if (a.rows() != a.cols()) return false;
  std::atomic<bool> symmetric{true};
  tbb::parallel_for(Range(0, a.rows(), 1024), [&](const Range& range) {
    for (index_t row = range.begin(); row < range.end() && symmetric; ++row)
      for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k)
        if (a.find(a.columns()[k], row) < 0) {
          symmetric = false;
          return;
        }
  });
  return symmetric;
}

SymmetryFacts symmetry_of(const Csr& a) {
  SymmetryFacts facts;
  if (a.rows() != a.cols()) return facts;
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  const auto mirrored = [&](index_t row, index_t k) {
    const index_t other = a.find(a.columns()[static_cast<std::size_t>(k)], row);
    if (other < 0 || !same(a.values()[k], a.values()[other])) return false;
    return !a.is_complex() || same(std::abs(a.imag()[k]), std::abs(a.imag()[other]));
  };
  // If each entry left of the diagonal has a mirror, and there are as many entries on the right, then all have one.
  // That saves half of the searches.
  std::atomic<index_t> left{0}, diagonal{0};
  std::atomic<bool> alone{false};
  tbb::parallel_for(Range(0, a.rows(), 1024), [&](const Range& range) {
    index_t left_here = 0, diagonal_here = 0;
    for (index_t row = range.begin(); row < range.end() && !alone; ++row)
      for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) {
        const index_t column = a.columns()[static_cast<std::size_t>(k)];
        diagonal_here += column == row;
        if (column >= row) break;
        ++left_here;
        if (mirrored(row, k)) continue;
        alone = true;
        return;
      }
    left += left_here;
    diagonal += diagonal_here;
  });
  if (!alone && 2 * left + diagonal == a.nnz()) {
    facts.values = true;
    facts.diagonal = diagonal;
    return facts;
  }
  std::atomic<index_t> bad{a.rows()};
  tbb::parallel_for(Range(0, a.rows(), 1024), [&](const Range& range) {
    for (index_t row = range.begin(); row < range.end() && row < bad; ++row)
      for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) {
        if (a.columns()[static_cast<std::size_t>(k)] == row || mirrored(row, k)) continue;
        index_t first = bad;
        while (row < first && !bad.compare_exchange_weak(first, row)) {
        }
        return;
      }
  });
  facts.row = bad;
  for (index_t k = a.row_ptr()[facts.row];; ++k) {
    facts.column = a.columns()[static_cast<std::size_t>(k)];
    if (facts.column != facts.row && !mirrored(facts.row, k)) return facts;
  }
}

}  // namespace

void block_columns_of(const Csr& a, index_t first, index_t last, index_t c, std::vector<index_t>& out) {
  out.clear();
  a.columns().visit([&](auto columns) {
    for (index_t row = first; row < last; ++row) {
      index_t end = -1;  // the first column after the block of this row's previous entry
      for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) {
        if (columns[k] < end) continue;
        const index_t block = columns[k] / c;
        out.push_back(block);
        end = (block + 1) * c;
      }
    }
  });
  if (last - first == 1) return;
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

LengthCounts length_counts(std::vector<index_t> rows_of_length) {
  LengthCounts r;
  r.longest = static_cast<index_t>(rows_of_length.size()) - 1;
  r.at_least = std::move(rows_of_length);
  r.at_least.push_back(0);
  for (index_t k = r.longest; k >= 0; --k) r.at_least[k] += r.at_least[k + 1];
  r.within.assign(static_cast<std::size_t>(r.longest) + 1, 0);
  for (index_t k = 1; k <= r.longest; ++k) r.within[k] = r.within[k - 1] + r.at_least[k];
  return r;
}

const LengthCounts& FormatFacts::lengths() const {
  std::lock_guard lock(mutex_);
  if (!lengths_) lengths_ = isolated([&] { return lengths_of(a_); });
  return *lengths_;
}

const std::vector<index_t>& FormatFacts::diagonals() const {
  std::lock_guard lock(mutex_);
  if (!diagonals_) diagonals_ = isolated([&] { return diagonals_of(a_); });
  return *diagonals_;
}

index_t FormatFacts::blocks(index_t r, index_t c) const {
  std::lock_guard lock(mutex_);
  const auto at = blocks_.find({r, c});
  if (at != blocks_.end()) return at->second;
  return blocks_[{r, c}] = isolated([&] { return blocks_of(a_, r, c); });
}

const ValueFacts& FormatFacts::values(Precision precision) const {
  std::lock_guard lock(mutex_);
  std::optional<ValueFacts>& facts = values_[precision == Precision::f64];
  if (!facts)
    facts =
        isolated([&] { return precision == Precision::f32 ? value_facts_of<float>(a_) : value_facts_of<double>(a_); });
  return *facts;
}

const SymmetryFacts& FormatFacts::symmetry() const {
  std::lock_guard lock(mutex_);
  if (!symmetry_) symmetry_ = isolated([&] { return symmetry_of(a_); });
  return *symmetry_;
}

bool FormatFacts::symmetric_pattern() const {
  std::lock_guard lock(mutex_);
  if (!symmetric_) symmetric_ = isolated([&] { return has_symmetric_pattern(a_); });
  return *symmetric_;
}

}  // namespace warpspy
