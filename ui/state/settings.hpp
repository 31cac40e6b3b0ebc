// Tells what a user sets once, besides the theme. Settings are kept with the preferences, and are never part of a
// session.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ui/state/panes.hpp"

namespace warpspy::ui {

struct Settings {
  double scale = 0;                          // scale of the interface; 0: the monitor's
  std::map<std::string, std::string> usual;  // the values with which an empty desk begins, by choice (ChoiceRow::usual)
  bool keep_desk = true;                     // the desk is restored at the next start
  bool system_dialogs = true;                // files are chosen in the system's own dialogs, if it has any
  // "Ctrl+K" by command, for commands whose keys the user changed; "": no keys.
  std::map<std::string, std::string> keys;
  // The engines of other machines, a command each: "ssh HOST warpspy engine".
  std::vector<std::string> engines;
  std::vector<Layout> layouts;  // divisions of the window, by name
  bool operator==(const Settings&) const = default;
};

inline constexpr double kLeastScale = 0.5, kMostScale = 4;

}  // namespace warpspy::ui
