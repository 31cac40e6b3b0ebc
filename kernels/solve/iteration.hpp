// The iteration of a solve as kernel launches: first those of any kernel's product A p, then the vector updates of the
// method. The timer, the counters and the model of a GPU treat it like a product.
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

// Which share of a system a GPU has, if several share its unknowns: sums over all unknowns have a number of each GPU.
struct GpuShare {
  int gpus = 1, gpu = 0;
  double rr = 0, rz = 0, wu = 0;  // sums over all GPUs at the start: r' r, r' M^-1 r, and w' u of pipelined CG
};

// The options and vectors with which a solve begins.
struct IterationInputs {
  const LinearSystem& system;
  SolveOptions options;
  // Tells how many iterations one run of all launches does. For GMRES it is a whole cycle, or 1 for one iteration in
  // the middle of a cycle, to measure what it costs.
  int unit = 1;
  std::vector<double> r;     // b - A x0
  std::vector<double> u, w;  // pipelined CG: M^-1 r and A M^-1 r
  std::vector<double> x;     // the first product's
  bool restarts = false;     // also lays out the start from another right-hand side (IterationPlan::begin)
  GpuShare share = {};       // if it is one of several, the system and its vectors are that GPU's own; no restarts then
};
// Computes the inputs of an iteration. The system must live as long as the result.
IterationInputs iteration_inputs(const LinearSystem& system, const SolveOptions& options, int unit);
// Computes the inputs of an iteration that can start again on the device with another right-hand side. It starts from x
// = 0 with the numbers that its vector "b" then has; at first they are the system's. It ends when |r| is at most
// options.tolerance. Sets the system's x0 to 0 and its b_norm to 1.
IterationInputs restarting_inputs(LinearSystem& system, const SolveOptions& options, int unit);

// One kind of work in an iteration.
// exchange: adds up the partial sums of one of several GPUs; then each gets the numbers of the others.
enum class SolvePart : std::uint8_t { product, dots, updates, exchange };
constexpr const char* name_of(SolvePart p) {
  constexpr const char* names[] = {"product", "dots", "updates", "exchange"};
  return names[static_cast<int>(p)];
}

// An exchange of sums: for sum k the number of GPU g is element k * stride + g of `numbers`, of the system's precision.
struct SumExchange {
  std::size_t launch = 0;
  int sums = 1;
  std::int64_t stride = 0;
  void* numbers = nullptr;
};

// Holds what each launch is for, and where the numbers of iterations (such as r' r) stand. A slot is an element that
// has such a number for one iteration.
struct IterationPlan {
  std::vector<SolvePart> parts;  // of each launch
  // The launches with which a product A x is complete, one for each product, in order. Where several GPUs share the
  // unknowns, what a GPU's own x does not give is added to y then.
  std::vector<std::size_t> product_ends;
  std::vector<SumExchange> exchanges;  // one for each launch that is an exchange, in order
  int unit = 1;                        // iterations of one launch of the product
  std::int64_t begin_slot = 0;         // the slot from which the first iteration goes on to the next one
  std::int64_t first_slot = 0;         // of the residual at the start, in "rr"
  double enough = 0;                   // r' r at which the solve ends
  // Launches from this one on are no part of a unit: they follow every few iterations. 0: there are none.
  std::size_t replacement = 0;
  // Launches from this one to the end begin a solve anew. 0: there are none.
  std::size_t begin = 0;
  std::size_t replacement_end() const { return begin > 0 ? begin : parts.size(); }
  std::size_t unit_launches() const { return replacement > 0 ? replacement : replacement_end(); }
  // Tells where "b" and "x" are, if the solve can begin anew: numbers of the system's precision, on the device or here.
  void *b = nullptr, *x = nullptr;
  // Where the product's x and its result are, in the order of rows.
  void *direction = nullptr, *product = nullptr;
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
// `in.x`, `in.alpha` and `in.beta` are not used. Throws Error for a kernel that computes no product, and in the
// emulator for a kernel whose code is a library's.
EmulatedIteration emulated_iteration(const KernelRow& kernel, ProductInputs in, const IterationInputs& solve);
DeviceIteration device_iteration(const KernelRow& kernel, ProductInputs in, const IterationInputs& solve);

// Returns the coefficients of `launched` iterations of CG. `state` returns the arrays of their product by name.
CgCoefficients cg_coefficients(const IterationPlan& plan, int launched,
                               const std::function<std::vector<double>(const std::string&)>& state);

namespace solve {
void require_product(const KernelRow& kernel);  // both use it
}  // namespace solve

}  // namespace warpspy
