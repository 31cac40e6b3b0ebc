#include "ui/state/state.hpp"

#include <algorithm>
#include <cmath>

#include "core/gpu/gpu_match.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

std::string needs_matrix(const AppState& s) { return s.has_matrix() ? "" : "Open a matrix first."; }

RunRequest request_of(const AppState& s, const OpenMatrix& m) {
  RunRequest r;
  r.matrix = m.source;
  for (const ChoiceRow& c : choice_rows())
    if (c.ask) c.ask(s, r);
  if (const auto* k = s.kernel())
    for (const auto& p : k->params) r.params[p.id] = param_value(s.knobs.kernel_params, k->id, p);
  if (const auto* f = s.format())
    for (const auto& p : f->params) r.format_params[p.id] = param_value(s.knobs.format_params, f->id, p);
  return r;
}

RunRequest solve_request_of(const AppState& s, const OpenMatrix& m) {
  RunRequest r = request_of(s, m);
  r.cache_state = CacheState::warm;  // iterations follow one another
  r.lines = false;
  r.solver = s.solve.solver;
  r.preconditioner = s.solve.preconditioner;
  r.degree = s.solve.degree;
  r.refine = s.solve.refine && r.precision == Precision::f32;
  r.tolerance = std::pow(10.0, -static_cast<double>(s.solve.digits));
  r.most_iterations = s.solve.most_iterations;
  return r;
}

std::vector<std::shared_ptr<const RunRecord>> shown_solves(const AppState& s) {
  constexpr std::size_t most = 6;
  std::vector<std::shared_ptr<const RunRecord>> solves;
  const auto& all = s.runs.all();
  for (auto it = all.rbegin(); it != all.rend() && solves.size() < most; ++it) {
    const OpenMatrix* m = (*it)->solve && (*it)->status == RunStatus::ok ? matrix_of(s, **it) : nullptr;
    if (m && m == s.current()) solves.insert(solves.begin(), *it);
  }
  return solves;
}

std::shared_ptr<const RunRecord> told_solve(const AppState& s) {
  if (const auto selected = s.run(s.selected_run); selected && selected->solve) return selected;
  const auto solves = shown_solves(s);
  return solves.empty() ? nullptr : solves.back();
}

plot::HistogramStyle histogram_style(const AppState& s, const OpenMatrix& m) {
  plot::HistogramStyle style = s.histogram;
  if (!m.facts) return style;
  const auto& rows = m.facts->rows;
  if (!s.histogram_chosen) style.log_x = static_cast<double>(rows.max) > 50 * std::max(1.0, rows.median);
  const FormatCost* cost = m.costs ? m.costs->of(s.knobs.format) : nullptr;
  if (cost && cost->estimate && !covered(s, Covered::formats))
    if (const auto cut = cut_of(format_row(s.knobs.format).info, *cost->estimate, format_params_of(s, s.knobs.format)))
      style.cut = cut->length, style.cut_label = cut->label;
  return style;
}

std::optional<plot::RooflineStyle::Minimum> minimum_of(const AppState& s) {
  const auto* m = s.current();
  const auto run = s.run(s.selected_run);
  const std::string format = run && !run->format.empty() ? run->format : s.knobs.format;
  const FormatCost* cost = m && m->costs && m->costs->precision == s.knobs.precision ? m->costs->of(format) : nullptr;
  if (!cost || !cost->estimate || m->matrix->csr->nnz() == 0) return std::nullopt;
  const index_t entries = s.flops == FlopCount::executed ? cost->estimate->stored : m->matrix->csr->nnz();
  return plot::RooflineStyle::Minimum{minimum_intensity(entries, cost->minimum_bytes),
                                      format_row(format).info.label + " minimum"};
}

std::string why_no_warp(const AppState& s) {
  if (!s.has_matrix()) return needs_matrix(s);
  return s.kernel() && s.kernel()->library.empty() && !s.kernel()->format.empty()
             ? ""
             : "Choose a kernel of ours that reads a matrix.";
}

std::vector<std::string> marked_arrays(const AppState& s) {
  std::vector<std::string> arrays;
  if (!s.array.empty()) arrays.push_back(s.array);
  const auto run = s.line.empty() ? nullptr : s.run(s.selected_run);
  if (!run) return arrays;
  for (const Traffic& t : run->lines)
    if (t.name == s.line) arrays.insert(arrays.end(), t.arrays.begin(), t.arrays.end());
  return arrays;
}

const OpenMatrix* matrix_of(const AppState& s, const RunRecord& run) {
  // Of several with one source, such as one that was closed, opened again and brought back by undo, the shown one.
  if (const OpenMatrix* shown = s.current(); shown && shown->source == run.request.matrix) return shown;
  for (const auto& m : s.matrices)
    if (m.source == run.request.matrix) return &m;
  const std::string source = absolute_source(run.request.matrix);
  for (const auto& m : s.matrices)
    if (absolute_source(m.source) == source) return &m;
  return nullptr;
}

std::shared_ptr<const RunRecord> newest_run(const AppState& s, const OpenMatrix& m) {
  const auto& all = s.runs.all();
  const auto at = std::find_if(all.rbegin(), all.rend(), [&](const auto& r) {
    return r->request.matrix == m.source && r->status == RunStatus::ok && !s.on_trail(r->id);
  });
  return at == all.rend() ? nullptr : *at;
}

namespace {

// Whether the run's matrix is selected in the table of matrices.
bool of_chosen(const AppState& s, const RunRecord& r) {
  const auto& chosen = s.matrices_view.chosen;
  return std::any_of(s.matrices.begin(), s.matrices.end(),
                     [&](const OpenMatrix& m) { return chosen.contains(m.id) && m.source == r.request.matrix; });
}

}  // namespace

const DeviceInfo* device_of_run(const Catalog& catalog, const RunRecord& run) {
  const DeviceInfo* own = catalog.device(run.device);
  if (own && (own->available || run.provenance != Provenance::measured)) return own;
  for (const DeviceInfo& d : catalog.devices)
    if (d.simulated && spec_of_device(run.device_name, d.spec.compute_capability, {d.spec})) return &d;
  return own;
}

std::vector<std::shared_ptr<const RunRecord>> roofline_runs(const AppState& s, bool trail) {
  std::vector<std::shared_ptr<const RunRecord>> shown;
  const auto add = [&](const std::shared_ptr<const RunRecord>& r) {
    if (r && r->status == RunStatus::ok && std::find(shown.begin(), shown.end(), r) == shown.end()) shown.push_back(r);
  };
  const auto* d = s.roofline_device;
  using Runs = RooflineSettings::Runs;
  const auto* m = s.current();
  const auto asked = [&](const RunRecord& r) {
    if (s.lecture.hidden.contains(r.id) && r.id != s.selected_run) return false;
    if (s.roofline_settings.runs == Runs::all) return true;
    if (s.roofline_settings.runs == Runs::selected) return r.id == s.selected_run || of_chosen(s, r);
    return !m || r.request.matrix == m->source;
  };
  for (const auto& r : s.runs.all())
    if (d && device_of_run(*s.catalog, *r) == d && r->status == RunStatus::ok && asked(*r) &&
        (trail || !s.on_trail(r->id)))
      shown.push_back(r);
  if (s.looked_at && d && device_of_run(*s.catalog, *s.looked_at) == d) add(s.looked_at);
  // Compared runs are shown even if they ran on other matrices or devices: the labels say so.
  for (const auto& r : s.comparing) add(r);
  return shown;
}

plot::RooflineStyle roofline_style(const AppState& s) {
  plot::RooflineStyle style;
  style.selected = s.selected_run;
  style.flops = s.flops;
  style.color = s.roofline_settings.color;
  style.view = s.roofline_settings.view;
  for (const auto& r : s.comparing) style.compared.push_back(r->id);
  if (style.compared.empty()) style.minimum = minimum_of(s);
  return style;
}

std::vector<std::shared_ptr<const RunRecord>> memory_runs(const AppState& s) {
  const auto selected = s.run(s.selected_run);
  if (!selected || selected->status != RunStatus::ok) return {};
  if (const auto beside = s.run(s.beside_run); beside && beside != selected && beside->status == RunStatus::ok)
    return {beside, selected};
  const auto& all = s.runs.all();
  for (auto it = all.rbegin(); it != all.rend(); ++it) {
    const RunRecord& r = **it;
    const bool same = r.status == RunStatus::ok && r.matrix_name == selected->matrix_name &&
                      r.request.kernel == selected->request.kernel && r.request.solver == selected->request.solver &&
                      r.request.precision == selected->request.precision;
    // Measured runs come first.
    if (same && (r.provenance != selected->provenance || r.device != selected->device) && !s.on_trail(r.id))
      return r.provenance == Provenance::measured ? std::vector{*it, selected} : std::vector{selected, *it};
  }
  return {selected};
}

std::string tune_path(const AppState& s) {
  if (!s.tuning) return {};
  const TuneRecord& r = *s.tuning->record;
  const auto walked = [&](const std::string& id) {
    for (const auto& step : r.steps)
      if (step.strategy == id) return true;
    return false;
  };
  if (!s.tune.path.empty() && walked(s.tune.path)) return s.tune.path;
  // A running exhaustive search has no path. So the last path stays, for comparison with the new cells.
  const std::string now = s.tuning->job && !r.steps.empty() ? r.steps.back().strategy : "";
  if (!now.empty() && now != "default" && now != "exhaustive") return now;
  for (const char* id : {"run_time", "selector", "fixed_rule", "exhaustive"})
    if (walked(id)) return id;
  return {};
}

}  // namespace warpspy::ui
