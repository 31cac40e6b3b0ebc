#include "ui/services/runs/live.hpp"

#include <chrono>
#include <deque>
#include <optional>
#include <thread>
#include <utility>

namespace warpspy::ui {

void Live::frame() {
  // What a job found is in the mailbox before the job has ended, and is read before the next frame: until then it is
  // under way, or its failure would be met by the same run once more.
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

// A run that follows the knobs is made when it would be another one. Another matrix alone is no reason.
bool Live::due() {
  if (!s_.knobs.live) asked_.reset();
  if (!s_.knobs.live || !s_.can_run()) return false;
  RunRequest request = request_of(s_, *s_.current());
  if (asked_ && asked_->matrix != request.matrix) asked_ = request;
  return !(asked_ && *asked_ == request);
}

// Whether the live run may be measured again: nothing changed since, and nobody else waits for the device. A simulated
// GPU would only say the same again: its answer is refined once.
bool Live::may_refresh() {
  if (!s_.knobs.live || due() || runs_.trail().newest() == 0 || !s_.can_run()) return false;
  const auto r = s_.run(runs_.trail().newest());
  return r && r->status == RunStatus::ok && r->traffic_source == TrafficSource::counters &&
         r->request.matrix == s_.current()->source;
}

// What the hardware counts is followed as it happens: one job measures again and again until frame() cancels it, so
// that no reading waits for a frame to be drawn.
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
        // A failure is said once: neither repeated ten times a second, nor by refining what was measured before.
        if (r.status == RunStatus::failed) s_.knobs.live = false, runs_.trail().follow(0);
        runs_.complete(id, std::move(r));
      },
      [this, stop](const Failure& f) {
        stop();
        say(f);
      },
      stop);
}

// Whether the knobs rest behind an answer of the model of which it would say more: it was quick, or what limits the run
// was not looked for. Of a run that does not tell what its time is made of nothing is found.
bool Live::may_refine() {
  if (due() || runs_.trail().newest() == 0 || !s_.can_run()) return false;
  const auto r = s_.run(runs_.trail().newest());
  if (!r || r->status != RunStatus::ok || r->request.matrix != s_.current()->source) return false;
  return r->may_be_refined() || (r->provenance == Provenance::modelled && r->time.value > 0 && r->findings.empty() &&
                                 r->detail("bound_dram") != nullptr);
}

// First the full answer takes the place of the quick one, also in the history; then what limits it is looked for, as
// of any other run.
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
        if (r.status == RunStatus::failed) runs_.trail().follow(0);  // said once, and not tried again
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
