// A named thing that a user can do, as data.
#pragma once

#include <functional>
#include <string>

#include "ui/platform/input.hpp"
#include "ui/state/actions.hpp"

namespace warpspy::ui {

struct Command {
  std::string id, menu, label;  // menu: "File"; empty: in none
  Chord keys;
  std::string help;
  std::function<bool(const AppState&)> enabled;  // empty: always
  std::function<void(const AppState&, ActionSink&)> perform;
  std::function<bool(const AppState&)> checked = {};
  bool line_above = false;  // in the menu
};

}  // namespace warpspy::ui
