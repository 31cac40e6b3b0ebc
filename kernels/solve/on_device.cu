// The iteration of a solve on a CUDA device.
#include "kernels/device/device_product.cuh"
#include "kernels/solve/iteration.hpp"
#include "kernels/solve/lay_out.hpp"
#include "kernels/solve/lay_out_refinement.hpp"

namespace warpspy {

DeviceIteration device_iteration(const KernelRow& kernel, ProductInputs in, const IterationInputs& solve) {
  solve::require_product(kernel);
  in.x = solve.x, in.alpha = 1, in.beta = 0;
  if (in.kept) in.kept = in.kept->unprepared();  // what is made for this solve is no other product's
  DeviceIteration made{kernel.on_device(in), {}};
  // Read-only loads are promised that nobody writes what they load, and the launch before may still write x.
  const bool overlaps = kernel.common_of(in.params).x() != simt::CachePolicy::read_only;
  const auto lay_out = [&](auto& of) {
    made.plan = solve::IterationLayout<std::remove_cvref_t<decltype(of.layout())>>(of.layout(), solve).lay_out();
    if (overlaps) of.layout().overlap_launches();
  };
  if (in.precision == Precision::f32)
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
