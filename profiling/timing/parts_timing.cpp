#include "profiling/timing/parts_timing.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "profiling/timing/samples.hpp"

#ifdef WARPSPY_HAVE_CUDA
#include <cuda_runtime_api.h>

#include "kernels/device/cuda.hpp"
#endif

namespace warpspy {

#ifndef WARPSPY_HAVE_CUDA

// Without CUDA there are no DeviceParts.
void run_parts_once(DeviceParts&) {}
double time_messages(DeviceParts&, const Progress&) { return 0; }
LaunchTimes time_launching(DeviceParts&, const Progress&) { return {}; }
PartsProductTime time_parts(DeviceParts&, PartsLaunch, double, const Progress&) { return {}; }
PartsSolveTiming solve_parts(DeviceParts&, PartsLaunch, std::uint64_t, Precision, const Progress&) { return {}; }
PartsIterationTime time_iteration_of_parts(DeviceParts&, PartsLaunch, const Progress&) { return {}; }

#else

namespace {

constexpr int observed = 9;            // products or units of which each step is timed
constexpr int products_of_graph = 16;  // where a graph has products alone

constexpr double PartTimes::* all_times[] = {&PartTimes::local,       &PartTimes::link,    &PartTimes::waiting,
                                             &PartTimes::halo,        &PartTimes::vectors, &PartTimes::dots,
                                             &PartTimes::dots_waiting};

const IterationPlan& plan_of(const DeviceParts& parts) { return parts.part(0).iteration().plan; }
bool are_solve(const DeviceParts& parts) {
  const std::vector<SolvePart>& of = plan_of(parts).parts;
  return std::any_of(of.begin(), of.end(), [](SolvePart p) { return p != SolvePart::product; });
}

// A unit: iterations of a solve, or one product. All parts have the same steps.
std::vector<PartStep> steps_of_unit(const DeviceParts& parts) {
  return part_steps(plan_of(parts), 0, plan_of(parts).unit_launches());
}
std::vector<PartStep> repeated(const std::vector<PartStep>& steps, int times) {
  std::vector<PartStep> all;
  for (int i = 0; i < times; ++i) all.insert(all.end(), steps.begin(), steps.end());
  return all;
}
void run_steps(DevicePart& part, const std::vector<PartStep>& steps) {
  for (const PartStep& s : steps) do_step(part, s);
}
void restart(DeviceParts& parts) {
  parts.together([](std::size_t, DevicePart& part) { part.iteration().product->restart(); });
}

// Microseconds that `work` takes on the part's stream.
template <class Work>
double us_of(DevicePart& part, const Work& work) {
  const auto stream = static_cast<cudaStream_t>(part.stream());
  const cuda::Event begin, end;
  cuda::check(cudaEventRecord(begin.get(), stream), "recording a CUDA event");
  work();
  cuda::check(cudaEventRecord(end.get(), stream), "recording a CUDA event");
  part.await(end.get());
  return 1e3 * end.milliseconds_since(begin);
}

// The time of the part that takes longest to go through the steps so often. All begin together.
double by_threads(DeviceParts& parts, const std::vector<PartStep>& steps, int times) {
  std::vector<double> us(parts.size());
  parts.together([&](std::size_t k, DevicePart& part) {
    part.await_all();
    parts.meeting().all_there(k);
    us[k] = us_of(part, [&] {
      for (int i = 0; i < times; ++i) run_steps(part, steps);
    });
  });
  return *std::max_element(us.begin(), us.end());
}
double by_graph(DeviceParts& parts, const PartsGraph& graph, int times) {
  double us = 0;
  parts.alone([&](DevicePart& first) {
    us = us_of(first, [&] {
      for (int i = 0; i < times; ++i) graph.launch();
    });
  });
  return us;
}

// How units are run again and again.
class Units {
 public:
  Units(DeviceParts& parts, PartsLaunch launch)
      : parts_(parts), steps_(steps_of_unit(parts)), in_graph_(are_solve(parts) ? 1 : products_of_graph) {
    if (launch == PartsLaunch::graph) graph_ = parts.captured(repeated(steps_, in_graph_));
  }
  // A multiple of what a graph has.
  int fitting(double units) const {
    const int whole = std::max(1, static_cast<int>(units / (graph_ ? in_graph_ : 1)));
    return graph_ ? whole * in_graph_ : whole;
  }
  // Microseconds of one unit; `units` is fitting().
  double sample(int units) {
    return (graph_ ? by_graph(parts_, *graph_, units / in_graph_) : by_threads(parts_, steps_, units)) / units;
  }

 private:
  DeviceParts& parts_;
  std::vector<PartStep> steps_;
  int in_graph_;
  std::unique_ptr<PartsGraph> graph_;
};

// The times of each part in one unit after another.
using Observed = std::vector<std::vector<PartTimes> >;
Observed observed_by_threads(DeviceParts& parts, bool of_solve) {
  const std::vector<PartStep> steps = steps_of_unit(parts);
  Observed times(parts.size());
  parts.together([&](std::size_t k, DevicePart& part) {
    for (int i = 0; i <= observed; ++i) {
      if (of_solve) part.iteration().product->restart();
      parts.meeting().all_there(k);
      times[k].push_back(part.timed(steps));
    }
  });
  return times;
}
Observed observed_in_graph(DeviceParts& parts, bool of_solve) {
  const auto graph = parts.captured(steps_of_unit(parts), true);
  Observed times(parts.size());
  for (int i = 0; i <= observed; ++i) {
    if (of_solve) restart(parts);
    by_graph(parts, *graph, 1);
    for (std::size_t k = 0; k < parts.size(); ++k) times[k].push_back(parts.part(k).watched());
  }
  return times;
}

// Where the time of each part's unit goes: medians of some units. The first one is not counted. Iterations start again
// each time, so that there are always some to do.
std::vector<PartTimes> observed_parts(DeviceParts& parts, PartsLaunch launch) {
  const bool of_solve = are_solve(parts);
  Observed times;
  try {
    if (launch == PartsLaunch::graph) times = observed_in_graph(parts, of_solve);
  } catch (const DeviceLost&) {
    throw;
  } catch (const Error&) {
    times.clear();  // CUDA times no steps of graphs here
  }
  if (times.empty()) times = observed_by_threads(parts, of_solve);
  std::vector<PartTimes> all(parts.size());
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const auto which : all_times) {
      std::vector<double> values;
      for (std::size_t i = 1; i < times[k].size(); ++i) values.push_back(times[k][i].*which);
      all[k].*which = median(std::move(values));
    }
  return all;
}

// A part's iterations, launch by launch.
class StepRunner final : public UnitRunner {
 public:
  StepRunner(const DeviceParts& parts, DevicePart& part) : part_(part), unit_(steps_of_unit(parts)) {
    const IterationPlan& plan = part.iteration().plan;
    if (plan.replacement > 0) replacement_ = part_steps(plan, plan.replacement, plan.replacement_end());
  }
  void* stream() const override { return part_.stream(); }
  void unit() override { run_steps(part_, unit_); }
  void replacement() override { run_steps(part_, replacement_); }
  void begin() override {}  // solves of parts do not start again
  void await(void* event) const override { part_.await(event); }
  void await_all() const override { part_.await_all(); }

 private:
  DevicePart& part_;
  std::vector<PartStep> unit_, replacement_;
};

// The iterations of all parts in graphs, from the stream of part 0.
class GraphsOfParts final : public UnitRunner {
 public:
  GraphsOfParts(DeviceParts& parts, DevicePart& first) : first_(first), unit_(parts.captured(steps_of_unit(parts))) {
    const IterationPlan& plan = first.iteration().plan;
    if (plan.replacement > 0) replacement_ = parts.captured(part_steps(plan, plan.replacement, plan.replacement_end()));
  }
  void* stream() const override { return first_.stream(); }
  void unit() override { unit_->launch(); }
  void replacement() override { replacement_->launch(); }
  void begin() override {}  // solves of parts do not start again
  void await(void* event) const override { first_.await(event); }
  void await_all() const override { first_.await_all(); }

 private:
  DevicePart& first_;
  std::unique_ptr<PartsGraph> unit_, replacement_;
};

}  // namespace

void run_parts_once(DeviceParts& parts) {
  const std::vector<PartStep> steps = steps_of_unit(parts);
  parts.together([&](std::size_t, DevicePart& part) {
    run_steps(part, steps);
    part.await_all();
  });
}

double time_messages(DeviceParts& parts, const Progress& progress) {
  constexpr int times = 20, samples = 5;
  using Kind = PartStep::Kind;
  std::vector<PartStep> steps = {{Kind::give_halo, 0}, {Kind::take_halo, 0}};
  if (!plan_of(parts).exchanges.empty()) steps.insert(steps.end(), {{Kind::give_sums, 0}, {Kind::take_sums, 0}});
  by_threads(parts, steps, times);
  std::vector<double> us;
  for (int i = 0; i < samples; ++i) {
    progress.check();
    us.push_back(by_threads(parts, steps, times) / times);
  }
  return median(us);
}

LaunchTimes time_launching(DeviceParts& parts, const Progress& progress) {
  constexpr int samples = 5;
  constexpr double sample_us = 1000;
  LaunchTimes t;
  const auto measured = [&](PartsLaunch launch) {
    Units units(parts, launch);
    const bool of_solve = are_solve(parts);
    if (of_solve) restart(parts);
    units.sample(units.fitting(1));  // loads the code
    const int fitting = of_solve ? 1 : units.fitting(std::min(200.0, sample_us / units.sample(units.fitting(1))));
    std::vector<double> us;
    for (int i = 0; i < samples; ++i) {
      progress.check();
      if (of_solve) restart(parts);
      us.push_back(units.sample(fitting) / plan_of(parts).unit);
    }
    return median(us);
  };
  t.threads_us = measured(PartsLaunch::threads);
  try {
    t.graph_us = measured(PartsLaunch::graph);
  } catch (const DeviceLost&) {
    throw;
  } catch (const Error& e) {
    t.no_graph = e.reason;
  }
  return t;
}

PartsProductTime time_parts(DeviceParts& parts, PartsLaunch launch, double budget_s, const Progress& progress) {
  constexpr double sample_us = 2000, most_products = 200;
  constexpr int least_samples = 9, most_samples = 50;
  Units units(parts, launch);
  units.sample(units.fitting(2));  // brings clocks and caches to their steady state
  const double once = std::max(units.sample(units.fitting(3)), 0.1);
  PartsProductTime t;
  t.products = units.fitting(std::min(most_products, sample_us / once));
  t.samples = static_cast<int>(std::clamp<double>(budget_s * 1e6 / (once * t.products), least_samples, most_samples));
  std::vector<double> us;
  for (int i = 0; i < t.samples; ++i) {
    progress.check();
    us.push_back(units.sample(t.products));
  }
  t.us = median(us), t.low = quantile(us, 0.25), t.high = quantile(us, 0.75);
  progress.check();
  t.parts = observed_parts(parts, launch);
  return t;
}

PartsSolveTiming solve_parts(DeviceParts& parts, PartsLaunch launch, std::uint64_t most_iterations, Precision precision,
                             const Progress& progress) {
  std::vector<SolveTiming> all(launch == PartsLaunch::graph ? 1 : parts.size());
  if (launch == PartsLaunch::graph) {
    parts.alone([&](DevicePart& first) {
      DeviceSolver solver(first.iteration(), most_iterations, precision, false,
                          std::make_unique<GraphsOfParts>(parts, first));
      restart(parts);  // of the other parts too
      all[0] = solver.solve(most_iterations, progress);
    });
  } else {
    const Progress unwatched;  // one part looks whether the solve was cancelled, and the others end with it
    parts.together([&](std::size_t k, DevicePart& part) {
      DeviceSolver solver(part.iteration(), most_iterations, precision, false,
                          std::make_unique<StepRunner>(parts, part));
      parts.meeting().all_there(k);
      all[k] = solver.solve(most_iterations, k == 0 ? progress : unwatched);
    });
  }
  PartsSolveTiming t{all[0], 0, 0};
  for (const SolveTiming& each : all) {
    t.iteration_us = std::max(t.iteration_us, each.iteration_us);
    t.solve_us = std::max(t.solve_us, each.solve_us);
  }
  return t;
}

PartsIterationTime time_iteration_of_parts(DeviceParts& parts, PartsLaunch launch, const Progress& progress) {
  constexpr int samples = 9;
  const int unit = plan_of(parts).unit;
  PartsIterationTime t;
  {
    Units units(parts, launch);
    std::vector<double> us;
    for (int i = 0; i <= samples; ++i) {
      progress.check();
      restart(parts);
      const double sample = units.sample(1) / unit;
      if (i > 0) us.push_back(sample);  // the first one loads the code
    }
    t.us = median(us);
  }
  t.parts = observed_parts(parts, launch);
  for (PartTimes& p : t.parts)
    for (const auto which : all_times) p.*which /= unit;
  return t;
}

#endif

}  // namespace warpspy
