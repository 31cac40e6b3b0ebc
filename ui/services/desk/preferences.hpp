// Preferences, which are kept between two starts: a small JSON file in the user's configuration folder.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/matrix/memory.hpp"
#include "ui/services/workspace/recent.hpp"
#include "ui/state/settings.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

struct Preferences {
  std::vector<std::string> recent;  // newest first, at most kRecent
  MemoryBudget memory = {};         // not set: all memory of the machine
  std::string folder = {};          // the folder that the open dialog showed last
  Settings settings = {};
  std::string export_folder = {};                   // folder in which the last figure was written
  std::map<std::string, std::string> choices = {};  // choices that are kept in the preferences (ChoiceRow::Saved)
  bool operator==(const Preferences&) const = default;
};

Preferences preferences_of(const AppState& s);

// The file of the preferences: $XDG_CONFIG_HOME/warpspy/preferences.json, or ~/.config/warpspy/preferences.json. Empty
// if neither variable is set.
std::string preferences_path();

// Whether the user has set, opened or run nothing yet: neither file exists.
bool is_first_start(const std::string& preferences, const std::string& history);

// Reads the preferences. A missing file gives the defaults. So does an unreadable file, with a sentence in *problem.
Preferences load_preferences(const std::string& path, std::string* problem = nullptr);
// Writes the preferences under another name and renames the file, so that a crash leaves the old file or the new one.
// Throws Error.
void save_preferences(const std::string& path, const Preferences& p);

}  // namespace warpspy::ui
