// Which of the kept runs a command means, and the file that keeps them.
#pragma once

#include <cstddef>
#include <string>

#include "core/run/history.hpp"

namespace CLI {
class App;
}

namespace warpspy::cli {

struct HistoryOptions {
  HistoryQuery query;

  // `limit`: how many of the newest at most, unless asked otherwise. The options write into this object.
  void add(CLI::App& app, std::size_t limit);
};

// The file of all runs. Throws Error where the history is switched off.
std::string need_history_path();

}  // namespace warpspy::cli
