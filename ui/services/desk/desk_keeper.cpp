// Keeps the desk between two starts, and writes sessions into files.
#include "ui/services/desk/desk_keeper.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/target.hpp"
#include "core/base/utc.hpp"
#include "core/io/reader.hpp"
#include "core/session/desk.hpp"
#include "ui/services/desk/desk_state.hpp"
#include "ui/services/desk/found_desk.hpp"
#include "ui/services/workspace/recent.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

// Reserves a folder for this window among the running ones. Restores the desk that it finds, or offers it.
void DeskKeeper::begin() {
  if (options_.desk.empty() || place_) return;
  try {
    place_.emplace(options_.desk);
  } catch (const Error& e) {
    return say(Message::Kind::warning, e.where + ": " + e.reason, e.remedy);
  }
  const std::string file = place_->file();
  std::error_code ignored;
  const bool begun = !s_.matrices.empty();  // switched on in the midst of work
  std::vector<LeftDesk> left = place_->left();
  const bool own = fs::exists(file, ignored);
  const bool crashed = !begun && (place_->crashed() ||
                                  std::any_of(left.begin(), left.end(), [](const LeftDesk& d) { return d.crashed; }));
  if (options_.fresh || begun || crashed) {
    foreign_ = own;
    if (own) left.push_back({file, place_->crashed() && !begun, false});
    return offer(std::move(left));
  }
  // Of several closed windows, the last one is restored, from whichever folder.
  const auto last = std::find_if(left.begin(), left.end(), [](const LeftDesk& d) { return !d.before; });
  const bool later = last != left.end() && (!own || last->written > fs::last_write_time(file, ignored));
  if (!own && !later) return offer(std::move(left));
  if (later && !place_->swap(last->file, false) && !own) return offer(std::move(left));
  read_desk(file);
}

// The desk of this place.
void DeskKeeper::read_desk(const std::string& file) {
  reading_ = true;
  workers_.submit(
      JobQueue::tiles, "Bringing the desk back", [this, file](Progress&) { return find_desk(file, history_, ""); },
      [this](FoundDesk found) {
        reading_ = false;
        bring_back(std::move(found.read), found.runs, ComingBack::kTheDesk);
        if (place_) offer(place_->left());
      },
      [this](const Failure& f) {
        reading_ = false;
        foreign_ = true;  // a later Warpspy may read it
        say(f);
      });
}

// Offers the desks that can be read, in addition to those already offered.
void DeskKeeper::offer(std::vector<LeftDesk> left) {
  if (left.empty()) return;
  reading_ = true;
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
        reading_ = false;
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
        reading_ = false;
        say(f);
      });
}

void DeskKeeper::on(const BringBack& a) {
  const auto at = std::find_if(s_.offers.begin(), s_.offers.end(),
                               [&](const DeskOffer& o) { return a.file.empty() || o.file == a.file; });
  if (at == s_.offers.end()) return;
  s_.dialog.clear();
  std::string file = at->file;
  s_.offers.erase(at);
  const std::string own = place_ ? place_->file() : "";
  // The desk of another folder becomes this window's desk: it is kept here, and not offered to other windows.
  const bool of_a_place = !file.ends_with(".before.json") && file != own;
  if (of_a_place && place_ && place_->swap(file, foreign_ && place_->crashed())) {
    for (DeskOffer& o : s_.offers)
      if (o.file == own) o.file = file;
    file = own;
  }
  reading_ = true;
  workers_.submit(
      JobQueue::tiles, "Bringing the desk back", [this, file](Progress&) { return find_desk(file, history_, ""); },
      [this, file](FoundDesk found) {
        reading_ = false;
        if (place_ && file == place_->file()) foreign_ = false;
        bring_back(std::move(found.read), found.runs, ComingBack::kTheDesk);
      },
      [this](const Failure& f) {
        reading_ = false;
        say(f);
      });
}

void DeskKeeper::note_change() {
  if (place_ && !changed_) changed_ = std::chrono::steady_clock::now();
}

// An empty desk does not replace a kept one.
bool DeskKeeper::may_keep() const {
  if (!place_ || reading_) return false;
  return !foreign_ || !s_.matrices.empty() || !s_.runs.all().empty();
}

std::optional<double> DeskKeeper::due_in_s() const {
  if (!changed_ || !may_keep()) return std::nullopt;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - *changed_;
  return std::max(0.0, options_.autosave_s - since.count());
}

// Once per frame: writes the desk in a job if it has not changed for a moment.
void DeskKeeper::frame() {
  const auto left = due_in_s();
  if (!left || *left > 0 || std::exchange(writing_, true)) return;
  changed_.reset();
  Desk desk = desk_of(s_);
  desk.choices.insert(other_choices_.begin(), other_choices_.end());
  if (std::exchange(foreign_, false)) {
    place_->set_aside();
    for (DeskOffer& o : s_.offers)
      if (o.file == place_->file()) o.file = place_->before();
  }
  workers_.submit(
      JobQueue::tiles, "Desk",
      [this, writer = writer_, file = place_->file(), desk = std::move(desk)](Progress&) mutable {
        leave_to(history_, desk);
        writer->write(file, std::move(desk));
      },
      [this] {
        ++own_mail_;
        writing_ = false;
        failed_ = false;
      },
      [this](const Failure& f) {
        ++own_mail_;
        writing_ = false;
        if (!std::exchange(failed_, true)) say(Failure{"the desk cannot be kept: " + f.reason, f.where, f.remedy});
      },
      [this] {
        ++own_mail_;
        writing_ = false;
      });
}

// At the end of the program.
void DeskKeeper::keep_last() {
  if (!place_) return;
  try {
    if (changed_ && may_keep()) {
      Desk desk = desk_of(s_);
      desk.choices.insert(other_choices_.begin(), other_choices_.end());
      if (foreign_) place_->set_aside();
      leave_to(history_, desk);
      writer_->write_last(place_->file(), std::move(desk));
    }
  } catch (const Error&) {
    // The window has closed, so nobody can be told; the last written desk exists.
  }
  // If the user ignores an offer, the desk is offered again at the next start.
  const std::string own = place_->file();
  const bool worked = !s_.matrices.empty() || !s_.runs.all().empty();
  bool unanswered = false;
  for (const DeskOffer& o : s_.offers) {
    if (o.crashed && o.file == own) unanswered = foreign_;
    if (o.crashed && o.file != own && worked && o.file != place_->before()) place_->answered(o.file);
  }
  if (!unanswered) place_->leave();
}

void DeskKeeper::on(const SetSettings& a) {
  const bool desk = a.settings.keep_desk != s_.settings.keep_desk;
  const bool engines = a.settings.engines != s_.settings.engines;
  s_.settings = a.settings;
  if (engines) others_.next_run.use_engines();
  if (!desk) return;
  if (s_.settings.keep_desk) return begin();
  // The desk that was kept so far stays there: it is neither restored nor overwritten.
  if (place_) place_->leave();
  place_.reset();
}

// A matrix whose file was moved or touched is recognised by a hash. Hashing a large file takes time, so it comes after
// everything that the user sees.
void DeskKeeper::on(const MatrixOpened& e) {
  const OpenMatrix& m = *find(e.id);
  if (!m.file || !m.file->hash.empty() || !place_) return;
  workers_.submit(
      JobQueue::load, "Fingerprint of " + m.name,
      [path = place_of(m.recipe.source).path](Progress& p) { return hashed_mark_of(path, p); },
      [this, opening = opening_of(m)](const FileMark& mark) {
        auto* open = find(opening);
        if (open && open->file && open->file->same_state(mark)) open->file = mark;
      });
}

}  // namespace warpspy::ui
