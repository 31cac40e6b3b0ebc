// Which of the saved runs a command means, and the file that keeps them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/run/history.hpp"

namespace CLI {
class App;
}

namespace warpspy::cli {

struct HistoryOptions {
  HistoryQuery query;
  std::string from;  // a folder of cells in place of the history; "": the history

  // `limit`: how many of the newest at most, unless asked otherwise. The options write into this object.
  void add(CLI::App& app, std::size_t limit);
  // Who is asked; what is wrong there is told on standard error. Throws Error.
  std::unique_ptr<SavedRuns> open() const;
};

// The file of all runs. Throws Error where the history is switched off.
std::string need_history_path();

}  // namespace warpspy::cli
