#include "ui/state/sweep.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/csv.hpp"
#include "core/run/sweep_axes.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

namespace {

bool is_swept(const StartSweep& a, const std::string& id) {
  return std::any_of(a.params.begin(), a.params.end(), [&](const SweepPlan::Axis& x) { return x.id == id; });
}

void add_knobs(SweepPlan& plan, const StartSweep& a, const std::map<std::string, ParamSet>& sets,
               const std::string& owner, const std::vector<ParamSpec>& specs) {
  for (const ParamSpec& p : specs)
    if (const double v = param_value(sets, owner, p); v != p.def && !is_swept(a, p.id))
      SweepPlan::add(plan.params, owner + "." + p.id, csv::number(v));
}

}  // namespace

SweepPlan sweep_plan(const AppState& s, const StartSweep& a) {
  SweepPlan plan;
  RunRequest common;
  for (const OpenMatrix& m : s.matrices) {
    if (std::find(a.matrices.begin(), a.matrices.end(), m.id) == a.matrices.end()) continue;
    if (m.status == OpenMatrix::Status::failed) continue;
    if (plan.matrices.empty()) common = request_of(s, m);
    plan.matrices.push_back({m.source, m.name});
  }
  plan.kernels = a.kernels, plan.params = a.params, plan.repetitions = a.repetitions;
  for (const std::string& id : a.kernels) {
    const KernelInfo* k = s.catalog->kernel(id);
    if (!k) continue;
    add_knobs(plan, a, s.knobs.kernel_params, id, k->params);
    if (const FormatInfo* f = s.catalog->format(k->format)) add_knobs(plan, a, s.knobs.format_params, f->id, f->params);
  }
  for (const Precision p : a.precisions) SweepPlan::add(plan.options, "precision", name_of(p));
  for (const std::string& id : a.devices) SweepPlan::add(plan.options, "device", id);
  for (const CacheState c : a.caches) SweepPlan::add(plan.options, "caches", name_of(c));
  common.depth = Depth::medium;
  const RunRequest defaults;
  for (const RequestOption& o : request_options()) {
    const std::string name = sweep_name(o);
    if (name.empty() || name == "precision" || name == "device" || (name == "caches" && !a.caches.empty())) continue;
    if (text_of(o, common) != text_of(o, defaults)) SweepPlan::add(plan.options, name, text_of(o, common));
  }
  return plan;
}

}  // namespace warpspy::ui
