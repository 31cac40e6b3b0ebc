// A desk that was read, onto the one on the screen: matrices come in jobs, and what is missing is said once.
#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "core/io/reader.hpp"
#include "core/model/analyses.hpp"
#include "core/session/desk.hpp"
#include "ui/session/desk_state.hpp"
#include "ui/session/session.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

namespace {

// A file by its whole name, since that is what somebody looks for.
std::string name_of_source(const OpenMatrix& m) {
  if (m.recipe.generated() || !m.recipe.steps.empty()) return m.name;
  return fs::path(place_of(m.recipe.source).path).filename().string();
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, names.size()); ++k) text += (k > 0 ? ", " : "") + names[k];
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

// Kernels and formats that the desk chose and this program does not have, a sentence each.
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

void Session::close_all() {
  while (!s_.matrices.empty()) on(CloseMatrix{s_.matrices.back().id});
  on(ClearRuns{});
  s_.notes.clear();
  s_.tuning.reset();
  tuning_asked_.next();
  s_.analyses.clear();
  s_.session.clear();
  if (s_.sweep && s_.sweep->job) s_.sweep->job->cancel();
  sweep_asked_.next();
  s_.sweep.reset();
  if (s_.best_search && s_.best_search->job) s_.best_search->job->cancel();
  best_asked_.next();
  s_.best_search.reset();
  undo_ = {};
  tell_undo();
}

void Session::bring_back(DeskRead read, const DeskRunsFound& runs, const std::string& what) {
  const Desk& desk = read.desk;
  tell_unknown(desk, *s_.catalog, read.remarks);
  bringing_ = Bringing{what, {}, {}, {}, std::move(read.remarks), runs.lost};
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
      bringing_->remarks.push_back("Parameters of an analysis are left out: " + e.reason + ".");
    }
  const auto device = desk.choices.find("device");
  if (device != desk.choices.end() && !device->second.empty() && device->second != s_.knobs.device && s_.device())
    bringing_->remarks.push_back("The device " + device->second + " is not here: runs go to " + s_.device()->name +
                                 ".");
  // A matrix that somebody opened meanwhile stays the one that is shown.
  const MatrixId shown = s_.selected;
  std::vector<MatrixId> ids;
  for (const DeskMatrix& m : desk.matrices) ids.push_back(put_matrix(m));
  const MatrixId active = desk.active >= 0 ? ids[static_cast<std::size_t>(desk.active)] : 0;
  // What is looked at first is read first; a reordered one waits for its original.
  std::stable_partition(ids.begin(), ids.end(), [&](MatrixId id) { return id == active; });
  for (const MatrixId id : ids) {
    const auto* m = find(id);
    if (m && m->status == OpenMatrix::Status::opening && !m->job) load(id);
  }
  put_runs(desk, runs);
  put_results(desk);
  if (shown == 0 && active != 0) {
    on(SelectMatrix{active});
    mark_when_read({desk.marked_lo, desk.marked_hi, desk.marked_first, desk.marked_past});
    show_warp_when_read(desk.choices);
  }
  if (bringing_->left.empty()) tell_bringing();
}

// Its number; that of the one that is open already.
MatrixId Session::put_matrix(const DeskMatrix& d) {
  const std::string source = d.recipe.text();
  for (const OpenMatrix& m : s_.matrices)
    if (m.source == source && m.status != OpenMatrix::Status::failed) return m.id;
  drop_failed(source);
  OpenMatrix m;
  m.id = next_matrix_++;
  m.source = source;
  m.recipe = d.recipe;
  m.name = d.name;
  m.file = d.file;
  m.camera = {d.camera.fit, d.camera.row, d.camera.col, d.camera.row_px, d.camera.col_px};
  if (!d.recipe.steps.empty()) m.reordering = reordering_label(d.recipe.steps.back().id);
  const std::string before = d.recipe.before().text();
  for (const OpenMatrix& o : s_.matrices)
    if (!d.recipe.steps.empty() && o.source == before) m.original = o.id;
  if (d.knobs && s_.catalog->kernel(d.knobs->kernel)) {
    Knobs& own = s_.knobs_of[m.id] = s_.knobs;
    own.kernel = d.knobs->kernel;
    if (s_.catalog->format(d.knobs->format)) own.format = d.knobs->format;
    own.kernel_params = d.knobs->kernel_params, own.format_params = d.knobs->format_params;
  }
  quiet_.insert(m.id);
  bringing_->left.insert(m.id);
  s_.matrices.push_back(std::move(m));
  return s_.matrices.back().id;
}

void Session::put_runs(const Desk& desk, const DeskRunsFound& runs) {
  // A run of another machine is known by its name, also where it was opened before.
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
  // A run that was made meanwhile, or a matrix that was opened, stays what is looked at: to compare would select
  // another.
  const bool free = s_.selected_run == 0 && s_.selected == 0;
  if (free && compared.size() > 1 && compared.size() <= kMostCompared) compare(std::move(compared));
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
  put_sweep(sweep);
}

void Session::put_results(const Desk& desk) {
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
      bringing_->remarks.push_back("An analysis is left out: " + e.reason + ".");
    }
  }
}

// One of those that are coming back has come, was closed, or failed.
void Session::came(MatrixId id, bool changed, const Failure* failure) {
  if (!bringing_ || bringing_->left.erase(id) == 0) return;
  const auto* m = find(id);
  const std::string name = m ? name_of_source(*m) : "";
  if (changed) bringing_->changed.push_back(name);
  if (failure) bringing_->failed.push_back(name + " (" + failure->reason + ")");
  if (bringing_->left.empty()) tell_bringing();
}

// Once, when everything has come.
void Session::tell_bringing() {
  const Bringing b = *std::exchange(bringing_, std::nullopt);
  std::vector<std::string> parts = b.remarks;
  if (!b.failed.empty()) parts.push_back("Missing: " + listed(b.failed) + ".");
  if (!b.changed.empty()) parts.push_back("Changed since: " + listed(b.changed) + ".");
  if (b.lost_runs > 0)
    parts.push_back(std::to_string(b.lost_runs) + (b.lost_runs == 1 ? " run is" : " runs are") +
                    " no longer in the history.");
  if (parts.empty()) {
    if (b.what != kTheDesk) say(Message::Kind::note, b.what + " is open.");
    return;
  }
  std::string text = b.what + " is back, but not all of it.";
  for (const std::string& part : parts) text += " " + part;
  say(Message::Kind::warning, text,
      b.changed.empty() ? "" : "runs of a changed matrix belong to what it was: repeat those that matter");
}

}  // namespace warpspy::ui
