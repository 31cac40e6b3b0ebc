#include "profiling/timing/refinement_on_device.hpp"

#include <cmath>
#include <optional>
#include <utility>

#ifdef WARPSPY_HAVE_CUDA
#include <cuda_runtime_api.h>

#include "kernels/device/cuda.hpp"
#endif

namespace warpspy {

#ifndef WARPSPY_HAVE_CUDA

std::unique_ptr<RefinementOnDevice> refinement_on_device(const DeviceIteration&, const DeviceRefinement&, index_t,
                                                         std::uint64_t, const Progress&) {
  throw Error("this program was built without CUDA", {}, "build it with the CUDA toolkit, or use a simulated GPU");
}

#else

namespace {

class OnDevice final : public RefinementOnDevice {
 public:
  OnDevice(const DeviceIteration& iteration, const DeviceRefinement& refinement, index_t rows,
           std::uint64_t most_iterations, const Progress& progress)
      : iteration_(iteration.plan),
        steps_(*refinement.product),
        plan_(refinement.plan),
        bytes_(static_cast<std::size_t>(rows) * sizeof(float)),
        progress_(progress),
        solver_(iteration, most_iterations, Precision::f32) {
    // Once, since the first time loads the code.
    launch(0, steps_.launches().size());
    cuda::check(cudaDeviceSynchronize(), "refining");
    steps_.restart();
  }
  double residual() override {
    launch(0, plan_.scale);
    length_ = steps_.state("norm").at(0);
    return length_;
  }
  InnerSolve solve(double scale, const SolveOptions& options) override {
    cuda::check(cudaMemcpyAsync(plan_.factor, &scale, sizeof scale, cudaMemcpyHostToDevice, stream()), "refining");
    launch(plan_.scale, plan_.add);
    copy(iteration_.b, plan_.scaled);
    solver_.begin();
    SolveTiming t = solver_.solve(options.most_iterations, progress_);
    solve_us_ += t.solve_us;
    InnerSolve s;
    for (const double rr : t.rr) s.residuals.push_back(std::sqrt(rr) / (scale * length_));
    s.broke_down = t.broke_down;
    if (!longest_ || longest_->samples < t.samples) longest_ = std::move(t);
    return s;
  }
  void add() override {
    copy(plan_.difference, iteration_.x);
    launch(plan_.add, steps_.launches().size());
  }
  void take_back() override { back_ = true; }
  std::vector<double> x() override { return steps_.state(back_ ? "before" : "x"); }
  double solve_us() const override { return solve_us_; }
  const SolveTiming& longest() const override {
    static const SolveTiming none;
    return longest_ ? *longest_ : none;
  }

 private:
  cudaStream_t stream() const { return static_cast<cudaStream_t>(solver_.stream()); }
  void launch(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) steps_.launch_one(i, stream());
  }
  void copy(void* to, const void* from) const {
    cuda::check(cudaMemcpyAsync(to, from, bytes_, cudaMemcpyDeviceToDevice, stream()), "refining");
  }

  const IterationPlan& iteration_;
  DeviceProduct& steps_;
  const RefinementPlan& plan_;
  std::size_t bytes_;
  const Progress& progress_;
  DeviceSolver solver_;
  std::optional<SolveTiming> longest_;
  double length_ = 0, solve_us_ = 0;
  bool back_ = false;
};

}  // namespace

std::unique_ptr<RefinementOnDevice> refinement_on_device(const DeviceIteration& iteration,
                                                         const DeviceRefinement& refinement, index_t rows,
                                                         std::uint64_t most_iterations, const Progress& progress) {
  return std::make_unique<OnDevice>(iteration, refinement, rows, most_iterations, progress);
}

#endif

}  // namespace warpspy
