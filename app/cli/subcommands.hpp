// A command with commands below it: a row for each.
#pragma once

#include <CLI/CLI.hpp>

namespace warpspy::cli {

// `Arguments`: what all of them fill in; `More`: what each is given beside.
template <class Arguments, class... More>
struct Subcommand {
  const char *name, *help;
  void (*add)(CLI::App&, Arguments&);
  int (*run)(const Arguments&, More&...);
};

}  // namespace warpspy::cli
