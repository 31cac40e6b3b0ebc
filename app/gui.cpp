#include "app/gui.hpp"

#include <CLI/CLI.hpp>

#include "app/cli/command.hpp"
#include "app/wiring.hpp"
#include "ui/window/window.hpp"

namespace warpspy {
namespace {

int open_with(CLI::App& app, std::vector<std::string> args) {
  ui::WindowOptions options;
  std::string size = "1280x800", theme;
  app.add_option(
      "FILE", options.sources,
      "Matrix files (Matrix Market, Boeing, MATLAB, SciPy), folders of them, gen:NAME; opened beside the desk "
      "of the last time. A session (.warpspy) takes the desk's place");
  app.add_flag("--fresh", options.fresh,
               "Begin with an empty desk; the last one can still be brought back (File menu)");
  app.add_option("--size", size, "Window size in pixels, WIDTHxHEIGHT")->capture_default_str();
  app.add_option("--scale", options.scale, "Scale of the interface (default: the monitor's)")
      ->check(CLI::Range(0.5, 4.0));
  app.add_option("--theme", theme, "paper or dark")->check(CLI::IsMember({"paper", "dark"}));
  app.add_option("--do", options.script, "Commands to perform one after another, by id (see Help in the window)");
  app.add_option("--screenshot", options.screenshot, "Write the window's picture to this PNG file and close");
  app.add_option("--frames", options.frames,
                 "Write how long every frame took, and what was under way, to this CSV file");
  app.parse(std::move(args));
  const cli::PictureSize window = cli::parse_size(size);
  options.width = static_cast<int>(window.width);
  options.height = static_cast<int>(window.height);
  if (!theme.empty()) options.theme = theme == "dark" ? ui::ThemeId::dark : ui::ThemeId::paper;
  options.remember = options.screenshot.empty();
  Services services = make_services();
  return ui::run_window(options, services.catalog, *services.engine);
}

}  // namespace

const cli::Command* window_command() {
  static const cli::Command command = {"", "Opens the window of Warpspy", open_with};
  return &command;
}

int open_window(const std::vector<std::string>& args) { return cli::run_command(*window_command(), args); }

}  // namespace warpspy
