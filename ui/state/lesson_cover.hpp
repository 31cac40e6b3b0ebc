// Tells which actions a lesson refuses: those that would make or show covered data.
#pragma once

#include <functional>
#include <string>

#include "ui/state/actions.hpp"

namespace warpspy::ui {

// Whether the lesson refuses the action now: it would run a kernel, or show covered data.
bool refused_by_lesson(const AppState& s, const Action& a);
// Whether the actions that `perform` emits are refused, or lead to covered data.
bool leads_to_covered(const AppState& s, const std::function<void(const AppState&, ActionSink&)>& perform);

}  // namespace warpspy::ui
