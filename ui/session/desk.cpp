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
    if (!desk.sweep) continue;
    for (auto& of : desk.sweep->plan.matrices)
      if (of.source == old) of.source = now;
    for (SweepOutcome& o : desk.sweep->outcomes)
      if (o.matrix == old) o.matrix = now;
  }
  return out;
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
        bring_back(std::move(found.read), found.runs, kTheDesk);
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
  desk_reading_ = true;
  workers_.submit(
      JobQueue::tiles, "Looking at the desk of before",
      [file](Progress&) {
        std::error_code ignored;
        return fs::exists(file, ignored) ? load_desk(file).desk : Desk{};
      },
      [this, file, crashed](const Desk& desk) {
        desk_reading_ = false;
        if (desk.empty()) return;
        offered_ = file;
        s_.offer = DeskOffer{desk.saved, contents_text(desk), crashed};
        if (crashed && s_.dialog.empty()) s_.dialog = "recover";
      },
      [this, crashed](const Failure& f) {
        desk_reading_ = false;
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
        bring_back(std::move(found.read), found.runs, kTheDesk);
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

std::optional<double> Session::desk_due_in_s() const {
  if (!desk_.is_due() || !may_keep_desk()) return std::nullopt;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - desk_changed_;
  return std::max(0.0, options_.autosave_s - since.count());
}

// Once per frame: a desk that rests for a moment is written, in a job.
void Session::start_keeping() {
  const auto left = desk_due_in_s();
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
        bring_back(std::move(found.read), found.runs, "Session " + fs::path(path).filename().string());
        s_.session = path;
        remember(path);
        // What was on the screen is in `before`; what was never brought back still makes room for itself.
        if (before.empty()) return;
        desk_foreign_ = false;
        offer(before, false);
      },
      [this](const Failure& f) { say(f); });
}

}  // namespace warpspy::ui
