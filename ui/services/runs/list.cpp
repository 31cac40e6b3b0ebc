// Selects a run, and compares runs.
#include <algorithm>
#include <utility>

#include "ui/services/runs/runs.hpp"

namespace warpspy::ui {

void Runs::on(const SelectRun& a) {
  const auto run = s_.run(a.id);
  if (a.id && !run) return;  // the run no longer exists
  s_.selected_run = a.id;
  const auto& own = s_.runs.all();
  s_.looked_at = std::find(own.begin(), own.end(), run) == own.end() ? run : nullptr;
  s_.array.clear(), s_.line.clear();
  if (!a.compared || s_.compared_as(a.id) < 0) on(CompareRuns{});
  if (run) show_matrix_of(*run);
}

void Runs::on(const RemoveRun& a) {
  s_.runs.remove(a.id);
  trail_.remove(a.id);
  if (s_.selected_run == a.id) select_newest();
  if (s_.compared_as(a.id) >= 0) on(CompareRuns{});
}

void Runs::on(const ClearRuns&) {
  s_.runs.clear();
  trail_.clear();
  s_.selected_run = 0;
  s_.looked_at = nullptr;
  on(CompareRuns{});
}

void Runs::on(const SelectPart& a) {
  s_.array = a.array;
  s_.line = a.line;
}

void Runs::on(const CompareRuns& a) {
  std::vector<std::shared_ptr<const RunRecord>> runs;
  for (const std::uint64_t id : a.ids) {
    const auto run = s_.run(id);
    if (!run || std::find(runs.begin(), runs.end(), run) != runs.end()) continue;
    if (runs.size() == kMostCompared) {
      say(Message::Kind::note, "At most " + std::to_string(kMostCompared) + " runs are compared at once.");
      break;
    }
    runs.push_back(run);
  }
  compare(std::move(runs));
}

void Runs::compare(std::vector<std::shared_ptr<const RunRecord>> runs) {
  if (runs.size() < 2) runs.clear();
  if (runs == s_.comparing) return;
  const auto selected = s_.run(s_.selected_run);
  s_.comparing = std::move(runs);
  if (selected && !s_.run(selected->id)) s_.looked_at = selected;  // only the comparison held it
  if (s_.comparing.empty()) return;
  s_.selected_run = s_.comparing.back()->id;
  show_matrix_of(*s_.comparing.back());
}

// Compares the same runs again if this is one of them, by its new number.
void Runs::compare_again(std::uint64_t id, std::uint64_t now) {
  if (s_.compared_as(id) < 0) return;
  CompareRuns again;
  for (const auto& c : s_.comparing) again.ids.push_back(c->id == id ? now : c->id);
  on(again);
}

void Runs::show_matrix_of(const RunRecord& r) {
  const auto* m = matrix_of(s_, r);
  if (m && m->id != s_.selected) act(SelectMatrix{m->id});
}

void Runs::on(const MatrixShown& e) {
  if (e.before != e.id) trail_.forget();
  select_run_of(*find(e.id));
}

void Runs::select_run_of(const OpenMatrix& m) {
  const auto selected = s_.run(s_.selected_run);
  if (selected && matrix_of(s_, *selected) == &m) return;
  for (const auto& r : s_.comparing)
    if (matrix_of(s_, *r) == &m) {
      s_.selected_run = r->id;
      return;
    }
  on(CompareRuns{});
  const auto newest = newest_run(s_, m);
  s_.selected_run = newest ? newest->id : 0;
  s_.looked_at = nullptr;
}

// Clears a selected run that is no longer in any list, or whose matrix is not shown.
void Runs::settle() {
  if (s_.selected_run == 0) return;
  const auto run = s_.run(s_.selected_run);
  const OpenMatrix* of_run = run ? matrix_of(s_, *run) : nullptr;
  if (!run || (of_run && of_run != s_.current())) select_newest();
}

void Runs::select_newest() {
  const auto newest = s_.current() ? newest_run(s_, *s_.current()) : nullptr;
  s_.selected_run = newest ? newest->id : 0;
}

}  // namespace warpspy::ui
