// The engine of this process, and what it can do: the doors through which app enters profiling.
#pragma once

#include <memory>
#include <string>

#include "core/catalog/catalog.hpp"
#include "core/run/engine.hpp"

namespace warpspy {

// `assets` is the folder that holds gpus/*.json. Both throw Error when a file there is not in order.
std::unique_ptr<Engine> make_engine(const std::string& assets);

// Formats, kernels, metrics and devices from their tables; devices: CUDA ones first, then the simulated ones by year. A
// machine without a CUDA device gets one that is not available, and a notice, each saying why and what happens instead.
Catalog make_catalog(const std::string& assets);

}  // namespace warpspy
