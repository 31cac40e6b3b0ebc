// A desk from a file, with the matrices and runs of it that this machine has.
#pragma once

#include <string>

#include "core/run/history.hpp"
#include "core/session/desk.hpp"

namespace warpspy::ui {

struct FoundDesk {
  DeskRead read;
  DeskRunsFound runs;
};
// Matrices in `folder` are found too. Throws Error. It runs in a job.
FoundDesk find_desk(const std::string& path, const History& history, const std::string& folder);

}  // namespace warpspy::ui
