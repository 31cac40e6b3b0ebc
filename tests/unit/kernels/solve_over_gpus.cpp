// Several emulated GPUs solve one system together: each runs its own launches, gets the x of its halo before a product
// is complete, and the numbers of all others where sums are exchanged. They go the way that the host goes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/solve/on_host.hpp"
#include "kernels/parts/messages.hpp"
#include "kernels/parts/steps.hpp"
#include "kernels/solve/share.hpp"
#include "kernels/spmv/emulated_product.hpp"
#include "tests/products.hpp"

namespace warpspy {
namespace {

// A GPU of the emulator. What it gives lies in its mailboxes until others take it. A mailbox holds NaN before.
template <class T>
class EmulatedPart final : public PartWorker {
 public:
  EmulatedPart(const KernelRow& kernel, const Part& part, const IterationInputs& whole, std::size_t own,
               std::vector<std::unique_ptr<EmulatedPart>>& all, std::size_t number)
      : part_(part), own_(own), all_(all) {
    constexpr Precision precision = sizeof(T) == 4 ? Precision::f32 : Precision::f64;
    matrix_.csr = part.local;
    product_ = testing::product_of(kernel, matrix_, precision, {});
    system_ = system_of_part(whole.system, part);
    inputs_ = std::make_unique<IterationInputs>(
        inputs_of_part(whole, system_, part, static_cast<int>(number), static_cast<int>(own)));
    iteration_ = emulated_iteration(kernel, product_->inputs, *inputs_);
    lay_out_pack();
    if (part.halo->nnz() > 0) lay_out_halo(kernel, precision);
  }
  const EmulatedIteration& iteration() const { return iteration_; }

  void launch(std::size_t index) override {
    for (std::int64_t block = 0; block < iteration_.product->launches()[index].grid; ++block)
      iteration_.product->emulate_block(static_cast<int>(index), block, nullptr);
  }
  void give_halo(std::size_t) override {
    given_.clear();
    if (pack_ == 0) return;
    launch(pack_);
    const T* packed = packed_.data;
    for (const HaloOut& out : part_.out) {
      given_[out.to].assign(packed, packed + out.places.size());
      packed += out.places.size();
    }
  }
  void take_halo(std::size_t) override {
    for (const HaloIn& in : part_.in) {
      const std::vector<T>& message = all_[static_cast<std::size_t>(in.from)]->given_.at(static_cast<int>(own_));
      ASSERT_EQ(message.size(), static_cast<std::size_t>(in.count));
      std::copy(message.begin(), message.end(), halo_x_.data + in.first);
    }
    if (!halo_) return;
    auto* const y = static_cast<T*>(iteration_.plan.product) + part_.boundary;
    std::copy(y, y + rows_.size, rows_.data);
    for (std::size_t index = 0; index < halo_->launches().size(); ++index)
      for (std::int64_t block = 0; block < halo_->launches()[index].grid; ++block)
        halo_->emulate_block(static_cast<int>(index), block, nullptr);
    std::copy(rows_.data, rows_.data + rows_.size, y);
    // What the next product reads before it has come shows.
    std::fill_n(halo_x_.data, part_.halo_columns.size(), std::numeric_limits<T>::quiet_NaN());
  }
  void give_sums(std::size_t which) override {
    const SumExchange& e = iteration_.plan.exchanges[which];
    sums_.assign(static_cast<std::size_t>(e.sums), 0);
    for (int k = 0; k < e.sums; ++k) sums_[static_cast<std::size_t>(k)] = number(e, k, own_);
  }
  void take_sums(std::size_t which) override {
    const SumExchange& e = iteration_.plan.exchanges[which];
    for (std::size_t from = 0; from < all_.size(); ++from)
      for (int k = 0; k < e.sums; ++k) number(e, k, from) = all_[from]->sums_.at(static_cast<std::size_t>(k));
  }

 private:
  // The same launches as on a device. One that gathers x comes behind all of the iteration.
  void lay_out_pack() {
    std::vector<std::int32_t> places;
    for (const HaloOut& out : part_.out) places.insert(places.end(), out.places.begin(), out.places.end());
    if (places.empty()) return;
    auto& layout = dynamic_cast<EmulatedSpmv<T>&>(*iteration_.product).layout();
    const LaunchSpec grid = solve::vector_grid(static_cast<index_t>(places.size()));
    packed_ = layout.state("packed", std::vector<T>(places.size(), std::numeric_limits<T>::quiet_NaN()));
    const simt::Array<T> x = layout.next_x();
    layout.launch(grid, parts::PackHalo<T>{simt::as_const(x), layout.made("places", simt::Role::matrix, places),
                                           packed_, grid.grid});
    pack_ = layout.launch_count() - 1;
  }
  void lay_out_halo(const KernelRow& kernel, Precision precision) {
    halo_matrix_.csr = part_.halo;
    halo_inputs_ = testing::product_of(kernel, halo_matrix_, precision, {});
    halo_ = kernel.emulate(halo_inputs_->inputs);
    auto& layout = dynamic_cast<EmulatedSpmv<T>&>(*halo_).layout();
    rows_ = layout.state("rows", std::vector<T>(part_.rows.size() - static_cast<std::size_t>(part_.boundary)));
    halo_x_ = parts::lay_out_halo(layout, rows_);
    std::fill_n(halo_x_.data, part_.halo_columns.size(), std::numeric_limits<T>::quiet_NaN());
  }
  static T& number(const SumExchange& e, int sum, std::size_t of) {
    return static_cast<T*>(e.numbers)[sum * e.stride + static_cast<std::int64_t>(of)];
  }

  const Part& part_;
  std::size_t own_;
  std::vector<std::unique_ptr<EmulatedPart>>& all_;
  Matrix matrix_;
  std::optional<testing::Product> product_;
  LinearSystem system_;
  std::unique_ptr<IterationInputs> inputs_;
  EmulatedIteration iteration_;
  std::size_t pack_ = 0;  // the launch; 0: nobody needs x of this part
  Matrix halo_matrix_;
  std::optional<testing::Product> halo_inputs_;
  std::unique_ptr<EmulatedProduct> halo_;
  simt::Array<T> packed_, rows_, halo_x_;
  std::map<int, std::vector<T>> given_;  // the message to each other part
  std::vector<T> sums_;
};

template <class T>
class GpusTogether {
 public:
  GpusTogether(const KernelRow& kernel, const Partition& partition, const LinearSystem& system,
               const SolveOptions& options, int unit)
      : partition_(partition), whole_(iteration_inputs(system, options, unit)) {
    const std::size_t number = partition.parts.size();
    for (std::size_t k = 0; k < number; ++k)
      gpus_.push_back(std::make_unique<EmulatedPart<T>>(kernel, partition.parts[k], whole_, k, gpus_, number));
  }
  // All parts do a step before any does the next one.
  void run_unit() {
    for (const PartStep& step : part_steps(plan(), 0, plan().unit_launches()))
      for (auto& gpu : gpus_) do_step(*gpu, step);
  }
  // `name` of all parts, in the order of the matrix' rows.
  std::vector<double> together(const std::string& name) const {
    std::vector<double> all(static_cast<std::size_t>(partition_.rows));
    for (std::size_t g = 0; g < gpus_.size(); ++g) {
      const std::vector<double> own = gpus_[g]->iteration().product->state(name);
      for (std::size_t i = 0; i < own.size(); ++i) all[static_cast<std::size_t>(partition_.parts[g].rows[i])] = own[i];
    }
    return all;
  }
  std::vector<double> slots(std::size_t gpu) const { return gpus_[gpu]->iteration().product->state("rr"); }
  const IterationPlan& plan() const { return gpus_.front()->iteration().plan; }
  std::size_t size() const { return gpus_.size(); }

 private:
  const Partition& partition_;
  IterationInputs whole_;
  std::vector<std::unique_ptr<EmulatedPart<T>>> gpus_;
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
