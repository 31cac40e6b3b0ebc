// The desk that is kept between two starts, and sessions in files.
#include "core/session/desk.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/utc.hpp"
#include "core/io/reader.hpp"
#include "ui/session/desk_state.hpp"
#include "ui/session/session.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

namespace {

struct Found {
  DeskRead read;
  DeskRunsFound runs;
};

// The desk of a file, with what this machine has of it.
Found find_desk(const std::string& path, const History& history, const std::string& folder) {
  Found out;
  out.read = load_desk(path);
  Desk& desk = out.read.desk;
  out.runs = find_runs(desk, history);
  // A matrix that lies elsewhere now is the one of its runs there.
  for (DeskMatrix& m : desk.matrices) {
    const std::string old = m.recipe.text();
    m.recipe.source = found_source(m.recipe.source, desk.folder, folder);
    const std::string now = m.recipe.text();
    if (old == now) continue;
    for (DeskRun& run : out.runs.runs) {
      if (run.record->request.matrix != old) continue;
      RunRecord moved = *run.record;
      moved.request.matrix = now;
      run.record = std::make_shared<const RunRecord>(std::move(moved));
    }
    if (desk.tuning && desk.tuning->request.run.matrix == old) desk.tuning->request.run.matrix = now;
  }
  return out;
}

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

}  // namespace

// Takes a place among the windows that run, and brings back or offers what lies there.
void Session::begin_desk() {
  if (options_.desk.empty() || desk_place_) return;
  try {
    desk_place_.emplace(options_.desk);
  } catch (const Error& e) {
    return say(Message::Kind::warning, e.where + ": " + e.reason, e.remedy);
  }
  const std::string file = desk_place_->file();
  std::error_code ignored;
  const bool begun = !s_.matrices.empty();  // switched on in the midst of work
  if (!fs::exists(file, ignored)) return offer(desk_place_->before(), false);
  if (options_.fresh || begun || desk_place_->crashed()) {
    desk_foreign_ = true;
    return offer(file, desk_place_->crashed() && !begun);
  }
  desk_reading_ = true;
  workers_.submit(
      JobQueue::tiles, "Bringing the desk back", [this, file](Progress&) { return find_desk(file, history_, ""); },
      [this](Found found) {
        desk_reading_ = false;
        bring_back(std::move(found.read), found.runs, "The desk");
        offer(desk_place_ ? desk_place_->before() : "", false);
      },
      [this](const Failure& f) {
        desk_reading_ = false;
        desk_foreign_ = true;  // a later Warpspy may read it
        say(f);
      });
}

// What the file holds is offered, if it can be read.
void Session::offer(const std::string& file, bool crashed) {
  if (file.empty()) return;
  workers_.submit(
      JobQueue::tiles, "Looking at the desk of before",
      [file](Progress&) {
        std::error_code ignored;
        return fs::exists(file, ignored) ? load_desk(file).desk : Desk{};
      },
      [this, file, crashed](const Desk& desk) {
        if (desk.empty()) return;
        offered_ = file;
        s_.offer = DeskOffer{desk.saved, contents_text(desk), crashed};
        if (crashed && s_.dialog.empty()) s_.dialog = "recover";
      },
      [this, crashed](const Failure& f) {
        if (crashed) say(f);
      });
}

void Session::on(const BringBack&) {
  if (!s_.offer || offered_.empty()) return;
  s_.offer.reset();
  s_.dialog.clear();
  desk_reading_ = true;
  workers_.submit(
      JobQueue::tiles, "Bringing the desk back",
      [this, file = offered_](Progress&) { return find_desk(file, history_, ""); },
      [this](Found found) {
        desk_reading_ = desk_foreign_ = false;
        bring_back(std::move(found.read), found.runs, "The desk");
      },
      [this](const Failure& f) {
        desk_reading_ = false;
        say(f);
      });
}

void Session::desk_changed() {
  if (!desk_place_ || desk_.is_due()) return;
  desk_.mark();
  desk_changed_ = std::chrono::steady_clock::now();
}

// An empty desk is not worth making room for.
bool Session::may_keep_desk() const {
  if (!desk_place_ || desk_reading_) return false;
  return !desk_foreign_ || !s_.matrices.empty() || !s_.runs.all().empty();
}

std::optional<double> Session::due_in_s() const {
  if (!desk_.is_due() || !may_keep_desk()) return std::nullopt;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - desk_changed_;
  return std::max(0.0, options_.autosave_s - since.count());
}

// Once per frame: a desk that rests for a moment is written, in a job.
void Session::start_keeping() {
  const auto left = due_in_s();
  if (!left || *left > 0 || !desk_.begin()) return;
  Desk desk = desk_of(s_);
  desk.choices.insert(other_choices_.begin(), other_choices_.end());
  if (std::exchange(desk_foreign_, false)) {
    desk_place_->set_aside();
    if (s_.offer) offered_ = desk_place_->before();
  }
  workers_.submit(
      JobQueue::tiles, "Desk",
      [this, writer = desk_writer_, file = desk_place_->file(), desk = std::move(desk)](Progress&) mutable {
        leave_to(history_, desk);
        writer->write(file, std::move(desk));
      },
      [this] {
        desk_.end();
        desk_failed_ = false;
      },
      [this](const Failure& f) {
        desk_.end();
        if (!std::exchange(desk_failed_, true)) say(Failure{"the desk cannot be kept: " + f.reason, f.where, f.remedy});
      },
      [this] { desk_.end(); });
}

// At the end of the program.
void Session::keep_desk() {
  if (!desk_place_) return;
  try {
    if (desk_.is_due() && may_keep_desk()) {
      Desk desk = desk_of(s_);
      desk.choices.insert(other_choices_.begin(), other_choices_.end());
      if (desk_foreign_) desk_place_->set_aside();
      leave_to(history_, desk);
      desk_writer_->write_last(desk_place_->file(), std::move(desk));
    }
  } catch (const Error&) {
    // There is no one left to tell; the desk of a moment ago is there.
  }
  // Who leaves an offer unanswered finds it at the next start.
  if (!(s_.offer && s_.offer->crashed && desk_foreign_)) desk_place_->leave();
}

void Session::on(const SaveSession& a) {
  s_.dialog.clear();
  if (a.path.empty()) return;
  std::string path = absolute_source(a.path);
  if (!is_desk_name(path)) path += kDeskEnding;
  Desk desk = desk_of(s_);
  desk.choices.insert(other_choices_.begin(), other_choices_.end());
  desk.saved = utc_now();
  desk.folder = fs::path(path).parent_path().string();
  workers_.submit(
      JobQueue::load, "Saving " + fs::path(path).filename().string(),
      [path, desk = std::move(desk)](Progress& p) mutable {
        // Elsewhere a file is known by its contents alone.
        for (DeskMatrix& m : desk.matrices) {
          if (!m.file || !m.file->hash.empty()) continue;
          const std::string file = place_of(m.recipe.source).path;
          const auto now = mark_of(file);
          if (now && now->same_state(*m.file)) m.file = hashed_mark_of(file, p);
        }
        save_desk(path, desk);
        return contents_text(desk);
      },
      [this, path](const std::string& contents) {
        s_.session = path;
        remember(path);
        say(Message::Kind::note, "Saved: " + path + ", " + contents);
      },
      [this](const Failure& f) { say(f); });
}

// In the place of what is open, which becomes the desk of before.
void Session::on(const OpenSession& a) {
  s_.dialog.clear();
  const std::string path = absolute_source(a.path);
  Desk now = desk_of(s_);
  now.saved = utc_now();
  const std::string before = desk_place_ && !now.empty() ? desk_place_->before() : "";
  workers_.submit(
      JobQueue::load, "Opening " + fs::path(path).filename().string(),
      [this, path, before, now](Progress&) mutable {
        Found found = find_desk(path, history_, fs::path(path).parent_path().string());
        leave_to(history_, now);
        if (!before.empty()) save_desk(before, now);
        return found;
      },
      [this, path, before](Found found) {
        close_all();
        s_.session = path;
        bring_back(std::move(found.read), found.runs, "Session " + fs::path(path).filename().string());
        remember(path);
        desk_foreign_ = false;  // what was kept is on the screen no more, and is in `before`
        if (!before.empty()) offer(before, false);
      },
      [this](const Failure& f) { say(f); });
}

void Session::close_all() {
  while (!s_.matrices.empty()) on(CloseMatrix{s_.matrices.back().id});
  on(ClearRuns{});
  s_.notes.clear();
  s_.tuning.reset();
  tuning_asked_.next();
  s_.analyses.clear();
  s_.session.clear();
}

void Session::bring_back(DeskRead read, const DeskRunsFound& runs, const std::string& what) {
  const Desk& desk = read.desk;
  bringing_ = Bringing{what, {}, {}, {}, std::move(read.remarks), runs.lost};
  other_choices_ = desk.choices;
  for (const auto& [id, text] : choices_of(s_)) other_choices_.erase(id);
  set_choices(s_, desk.choices);
  for (const auto& [owner, set] : desk.kernel_params) s_.knobs.kernel_params[owner] = set;
  for (const auto& [owner, set] : desk.format_params) s_.knobs.format_params[owner] = set;
  for (const auto& [owner, set] : desk.analysis_params) s_.analysis.params[owner] = set;
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
    mark_when_read(desk.marked_lo, desk.marked_hi);
  }
  formats_changed();
  roofline_.mark(), list_.mark(), plane_.mark();
  rebuild_histogram();
  if (bringing_->left.empty()) tell_bringing();
}

// Its number; that of the one that is open already.
MatrixId Session::put_matrix(const DeskMatrix& d) {
  const std::string source = d.recipe.text();
  for (const OpenMatrix& m : s_.matrices)
    if (m.source == source && m.status != OpenMatrix::Status::failed) return m.id;
  std::erase_if(s_.matrices, [&](const OpenMatrix& m) { return m.source == source; });
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
  quiet_.insert(m.id);
  bringing_->left.insert(m.id);
  s_.matrices.push_back(std::move(m));
  return s_.matrices.back().id;
}

void Session::put_runs(const Desk& desk, const DeskRunsFound& runs) {
  // A run of another machine gets a number of its own here.
  std::map<std::uint64_t, std::shared_ptr<const RunRecord>> by_number;
  for (const DeskRun& run : runs.runs) {
    auto record = run.record;
    if (const auto own = s_.run(record->id); own && record->id != 0)
      record = own;
    else if (run.listed || record->id == 0)
      record = s_.runs.add(*run.record);
    by_number[run.id] = record;
    if (!run.note.empty()) s_.notes[record->id] = run.note;
    place(*record);
  }
  const auto found = [&](std::uint64_t id) {
    const auto at = by_number.find(id);
    return at == by_number.end() ? nullptr : at->second;
  };
  std::vector<std::shared_ptr<const RunRecord>> compared;
  for (const std::uint64_t id : desk.compared)
    if (auto run = found(id)) compared.push_back(std::move(run));
  // A run that was made meanwhile stays the one that is looked at.
  if (const auto run = s_.selected_run == 0 ? found(desk.selected_run) : nullptr) {
    const auto& own = s_.runs.all();
    s_.selected_run = run->id;
    s_.looked_at = std::find(own.begin(), own.end(), run) == own.end() ? run : nullptr;
  }
  if (compared.size() > 1 && compared.size() <= kMostCompared) compare(std::move(compared));
  if (const auto run = found(desk.beside_run)) s_.beside_run = run->id;
}

void Session::put_results(const Desk& desk) {
  if (desk.tuning && !(s_.tuning && s_.tuning->job)) {
    Tuning t;
    t.record = *desk.tuning;
    t.source = t.record.request.run.matrix;
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
  rebuild_analyses();
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
    if (!s_.session.empty()) say(Message::Kind::note, b.what + " is open.");
    return;
  }
  std::string text = b.what + " is back, but not all of it.";
  for (const std::string& part : parts) text += " " + part;
  say(Message::Kind::warning, text,
      b.changed.empty() ? "" : "runs of a changed matrix belong to what it was: repeat those that matter");
}

}  // namespace warpspy::ui
