// Several emulated GPUs solve one system together: each runs its own launches, gets the x of its halo before a product
// is complete, and the numbers of all others where sums are exchanged. They go the way that the host goes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/solve/on_host.hpp"
#include "kernels/solve/share.hpp"
#include "tests/products.hpp"

namespace warpspy {
namespace {

template <class T>
class GpusTogether {
 public:
  GpusTogether(const KernelRow& kernel, const Partition& partition, const LinearSystem& system,
               const SolveOptions& options, int unit)
      : partition_(partition), whole_(iteration_inputs(system, options, unit)) {
    const auto number = static_cast<int>(partition.parts.size());
    constexpr Precision precision = sizeof(T) == 4 ? Precision::f32 : Precision::f64;
    for (const Part& part : partition.parts) {
      auto gpu = std::make_unique<Gpu>();
      gpu->matrix.csr = part.local;
      gpu->product = testing::product_of(kernel, gpu->matrix, precision, {});
      gpu->system = system_of_part(system, part);
      gpu->inputs = std::make_unique<IterationInputs>(
          inputs_of_part(whole_, gpu->system, part, number, static_cast<int>(gpus_.size())));
      gpu->iteration = emulated_iteration(kernel, gpu->product->inputs, *gpu->inputs);
      gpus_.push_back(std::move(gpu));
    }
  }
  void run_unit() {
    const IterationPlan& first = gpus_.front()->iteration.plan;
    std::size_t product = 0, exchange = 0;
    for (std::size_t launch = 0; launch < first.unit_launches(); ++launch) {
      for (auto& gpu : gpus_)
        for (std::int64_t block = 0; block < gpu->iteration.product->launches()[launch].grid; ++block)
          gpu->iteration.product->emulate_block(static_cast<int>(launch), block, nullptr);
      if (product < first.product_ends.size() && first.product_ends[product] == launch) add_halos(), ++product;
      if (exchange < first.exchanges.size() && first.exchanges[exchange].launch == launch) exchange_sums(exchange++);
    }
  }
  // `name` of all parts, in the order of the matrix' rows.
  std::vector<double> together(const std::string& name) const {
    std::vector<double> all(static_cast<std::size_t>(partition_.rows));
    for (std::size_t g = 0; g < gpus_.size(); ++g) {
      const std::vector<double> own = gpus_[g]->iteration.product->state(name);
      for (std::size_t i = 0; i < own.size(); ++i) all[static_cast<std::size_t>(partition_.parts[g].rows[i])] = own[i];
    }
    return all;
  }
  std::vector<double> slots(std::size_t gpu) const { return gpus_[gpu]->iteration.product->state("rr"); }
  const IterationPlan& plan() const { return gpus_.front()->iteration.plan; }
  std::size_t size() const { return gpus_.size(); }

 private:
  struct Gpu {
    Matrix matrix;
    std::optional<testing::Product> product;
    LinearSystem system;
    std::unique_ptr<IterationInputs> inputs;
    EmulatedIteration iteration;
  };

  void add_halos() {
    std::vector<T> x(static_cast<std::size_t>(partition_.rows));
    for (std::size_t g = 0; g < gpus_.size(); ++g) {
      const auto* own = static_cast<const T*>(gpus_[g]->iteration.plan.direction);
      for (const index_t row : partition_.parts[g].rows) x[static_cast<std::size_t>(row)] = *own++;
    }
    for (std::size_t g = 0; g < gpus_.size(); ++g) {
      const Part& part = partition_.parts[g];
      const Csr& halo = *part.halo;
      auto* y = static_cast<T*>(gpus_[g]->iteration.plan.product) + part.boundary;
      for (index_t row = 0; row < halo.rows(); ++row)
        for (index_t k = halo.row_ptr()[row]; k < halo.row_ptr()[row + 1]; ++k) {
          const index_t column = halo.columns()[static_cast<std::size_t>(k)];
          y[row] += static_cast<T>(halo.values()[static_cast<std::size_t>(k)]) *
                    x[static_cast<std::size_t>(part.halo_columns[static_cast<std::size_t>(column)])];
        }
    }
  }
  void exchange_sums(std::size_t which) {
    const auto number = [&](std::size_t gpu, int sum, std::size_t of) -> T& {
      const SumExchange& e = gpus_[gpu]->iteration.plan.exchanges[which];
      return static_cast<T*>(e.numbers)[sum * e.stride + static_cast<std::int64_t>(of)];
    };
    const int sums = gpus_.front()->iteration.plan.exchanges[which].sums;
    for (int k = 0; k < sums; ++k)
      for (std::size_t from = 0; from < gpus_.size(); ++from)
        for (std::size_t to = 0; to < gpus_.size(); ++to) number(to, k, from) = number(from, k, from);
  }

  const Partition& partition_;
  IterationInputs whole_;
  std::vector<std::unique_ptr<Gpu>> gpus_;
};

struct Together {
  Solver solver;
  Preconditioner preconditioner;
  Split split;
  std::uint64_t parts;
};
class SolveOverGpus : public ::testing::TestWithParam<Together> {};
std::vector<Together> all_together() {
  std::vector<Together> all;
  for (const SolverInfo& info : solvers())
    for (const Preconditioner p : {Preconditioner::none, Preconditioner::jacobi, Preconditioner::chebyshev})
      for (const auto& [split, parts] :
           {std::pair{Split::rows, std::uint64_t{2}}, std::pair{Split::metis, std::uint64_t{4}},
            std::pair{Split::entries, std::uint64_t{5}}})
        all.push_back({info.solver, p, split, parts});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Solves, SolveOverGpus, ::testing::ValuesIn(all_together()), [](const auto& test) {
  return std::string(name_of(test.param.solver)) + "_" + name_of(test.param.preconditioner) + "_" +
         name_of(test.param.split) + std::to_string(test.param.parts);
});

template <class T>
void expect_the_way_of_the_host(const KernelRow& kernel, const Together& t, const char* matrix, double near) {
  Progress progress;
  const Matrix m = generate(matrix, progress);
  const SolveOptions options{
      .solver = t.solver, .preconditioner = t.preconditioner, .degree = 2, .tolerance = 1e-3, .restart = 6};
  const Precision precision = sizeof(T) == 4 ? Precision::f32 : Precision::f64;
  const LinearSystem system =
      make_system(m.csr, RealView::real_part, precision, options, vector_of_word("random", m.csr->rows(), 3),
                  vector_of_word("zeros", m.csr->rows(), 1), progress);
  std::vector<double> x;
  const SolveResult host = solve_on_host(system, options, progress, x);
  ASSERT_EQ(host.end, SolveEnd::converged) << host.why;
  const Partition partition = partition_of(*m.csr, row_parts(*m.csr, t.parts, t.split, progress), t.parts, progress);
  const int unit = t.solver == Solver::gmres ? options.restart : 2;
  GpusTogether<T> gpus(kernel, partition, system, options, unit);
  for (std::uint64_t done = 0; done < host.iterations + 1; done += static_cast<std::uint64_t>(unit)) gpus.run_unit();
  const std::vector<double> rr = gpus.slots(0);
  for (std::size_t k = 0; k < std::min<std::size_t>(6, host.residuals.size() - 1); ++k) {
    const double own = std::sqrt(rr.at(static_cast<std::size_t>(gpus.plan().first_slot) + k)) / system.b_norm;
    EXPECT_NEAR(own / host.residuals[k], 1, near) << matrix << ", iteration " << k;
  }
  EXPECT_LE(true_residual(system, gpus.together("x")), 1.05e-3 + near) << matrix;
  for (std::size_t g = 1; g < gpus.size(); ++g) EXPECT_EQ(gpus.slots(g), rr) << "GPU " << g << " has other sums";
}

TEST_P(SolveOverGpus, GoesTheWayOfTheHost) {
  for (const char* matrix : {"laplace5?nx=19&ny=11", "laplace7?nx=5&ny=6&nz=7"})
    expect_the_way_of_the_host<double>(kernel_row("csr_vector"), GetParam(), matrix, 1e-8);
}

// One whose y has another order than the rows, and one that adds by atomics.
TEST(SolvesOverGpus, TakeAnyKernelAndPrecision) {
  for (const char* kernel : {"csr_even", "sell", "hyb", "coo_atomic", "ell"})
    expect_the_way_of_the_host<float>(kernel_row(kernel), {Solver::cg, Preconditioner::jacobi, Split::rows, 3},
                                      "laplace5?nx=19&ny=11", 1e-3);
}

}  // namespace
}  // namespace warpspy
