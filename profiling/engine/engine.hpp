// Makes the engine of this process, and the catalog of what the engine can run. app calls profiling only through these
// functions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/engine.hpp"
#include "kernels/convert/conversion.hpp"
#include "kernels/table/table.hpp"
#include "profiling/cupti/source.hpp"
#include "profiling/simulated/model_assets.hpp"
#include "profiling/timing/timing.hpp"

namespace warpspy {

class Ranks;

// `assets` is the folder with gpus/*.json and the other files that the model reads (ModelAssets). Both throw Error if a
// file there is invalid. `after_loss`: EngineParts::after_loss, if it differs from the usual text. `ranks`:
// EngineParts::ranks.
std::unique_ptr<Engine> make_engine(const std::string& assets, const std::string& after_loss = {},
                                    Ranks* ranks = nullptr);

// The parts of an engine. Tests replace them by invented devices and kernels that no test machine has.
struct EngineParts {
  std::vector<DeviceInfo> devices;
  const KernelRow& (*kernel)(const std::string& id) = nullptr;  // throws Error for an unknown one
  void (*use_device)(int ordinal) = nullptr;
  std::shared_ptr<CounterSource> counters = {};  // nullptr: none are read
  std::shared_ptr<const ModelAssets> model = std::make_shared<const ModelAssets>();
  // Tells how a format is made on a device. nullptr, or if it returns nullptr: it is made on the host and copied.
  const ConversionRow* (*conversion)(const std::string& format) = nullptr;
  // Tells how a product is prepared, timed, and run for counters: on a device, or by a test's stand-in.
  Rotation (*prepare)(CacheState, const MakeProduct&, const Progress&) = &rotation_of;
  ProductTime (*time)(const Rotation&, double budget_s, const Progress&) = &time_rotation;
  // Times a product of a search roughly, to rank it.
  double (*rank)(DeviceProduct&, double far_us, double budget_s, const Progress&) = &time_trial;
  Comparison (*compare)(const std::vector<const Rotation*>&, double budget_s, const Progress&) = &compare_interleaved;
  void (*once)(DeviceProduct&) = &launch_once;
  CounterRun (*count)(DeviceProduct&, CacheState) = &counter_run;
  // Tells what happens after a device is lost; messages append this text after a semicolon.
  std::string after_loss = "until Warpspy is started again, runs go to another device";
  // The processes of a start by MPI (profiling/ranks), each of which has a part of each run; nullptr: this is the only
  // one. All make the same runs, and get the same records.
  Ranks* ranks = nullptr;
};
std::unique_ptr<Engine> make_engine(EngineParts parts);

// Makes the catalog: formats, kernels, metrics and devices from their tables. CUDA devices come first, then the
// simulated ones by year. A machine without a CUDA device gets an unavailable device and a notice. Both tell why, and
// what happens instead.
Catalog make_catalog(const std::string& assets);

}  // namespace warpspy
