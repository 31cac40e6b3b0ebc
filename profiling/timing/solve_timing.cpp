#include "profiling/timing/solve_timing.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "profiling/timing/samples.hpp"

#ifdef WARPSPY_HAVE_CUDA
#include <cuda_runtime_api.h>

#include "kernels/device/cuda.hpp"
#endif

namespace warpspy {

#ifndef WARPSPY_HAVE_CUDA

class DeviceSolver::Own {};
DeviceSolver::DeviceSolver(const DeviceIteration&, std::uint64_t, Precision, bool, std::unique_ptr<UnitRunner>) {
  throw Error("this program was built without CUDA", {}, "build it with the CUDA toolkit, or use a simulated GPU");
}
DeviceSolver::~DeviceSolver() = default;
void* DeviceSolver::stream() const { return nullptr; }
void DeviceSolver::begin() {}
SolveTiming DeviceSolver::solve(std::uint64_t, const Progress&) { return {}; }
double time_iteration(const DeviceIteration&, const Progress&) { return 0; }
std::vector<double> time_launches(const DeviceIteration&, const Progress&) { return {}; }

#else

namespace {

cuda::Graph graph_of(DeviceProduct& product, const cuda::Stream& stream, std::size_t from, std::size_t to) {
  return cuda::Graph::of(stream, 1, [&](const cuda::Stream& s) {
    for (std::size_t i = from; i < to; ++i) product.launch_one(i, s.get());
  });
}

class Graphs final : public UnitRunner {
 public:
  explicit Graphs(const DeviceIteration& iteration) {
    const IterationPlan& plan = iteration.plan;
    DeviceProduct& product = *iteration.product;
    unit_.emplace(graph_of(product, stream_, 0, plan.unit_launches()));
    if (plan.replacement > 0)
      replacement_.emplace(graph_of(product, stream_, plan.replacement, plan.replacement_end()));
    if (plan.begin > 0) begin_.emplace(graph_of(product, stream_, plan.begin, plan.parts.size()));
  }
  void* stream() const override { return stream_.get(); }
  void unit() override { unit_->launch(stream_); }
  void replacement() override { replacement_->launch(stream_); }
  void begin() override { begin_->launch(stream_); }
  void await(void* event) const override {
    cuda::check(cudaEventSynchronize(static_cast<cudaEvent_t>(event)), "waiting for the GPU");
  }
  void await_all() const override { stream_.synchronize(); }

 private:
  const cuda::Stream stream_;
  std::optional<cuda::Graph> unit_, replacement_, begin_;
};

}  // namespace

class DeviceSolver::Own {
 public:
  // Memory of the host to which a device copies while the host does something else.
  class PinnedNumbers {
   public:
    PinnedNumbers(std::size_t count, Precision precision) : bytes_(static_cast<std::size_t>(bytes_of(precision))) {
      void* memory = nullptr;
      cuda::check(cudaMallocHost(&memory, count * bytes_), "getting memory for residuals");
      memory_ = cuda::Owner<void*, cudaFreeHost>(memory);
      std::memset(memory, 0, count * bytes_);
    }
    void* at(std::size_t i) const { return static_cast<char*>(memory_.get()) + i * bytes_; }
    double operator[](std::size_t i) const {
      if (bytes_ == sizeof(float)) return *static_cast<const float*>(at(i));
      return *static_cast<const double*>(at(i));
    }

   private:
    std::size_t bytes_;
    cuda::Owner<void*, cudaFreeHost> memory_;
  };

  Own(const DeviceIteration& iteration, std::uint64_t most_iterations, Precision precision, bool loaded,
      std::unique_ptr<UnitRunner> by)
      : plan(iteration.plan),
        product(*iteration.product),
        units_at_most(units_of(most_iterations)),
        replaced_after_units(static_cast<std::size_t>((replaced_after(precision) + plan.unit - 1) / plan.unit)),
        runner(by ? std::move(by) : std::make_unique<Graphs>(iteration)),
        rr(static_cast<std::size_t>(plan.begin_slot) + units_at_most * static_cast<std::size_t>(plan.unit) + 1,
           precision) {
    if (loaded) return;
    runner->unit();
    if (plan.replacement > 0) runner->replacement();
    if (plan.begin > 0) runner->begin();
    runner->await_all();
    product.restart();
  }
  std::size_t units_of(std::uint64_t iterations) const {
    const auto unit = static_cast<std::uint64_t>(plan.unit);
    return static_cast<std::size_t>((iterations + unit - 1) / unit);
  }
  SolveTiming solve(std::uint64_t most_iterations, const Progress& progress);

  const IterationPlan& plan;
  DeviceProduct& product;
  std::size_t units_at_most, replaced_after_units;
  const std::unique_ptr<UnitRunner> runner;
  const PinnedNumbers rr;
};

SolveTiming DeviceSolver::Own::solve(std::uint64_t most_iterations, const Progress& progress) {
  const auto unit = static_cast<std::size_t>(plan.unit);
  const std::size_t units = std::min(units_of(most_iterations), units_at_most);
  const auto begin = static_cast<std::size_t>(plan.begin_slot), first = static_cast<std::size_t>(plan.first_slot);
  std::vector<cuda::Event> ends(units);
  const auto record = [&](const cuda::Event& event) {
    cuda::check(cudaEventRecord(event.get(), static_cast<cudaStream_t>(runner->stream())), "recording a CUDA event");
  };
  const cuda::Event start;
  product.copy_state("rr", 0, static_cast<std::int64_t>(begin) + 1, rr.at(0), runner->stream());
  record(start);
  std::size_t last = 0;  // the first slot whose residual is small enough, or that nobody wrote
  std::size_t seen = 0;  // units that the host has looked at
  const auto look = [&] {
    runner->await(ends[seen].get());
    for (std::size_t slot = begin + seen * unit + 1; last == 0 && slot <= begin + (seen + 1) * unit; ++slot)
      if (!(rr[slot] > plan.enough)) last = slot;
    ++seen;
  };
  for (std::size_t u = 0; u < units && last == 0; ++u) {
    runner->unit();
    product.copy_state("rr", static_cast<std::int64_t>(begin + u * unit + 1), plan.unit, rr.at(begin + u * unit + 1),
                       runner->stream());
    record(ends[u]);
    if (plan.replacement > 0 && (u + 1) % replaced_after_units == 0) runner->replacement();
    if (u > 0) look();
    progress.check();
    if (u + 1 == units && last == 0) look();
  }
  runner->await_all();
  cuda::check(cudaGetLastError(), "solving");
  const std::size_t whole = seen;
  SolveTiming t;
  if (!(rr[begin] > plan.enough)) {  // the start is the solution
    t.rr = {rr[begin]};
    return t;
  }
  t.solve_us = 1e3 * ends[whole - 1].milliseconds_since(start);
  std::size_t final_slot = last == 0 ? begin + units * unit : last;
  if (last != 0 && !(rr[last] > 0)) {
    // An empty slot: its iteration was not done, or it found the exact solution.
    const std::vector<double> alpha = product.state("alpha");
    const std::size_t of_step = last - 1 + (first > begin ? 1 : 0);
    t.broke_down = !(alpha.at(of_step) != 0) || rr[last] != rr[last];
    if (t.broke_down) --final_slot;
  }
  for (std::size_t slot = first; slot <= std::max(first, final_slot); ++slot) t.rr.push_back(rr[slot]);

  std::vector<double> us;
  const std::size_t full = last == 0 ? whole : whole - 1;  // units without an iteration that was left out
  for (std::size_t u = 1; u < full; ++u) us.push_back(1e3 * ends[u].milliseconds_since(ends[u - 1]) / plan.unit);
  t.samples = static_cast<int>(us.size());
  t.replaced = plan.replacement > 0;
  // With replacements a median would leave their time out.
  double sum = 0;
  for (const double each : us) sum += each;
  if (!us.empty()) t.iteration_us = t.replaced ? sum / static_cast<double>(us.size()) : median(us);
  return t;
}

DeviceSolver::DeviceSolver(const DeviceIteration& iteration, std::uint64_t most_iterations, Precision precision,
                           bool loaded, std::unique_ptr<UnitRunner> runner)
    : own_(std::make_unique<Own>(iteration, most_iterations, precision, loaded, std::move(runner))) {}
DeviceSolver::~DeviceSolver() = default;
void* DeviceSolver::stream() const { return own_->runner->stream(); }
void DeviceSolver::begin() {
  if (own_->plan.begin > 0) own_->runner->begin();
}
SolveTiming DeviceSolver::solve(std::uint64_t most_iterations, const Progress& progress) {
  return own_->solve(most_iterations, progress);
}

double time_iteration(const DeviceIteration& endless, const Progress& progress) {
  constexpr int samples = 9;
  DeviceProduct& product = *endless.product;
  const cuda::Stream stream;
  const cuda::Graph graph = cuda::Graph::of(stream, 1, [&](const cuda::Stream& s) {
    for (std::size_t i = 0; i < endless.plan.unit_launches(); ++i) product.launch_one(i, s.get());
  });
  std::vector<double> us;
  for (int k = 0; k < samples; ++k) {
    progress.check();
    product.restart();
    const cuda::Event begin, end;
    graph.launch(stream);  // brings the caches into their state
    begin.record(stream);
    graph.launch(stream);
    end.record(stream);
    end.synchronize();
    us.push_back(1e3 * end.milliseconds_since(begin) / endless.plan.unit);
  }
  return median(us);
}

std::vector<double> time_launches(const DeviceIteration& iteration, const Progress& progress) {
  constexpr int times = 20, samples = 5;
  DeviceProduct& product = *iteration.product;
  const cuda::Stream stream;
  std::vector<double> us;
  for (std::size_t i = 0; i < iteration.plan.parts.size(); ++i) {
    progress.check();
    product.restart();
    const cuda::Graph graph =
        cuda::Graph::of(stream, times, [&](const cuda::Stream& s) { product.launch_one(i, s.get()); });
    std::vector<double> of_launch;
    for (int k = 0; k <= samples; ++k) {
      const cuda::Event begin, end;
      begin.record(stream);
      graph.launch(stream);
      end.record(stream);
      end.synchronize();
      if (k > 0) of_launch.push_back(1e3 * end.milliseconds_since(begin) / times);
    }
    us.push_back(median(of_launch));
  }
  product.restart();
  return us;
}

#endif

SolveTiming time_solve(const DeviceIteration& iteration, const SolveOptions& options, Precision precision,
                       const Progress& progress, bool loaded) {
  DeviceSolver solver(iteration, options.most_iterations, precision, loaded);
  SolveTiming t = solver.solve(options.most_iterations, progress);
  t.x = iteration.product->state("x");
  return t;
}

}  // namespace warpspy
