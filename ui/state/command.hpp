// A named thing that a user can do, as data.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "ui/platform/input.hpp"
#include "ui/state/actions.hpp"

namespace warpspy::ui {

struct Command {
  std::string id;
  std::string menu = {};  // "File"; empty: in none
  std::string label;
  Chord keys = {};
  std::string help;
  // Tells why the command is not possible now, in a sentence with what to do; "" if it is possible. Empty function: it
  // always is.
  std::function<std::string(const AppState&)> why_not = {};
  std::function<void(const AppState&, ActionSink&)> perform;
  std::function<bool(const AppState&)> checked = {};
  bool line_above = false;                                 // in the menu
  Chord also = {};                                         // a second chord, as in other programs
  bool of_text = false;                                    // text fields have the same keys; they get them while the
                                                           // user types
  std::function<std::string(const AppState&)> title = {};  // the present label, if it changes
  bool of_desk = false;                                    // not while a dialog or a list covers the desk
  bool repeats = false;                                    // repeats while its keys are held down
  std::string also_found = {};                             // further words by which the search finds it
};

std::string why_not(const AppState& s, const Command& c);

// The command's keys: as the user set them, else the default ones.
Chord keys_of(const AppState& s, const Command& c);
bool has_own_keys(const AppState& s, const Command& c);  // the user set them
std::string title_of(const AppState& s, const Command& c);
// The keys of the command of that id as text, such as " (Ctrl+O)"; "" where it has none.
std::string keys_behind(const AppState& s, std::span<const Command> commands, const std::string& id);
// Whether its keys are these, the second chord included.
bool has_keys(const AppState& s, const Command& c, Chord chord);

}  // namespace warpspy::ui
