// Facts about the storage formats of one matrix that the window shows, as plain data, and functions on these data.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/budget.hpp"
#include "core/formats/format.hpp"
#include "core/plot/figures.hpp"

namespace warpspy::ui {

struct AppState;
struct OpenMatrix;

// A format's cost for a matrix, before anything is built.
struct FormatCost {
  std::string format;  // id
  ParamSet params;     // of the estimate
  std::optional<Estimate> estimate;
  std::string problem;  // why the format cannot store the matrix at all; then there is no estimate
  std::size_t minimum_bytes = 0;
  bool fits = true;
  std::string reason;    // why it does not fit
  bool waiting = false;  // a slow estimate that is not ready yet
};
struct FormatCosts {
  Precision precision = Precision::f32;
  Budget budget;                 // the budget with which the sizes were compared
  std::vector<FormatCost> rows;  // rows in the order of formats()
  const FormatCost* of(const std::string& format) const {
    for (const auto& r : rows)
      if (r.format == format) return &r;
    return nullptr;
  }
};

// A format that was built, and is kept until it is released or built again.
struct BuiltFormat {
  std::string format;
  ParamSet params;
  Precision precision = Precision::f32;
  RealView view = RealView::real_part;
  std::shared_ptr<const Format> arrays;
  double seconds = 0;  // measured time of the conversion alone
};

// Flop per byte when every byte moves once: 2 nnz / minimum bytes. 0 when there is nothing to compute.
double minimum_intensity(index_t nnz, std::size_t minimum_bytes);

// Returns the value that a slider of the format shows. It is the value that was set. For K of HYB it is the value that
// the rule has chosen for this matrix; moving the slider replaces the rule.
double shown_param(const AppState& s, const FormatInfo& format, const ParamSpec& spec);
// Returns all parameters of the format, as the sliders are set.
ParamSet format_params_of(const AppState& s, const std::string& format);
// Returns the format that was built with the present parameters, precision and view, or nullptr.
const BuiltFormat* built_of(const AppState& s, const OpenMatrix& m, const std::string& format);

// After how many products the fastest run with a format has paid for its preparation, compared with the best CSR run.
// Also the preparation itself, as a number of products of that CSR run. If a number is not known, there is a reason.
struct BreakEven {
  std::optional<double> products, preparation;
  bool never = false;  // the format never pays off
  Provenance provenance = Provenance::derived;
  std::string why, why_unprepared;  // one sentence each: how it was computed, or why it was not
};
BreakEven break_even_of(const AppState& s, const OpenMatrix& m, const std::string& format);

// The row length at which a format divides rows (FormatInfo::cut); nothing if it divides none.
struct Cut {
  double length = 0;
  std::string label;
};
std::optional<Cut> cut_of(const FormatInfo& info, const Estimate& estimate, const ParamSet& params);

// The columns of the table of formats, and the formats sorted by a column.
enum class FormatColumn : std::uint8_t {
  format,
  bytes,
  per_nnz,
  padding,
  minimum,
  intensity,
  built,
  time,
  even,
  preparation
};
inline constexpr int kFormatColumns = 10;
std::vector<std::size_t> sorted_formats(const AppState& s, const OpenMatrix& m, FormatColumn by, bool descending);

// "k" -> "K", "ell_share" -> "nnz in ELL": facts as people read them.
struct FactText {
  std::string name, value;
};
FactText fact_text(const FormatInfo& info, const FormatFact& f);

}  // namespace warpspy::ui
