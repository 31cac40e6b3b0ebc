// The folders and sessions of the listed folder, for the dialogs that open and save sessions.
#pragma once

#include <optional>
#include <string>

#include "ui/views/ui.hpp"

namespace warpspy::ui {

// Joins folder and name: "FOLDER/NAME"; an empty folder adds nothing.
std::string path_in(const std::string& folder, const std::string& name);

// A click on a folder goes there; a click on a session returns its path. `height` at 100 %.
std::optional<std::string> session_list(const AppState& s, Ui& ui, float height);

}  // namespace warpspy::ui
