#include "profiling/validate/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/json_text.hpp"
#include "core/run/time_interval.hpp"
#include "kernels/table/table.hpp"
#include "profiling/simulated/interval.hpp"
#include "profiling/timing/samples.hpp"
#include "profiling/validate/order.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::ordered_json;

// As a share of the minimum bytes: what is below comes from other traffic (instructions, the counters' own).
constexpr double negligible_share = 0.01;

struct Pair {
  std::optional<double> measured, modelled;
  std::string unit, reason;
};

Pair counters_of(const Bar& bar, const RunRecord& measured, const RunRecord& modelled) {
  Pair p;
  const Counter* a = measured.counter(bar.id);
  const Counter* b = modelled.counter(bar.id);
  if (a && a->value && a->provenance != Provenance::modelled) p.measured = a->value;
  if (b && b->value) p.modelled = b->value;
  p.unit = b ? b->unit : a ? a->unit : "";
  if (!p.measured)
    p.reason = a && !a->reason.empty() ? "not measured: " + a->reason : "not measured";
  else if (!p.modelled)
    p.reason = b && !b->reason.empty() ? "not modelled: " + b->reason : "not modelled";
  return p;
}

double error_of(const Bar& bar, double measured, double modelled, double negligible) {
  if (bar.points) return modelled - measured;
  if (std::max(std::abs(measured), std::abs(modelled)) <= negligible) return 0;
  // A warm product that stays in L2 may read almost nothing. Relative to that, any byte would be an endless error.
  return (modelled - measured) / std::max(std::abs(measured), negligible > 0 ? negligible : std::abs(modelled) * 1e-9);
}

Operation operation_of(const std::string& kernel) {
  for (const KernelRow& row : kernels())
    if (row.info.id == kernel) return row.info.operation;
  return Operation::product;  // an older report may have a kernel that is gone
}

std::string error_text(const Bar& bar, double error) {
  char text[32];
  std::snprintf(text, sizeof text, bar.points ? "%+.1f" : "%+.1f%%", bar.points ? error : 100 * error);
  return text;
}

Json number(const std::optional<double>& v) { return v ? Json(*v) : Json(nullptr); }

}  // namespace

const std::vector<Bar>& validation_bars() {
  static const std::vector<Bar> bars = {
      {"requests", "requests", false, 0.01, 1},
      {"sectors", "sectors", false, 0.01, 1},
      {"l1_hit_rate", "L1 hit", true, 5, 0.9},
      {"l2_hit_rate", "L2 hit", true, 7, 0.9},
      {"dram_bytes", "DRAM bytes", false, 0.10, 0.9},
      {"instructions", "instr", false, 0.25, 0.9},
      {"time", "time", false, 0.25, 0.5},
  };
  return bars;
}

ValidationRun compare_runs(const RunRecord& measured, const RunRecord& modelled) {
  ValidationRun run;
  run.matrix = modelled.matrix_name.empty() ? measured.matrix_name : modelled.matrix_name;
  run.request = modelled.request;
  run.operation = operation_of(modelled.request.kernel);
  run.sampled_share = modelled.sampled_share;
  run.minimum_bytes = modelled.minimum_bytes.value;
  run.how = modelled.time_how;
  for (const RunRecord* r : {&measured, &modelled})
    if (r->status != RunStatus::ok && run.failure.empty())
      run.failure = r->device_name + ": " + (r->error.empty() ? name_of(r->status) : r->error);
  if (!run.failure.empty()) return run;
  for (const Bar& bar : validation_bars()) {
    const bool time = std::string(bar.id) == "time";
    Pair p;
    if (!time) {
      p = counters_of(bar, measured, modelled);
    } else {
      p.unit = "us";
      p.modelled = modelled.time.value;
      if (measured.time.provenance == Provenance::measured)
        p.measured = measured.time.value;
      else
        p.reason = "not measured";
    }
    ValidationRow row{bar.id, bar.label, p.unit, p.measured, p.modelled, {}, false, p.reason};
    if (p.measured && p.modelled) {
      const bool bytes = p.unit == "B";
      row.error = error_of(bar, *p.measured, *p.modelled, bytes ? negligible_share * modelled.minimum_bytes.value : 0);
      row.within = std::abs(*row.error) <= bar.allowed;
    }
    run.rows.push_back(std::move(row));
  }
  const std::optional<TimeInterval> interval = interval_of(modelled);
  if (interval && measured.time.provenance == Provenance::measured)
    run.in_interval = measured.time.value >= interval->lower_us && measured.time.value <= interval->upper_us;
  const std::vector<Bar>& bars = validation_bars();
  for (const Counter& c : measured.counters) {
    const bool in_rows = std::any_of(bars.begin(), bars.end(), [&](const Bar& bar) { return c.id == bar.id; });
    if (!in_rows && c.value && c.provenance != Provenance::modelled) run.beside.push_back(c);
  }
  return run;
}

std::vector<BarSummary> summarise(const std::vector<ValidationRun>& runs) {
  std::vector<BarSummary> all;
  for (const Bar& bar : validation_bars()) {
    BarSummary s{bar.id, bar.label, 0, 0, 0, false, {}};
    std::vector<double> errors;
    for (const ValidationRun& run : runs)
      for (const ValidationRow& row : run.rows) {
        if (row.id != bar.id || !row.error) continue;
        errors.push_back(std::abs(*row.error));
        s.within += row.within;
      }
    s.runs = static_cast<int>(errors.size());
    s.median_error = median(errors);
    s.met = s.runs > 0 && s.within >= bar.share_within * s.runs;
    char text[160];
    const char* unit = bar.points ? "points" : "%";
    const double factor = bar.points ? 1 : 100;
    if (s.runs == 0)
      std::snprintf(text, sizeof text, "within %g %s: no run has both numbers", bar.allowed * factor, unit);
    else
      std::snprintf(text, sizeof text, "within %g %s: %d of %d runs (%.0f %%, wanted %.0f %%), median %.2g %s",
                    bar.allowed * factor, unit, s.within, s.runs, 100.0 * s.within / s.runs, 100 * bar.share_within,
                    s.median_error * factor, unit);
    s.text = text;
    all.push_back(std::move(s));
  }
  return all;
}

std::string interval_summary(const std::vector<ValidationRun>& runs) {
  int held = 0, all = 0;
  for (const ValidationRun& run : runs)
    if (run.in_interval) ++all, held += *run.in_interval;
  if (all == 0) return {};
  char text[120];
  std::snprintf(text, sizeof text, "intervals of the model hold %d of %d times (%.0f %%, wanted %.0f %%)", held, all,
                100.0 * held / all, 100 * interval_share);
  return text;
}

std::string to_json(const ValidationReport& report) {
  Json j = {{"device", report.device},
            {"simulated", report.simulated},
            {"date", report.date},
            {"runs", Json::array()},
            {"summary", Json::array()}};
  for (const ValidationRun& run : report.runs) {
    Json r = {{"matrix", run.matrix},
              {"request", Json::parse(to_json(run.request))},
              {"sampled_share", run.sampled_share},
              {"minimum_bytes", run.minimum_bytes},
              {"how", run.how}};
    r["operation"] = name_of(run.operation);
    if (run.in_interval) r["in_interval"] = *run.in_interval;
    if (!run.failure.empty()) r["failure"] = run.failure;
    r["rows"] = Json::array();
    for (const ValidationRow& row : run.rows) {
      Json one = {{"id", row.id},
                  {"unit", row.unit},
                  {"measured", number(row.measured)},
                  {"modelled", number(row.modelled)},
                  {"error", number(row.error)},
                  {"within", row.within}};
      if (!row.reason.empty()) one["reason"] = row.reason;
      r["rows"].push_back(std::move(one));
    }
    for (const Counter& c : run.beside) r["beside"][c.id] = {{"unit", c.unit}, {"measured", *c.value}};
    j["runs"].push_back(std::move(r));
  }
  for (const BarSummary& s : summarise(report.runs))
    j["summary"].push_back({{"id", s.id},
                            {"runs", s.runs},
                            {"within", s.within},
                            {"median_error", s.median_error},
                            {"met", s.met},
                            {"text", s.text}});
  const std::vector<KernelOrder> orders = kernel_orders(report.runs);
  const OrderSummary order = summarise(orders);
  j["orders"] = Json::array();
  for (const KernelOrder& o : orders)
    j["orders"].push_back({{"matrix", o.matrix},
                           {"operation", name_of(o.operation)},
                           {"precision", name_of(o.precision)},
                           {"cache_state", name_of(o.cache_state)},
                           {"kernels", o.kernels},
                           {"kendall_tau", o.tau},
                           {"regret", o.regret},
                           {"chosen", o.chosen},
                           {"best", o.best}});
  j["order"] = {{"orders", order.matrices},
                {"mean_kendall_tau", order.mean_tau},
                {"least_kendall_tau", order.least_tau},
                {"mean_regret", order.mean_regret},
                {"worst_regret", order.worst_regret},
                {"met", order.met},
                {"text", order.text}};
  return json_text(j);
}

std::string validation_head() {
  char text[64];
  std::snprintf(text, sizeof text, "%-24s %-22s %-4s %7s", "matrix", "kernel", "", "blocks");
  std::string line = text;
  for (const Bar& bar : validation_bars()) {
    std::snprintf(text, sizeof text, "  %9s %9s %8s", bar.label, "model", "error");
    line += text;
  }
  return line;
}

std::string validation_line(const ValidationRun& run) {
  const std::string& kernel = run.request.kernel;
  std::string told = kernel;
  for (const ParamSpec& spec : kernel_row(kernel).info.params)
    if (const auto at = run.request.params.find(spec.id); at != run.request.params.end() && at->second != spec.def)
      told += " " + spec.id + " " + std::to_string(static_cast<int>(at->second));
  char text[160];
  std::snprintf(text, sizeof text, "%-24.24s %-22.22s %-4s %6.3g%%", run.matrix.c_str(), told.c_str(),
                name_of(run.request.precision), 100 * run.sampled_share);
  std::string line = text;
  if (!run.failure.empty()) return line + "  " + run.failure;
  const auto value = [](const std::optional<double>& v) {
    char number[32];
    std::snprintf(number, sizeof number, "%.4g", v.value_or(0));
    return v ? std::string(number) : std::string("-");
  };
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const ValidationRow& row = run.rows[i];
    const std::string error =
        row.error ? error_text(validation_bars()[i], *row.error) + (row.within ? " " : "!") : "- ";
    std::snprintf(text, sizeof text, "  %9s %9s %8s", value(row.measured).c_str(), value(row.modelled).c_str(),
                  error.c_str());
    line += text;
  }
  return line;
}

}  // namespace warpspy
