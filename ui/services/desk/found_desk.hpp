// A desk in a file, with what this machine has of it.
#pragma once

#include <string>

#include "core/run/history.hpp"
#include "core/session/desk.hpp"

namespace warpspy::ui {

struct FoundDesk {
  DeskRead read;
  DeskRunsFound runs;
};
// Matrices that lie beside it in `folder` are found there. Throws Error. In a job.
FoundDesk find_desk(const std::string& path, const History& history, const std::string& folder);

}  // namespace warpspy::ui
