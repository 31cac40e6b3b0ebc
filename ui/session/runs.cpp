#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>
#include <thread>
#include <utility>

#include "core/experiment/executor.hpp"
#include "ui/session/session.hpp"

namespace warpspy::ui {

namespace {
constexpr std::size_t kTrail = 24;  // points a drag leaves behind
}

// A run that follows the knobs is made when it would be another one. Another matrix alone is no reason.
bool Session::live_is_due() {
  if (!s_.knobs.live) live_asked_.reset();
  if (!s_.knobs.live || !s_.can_run()) return false;
  RunRequest request = request_of(s_, *s_.current());
  if (live_asked_ && live_asked_->matrix != request.matrix) live_asked_ = request;
  return !(live_asked_ && *live_asked_ == request);
}

void Session::on(const SetKernel& a) {
  if (s_.catalog->kernel(a.id)) s_.knobs.kernel = a.id;
}
void Session::on(const SetParam& a) {
  const bool of_kernel = a.of == SetParam::Of::kernel;
  auto& sets = of_kernel ? s_.knobs.kernel_params : s_.knobs.format_params;
  const std::string owner = of_kernel ? s_.knobs.kernel : (s_.format() ? s_.format()->id : "");
  sets[owner][a.id] = a.value;
  s_.knobs_from.clear();
}

void Session::on(const StartRun&) {
  const auto* m = s_.current();
  if (!m || !m->matrix) return say(Message::Kind::note, "Open a matrix first, then run a kernel on it.");
  if (!s_.can_run()) return say(Message::Kind::warning, s_.why_not());
  start_run(*m, false);
}

void Session::start_run(const OpenMatrix& m, bool live) {
  RunRequest request = request_of(s_, m);
  if (live) live_asked_ = request;
  request.budget_s = live ? options_.live_budget_s : options_.run_budget_s;
  request.depth = live ? Depth::quick : Depth::full;
  request.live = live;
  submit_run(m, request, [this, live](RunRecord r) { return record(std::move(r), live); }, live);
}

std::string Session::kernel_label(const std::string& id) const {
  const KernelInfo* kernel = s_.catalog->kernel(id);
  return kernel ? kernel->label : id;
}

// One product that is kept by who asked: it may take the place of another, or its time come before its counters.
RunRecord Session::run_once(const RunRequest& request, Purpose purpose, const Matrix& matrix, const Catalog& catalog,
                            Progress& p, const OnTimed& on_timed) {
  return *Executor(engine_, catalog).run({request, request.kernel, purpose}, "", matrix, p, on_timed).record;
}

void Session::submit_run(const OpenMatrix& m, const RunRequest& request, ShowRun show, bool live) {
  // The time is shown as soon as it is there; counters follow in its place.
  const auto timed = std::make_shared<std::uint64_t>(0);
  s_.run_job = workers_.submit(
      JobQueue::gpu, "Running " + kernel_label(request.kernel) + " on " + m.name,
      [this, request, live, show, timed, matrix = m.matrix, catalog = s_.catalog](Progress& p) {
        // Kept before anything else is done with it: a crash must not lose it.
        std::uint64_t kept = 0;
        RunRecord r = run_once(request, Purpose::asked, *matrix, *catalog, p, [&](const RunRecord& so_far) {
          RunRecord early = so_far;
          keep(early, live);
          kept = early.id;
          mail_.post([show, timed, early] { *timed = show(early); });
        });
        r.id = kept;
        // What its engine did not live to say.
        if (const KernelInfo* k = catalog->kernel(request.kernel); k && r.kernel_label.empty())
          r.kernel_label = k->label;
        if (kept != 0 && r.status == RunStatus::ok) history_.replace(r);
        if (kept == 0 && (r.status == RunStatus::ok || (r.status == RunStatus::failed && !live))) keep(r, live);
        tell_history_problems();
        if (live || r.status != RunStatus::ok) return r;
        // The answer is shown first, with what is known of its limits before the model is asked. A measured run needs
        // the model's run of it.
        RunRecord early = r;
        if (r.provenance == Provenance::modelled) find_limits(early, row_stats(*matrix->csr), *catalog);
        mail_.post([this, show, timed, known = std::move(early)] {
          if (*timed != 0)
            complete(*timed, known);
          else
            *timed = show(known);
        });
        find_limits_of(r, *matrix, *catalog, p);
        return r;
      },
      [this, show, timed](RunRecord r) {
        if (*timed != 0)
          complete(*timed, std::move(r));
        else
          show(std::move(r));
      },
      [this](const Failure& f) { say(f); });
}

void Session::on(const MeasureRoofs&) {
  const auto* d = s_.device();
  if (!d || d->simulated || !d->available)
    return say(Message::Kind::note,
               "Roofs are measured on a real GPU; those of a simulated one come from its data sheet.");
  find_roofs(*d, true);
}

// The roofs kept from before, or measured now.
void Session::find_roofs(const DeviceInfo& device, bool measure_again) {
  roofs_asked_.insert(device.id);
  workers_.submit(
      JobQueue::gpu, "Measuring the roofs of " + device.name,
      [this, id = device.id, measure_again](Progress& p) {
        auto kept = measure_again ? std::nullopt : engine_.saved_roofs(id);
        return kept ? *kept : engine_.measure_roofs(id, p);
      },
      [this, id = device.id](MeasuredRoofs roofs) { s_.measured_roofs[id] = std::move(roofs); },
      [this](const Failure& f) { say(f); });
}

// Not before: nobody wants to wait for them.
void Session::find_kept_roofs(const RunRecord& r) {
  const auto* d = s_.catalog->device(r.device);
  if (d && !d->simulated && r.status == RunStatus::ok && !roofs_asked_.contains(d->id)) find_roofs(*d, false);
}

// Whether the live run may be measured again: nothing changed since, and nobody else waits for the device. A simulated
// GPU would only say the same again: its answer is refined once.
bool Session::may_refresh() {
  if (!s_.knobs.live || live_is_due() || live_run_ == 0 || !s_.can_run()) return false;
  const auto r = s_.run(live_run_);
  return r && r->status == RunStatus::ok && r->traffic_source == TrafficSource::counters &&
         r->request.matrix == s_.current()->source;
}

// What the hardware counts is followed as it happens: one job measures again and again until update() cancels it, so
// that no reading waits for a frame to be drawn.
void Session::refresh_live() {
  RunRequest request = request_of(s_, *s_.current());
  request.budget_s = options_.refresh_budget_s;
  request.live = true;
  const auto stop = [this] {
    refresh_job_ = nullptr;
    s_.live_hz = 0;
  };
  refresh_job_ = s_.run_job = workers_.submit(
      JobQueue::gpu, "Measuring again",
      [this, request, id = live_run_, matrix = s_.current()->matrix, catalog = s_.catalog](Progress& p) {
        using Clock = std::chrono::steady_clock;
        constexpr auto least = std::chrono::milliseconds(16);  // no screen shows more
        std::deque<Clock::time_point> ends;  // of the latest readings; the first waits for the profiler to open
        // However it ends, the history says what the window said last; it need not hear of every reading.
        struct Last {
          History& history;
          std::optional<RunRecord> reading = {};
          ~Last() {
            if (reading) history.replace(*reading);
          }
        } last{history_};
        for (;;) {
          const auto began = Clock::now();
          RunRecord r = run_once(request, Purpose::refinement, *matrix, *catalog, p);
          if (r.status != RunStatus::ok) return r;
          last.reading = r;
          last.reading->id = id;
          std::this_thread::sleep_until(began + least);
          ends.push_back(Clock::now());
          if (ends.size() > 10) ends.pop_front();
          const double s = std::chrono::duration<double>(ends.back() - ends.front()).count();
          const double hz = s > 0 ? static_cast<double>(ends.size() - 1) / s : 0;
          mail_.post([this, id, hz, reading = std::move(r)] {
            if (refresh_job_) s_.live_hz = hz;
            complete(id, reading);
          });
          p.check();
        }
      },
      [this, stop, id = live_run_](RunRecord r) {
        stop();
        // A failure is said once; it is not repeated ten times a second.
        if (r.status == RunStatus::failed) s_.knobs.live = false;
        complete(id, std::move(r));
      },
      [this, stop](const Failure& f) {
        stop();
        say(f);
      },
      stop);
}

// Whether the knobs rest behind an answer of the model of which it would say more: it was quick, or what limits the run
// was not looked for. Of a run that does not tell what its time is made of nothing is found.
bool Session::may_refine() {
  if (live_is_due() || live_run_ == 0 || !s_.can_run()) return false;
  const auto r = s_.run(live_run_);
  if (!r || r->status != RunStatus::ok || r->request.matrix != s_.current()->source) return false;
  return r->may_be_refined() || (r->provenance == Provenance::modelled && r->time.value > 0 && r->findings.empty() &&
                                 r->detail("bound_dram") != nullptr);
}

// First the full answer takes the place of the quick one, also in the history; then what limits it is looked for, as
// of any other run.
void Session::refine_live() {
  const auto live = s_.run(live_run_);
  const bool looks = !live->may_be_refined();
  RunRequest request = live->request;
  request.depth = Depth::full;
  request.live = false;
  const auto stop = [this] { refresh_job_ = nullptr; };
  refresh_job_ = s_.run_job = workers_.submit(
      JobQueue::gpu, looks ? "Looking for what limits it" : "Refining the model's answer",
      [this, looks, known = *live, request, id = live_run_, matrix = s_.current()->matrix,
       catalog = s_.catalog](Progress& p) {
        RunRecord r = looks ? known : run_once(request, Purpose::refinement, *matrix, *catalog, p);
        if (looks) find_limits_of(r, *matrix, *catalog, p);
        r.id = id;
        if (r.status == RunStatus::ok) history_.replace(r);
        tell_history_problems();
        return r;
      },
      [this, stop, id = live_run_](RunRecord r) {
        stop();
        if (r.status == RunStatus::failed) follow(0);  // said once, and not tried again
        complete(id, std::move(r));
      },
      [this, stop](const Failure& f) {
        stop();
        follow(0);
        say(f);
      },
      stop);
}

// A run that was shown already: its counters arrived, or failed to.
void Session::complete(std::uint64_t id, RunRecord r) {
  if (r.status == RunStatus::failed) return say(Message::Kind::error, "Run failed: " + r.error);
  if (r.status != RunStatus::ok) return;
  const auto kept = s_.runs.replace(id, std::move(r));
  if (!kept) return;  // removed meanwhile
  for (SavedRun& k : s_.list.rows)
    if (k.record->id == id) k.record = kept;
  if (s_.compared_as(id) >= 0) {
    CompareRuns again;
    for (const auto& c : s_.comparing) again.ids.push_back(c->id);
    on(again);
  }
}

std::uint64_t Session::record(RunRecord r, bool live) {
  if (r.status == RunStatus::cancelled) return 0;
  if (r.status == RunStatus::failed) say(Message::Kind::error, "Run failed: " + r.error);
  if (live && r.status == RunStatus::failed) return 0;  // said once; a drag would pile them up
  const auto kept = s_.runs.add(std::move(r));
  find_kept_roofs(*kept);
  if (live) {
    if (live_run_ != 0) s_.trail.push_back(live_run_);
    follow(kept->id);
    if (s_.trail.size() > kTrail) {
      s_.runs.remove(s_.trail.front());
      s_.trail.erase(s_.trail.begin());
    }
  }
  // A run of a matrix that is no longer shown does not take the eye away from the one that is.
  if (const auto* m = matrix_of(s_, *kept); !s_.current() || (m && m->id == s_.selected)) {
    s_.selected_run = kept->id;
    s_.looked_at = nullptr;
  }
  return kept->id;
}

void Session::forget_trail() {
  for (auto id : s_.trail) s_.runs.remove(id);
  s_.trail.clear();
  follow(0);  // the last live run stays, as a run like any other
}

void Session::settle_trail() {
  if (live_run_ != 0) s_.trail.push_back(live_run_);
  follow(0);
}

void Session::follow(std::uint64_t id) {
  live_run_ = id;
  live_kept_ = id < kUnsaved ? id : 0;
}

// Only where a drag stops is worth keeping: the live run before leaves the history, and its number is never given
// again.
void Session::keep(RunRecord& r, bool live) {
  const std::uint64_t before = live ? live_kept_.exchange(0) : 0;
  history_.add(r);
  if (before == 0 || r.id == 0) return;
  try {
    if (history_.drop(before)) mail_.post([this, before] { renumber(before); });
  } catch (const Error&) {
    // It stays in the history, beside the new one.
  }
}

void Session::renumber(std::uint64_t id) {
  const auto old = s_.runs.renumber(id);
  if (!old) return;
  std::replace(s_.trail.begin(), s_.trail.end(), id, old->id);
  if (live_run_ == id) live_run_ = old->id;
  if (s_.selected_run == id) s_.selected_run = old->id;
  if (s_.sweep) s_.sweep->sweep.renumber(id, old->id);
  if (s_.compared_as(id) < 0) return;
  CompareRuns again;
  for (const auto& c : s_.comparing) again.ids.push_back(c->id == id ? old->id : c->id);
  on(again);
}

void Session::on(const SelectRun& a) {
  const auto run = s_.run(a.id);
  if (a.id && !run) return;  // it is gone
  s_.selected_run = a.id;
  const auto& own = s_.runs.all();
  s_.looked_at = std::find(own.begin(), own.end(), run) == own.end() ? run : nullptr;
  s_.array.clear(), s_.line.clear();
  if (!a.compared || s_.compared_as(a.id) < 0) on(CompareRuns{});
  if (run) show_matrix_of(*run);
}
void Session::on(const RemoveRun& a) {
  s_.runs.remove(a.id);
  std::erase(s_.trail, a.id);
  if (live_run_ == a.id) follow(0);
  if (s_.selected_run == a.id) {
    const auto newest = s_.current() ? newest_run(s_, *s_.current()) : nullptr;
    s_.selected_run = newest ? newest->id : 0;
  }
  if (s_.compared_as(a.id) >= 0) on(CompareRuns{});
}
void Session::on(const ClearRuns&) {
  s_.runs.clear();
  s_.trail.clear();
  s_.selected_run = 0;
  follow(0);
  s_.looked_at = nullptr;
  on(CompareRuns{});
}

}  // namespace warpspy::ui
