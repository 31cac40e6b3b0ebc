#include <algorithm>

#include "ui/session.hpp"

namespace warpspy::ui {

namespace {
constexpr std::size_t kTrail = 24;  // points a drag leaves behind
}

std::optional<plot::RooflineStyle::Minimum> minimum_of(const AppState& s) {
  const auto* m = s.current();
  const FormatCost* cost =
      m && m->costs && m->costs->precision == s.knobs.precision ? m->costs->of(s.knobs.format) : nullptr;
  if (!cost || !cost->estimate || m->matrix->csr->nnz() == 0) return std::nullopt;
  const index_t entries = s.flops == FlopCount::executed ? cost->estimate->stored : m->matrix->csr->nnz();
  return plot::RooflineStyle::Minimum{minimum_intensity(entries, cost->minimum_bytes),
                                      format_row(s.knobs.format).info.label + " minimum"};
}

RunRequest request_of(const AppState& s, const OpenMatrix& m) {
  RunRequest r;
  r.matrix = m.source;
  r.kernel = s.knobs.kernel;
  r.precision = s.knobs.precision;
  r.view = s.knobs.view;
  r.cache_state = s.knobs.cache_state;
  r.device = s.knobs.device;
  r.memory = s.memory;
  if (const auto* k = s.kernel())
    for (const auto& p : k->params) r.params[p.id] = param_value(s.knobs.kernel_params, k->id, p);
  if (const auto* f = s.format())
    for (const auto& p : f->params) r.format_params[p.id] = param_value(s.knobs.format_params, f->id, p);
  return r;
}

void Session::choose_device() {
  // A real GPU if there is one; else the newest simulated one.
  const DeviceInfo* best = nullptr;
  for (const auto& d : s_.catalog->devices) {
    if (!d.available) continue;
    const bool better = !best || (best->simulated && !d.simulated) ||
                        (best->simulated == d.simulated && d.simulated && d.spec.year >= best->spec.year);
    if (better) best = &d;
  }
  if (best) s_.knobs.device = best->id;
}

void Session::knobs_changed() {
  roofline_stale_ = true;
  if (s_.knobs.live) live_due_ = true;
}

void Session::on(const SetDevice& a) {
  if (a.id == s_.knobs.device) return;
  s_.knobs.device = a.id;
  formats_changed();
  forget_trail();
  knobs_changed();
}
void Session::on(const SetKernel& a) {
  if (a.id == s_.knobs.kernel) return;
  s_.knobs.kernel = a.id;
  forget_trail();
  knobs_changed();
}
void Session::on(const SetParam& a) {
  const bool of_kernel = a.of == SetParam::Of::kernel;
  auto& sets = of_kernel ? s_.knobs.kernel_params : s_.knobs.format_params;
  const std::string owner = of_kernel ? s_.knobs.kernel : (s_.format() ? s_.format()->id : "");
  sets[owner][a.id] = a.value;
  if (!of_kernel) formats_changed();
  knobs_changed();
}
void Session::on(const SetPrecision& a) {
  s_.knobs.precision = a.precision;
  formats_changed();
  knobs_changed();
}
void Session::on(const SetCacheState& a) {
  s_.knobs.cache_state = a.state;
  knobs_changed();
}
void Session::on(const SetRealView& a) {
  s_.knobs.view = a.view;
  formats_changed();
  knobs_changed();
}
void Session::on(const SetLive& a) {
  s_.knobs.live = a.on;
  live_due_ = a.on;
}

void Session::on(const StartRun&) {
  const auto* m = s_.current();
  if (!m || !m->matrix) return say(Message::Kind::note, "Open a matrix first (Ctrl+O), then run a kernel on it.");
  if (!s_.can_run()) return say(Message::Kind::warning, s_.why_not());
  start_run(*m, false);
}

void Session::start_run(const OpenMatrix& m, bool live) {
  RunRequest request = request_of(s_, m);
  request.budget_s = live ? options_.live_budget_s : options_.run_budget_s;
  s_.run_job = workers_.submit(
      Lane::gpu, "Running " + request.kernel + " on " + m.name,
      [this, request, matrix = m.matrix](Progress& p) { return engine_.run(request, *matrix, p); },
      [this, live](RunRecord r) { record(std::move(r), live); }, [this](const Failure& f) { say(f); });
}

void Session::record(RunRecord r, bool live) {
  if (r.status == RunStatus::cancelled) return;
  if (r.status == RunStatus::failed) say(Message::Kind::error, "Run failed: " + r.error);
  if (live && r.status == RunStatus::failed) return;  // said once; a drag would pile them up
  const auto kept = s_.runs.add(std::move(r));
  if (const auto* d = s_.catalog->device(kept->device))
    s_.points[kept->id] = roofline_points(*kept, roofs_of(d->spec, kept->request.precision), s_.flops);
  if (live) {
    if (live_run_ != 0) s_.trail.push_back(live_run_);
    live_run_ = kept->id;
    if (s_.trail.size() > kTrail) {
      s_.runs.remove(s_.trail.front());
      s_.points.erase(s_.trail.front());
      s_.trail.erase(s_.trail.begin());
    }
  }
  s_.selected_run = kept->id;
  roofline_stale_ = true;
}

void Session::forget_trail() {
  for (auto id : s_.trail) {
    s_.runs.remove(id);
    s_.points.erase(id);
  }
  s_.trail.clear();
  live_run_ = 0;  // the last live run stays, as a run like any other
  roofline_stale_ = true;
}

void Session::on(const SelectRun& a) {
  s_.selected_run = a.id;
  roofline_stale_ = true;
}
void Session::on(const RemoveRun& a) {
  s_.runs.remove(a.id);
  s_.points.erase(a.id);
  std::erase(s_.trail, a.id);
  if (live_run_ == a.id) live_run_ = 0;
  if (s_.selected_run == a.id) s_.selected_run = s_.runs.all().empty() ? 0 : s_.runs.all().back()->id;
  roofline_stale_ = true;
}
void Session::on(const ClearRuns&) {
  s_.runs.clear();
  s_.points.clear();
  s_.trail.clear();
  live_run_ = s_.selected_run = 0;
  roofline_stale_ = true;
}

void Session::rebuild_roofline() {
  roofline_stale_ = false;
  rebuild_memory_chart();
  const auto* d = s_.device();
  s_.roofs = d ? roofs_of(d->spec, s_.knobs.precision) : std::vector<Roof>{};
  std::vector<std::shared_ptr<const RunRecord>> shown;
  for (const auto& r : s_.runs.all())
    if (r->status == RunStatus::ok && d && r->device == d->id) shown.push_back(r);
  plot::RooflineStyle style;
  style.trail = s_.trail;
  style.selected = s_.selected_run;
  style.minimum = minimum_of(s_);
  style.flops = s_.flops;
  s_.roofline = std::make_shared<const plot::Plot>(
      plot::roofline_figure(s_.roofs, d ? d->name : "", shown, style, plot_theme(palette_of(s_.theme), 12)));
}

}  // namespace warpspy::ui
