#include "core/formats/sell8.hpp"

#include <algorithm>
#include <limits>

#include "core/formats/build.hpp"
#include "core/formats/padding.hpp"

namespace warpspy {
namespace {

constexpr index_t kLanes = Sell8Format::slice_rows;

SellParams sell_params(const Sell8Params& p) { return {.slice_rows = kLanes, .sort_window = p.sort_window}; }

// The rows of a slice: where their entries begin, how many there are, and the smallest of their first columns.
struct Slice {
  index_t begin[kLanes], length[kLanes], longest = 0, base = 0;

  Slice(const Csr& a, auto columns, const SellOrder& order, index_t slice) {
    index_t least = std::numeric_limits<index_t>::max();
    for (index_t i = 0; i < kLanes; ++i) {
      const index_t place = slice * kLanes + i;
      const index_t row = place < a.rows() ? order.row_at(place) : -1;
      begin[i] = row < 0 ? 0 : a.row_ptr()[row], length[i] = row < 0 ? 0 : a.row_length(row);
      longest = std::max(longest, length[i]);
      if (length[i] > 0) least = std::min<index_t>(least, columns[begin[i]]);
    }
    if (longest > 0) base = least;
  }
  // Calls visit(slot n, lane i, position of the entry or -1, its distance) for all slots in order.
  void for_each(auto columns, auto&& visit) const {
    for (index_t n = 0; n < longest; ++n)
      for (index_t i = 0; i < kLanes; ++i) {
        if (n >= length[i]) {
          visit(n, i, index_t{-1}, index_t{0});
          continue;
        }
        const index_t k = begin[i] + n, before = n == 0 ? base : index_t{columns[k - 1]};
        visit(n, i, k, index_t{columns[k]} - before);
      }
  }
};

index_t escapes_in(const Csr& a, const SellOrder& order, index_t first, index_t last) {
  index_t count = 0;
  a.columns().visit([&](auto columns) {
    for (index_t slice = first; slice < last; ++slice) {
      const Slice s(a, columns, order, slice);
      for (index_t i = 0; i < kLanes; ++i)
        for (index_t n = 0; n < s.length[i]; ++n) {
          const index_t k = s.begin[i] + n, before = n == 0 ? s.base : index_t{columns[k - 1]};
          count += columns[k] - before >= Sell8Format::escape;
        }
    }
  });
  return count;
}

std::size_t skippable_slots(index_t padding, index_t below, Precision precision) {
  const std::size_t values = skippable_of(padding, 0, 0, precision), deltas = saturating_bytes(below, 1);
  return values > SIZE_MAX - deltas ? SIZE_MAX : values + deltas;
}

Estimate estimate_of(const SellOrder& order, bool sorted, index_t escapes, const FormatFacts& facts,
                     Precision precision) {
  const Csr& a = facts.csr();
  const index_t slots = order.slots(), slices = static_cast<index_t>(order.begin.size()) - 1;
  Estimate e{{values_size("values", slots, precision),
              {"columns", Kind::indices, saturating_bytes(slots, 1)},
              index_size("bases", Kind::indices, slices, a.cols()),
              index_size("escapes", Kind::indices, escapes, a.cols()),
              index_size("escape_ptr", Kind::pointers, slices + 1, escapes),
              index_size("slice_ptr", Kind::pointers, slices + 1, slots)},
             slots,
             slots - a.nnz()};
  if (sorted) e.arrays.push_back(index_size("permutation", Kind::pointers, a.rows(), a.rows()));
  e.facts = {{"escapes", static_cast<double>(escapes)}};
  e.scratch = saturating_bytes(slices + 1 + (sorted ? a.rows() + sell_long_rows(facts) : 0), 8);
  const index_t last = slices == 0 ? 0 : slots - order.begin[order.begin.size() - 2];
  e.skippable = skippable_slots(e.padding, sell_slots_below(a.rows(), kLanes, last), precision);
  return e;
}

index_t all_escapes(const Csr& a, const SellOrder& order, Progress& progress) {
  return for_blocks_placed(
      static_cast<index_t>(order.begin.size()) - 1, kRowBlock / kLanes, progress,
      [&](index_t first, index_t last) { return escapes_in(a, order, first, last); }, [](index_t, index_t, index_t) {});
}

}  // namespace

Fields<Sell8Params> sell8_fields() {
  ParamSpec window;
  for (const ParamSpec& spec : specs_of(sell_fields()))
    if (spec.id == "sort_window") window = spec;
  return {{&Sell8Params::sort_window, window}};
}

Estimate sell8_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  Progress progress;
  const Sell8Params p = params_of(sell8_fields(), params);
  const SellOrder order = sell_order(facts, sell_params(p), progress);
  return estimate_of(order, p.sort_window > 1, all_escapes(facts.csr(), order, progress), facts, precision);
}

Sell8Format::Sell8Format(const FormatFacts& facts, Precision precision, RealView view, const Sell8Params& params,
                         Progress& progress)
    : Format(facts.csr()), sorted_(params.sort_window > 1) {
  const Csr& a = facts.csr();
  const SellOrder order = sell_order(facts, sell_params(params), progress);
  const index_t escapes = all_escapes(a, order, progress), slots = order.slots();
  require_memory("sell8", estimate_of(order, sorted_, escapes, facts, precision), facts, precision);
  const auto count = static_cast<index_t>(order.begin.size()) - 1;  // slices
  slice_ptr_ = IndexArray(slots, count + 1);
  slice_ptr_.visit_mut([&](auto out) { std::copy(order.begin.begin(), order.begin.end(), out.begin()); });
  permutation_ = IndexArray(a.rows(), static_cast<index_t>(order.rows.size()));
  permutation_.visit_mut([&](auto out) { std::copy(order.rows.begin(), order.rows.end(), out.begin()); });
  bases_ = IndexArray(a.cols(), count);
  escape_ptr_ = IndexArray(escapes, count + 1);
  escapes_ = IndexArray(a.cols(), escapes);
  deltas_ = Buffer<std::uint8_t>(static_cast<std::size_t>(slots));
  values_ = Values(precision, slots);
  escape_ptr_.visit_mut([&](auto out) { out[0] = 0; });

  with_typed(a, precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    T* const values = values_.as_mut<T>().data();
    C* const bases = bases_.as_mut<C>().data();
    C* const far = escapes_.as_mut<C>().data();
    const auto fill = [&](index_t first, index_t last, index_t at) {
      for (index_t slice = first; slice < last; ++slice) {
        const Slice rows(a, s.columns, order, slice);
        bases[slice] = static_cast<C>(rows.base);
        for (index_t i = 0; i < kLanes; ++i) s.check(rows.begin[i], rows.begin[i] + rows.length[i]);
        rows.for_each(s.columns, [&](index_t n, index_t i, index_t k, index_t distance) {
          const index_t slot = order.begin[static_cast<std::size_t>(slice)] + n * kLanes + i;
          values[slot] = k < 0 ? T{0} : s.value(k);
          std::uint8_t& delta = deltas_.span()[static_cast<std::size_t>(slot)];
          delta = k < 0 ? padding : distance < escape ? static_cast<std::uint8_t>(distance) : escape;
          if (delta == escape) far[at++] = s.columns[k];
        });
        escape_ptr_.visit_mut([&]<class P>(std::span<P> out) { out[slice + 1] = static_cast<P>(at); });
      }
    };
    for_blocks_placed(
        count, kRowBlock / kLanes, progress,
        [&](index_t first, index_t last) { return escapes_in(a, order, first, last); }, fill);
  });
}

std::vector<ArrayView> Sell8Format::arrays() const {
  const auto slots = static_cast<index_t>(values_.size());
  std::vector<ArrayView> all{view_of("values", values_, {slots}, 0),
                             {"columns", Kind::indices, ArrayView::Type::u8, deltas_.span().data(), {slots}, 0},
                             view_of("bases", Kind::indices, bases_, {slices()}),
                             view_of("escapes", Kind::indices, escapes_, {static_cast<index_t>(escapes_.size())}),
                             view_of("escape_ptr", Kind::pointers, escape_ptr_, {slices() + 1}),
                             view_of("slice_ptr", Kind::pointers, slice_ptr_, {slices() + 1})};
  if (sorted_) all.push_back(view_of("permutation", Kind::pointers, permutation_, {rows()}));
  return all;
}

std::vector<FormatFact> Sell8Format::facts() const { return {{"escapes", static_cast<double>(escapes_.size())}}; }

std::size_t Sell8Format::skippable_bytes() const {
  const index_t last = slices() == 0 ? 0 : slice_ptr_[slices()] - slice_ptr_[slices() - 1];
  return skippable_slots(padding_of(0), sell_slots_below(rows(), kLanes, last), precision());
}

void Sell8Format::for_each_slot(const SlotVisitor& visit) const {
  for (index_t slice = 0; slice < slices(); ++slice) {
    index_t column[kLanes], next = escape_ptr_[slice];
    std::fill_n(column, kLanes, bases_[slice]);
    for (index_t at = slice_ptr_[slice]; at < slice_ptr_[slice + 1]; ++at) {
      const index_t lane = at % kLanes, place = slice * kLanes + lane;
      const std::uint8_t delta = deltas()[at];
      if (delta == padding) {
        visit({0, at});
        continue;
      }
      column[lane] = delta == escape ? escapes_[next++] : column[lane] + delta;
      visit({0, at, sorted_ ? permutation_[place] : place, column[lane], values_[at]});
    }
  }
}

std::shared_ptr<const Format> sell8_build(const FormatFacts& facts, Precision precision, RealView view,
                                          const ParamSet& params, Progress& progress) {
  return std::make_shared<Sell8Format>(facts, precision, view, params_of(sell8_fields(), params), progress);
}

void sell8_padding(PaddingRows& to) { sell_padding(to); }

FormatInfo sell8_info() {
  return {.id = "sell8",
          .label = "SELL, 8-bit columns",
          .help =
              "Slices of 32 rows as SELL-C-sigma has them. A column takes 8 bits, its distance from the one before in "
              "its row; where that is 254 and more, its number in full. Gains where entries of a row stand close: "
              "bands, meshes with several unknowns a node. Scattered columns take more than in SELL. To convert "
              "costs two passes over the columns more than SELL.",
          .source = "after Kourtis, Goumas & Koziris 2008, Kreutzer et al. 2014",
          .params = specs_of(sell8_fields()),
          .padding_index = FormatInfo::PaddingIndex::offset8,
          .fact_names = {{"escapes", "columns in full"}},
          .compact_of = "sell"};
}

}  // namespace warpspy
