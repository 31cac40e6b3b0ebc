// The iteration of a solve in the emulator.
#include "kernels/solve/iteration.hpp"
#include "kernels/solve/lay_out.hpp"
#include "kernels/solve/lay_out_refinement.hpp"
#include "kernels/spmv/emulated_product.hpp"

namespace warpspy {

EmulatedIteration emulated_iteration(const KernelRow& kernel, ProductInputs in, const IterationInputs& solve) {
  solve::require_product(kernel);
  if (!kernel.emulate)
    throw Error("kernel " + kernel.info.id + " is " + kernel.info.library + "'s, whose code cannot be emulated", {},
                "solve on a CUDA device, or choose a kernel of ours");
  in.x = solve.x, in.alpha = 1, in.beta = 0;
  EmulatedIteration made{kernel.emulate(in), {}};
  const auto lay_out = [&](auto& of) {
    made.plan = solve::IterationLayout<std::remove_cvref_t<decltype(of.layout())>>(of.layout(), solve).lay_out();
  };
  if (in.precision == Precision::f32)
    lay_out(dynamic_cast<EmulatedSpmv<float>&>(*made.product));
  else
    lay_out(dynamic_cast<EmulatedSpmv<double>&>(*made.product));
  return made;
}

EmulatedRefinement emulated_refinement(const KernelRow& kernel, ProductInputs in, const LinearSystem& outer) {
  in.x = outer.x0, in.alpha = 1, in.beta = 0;
  EmulatedRefinement made{kernel.emulate(in), {}};
  made.plan = solve::lay_out_refinement(dynamic_cast<EmulatedSpmv<double>&>(*made.product).layout(), outer);
  return made;
}

}  // namespace warpspy
