// The tab Solve: what it asks of the engine, and what it shows of the answer.
#include "tests/ui/support.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {
namespace {

TEST(SolveTab, AsksForWhatIsChosenAndDrawsWhatComes) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(ShowTab{"solve"});
  h.settle();
  EXPECT_EQ(h.state().solve.residuals, nullptr);
  h.session.apply(choose("solver", Solver::bicgstab));
  h.session.apply(choose("preconditioner", Preconditioner::jacobi));
  h.session.apply(choose("digits", std::uint64_t{4}));
  h.session.apply(StartSolve{});
  h.settle();
  const auto solves = shown_solves(h.state());
  ASSERT_EQ(solves.size(), 1u);
  const RunRequest& asked = solves[0]->request;
  EXPECT_EQ(asked.solver, Solver::bicgstab);
  EXPECT_EQ(asked.preconditioner, Preconditioner::jacobi);
  EXPECT_DOUBLE_EQ(asked.tolerance, 1e-4);
  EXPECT_EQ(h.state().selected_run, solves[0]->id);
  ASSERT_NE(h.state().solve.residuals, nullptr);
  ASSERT_NE(h.state().solve.parts, nullptr);
  EXPECT_EQ(h.state().solve.residuals->rows.size(), 4u);  // an iteration each, and the start
  EXPECT_EQ(h.state().solve.parts->rows.size(), 2u);
}

TEST(SolveTab, SaysWhetherTheFormatPaysAndHowNearItComesToACopy) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(ShowTab{"solve"});
  const auto solve_with = [&](const char* kernel) {
    h.session.apply(SetKernel{kernel});
    h.session.apply(StartSolve{});
    h.settle();
  };
  solve_with("csr_vector");
  EXPECT_TRUE(h.shows("Break-even: unavailable: no other CSR solve of this matrix"));
  EXPECT_TRUE(h.shows("Bandwidth: unavailable: the bandwidth of a copy on Toy GPU is not known"));
  solve_with("csr_scalar");
  EXPECT_TRUE(h.shows("Break-even: from 4 iterations on, against CG with CSR vector; 3 were done."));
  h.session.apply(ShowTab{"diagnosis"});
  h.settle();
  EXPECT_TRUE(h.shows("3 iterations were done, and this format pays from 4 iterations on."));
  EXPECT_TRUE(h.shows("Limit: Too few iterations for this format"));
  // What the record keeps depends on no other run.
  for (const Finding& f : h.state().runs.all().back()->findings) EXPECT_NE(f.rule, "solve_preparation") << f.limit;
}

TEST(SolveTab, ComparesWithSavedSolvesToo) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(SetKernel{"csr_vector"});
  h.session.apply(StartSolve{});
  h.settle();
  const auto& saved = *h.state().solve.saved;
  ASSERT_EQ(saved.size(), 1u);
  EXPECT_EQ(saved[0]->request.kernel, "csr_vector");
}

TEST(SolveTab, ShowsTheStepsOfNewtonsMethod) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(ShowTab{"solve"});
  h.session.apply(StartSolve{});
  h.settle();
  EXPECT_FALSE(h.shows("Newton's method"));
  h.open("gen:bratu?n=6");
  h.session.apply(StartSolve{});
  h.settle();
  for (const char* text : {"Newton's method", "converged: |F| is small enough.", "Times in ms"})
    EXPECT_TRUE(h.shows(text)) << text;
  // |F| before the second step, and how much of y was taken; all iterations, and the time of F and J in all steps.
  for (const char* text : {"0.258", "2: 0.125 y", "343", "2.46"}) EXPECT_TRUE(h.shows(text)) << text;
}

// What is told of a solve follows the selected run, and the solves that come.
TEST(SolveTab, TheBreakEvenIsThatOfTheSelectedSolve) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(ShowTab{"solve"});
  h.settle();
  EXPECT_EQ(h.state().solve.break_even.base, nullptr);
  for (const char* kernel : {"csr_scalar", "csr_vector"}) {
    h.session.apply(SetKernel{kernel});
    h.session.apply(StartSolve{});
    h.settle();
  }
  const auto solves = shown_solves(h.state());
  ASSERT_EQ(solves.size(), 2u);
  EXPECT_TRUE(h.state().solve.break_even.never()) << "an iteration of CSR scalar takes half as long";
  h.session.apply(SelectRun{solves[0]->id});
  h.settle();
  ASSERT_NE(h.state().solve.break_even.base, nullptr);
  EXPECT_EQ(h.state().solve.break_even.base->request.kernel, "csr_vector");
  EXPECT_EQ(h.state().solve.break_even.iterations, 4u);
}

TEST(SolveTab, AnOrdinaryRunIsNoSolve) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(choose("solver", Solver::gmres));
  h.session.apply(StartRun{});
  h.settle();
  EXPECT_EQ(h.state().runs.all().back()->request.solver, Solver::none);
  EXPECT_TRUE(shown_solves(h.state()).empty());
}

TEST(SolveTab, TheDegreeIsAskedOfChebyshev) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(ShowTab{"solve"});
  h.settle();
  EXPECT_FALSE(h.shows("Degree"));
  h.session.apply(choose("preconditioner", Preconditioner::chebyshev));
  h.session.apply(choose("degree", std::uint64_t{8}));
  h.session.apply(SetChoice{"degree", "17"});
  h.settle();
  EXPECT_TRUE(h.shows("Degree"));
  h.session.apply(StartSolve{});
  h.settle();
  const auto solves = shown_solves(h.state());
  ASSERT_EQ(solves.size(), 1u);
  EXPECT_EQ(solves[0]->request.preconditioner, Preconditioner::chebyshev);
  EXPECT_EQ(solves[0]->request.degree, 8u);
}

TEST(SolveTab, OnlyF32IsRefined) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(ShowTab{"solve"});
  h.session.apply(choose("refine", true));
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    h.session.apply(choose("precision", precision));
    h.settle();
    EXPECT_EQ(h.shows("Refinement"), precision == Precision::f32);
    h.session.apply(StartSolve{});
    h.settle();
    EXPECT_EQ(shown_solves(h.state()).back()->request.refine, precision == Precision::f32);
  }
}

TEST(SolveTab, ItsChoicesCanBeUndone) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(choose("solver", Solver::gmres));
  EXPECT_EQ(h.state().solve.solver, Solver::gmres);
  h.session.apply(Undo{});
  EXPECT_EQ(h.state().solve.solver, Solver::cg);
  h.session.apply(SetChoice{"solver", "magic"});
  h.session.apply(SetChoice{"digits", "99"});
  EXPECT_EQ(h.state().solve.solver, Solver::cg);
  EXPECT_EQ(h.state().solve.digits, 6u);
}

}  // namespace
}  // namespace warpspy::ui
