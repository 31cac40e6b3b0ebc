// Makes a command with subcommands from a table with a row for each.
#pragma once

#include <CLI/CLI.hpp>

namespace warpspy::cli {

// `Arguments`: the options of all subcommands. `More`: further arguments that each function gets.
template <class Arguments, class... More>
struct Subcommand {
  const char *name, *help;
  void (*add)(CLI::App&, Arguments&);
  int (*run)(const Arguments&, More&...);
};

}  // namespace warpspy::cli
