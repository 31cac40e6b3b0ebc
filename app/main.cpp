// warpspy [FILE...] opens the window; warpspy COMMAND ... works without a window.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/describe.hpp"
#include "app/cli/terminal.hpp"
#include "app/gui.hpp"
#include "app/portal.hpp"
#include "app/version.hpp"
#include "core/base/memory_reserve.hpp"

namespace {

void print_help() {
  std::cout << "Warpspy shows what a GPU does with a sparse matrix.\n\n"
               "  warpspy [FILE...]             open the window (FILE: a matrix file, a folder of them, gen:NAME, or a "
               "session .warpspy)\n";
  for (const auto& command : warpspy::cli::commands())
    std::printf("  warpspy %-21s %s\n", (std::string(command.name) + " ...").c_str(), command.help);
  std::cout << "\nwarpspy COMMAND --help tells the options of a command.\n"
               "A file that has the name of a command opens as ./NAME.\n";
}

std::terminate_handler before = nullptr;

// If memory runs out where nobody can catch it (a destructor, a library's thread), the program still ends with one
// line.
[[noreturn]] void end_in_a_line() {
  if (std::current_exception() && warpspy::memory_ran_out()) {
    constexpr std::string_view line = "warpspy: out of memory; use a smaller matrix or a machine with more memory\n";
    std::_Exit(::write(STDERR_FILENO, line.data(), line.size()) < 0 ? 2 : 1);
  }
  before();
  std::abort();
}

int perform(const std::vector<std::string>& args, bool json) {
  if (!args.empty()) {
    if (args[0] == "--help" || args[0] == "-h") return print_help(), 0;
    if (args[0] == "--version") return std::fputs(warpspy::version_text().c_str(), stdout), 0;
    if (args[0] == "ask-portal") return warpspy::ask_portal({args.begin() + 1, args.end()});
    if (args[0] == "describe") return run_command(warpspy::cli::describe_command(), {args.begin() + 1, args.end()});
    for (const auto& command : warpspy::cli::commands())
      if (args[0] == command.name) return run_command(command, {args.begin() + 1, args.end()});
  }
  if (!args.empty() && !args[0].starts_with('-'))
    if (const std::string nearest = warpspy::cli::unknown_word(args[0]); !nearest.empty())
      return warpspy::cli::report("there is no command and no file of this name", args[0], "try warpspy " + nearest,
                                  json, 2);
  return warpspy::open_window(args);
}

}  // namespace

int main(int argc, char** argv) {
  before = std::set_terminate(end_in_a_line);
  warpspy::share_little_memory();
  warpspy::hold_memory_reserve();
  // If a file may not grow, that becomes an error with its path (EFBIG) and does not end the program.
  std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string> args(argv + 1, argv + argc);
  const auto given = [&](const char* word) { return std::find(args.begin(), args.end(), word) != args.end(); };
  const bool json = given("--json");
  warpspy::cli::make_output_harmless(given("--csv") || (!args.empty() && args[0] == "ask-portal"));
  return warpspy::cli::told(perform(args, json), json);
}
