#include "profiling/bench/records.hpp"

#include <algorithm>
#include <string>

#include "core/formats/format.hpp"
#include "core/run/check_words.hpp"
#include "core/run/in_turn.hpp"
#include "core/run/preparation.hpp"

namespace warpspy {

BenchSide side_of(const RunRecord& r) {
  BenchSide s;
  s.kernel = r.request.kernel, s.label = r.kernel_label, s.format = r.format;
  s.params = r.request.params, s.format_params = r.request.format_params;
  s.us = r.time.value, s.from = r.time.provenance, s.how = r.time_how;
  s.details = timing_details(r);
  s.clock_note = clock_note(r);
  s.minimum_bytes = r.minimum_bytes.value;
  s.error_of_bound = r.check ? r.check->max_of_bound : 0;
  s.preparation = preparation_of(r, r.format.empty() ? nullptr : &format_row(r.format).info);
  return s;
}

Ratio ratio_of(const RunRecord& ours, const RunRecord& library) {
  const Quantity *value = ours.detail(kInTurnRatio), *low = ours.detail(kInTurnLow), *high = ours.detail(kInTurnHigh);
  if (value && low && high) return {value->value, low->value, high->value};
  const double ratio = ours.time.value > 0 ? library.time.value / ours.time.value : 0;
  return {ratio, ratio, ratio};
}

bool Choosable::operator()(const RunRecord& r) const {
  if (r.provenance != Provenance::measured || r.request.precision != precision || r.request.cache_state != state ||
      r.request.alpha != 1 || r.request.beta != 0)
    return false;
  if (is_noted_unchecked(r) || (!before.empty() && r.started >= before)) return false;
  const auto of =
      std::find_if(rows.begin(), rows.end(), [&](const KernelRow* k) { return k->info.id == r.request.kernel; });
  if (of == rows.end()) return false;
  try {  // an older version had other parameters
    return !in_order || (*of)->common_of(checked_params((*of)->info.params, r.request.params)).overlap == 0;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace warpspy
