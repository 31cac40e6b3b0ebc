#include "core/formats/sell16.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <utility>

#include "core/formats/build.hpp"
#include "core/formats/padding.hpp"

namespace warpspy {
namespace {

constexpr index_t kLanes = Sell16Format::slice_rows;
constexpr index_t kNarrow = 0xfffe, kWide = 0xfffffffe;  // the largest offsets: all bits set is padding

SellParams sell_params(const Sell16Params& p) { return {.slice_rows = kLanes, .sort_window = p.sort_window}; }

// The smallest and the largest column of a step.
struct Span {
  index_t least = std::numeric_limits<index_t>::max(), largest = -1;
  index_t reach() const { return largest - least; }
};

// Fills spans[n] for the steps of a slice, whose rows are row(0) to row(kLanes - 1), with -1 for none. Throws Error if
// 32 bits are not enough.
void spans_of(const Csr& a, auto&& row, index_t steps, std::vector<Span>& spans) {
  spans.assign(static_cast<std::size_t>(steps), {});
  a.columns().visit([&](auto columns) {
    for (index_t i = 0; i < kLanes; ++i) {
      const index_t r = row(i);
      if (r < 0) continue;
      const index_t begin = a.row_ptr()[r], length = a.row_length(r);
      for (index_t n = 0; n < length; ++n) {
        const index_t column = columns[begin + n];
        Span& s = spans[n];
        s.least = std::min(s.least, column), s.largest = std::max(s.largest, column);
      }
    }
  });
  for (const Span& s : spans)
    if (s.reach() > kWide)
      throw Error("format sell16 cannot hold neighbouring rows with columns " + std::to_string(s.least) + " and " +
                      std::to_string(s.largest) + ", more than 32 bits apart",
                  {}, "use format sell");
}

// Calls visit(slice, its first step, row(lane), spans) for slices first to last - 1.
void for_slices(const Csr& a, const SellOrder& order, index_t first, index_t last, auto&& visit) {
  std::vector<Span> spans;
  for (index_t slice = first; slice < last; ++slice) {
    const auto row = [&](index_t i) {
      const index_t place = slice * kLanes + i;
      return place < a.rows() ? order.row_at(place) : -1;
    };
    const index_t step = order.begin[slice] / kLanes;
    spans_of(a, row, order.begin[slice + 1] / kLanes - step, spans);
    visit(slice, step, row, std::as_const(spans));
  }
}

index_t wide_steps_of(const Csr& a, const SellOrder& order, Progress& progress) {
  std::atomic<index_t> wide{0};
  for_blocks(static_cast<index_t>(order.begin.size()) - 1, kRowBlock / kLanes, progress,
             [&](index_t first, index_t last) {
               for_slices(a, order, first, last, [&](index_t, index_t, auto&&, const std::vector<Span>& spans) {
                 wide += std::count_if(spans.begin(), spans.end(), [](const Span& s) { return s.reach() > kNarrow; });
               });
             });
  return wide;
}

std::size_t skippable_slots(index_t padding, index_t below, Precision precision) {
  const std::size_t values = skippable_of(padding, 0, 0, precision), offsets = saturating_bytes(below, 2);
  return values > SIZE_MAX - offsets ? SIZE_MAX : values + offsets;
}

Estimate estimate_of(const SellOrder& order, bool sorted, index_t wide, const FormatFacts& facts, Precision precision) {
  const Csr& a = facts.csr();
  const index_t slots = order.slots(), steps = slots / kLanes, slices = static_cast<index_t>(order.begin.size()) - 1;
  Estimate e{{values_size("values", slots, precision),
              {"columns", Kind::indices, saturating_bytes(slots, 2)},
              index_size("bases", Kind::indices, steps, a.cols())},
             slots,
             slots - a.nnz()};
  if (wide > 0) {
    e.arrays.push_back({"wide_at", Kind::indices, saturating_bytes(steps, 4)});
    e.arrays.push_back({"high_columns", Kind::indices, saturating_bytes(saturating_count(wide, kLanes), 2)});
  }
  e.arrays.push_back(index_size("slice_ptr", Kind::pointers, slices + 1, slots));
  if (sorted) e.arrays.push_back(index_size("permutation", Kind::pointers, a.rows(), a.rows()));
  e.facts = {{"wide_steps", static_cast<double>(wide)}};
  e.scratch = saturating_bytes(slices + 1 + (sorted ? a.rows() + sell_long_rows(facts) : 0), 8);
  const index_t last = slices == 0 ? 0 : slots - order.begin[order.begin.size() - 2];
  e.skippable = skippable_slots(e.padding, sell_slots_below(a.rows(), kLanes, last), precision);
  return e;
}

}  // namespace

Fields<Sell16Params> sell16_fields() {
  ParamSpec window;
  for (const ParamSpec& spec : specs_of(sell_fields()))
    if (spec.id == "sort_window") window = spec;
  return {{&Sell16Params::sort_window, window}};
}

Estimate sell16_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  Progress progress;
  const Sell16Params p = params_of(sell16_fields(), params);
  const SellOrder order = sell_order(facts, sell_params(p), progress);
  return estimate_of(order, p.sort_window > 1, wide_steps_of(facts.csr(), order, progress), facts, precision);
}

Sell16Format::Sell16Format(const FormatFacts& facts, Precision precision, RealView view, const Sell16Params& params,
                           Progress& progress)
    : Format(facts.csr()), sorted_(params.sort_window > 1) {
  const Csr& a = facts.csr();
  const SellOrder order = sell_order(facts, sell_params(params), progress);
  wide_steps_ = wide_steps_of(a, order, progress);
  require_memory("sell16", estimate_of(order, sorted_, wide_steps_, facts, precision), facts, precision);
  const index_t slots = order.slots(), steps = slots / kLanes;
  slice_ptr_ = IndexArray(slots, static_cast<index_t>(order.begin.size()));
  slice_ptr_.visit_mut([&](auto out) { std::copy(order.begin.begin(), order.begin.end(), out.begin()); });
  permutation_ = IndexArray(a.rows(), static_cast<index_t>(order.rows.size()));
  permutation_.visit_mut([&](auto out) { std::copy(order.rows.begin(), order.rows.end(), out.begin()); });
  bases_ = IndexArray(a.cols(), steps);
  offsets_ = Buffer<std::uint16_t>(static_cast<std::size_t>(slots));
  values_ = Values(precision, slots);
  if (wide_steps_ > 0) {
    wide_at_ = Buffer<std::int32_t>(static_cast<std::size_t>(steps));
    high_offsets_ = Buffer<std::uint16_t>(static_cast<std::size_t>(wide_steps_ * kLanes));
  }

  const auto count = [&](index_t first, index_t last) {
    index_t wide = 0;
    for_slices(a, order, first, last, [&](index_t, index_t, auto&&, const std::vector<Span>& spans) {
      for (const Span& s : spans) wide += s.reach() > kNarrow;
    });
    return wide;
  };
  with_typed(a, precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    T* const values = values_.as_mut<T>().data();
    C* const bases = bases_.as_mut<C>().data();
    const auto fill = [&](index_t first, index_t last, index_t wide) {
      for_slices(a, order, first, last, [&](index_t, index_t step, auto&& row, const std::vector<Span>& spans) {
        index_t begin[kLanes], length[kLanes];
        for (index_t i = 0; i < kLanes; ++i) {
          const index_t r = row(i);
          begin[i] = r < 0 ? 0 : s.ptr[r], length[i] = r < 0 ? 0 : s.length(r);
          s.check(begin[i], begin[i] + length[i]);
        }
        for (std::size_t n = 0; n < spans.size(); ++n, ++step) {
          const bool is_wide = spans[n].reach() > kNarrow;
          bases[step] = static_cast<C>(spans[n].least);
          if (wide_steps_ > 0) wide_at_.span()[step] = is_wide ? static_cast<std::int32_t>(wide) : -1;
          for (index_t i = 0; i < kLanes; ++i) {
            const bool holds = static_cast<index_t>(n) < length[i];
            const index_t k = begin[i] + static_cast<index_t>(n);
            const index_t offset = holds ? s.columns[k] - spans[n].least : -1;
            values[step * kLanes + i] = holds ? s.value(k) : T{0};
            offsets_.span()[step * kLanes + i] = static_cast<std::uint16_t>(offset);
            if (is_wide) high_offsets_.span()[wide * kLanes + i] = static_cast<std::uint16_t>(offset >> 16);
          }
          wide += is_wide;
        }
      });
    };
    for_blocks_placed(slices(), kRowBlock / kLanes, progress, count, fill);
  });
}

std::vector<ArrayView> Sell16Format::arrays() const {
  const auto slots = static_cast<index_t>(values_.size());
  const auto halves = [](const char* name, const Buffer<std::uint16_t>& b, int part) {
    return ArrayView{name, Kind::indices, ArrayView::Type::u16, b.span().data(), {static_cast<index_t>(b.size())},
                     part};
  };
  std::vector<ArrayView> all{view_of("values", values_, {slots}, 0), halves("columns", offsets_, 0),
                             view_of("bases", Kind::indices, bases_, {slots / kLanes})};
  if (wide_steps_ > 0) {
    all.push_back({"wide_at", Kind::indices, ArrayView::Type::i32, wide_at_.span().data(), {slots / kLanes}, -1});
    all.push_back(halves("high_columns", high_offsets_, -1));
  }
  all.push_back(view_of("slice_ptr", Kind::pointers, slice_ptr_, {slices() + 1}));
  if (sorted_) all.push_back(view_of("permutation", Kind::pointers, permutation_, {rows()}));
  return all;
}

std::vector<FormatFact> Sell16Format::facts() const { return {{"wide_steps", static_cast<double>(wide_steps_)}}; }

std::size_t Sell16Format::skippable_bytes() const {
  const index_t last = slices() == 0 ? 0 : slice_ptr_[slices()] - slice_ptr_[slices() - 1];
  return skippable_slots(padding_of(0), sell_slots_below(rows(), kLanes, last), precision());
}

void Sell16Format::for_each_slot(const SlotVisitor& visit) const {
  for (index_t slice = 0; slice < slices(); ++slice)
    for (index_t at = slice_ptr_[slice]; at < slice_ptr_[slice + 1]; ++at) {
      const index_t step = at / kLanes, lane = at % kLanes, place = slice * kLanes + lane;
      const index_t wide = wide_steps_ > 0 ? wide_at()[step] : -1;
      const index_t high = wide < 0 ? 0 : high_offsets()[wide * kLanes + lane];
      const bool holds = offsets()[at] != padding || (wide >= 0 && high != padding);
      if (!holds) {
        visit({0, at});
        continue;
      }
      visit({0, at, sorted_ ? permutation_[place] : place, bases_[step] + (high << 16) + offsets()[at], values_[at]});
    }
}

std::shared_ptr<const Format> sell16_build(const FormatFacts& facts, Precision precision, RealView view,
                                           const ParamSet& params, Progress& progress) {
  return std::make_shared<Sell16Format>(facts, precision, view, params_of(sell16_fields(), params), progress);
}

void sell16_padding(PaddingRows& to) { sell_padding(to); }

FormatInfo sell16_info() {
  return {.id = "sell16",
          .label = "SELL, 16-bit columns",
          .help =
              "Slices of 32 rows as SELL-C-sigma has them, with columns as 16-bit offsets from the least one of "
              "each 32 neighbours; where these do not reach, 16 bits more.",
          .source = "after Kreutzer et al. 2014",
          .params = specs_of(sell16_fields()),
          .padding_index = FormatInfo::PaddingIndex::offset16,
          .fact_names = {{"wide_steps", "steps with more than 16 bits"}},
          .compact_of = "sell"};
}

}  // namespace warpspy
