// Which kernels a solve tries, and which of them it takes.
#include "core/model/best_solve.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace warpspy {
namespace {

using Kept = std::shared_ptr<const RunRecord>;

ParamSpec coop() {
  ParamSpec spec;
  spec.id = "coop", spec.type = ParamSpec::Type::integer, spec.min = 1, spec.max = 32, spec.def = 1;
  return spec;
}

Catalog catalog() {
  Catalog c;
  for (const char* id : {"csr", "ell"}) {
    FormatInfo f;
    f.id = id, f.intermediate = f.id == "csr";
    c.formats.push_back(f);
  }
  const std::pair<const char*, const char*> kernels[] = {{"csr_a", "csr"}, {"csr_b", "csr"},  {"ell_a", "ell"},
                                                         {"ell_b", "ell"}, {"ell_c", "ell"},  {"ell_d", "ell"},
                                                         {"ell_e", "ell"}, {"library", "csr"}};
  for (const auto& [id, format] : kernels) {
    KernelInfo k;
    k.id = id, k.label = id, k.format = format, k.params = {coop()};
    if (k.id == "library") k.library = "cusparse";
    if (k.id == "ell_a") k.tags = Tag::atomics;
    c.kernels.push_back(k);
  }
  return c;
}

RunRecord run_of(const std::string& kernel, double preparation, double us, ParamSet params = {}) {
  RunRecord r;
  r.status = RunStatus::ok, r.provenance = Provenance::measured;
  r.request.kernel = kernel, r.request.matrix = "m.mtx", r.request.params = std::move(params);
  r.format = kernel.starts_with("ell") ? "ell" : "csr", r.kernel_label = kernel;
  r.device = "cuda:0", r.fingerprint = "abc";
  r.time = {us, "us", Provenance::measured};
  r.details = {{"conversion", "", {0, "us", Provenance::measured}},
               {"setup", "", {preparation, "us", Provenance::measured}}};
  return r;
}
Kept kept(RunRecord r) { return std::make_shared<const RunRecord>(std::move(r)); }
Kept solve_of(const std::string& kernel, double preparation, double us) {
  RunRecord r = run_of(kernel, preparation, us);
  r.request.solver = Solver::cg;
  r.solve = SolveResult{};
  r.details.push_back({"solution", "", {32 * us + preparation, "us", Provenance::measured}});
  r.details.push_back({"solve", "", {32 * us, "us", Provenance::measured}});
  return kept(std::move(r));
}

std::vector<std::string> names_of(const std::vector<RunRequest>& trials) {
  std::vector<std::string> names;
  for (const RunRequest& r : trials)
    names.push_back(r.kernel + (r.params.empty() ? "" : " " + std::to_string(static_cast<int>(r.params.at("coop")))));
  return names;
}

std::vector<Kept> products() {
  return {kept(run_of("ell_a", 900, 1)), kept(run_of("ell_b", 100, 2)),
          kept(run_of("ell_c", 200, 3)), kept(run_of("ell_d", 300, 4)),
          kept(run_of("ell_e", 400, 5)), kept(run_of("library", 0, 0.5)),
          kept(run_of("csr_b", 10, 30)), kept(run_of("csr_a", 0, 20, {{"coop", 8}}))};
}

// Four kernels, and the best that read CSR; CSR's defaults too.
TEST(BestSolve, TriesTheKernelsThatCostLeast) {
  const Catalog c = catalog();
  const auto rows = best_runs(products(), c, {}, 100);
  ASSERT_EQ(rows.size(), 1u);
  RunRequest solve;
  solve.solver = Solver::cg, solve.most_iterations = 100, solve.solution = "x.npy";
  const std::vector<RunRequest> trials = solve_trials(rows.front(), c, solve, 100);
  EXPECT_EQ(names_of(trials),
            (std::vector<std::string>{"ell_b", "ell_c", "ell_d", "ell_e", "csr_a 8", "csr_a", "csr_b"}));
  for (const RunRequest& r : trials) {
    EXPECT_EQ(r.most_iterations, iterations_of_trial);
    EXPECT_EQ(r.solution, "");
    EXPECT_EQ(r.solver, Solver::cg);
  }
  solve.most_iterations = 10;
  EXPECT_EQ(solve_trials(rows.front(), c, solve, 100).front().most_iterations, 10u);
  // For very many products the first is another one, unless its bits differ from solve to solve.
  EXPECT_EQ(names_of(solve_trials(rows.front(), c, solve, 100'000)).front(), "ell_a");
  solve.deterministic = true;
  EXPECT_EQ(names_of(solve_trials(rows.front(), c, solve, 100'000)).front(), "ell_b");
}

// 9000: the first solve with a kernel loaded its code. The products' own preparation does not count.
TEST(BestSolve, TakesTheOneWithTheLeastPreparationAndIterations) {
  const Kept failed = [] {
    RunRecord r = *solve_of("ell_c", 0, 0.1);
    r.status = RunStatus::failed;
    return kept(std::move(r));
  }();
  const std::vector<Kept> solves{solve_of("csr_a", 9000, 10), solve_of("ell_b", 9000, 9), failed,
                                 kept(run_of("ell_d", 0, 1)), solve_of("csr_a", 0, 10),   solve_of("ell_b", 100, 9)};
  EXPECT_EQ(least_solve(solves, 50), solves[4]);
  EXPECT_EQ(least_solve(solves, 150), solves[5]);
  EXPECT_EQ(solve_cost_us(*solves[5], 150), 100 + 150 * 9);
  EXPECT_EQ(solve_cost_us(*solves[3], 150), std::nullopt);
  EXPECT_EQ(least_solve(std::vector{failed}, 50), nullptr);
}

TEST(BestSolve, ASavedSolveOfTheSameIsNotTriedAgain) {
  const Catalog c = catalog();
  RunRequest trial;
  trial.solver = Solver::cg, trial.kernel = "csr_a", trial.params = {{"coop", 1}}, trial.most_iterations = 32;
  const RunRecord saved = *solve_of("csr_a", 0, 10);  // with the default, which is 1
  EXPECT_TRUE(tells(saved, trial, "cuda:0", c));
  EXPECT_FALSE(tells(saved, trial, "cuda:1", c));
  EXPECT_FALSE(tells(run_of("csr_a", 0, 10), trial, "cuda:0", c)) << "a product is no solve";
  const auto changed = [&](const auto& change) {
    RunRequest other = trial;
    change(other);
    return tells(saved, other, "cuda:0", c);
  };
  EXPECT_FALSE(changed([](RunRequest& r) { r.kernel = "csr_b"; }));
  EXPECT_FALSE(changed([](RunRequest& r) { r.params = {{"coop", 2}}; }));
  EXPECT_FALSE(changed([](RunRequest& r) { r.solver = Solver::pipelined_cg; }));
  EXPECT_FALSE(changed([](RunRequest& r) { r.preconditioner = Preconditioner::jacobi; }));
  EXPECT_FALSE(changed([](RunRequest& r) { r.precision = Precision::f64; }));
  EXPECT_FALSE(changed([](RunRequest& r) { r.parts = 2; }));
  EXPECT_TRUE(changed([](RunRequest& r) { r.split = Split::metis; })) << "of one part";
}

}  // namespace
}  // namespace warpspy
