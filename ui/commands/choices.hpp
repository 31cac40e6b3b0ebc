// A choice is a setting that has one of several values. Each value is a command in the menu, with a mark at the present
// one and a line above the first.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ui/commands/commands.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

struct OneOf {
  std::string id, label;
  const char* help;
  std::string value;  // the value, as the choice's row writes it
};

// The setting that these commands choose.
struct Chosen {
  const char* choice;  // id of the row
  const char* menu = "";
  const char* tab = "";  // a tab that the command opens too
  std::function<std::string(const AppState&)> why_not = {};
};

inline void add_choices(std::vector<Command>& all, const Chosen& chosen, const std::vector<OneOf>& choices) {
  bool first = true;
  for (const auto& c : choices)
    all.push_back({.id = c.id,
                   .menu = chosen.menu,
                   .label = c.label,
                   .help = c.help,
                   .why_not = chosen.why_not,
                   .perform =
                       [choice = chosen.choice, tab = chosen.tab, value = c.value](const AppState&, ActionSink& out) {
                         out(SetChoice{choice, value});
                         if (*tab) out(ShowTab{tab});
                       },
                   .checked = [choice = chosen.choice,
                               value = c.value](const AppState& s) { return choice_row(choice)->get(s) == value; },
                   .line_above = std::exchange(first, false)});
}

}  // namespace warpspy::ui
