// One of several of which one holds: a command each, with a mark in the menu and a line above the first.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ui/commands/commands.hpp"

namespace warpspy::ui {

template <class T>
struct OneOf {
  std::string id, label;
  const char* help;
  T value;
};

// What they choose: read from the state, and set by actions.
template <class T>
struct Chosen {
  const char* menu = "";
  T (*now)(const AppState&);
  void (*set)(const AppState&, const T&, ActionSink&);
  std::function<std::string(const AppState&)> why_not = {};
};

template <class T>
void add_choices(std::vector<Command>& all, const Chosen<T>& chosen, const std::vector<OneOf<T>>& choices) {
  bool first = true;
  for (const auto& c : choices)
    all.push_back(
        {.id = c.id,
         .menu = chosen.menu,
         .label = c.label,
         .help = c.help,
         .why_not = chosen.why_not,
         .perform = [set = chosen.set, value = c.value](const AppState& s, ActionSink& out) { set(s, value, out); },
         .checked = [now = chosen.now, value = c.value](const AppState& s) { return now(s) == value; },
         .line_above = std::exchange(first, false)});
}

}  // namespace warpspy::ui
