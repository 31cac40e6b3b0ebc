// What must hold of any format of the table, whatever the matrix.
#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "core/formats/build.hpp"
#include "tests/shapes.hpp"

namespace warpspy::testing {

using Entry = std::tuple<index_t, index_t, double>;

inline std::vector<Entry> entries_of(const Csr& a, RealView view = RealView::real_part,
                                     Precision precision = Precision::f64) {
  std::vector<Entry> all;
  for (index_t row = 0; row < a.rows(); ++row)
    for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) {
      const double v = a.real_value(k, view);
      all.emplace_back(row, a.columns()[k], precision == Precision::f32 ? static_cast<float>(v) : v);
    }
  return all;
}

inline std::vector<Entry> entries_of(const Format& format) {
  std::vector<Entry> all;
  format.for_each([&](index_t row, index_t column, double v) { all.emplace_back(row, column, v); });
  std::sort(all.begin(), all.end());
  return all;
}

inline std::shared_ptr<const Format> built(const FormatRow& row, const FormatFacts& facts, Precision precision,
                                           const ParamSet& params = {}, RealView view = RealView::real_part) {
  Progress progress;
  return row.build(facts, precision, view, params, progress);
}

template <class F>
std::shared_ptr<const F> built_as(const char* id, const FormatFacts& facts, Precision precision,
                                  const ParamSet& params = {}) {
  return std::static_pointer_cast<const F>(built(format_row(id), facts, precision, params));
}

// Every choice, and the least, default and greatest value of every other parameter: each with the others at their
// defaults, all at their least and all at their greatest.
inline std::vector<ParamSet> corners(const std::vector<ParamSpec>& specs) {
  std::set<ParamSet> all;
  for (const int others : {0, 1, 2}) {
    ParamSet base;
    for (const ParamSpec& s : specs) base[s.id] = others == 0 ? s.def : others == 1 ? s.min : s.max;
    all.insert(base);
    for (const ParamSpec& spec : specs) {
      std::set<double> values{spec.min, spec.def, spec.max};
      if (spec.type == ParamSpec::Type::choice)
        for (double v = spec.min; v <= spec.max; ++v) values.insert(v);
      for (double v : values) {
        ParamSet set = base;
        set[spec.id] = v;
        all.insert(set);
      }
    }
  }
  return {all.begin(), all.end()};
}

// The shapes that all rooms share, and square ones of symmetric pattern.
inline std::vector<Shape> format_shapes() {
  std::vector<Shape> all = shapes();
  const auto mirrored = [](const std::string& name, const Csr& a) {
    std::vector<std::vector<index_t>> rows(static_cast<std::size_t>(a.rows()));
    for (index_t r = 0; r < a.rows(); ++r)
      for (index_t k = a.row_ptr()[r]; k < a.row_ptr()[r + 1]; ++k) {
        rows[r].push_back(a.columns()[k]);
        rows[a.columns()[k]].push_back(r);
      }
    return Shape{name, from_rows(a.rows(), rows, some_value)};
  };
  all.push_back(mirrored("symmetric_random", random_rows(400, 400, [](index_t r) { return r % 5; }, 11)));
  all.push_back(mirrored("symmetric_hub",
                         random_rows(150, 150, [](index_t r) { return r == 0 ? index_t{400} : index_t{1}; }, 12)));
  std::vector<std::vector<index_t>> grid(900);
  for (index_t r = 0; r < 900; ++r)
    for (const index_t c : {r - 30, r - (r % 30 != 0), r, r + (r % 30 != 29), r + 30})
      if (c >= 0 && c < 900) grid[r].push_back(c);
  all.push_back({"grid_30x30", from_rows(900, grid, some_value)});
  return all;
}

inline std::string text_of(const ParamSet& params) {
  std::string text;
  for (const auto& [id, value] : params) text += " " + id + "=" + std::to_string(value);
  return text;
}

// The slots of every part fill its arrays without gaps, and hold what the arrays hold; "" when they do.
inline std::string slot_fault(const Format& format) {
  std::vector<std::vector<bool>> seen;
  const std::vector<ArrayView> arrays = format.arrays();
  for (const ArrayView& a : arrays)
    if (a.part >= 0) {
      seen.resize(std::max(seen.size(), static_cast<std::size_t>(a.part) + 1));
      seen[a.part].resize(a.size());
    }
  std::string fault;
  format.for_each_slot([&](const Slot& s) {
    if (seen[s.part][s.position]) fault = "a slot is visited twice";
    seen[s.part][s.position] = true;
    for (const ArrayView& a : arrays)
      if (a.part == s.part && (a.type == ArrayView::Type::f32 || a.type == ArrayView::Type::f64) &&
          a[s.position] != (s.padding() ? 0 : s.value) && !std::isnan(s.value))
        fault = "a slot does not hold its value";
  });
  for (const auto& part : seen)
    if (std::find(part.begin(), part.end(), false) != part.end()) fault = "a slot is not visited";
  return fault;
}

template <class F>
bool throws_error(F&& f) {
  try {
    f();
    return false;
  } catch (const Error&) {
    return true;
  }
}

// PKT holds symmetric patterns only, others also want symmetric values, LMA matrices of finite elements.
inline bool can_hold(const FormatRow& row, const FormatFacts& facts) {
  if (row.from_elements) return facts.elements() != nullptr;
  if (row.symmetric) return facts.symmetry().values;
  return row.info.id != "pkt" || facts.symmetric_pattern();
}

// "" when all holds.
inline std::string fault_of(const FormatRow& row, const FormatFacts& facts, Precision precision,
                            const ParamSet& params) {
  const Csr& a = facts.csr();
  if (!can_hold(row, facts)) {
    const bool refused = throws_error([&] { row.estimate(facts, precision, params); }) &&
                         throws_error([&] { built(row, facts, precision, params); });
    return refused ? "" : "not refused";
  }
  const Estimate estimate = row.estimate(facts, precision, params);
  const auto format = built(row, facts, precision, params);
  const Estimate size = format->size();
  if (format->id() != row.info.id) return "id";
  if (estimate.arrays != size.arrays)
    return "arrays: estimated " + std::to_string(estimate.bytes()) + " B, built " + std::to_string(size.bytes()) + " B";
  if (estimate.stored != size.stored || estimate.padding != size.padding) return "stored or padding";
  if (estimate.mirrored != size.mirrored) return "mirrored";
  if (estimate.skippable != size.skippable || size.skippable > size.bytes()) return "skippable bytes";
  if (estimate.facts != size.facts) return "facts";
  if (size.stored - size.padding + size.mirrored != a.nnz()) return "stored - padding + mirrored is not nnz";
  if (entries_of(*format) != entries_of(a, RealView::real_part, precision)) return "round trip";
  return slot_fault(*format);
}

}  // namespace warpspy::testing
