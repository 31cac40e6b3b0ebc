// Restores a desk from its file. Jobs open its matrices, and what is missing is reported once.
#include <algorithm>
#include <set>
#include <utility>

#include "core/model/analyses.hpp"
#include "core/session/desk.hpp"
#include "ui/services/desk/desk_keeper.hpp"
#include "ui/services/desk/desk_state.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

namespace {

// A sentence for each kernel and format of the desk that this program lacks.
void tell_unknown(const Desk& desk, const Catalog& catalog, std::vector<std::string>& remarks) {
  std::set<std::string> kernels, formats;
  const auto choose = [&](const std::string& kernel, const std::string& format) {
    if (!kernel.empty() && !catalog.kernel(kernel)) kernels.insert(kernel);
    if (!format.empty() && !catalog.format(format)) formats.insert(format);
  };
  const auto chosen = [&](const char* id) {
    const auto at = desk.choices.find(id);
    return at == desk.choices.end() ? std::string() : at->second;
  };
  choose(chosen("kernel"), chosen("format"));
  for (const DeskMatrix& m : desk.matrices)
    if (m.knobs) choose(m.knobs->kernel, m.knobs->format);
  for (const DeskRun& run : desk.runs)
    if (run.record) choose(run.record->request.kernel, run.record->format);
  for (const std::string& id : kernels) remarks.push_back("There is no kernel " + id + " any more.");
  for (const std::string& id : formats) remarks.push_back("There is no format " + id + " any more.");
}

}  // namespace

void DeskKeeper::close_all() {
  while (!s_.matrices.empty()) act(CloseMatrix{s_.matrices.back().id});
  act(ClearRuns{});
  s_.notes.clear();
  s_.analyses.clear();
  s_.session.clear();
  others_.search.forget();
  others_.sweeps.forget();
  others_.best.forget();
  others_.undo.forget();
}

void DeskKeeper::bring_back(DeskRead read, const DeskRunsFound& runs, const std::string& what) {
  const Desk& desk = read.desk;
  tell_unknown(desk, *s_.catalog, read.remarks);
  others_.workspace.coming_back().begin(what, std::move(read.remarks), runs.lost);
  other_choices_ = desk.choices;
  for (const ChoiceRow& c : choice_rows())
    if (c.saved == ChoiceRow::Saved::desk) other_choices_.erase(c.id);
  const std::string chosen = s_.knobs.device;
  set_saved_choices(s_, ChoiceRow::Saved::desk, desk.choices);
  if (s_.device() && !s_.device()->available) s_.knobs.device = chosen;
  for (const auto& [owner, set] : desk.kernel_params) s_.knobs.kernel_params[owner] = set;
  for (const auto& [owner, set] : desk.format_params) s_.knobs.format_params[owner] = set;
  for (const auto& [owner, set] : desk.analysis_params) try {
      checked_params(analysis_row(owner).info.params, set);
      s_.analysis.params[owner] = set;
    } catch (const Error& e) {
      others_.workspace.coming_back().remark("Parameters of an analysis are left out: " + e.reason + ".");
    }
  const auto device = desk.choices.find("device");
  if (device != desk.choices.end() && !device->second.empty() && device->second != s_.knobs.device && s_.device())
    others_.workspace.coming_back().remark("The device " + device->second + " is not here: runs go to " +
                                           s_.device()->name + ".");
  // If the user has opened a matrix meanwhile, it stays the shown one.
  const MatrixId shown = s_.selected;
  std::vector<MatrixId> ids;
  for (const DeskMatrix& m : desk.matrices) ids.push_back(others_.workspace.put(m));
  const MatrixId active = desk.active >= 0 ? ids[static_cast<std::size_t>(desk.active)] : 0;
  // The shown matrix is read first; a reordered matrix waits for its original.
  std::stable_partition(ids.begin(), ids.end(), [&](MatrixId id) { return id == active; });
  others_.workspace.load_what_waits(ids);
  put_runs(desk, runs);
  put_results(desk);
  if (shown == 0 && active != 0) {
    act(SelectMatrix{active});
    act(SetHighlight{desk.marked_lo, desk.marked_hi, desk.marked_first, desk.marked_past});
    others_.warps.show_when_read(desk.choices);
  }
  others_.workspace.settle_coming_back();
}

void DeskKeeper::show(const Desk& desk) {
  act(CompareRuns{});
  act(SetHighlight{});
  // Selects nothing first, so that the desk's own choices apply, even for matrices that are open already.
  const MatrixId before = std::exchange(s_.selected, 0);
  s_.selected_run = 0;
  s_.looked_at.reset();
  s_.knobs_of.clear();
  DeskRunsFound found;
  for (const DeskRun& run : desk.runs)
    if (run.record) found.runs.push_back(run);
  bring_back({desk, {}}, found, ComingBack::kTheDesk);
  for (const DeskMatrix& m : desk.matrices)
    for (OpenMatrix& open : s_.matrices)
      if (open.source == m.recipe.text())
        open.camera = {m.camera.fit, m.camera.row, m.camera.col, m.camera.row_px, m.camera.col_px};
  if (s_.selected != 0 || s_.matrices.empty()) return;
  act(SelectMatrix{s_.matrix(before) ? before : s_.matrices.front().id});  // the desk shows none
}

void DeskKeeper::put_runs(const Desk& desk, const DeskRunsFound& runs) {
  // Runs from another machine are identified by name, even if they were opened before.
  std::map<std::uint64_t, std::shared_ptr<const RunRecord>> by_number;
  const auto on_the_desk = [before = s_.runs.all()](const RunRecord& r) -> std::shared_ptr<const RunRecord> {
    for (const auto& own : before)
      if (r.id != 0 ? own->id == r.id : run_name(*own) == run_name(r)) return own;
    return nullptr;
  };
  for (const DeskRun& run : runs.runs) {
    auto record = run.record;
    if (auto own = on_the_desk(*record))
      record = std::move(own);
    else if (run.listed || record->id == 0)
      record = s_.runs.add(*run.record);
    by_number[run.id] = record;
    if (!run.note.empty()) s_.notes[record->id] = run.note;
  }
  const auto found = [&](std::uint64_t id) {
    const auto at = by_number.find(id);
    return at == by_number.end() ? nullptr : at->second;
  };
  std::vector<std::shared_ptr<const RunRecord>> compared;
  for (const std::uint64_t id : desk.compared)
    if (auto run = found(id)) compared.push_back(std::move(run));
  // A run that was made meanwhile, or a matrix that was opened, stays selected; a comparison would select another one.
  const bool free = s_.selected_run == 0 && s_.selected == 0;
  if (free && compared.size() > 1 && compared.size() <= kMostCompared) others_.runs.compare(std::move(compared));
  if (const auto run = free ? found(desk.selected_run) : nullptr) {
    const auto& own = s_.runs.all();
    s_.selected_run = run->id;
    s_.looked_at = std::find(own.begin(), own.end(), run) == own.end() ? run : nullptr;
  }
  if (const auto run = found(desk.beside_run)) s_.beside_run = run->id;
  if (!desk.sweep || s_.sweep) return;
  SavedSweep sweep = *desk.sweep;
  for (SweepOutcome& o : sweep.outcomes) {
    const auto run = found(o.run);
    o.run = run ? run->id : 0;
  }
  others_.sweeps.put(sweep);
}

void DeskKeeper::put_results(const Desk& desk) {
  if (desk.tuning && !(s_.tuning && s_.tuning->job)) {
    Tuning t;
    t.record = Shared(*desk.tuning);
    t.source = desk.tuning->request.run.matrix;
    for (const OpenMatrix& m : s_.matrices)
      if (m.source == t.source) t.matrix = m.id;
    s_.tuning = std::move(t);
  }
  for (const AnalysisResult& a : desk.analyses) {
    Analysing& here = s_.analyses[a.request.id];
    if (here.job || here.result) continue;
    AnalysisResult result = a;
    try {
      warpspy::complete(result, *s_.catalog);
      here.result = std::make_shared<const AnalysisResult>(std::move(result));
    } catch (const Error& e) {
      s_.analyses.erase(a.request.id);
      others_.workspace.coming_back().remark("An analysis is left out: " + e.reason + ".");
    }
  }
}

}  // namespace warpspy::ui
