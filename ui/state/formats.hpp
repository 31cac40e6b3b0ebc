// What the window knows of storage formats for one matrix, as plain data, and what follows from it.
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
  std::string problem;  // why it cannot hold the matrix at all; then there is no estimate
  std::size_t minimum_bytes = 0;
  bool fits = true;
  std::string reason;    // why it does not fit
  bool waiting = false;  // an estimate that takes long, not there yet
};
struct FormatCosts {
  Precision precision = Precision::f32;
  Budget budget;                 // that they were compared with
  std::vector<FormatCost> rows;  // in the order of formats()
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
  double seconds = 0;  // of the conversion alone, measured
};

// Flop per byte when every byte moves once: 2 nnz / minimum bytes. 0 when there is nothing to compute.
double minimum_intensity(index_t nnz, std::size_t minimum_bytes);

// The parameters that the sliders say, complete.
ParamSet format_params_of(const AppState& s, const std::string& format);
// The built format of these parameters, precision and view, or nullptr.
const BuiltFormat* built_of(const AppState& s, const OpenMatrix& m, const std::string& format);

// Products after which the conversion is paid back, or why that is not known.
struct BreakEven {
  std::optional<double> products;
  bool never = false;  // known, and it never pays
  Provenance provenance = Provenance::derived;
  std::string why;  // one sentence
};
BreakEven break_even_of(const AppState& s, const OpenMatrix& m, const std::string& format);

// Where the format cuts the row lengths (FormatInfo::cut). Nothing for those that do not.
struct Cut {
  double length = 0;
  std::string label;
};
std::optional<Cut> cut_of(const FormatInfo& info, const Estimate& estimate, const ParamSet& params);

// Columns of the table of formats, and the formats in the order of one.
enum class FormatColumn : std::uint8_t { format, bytes, per_nnz, padding, minimum, intensity, built, time, even };
inline constexpr int kFormatColumns = 9;
std::vector<std::size_t> sorted_formats(const AppState& s, const OpenMatrix& m, FormatColumn by, bool descending);

// "k" -> "K", "ell_share" -> "nnz in ELL": facts as people read them.
struct FactText {
  std::string name, value;
};
FactText fact_text(const FormatInfo& info, const FormatFact& f);

}  // namespace warpspy::ui
