#include "core/formats/sell.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/formats/build.hpp"
#include "core/formats/padding.hpp"

namespace warpspy {
namespace {

constexpr index_t kLong = 1024;  // longer rows are rare: they are sorted by comparing, the others by counting

// Sorts the rows of each window by falling length; rows of equal length keep their order.
class WindowSorter {
 public:
  explicit WindowSorter(const Csr& a) : a_(a) {}

  // Calls put(i, row) for every position i from begin to end - 1: `row` is the row at that position.
  void sort(index_t begin, index_t end, auto&& put) {
    bool sorted = true;
    count_.fill(0);
    for (index_t r = begin, before = INT64_MAX; r < end; ++r) {
      const index_t length = a_.row_length(r);
      sorted &= length <= before;
      before = length;
      ++count_[std::min(length, kLong)];
    }
    if (sorted) {
      for (index_t r = begin; r < end; ++r) put(r, r);
      return;
    }
    long_.resize(static_cast<std::size_t>(count_[kLong]));
    index_t next = begin, at = 0;
    for (index_t length = kLong; length >= 0; --length) next += std::exchange(count_[length], next);
    for (index_t r = begin; r < end; ++r) {
      const index_t length = a_.row_length(r);
      if (length >= kLong) {
        long_[at++] = r;
      } else {
        put(count_[length]++, r);
      }
    }
    std::sort(long_.begin(), long_.end(), [&](index_t x, index_t y) {
      return a_.row_length(x) != a_.row_length(y) ? a_.row_length(x) > a_.row_length(y) : x < y;
    });
    for (const index_t r : long_) put(begin++, r);
  }

 private:
  const Csr& a_;
  std::array<index_t, kLong + 1> count_;
  std::vector<index_t> long_;
};

// Where every slice begins.
struct SellPlan {
  std::vector<index_t> begin;  // slices + 1
  index_t slots() const { return begin.back(); }
};

// Calls put(i, row) for the row at each position i, from several threads. Does not call it if sigma is 1.
SellPlan plan_of(const FormatFacts& facts, const SellParams& p, Progress& progress, auto&& put) {
  const Csr& a = facts.csr();
  const index_t slices = divided_up(a.rows(), p.slice_rows);
  SellPlan plan{std::vector<index_t>(static_cast<std::size_t>(slices) + 1, 0)};
  std::vector<index_t>& width = plan.begin;
  if (p.sort_window == 1) {
    for_blocks(slices, divided_up(kRowBlock, p.slice_rows), progress, [&](index_t first, index_t last) {
      for (index_t s = first; s < last; ++s)
        for (index_t r = s * p.slice_rows; r < std::min((s + 1) * p.slice_rows, a.rows()); ++r)
          width[s + 1] = std::max(width[s + 1], a.row_length(r));
    });
  } else {
    // All are powers of two. So blocks consist of whole slices and whole windows, and no two tasks write the same
    // width.
    const index_t block = std::max<index_t>({kRowBlock, p.slice_rows, p.sort_window});
    for_blocks(a.rows(), block, progress, [&](index_t first, index_t last) {
      WindowSorter sorter(a);
      for (index_t begin = first; begin < last; begin += p.sort_window)
        sorter.sort(begin, std::min(begin + p.sort_window, last), [&](index_t i, index_t row) {
          index_t& w = width[i / p.slice_rows + 1];
          w = std::max(w, a.row_length(row));
          put(i, row);
        });
    });
  }
  for (std::size_t s = 1; s < width.size(); ++s) width[s] = width[s - 1] + saturating_count(width[s], p.slice_rows);
  return plan;
}

Estimate estimate_of(const SellPlan& plan, const FormatFacts& facts, Precision precision, const SellParams& p) {
  const Csr& a = facts.csr();
  const index_t slots = plan.slots(), slices = static_cast<index_t>(plan.begin.size()) - 1;
  Estimate e{{values_size("values", slots, precision), index_size("columns", Kind::indices, slots, a.cols()),
              index_size("slice_ptr", Kind::pointers, slices + 1, slots)},
             slots,
             slots - a.nnz()};
  const index_t sorted = sell_long_rows(facts);
  if (p.sort_window > 1) e.arrays.push_back(index_size("permutation", Kind::pointers, a.rows(), a.rows()));
  e.scratch = saturating_bytes(slices + 1 + (p.sort_window > 1 ? sorted : 0), 8);
  const index_t last = slices == 0 ? 0 : slots - plan.begin[plan.begin.size() - 2];
  e.skippable = skippable_of(e.padding, sell_slots_below(a.rows(), p.slice_rows, last), a.cols(), precision);
  return e;
}

}  // namespace

SellOrder sell_order(const FormatFacts& facts, const SellParams& params, Progress& progress) {
  SellOrder order;
  if (params.sort_window > 1) order.rows.resize(static_cast<std::size_t>(facts.csr().rows()));
  order.begin = plan_of(facts, params, progress, [&](index_t i, index_t row) {
                  order.rows[static_cast<std::size_t>(i)] = row;
                }).begin;
  return order;
}

index_t sell_long_rows(const FormatFacts& facts) {
  const LengthCounts& lengths = facts.lengths();
  return lengths.longest < kLong ? 0 : lengths.at_least[kLong];
}

index_t sell_slots_below(index_t rows, index_t slice_rows, index_t last_slice_slots) {
  return rows == 0 ? 0 : (rounded_up(rows, slice_rows) - rows) * (last_slice_slots / slice_rows);
}

Fields<SellParams> sell_fields() {
  return {{&SellParams::slice_rows,
           {.id = "slice_rows",
            .label = "Slice rows C",
            .help = "Rows that share a width. 32 is a warp; 1 is CSR without its row pointers' freedom.",
            .type = ParamSpec::Type::power_of_two,
            .min = 1,
            .max = 1024}},
          {&SellParams::sort_window,
           {.id = "sort_window",
            .label = "Sort window sigma",
            .help = "Rows are sorted by length within windows of this many, so that slices hold rows of like length. 1 "
                    "leaves the rows where they are, and needs no permutation.",
            .type = ParamSpec::Type::power_of_two,
            .min = 1,
            .max = 1 << 20,
            .tried = {1, 256}}}};
}

Estimate sell_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  const SellParams p = params_of(sell_fields(), params);
  Progress progress;
  return estimate_of(plan_of(facts, p, progress, [](index_t, index_t) {}), facts, precision, p);
}

SellFormat::SellFormat(const FormatFacts& facts, Precision precision, RealView view, const SellParams& params,
                       Progress& progress)
    : Format(facts.csr()), slice_rows_(params.slice_rows), sorted_(params.sort_window > 1) {
  const Csr& a = facts.csr();
  permutation_ = IndexArray(a.rows(), sorted_ ? a.rows() : 0);
  const SellPlan plan = permutation_.visit_mut([&]<class P>(std::span<P> out) {
    return plan_of(facts, params, progress, [&](index_t i, index_t row) { out[i] = static_cast<P>(row); });
  });
  // Checked here and not earlier, so that rows are sorted only once.
  require_memory("sell", estimate_of(plan, facts, precision, params), facts, precision);
  slice_ptr_ = IndexArray(plan.slots(), static_cast<index_t>(plan.begin.size()));
  columns_ = IndexArray(a.cols(), plan.slots());
  values_ = Values(precision, plan.slots());
  slice_ptr_.visit_mut([&](auto out) { std::copy(plan.begin.begin(), plan.begin.end(), out.begin()); });

  with_typed(a, precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    C* columns = columns_.as_mut<C>().data();
    T* values = values_.as_mut<T>().data();
    permutation_.visit([&](auto permutation) {
      const auto row = [&](index_t i) { return i >= rows() ? -1 : sorted_ ? index_t{permutation[i]} : i; };
      for_blocks(slices(), divided_up(kRowBlock, slice_rows_), progress, [&](index_t first, index_t last) {
        for (index_t slice = first; slice < last; ++slice) {
          const index_t lane = slice * slice_rows_, begin = plan.begin[slice];
          for (index_t i = lane; i < std::min(lane + slice_rows_, rows()); ++i) s.check_rows(row(i), row(i) + 1);
          // Relative to `lane`: entry n of lane i is at begin + n * C + (i - lane).
          fill_columns(
              s, lane, lane + slice_rows_, 0, (plan.begin[slice + 1] - begin) / slice_rows_, row,
              [&](index_t n) { return begin + n * slice_rows_ - lane; }, columns, values);
        }
      });
    });
  });
}

std::vector<ArrayView> SellFormat::arrays() const {
  const auto slots = static_cast<index_t>(values_.size());
  std::vector<ArrayView> all{view_of("values", values_, {slots}, 0),
                             view_of("columns", Kind::indices, columns_, {slots}, 0),
                             view_of("slice_ptr", Kind::pointers, slice_ptr_, {slices() + 1})};
  if (sorted_) all.push_back(view_of("permutation", Kind::pointers, permutation_, {rows()}));
  return all;
}

std::size_t SellFormat::skippable_bytes() const {
  const index_t last = slices() == 0 ? 0 : slice_ptr_[slices()] - slice_ptr_[slices() - 1];
  return skippable_of(padding_of(0), sell_slots_below(rows(), slice_rows_, last), cols(), precision());
}

void SellFormat::for_each_slot(const SlotVisitor& visit) const {
  for (index_t slice = 0; slice < slices(); ++slice)
    for (index_t at = slice_ptr_[slice]; at < slice_ptr_[slice + 1]; ++at) {
      const index_t lane = (at - slice_ptr_[slice]) % slice_rows_, column = columns_[at];
      visit(column == kPaddingColumn ? Slot{0, at}
                                     : Slot{0, at, row_at(slice * slice_rows_ + lane), column, values_[at]});
    }
}

std::vector<ArrayGrid> SellFormat::grids() const {
  std::vector<ArrayGrid> grids;
  for (std::size_t array : {0, 1})
    for (index_t slice = 0; slice < slices(); ++slice) {
      const auto begin = static_cast<std::size_t>(slice_ptr_[slice]), pitch = static_cast<std::size_t>(slice_rows_);
      grids.push_back({(array == 0 ? "values, slice " : "columns, slice ") + std::to_string(slice), array, begin,
                       slice_rows_, (slice_ptr_[slice + 1] - slice_ptr_[slice]) / slice_rows_, 1, pitch});
    }
  const std::vector<ArrayGrid> rest = Format::grids();
  grids.insert(grids.end(), rest.begin() + 2, rest.end());
  return grids;
}

std::shared_ptr<const Format> sell_build(const FormatFacts& facts, Precision precision, RealView view,
                                         const ParamSet& params, Progress& progress) {
  return std::make_shared<SellFormat>(facts, precision, view, params_of(sell_fields(), params), progress);
}

void sell_padding(PaddingRows& to) {
  const Csr& a = to.facts.csr();
  const SellParams p = params_of(sell_fields(), to.params);
  to.profile.order = p.sort_window > 1 ? "rows, sorted in windows of " + grouped(p.sort_window) : "rows";
  const index_t window = std::max<index_t>(p.sort_window, p.slice_rows);
  std::vector<index_t> lengths;
  // Windows and slices are powers of two, so the larger consists of a whole number of the smaller.
  for (index_t first = 0; first < a.rows(); first += window) {
    const index_t last = std::min(a.rows(), first + window);
    lengths.clear();
    for (index_t row = first; row < last; ++row) lengths.push_back(a.row_length(row));
    for (std::size_t w = 0; p.sort_window > 1 && w < lengths.size(); w += static_cast<std::size_t>(p.sort_window))
      std::sort(lengths.begin() + static_cast<std::ptrdiff_t>(w),
                lengths.begin() +
                    static_cast<std::ptrdiff_t>(std::min(lengths.size(), w + static_cast<std::size_t>(p.sort_window))),
                std::greater<>());
    for (std::size_t s = 0; s < lengths.size(); s += static_cast<std::size_t>(p.slice_rows)) {
      const std::size_t end = std::min(lengths.size(), s + static_cast<std::size_t>(p.slice_rows));
      const index_t width = *std::max_element(lengths.begin() + static_cast<std::ptrdiff_t>(s),
                                              lengths.begin() + static_cast<std::ptrdiff_t>(end));
      for (std::size_t i = s; i < end; ++i) to.add(first + static_cast<index_t>(i), lengths[i], width);
    }
  }
}

FormatInfo sell_info() {
  return {
      .id = "sell",
      .label = "SELL-C-sigma",
      .help = "Slices of C rows, each padded to its own longest row; rows sorted by length within windows of sigma.",
      .source = "Kreutzer et al. 2014; EVC-HYB, section 1",
      .params = specs_of(sell_fields()),
      .padding_index = FormatInfo::PaddingIndex::column};
}

}  // namespace warpspy
