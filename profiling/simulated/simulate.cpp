#include "profiling/simulated/simulate.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "profiling/simulated/driver.hpp"
#include "profiling/simulated/launch_run.hpp"
#include "profiling/simulated/scaling.hpp"
#include "profiling/simulated/warmup.hpp"
#include "profiling/simulated/warp_watch.hpp"

namespace warpspy {
namespace {

// Runs the launches of a product one after another, each with its part of the budget.
std::vector<LaunchRun> run_launches(const ProductRun& product) {
  const double budget = product.options.budget;
  const auto number = static_cast<int>(product.driver.product().launches().size());
  std::vector<Launched> launched;
  std::vector<PilotSample> pilots;
  for (int i = 0; i < number; ++i) launched.emplace_back(product.driver.product(), i);
  double left = (1 - pilot_share) * budget, cost = 0;
  const auto cost_of = [&](std::size_t i) {
    return pilots[i].mean().work * static_cast<double>(launched[i].shape.grid);
  };
  for (std::size_t i = 0; i < launched.size(); ++i) {
    pilots.emplace_back(product.driver, launched[i], product.options, pilot_share * budget / number);
    cost += cost_of(i);
  }
  std::vector<LaunchRun> runs;
  for (std::size_t i = 0; i < launched.size(); ++i) {
    // Divides the remaining work by the cost of the remaining launches.
    const double share = cost > 0 ? std::min(1.0, cost_of(i) / cost) : 1;
    bool sampled = launched[i].unchecked;
    for (LaunchRun& run : run_launch(product, launched[i], pilots[i], left * share)) {
      left = std::max(0.0, left - run.taken);
      sampled |= run.s.share < 1;
      runs.push_back(std::move(run));
    }
    cost -= cost_of(i);
    if (i + 1 < launched.size()) launched[i + 1].unchecked = sampled;
  }
  return runs;
}

// Data that is dirty after a launch may be written again by the next launch.
void end_product(MemorySystem& memory, bool warm, LaunchRun& last) {
  const MemoryCounts before = memory.counts();
  if (warm)
    memory.flush(false);
  else
    memory.end_product();
  MemoryCounts written = memory.counts();
  last.counts += (written -= before);
}

void add_up(const std::vector<LaunchSimulation>& launches, Simulation& s) {
  double blocks = 0, ran = 0;
  for (const LaunchSimulation& done : launches) {
    add_launch(s, done);
    blocks += static_cast<double>(done.shape.grid);
    ran += done.share * static_cast<double>(done.shape.grid);
    if (done.shape.grid <= s.shape.grid) continue;
    s.shape = done.shape;
    s.occupancy = done.occupancy;
  }
  s.share = blocks > 0 ? ran / blocks : 1;
  if (launches.size() == 1) s.blocks = launches[0].blocks;
}

Simulation simulate_here(EmulatedProduct& product, const GpuSpec& gpu, const SimulateOptions& options,
                         Progress& progress) {
  Simulation s;
  s.has_l2 = gpu.l2_bytes > 0;
  s.warm = options.cache_state == CacheState::warm && s.has_l2;
  Driver driver(product, gpu, progress, options.watch);
  WarmupReplay warmup(s.warm, gpu);
  std::vector<LaunchRun> runs = run_launches({driver, options, warmup, progress});
  if (!warmup.empty()) {
    progress.stage("once more, with warm caches");
    warmup.replay(driver, runs, progress);
  } else if (!runs.back().sampled) {
    end_product(driver.memory(), s.warm, runs.back());
  }
  for (LaunchRun& run : runs) {
    // A sampled launch empties the caches for all launches. Then none of them ran as in a sequence of products.
    const bool estimated = run.sampled || (s.warm && warmup.empty());
    const auto launch = static_cast<std::size_t>(run.launch);
    LaunchSimulation done = scaled_to_grid(std::move(run), product, gpu, s.warm, estimated);
    if (launch < s.launches.size())
      add_section(s.launches.back(), done);
    else
      s.launches.push_back(std::move(done));
  }
  add_up(s.launches, s);
  return s;
}

}  // namespace

Simulation simulate(EmulatedProduct& product, const GpuSpec& gpu, const SimulateOptions& options, Progress& progress) {
  if (product.launches().empty()) {
    Simulation none;
    none.has_l2 = gpu.l2_bytes > 0;
    return none;
  }
  progress.check();
  progress.stage("emulating");
  tbb::task_arena arena(options.threads > 0 ? options.threads : tbb::task_arena::automatic);
  return arena.execute([&] { return simulate_here(product, gpu, options, progress); });
}

}  // namespace warpspy
