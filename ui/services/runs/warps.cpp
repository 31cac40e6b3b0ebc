// The shown warp. A job asks the engine for it; each step is drawn as a new figure.
#include "ui/services/runs/warps.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/run/source_page.hpp"
#include "core/run/telling_step.hpp"
#include "ui/state/desk_words.hpp"

namespace warpspy::ui {

namespace {

using Clock = std::chrono::steady_clock;

// How long a step is shown while the warp plays.
constexpr auto kStep = std::chrono::milliseconds(120);

// Notes on a run whose warp is shown, if the same request would run differently now.
std::vector<std::string> notes_of(const Catalog& catalog, const RunRecord& run, const Csr& a) {
  std::vector<std::string> notes;
  const std::string name = "run " + run_title(run);
  if (!run.source.empty() && source_mark(catalog.sources, run.lines) != run.source)
    notes.push_back(name + " was made by another version of the kernel: this is a warp of the kernel as it is now");
  if (run.rows != a.rows() || run.cols != a.cols() || run.nnz != a.nnz())
    notes.push_back(name + " was made on a matrix of " + grouped(run.rows) + " \xC3\x97 " + grouped(run.cols) +
                    " with " + counted(run.nnz, "entry", "entries") + ": the matrix has changed since");
  if (run.provenance == Provenance::measured)
    notes.push_back(name + " was measured on " + run.device_name + "; its warp is modelled");
  return notes;
}

}  // namespace

void Warps::on(const ShowWarp& a) {
  const auto* m = s_.current();
  waits_.reset();
  if (!m || !m->matrix || !s_.kernel()) return;
  if (s_.warp.job) s_.warp.job->cancel();
  const auto ticket = asked_.next();
  const auto run = s_.run(s_.selected_run);
  const bool of_run = run && run->status == RunStatus::ok && matrix_of(s_, *run) == m;
  WarpShown shown;
  shown.matrix = m->id;
  shown.of = of_run ? "run " + run_title(*run) : "the next run";
  shown.run = of_run ? run->id : 0;
  shown.request = of_run ? run->request : request_of(s_, *m);
  shown.request.parts = 1, shown.request.split = Split::rows;  // on one GPU that has the whole matrix
  shown.wanted = a.wanted;
  shown.wanted.first = 1;  // rows count from 1, as in the pattern
  shown.stride = s_.warp.stride;
  shown.view = s_.warp.view;
  shown.beside = a.beside;
  s_.warp = std::move(shown);
  std::vector<std::string> notes;
  if (of_run) notes = notes_of(*s_.catalog, *run, *m->matrix->csr);
  if (!a.follows) act(ShowTab{"warp"});
  const auto ended = [this, ticket](std::string problem) {
    if (!asked_.is_current(ticket)) return;
    s_.warp.job = nullptr;
    s_.warp.problem = std::move(problem);
  };
  const Asked asked{m->matrix, s_.warp.request, s_.warp.wanted, a.beside, std::move(notes), s_.theme};
  if (const Found* found = kept(asked.question())) return take(*found, a.step);
  s_.warp.job = workers_.submit(
      JobQueue::gpu, "The steps of a warp on " + m->name, [this, asked](Progress& p) { return look(asked, p); },
      [this, asked, ticket, ended, step = a.step](Found found) {
        keep(asked, found);
        if (!asked_.is_current(ticket)) return;
        ended("");
        take(std::move(found), step);
      },
      [ended](const Failure& f) { ended(f.reason + (f.remedy.empty() ? "" : "; " + f.remedy)); },
      [ended] { ended("cancelled"); });
}

std::string Warps::Asked::question() const {
  WarpShown shown;
  shown.wanted = wanted;
  shown.beside = beside;
  std::string told = std::to_string(reinterpret_cast<std::uintptr_t>(matrix.get())) + " " + to_json(request) + " " +
                     to_text(shown) + " " + name_of(theme);
  for (const std::string& note : notes) told += "\n" + note;
  return told;
}

Warps::Found Warps::look(const Asked& asked, Progress& p) {
  const plot::Theme theme = plot_theme(palette_of(asked.theme), 12);
  Found found;
  const auto at = [&](const RunRequest& r, const WarpWanted& of) {
    WarpTrace told = engine_.trace_warp(r, *asked.matrix, of, p);
    told.notes.insert(told.notes.begin(), asked.notes.begin(), asked.notes.end());
    auto trace = std::make_shared<const WarpTrace>(std::move(told));
    auto picture = std::make_shared<const plot::StepsPicture>(plot::picture_of_steps(*trace, theme));
    auto sums = std::make_shared<const RunningSums>(*trace);
    found.seen.emplace_back(std::move(trace), std::move(picture), std::move(sums));
  };
  at(asked.request, asked.wanted);
  if (asked.beside.empty()) return found;
  RunRequest other = asked.request;
  other.kernel = asked.beside;
  other.params.clear(), other.format_params.clear();
  try {
    at(other, beside_of(asked.wanted, *found.seen.front().trace));
  } catch (const Error& e) {
    found.beside_problem = e.what();
  }
  return found;
}

void Warps::keep(const Asked& asked, Found found) {
  constexpr std::size_t most = 8;
  std::string question = asked.question();
  std::erase_if(kept_, [&](const Kept& k) { return k.matrix.expired() || k.question == question; });
  kept_.push_back({asked.matrix, std::move(question), std::move(found)});
  if (kept_.size() > most) kept_.erase(kept_.begin());
}

const Warps::Found* Warps::kept(const std::string& question) const {
  for (const Kept& k : kept_)
    if (k.question == question && !k.matrix.expired()) return &k.found;
  return nullptr;
}

void Warps::take(Found found, const std::optional<std::size_t>& step) {
  s_.warp.trace = found.seen.front().trace;
  s_.warp.lines = traffic_by_line(*s_.warp.trace);
  s_.warp.seen = std::move(found.seen);
  s_.warp.beside_problem = std::move(found.beside_problem);
  if (step && !s_.warp.trace->steps.empty())
    s_.warp.step = std::min(*step, s_.warp.trace->steps.size() - 1);
  else if (s_.warp.wanted.by == WarpWanted::By::worst)
    s_.warp.step = telling_step(*s_.warp.trace, s_.warp.wanted.measure, s_.array);
}

void Warps::prepare(const OpenMatrix& m, const RunRecord& run, const ShowWarp& show) {
  Asked asked{m.matrix, run.request, show.wanted, show.beside, notes_of(*s_.catalog, run, *m.matrix->csr), s_.theme};
  asked.wanted.first = 1;
  const std::string question = asked.question();
  if (kept(question) || preparing_ == question) return;
  preparing_ = question;
  workers_.submit(
      JobQueue::gpu, "The steps of a warp on " + m.name, [this, asked](Progress& p) { return look(asked, p); },
      [this, asked](Found found) {
        preparing_.clear();
        keep(asked, std::move(found));
      },
      [](const Failure&) {},  // the error is reported when the user asks for the warp
      [this] { preparing_.clear(); });
}

// Shows the warp of a restored desk or of an opened figure.
void Warps::show_when_read(const std::map<std::string, std::string>& choices) {
  const auto found = choices.find("warp");
  if (found == choices.end()) return;
  if (!s_.shows("warp")) {
    s_.warp.waits = found->second;
    return;
  }
  waits_ = warp_desk_of(found->second).show;
  if (waits_ && s_.has_matrix()) on(*std::exchange(waits_, std::nullopt));
}

void Warps::on(const SetWarpStep& a) {
  if (!s_.warp.trace || s_.warp.trace->steps.empty()) return;
  s_.warp.step = std::min(a.step, s_.warp.trace->steps.size() - 1);
}

void Warps::on(const SetWarpStride& a) { s_.warp.stride = a.stride; }

void Warps::on(const StepWarp& a) {
  if (!s_.warp.trace) return;
  s_.warp.playing = false;
  on(SetWarpStep{stride(*s_.warp.trace, s_.warp.step, s_.warp.stride, a.forward)});
}

// Starts again from the beginning if it has reached the end.
void Warps::on(const PlayWarp& a) {
  if (!s_.warp.trace || s_.warp.trace->steps.empty()) return;
  s_.warp.playing = a.on;
  moved_ = Clock::now();
  if (a.on && s_.warp.step + 1 >= s_.warp.trace->steps.size()) on(SetWarpStep{0});
}

void Warps::on(const SetWarpView& a) { s_.warp.view = a.view; }

void Warps::on(const GoToLine& a) {
  const auto& trace = s_.warp.trace;
  if (!trace) return;
  const auto is_there = [&](const WarpStep& step) { return trace->sites[step.site].name() == a.line; };
  const auto first = std::find_if(trace->steps.begin(), trace->steps.end(), is_there);
  if (first == trace->steps.end()) return;
  s_.warp.playing = false;
  on(SetWarpStep{static_cast<std::size_t>(first - trace->steps.begin())});
  SetHighlight rows;
  for (auto step = first; step != trace->steps.end(); ++step) {
    if (!is_there(*step)) continue;
    const auto [from, past] = rows_of(*trace, *step);
    if (from >= past) continue;
    rows.first = rows.past == 0 ? from : std::min(rows.first, from);
    rows.past = std::max(rows.past, past);
  }
  if (rows.past > 0 && s_.warp.matrix == s_.selected) act(rows);
}

std::optional<double> Warps::due_in_s() const {
  if (!s_.warp.playing) return std::nullopt;
  const std::chrono::duration<double> left = moved_ + kStep - Clock::now();
  return std::max(0.0, left.count());
}

// The shown warp belongs to the selected run. If another run is selected, the same warp of that run is asked for.
void Warps::follow_run() {
  if (!s_.shows("warp") || !s_.warp.trace || s_.warp.job || s_.run_job || s_.knobs.live) return;
  const auto run = s_.run(s_.selected_run);
  const auto* m = s_.current();
  if (!run || run->status != RunStatus::ok || run->id == s_.warp.run || !m || matrix_of(s_, *run) != m) return;
  ShowWarp next{s_.warp.wanted, s_.warp.beside, s_.warp.step, true};
  if (m->id != s_.warp.matrix) {  // another matrix has other rows
    next.step.reset();
    if (next.wanted.by != WarpWanted::By::median) next.wanted.by = WarpWanted::By::worst;
  }
  on(next);
}

// Continues to play. Drops the warp of a closed matrix.
void Warps::frame() {
  if (s_.warp.matrix != 0 && !find(s_.warp.matrix)) {
    if (s_.warp.job) s_.warp.job->cancel();
    asked_.next();
    s_.warp = {};
  }
  if (s_.shows("warp") && !s_.warp.waits.empty())
    show_when_read({{"warp", std::exchange(s_.warp.waits, "")}});
  else
    follow_run();
  if (!s_.warp.playing || Clock::now() - moved_ < kStep) return;
  moved_ = Clock::now();
  const std::size_t next = stride(*s_.warp.trace, s_.warp.step, s_.warp.stride, true);
  if (next == s_.warp.step) s_.warp.playing = false;
  on(SetWarpStep{next});
}

void Warps::on(const MatrixShown& e) {
  if (e.before != e.id) waits_.reset();
}

void Warps::on(const MatrixOpened& e) {
  if (e.id == s_.selected && waits_) on(*std::exchange(waits_, std::nullopt));
}

}  // namespace warpspy::ui
