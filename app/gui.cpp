#include "app/gui.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <utility>

#include "app/cli/command.hpp"
#include "app/cli/request_options.hpp"
#include "app/wiring.hpp"
#include "core/io/io.hpp"
#include "core/plot/page.hpp"
#include "core/run/history.hpp"
#include "profiling/bench/best.hpp"
#include "profiling/engine/search_plan.hpp"
#include "ui/services/report.hpp"
#include "ui/window/window.hpp"

namespace warpspy {
namespace {

int open_with(CLI::App& app, std::vector<std::string> args) {
  ui::WindowOptions options;
  std::string size = "1280x800", theme;
  app.add_option(
      "FILE", options.sources,
      "Matrix files (" + names_of_formats() +
          "), folders of them, gen:NAME; opened beside the desk of the last time. A session (.warpspy) takes the "
          "desk's place");
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
  std::string engine = "process";
  app.add_option("--engine", engine,
                 "process: kernels run in a process of their own, and what crashes or hangs there ends a run, not the "
                 "window; in-process: as one, for debuggers")
      ->check(CLI::IsMember({"process", "in-process"}))
      ->capture_default_str();
  cli::add_engines(app, options.engines);
  app.parse(std::move(args));
  const cli::PictureSize window = cli::parse_size(size);
  options.width = static_cast<int>(window.width);
  options.height = static_cast<int>(window.height);
  if (!theme.empty()) options.theme = theme == "dark" ? ui::ThemeId::dark : ui::ThemeId::paper;
  options.remember = options.screenshot.empty();
  const Maker here = maker_here();
  options.version = here.program, options.driver = here.driver;
  options.search = search_maker(), options.best = best_maker();
  options.studies = assets_folder() + "/studies";
  options.lessons = assets_folder() + "/lessons";
  Services services = make_window_services(engine == "in-process");
  return ui::run_window(options, services.catalog, *services.engine);
}

}  // namespace

int report(CLI::App& app, std::vector<std::string> args) {
  ui::ReportOptions options;
  ui::SessionOptions session;
  std::string preset = "columns";
  std::vector<std::string> ids;
  for (const plot::PagePreset& p : plot::page_presets()) ids.emplace_back(p.id);
  app.add_option("FILE", options.sources, "A session (.warpspy), or matrices");
  auto* folder =
      app.add_option("-o,--output", options.to.folder, "The folder in which a new folder, or archive, is made");
  auto* zip = app.add_option("--zip", options.to.archive,
                             "One zip archive in place of a folder: OUT.zip, or without a name a new one in the folder "
                             "of -o, or here")
                  ->type_name("OUT.zip")
                  ->expected(0, 1);
  app.add_option("--preset", preset, "The page of every figure")->check(CLI::IsMember(ids))->capture_default_str();
  cli::add_engines(app, session.engines);
  app.parse(std::move(args));
  options.to.zip = zip->count() > 0;
  // "--zip SESSION": the word after --zip is the session.
  if (std::string& name = options.to.archive; !name.empty() && !name.ends_with(".zip"))
    options.sources.insert(options.sources.begin(), std::exchange(name, {}));
  if (options.sources.empty()) throw CLI::RequiredError("FILE");
  if (folder->count() == 0 && zip->count() == 0) throw CLI::RequiredError("--output or --zip");
  if (folder->count() > 0 && !options.to.archive.empty()) throw CLI::ExcludesError("--zip OUT.zip", "--output");
  options.page = plot::page_of(*plot::page_preset(preset));
  Services services = make_services(session.engines);
  session.fresh = true;
  session.history = history_path();
  const Maker here = maker_here();
  session.version = here.program, session.driver = here.driver;
  session.search = search_maker(), session.best = best_maker();
  const ui::ExportedAll all = ui::write_report(services.catalog, *services.engine, session, options);
  if (!all.left_out.empty()) std::cerr << "warpspy: not drawn: " << all.left_out << "\n";
  std::cout << all.place << ": " << all.figures << " figures and tables\n";
  return 0;
}

const cli::Command* window_command() {
  static const cli::Command command = {"", "Opens the window of Warpspy", open_with};
  return &command;
}

int open_window(const std::vector<std::string>& args) { return cli::run_command(*window_command(), args); }

}  // namespace warpspy
