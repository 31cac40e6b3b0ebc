// What a user sets once and for all, beside the theme: kept with the preferences, never part of a session.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ui/state/panes.hpp"

namespace warpspy::ui {

struct Settings {
  double scale = 0;                          // of the interface; 0: the monitor's
  std::map<std::string, std::string> usual;  // what an empty desk begins with, by choice (ChoiceRow::usual)
  bool keep_desk = true;                     // it comes back at the next start
  bool system_dialogs = true;                // files are chosen in the system's own dialogs where it has any
  // "Ctrl+K" by command, where the user chose other keys than the command's own; "": none.
  std::map<std::string, std::string> keys;
  // The engines of other machines, a command each: "ssh HOST warpspy engine".
  std::vector<std::string> engines;
  std::vector<Layout> layouts;  // divisions of the window, by name
  bool operator==(const Settings&) const = default;
};

inline constexpr double kLeastScale = 0.5, kMostScale = 4;

}  // namespace warpspy::ui
