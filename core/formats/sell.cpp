#include "core/formats/sell.hpp"

#include <algorithm>

#include "core/formats/build.hpp"

namespace warpspy {
namespace {

// The rows first..last-1 of whole windows in the order of their lengths, the longest first, equal ones as they were:
// keys of (shortness, row in window), sorted.
void sort_windows(const Csr& a, index_t first, index_t last, index_t window, index_t longest,
                  std::vector<std::uint64_t>& keys, auto&& put) {
  const std::uint64_t local = (std::uint64_t{1} << 21) - 1;
  for (index_t begin = first; begin < last; begin += window) {
    const index_t end = std::min(begin + window, last);
    keys.resize(static_cast<std::size_t>(end - begin));
    for (index_t r = begin; r < end; ++r)
      keys[r - begin] =
          static_cast<std::uint64_t>(longest - a.row_length(r)) << 21 | static_cast<std::uint64_t>(r - begin);
    if (!std::is_sorted(keys.begin(), keys.end())) std::sort(keys.begin(), keys.end());
    for (index_t i = begin; i < end; ++i) put(i, begin + static_cast<index_t>(keys[i - begin] & local));
  }
}

// Where every slice begins.
struct Plan {
  std::vector<index_t> begin;  // slices + 1
  index_t slots() const { return begin.back(); }
};

Plan plan_of(const FormatFacts& facts, const SellParams& p, Progress& progress) {
  const Csr& a = facts.csr();
  const index_t longest = facts.lengths().longest, slices = divided_up(a.rows(), p.slice_rows);
  Plan plan{std::vector<index_t>(static_cast<std::size_t>(slices) + 1, 0)};
  std::vector<index_t>& width = plan.begin;
  if (p.sort_window == 1) {
    for_blocks(slices, divided_up(kRowBlock, p.slice_rows), progress, [&](index_t first, index_t last) {
      for (index_t s = first; s < last; ++s)
        for (index_t r = s * p.slice_rows; r < std::min((s + 1) * p.slice_rows, a.rows()); ++r)
          width[s + 1] = std::max(width[s + 1], a.row_length(r));
    });
  } else {
    // All powers of two: blocks hold whole slices and whole windows, so that no two tasks write one width.
    const index_t block = std::max<index_t>({kRowBlock, p.slice_rows, p.sort_window});
    for_blocks(a.rows(), block, progress, [&](index_t first, index_t last) {
      std::vector<std::uint64_t> keys;
      sort_windows(a, first, last, p.sort_window, longest, keys, [&](index_t i, index_t row) {
        index_t& w = width[i / p.slice_rows + 1];
        w = std::max(w, a.row_length(row));
      });
    });
  }
  for (std::size_t s = 1; s < width.size(); ++s) width[s] = width[s - 1] + saturating_count(width[s], p.slice_rows);
  return plan;
}

}  // namespace

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
            .max = 1 << 20}}};
}

Estimate sell_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  const SellParams p = params_of(sell_fields(), params);
  const Csr& a = facts.csr();
  Progress progress;
  const Plan plan = plan_of(facts, p, progress);
  const index_t slots = plan.slots(), slices = static_cast<index_t>(plan.begin.size()) - 1;
  Estimate e{{values_size("values", slots, precision), index_size("columns", Role::indices, slots, a.cols()),
              index_size("slice_ptr", Role::pointers, slices + 1, slots)},
             slots,
             slots - a.nnz()};
  if (p.sort_window > 1) e.arrays.push_back(index_size("permutation", Role::pointers, a.rows(), a.rows()));
  e.scratch = saturating_bytes(slices + 1, 8);
  return e;
}

SellFormat::SellFormat(const FormatFacts& facts, Precision precision, RealView view, const SellParams& params,
                       Progress& progress)
    : Format(facts.csr()), slice_rows_(params.slice_rows), sorted_(params.sort_window > 1) {
  const Csr& a = facts.csr();
  const Plan plan = plan_of(facts, params, progress);
  slice_ptr_ = IndexArray(plan.slots(), static_cast<index_t>(plan.begin.size()));
  columns_ = IndexArray(a.cols(), plan.slots());
  values_ = Values(precision, plan.slots());
  permutation_ = IndexArray(a.rows(), sorted_ ? a.rows() : 0);
  slice_ptr_.visit_mut([&](auto out) { std::copy(plan.begin.begin(), plan.begin.end(), out.begin()); });

  if (sorted_) {
    permutation_.visit_mut([&]<class P>(std::span<P> out) {
      for_blocks(a.rows(), std::max<index_t>(kRowBlock, params.sort_window), progress,
                 [&](index_t first, index_t last) {
                   std::vector<std::uint64_t> keys;
                   sort_windows(a, first, last, params.sort_window, facts.lengths().longest, keys,
                                [&](index_t i, index_t row) { out[i] = static_cast<P>(row); });
                 });
    });
  }
  with_typed(a, precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    C* columns = columns_.as_mut<C>().data();
    T* values = values_.as_mut<T>().data();
    permutation_.visit([&](auto permutation) {
      const auto row = [&](index_t i) { return i >= rows() ? -1 : sorted_ ? index_t{permutation[i]} : i; };
      for_blocks(slices(), divided_up(kRowBlock, slice_rows_), progress, [&](index_t first, index_t last) {
        for (index_t slice = first; slice < last; ++slice) {
          const index_t lane = slice * slice_rows_, begin = plan.begin[slice];
          for (index_t i = lane; i < std::min(lane + slice_rows_, rows()); ++i) s.check_rows(row(i), row(i) + 1);
          // Counted from `lane`: position begin + n * C + (i - lane).
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
                             view_of("columns", Role::indices, columns_, {slots}, 0),
                             view_of("slice_ptr", Role::pointers, slice_ptr_, {slices() + 1})};
  if (sorted_) all.push_back(view_of("permutation", Role::pointers, permutation_, {rows()}));
  return all;
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
  require_memory("sell", sell_estimate(facts, precision, params), facts, precision);
  return std::make_shared<SellFormat>(facts, precision, view, params_of(sell_fields(), params), progress);
}

FormatInfo sell_info() {
  return {"sell", "SELL-C-sigma",
          "Slices of C rows, each padded to its own longest row; rows sorted by length within windows of sigma.",
          "Kreutzer et al. 2014; EVC-HYB, section 1", specs_of(sell_fields())};
}

}  // namespace warpspy
