#include "ui/services/runs/live.hpp"

#include <chrono>
#include <deque>
#include <optional>
#include <thread>
#include <utility>

#include "ui/state/parts.hpp"

namespace warpspy::ui {

void Live::frame() {
  // The job's result is in the mailbox before the job has ended, and is read before the next frame. Until then the run
  // counts as running; otherwise a failure would start the same run again.
  const bool ended = s_.run_job && s_.run_job->status() == JobStatus::finished;
  if (ended && ended_ == s_.run_job) s_.run_job = nullptr;
  ended_ = ended ? s_.run_job : nullptr;
  if (!s_.run_job && due()) {
    asked_ = request_of(s_, *s_.current());
    runs_.start(*s_.current(), true);
  } else if (!s_.run_job && workers_.idle() && may_refresh()) {
    refresh();
  } else if (!s_.run_job && workers_.idle() && may_refine()) {
    refine();
  } else if (job_ && ((!may_refresh() && !may_refine()) || workers_.pending().size() > 1)) {
    job_->cancel();
  }
}

void Live::settle() {
  if (trail_of_.differs({s_.knobs.device, s_.knobs.kernel})) runs_.trail().forget();
}

bool Live::at_rest() const {
  if (ended_) return false;
  return workers_.idle() || (job_ && s_.live_hz > 0 && workers_.pending().size() == 1);
}

// A live run starts if it would differ from the last one. Another matrix alone is no reason.
bool Live::due() {
  if (!s_.knobs.live) asked_.reset();
  if (!s_.knobs.live || !why_no_run(s_).empty()) return false;
  RunRequest request = request_of(s_, *s_.current());
  if (asked_ && asked_->matrix != request.matrix) asked_ = request;
  return !(asked_ && *asked_ == request);
}

// Whether the live run may be measured again: nothing has changed, and no other run waits for the device. A simulated
// GPU would give the same result, so its run is only refined once.
bool Live::may_refresh() {
  if (!s_.knobs.live || due() || runs_.trail().newest() == 0 || !s_.can_run()) return false;
  const auto r = s_.run(runs_.trail().newest());
  return r && r->status == RunStatus::ok && r->traffic_source == TrafficSource::counters &&
         r->request.matrix == s_.current()->source;
}

// One job measures again and again until frame() cancels it. So no reading waits for a frame to be drawn.
void Live::refresh() {
  RunRequest request = request_of(s_, *s_.current());
  request.budget_s = options_.refresh_budget_s;
  request.live = true;
  const auto stop = [this] {
    job_ = nullptr;
    s_.live_hz = 0;
  };
  job_ = s_.run_job = workers_.submit(
      JobQueue::gpu, "Measuring again",
      [this, request, id = runs_.trail().newest(), matrix = s_.current()->matrix, catalog = s_.catalog](Progress& p) {
        using Clock = std::chrono::steady_clock;
        constexpr auto least = std::chrono::milliseconds(16);  // faster than a screen can show
        std::deque<Clock::time_point> ends;  // of the latest readings; the first one includes opening the profiler
        // The history gets the last reading that the window showed; it does not get all of them.
        struct Last {
          History& history;
          std::optional<RunRecord> reading = {};
          ~Last() {
            if (reading) history.replace(*reading);
          }
        } last{history_};
        for (;;) {
          const auto began = Clock::now();
          RunRecord r = runs_.run_once(request, Purpose::refinement, *matrix, *catalog, p);
          if (r.status != RunStatus::ok) return r;
          last.reading = r;
          last.reading->id = id;
          std::this_thread::sleep_until(began + least);
          ends.push_back(Clock::now());
          if (ends.size() > 10) ends.pop_front();
          const double s = std::chrono::duration<double>(ends.back() - ends.front()).count();
          const double hz = s > 0 ? static_cast<double>(ends.size() - 1) / s : 0;
          mail_.post([this, id, hz, reading = std::move(r)] {
            if (job_) s_.live_hz = hz;
            runs_.complete(id, reading);
          });
          p.check();
        }
      },
      [this, stop, id = runs_.trail().newest()](RunRecord r) {
        stop();
        // A failure is shown once. It is not repeated ten times a second, and a failed run is not refined.
        if (r.status == RunStatus::failed) s_.knobs.live = false, runs_.trail().follow(0);
        runs_.complete(id, std::move(r));
      },
      [this, stop](const Failure& f) {
        stop();
        say(f);
      },
      stop);
}

// Whether the controls have rested and the model could give more. Either its run was quick, or nobody has looked for
// its limits. If a run does not record its bounds, its limits cannot be found.
bool Live::may_refine() {
  if (due() || runs_.trail().newest() == 0 || !s_.can_run()) return false;
  const auto r = s_.run(runs_.trail().newest());
  if (!r || r->status != RunStatus::ok || r->request.matrix != s_.current()->source) return false;
  return r->may_be_refined() || (r->provenance == Provenance::modelled && r->time.value > 0 && r->findings.empty() &&
                                 r->detail("bound_dram") != nullptr);
}

// First the full result replaces the quick one, also in the history. Then its limits are found, as for any other run.
void Live::refine() {
  const auto live = s_.run(runs_.trail().newest());
  const bool looks = !live->may_be_refined();
  RunRequest request = live->request;
  request.depth = Depth::full;
  request.live = false;
  const auto stop = [this] { job_ = nullptr; };
  job_ = s_.run_job = workers_.submit(
      JobQueue::gpu, looks ? "Looking for what limits it" : "Refining the model's answer",
      [this, looks, known = *live, request, id = runs_.trail().newest(), matrix = s_.current()->matrix,
       catalog = s_.catalog](Progress& p) {
        RunRecord r = looks ? known : runs_.run_once(request, Purpose::refinement, *matrix, *catalog, p);
        if (looks) runs_.find_limits_of(r, *matrix, *catalog, p);
        r.id = id;
        if (r.status == RunStatus::ok) history_.replace(r);
        tell_history_problems();
        return r;
      },
      [this, stop, id = runs_.trail().newest()](RunRecord r) {
        stop();
        if (r.status == RunStatus::failed) runs_.trail().follow(0);  // shown once, not tried again
        runs_.complete(id, std::move(r));
      },
      [this, stop](const Failure& f) {
        stop();
        runs_.trail().follow(0);
        say(f);
      },
      stop);
}

}  // namespace warpspy::ui
