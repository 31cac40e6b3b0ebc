// What a lesson covers, as actions: what would make or show it is refused, wherever it is asked for.
#pragma once

#include <functional>
#include <string>

#include "ui/state/actions.hpp"

namespace warpspy::ui {

// The lesson refuses it now: it would run something, or draw it elsewhere.
bool refused_by_lesson(const AppState& s, const Action& a);
// What does this is refused, or leads to what is covered.
bool leads_to_covered(const AppState& s, const std::function<void(const AppState&, ActionSink&)>& perform);

}  // namespace warpspy::ui
