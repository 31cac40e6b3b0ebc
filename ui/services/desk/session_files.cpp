// Saves the desk in a file for sharing, and opens such a file instead of the desk.
#include <filesystem>
#include <utility>

#include "core/base/target.hpp"
#include "core/base/utc.hpp"
#include "core/io/reader.hpp"
#include "ui/services/desk/desk_keeper.hpp"
#include "ui/services/desk/desk_state.hpp"
#include "ui/services/desk/found_desk.hpp"
#include "ui/services/workspace/recent.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

namespace {

// Refuses to overwrite a file that another window or program has changed since.
void refuse_if_other(const std::string& path, const std::optional<FileMark>& known) {
  const auto now = mark_of(path);
  if (!now || !known || now->same_state(*known)) return;
  throw Error("somebody else saved this session since it was opened here", path,
              "save yours under another name (Save the session as), or choose this name there to replace it");
}

}  // namespace

void DeskKeeper::on(const SaveSession& a) {
  s_.dialog.clear();
  if (a.path.empty()) return;
  std::string path = absolute_source(a.path);
  if (!is_desk_name(path)) path += kDeskEnding;
  Desk desk = desk_of(s_);
  desk.choices.insert(other_choices_.begin(), other_choices_.end());
  desk.choices.erase("lesson");  // a file of this machine, which means nothing to others
  desk.saved = utc_now();
  desk.folder = fs::path(path).parent_path().string();
  const bool own = path == s_.session && !a.replaces;
  workers_.submit(
      JobQueue::load, "Saving " + fs::path(path).filename().string(),
      [path, own, known = session_mark_, desk = std::move(desk)](Progress& p) mutable {
        if (own) refuse_if_other(path, known);
        // On another machine a file can only be identified by its contents.
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
        remember(s_, path);
        say(Message::Kind::note, "Saved: " + path + ", " + saved.first);
      },
      [this](const Failure& f) { say(f); });
}

// Replaces what is open, which is kept as the previous desk.
void DeskKeeper::on(const OpenSession& a) {
  s_.dialog.clear();
  const std::string path = absolute_source(a.path);
  Desk now = desk_of(s_);
  now.saved = utc_now();
  const std::string before = place_ && !now.empty() ? place_->before() : "";
  workers_.submit(
      JobQueue::load, "Opening " + fs::path(path).filename().string(),
      [this, path, before, now](Progress&) mutable {
        const auto mark = mark_of(path);
        FoundDesk found = find_desk(path, history_, fs::path(path).parent_path().string());
        leave_to(history_, now);
        if (!before.empty()) write_file(before, to_json(now), Readers::owner);
        return std::pair{std::move(found), mark};
      },
      [this, path, before](std::pair<FoundDesk, std::optional<FileMark>> opened) {
        FoundDesk& found = opened.first;
        close_all();
        bring_back(std::move(found.read), found.runs, "Session " + fs::path(path).filename().string());
        s_.session = path;
        session_mark_ = opened.second;
        remember(s_, path);
        // `before` has what was on the screen. Matrices that were never restored are removed too.
        if (before.empty()) return;
        foreign_ = false;
        offer({{before, false, true}});
      },
      [this](const Failure& f) { say(f); });
}

}  // namespace warpspy::ui
