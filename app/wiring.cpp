#include "app/wiring.hpp"

#include <cstdlib>
#include <filesystem>

#include "core/matrix/memory_guard.hpp"
#include "profiling/engine/engine.hpp"

namespace warpspy {

namespace fs = std::filesystem;

std::string assets_folder() {
  std::error_code ignored;
  const fs::path beside = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const char* chosen = std::getenv("WARPSPY_ASSETS");
  const fs::path places[] = {chosen ? fs::path(chosen) : beside / "../share/warpspy", beside / "../share/warpspy",
                             WARPSPY_ASSETS_IN_SOURCE};
  for (const fs::path& place : places)
    if (fs::is_directory(place / "gpus", ignored)) return place.lexically_normal().string();
  throw Error("the folder of simulated GPUs (assets/gpus) was not found", {},
              "set WARPSPY_ASSETS to the project's assets folder");
}

Services make_services() {
  const std::string assets = assets_folder();
  Services services{make_catalog(assets), make_engine(assets)};
  if (const std::string warning = memory_warning(memory_state()); !warning.empty())
    services.catalog.notices.push_back(warning);
  return services;
}

}  // namespace warpspy
