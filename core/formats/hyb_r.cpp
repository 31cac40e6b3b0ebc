#include "core/formats/hyb_r.hpp"

#include <algorithm>

#include "core/formats/build.hpp"
#include "core/formats/ell.hpp"
#include "core/formats/padding.hpp"

namespace warpspy {
namespace {

Fields<HybRParams> whole_fields() {
  return {{&HybRParams::rule, rule_spec()},
          {&HybRParams::k, k_spec()},
          {&HybRParams::stop_rows,
           {.id = "stop_rows",
            .label = "Stop below rows",
            .help = "No further ELL part once fewer rows than this have entries left.",
            .type = ParamSpec::Type::integer,
            .min = 1,
            .max = 1 << 30}},
          {&HybRParams::depth,
           {.id = "depth",
            .label = "ELL parts at most",
            .help = "The paper's tables are for two parts.",
            .type = ParamSpec::Type::integer,
            .min = 1,
            .max = 64}},
          {&HybRParams::alignment, alignment_spec()}};
}

// Slots below the last row of each part.
index_t slots_below(const std::vector<HybRPart>& parts) {
  index_t sum = 0;
  for (const HybRPart& p : parts) sum += saturating_count(p.pitch - p.rows, p.width);
  return sum;
}

std::vector<FormatFact> facts_about(const std::vector<HybRPart>& parts, index_t in_coo, index_t nnz) {
  const double all = static_cast<double>(std::max<index_t>(nnz, 1));
  std::vector<FormatFact> facts{{"depth", static_cast<double>(parts.size())}};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    facts.push_back({std::string("k").append(number), static_cast<double>(parts[i].width)});
    facts.push_back({std::string("ell").append(number).append("_share"), static_cast<double>(parts[i].nnz) / all});
  }
  facts.push_back({"coo_share", static_cast<double>(in_coo) / all});
  return facts;
}

}  // namespace

std::vector<ParamSpec> hyb_r_specs() {
  std::vector<ParamSpec> specs = specs_of(whole_fields());
  specs.insert(specs.begin() + 2,
               {.id = "stop_share",
                .label = "Stop at COO share (%)",
                .help = "No further ELL part once less than this share of the entries is left. The paper takes 0.5 %.",
                .type = ParamSpec::Type::real,
                .min = 0,
                .max = 100,
                .def = HybRParams{}.stop_share});
  return specs;
}

HybRParams hyb_r_params(const ParamSet& given) {
  ParamSet whole = checked_params(hyb_r_specs(), given);
  const double stop_share = whole.extract("stop_share").mapped();
  HybRParams p = params_of(whole_fields(), whole);
  p.stop_share = stop_share;
  return p;
}

HybRPlan hyb_r_plan(const LengthSteps& lengths, const HybRShape& of, Precision precision, const HybRParams& p) {
  const std::size_t value = static_cast<std::size_t>(bytes_of(precision)), column = IndexArray::width(of.cols);
  const HybCost cost{p.alignment, value + column, value + column + IndexArray::width(of.rows)};
  HybRPlan plan{{}, 0, of.nnz};
  for (index_t skip = 0; static_cast<int>(plan.parts.size()) < p.depth;) {
    const Remaining left{lengths, skip};
    const bool first = plan.parts.empty();
    const bool few = static_cast<double>(left.nnz()) * 100 < p.stop_share * static_cast<double>(of.nnz);
    if (!first && (few || left.rows() < p.stop_rows)) break;
    const index_t width = hyb_width(left, static_cast<HybRule>(p.rule), p.k, cost);
    if (!first && width == 0) break;
    const index_t pitch = rounded_up(left.rows(), p.alignment);
    plan.parts.push_back({left.rows(), pitch, width, skip, plan.slots, left.within(width)});
    if (__builtin_add_overflow(plan.slots, saturating_count(pitch, width), &plan.slots)) plan.slots = INT64_MAX;
    plan.in_coo -= plan.parts.back().nnz;
    skip += width;
    if (plan.in_coo == 0 || width == 0) break;
  }
  return plan;
}

Estimate hyb_r_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  const Csr& a = facts.csr();
  const HybRPlan plan =
      hyb_r_plan(LengthSteps(facts.lengths()), {a.rows(), a.cols(), a.nnz()}, precision, hyb_r_params(params));
  const auto parts = static_cast<index_t>(plan.parts.size());
  Estimate e{{values_size("ell_values", plan.slots, precision),
              index_size("ell_columns", Kind::indices, plan.slots, a.cols()),
              values_size("coo_values", plan.in_coo, precision),
              index_size("coo_rows", Kind::indices, plan.in_coo, a.rows()),
              index_size("coo_columns", Kind::indices, plan.in_coo, a.cols()),
              {"part_begin", Kind::pointers, saturating_bytes(parts, 8)},
              {"part_rows", Kind::pointers, saturating_bytes(parts, 8)},
              {"part_width", Kind::pointers, saturating_bytes(parts, 8)}},
             plan.slots + plan.in_coo,
             plan.slots + plan.in_coo - a.nnz(),
             facts_about(plan.parts, plan.in_coo, a.nnz())};
  e.skippable = skippable_of(e.padding, slots_below(plan.parts), a.cols(), precision);
  if (parts > 1) {
    e.arrays.push_back(index_size("permutation", Kind::pointers, a.rows(), a.rows()));
    e.scratch = saturating_bytes(facts.lengths().longest + 2, 8);
  }
  return e;
}

HybRFormat::HybRFormat(const FormatFacts& facts, Precision precision, RealView view, const HybRParams& params,
                       Progress& progress)
    : Format(facts.csr()) {
  progress.check();
  const LengthSteps lengths(facts.lengths());
  HybRPlan plan = hyb_r_plan(lengths, {rows(), cols(), nnz()}, precision, params);
  parts_ = std::move(plan.parts);
  coo_entries_ = plan.in_coo;
  ell_columns_ = IndexArray(cols(), plan.slots);
  ell_values_ = Values(precision, plan.slots);
  coo_rows_ = IndexArray(rows(), coo_entries_);
  coo_columns_ = IndexArray(cols(), coo_entries_);
  coo_values_ = Values(precision, coo_entries_);
  permutation_ = IndexArray(rows(), permuted() ? rows() : 0);
  if (permuted()) sort_rows_by_length(facts, permutation_);
  for (auto* list : {&part_begin_, &part_rows_, &part_width_}) *list = Buffer<std::int64_t>(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    part_begin_.span()[i] = parts_[i].begin;
    part_rows_.span()[i] = parts_[i].rows;
    part_width_.span()[i] = parts_[i].width;
  }

  with_typed(facts.csr(), precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    permutation_.visit([&](auto permutation) {
      const auto row = [&](index_t i) { return permuted() ? index_t{permutation[i]} : i; };
      for (const HybRPart& part : parts_) {
        const auto row_or_none = [&](index_t i) { return i < part.rows ? row(i) : -1; };
        for_blocks(part.pitch, kRowBlock, progress, [&](index_t first, index_t last) {
          if (part.skip == 0)
            for (index_t i = first; i < std::min(last, part.rows); ++i) s.check_rows(row(i), row(i) + 1);
          fill_columns(
              s, first, last, part.skip, part.width, row_or_none,
              [&](index_t n) { return part.begin + n * part.pitch; }, ell_columns_.as_mut<C>().data(),
              ell_values_.as_mut<T>().data());
        });
      }
      // With reordered rows, those that have entries left come first; otherwise they can be anywhere.
      const index_t skip = parts_.back().skip + parts_.back().width;
      const index_t rows_left = permuted() ? Remaining{lengths, skip}.rows() : rows();
      const auto beyond = [&](index_t i) { return std::max<index_t>(s.length(row(i)) - skip, 0); };
      const auto count = [&](index_t first, index_t last) {
        index_t sum = 0;
        for (index_t i = first; i < last; ++i) sum += beyond(i);
        return sum;
      };
      const std::span<C> columns = coo_columns_.as_mut<C>();
      const std::span<T> values = coo_values_.as_mut<T>();
      coo_rows_.visit_mut([&]<class R>(std::span<R> coo_rows) {
        for_blocks_placed(rows_left, kRowBlock, progress, count, [&](index_t first, index_t last, index_t to) {
          for (index_t i = first; i < last; ++i)
            for (index_t k = s.ptr[row(i) + 1] - beyond(i); k < s.ptr[row(i) + 1]; ++k, ++to) {
              coo_rows[to] = static_cast<R>(i);
              columns[to] = s.columns[k];
              values[to] = s.value(k);
            }
        });
      });
    });
  });
}

std::vector<ArrayView> HybRFormat::arrays() const {
  const auto slots = static_cast<index_t>(ell_values_.size()), parts = static_cast<index_t>(parts_.size());
  const auto list = [&](const char* name, const Buffer<std::int64_t>& b) {
    return ArrayView{name, Kind::pointers, ArrayView::Type::i64, b.span().data(), {parts}};
  };
  std::vector<ArrayView> all{view_of("ell_values", ell_values_, {slots}, 0),
                             view_of("ell_columns", Kind::indices, ell_columns_, {slots}, 0),
                             view_of("coo_values", coo_values_, {coo_entries_}, 1),
                             view_of("coo_rows", Kind::indices, coo_rows_, {coo_entries_}, 1),
                             view_of("coo_columns", Kind::indices, coo_columns_, {coo_entries_}, 1),
                             list("part_begin", part_begin_),
                             list("part_rows", part_rows_),
                             list("part_width", part_width_)};
  if (permuted()) all.push_back(view_of("permutation", Kind::pointers, permutation_, {rows()}));
  return all;
}

std::size_t HybRFormat::skippable_bytes() const {
  return skippable_of(padding_of(0), slots_below(parts_), cols(), precision());
}

std::vector<FormatFact> HybRFormat::facts() const { return facts_about(parts_, coo_entries_, nnz()); }

void HybRFormat::for_each_slot(const SlotVisitor& visit) const {
  for (const HybRPart& part : parts_)
    for (index_t n = 0; n < part.width; ++n)
      for (index_t i = 0; i < part.pitch; ++i) {
        const index_t at = part.begin + n * part.pitch + i, column = ell_columns_[at];
        visit(column == kPaddingColumn ? Slot{0, at} : Slot{0, at, row_at(i), column, ell_values_[at]});
      }
  for (index_t k = 0; k < coo_entries_; ++k) visit({1, k, row_at(coo_rows_[k]), coo_columns_[k], coo_values_[k]});
}

std::vector<ArrayGrid> HybRFormat::grids() const {
  std::vector<ArrayGrid> grids;
  for (std::size_t array : {0, 1})
    for (std::size_t i = 0; i < parts_.size(); ++i)
      grids.push_back({(array == 0 ? "ELL " : "ELL columns ") + std::to_string(i + 1), array,
                       static_cast<std::size_t>(parts_[i].begin), parts_[i].pitch, parts_[i].width, 1,
                       static_cast<std::size_t>(parts_[i].pitch)});
  const std::vector<ArrayGrid> rest = Format::grids();
  grids.insert(grids.end(), rest.begin() + 2, rest.end());
  return grids;
}

std::shared_ptr<const Format> hyb_r_build(const FormatFacts& facts, Precision precision, RealView view,
                                          const ParamSet& params, Progress& progress) {
  require_memory("hyb_r", hyb_r_estimate(facts, precision, params), facts, precision);
  return std::make_shared<HybRFormat>(facts, precision, view, hyb_r_params(params), progress);
}

void hyb_r_padding(PaddingRows& to) {
  const index_t parts = to.fact("depth");
  if (parts <= 1) {
    to.profile.rest = "in COO";
    return to.add_all([width = to.fact("k1")](index_t) { return width; });
  }
  to.profile.order = "rows, longest first", to.profile.rest = "in COO";
  // A part has those rows that have entries left after the previous parts.
  std::vector<std::pair<index_t, index_t>> widths;  // longer than this: so many slots more
  index_t skip = 0;
  for (index_t p = 1; p <= parts; ++p) {
    const index_t k = to.fact("k" + std::to_string(p));
    widths.emplace_back(p == 1 ? -1 : skip, k);
    skip += k;
  }
  to.by_length(true, [&](index_t row, index_t length) {
    index_t width = 0;
    for (const auto& [past, k] : widths) width += length > past ? k : 0;
    to.add(row, length, width);
  });
}

FormatInfo hyb_r_info() {
  return {
      .id = "hyb_r",
      .label = "HYB-R",
      .help =
          "A hybrid whose COO part is split again into ELL and COO, until little is left. Rows are reordered by length "
          "when there are two ELL parts or more.",
      .source = "HYB-R, section IV.B",
      .params = hyb_r_specs(),
      .cut = {"k1", "HYB-R K1"},
      .padding_index = FormatInfo::PaddingIndex::column,
      .fact_names = {{"depth", "ELL parts"}, {"coo_share", "nnz in COO"}}};
}

}  // namespace warpspy
