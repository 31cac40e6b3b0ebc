#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/version.hpp"
#include "app/wiring.hpp"
#include "core/jobs/priority.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/remote/server.hpp"

namespace warpspy::cli {
namespace {

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace

int engine(CLI::App& app, std::vector<std::string> args) {
  app.footer(
      "It is started from another machine: warpspy --engine-command \"ssh HOST warpspy engine\", behind a command or "
      "for the window (there also Settings, Engines).\n"
      "Nothing listens on a port; it ends with its standard input.");
  bool idle = false;
  app.add_flag("--idle", idle, "Where there is no GPU: take only what processors the window beside it leaves");
  app.parse(std::move(args));
  if (::isatty(STDIN_FILENO) != 0)
    throw Error("warpspy engine talks with another Warpspy, not with people", {},
                "name it there: warpspy --engine-command \"ssh HOST warpspy engine\"");
  // Libraries may print to standard output, which must not mix with the messages. So messages use a copy of it.
  const int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (out < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) throw Error("standard output is closed");
  std::signal(SIGPIPE, SIG_IGN);
  const std::string assets = assets_folder();
  const auto served = make_engine(assets, "the next run gets a new engine");
  const std::vector<DeviceInfo> devices = make_catalog(assets).devices;
  // Not with a real GPU: its times would include launches that wait for a processor.
  const bool measures =
      std::any_of(devices.begin(), devices.end(), [](const DeviceInfo& d) { return d.available && !d.simulated; });
  if (idle && !measures) take_idle_processors();
  return serve_engine(*served, {short_version(), host_name(), devices}, STDIN_FILENO, out);
}

}  // namespace warpspy::cli
