// Where the rooms are plugged together: tables become the catalog, profiling becomes the engine.
#pragma once

#include <memory>
#include <string>

#include "core/catalog/catalog.hpp"
#include "core/run/engine.hpp"

namespace warpspy {

// $WARPSPY_ASSETS, else <prefix>/share/warpspy, else the source tree. Throws Error when there is none.
std::string assets_folder();

// The program's services. The engine is created once; the catalog describes what it can do on this machine.
struct Services {
  Catalog catalog;
  std::unique_ptr<Engine> engine;
};
Services make_services();

}  // namespace warpspy
