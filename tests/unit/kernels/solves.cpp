// Solves in the emulator: every iteration of every method runs there, with every kernel's product, and ends where the
// same method on the host ends.
#include <gtest/gtest.h>

#include <cmath>

#include "core/solve/on_host.hpp"
#include "kernels/solve/iteration.hpp"
#include "tests/products.hpp"

namespace warpspy {
namespace {

struct Solved {
  std::vector<double> x, residuals;
};

void run_launches(EmulatedProduct& product, std::size_t from, std::size_t to) {
  for (std::size_t launch = from; launch < to; ++launch)
    for (std::int64_t block = 0; block < product.launches()[launch].grid; ++block)
      product.emulate_block(static_cast<int>(launch), block, nullptr);
}

// Runs units until the tolerance is reached, or `most` units.
Solved emulated_solve(const KernelRow& kernel, const testing::Product& p, const LinearSystem& system,
                      const SolveOptions& options, int unit, int most) {
  const IterationInputs inputs = iteration_inputs(system, options, unit);
  const EmulatedIteration it = emulated_iteration(kernel, p.inputs, inputs);
  for (int u = 0; u < most; ++u) {
    run_launches(*it.product, 0, it.plan.unit_launches());
    if (it.plan.replacement > 0 && (u + 1) % (replaced_after(system.precision) / unit) == 0)
      run_launches(*it.product, it.plan.replacement, it.plan.parts.size());
  }
  Solved s{it.product->state("x"), {}};
  const std::vector<double> rr = it.product->state("rr");
  for (auto slot = static_cast<std::size_t>(it.plan.first_slot); slot < rr.size() && rr[slot] > 0; ++slot) {
    s.residuals.push_back(std::sqrt(rr[slot]) / system.b_norm);
    if (!(rr[slot] > it.plan.enough)) break;
  }
  return s;
}

Matrix matrix_of(const std::string& text) {
  Progress progress;
  return generate(text, progress);
}

LinearSystem system_on(const Matrix& m, const SolveOptions& options, Precision precision) {
  Progress progress;
  return make_system(m.csr, RealView::real_part, precision, options, vector_of_word("random", m.csr->rows(), 3),
                     vector_of_word("zeros", m.csr->rows(), 1), progress);
}

class KernelInSolve : public ::testing::TestWithParam<std::string> {
 protected:
  const KernelRow& kernel = kernel_row(GetParam());
};
std::vector<std::string> products() {
  std::vector<std::string> ids;
  for (const KernelRow& row : kernels())
    if (row.emulate && row.info.operation == Operation::product && !row.info.format.empty()) ids.push_back(row.info.id);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Solves, KernelInSolve, ::testing::ValuesIn(products()),
                         [](const auto& test) { return test.param; });

TEST_P(KernelInSolve, CgEndsWhereTheHostEnds) {
  const Matrix m = matrix_of("fem_quad?degree=2&nx=6&ny=5");
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    SolveOptions options{.solver = Solver::cg, .tolerance = precision == Precision::f32 ? 1e-4 : 1e-9};
    const auto p = testing::product_of(kernel, m, precision, {});
    ASSERT_TRUE(p.has_value());
    const LinearSystem system = system_on(m, options, precision);
    Progress progress;
    std::vector<double> x;
    const SolveResult host = solve_on_host(system, options, progress, x);
    ASSERT_EQ(host.end, SolveEnd::converged) << host.why;
    const Solved s = emulated_solve(kernel, *p, system, options, 4, static_cast<int>(host.iterations / 4 + 2));
    EXPECT_LE(true_residual(system, s.x), 3 * options.tolerance) << name_of(precision);
    EXPECT_NEAR(static_cast<double>(s.residuals.size() - 1), static_cast<double>(host.iterations), 2)
        << name_of(precision);
  }
}

struct MethodCase {
  Solver solver;
  Preconditioner preconditioner;
  int block, degree = 4;
};
class MethodInSolve : public ::testing::TestWithParam<MethodCase> {};
std::vector<MethodCase> methods() {
  std::vector<MethodCase> all;
  for (const SolverInfo& info : solvers()) {
    all.push_back({info.solver, Preconditioner::none, 8});
    all.push_back({info.solver, Preconditioner::jacobi, 8});
    for (const int block : {8, 16, 32}) all.push_back({info.solver, Preconditioner::block_jacobi, block});
    for (const int degree : {1, 4}) all.push_back({info.solver, Preconditioner::chebyshev, 8, degree});
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Solves, MethodInSolve, ::testing::ValuesIn(methods()), [](const auto& test) {
  return std::string(name_of(test.param.solver)) + "_" + name_of(test.param.preconditioner) +
         std::to_string(test.param.preconditioner == Preconditioner::chebyshev ? test.param.degree : test.param.block);
});

TEST_P(MethodInSolve, GoesTheWayThatTheHostGoes) {
  const KernelRow& kernel = kernel_row("csr_vector");
  // 190 unknowns: not a multiple of any block.
  for (const char* matrix : {"laplace5?nx=19&ny=10", "laplace7?nx=5&ny=6&nz=7"}) {
    const Matrix m = matrix_of(matrix);
    SolveOptions options{.solver = GetParam().solver,
                         .preconditioner = GetParam().preconditioner,
                         .block = GetParam().block,
                         .degree = GetParam().degree,
                         .tolerance = 1e-8,
                         .restart = 7};
    const auto p = testing::product_of(kernel, m, Precision::f64, {});
    const LinearSystem system = system_on(m, options, Precision::f64);
    Progress progress;
    std::vector<double> x;
    const SolveResult host = solve_on_host(system, options, progress, x);
    ASSERT_EQ(host.end, SolveEnd::converged) << host.why;
    EXPECT_LE(host.true_residual, 1e-7);
    const int unit = options.solver == Solver::gmres ? options.restart : 4;
    const Solved s = emulated_solve(kernel, *p, system, options, unit, static_cast<int>(host.iterations) / unit + 2);
    EXPECT_LE(true_residual(system, s.x), 1e-7) << matrix;
    const std::size_t compared = std::min<std::size_t>(8, host.residuals.size() - 1);
    ASSERT_GE(compared, 4u);
    ASSERT_GE(s.residuals.size(), compared);
    for (std::size_t k = 0; k < compared; ++k)
      EXPECT_NEAR(s.residuals[k] / host.residuals[k], 1, 1e-6) << matrix << ", iteration " << k;
    EXPECT_NEAR(static_cast<double>(s.residuals.size() - 1), static_cast<double>(host.iterations),
                1 + 0.05 * static_cast<double>(host.iterations))
        << matrix;
  }
}

TEST_P(MethodInSolve, BeginsAgainWhereItBegan) {
  const KernelRow& kernel = kernel_row("csr_scalar");
  const Matrix m = matrix_of("laplace5?nx=8&ny=8");
  const SolveOptions options{.solver = GetParam().solver,
                             .preconditioner = GetParam().preconditioner,
                             .degree = GetParam().degree,
                             .restart = 4};
  const auto p = testing::product_of(kernel, m, Precision::f64, {});
  const LinearSystem system = system_on(m, options, Precision::f64);
  const IterationInputs inputs = iteration_inputs(system, options, 4);
  const EmulatedIteration it = emulated_iteration(kernel, p->inputs, inputs);
  testing::emulated(*it.product);
  const std::vector<double> x = it.product->state("x"), rr = it.product->state("rr");
  it.product->restart();
  testing::emulated(*it.product);
  EXPECT_EQ(it.product->state("x"), x);
  EXPECT_EQ(it.product->state("rr"), rr);
}

// An iteration that was laid out for another right-hand side, and has solved for it, begins anew like one of its own.
TEST_P(MethodInSolve, BeginsAnewWithAnotherRightHandSide) {
  const KernelRow& kernel = kernel_row("jds");  // y in another order
  const Matrix m = matrix_of("laplace5?nx=19&ny=10");
  const SolveOptions options{.solver = GetParam().solver,
                             .preconditioner = GetParam().preconditioner,
                             .block = GetParam().block,
                             .degree = GetParam().degree,
                             .tolerance = 1e-8,
                             .most_iterations = 100,
                             .restart = 7};
  const auto p = testing::product_of(kernel, m, Precision::f64, {});
  const LinearSystem system = system_on(m, options, Precision::f64);
  const int unit = options.solver == Solver::gmres ? options.restart : 4;
  const Solved own = emulated_solve(kernel, *p, system, options, unit, 4);
  LinearSystem other = system_on(m, options, Precision::f64);
  other.b = vector_of_word("ones", other.rows(), 0);
  SolveOptions absolute = options;
  absolute.tolerance = options.tolerance * system.b_norm;
  const EmulatedIteration it = emulated_iteration(kernel, p->inputs, restarting_inputs(other, absolute, unit));
  EXPECT_EQ(other.b_norm, 1);
  const std::size_t all = it.plan.parts.size();
  ASSERT_EQ(all, it.product->launches().size());
  ASSERT_GT(it.plan.begin, it.plan.unit_launches() - 1);
  EXPECT_DOUBLE_EQ(it.plan.enough, std::pow(absolute.tolerance, 2));
  std::vector<double> b = other.b;
  for (int round = 0; round < 3; ++round) {
    std::copy(b.begin(), b.end(), static_cast<double*>(it.plan.b));
    run_launches(*it.product, it.plan.begin, all);
    for (int u = 0; u < 4; ++u) run_launches(*it.product, 0, it.plan.unit_launches());
    b = system.b;  // twice
  }
  const std::vector<double> rr = it.product->state("rr"), x = it.product->state("x");
  ASSERT_GE(own.residuals.size(), 9u);
  for (std::size_t k = 0; k < own.residuals.size(); ++k)
    EXPECT_NEAR(std::sqrt(rr.at(static_cast<std::size_t>(it.plan.first_slot) + k)) / system.b_norm / own.residuals[k],
                1, 1e-6)
        << "iteration " << k;
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(x[i], own.x[i], 1e-6 * norm(own.x)) << i;
    EXPECT_EQ(static_cast<const double*>(it.plan.x)[i], x[i]);
  }
}

// Without replacement of its residual pipelined CG comes no further than 1e-6 here.
TEST(Solves, PipelinedCgStaysWithCg) {
  const KernelRow& kernel = kernel_row("csr_vector");
  const Matrix m = matrix_of("laplace3?nx=300");
  SolveOptions options{.solver = Solver::cg, .tolerance = 1e-10, .most_iterations = 3000};
  Progress progress;
  std::vector<double> x;
  const LinearSystem system = system_on(m, options, Precision::f64);
  const SolveResult cg = solve_on_host(system, options, progress, x);
  options.solver = Solver::pipelined_cg;
  const SolveResult pipelined = solve_on_host(system, options, progress, x);
  ASSERT_EQ(cg.end, SolveEnd::converged) << cg.why;
  EXPECT_EQ(pipelined.end, SolveEnd::converged) << pipelined.why;
  EXPECT_NEAR(static_cast<double>(pipelined.iterations), static_cast<double>(cg.iterations),
              2 + 0.02 * static_cast<double>(cg.iterations));
  const auto p = testing::product_of(kernel, m, Precision::f64, {});
  const Solved s = emulated_solve(kernel, *p, system, options, 16, static_cast<int>(cg.iterations) / 16 + 3);
  EXPECT_LE(true_residual(system, s.x), 1e-9);
  EXPECT_NEAR(static_cast<double>(s.residuals.size() - 1), static_cast<double>(cg.iterations),
              2 + 0.02 * static_cast<double>(cg.iterations));
}

TEST(Solves, AMatrixThatIsNotDefiniteIsFoundOut) {
  const KernelRow& kernel = kernel_row("csr_vector");
  // The diagonal of a Laplacian less 5 has both signs of eigenvalues.
  Matrix m = matrix_of("laplace5?nx=9&ny=9");
  std::vector<double> values(m.csr->values().begin(), m.csr->values().end());
  std::vector<std::int32_t> columns;
  for (std::size_t k = 0; k < values.size(); ++k) columns.push_back(static_cast<std::int32_t>(m.csr->columns()[k]));
  for (index_t i = 0; i < m.csr->rows(); ++i) values[static_cast<std::size_t>(m.csr->find(i, i))] -= 5;
  m.csr = std::make_shared<const Csr>(m.csr->rows(), m.csr->cols(),
                                      std::vector<index_t>(m.csr->row_ptr().begin(), m.csr->row_ptr().end()),
                                      Indices(std::move(columns)), std::move(values));
  try {
    system_on(m, {.solver = Solver::cg, .preconditioner = Preconditioner::chebyshev}, Precision::f64);
    ADD_FAILURE() << "Chebyshev took it";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("positive definite"), std::string::npos) << e.what();
  }
  for (const Solver solver : {Solver::cg, Solver::pipelined_cg}) {
    const SolveOptions options{.solver = solver};
    const LinearSystem system = system_on(m, options, Precision::f64);
    Progress progress;
    std::vector<double> x;
    const SolveResult host = solve_on_host(system, options, progress, x);
    EXPECT_EQ(host.end, SolveEnd::broke_down) << host.why;
    const auto p = testing::product_of(kernel, m, Precision::f64, {});
    const IterationInputs inputs = iteration_inputs(system, options, 4);
    const EmulatedIteration it = emulated_iteration(kernel, p->inputs, inputs);
    for (std::uint64_t u = 0; u < host.iterations / 4 + 2; ++u) run_launches(*it.product, 0, it.plan.unit_launches());
    const std::vector<double> rr = it.product->state("rr");
    EXPECT_EQ(rr.back(), 0) << "it went on behind the breakdown";
  }
}

TEST(Solves, WhatNoSolveCanTakeIsRefused) {
  Progress progress;
  const auto refused = [&](const Matrix& m, const SolveOptions& options, std::vector<double> b, const char* words) {
    try {
      make_system(m.csr, RealView::real_part, Precision::f64, options, std::move(b),
                  vector_of_word("zeros", m.csr->rows(), 1), progress);
      ADD_FAILURE() << words;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
    }
  };
  const Matrix square = matrix_of("laplace5?nx=4&ny=4"), wide = matrix_of("random?rows=4&cols=6");
  const std::vector<double> ones(16, 1.0);
  refused(wide, {.solver = Solver::cg}, std::vector<double>(4, 1.0), "square");
  refused(square, {.solver = Solver::cg}, std::vector<double>(15, 1.0), "15 elements");
  refused(square, {.solver = Solver::cg}, std::vector<double>(16, 0.0), "is 0");
  std::vector<double> nan = ones;
  nan[3] = std::nan("");
  refused(square, {.solver = Solver::cg}, nan, "element 4");
  const Matrix unsymmetric = matrix_of("random?rows=16&cols=16");
  refused(unsymmetric, {.solver = Solver::cg}, ones, "not symmetric");
  refused(unsymmetric, {.solver = Solver::bicgstab, .preconditioner = Preconditioner::jacobi}, ones, "diagonal");
  refused(unsymmetric, {.solver = Solver::gmres, .preconditioner = Preconditioner::chebyshev}, ones, "Chebyshev needs");
  for (const char* id : {"csr_transposed", "axpy"}) EXPECT_THROW(solve::require_product(kernel_row(id)), Error) << id;
}

}  // namespace
}  // namespace warpspy
