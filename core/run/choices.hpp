// Earlier versions kept the results of searches in a small file beside the history. Now History::best() finds them in
// the history; the old file is read into the history once.
#pragma once

#include <optional>
#include <string>

#include "core/run/history.hpp"

namespace warpspy {

// The path of that old file: $XDG_DATA_HOME/warpspy/choices.json, beside the history's file. "" where no history is
// kept.
std::string choices_path();

// Adds each choice of the file to the history, as a trial, and gives the file another name, so that this is done once.
// Returns a sentence for the user. Returns nothing if there is no such file, or the history is only in memory. Choices
// that cannot be read stay in the renamed file. Throws Error if the file cannot be renamed.
std::optional<std::string> take_over_choices(const std::string& path, History& history);

}  // namespace warpspy
