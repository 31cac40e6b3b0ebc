// warpspy solve: what it says, what it refuses, and what it writes.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.hpp"

namespace {

using warpspy::testing::has;
using warpspy::testing::warpspy;
using Json = nlohmann::json;

Json solved(const std::string& words) {
  const auto r = warpspy("solve " + words + " --device sim:h200 --json");
  EXPECT_EQ(r.code, 0) << r.err;
  return Json::parse(r.out).at("runs").at(0);
}

TEST(Solve, EveryMethodConverges) {
  for (const char* solver : {"cg", "pipelined_cg", "bicgstab", "gmres"})
    for (const char* precond : {"none", "jacobi", "block_jacobi", "chebyshev"}) {
      const Json run = solved(std::string("'gen:laplace5?nx=20&ny=20' --solver ") + solver + " --precond " + precond);
      const Json& s = run.at("solve");
      EXPECT_EQ(s.at("end"), "converged") << solver << " " << precond << ": " << s.at("why");
      EXPECT_LE(s.at("true_residual").get<double>(), 2e-8) << solver << " " << precond;
      EXPECT_EQ(s.at("residuals").size(), s.at("iterations").get<std::size_t>() + 1);
      EXPECT_EQ(run.at("request").at("solver"), solver);
      for (const char* quantity : {"iteration_product", "iteration_updates", "solve", "minimum_bytes"})
        EXPECT_GT(run.at("quantities").at(quantity).at("value").get<double>(), 0) << quantity;
    }
}

TEST(Solve, SaysWhyItEnds) {
  EXPECT_EQ(solved("'gen:laplace5?nx=40&ny=40' --max-iterations 5").at("solve").at("end"), "most iterations");
  // f32 cannot reach it.
  const Json f32 = solved("'gen:laplace5?nx=60&ny=60' --precision f32 --tol 1e-12 --max-iterations 2000");
  EXPECT_EQ(f32.at("solve").at("end"), "stagnated") << f32.at("solve").at("why");
}

TEST(Solve, ChebyshevSaysWhatItsBoundsTook) {
  const std::string grid = "'gen:laplace5?nx=40&ny=40' ";
  const Json plain = solved(grid), run = solved(grid + "--precond chebyshev --degree 3");
  EXPECT_LT(2 * run.at("solve").at("iterations").get<int>(), plain.at("solve").at("iterations").get<int>());
  const auto value = [&](const char* part, const char* id) { return run.at(part).at(id).at("value").get<double>(); };
  EXPECT_EQ(value("quantities", "eigenvalue_products"), 10);
  // Ten iterations of CG with Jacobi are modelled, as the run's own iterations are.
  const double cg = solved(grid + "--precond jacobi").at("time_us").get<double>();
  EXPECT_NEAR(value("quantities", "eigenvalue_estimate"), 10 * cg, 0.1 * cg);
  EXPECT_NEAR(value("quantities", "eigenvalue_most"), 2.1, 0.15);  // 1.1 times what is nearly 2
  EXPECT_EQ(run.at("request").at("degree"), 3);
  EXPECT_TRUE(has(run.at("notes").dump(), "estimate of the eigenvalues: 10 iterations of CG"));
  // Three products more are most of the launches' time.
  const double product = plain.at("quantities").at("iteration_product").at("value").get<double>();
  EXPECT_NEAR(value("quantities", "iteration_product") / product, 4, 0.8);
}

TEST(Solve, RefinementTellsItsStepsApart) {
  const std::string words = "'gen:laplace5?nx=40&ny=40' --precision f32 --tol 1e-11 --rhs random ";
  EXPECT_EQ(solved(words).at("solve").at("end"), "stagnated");
  const Json run = solved(words + "--refine --precond jacobi");
  const Json& s = run.at("solve");
  EXPECT_EQ(s.at("end"), "converged") << s.at("why");
  EXPECT_LE(s.at("true_residual").get<double>(), 1e-11);
  EXPECT_EQ(s.at("residuals").size(), s.at("iterations").get<std::size_t>() + 1);
  EXPECT_GE(run.at("quantities").at("refinement_steps").at("value").get<int>(), 3);
  // The steps are modelled, so a second run says the same.
  const double steps = run.at("quantities").at("refinement").at("value").get<double>();
  EXPECT_GT(steps, 0);
  EXPECT_EQ(solved(words + "--refine --precond jacobi").at("quantities").at("refinement").at("value"), steps);
  EXPECT_EQ(run.at("request").at("refine"), true);
  EXPECT_TRUE(has(run.at("notes").dump(), "refinement: residuals in f64"));
  // The modelled time of the iterations does not have that of the steps.
  const double iteration = run.at("time_us").get<double>(), all = s.at("iterations").get<double>() * iteration;
  EXPECT_NEAR(run.at("quantities").at("solve").at("value").get<double>(), all, 1e-6 * all);
}

TEST(Solve, StandInsAreMadePositiveDefinite) {
  const Json run = solved("'gen:random?rows=3000&cols=3000&spd=1' --precond jacobi");
  EXPECT_EQ(run.at("solve").at("end"), "converged");
  EXPECT_GT(run.at("matrix").at("nnz").get<int>(), 30000);
}

TEST(Solve, SaysFromHowManyIterationsItsFormatPays) {
  const std::string grid = "'gen:laplace5?nx=40&ny=40' --device sim:h200 ",
                    file = ::testing::TempDir() + "warpspy-break-even.sqlite", kept = "WARPSPY_RUNS='" + file + "'";
  std::filesystem::remove(file);
  const auto runs_of = [&](const std::string& words) {
    const auto r = warpspy("solve " + grid + words + " --json", kept);
    EXPECT_EQ(r.code, 0) << r.err;
    return Json::parse(r.out).at("runs");
  };
  const Json alone = runs_of("--kernel dia").at(0);
  EXPECT_EQ(alone.at("break_even").at("unavailable"),
            "no CSR solve of this matrix to compare with: solve it with CSR vector");
  EXPECT_GT(alone.at("copy_share").at("value").get<double>(), 0);
  // What is saved counts, and what the same command makes.
  runs_of("--kernel csr_vector --precond jacobi");
  EXPECT_TRUE(runs_of("--kernel dia").at(0).at("break_even").contains("unavailable")) << "another preconditioner";
  runs_of("--kernel csr_vector");
  for (const char* kernels : {"dia", "dia,csr_scalar"}) {
    const Json run = runs_of(std::string("--kernel ") + kernels).at(0), even = run.at("break_even");
    ASSERT_FALSE(even.contains("unavailable")) << even;
    EXPECT_EQ(even.at("provenance"), "modelled");
    const auto number = [&](const Json& j, const char* id) { return j.at(id).at("value").get<double>(); };
    const double conversion = number(run.at("machine"), "conversion"), us = run.at("time_us");
    EXPECT_EQ(even.at("against"), "csr_vector");
    const auto csr = Json::parse(warpspy("runs show " + even.at("run").dump() + " --json", kept).out);
    const double gain = csr.at("time_us").get<double>() - us;
    ASSERT_GT(gain, 0) << "CG with DIA moves fewer bytes";
    EXPECT_EQ(even.at("iterations").get<double>(), std::ceil(conversion / gain));
  }
  const auto text = warpspy("solve " + grid + "--kernel dia", kept);
  EXPECT_TRUE(has(text.out, " iterations on, against CG with CSR vector; ")) << text.out;
  EXPECT_TRUE(has(text.out, " of a copy (")) << text.out;
  EXPECT_TRUE(has(text.out, "each launch [us]")) << text.out;
  // Also of a saved run.
  EXPECT_TRUE(has(warpspy("runs show 1", kept).out, "break-even"));
  std::filesystem::remove(file);
}

TEST(Solve, TellsEachLaunch) {
  const Json run = solved("'gen:laplace5?nx=20&ny=20'");
  double sum = 0;
  for (const char* id : {"launch_1_product", "launch_2_dots", "launch_3_updates", "launch_4_updates"})
    sum += run.at("quantities").at(id).at("value").get<double>();
  EXPECT_NEAR(sum, run.at("time_us").get<double>(), 1e-6 * sum);
  EXPECT_EQ(run.at("quantities").at("iteration_launches").at("value"), 4);
}

TEST(Solve, ReadsAndWritesVectors) {
  const std::string folder = ::testing::TempDir() + "warpspy-solve";
  std::filesystem::create_directories(folder);
  for (const char* name : {"x.npy", "x.mtx"}) {
    const std::string file = folder + "/" + name;
    solved("'gen:laplace5?nx=12&ny=11' --solution " + file);
    // From its solution nothing is left to do.
    const Json again = solved("'gen:laplace5?nx=12&ny=11' --x0 " + file);
    EXPECT_EQ(again.at("solve").at("iterations"), 0) << name;
    const auto wrong = warpspy("solve 'gen:laplace5?nx=5&ny=5' --device sim:h200 --rhs " + file);
    EXPECT_NE(wrong.code, 0);
    EXPECT_TRUE(has(wrong.err, "132 elements")) << wrong.err;
  }
  std::filesystem::remove_all(folder);
}

// A plan may come from anybody: only who types the command says where a solution is written.
TEST(Solve, AFileNamesNoPlaceForTheSolution) {
  const std::string folder = ::testing::TempDir() + "warpspy-solve-plan", victim = folder + "/victim.npy";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/plan.json")
      << R"({"matrices": ["gen:laplace5?nx=8&ny=8"], "kernels": ["csr_vector"], "solver": "cg", )"
      << R"("device": "sim:h200", "solution": ")" << victim << "\"}";
  const auto r = warpspy("sweep '" + folder + "/plan.json' -o '" + folder + "/out'");
  EXPECT_NE(r.code, 0);
  EXPECT_TRUE(has(r.err, "unknown field \"solution\"")) << r.err;
  EXPECT_FALSE(std::filesystem::exists(victim));
  const Json run = solved("'gen:laplace5?nx=8&ny=8' --solution '" + victim + "'");
  EXPECT_TRUE(std::filesystem::exists(victim));
  EXPECT_FALSE(run.at("request").contains("solution")) << "repeating the run would write it again";
  std::filesystem::remove_all(folder);
}

TEST(Solve, IsSweptLikeAnyRun) {
  const std::string folder = ::testing::TempDir() + "warpspy-solve-sweep";
  const auto r = warpspy(
      "sweep --matrix 'gen:laplace5?nx=12&ny=12' --kernel csr_vector,ell --solver cg,bicgstab --device sim:h200 -o '" +
      folder + "'");
  ASSERT_EQ(r.code, 0) << r.err;
  std::ifstream in(folder + "/table.csv");
  const std::string table((std::istreambuf_iterator<char>(in)), {});
  for (const char* word : {",cg,", ",bicgstab,"}) EXPECT_TRUE(has(table, word)) << table;
  std::filesystem::remove_all(folder);
}

TEST(Solve, DrawsItsResiduals) {
  const std::string file = ::testing::TempDir() + "warpspy-residuals.svg";
  const auto r =
      warpspy("solve 'gen:laplace5?nx=12&ny=12' --device sim:h200 --kernel csr_vector,ell -o '" + file + "'");
  ASSERT_EQ(r.code, 0) << r.err;
  std::ifstream in(file);
  const std::string svg((std::istreambuf_iterator<char>(in)), {});
  EXPECT_TRUE(has(svg, "CG with CSR vector")) << svg.substr(0, 300);
  EXPECT_TRUE(has(svg, "tolerance"));
  std::filesystem::remove(file);
}

TEST(Solve, BratuIsNewtonsMethod) {
  for (const char* how : {"", "--solver gmres --precond block_jacobi --kernel ell", "--precision f32 --tol 1e-4"}) {
    const Json run = solved(std::string("'gen:bratu?n=9' --newton-tol 1e-10 ") + how);
    const Json& newton = run.at("newton");
    EXPECT_EQ(newton.at("end"), "converged") << newton.at("why");
    const Json& steps = newton.at("steps");
    ASSERT_GE(steps.size(), 3u) << how;
    const Json& of_machine = run.at("machine").at("newton_steps");
    ASSERT_EQ(of_machine.size(), steps.size());
    double solve_us = 0;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const Json& s = steps[k];
      EXPECT_EQ(s.at("share"), 1);
      EXPECT_GT(of_machine[k].at("assembly_us").get<double>(), 0);
      for (const char* time : {"solve_us", "products_us"}) EXPECT_GT(s.at(time).get<double>(), 0) << time;
      EXPECT_LT(s.at("products_us").get<double>(), s.at("solve_us").get<double>());
      solve_us += s.at("solve_us").get<double>();
    }
    EXPECT_LE(newton.at("norm").get<double>(), 1e-10 * steps[0].at("norm").get<double>());
    EXPECT_NEAR(run.at("quantities").at("newton_solve").at("value").get<double>(), solve_us, 1e-9 * solve_us);
    EXPECT_EQ(run.at("solve").at("iterations"), steps[0].at("iterations"))
        << "the run's own are those of the first step";
    // A format other than CSR is built in each step.
    EXPECT_EQ(of_machine[1].at("preparation_us").get<double>() > 0, has(how, "ell"));
  }
}

TEST(Solve, BratuCountsTheProductsOfAPolynomial) {
  const Json run = solved("'gen:bratu?n=9' --precond chebyshev --degree 2 --precision f32 --tol 1e-4 --refine");
  double iterations = 0, products_us = 0;
  for (const Json& s : run.at("newton").at("steps")) {
    iterations += s.at("iterations").get<double>(), products_us += s.at("products_us").get<double>();
  }
  const Json& of_machine = run.at("machine").at("newton_steps");
  for (const Json& s : of_machine)
    EXPECT_GT(s.at("preparation_us").get<double>(), 0) << "the estimate of the eigenvalues";
  const auto value = [&](const char* id) { return run.at("quantities").at(id).at("value").get<double>(); };
  const double nnz = run.at("matrix").at("nnz").get<double>(), rate = 2 * 3 * iterations * nnz / products_us * 1e-3;
  EXPECT_NEAR(value("newton_products_gflops"), rate, 1e-9 * rate);
  const auto of_step = [&](const char* id) { return run.at("newton").at("steps")[0].at(id).get<double>(); };
  EXPECT_NEAR(of_step("solve_us"), value("solve") + value("refinement"), 1e-9 * of_step("solve_us"));
  const double preparation_us = of_machine[0].at("preparation_us").get<double>();
  EXPECT_NEAR(preparation_us, value("eigenvalue_estimate"), 1e-9 * preparation_us);
}

TEST(Solve, BratuSaysItsStepsAndWritesU) {
  const std::string file = ::testing::TempDir() + "warpspy-bratu.npy";
  const auto r = warpspy("solve 'gen:bratu?n=7' --device sim:h200 --solution '" + file + "'");
  ASSERT_EQ(r.code, 0) << r.err;
  for (const char* word : {"Newton's method: converged", "|F| before", "solve of the first step", "products in both"})
    EXPECT_TRUE(has(r.out, word)) << word << "\n" << r.out;
  // u is written, of 343 points: here as a right-hand side of the first Jacobian alone.
  const auto again =
      warpspy("solve 'gen:bratu?n=7' --newton-steps 0 --solver gmres --rhs '" + file + "' --device sim:h200");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_FALSE(has(again.out, "Newton")) << again.out;
  std::filesystem::remove(file);
  EXPECT_EQ(solved("'gen:bratu?n=7' --newton-steps 1").at("newton").at("end"), "most iterations");
}

TEST(Solve, RefusesWhatItCannotSolve) {
  const struct {
    const char *words, *says;
  } cases[] = {{"'gen:random?rows=20&cols=30'", "square"},
               {"'gen:random?rows=30&cols=30'", "not symmetric"},
               {"'gen:random?rows=30&cols=30' --solver bicgstab --precond jacobi", "diagonal"},
               {"'gen:laplace5?nx=5&ny=5' --kernel csr_transposed", "does not compute A x"},
               {"'gen:laplace5?nx=5&ny=5' --rhs zeros", "solution is 0"},
               {"'gen:laplace5?nx=5&ny=5' --rhs twos", "is no vector"},
               {"'gen:laplace5?nx=5&ny=5' --block-rows 7 --precond block_jacobi", "8, 16 or 32"},
               {"'gen:laplace5?nx=5&ny=5' --degree 0 --precond chebyshev", "1 to 16"},
               {"'gen:laplace5?nx=5&ny=5' --degree 17 --precond chebyshev", "1 to 16"},
               {"'gen:random?rows=30&cols=30' --solver gmres --precond chebyshev", "use --precond jacobi"},
               {"'gen:laplace5?nx=5&ny=5' --precision f64 --refine", "nothing to refine"},
               {"'gen:laplace5?nx=5&ny=5' --max-iterations 0", "iterations"},
               {"'gen:laplace5?nx=5&ny=5' --rhs missing.npy", "missing.npy"},
               {"'gen:laplace5?nx=5&ny=5' --kernel best", "warpspy best"},
               {"'gen:laplace5?nx=5&ny=5' --kernel best --param coop=4", "its own parameters"},
               {"'gen:laplace5?nx=5&ny=5' --kernel ell,csr_vector --solution x.npy", "several kernels"},
               {"'gen:bratu?n=5' --rhs random", "makes the right-hand side"},
               {"'gen:bratu?n=5 | rcm'", "numbers the points"},
               {"'gen:bratu?n=5' --newton-steps 0", "not symmetric"},
               {"'gen:bratu?n=5' --newton-steps 1001", "at most 1000 steps"},
               {"'gen:laplace5?nx=5&ny=5' --kernel coo_atomic --deterministic", "by atomics"}};
  for (const auto& c : cases) {
    const auto r = warpspy(std::string("solve --device sim:h200 ") + c.words);
    EXPECT_NE(r.code, 0) << c.words;
    EXPECT_TRUE(has(r.err, c.says)) << c.words << ": " << r.err;
  }
}

}  // namespace
