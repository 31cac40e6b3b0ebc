// The desk in a file to share, and such a file in the place of the desk.
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

void DeskKeeper::on(const SaveSession& a) {
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
        remember(s_, path);
        say(Message::Kind::note, "Saved: " + path + ", " + contents);
      },
      [this](const Failure& f) { say(f); });
}

// In the place of what is open, which becomes the desk of before.
void DeskKeeper::on(const OpenSession& a) {
  s_.dialog.clear();
  const std::string path = absolute_source(a.path);
  Desk now = desk_of(s_);
  now.saved = utc_now();
  const std::string before = place_ && !now.empty() ? place_->before() : "";
  workers_.submit(
      JobQueue::load, "Opening " + fs::path(path).filename().string(),
      [this, path, before, now](Progress&) mutable {
        FoundDesk found = find_desk(path, history_, fs::path(path).parent_path().string());
        leave_to(history_, now);
        if (!before.empty()) write_file(before, to_json(now), Readers::owner);
        return found;
      },
      [this, path, before](FoundDesk found) {
        close_all();
        bring_back(std::move(found.read), found.runs, "Session " + fs::path(path).filename().string());
        s_.session = path;
        remember(s_, path);
        // What was on the screen is in `before`; what was never brought back still makes room for itself.
        if (before.empty()) return;
        foreign_ = false;
        offer({{before, false, true}});
      },
      [this](const Failure& f) { say(f); });
}

}  // namespace warpspy::ui
