// What searches of earlier versions found lies in a small file beside the history. Now the history is asked
// (History::best); the file is taken over once.
#pragma once

#include <optional>
#include <string>

#include "core/run/history.hpp"

namespace warpspy {

// $XDG_DATA_HOME/warpspy/choices.json, beside the history's file; "" where no history is kept.
std::string choices_path();

// Adds each choice of the file to the history, as a trial, and gives the file another name, so that this is done once.
// Returns what there is to tell, a sentence; nothing where there is no such file, or the history is none that stays.
// What cannot be read is left where it is, under the new name. Throws Error where the file cannot be renamed.
std::optional<std::string> take_over_choices(const std::string& path, History& history);

}  // namespace warpspy
