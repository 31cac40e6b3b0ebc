#include "profiling/bench/records.hpp"

#include <algorithm>
#include <optional>

#include "core/base/utc.hpp"
#include "core/model/bytes.hpp"
#include "profiling/engine/prepared_run.hpp"

namespace warpspy {

std::vector<RunRecord> records_of(const BenchRow& row, const BenchReport& report, const BenchOptions& options,
                                  const std::string& source, const std::string& fingerprint) {
  std::vector<RunRecord> records;
  for (const std::optional<BenchSide>* side : {&row.own, &row.in_order, &row.stored, &row.library}) {
    if (!*side) continue;
    const BenchSide& s = **side;
    RunRecord r;
    r.started = utc_now_ms();
    r.plan = "bench", r.purpose = Purpose::final, r.status = RunStatus::ok;
    r.request.matrix = source;
    r.request.kernel = s.kernel;
    r.request.params = s.params, r.request.format_params = s.format_params;
    r.request.precision = row.precision, r.request.cache_state = row.state;
    r.request.device = report.device.id;
    r.request.seed = options.seed;
    r.request.counters = "none";
    r.matrix_name = row.matrix, r.rows = row.rows, r.cols = row.cols, r.nnz = row.nnz;
    r.fingerprint = fingerprint;
    r.kernel_label = s.label, r.format = s.format;
    r.device = report.device.id, r.device_name = report.device.name;
    r.traffic_source = TrafficSource::timing;
    set_time(r, product_flops(row.nnz), s.time.us, Provenance::measured, s.time.how);
    r.minimum_bytes = {s.minimum_bytes, "B", Provenance::modelled};
    r.details = details_of(s.time);
    r.details.push_back({"prepared", "preparation", {s.prepared_us, "us", Provenance::measured}});
    if (!s.time.clock_note.empty()) r.notes.push_back(s.time.clock_note);
    const bool transposed = row.operation == Operation::transposed_product;
    r.check =
        ErrorCheck{.max_of_bound = s.error_of_bound, .rows_checked = transposed ? row.cols : row.rows, .passed = true};
    records.push_back(std::move(r));
  }
  return records;
}

bool Choosable::operator()(const RunRecord& r) const {
  if (r.provenance != Provenance::measured || r.request.precision != precision || r.request.cache_state != state ||
      r.request.alpha != 1 || r.request.beta != 0)
    return false;
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
