// Where the rooms are plugged together: tables become the catalog, profiling becomes the engine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/engine.hpp"
#include "core/sweep/folder.hpp"

namespace warpspy {

// $WARPSPY_ASSETS, else <prefix>/share/warpspy, else the source tree. Throws Error when there is none.
std::string assets_folder();

// The program's services. The engine is created once; the catalog describes what it can do on this machine.
struct Services {
  Catalog catalog;
  std::unique_ptr<Engine> engine;
};
// `others`: the commands of engines of other machines, whose devices are waited for. Throws Error where one does not
// answer.
Services make_services(const std::vector<std::string>& others = {});

// This build, and the driver of the CUDA devices of this machine, if it has any.
Maker maker_here();

// The same for the window: the engine runs in a process of its own, so that a fault there ends a run and not the
// window, unless `in_process`; and engines of other machines can be had beside it.
Services make_window_services(bool in_process);

}  // namespace warpspy
