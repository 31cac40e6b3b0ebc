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
PartsProductTime time_parts(DeviceParts&, double, const Progress&) { return {}; }
void run_parts_once(DeviceParts&) {}
double time_messages(DeviceParts&, const Progress&) { return 0; }
PartsSolveTiming solve_parts(DeviceParts&, std::uint64_t, Precision, const Progress&) { return {}; }
PartsIterationTime time_iteration_of_parts(DeviceParts&, const Progress&) { return {}; }

#else

namespace {

constexpr int observed = 9;  // products or units of which each step is timed

std::vector<PartStep> steps_of_unit(const DevicePart& part) {
  const IterationPlan& plan = part.iteration().plan;
  return part_steps(plan, 0, plan.unit_launches());
}
void run_steps(DevicePart& part, const std::vector<PartStep>& steps) {
  for (const PartStep& s : steps) do_step(part, s);
}

// Microseconds that the part takes to go through the steps so often, when all parts begin together.
double timed_together(Meeting& meeting, std::size_t k, DevicePart& part, const std::vector<PartStep>& steps,
                      int times) {
  const auto stream = static_cast<cudaStream_t>(part.stream());
  const cuda::Event begin, end;
  part.await_all();
  meeting.all_there(k);
  cuda::check(cudaEventRecord(begin.get(), stream), "recording a CUDA event");
  for (int i = 0; i < times; ++i) run_steps(part, steps);
  cuda::check(cudaEventRecord(end.get(), stream), "recording a CUDA event");
  part.await(end.get());
  return 1e3 * end.milliseconds_since(begin);
}

// The time of the part that takes longest.
double slowest_of(DeviceParts& parts, const std::vector<PartStep>* only, int times) {
  std::vector<double> us(parts.size());
  parts.together([&](std::size_t k, DevicePart& part) {
    us[k] = timed_together(parts.meeting(), k, part, only ? *only : steps_of_unit(part), times);
  });
  return *std::max_element(us.begin(), us.end()) / times;
}

double median_of(std::vector<PartTimes>& times, double PartTimes::* which) {
  std::vector<double> values;
  for (const PartTimes& t : times) values.push_back(t.*which);
  return median(std::move(values));
}

constexpr double PartTimes::* all_times[] = {&PartTimes::local,       &PartTimes::link,    &PartTimes::waiting,
                                             &PartTimes::halo,        &PartTimes::vectors, &PartTimes::dots,
                                             &PartTimes::dots_waiting};

// Where the time of each part's unit goes: medians of some units. The first one is not counted. Iterations start again
// each time, so that there are always some to do.
std::vector<PartTimes> observed_parts(DeviceParts& parts, bool of_solve) {
  std::vector<PartTimes> all(parts.size());
  parts.together([&](std::size_t k, DevicePart& part) {
    const std::vector<PartStep> steps = steps_of_unit(part);
    std::vector<PartTimes> times;
    for (int i = 0; i <= observed; ++i) {
      if (of_solve) part.iteration().product->restart();
      parts.meeting().all_there(k);
      const PartTimes t = part.timed(steps);
      if (i > 0) times.push_back(t);
    }
    for (const auto which : all_times) all[k].*which = median_of(times, which);
  });
  return all;
}

// A part's iterations, launch by launch.
class StepRunner final : public UnitRunner {
 public:
  explicit StepRunner(DevicePart& part) : part_(part), unit_(steps_of_unit(part)) {
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

}  // namespace

void run_parts_once(DeviceParts& parts) {
  parts.together([](std::size_t, DevicePart& part) {
    run_steps(part, steps_of_unit(part));
    part.await_all();
  });
}

PartsProductTime time_parts(DeviceParts& parts, double budget_s, const Progress& progress) {
  constexpr double sample_us = 2000;
  constexpr int most_products = 200, least_samples = 9, most_samples = 50;
  slowest_of(parts, nullptr, 2);  // brings clocks and caches to their steady state
  const double once = std::max(slowest_of(parts, nullptr, 3), 0.1);
  PartsProductTime t;
  t.products = std::clamp(static_cast<int>(sample_us / once), 1, most_products);
  const double samples = budget_s * 1e6 / (once * t.products);
  t.samples = static_cast<int>(std::clamp<double>(samples, least_samples, most_samples));
  std::vector<double> us;
  for (int i = 0; i < t.samples; ++i) {
    progress.check();
    us.push_back(slowest_of(parts, nullptr, t.products));
  }
  t.us = median(us), t.low = quantile(us, 0.25), t.high = quantile(us, 0.75);
  progress.check();
  t.parts = observed_parts(parts, false);
  return t;
}

double time_messages(DeviceParts& parts, const Progress& progress) {
  constexpr int times = 20, samples = 5;
  using Kind = PartStep::Kind;
  std::vector<PartStep> steps = {{Kind::give_halo, 0}, {Kind::take_halo, 0}};
  if (!parts.part(0).iteration().plan.exchanges.empty())
    steps.insert(steps.end(), {{Kind::give_sums, 0}, {Kind::take_sums, 0}});
  slowest_of(parts, &steps, times);
  std::vector<double> us;
  for (int i = 0; i < samples; ++i) {
    progress.check();
    us.push_back(slowest_of(parts, &steps, times));
  }
  return median(us);
}

PartsSolveTiming solve_parts(DeviceParts& parts, std::uint64_t most_iterations, Precision precision,
                             const Progress& progress) {
  std::vector<SolveTiming> all(parts.size());
  const Progress unwatched;  // one part looks whether the solve was cancelled, and the others end with it
  parts.together([&](std::size_t k, DevicePart& part) {
    DeviceSolver solver(part.iteration(), most_iterations, precision, std::make_unique<StepRunner>(part));
    parts.meeting().all_there(k);
    all[k] = solver.solve(most_iterations, k == 0 ? progress : unwatched);
  });
  PartsSolveTiming t{std::move(all[0]), 0, 0};
  t.iteration_us = t.first.iteration_us, t.solve_us = t.first.solve_us;
  for (std::size_t k = 1; k < all.size(); ++k) {
    t.iteration_us = std::max(t.iteration_us, all[k].iteration_us);
    t.solve_us = std::max(t.solve_us, all[k].solve_us);
  }
  return t;
}

PartsIterationTime time_iteration_of_parts(DeviceParts& parts, const Progress& progress) {
  constexpr int samples = 9;
  const int unit = parts.part(0).iteration().plan.unit;
  const auto restart = [&] {
    parts.together([](std::size_t, DevicePart& part) { part.iteration().product->restart(); });
  };
  PartsIterationTime t;
  std::vector<double> us;
  for (int i = 0; i <= samples; ++i) {
    progress.check();
    restart();
    const double sample = slowest_of(parts, nullptr, 1) / unit;
    if (i > 0) us.push_back(sample);
  }
  t.us = median(us);
  t.parts = observed_parts(parts, true);
  for (PartTimes& p : t.parts)
    for (const auto which : all_times) p.*which /= unit;
  return t;
}

#endif

}  // namespace warpspy
