// The colours that the pattern gets from a run. A job asks the engine for the visible part.
#include "ui/services/runs/pattern.hpp"

#include <algorithm>

namespace warpspy::ui {

namespace {

using Clock = std::chrono::steady_clock;

// A slider or a view rests if it has not moved for this long.
constexpr auto kRest = std::chrono::milliseconds(250);

}  // namespace

bool Pattern::waits() const { return wanted_.matrix != 0 && !(wanted_ == asked_); }

std::optional<double> Pattern::due_in_s() const {
  if (!waits()) return std::nullopt;
  const std::chrono::duration<double> left = since_ + kRest - Clock::now();
  return std::max(0.0, left.count());
}

// Once per frame: the selected run of the shown matrix, else what the controls say.
void Pattern::frame() {
  const auto* m = s_.current();
  const bool looked_at = !s_.spy.shade.empty() && m && m->matrix && m->matrix->csr->rows() > 0 && s_.kernel();
  if (!looked_at) {
    wanted_ = asked_ = {};
    ticket_.next();
    if (s_.pattern.job) s_.pattern.job->cancel();
    s_.pattern = {};
    return;
  }
  const auto run = s_.run(s_.selected_run);
  const bool of_run = run && run->status == RunStatus::ok && matrix_of(s_, *run) == m;
  Asked wanted{m->id, of_run ? run->request : request_of(s_, *m), traced_rows(*m->matrix->csr, m->camera)};
  // Options that do not change which thread reads which entry.
  wanted.request.counters = "none";
  wanted.request.lines = wanted.request.live = false;
  wanted.request.depth = Depth::full;
  wanted.request.parts = 1, wanted.request.split = Split::rows;  // of one GPU that has the whole matrix
  s_.pattern.of = of_run && run->id < kUnsaved ? "run " + std::to_string(run->id) : "the next run";
  if (!(wanted == wanted_)) {
    wanted_ = std::move(wanted);
    since_ = Clock::now();
  }
  if (s_.pattern.matrix != m->id) {
    const std::string of = s_.pattern.of;
    if (s_.pattern.job) s_.pattern.job->cancel();
    ticket_.next();
    s_.pattern = {};
    s_.pattern.of = of;
    s_.pattern.matrix = m->id;
    asked_ = {};
  }
  const bool first = !s_.pattern.trace && !s_.pattern.job;
  if (waits() && (first || Clock::now() - since_ >= kRest)) start();
}

void Pattern::start() {
  const auto* m = s_.current();
  if (s_.pattern.job) s_.pattern.job->cancel();
  asked_ = wanted_;
  const auto ticket = ticket_.next();
  const auto ended = [this, ticket](std::string problem) {
    if (!ticket_.is_current(ticket)) return;
    s_.pattern.job = nullptr;
    s_.pattern.problem = std::move(problem);
  };
  struct Found {
    std::shared_ptr<const EntryTrace> trace;
    std::map<std::string, std::vector<plot::ShadeKey>> keys;
  };
  s_.pattern.job = workers_.submit(
      JobQueue::gpu, "Who reads which entry of " + m->name,
      [this, matrix = m->matrix, asked = asked_](Progress& p) {
        Found found;
        found.trace = std::make_shared<const EntryTrace>(
            engine_.trace_entries(asked.request, *matrix, asked.rows.begin, asked.rows.end, p));
        for (const plot::PatternShade& shade : plot::pattern_shades())
          found.keys[shade.id] = plot::shade_keys(shade, *found.trace);
        return found;
      },
      [this, ticket, ended](Found found) {
        if (!ticket_.is_current(ticket)) return;
        ended("");
        s_.pattern.trace = std::move(found.trace);
        s_.pattern.keys = std::move(found.keys);
        s_.pattern.request = asked_.request;
      },
      [this, ticket, ended](const Failure& f) {
        if (!ticket_.is_current(ticket)) return;
        s_.pattern.trace = nullptr;
        ended(f.reason + (f.remedy.empty() ? "" : "; " + f.remedy));
      },
      [ended] { ended("cancelled"); });
}

}  // namespace warpspy::ui
