// The engine of this process, and what it can do: the entry points through which app enters profiling.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/engine.hpp"
#include "kernels/table/table.hpp"
#include "profiling/cupti/source.hpp"
#include "profiling/simulated/model_assets.hpp"
#include "profiling/timing/timing.hpp"

namespace warpspy {

// `assets` is the folder that holds gpus/*.json, and what else the model reads (ModelAssets). Both throw Error when a
// file there is not in order. `after_loss`: EngineParts::after_loss, where it is not the usual one.
std::unique_ptr<Engine> make_engine(const std::string& assets, const std::string& after_loss = {});

// The same over other devices and kernels: for tests of what no test machine has.
struct EngineParts {
  std::vector<DeviceInfo> devices;
  const KernelRow& (*kernel)(const std::string& id) = nullptr;  // throws Error for an unknown one
  void (*use_device)(int ordinal) = nullptr;
  std::shared_ptr<CounterSource> counters = {};  // nullptr: none are read
  std::shared_ptr<const ModelAssets> model = std::make_shared<const ModelAssets>();
  // How a product is made ready, timed and run for counters: on a device, or as a test plays it.
  Rotation (*prepare)(CacheState, const MakeProduct&, const Progress&) = &rotation_of;
  ProductTime (*time)(const Rotation&, double budget_s, const Progress&) = &time_rotation;
  // Of products of a search.
  double (*rank)(DeviceProduct&, double far_us, double budget_s, const Progress&) = &time_trial;
  Comparison (*compare)(const std::vector<const Rotation*>&, double budget_s, const Progress&) = &compare_interleaved;
  void (*once)(DeviceProduct&) = &launch_once;
  CounterRun (*count)(DeviceProduct&, CacheState) = &counter_run;
  // What follows when a device is lost, behind a semicolon.
  std::string after_loss = "until Warpspy is started again, runs go to another device";
};
std::unique_ptr<Engine> make_engine(EngineParts parts);

// Formats, kernels, metrics and devices from their tables; devices: CUDA ones first, then the simulated ones by year. A
// machine without a CUDA device gets one that is not available, and a notice, each saying why and what happens instead.
Catalog make_catalog(const std::string& assets);

}  // namespace warpspy
