// Connects the rooms: makes the catalog from the tables, and the engine from profiling.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/engine.hpp"
#include "core/sweep/folder.hpp"

namespace warpspy {

// $WARPSPY_ASSETS, else <prefix>/share/warpspy, else the folder in the source tree. Throws Error if there is none.
std::string assets_folder();

// The program's services. The engine is created once; the catalog describes what it can do on this machine.
struct Services {
  Catalog catalog;
  std::unique_ptr<Engine> engine;
};
class Ranks;
// `others`: the commands that start engines on other machines. Waits for the devices of each. Throws Error if one does
// not answer. `ranks`: the processes that share each run (EngineParts::ranks).
Services make_services(const std::vector<std::string>& others = {}, Ranks* ranks = nullptr);

// Describes who makes results here: this build, and the driver of this machine's CUDA devices, if it has any.
Maker maker_here();

// Makes the services for the window. Its engine runs in another process, so that a crash there ends only a run; with
// `in_process` it runs in this one. Engines of other machines can be added later.
Services make_window_services(bool in_process);

}  // namespace warpspy
