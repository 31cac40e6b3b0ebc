// The iteration of a solve on a CUDA device.
#include "kernels/device/device_product.cuh"
#include "kernels/solve/iteration.hpp"
#include "kernels/solve/lay_out.hpp"
#include "kernels/solve/lay_out_refinement.hpp"
#include "kernels/solve/library_iteration.cuh"

namespace warpspy {

namespace {

template <class Layout>
IterationPlan laid_out(Layout& layout, const IterationInputs& solve) {
  return solve::IterationLayout<Layout>(layout, solve).lay_out();
}

template <class T>
DeviceIteration behind_library(std::unique_ptr<LibraryProduct> product, const std::string& kernel,
                               const ProductInputs& in, const IterationInputs& solve) {
  auto iteration = std::make_unique<solve::LibraryIteration<T>>(std::move(product), kernel, in);
  IterationPlan plan = laid_out(iteration->layout(), solve);
  return {std::move(iteration), std::move(plan)};
}

}  // namespace

DeviceIteration device_iteration(const KernelRow& kernel, ProductInputs in, const IterationInputs& solve) {
  solve::require_product(kernel);
  in.x = solve.x, in.alpha = 1, in.beta = 0;
  if (in.kept) in.kept = in.kept->unprepared();  // what is made for this solve is no other product's
  DeviceIteration made{kernel.on_device(in), {}};
  const bool f32 = in.precision == Precision::f32;
  if (auto* const of_library = dynamic_cast<LibraryProduct*>(made.product.get())) {
    made.product.release();
    std::unique_ptr<LibraryProduct> product(of_library);
    return f32 ? behind_library<float>(std::move(product), kernel.info.id, in, solve)
               : behind_library<double>(std::move(product), kernel.info.id, in, solve);
  }
  // Read-only loads are promised that nobody writes what they load, and the launch before may still write x.
  // Between the launches of several GPUs there are waits for other GPUs.
  const bool overlaps = kernel.common_of(in.params).x() != simt::CachePolicy::read_only && solve.share.gpus == 1;
  const auto lay_out = [&](auto& of) {
    made.plan = laid_out(of.layout(), solve);
    if (overlaps) of.layout().overlap_launches();
  };
  if (f32)
    lay_out(dynamic_cast<DeviceSpmv<float>&>(*made.product));
  else
    lay_out(dynamic_cast<DeviceSpmv<double>&>(*made.product));
  return made;
}

DeviceRefinement device_refinement(const KernelRow& kernel, ProductInputs in, const LinearSystem& outer) {
  in.x = outer.x0, in.alpha = 1, in.beta = 0;
  DeviceRefinement made{kernel.on_device(in), {}};
  made.plan = solve::lay_out_refinement(dynamic_cast<DeviceSpmv<double>&>(*made.product).layout(), outer);
  return made;
}

}  // namespace warpspy
