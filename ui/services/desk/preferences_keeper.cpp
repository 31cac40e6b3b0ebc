#include "ui/services/desk/preferences_keeper.hpp"

#include <utility>

#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

std::string PreferencesKeeper::read() {
  std::string problem;
  const Preferences p = load_preferences(options_.preferences, &problem);
  s_.recent = p.recent;
  s_.memory = p.memory;
  s_.listing.folder = p.folder;
  s_.exporting.folder = p.export_folder;
  s_.settings = p.settings;
  set_saved_choices(s_, ChoiceRow::Saved::preferences, p.choices);
  return problem;
}

void PreferencesKeeper::begin() { of_.differs(preferences_of(s_)); }

// Only one job writes at a time, so that an older state never overwrites a newer one.
void PreferencesKeeper::settle() {
  const Preferences* p = options_.preferences.empty() ? nullptr : of_.begin(preferences_of(s_));
  if (!p) return;
  workers_.submit(
      JobQueue::tiles, "Preferences", [path = options_.preferences, p = *p](Progress&) { save_preferences(path, p); },
      [this] { of_.end(); },
      [this](const Failure& f) {
        if (!std::exchange(failed_, true)) say(f);
        of_.end();
      },
      [this] { of_.end(); });
}

}  // namespace warpspy::ui
