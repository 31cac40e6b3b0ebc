// Finds the fastest kernel of each of several matrices. For each it runs the same plan as the command line.
#include "ui/services/experiments/best_kernels.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/experiment/executor.hpp"

namespace warpspy::ui {

void BestKernels::on(const SearchBest& a) {
  if (s_.best_search && s_.best_search->running)
    return say(Message::Kind::note, "The best kernels are being searched: stop that first.");
  const DeviceInfo* device = s_.device();
  if (!device || !device->available)
    return say(Message::Kind::warning, device ? device->name + ": " + device->reason : "There is no device to run on.");
  const auto wanted = [&](MatrixId id) {
    if (!a.matrices.empty()) return std::find(a.matrices.begin(), a.matrices.end(), id) != a.matrices.end();
    return s_.matrices_view.chosen.empty() || s_.matrices_view.chosen.contains(id);
  };
  BestSearch b;
  for (const OpenMatrix& m : s_.matrices)
    if (wanted(m.id) && m.status != OpenMatrix::Status::failed) b.items.push_back({m.source, m.name});
  if (b.items.empty())
    return say(Message::Kind::note, "Open matrices first (Ctrl+O), then search the best kernel of each.");
  b.of = {"", *device, {s_.knobs.precision}, s_.knobs.cache_state, options_.search_budget_s};
  runs_.trail().settle();
  s_.best_search = std::move(b);
}

void BestKernels::on(const SteerBest& a) {
  if (!s_.best_search) return;
  BestSearch& b = *s_.best_search;
  if (a.to == SteerBest::To::stop) {
    if (b.job) b.job->cancel();
    b.running = b.resumes = false;
  } else if (!b.running && b.left() > 0) {
    (b.job ? b.resumes : b.running) = true;
  }
}

// Starts the next matrix when no search runs. A run that the user asks for comes between two matrices.
void BestKernels::frame() {
  if (!s_.best_search || s_.best_search->job || !s_.best_search->running) return;
  BestSearch& b = *s_.best_search;
  for (std::size_t k = 0; k < b.items.size(); ++k) {
    BestSearch::Item& item = b.items[k];
    if (item.state != CellState::waiting) continue;
    const auto m =
        std::find_if(s_.matrices.begin(), s_.matrices.end(), [&](const auto& o) { return o.source == item.source; });
    if (m != s_.matrices.end() && m->status == OpenMatrix::Status::opening) continue;
    if (m != s_.matrices.end() && m->matrix) return search(k, *m);
    item.state = CellState::skipped;
    item.reason = m == s_.matrices.end() ? "its matrix was closed" : "its matrix did not open";
  }
  if (b.left() > 0) return;  // still being opened
  b.running = false;
  const std::size_t done = b.count(CellState::done), all = b.items.size();
  say(done == all ? Message::Kind::note : Message::Kind::warning,
      "Best of each: " + std::to_string(done) + " of " + counted(static_cast<index_t>(all), "matrix", "matrices") +
          " searched.",
      done == all ? "" : "The tab Matrices says why, under Best.");
}

void BestKernels::search(std::size_t k, const OpenMatrix& m) {
  BestSearch& b = *s_.best_search;
  b.item = k;
  b.items[k].state = CellState::running;
  const auto mine = [this, ticket = asked_.next()] { return asked_.is_current(ticket); };
  // `stop`: ends the searches; the remaining matrices wait.
  const auto ended = [this, mine, k](CellState state, std::string reason, bool stop) {
    if (!mine()) return;
    BestSearch& was = *s_.best_search;
    was.job = nullptr;
    was.items[k].state = state, was.items[k].reason = std::move(reason);
    if (stop) was.running = std::exchange(was.resumes, false);
  };
  BestRequest asked = b.of;
  asked.source = m.source;
  struct Searched {
    std::string problem;
    bool lost = false;
  };
  b.job = workers_.submit(
      JobQueue::gpu, "Best of " + m.name,
      [this, asked, mine, matrix = m.matrix, catalog = s_.catalog](Progress& p) {
        Executor executor(engine_, *catalog, {.history = &history_, .limits = Diagnose::bounds});
        PlanEvents events;
        events.ended = [&](const CaseResult& r) {
          if (r.asked.purpose != Purpose::final) return;
          mail_.post([this, mine, r] {
            if (mine()) take(r);
          });
        };
        const MatrixOf same = [&](const std::string&, Progress&) -> const Matrix& { return *matrix; };
        Results results;
        const PlanEnd end = executor.run(*options_.best(*matrix, asked, &history_), same, p, results, events);
        tell_history_problems();
        if (end == PlanEnd::cancelled) throw Cancelled{};
        const bool lost = end == PlanEnd::device_lost;
        return Searched{lost ? results.back().record->error : nothing_found(results), lost};
      },
      [ended](Searched found) {
        const CellState state = found.problem.empty() ? CellState::done : CellState::failed;
        ended(state, std::move(found.problem), found.lost);
      },
      [ended](const Failure& f) { ended(CellState::failed, f.one_line(), false); },
      [ended] { ended(CellState::waiting, "", true); });
}

// Lists and draws the best and the second run, but does not select them.
void BestKernels::take(const CaseResult& finals) {
  std::vector<std::shared_ptr<const RunRecord>> all = {finals.record};
  all.insert(all.end(), finals.beside.begin(), finals.beside.end());
  for (const auto& r : all) {
    if (r->status != RunStatus::ok) continue;
    const auto kept = s_.runs.add(*r);
    runs_.find_saved_roofs(*kept);
  }
}

bool BestKernels::due() const { return s_.best_search && s_.best_search->running && !s_.best_search->job; }

void BestKernels::forget() {
  if (s_.best_search && s_.best_search->job) s_.best_search->job->cancel();
  asked_.next();
  s_.best_search.reset();
}

}  // namespace warpspy::ui
