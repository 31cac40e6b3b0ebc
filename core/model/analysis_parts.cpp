#include "core/model/analysis_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace warpspy::analysis {

std::string text(double v, int digits) {
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, "%.*g", std::abs(v) >= 1e4 && std::abs(v) < 1e7 ? 7 : digits, v);
  return buffer;
}

Part missing(std::string reason) {
  Part p;
  p.reason = std::move(reason);
  return p;
}

Part known(double v, Provenance p) {
  Part part;
  part.value = v, part.provenance = p;
  return part;
}

namespace {

std::optional<Part> failed(const RunRecord* run) {
  if (!run) return missing("the run was not made");
  if (run->status != RunStatus::ok) return missing("the run failed: " + run->error);
  return std::nullopt;
}

}  // namespace

Part counter(const RunRecord* run, const std::string& id) {
  if (const auto f = failed(run)) return *f;
  const Counter* c = run->counter(id);
  if (!c) return missing("this run has no counter " + id + "; a larger set of counters may have it");
  if (!c->value) return missing(c->reason.empty() ? "no reason was given" : c->reason);
  return known(*c->value, c->provenance);
}

Part detail(const RunRecord* run, const std::string& id) {
  if (const auto f = failed(run)) return *f;
  const Quantity* q = run->detail(id);
  return q ? known(q->value, q->provenance) : missing("this run does not say its " + id);
}

Part time_us(const RunRecord* run) {
  if (const auto f = failed(run)) return *f;
  return run->time.value > 0 ? known(run->time.value, run->time.provenance) : missing("the run took no time");
}

Part combine(std::initializer_list<Part> parts, const std::function<double()>& f) {
  bool modelled = false;
  for (const Part& p : parts) {
    if (!p) return missing(p.reason);
    modelled = modelled || p.provenance == Provenance::modelled;
  }
  const double v = f();
  if (!std::isfinite(v)) return missing("the numbers of this run have no such ratio");
  return known(v, modelled ? Provenance::modelled : Provenance::derived);
}

void add(std::vector<AnalysisValue>& out, const char* series, const Part& part, const char* unit, std::string worked,
         double x) {
  AnalysisValue v;
  v.series = series, v.x = x, v.unit = unit;
  v.value = part.value, v.provenance = part.provenance, v.reason = part.reason;
  if (part) v.worked = std::move(worked);
  out.push_back(std::move(v));
}

RunRequest request_for(const KernelInfo& kernel, const RunRequest& base) {
  RunRequest r = base;
  r.kernel = kernel.id;
  r.params.clear();
  for (const ParamSpec& spec : kernel.params)
    if (const auto at = base.params.find(spec.id); at != base.params.end()) r.params.insert(*at);
  return r;
}

RunRequest turned(const KernelInfo& kernel, RunRequest request, const std::string& param, double value,
                  const std::string& why) {
  const bool has =
      std::any_of(kernel.params.begin(), kernel.params.end(), [&](const auto& s) { return s.id == param; });
  if (!has) throw Error("kernel " + kernel.id + " has no parameter " + param + ", " + why);
  request.params[param] = value;
  return request;
}

}  // namespace warpspy::analysis
