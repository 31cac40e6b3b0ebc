// What limits a solve: each finding where it holds, and not where it does not.
#include "core/diagnosis/solve_findings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace warpspy {
namespace {

// A solve of 100 iterations of 10 us, of which the product takes 5, sums 2 and updates 2; prepared in 100 us.
RunRecord solve_of(Solver solver = Solver::cg) {
  RunRecord r;
  r.status = RunStatus::ok;
  r.provenance = Provenance::measured;
  r.request.solver = solver;
  r.time = {10, "us", Provenance::measured};
  r.format = "csr";
  r.details.push_back({"conversion", "", {0, "us", Provenance::measured}});
  r.solve = SolveResult{.end = SolveEnd::converged,
                        .why = "said here",
                        .iterations = 100,
                        .residuals = {1, 1e-9},
                        .true_residual = 1e-9,
                        .solution_norm = 1,
                        .numbers_from = "a test"};
  const std::pair<const char*, double> details[] = {{"iteration_product", 5}, {"iteration_dots", 2},
                                                    {"iteration_updates", 2}, {"iteration_gaps", 1},
                                                    {"solve", 1000},          {"solution", 1100}};
  for (const auto& [id, us] : details) r.details.push_back({id, id, {us, "us", Provenance::measured}});
  return r;
}
Catalog csr_catalog() {
  Catalog c;
  c.formats.emplace_back().id = "csr", c.formats.back().intermediate = true;
  return c;
}
void set(RunRecord& r, const std::string& id, double us) {
  for (Detail& d : r.details)
    if (d.id == id) d.quantity.value = us;
}
const Finding* of_rule(const std::vector<Finding>& all, const std::string& rule) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const Finding& f) { return f.rule == rule; });
  return at == all.end() ? nullptr : &*at;
}

TEST(SolveFindings, NoneOfARunThatIsNoSolve) {
  RunRecord r = solve_of();
  r.solve.reset();
  EXPECT_TRUE(diagnose_solve(r).empty());
}

TEST(SolveFindings, WhereNothingTakesHalfItSaysSo) {
  const auto all = diagnose_solve(solve_of());
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].rule, "solve_balance");
}

TEST(SolveFindings, TheLargerPartIsNamed) {
  const struct {
    const char *rule, *part;
    double us, share;
  } cases[] = {{"solve_product", "iteration_product", 7, 0.7},
               {"solve_vectors", "iteration_updates", 5, 0.7},
               {"solve_launches", "iteration_gaps", 4, 0.4}};
  for (const auto& c : cases) {
    RunRecord r = solve_of();
    EXPECT_EQ(of_rule(diagnose_solve(r), c.rule), nullptr) << c.rule;
    set(r, c.part, c.us);
    const auto all = diagnose_solve(r);
    const Finding* f = of_rule(all, c.rule);
    ASSERT_NE(f, nullptr) << c.rule;
    EXPECT_NEAR(f->share, c.share, 1e-12) << c.rule;
    EXPECT_FALSE(f->limit.empty() || f->evidence.empty() || f->advice.empty()) << c.rule;
  }
}

TEST(SolveFindings, PreparationThatTakesLongerThanTheSolve) {
  RunRecord r = solve_of();
  EXPECT_EQ(of_rule(diagnose_solve(r), "solve_preparation"), nullptr);
  set(r, "solution", 2001);
  const auto all = diagnose_solve(r);
  const Finding* f = of_rule(all, "solve_preparation");
  ASSERT_NE(f, nullptr);
  EXPECT_NEAR(f->share, 1001.0 / 2001, 1e-12);
}

// Against a CSR solve of the same: 500 us of preparation and 10 us an iteration.
TEST(SolveFindings, TooFewIterationsForTheFormat) {
  RunRecord r = solve_of();  // 100 iterations
  r.details.push_back({"setup", "", {500, "us", Provenance::measured}});
  const struct {
    double csr_us;
    const char* says;  // "": nothing
  } cases[] = {{20, ""},
               {15, ""},  // exactly paid for
               {14.9, "100 iterations were done, and this format pays from 103 iterations on."},
               {12, "100 iterations were done, and this format pays from 250 iterations on."},
               {10, "For so many iterations and for more, CG with CSR vector takes less time."},
               {9, "For so many iterations and for more, CG with CSR vector takes less time."}};
  for (const auto& c : cases) {
    RunRecord csr = solve_of();
    csr.request.kernel = "csr_vector", csr.kernel_label = "CG with CSR vector";
    r.request.kernel = "ell", csr.time.value = c.csr_us;
    SolveBreakEven b = solve_break_even(r, {std::make_shared<const RunRecord>(csr)}, csr_catalog());
    ASSERT_TRUE(b.base) << b.reason;
    const auto all = diagnose_solve(r, &b);
    const Finding* f = of_rule(all, "solve_preparation");
    ASSERT_EQ(f != nullptr, *c.says != 0) << c.csr_us;
    if (!f) continue;
    EXPECT_NE(f->limit.find(c.says), std::string::npos) << f->limit;
    EXPECT_NE(f->advice.find("CG with CSR vector"), std::string::npos) << f->advice;
    EXPECT_NEAR(f->share, 1 - 100 * c.csr_us / 1500, 1e-12);
  }
  // Where the break-even is known, a long preparation alone is no finding; where it is not, it is.
  set(r, "solution", 2001);
  SolveBreakEven paid{.iterations = 3, .base = std::make_shared<const RunRecord>(solve_of()), .cost = {1001, 10}};
  paid.of_base = {0, 1000};
  EXPECT_EQ(of_rule(diagnose_solve(r, &paid), "solve_preparation"), nullptr);
  const SolveBreakEven unavailable{.reason = "said here"};
  EXPECT_NE(of_rule(diagnose_solve(r, &unavailable), "solve_preparation"), nullptr);
}

// No advice is what the solve does already.
TEST(SolveFindings, AdviceIsAnotherWayThanTheOneTaken) {
  for (const SolverInfo& solver : solvers())
    for (const SolveEnd end : {SolveEnd::most_iterations, SolveEnd::stagnated, SolveEnd::broke_down})
      for (const Precision precision : {Precision::f32, Precision::f64}) {
        RunRecord r = solve_of(solver.solver);
        r.request.precision = precision;
        r.solve->end = end;
        set(r, "iteration_gaps", 4);
        const auto all = diagnose_solve(r);
        ASSERT_NE(of_rule(all, "solve_end"), nullptr);
        const std::string advice = of_rule(all, "solve_end")->advice;
        EXPECT_EQ(advice.find(std::string("Use ") + solver.label + ","), std::string::npos) << advice;
        EXPECT_EQ(advice.find(std::string("Use ") + solver.label + " or"), std::string::npos) << advice;
        if (precision == Precision::f64) {
          EXPECT_EQ(advice.find("f64"), std::string::npos) << advice;
        } else {
          EXPECT_EQ(advice.find("Refine") != std::string::npos,
                    end == SolveEnd::stagnated && solver.solver != Solver::pipelined_cg)
              << advice;
          r.request.refine = true;
          EXPECT_EQ(of_rule(diagnose_solve(r), "solve_end")->advice.find("Refine"), std::string::npos);
        }
        EXPECT_EQ(of_rule(all, "solve_launches")->advice.find("Pipelined") != std::string::npos,
                  solver.solver == Solver::cg);
      }
}

}  // namespace
}  // namespace warpspy
