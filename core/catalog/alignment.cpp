#include "core/catalog/alignment.hpp"

#include <cmath>

#include "core/base/numbers.hpp"

namespace warpspy {

namespace {
constexpr double worth_telling = 0.05;  // of the slots
}  // namespace

std::string alignment_note(const FormatInfo& format, const ParamSet& params, index_t rows) {
  const ParamSpec* spec = spec_of(format.params, "alignment");
  if (!spec || spec->label != "Row alignment" || rows <= 0) return "";  // others align something else
  const auto chosen = params.find(spec->id);
  const double multiple = chosen == params.end() ? spec->def : chosen->second;
  if (!(multiple > 1)) return "";
  const double stored = std::ceil(static_cast<double>(rows) / multiple) * multiple;
  const double below = 1 - static_cast<double>(rows) / stored;
  if (below < worth_telling) return "";
  return grouped(rows) + " rows are stored as " + grouped(static_cast<index_t>(stored)) +
         " (row alignment): " + std::to_string(std::lround(100 * below)) + " % of the slots lie below the last row";
}

}  // namespace warpspy
