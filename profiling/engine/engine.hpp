// The engine of this process, and what it can do: the doors through which app enters profiling.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/engine.hpp"
#include "kernels/table/table.hpp"

namespace warpspy {

// `assets` is the folder that holds gpus/*.json. Both throw Error when a file there is not in order.
std::unique_ptr<Engine> make_engine(const std::string& assets);

// The same over other devices and kernels: for tests of what no test machine has.
struct EngineParts {
  std::vector<DeviceInfo> devices;
  const KernelRow& (*kernel)(const std::string& id) = nullptr;  // throws Error for an unknown one
  void (*use_device)(int ordinal) = nullptr;
};
std::unique_ptr<Engine> make_engine(EngineParts parts);

// Formats, kernels, metrics and devices from their tables; devices: CUDA ones first, then the simulated ones by year. A
// machine without a CUDA device gets one that is not available, and a notice, each saying why and what happens instead.
Catalog make_catalog(const std::string& assets);

}  // namespace warpspy
