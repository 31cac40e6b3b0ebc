// The f64 steps of iterative refinement (core/solve/refine.hpp) as launches after a product in f64. So residuals and
// additions are computed where the iterations run.
#pragma once

#include <cstddef>
#include <memory>

#include "core/solve/system.hpp"
#include "kernels/product/product.hpp"
#include "kernels/product/row.hpp"

namespace warpspy {

// Holds what each launch does, and the memory that it shares with the iterations in f32, on the device or in the
// emulator. The array "norm" has one element, |r|. "x" is the solution, and "before" the solution before the last
// addition.
struct RefinementPlan {
  std::size_t scale = 0;        // the launches before it: r = b - A x and |r|
  std::size_t add = 0;          // the launches from `scale` to this one: r scaled, in f32; then x += d / scale
  double* factor = nullptr;     // the scale
  float* scaled = nullptr;      // scale r
  float* difference = nullptr;  // d
};
struct EmulatedRefinement {
  std::unique_ptr<EmulatedProduct> product;
  RefinementPlan plan;
};
struct DeviceRefinement {
  std::unique_ptr<DeviceProduct> product;
  RefinementPlan plan;
};
// Makes the refinement's launches for the emulator. `in` is in f64; its x is not used. Throws Error as the kernel does,
// and for a kernel that computes y in another order.
EmulatedRefinement emulated_refinement(const KernelRow& kernel, ProductInputs in, const LinearSystem& outer);
DeviceRefinement device_refinement(const KernelRow& kernel, ProductInputs in, const LinearSystem& outer);

}  // namespace warpspy
