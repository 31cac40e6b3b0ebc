// Reads a desk from a file, and finds those of its matrices and runs that this machine has.
#pragma once

#include <string>

#include "core/run/history.hpp"
#include "core/session/desk.hpp"

namespace warpspy::ui {

struct FoundDesk {
  DeskRead read;
  DeskRunsFound runs;
};
// Reads the desk. Matrices are also looked for in `folder`. It runs in a job. Throws Error.
FoundDesk find_desk(const std::string& path, const History& history, const std::string& folder);

}  // namespace warpspy::ui
