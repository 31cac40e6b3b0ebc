#include "core/formats/evc_hyb.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>

#include "core/base/numbers.hpp"
#include "core/formats/build.hpp"
#include "core/formats/padding.hpp"

namespace warpspy {
namespace {

constexpr index_t kWarp = EvcHybFormat::warp;

// Counts as table 3 of the paper does: the entries of both parts, zeros included.
std::vector<FormatFact> facts_about(index_t split_row, index_t ell_slots, index_t csr_slots, index_t nnz) {
  const auto all = static_cast<double>(std::max<index_t>(ell_slots + csr_slots, 1));
  return {{"split_row", static_cast<double>(split_row)},
          {"nnz_ell", static_cast<double>(ell_slots)},
          {"nnz_csr", static_cast<double>(csr_slots)},
          {"nnz_added", static_cast<double>(ell_slots + csr_slots - nnz)},
          {"ell_share", static_cast<double>(ell_slots) / all},
          {"csr_share", static_cast<double>(csr_slots) / all}};
}

// Sorts by length, then by first column, then by row number.
void sort_rows(const FormatFacts& facts, IndexArray& out, Progress& progress) {
  const Csr& a = facts.csr();
  const LengthCounts& lengths = facts.lengths();
  std::vector<index_t> next(static_cast<std::size_t>(lengths.longest) + 1);
  for (index_t n = 0; n <= lengths.longest; ++n) next[n] = a.rows() - lengths.at_least[n];
  out.visit_mut([&]<class I>(std::span<I> order) {
    for (index_t row = 0; row < a.rows(); ++row) order[next[a.row_length(row)]++] = static_cast<I>(row);
    std::vector<std::pair<index_t, I>> keys;
    for (index_t n = 1; n <= lengths.longest; ++n) {
      progress.check();
      const auto same = order.subspan(static_cast<std::size_t>(a.rows() - lengths.at_least[n]),
                                      static_cast<std::size_t>(lengths.rows_of_length(n)));
      const auto key_of = [&](I row) { return std::pair(a.columns()[a.row_ptr()[row]], row); };
      if (std::is_sorted(same.begin(), same.end(), [&](I x, I y) { return key_of(x) < key_of(y); })) continue;
      keys.clear(), keys.reserve(same.size());
      for (const I row : same) keys.push_back(key_of(row));
      tbb::parallel_sort(keys.begin(), keys.end());
      std::transform(keys.begin(), keys.end(), same.begin(), [](const auto& key) { return key.second; });
    }
  });
}

}  // namespace

EvcHybPlan evc_hyb_plan(const LengthSteps& lengths, const EvcHybParams& p) {
  const auto rows_of_length = [&](index_t n) { return lengths.at_least(n) - lengths.at_least(n + 1); };
  const index_t boundary = std::min<index_t>(p.boundary, lengths.longest());
  EvcHybPlan plan;
  index_t waiting = 0;  // shorter rows that did not fill a whole warp
  for (index_t n = 0; n <= boundary; ++n) {
    waiting += rows_of_length(n);
    const index_t rows = waiting / kWarp * kWarp;
    if (rows == 0) continue;
    plan.groups.push_back({plan.split_row, rows, n, plan.ell_slots});
    plan.split_row += rows;
    plan.ell_slots += rows * n;
    waiting -= rows;
  }
  const auto to_csr = [&](index_t rows, index_t length) {
    plan.csr_slots += rows * rounded_up(length, kWarp);
    plan.in_csr += rows * length;
  };
  for (index_t n = lengths.next(boundary); n <= lengths.longest(); n = lengths.next(n)) to_csr(rows_of_length(n), n);
  for (index_t n = boundary; waiting > 0; --n) {  // the longest of the short rows are the ones that remain
    const index_t rows = std::min(waiting, rows_of_length(n));
    to_csr(rows, n);
    waiting -= rows;
  }
  return plan;
}

Fields<EvcHybParams> evc_hyb_fields() {
  return {{&EvcHybParams::boundary,
           {.id = "boundary",
            .label = "Boundary",
            .help = "Longest row of the ELL part; longer rows go to the CSR part. The paper takes 128.",
            .type = ParamSpec::Type::integer,
            .min = 0,
            .max = 4096}}};
}

Estimate evc_hyb_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  const EvcHybPlan plan = evc_hyb_plan(LengthSteps(facts.lengths()), params_of(evc_hyb_fields(), params));
  const Csr& a = facts.csr();
  const auto groups = static_cast<index_t>(plan.groups.size());
  const index_t stored = plan.ell_slots + plan.csr_slots;
  return {{values_size("ell_values", plan.ell_slots, precision),
           index_size("ell_columns", Kind::indices, plan.ell_slots, a.cols()),
           values_size("csr_values", plan.csr_slots, precision),
           index_size("csr_columns", Kind::indices, plan.csr_slots, a.cols()),
           index_size("csr_ptr", Kind::pointers, a.rows() - plan.split_row + 1, plan.csr_slots),
           index_size("group_row", Kind::pointers, groups + 1, a.rows()),
           index_size("group_begin", Kind::pointers, groups + 1, plan.ell_slots),
           index_size("group_width", Kind::pointers, groups, a.cols()),
           index_size("permutation", Kind::pointers, a.rows(), a.rows())},
          stored,
          stored - a.nnz(),
          facts_about(plan.split_row, plan.ell_slots, plan.csr_slots, a.nnz()),
          saturating_bytes(a.rows(), 16) + saturating_bytes(facts.lengths().longest + 1, 8),
          skippable_of(stored - a.nnz(), 0, a.cols(), precision)};
}

EvcHybFormat::EvcHybFormat(const FormatFacts& facts, Precision precision, RealView view, const EvcHybParams& params,
                           Progress& progress)
    : Format(facts.csr()) {
  progress.check();
  EvcHybPlan plan = evc_hyb_plan(LengthSteps(facts.lengths()), params);
  groups_ = std::move(plan.groups);
  split_row_ = plan.split_row;
  in_csr_ = plan.in_csr;
  permutation_ = IndexArray(rows(), rows());
  ell_columns_ = IndexArray(cols(), plan.ell_slots);
  ell_values_ = Values(precision, plan.ell_slots);
  csr_ptr_ = IndexArray(plan.csr_slots, rows() - split_row_ + 1);
  csr_columns_ = IndexArray(cols(), plan.csr_slots);
  csr_values_ = Values(precision, plan.csr_slots);
  const auto groups = static_cast<index_t>(groups_.size());
  group_row_ = IndexArray(rows(), groups + 1);
  group_begin_ = IndexArray(plan.ell_slots, groups + 1);
  group_width_ = IndexArray(cols(), groups);
  const auto list = [&](IndexArray& array, auto&& of, index_t end) {
    array.visit_mut([&]<class I>(std::span<I> out) {
      for (index_t g = 0; g < groups; ++g) out[g] = static_cast<I>(of(groups_[g]));
      if (static_cast<index_t>(out.size()) > groups) out[groups] = static_cast<I>(end);
    });
  };
  list(group_row_, [](const EvcGroup& g) { return g.row; }, split_row_);
  list(group_begin_, [](const EvcGroup& g) { return g.begin; }, plan.ell_slots);
  list(group_width_, [](const EvcGroup& g) { return g.width; }, 0);
  sort_rows(facts, permutation_, progress);

  with_typed(facts.csr(), precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    permutation_.visit([&](auto permutation) {
      const auto row = [&](index_t i) { return index_t{permutation[i]}; };
      for (const EvcGroup& g : groups_)
        for_blocks(g.rows, kRowBlock, progress, [&](index_t first, index_t last) {
          for (index_t i = g.row + first; i < g.row + last; ++i) s.check_rows(row(i), row(i) + 1);
          fill_columns(
              s, g.row + first, g.row + last, 0, g.width, row, [&](index_t n) { return g.begin + n * g.rows - g.row; },
              ell_columns_.as_mut<C>().data(), ell_values_.as_mut<T>().data());
        });
      const std::span<C> columns = csr_columns_.as_mut<C>();
      const std::span<T> values = csr_values_.as_mut<T>();
      const auto padded = [&](index_t first, index_t last) {
        index_t sum = 0;
        for (index_t i = first; i < last; ++i) sum += rounded_up(s.length(row(split_row_ + i)), kWarp);
        return sum;
      };
      csr_ptr_.visit_mut([&]<class P>(std::span<P> ptr) {
        ptr[rows() - split_row_] = static_cast<P>(plan.csr_slots);
        for_blocks_placed(rows() - split_row_, 64, progress, padded, [&](index_t first, index_t last, index_t to) {
          for (index_t i = first; i < last; ++i) {
            const index_t r = row(split_row_ + i), length = s.length(r), end = to + rounded_up(length, kWarp);
            s.check_rows(r, r + 1);
            ptr[i] = static_cast<P>(to);
            for (index_t k = s.ptr[r]; k < s.ptr[r + 1]; ++k, ++to) columns[to] = s.columns[k], values[to] = s.value(k);
            for (; to < end; ++to) columns[to] = kPaddingColumn, values[to] = 0;
          }
        });
      });
    });
  });
}

std::vector<ArrayView> EvcHybFormat::arrays() const {
  const auto ell = static_cast<index_t>(ell_values_.size()), csr = static_cast<index_t>(csr_values_.size());
  const auto groups = static_cast<index_t>(groups_.size());
  return {view_of("ell_values", ell_values_, {ell}, 0),
          view_of("ell_columns", Kind::indices, ell_columns_, {ell}, 0),
          view_of("csr_values", csr_values_, {csr}, 1),
          view_of("csr_columns", Kind::indices, csr_columns_, {csr}, 1),
          view_of("csr_ptr", Kind::pointers, csr_ptr_, {rows() - split_row_ + 1}),
          view_of("group_row", Kind::pointers, group_row_, {groups + 1}),
          view_of("group_begin", Kind::pointers, group_begin_, {groups + 1}),
          view_of("group_width", Kind::pointers, group_width_, {groups}),
          view_of("permutation", Kind::pointers, permutation_, {rows()})};
}

index_t EvcHybFormat::padding_of(int part) const {
  if (part == 0) return static_cast<index_t>(ell_values_.size()) - (nnz() - in_csr_);
  return part == 1 ? static_cast<index_t>(csr_values_.size()) - in_csr_ : 0;
}

std::size_t EvcHybFormat::skippable_bytes() const {
  return skippable_of(padding_of(0) + padding_of(1), 0, cols(), precision());
}

std::vector<FormatFact> EvcHybFormat::facts() const {
  return facts_about(split_row_, static_cast<index_t>(ell_values_.size()), static_cast<index_t>(csr_values_.size()),
                     nnz());
}

void EvcHybFormat::for_each_slot(const SlotVisitor& visit) const {
  const auto show = [&](int part, index_t at, index_t i, index_t column, const Values& values) {
    visit(column == kPaddingColumn ? Slot{part, at} : Slot{part, at, permutation_[i], column, values[at]});
  };
  for (const EvcGroup& g : groups_)
    for (index_t n = 0; n < g.width; ++n)
      for (index_t i = 0; i < g.rows; ++i) {
        const index_t at = g.begin + n * g.rows + i;
        show(0, at, g.row + i, ell_columns_[at], ell_values_);
      }
  for (index_t i = 0; i < rows() - split_row_; ++i)
    for (index_t at = csr_ptr_[i]; at < csr_ptr_[i + 1]; ++at)
      show(1, at, split_row_ + i, csr_columns_[at], csr_values_);
}

std::vector<ArrayGrid> EvcHybFormat::grids() const {
  std::vector<ArrayGrid> grids;
  for (std::size_t array : {0, 1})
    for (const EvcGroup& g : groups_)
      grids.push_back({(array == 0 ? "ELL of width " : "ELL columns of width ") + std::to_string(g.width), array,
                       static_cast<std::size_t>(g.begin), g.rows, g.width, 1, static_cast<std::size_t>(g.rows)});
  const std::vector<ArrayGrid> rest = Format::grids();
  grids.insert(grids.end(), rest.begin() + 2, rest.end());
  return grids;
}

std::shared_ptr<const Format> evc_hyb_build(const FormatFacts& facts, Precision precision, RealView view,
                                            const ParamSet& params, Progress& progress) {
  require_memory("evc_hyb", evc_hyb_estimate(facts, precision, params), facts, precision);
  return std::make_shared<EvcHybFormat>(facts, precision, view, params_of(evc_hyb_fields(), params), progress);
}

void evc_hyb_padding(PaddingRows& to) {
  const LengthCounts& lengths = to.facts.lengths();
  const EvcHybParams p = params_of(evc_hyb_fields(), to.params);
  const index_t boundary = std::min<index_t>(p.boundary, lengths.longest), split = to.fact("split_row");
  to.profile.order = "rows, shortest first; CSR right of row " + grouped(split);
  // Whole warps of one length; remaining rows join those of the next greater length.
  index_t row = 0, done = 0, seen = 0, width = 0;
  std::vector<std::pair<index_t, index_t>> ends;  // first row past a group, its width
  for (index_t n = 0; n <= boundary; ++n) {
    seen += lengths.rows_of_length(n);
    const index_t rows = (seen - done) / EvcHybFormat::warp * EvcHybFormat::warp;
    if (rows > 0) ends.emplace_back(done += rows, n);
  }
  std::size_t at = 0;
  to.by_length(false, [&](index_t, index_t length) {
    while (at < ends.size() && row >= ends[at].first) ++at;
    width = row < split && at < ends.size()
                ? ends[at].second
                : (length + EvcHybFormat::warp - 1) / EvcHybFormat::warp * EvcHybFormat::warp;
    to.add(row++, length, width);
  });
}

FormatInfo evc_hyb_info() {
  return {
      .id = "evc_hyb",
      .label = "EVC-HYB",
      .help =
          "Rows sorted by length, then by first column: short ones in ELL groups of one length, multiples of 32 rows; "
          "long ones in CSR padded to 32 entries.",
      .source = "EVC-HYB, section 2.1",
      .params = specs_of(evc_hyb_fields()),
      .cut = {"boundary", "EVC-HYB boundary"},
      .padding_index = FormatInfo::PaddingIndex::column,
      .fact_names = {{"nnz_ell", "slots in ELL"},
                     {"nnz_csr", "slots in CSR"},
                     {"nnz_added", "zeros added"},
                     {"ell_share", "nnz in ELL"},
                     {"csr_share", "slots in CSR"}}};
}

}  // namespace warpspy
