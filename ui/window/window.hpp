// The window of Warpspy: the one entry point that app needs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/experiment/best.hpp"
#include "core/experiment/search.hpp"
#include "core/run/engine.hpp"
#include "ui/look/theme.hpp"

namespace warpspy::ui {

struct WindowOptions {
  std::vector<std::string> sources;  // files and "gen:..." to open
  int width = 1280, height = 800;    // size in screen coordinates, before the content scale
  double scale = 0;                  // scale of the interface; 0: the monitor's
  std::optional<ThemeId> theme;      // nothing: the theme of the preferences
  bool remember = true;              // preferences and the desk are read and written
  bool fresh = false;                // begins with an empty desk
  bool run_on_open = true;
  std::string version = {};               // of Warpspy
  std::vector<std::string> engines = {};  // commands of engines that are used beside those of the settings
  MakeSearch search = {};                 // makes the plans of searches for parameters
  MakeBest best = {};                     // and those for the best kernel of a matrix
  std::string driver = {};                // driver of the CUDA devices here
  std::string studies = {};               // folder of the papers' tables
  std::string lessons = {};               // folder of the lessons
  // Scripted runs: commands (ui/commands) by id, each is performed when all work of the earlier ones is done. Then the
  // picture is written (PNG) and the window closes.
  std::vector<std::string> script;
  std::string screenshot;
  std::string frames;  // CSV of how long every frame took (frame_log.hpp); empty: none is written
};

// Opens the window and serves it until it is closed. Returns the exit code: 0, or 1 after one line on standard error
// when there is no display or no OpenGL 3.3. Throws Error when `frames` cannot be written.
int run_window(const WindowOptions& options, const Catalog& catalog, Engine& engine);

}  // namespace warpspy::ui
