// The desk that is kept between two starts, and sessions in files.
#include "core/session/desk.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/target.hpp"
#include "core/base/utc.hpp"
#include "core/io/reader.hpp"
#include "ui/session/desk_state.hpp"
#include "ui/session/session.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

namespace {

// What a second window saved, or was copied over it, is not written over unasked.
void refuse_if_other(const std::string& path, const std::optional<FileMark>& known) {
  const auto now = mark_of(path);
  if (!now || !known || now->same_state(*known)) return;
  throw Error("somebody else saved this session since it was opened here", path,
              "save yours under another name (Save the session as), or choose this name there to replace it");
}

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
  std::vector<LeftDesk> left = desk_place_->left();
  const bool own = fs::exists(file, ignored);
  const bool crashed = !begun && (desk_place_->crashed() ||
                                  std::any_of(left.begin(), left.end(), [](const LeftDesk& d) { return d.crashed; }));
  if (options_.fresh || begun || crashed) {
    desk_foreign_ = own;
    if (own) left.push_back({file, desk_place_->crashed() && !begun, false});
    return offer(std::move(left));
  }
  // Of windows that were closed the last one comes back, wherever it lay.
  const auto last = std::find_if(left.begin(), left.end(), [](const LeftDesk& d) { return !d.before; });
  const bool later = last != left.end() && (!own || last->written > fs::last_write_time(file, ignored));
  if (!own && !later) return offer(std::move(left));
  if (later && !desk_place_->swap(last->file, false) && !own) return offer(std::move(left));
  read_desk(file);
}

// The desk of this place.
void Session::read_desk(const std::string& file) {
  desk_reading_ = true;
  workers_.submit(
      JobQueue::tiles, "Bringing the desk back", [this, file](Progress&) { return find_desk(file, history_, ""); },
      [this](Found found) {
        desk_reading_ = false;
        bring_back(std::move(found.read), found.runs, kTheDesk);
        if (desk_place_) offer(desk_place_->left());
      },
      [this](const Failure& f) {
        desk_reading_ = false;
        desk_foreign_ = true;  // a later Warpspy may read it
        say(f);
      });
}

// What these hold is offered, where it can be read, beside what is offered already.
void Session::offer(std::vector<LeftDesk> left) {
  if (left.empty()) return;
  desk_reading_ = true;
  struct Looked {
    std::vector<DeskOffer> offers;
    std::vector<Failure> failures;
  };
  workers_.submit(
      JobQueue::tiles, "Looking at the desks of before",
      [left](Progress&) {
        Looked out;
        for (const LeftDesk& d : left) {
          try {
            const Desk desk = load_desk(d.file).desk;
            if (!desk.empty()) out.offers.push_back({d.file, desk.saved, contents_text(desk), d.crashed});
          } catch (const Error& e) {
            if (d.crashed) out.failures.push_back({e.reason, e.where, e.remedy});
          }
        }
        return out;
      },
      [this](Looked looked) {
        desk_reading_ = false;
        for (const Failure& f : looked.failures) say(f);
        auto& all = s_.offers;
        for (DeskOffer& d : looked.offers) {
          std::erase_if(all, [&](const DeskOffer& o) { return o.file == d.file; });
          all.push_back(std::move(d));
        }
        std::stable_sort(all.begin(), all.end(),
                         [](const DeskOffer& a, const DeskOffer& b) { return a.saved > b.saved; });
        const bool crashed = std::any_of(all.begin(), all.end(), [](const DeskOffer& d) { return d.crashed; });
        if (crashed && s_.dialog.empty()) s_.dialog = "recover";
      },
      [this](const Failure& f) {
        desk_reading_ = false;
        say(f);
      });
}

void Session::on(const BringBack& a) {
  const auto at = std::find_if(s_.offers.begin(), s_.offers.end(),
                               [&](const DeskOffer& o) { return a.file.empty() || o.file == a.file; });
  if (at == s_.offers.end()) return;
  s_.dialog.clear();
  std::string file = at->file;
  s_.offers.erase(at);
  const std::string own = desk_place_ ? desk_place_->file() : "";
  // The desk of another place comes to this one: it is kept here from now on, and offered to nobody else.
  const bool of_a_place = !file.ends_with(".before.json") && file != own;
  if (of_a_place && desk_place_ && desk_place_->swap(file, desk_foreign_ && desk_place_->crashed())) {
    for (DeskOffer& o : s_.offers)
      if (o.file == own) o.file = file;
    file = own;
  }
  desk_reading_ = true;
  workers_.submit(
      JobQueue::tiles, "Bringing the desk back", [this, file](Progress&) { return find_desk(file, history_, ""); },
      [this, file](Found found) {
        desk_reading_ = false;
        if (desk_place_ && file == desk_place_->file()) desk_foreign_ = false;
        bring_back(std::move(found.read), found.runs, kTheDesk);
      },
      [this](const Failure& f) {
        desk_reading_ = false;
        say(f);
      });
}

void Session::desk_changed() {
  if (desk_place_ && !desk_changed_) desk_changed_ = std::chrono::steady_clock::now();
}

// An empty desk is not worth making room for.
bool Session::may_keep_desk() const {
  if (!desk_place_ || desk_reading_) return false;
  return !desk_foreign_ || !s_.matrices.empty() || !s_.runs.all().empty();
}

std::optional<double> Session::desk_due_in_s() const {
  if (!desk_changed_ || !may_keep_desk()) return std::nullopt;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - *desk_changed_;
  return std::max(0.0, options_.autosave_s - since.count());
}

// Once per frame: a desk that rests for a moment is written, in a job.
void Session::start_keeping() {
  const auto left = desk_due_in_s();
  if (!left || *left > 0 || std::exchange(desk_writing_, true)) return;
  desk_changed_.reset();
  Desk desk = desk_of(s_);
  desk.choices.insert(other_choices_.begin(), other_choices_.end());
  if (std::exchange(desk_foreign_, false)) {
    desk_place_->set_aside();
    for (DeskOffer& o : s_.offers)
      if (o.file == desk_place_->file()) o.file = desk_place_->before();
  }
  workers_.submit(
      JobQueue::tiles, "Desk",
      [this, writer = desk_writer_, file = desk_place_->file(), desk = std::move(desk)](Progress&) mutable {
        leave_to(history_, desk);
        writer->write(file, std::move(desk));
      },
      [this] {
        ++desk_mail_;
        desk_writing_ = false;
        desk_failed_ = false;
      },
      [this](const Failure& f) {
        ++desk_mail_;
        desk_writing_ = false;
        if (!std::exchange(desk_failed_, true)) say(Failure{"the desk cannot be kept: " + f.reason, f.where, f.remedy});
      },
      [this] {
        ++desk_mail_;
        desk_writing_ = false;
      });
}

// At the end of the program.
void Session::keep_desk() {
  if (!desk_place_) return;
  try {
    if (desk_changed_ && may_keep_desk()) {
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
  const std::string own = desk_place_->file();
  const bool worked = !s_.matrices.empty() || !s_.runs.all().empty();
  bool unanswered = false;
  for (const DeskOffer& o : s_.offers) {
    if (o.crashed && o.file == own) unanswered = desk_foreign_;
    if (o.crashed && o.file != own && worked && o.file != desk_place_->before()) desk_place_->answered(o.file);
  }
  if (!unanswered) desk_place_->leave();
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
  const bool own = path == s_.session && !a.replaces;
  workers_.submit(
      JobQueue::load, "Saving " + fs::path(path).filename().string(),
      [path, own, known = session_mark_, desk = std::move(desk)](Progress& p) mutable {
        if (own) refuse_if_other(path, known);
        // Elsewhere a file is known by its contents alone.
        for (DeskMatrix& m : desk.matrices) {
          if (!m.file || !m.file->hash.empty()) continue;
          const std::string file = place_of(m.recipe.source).path;
          const auto now = mark_of(file);
          if (now && now->same_state(*m.file)) m.file = hashed_mark_of(file, p);
        }
        save_desk(path, desk);
        return std::pair{contents_text(desk), mark_of(path)};
      },
      [this, path](const std::pair<std::string, std::optional<FileMark>>& saved) {
        s_.session = path;
        session_mark_ = saved.second;
        remember(path);
        say(Message::Kind::note, "Saved: " + path + ", " + saved.first);
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
        const auto mark = mark_of(path);
        Found found = find_desk(path, history_, fs::path(path).parent_path().string());
        leave_to(history_, now);
        if (!before.empty()) write_file(before, to_json(now), Readers::owner);
        return std::pair{std::move(found), mark};
      },
      [this, path, before](std::pair<Found, std::optional<FileMark>> opened) {
        Found& found = opened.first;
        close_all();
        bring_back(std::move(found.read), found.runs, "Session " + fs::path(path).filename().string());
        s_.session = path;
        session_mark_ = opened.second;
        remember(path);
        // What was on the screen is in `before`; what was never brought back still makes room for itself.
        if (before.empty()) return;
        desk_foreign_ = false;
        offer({{before, false, true}});
      },
      [this](const Failure& f) { say(f); });
}

}  // namespace warpspy::ui
