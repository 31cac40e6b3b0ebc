// Options that say which saved runs a command uses, and from which file.
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
  std::string from;  // a folder of cells instead of the history; "": the history

  // `limit`: the most runs to show, the newest first, unless the user gives another number. The options are stored in
  // this object.
  void add(CLI::App& app, std::size_t limit);
  // Opens the history or the folder, and prints its problems on standard error. Throws Error.
  std::unique_ptr<SavedRuns> open() const;
};

// The path of the history. Throws Error if the history is switched off.
std::string need_history_path();

}  // namespace warpspy::cli
