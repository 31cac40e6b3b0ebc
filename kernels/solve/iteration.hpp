// The iteration of a solve as launches behind those of a product: any kernel's product, then the vectors of the method.
// To time, counters and the model of a GPU it is a product like any other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/solve/solver.hpp"
#include "core/solve/system.hpp"
#include "kernels/product/product.hpp"
#include "kernels/product/row.hpp"

namespace warpspy {

// What a solve begins with.
struct IterationInputs {
  const LinearSystem& system;
  SolveOptions options;
  // How many iterations one launch of the product does. GMRES: a whole cycle; 1: one iteration in the middle of a
  // cycle, to see what it costs.
  int unit = 1;
  std::vector<double> r;     // b - A x0
  std::vector<double> u, w;  // pipelined CG: M^-1 r and A M^-1 r
  std::vector<double> x;     // the first product's
  bool restarts = false;     // also lays out the start from another right-hand side (IterationPlan::begin)
};
// The system must live as long as the result.
IterationInputs iteration_inputs(const LinearSystem& system, const SolveOptions& options, int unit);
// For an iteration that ends where |r| is at most options.tolerance, and begins by its launches from x = 0 with what is
// in its "b" then: at first the system's. Sets its x0 to 0 and its b_norm to 1.
IterationInputs restarting_inputs(LinearSystem& system, const SolveOptions& options, int unit);

// One kind of work in an iteration.
enum class SolvePart : std::uint8_t { product, dots, updates };
constexpr const char* name_of(SolvePart p) {
  constexpr const char* names[] = {"product", "dots", "updates"};
  return names[static_cast<int>(p)];
}

// What a launch of the product is for, and where the numbers of its iterations stand.
struct IterationPlan {
  std::vector<SolvePart> parts;  // of each launch
  int unit = 1;                  // iterations of one launch of the product
  std::int64_t begin_slot = 0;   // the slot from which the first iteration goes on to the next one
  std::int64_t first_slot = 0;   // of the residual at the start, in "rr"
  double enough = 0;             // r' r at which the solve ends
  // Launches from this one on are no part of a unit: they follow every few iterations. 0: there are none.
  std::size_t replacement = 0;
  // Launches from this one to the end begin a solve anew. 0: there are none.
  std::size_t begin = 0;
  std::size_t replacement_end() const { return begin > 0 ? begin : parts.size(); }
  std::size_t unit_launches() const { return replacement > 0 ? replacement : replacement_end(); }
  // Where "b" and "x" are, if the solve can begin anew: numbers of the system's precision, on the device or here.
  void *b = nullptr, *x = nullptr;
};

struct EmulatedIteration {
  std::unique_ptr<EmulatedProduct> product;
  IterationPlan plan;
};
struct DeviceIteration {
  std::unique_ptr<DeviceProduct> product;
  IterationPlan plan;
};

// The vectors that a product of a solve can be asked for: "x" is the solution, "rr" has r' r of each iteration from
// first_slot on (0: not done), "alpha" the steps.
// `in.x`, `in.alpha` and `in.beta` are not used. Throws Error for a kernel whose code is a library's, or that computes
// no product.
EmulatedIteration emulated_iteration(const KernelRow& kernel, ProductInputs in, const IterationInputs& solve);
DeviceIteration device_iteration(const KernelRow& kernel, ProductInputs in, const IterationInputs& solve);

// What `launched` iterations of CG have left; `state`: of their product.
CgCoefficients cg_coefficients(const IterationPlan& plan, int launched,
                               const std::function<std::vector<double>(const std::string&)>& state);

namespace solve {
void require_product(const KernelRow& kernel);  // both use it
}  // namespace solve

}  // namespace warpspy
