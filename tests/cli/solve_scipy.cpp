// Iterations of solves beside SciPy's, on real and on generated matrices. Where SciPy itself needs another number of
// iterations once rows and columns stand in another order, or CG does so once its sums are made in long double,
// rounding decides, and the system is left out.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/scipy.hpp"
#include "tests/shared.hpp"

namespace {

using warpspy::testing::python_with_scipy;
using warpspy::testing::scratch;
using warpspy::testing::warpspy;

// Reads names of matrices; prints name, method, preconditioner, SciPy's iterations, and the least and the most of all
// ways of rounding.
constexpr const char* kScript = R"(
import inspect, sys, warnings, numpy as np, scipy.io, scipy.sparse as sp, scipy.sparse.linalg as la
warnings.filterwarnings("ignore")
tol = 1e-8
relative = "rtol" if "rtol" in inspect.signature(la.cg).parameters else "tol"  # "tol" before SciPy 1.12

def iterations(A, b, method, jacobi):
    count = [0]
    def step(_): count[0] += 1
    d = 1 / A.diagonal() if jacobi else None
    options = {relative: tol, "atol": 0, "callback": step}
    if jacobi: options["M"] = la.LinearOperator(A.shape, lambda v: d * v)
    if method == "cg": x, info = la.cg(A, b, maxiter=2999, **options)
    if method == "bicgstab": x, info = la.bicgstab(A, b, maxiter=2999, **options)
    if method == "gmres": x, info = la.gmres(A, b, restart=30, maxiter=99, callback_type="pr_norm", **options)
    solved = info == 0 and np.linalg.norm(b - A @ x) <= 10 * tol * np.linalg.norm(b)
    return count[0] if solved else None

def wide_cg(A, b, jacobi):
    dot = lambda u, v: float(np.dot(u.astype(np.longdouble), v.astype(np.longdouble)))
    d = 1 / A.diagonal() if jacobi else np.ones(len(b))
    r, p, end = b.copy(), d * b, tol * tol * dot(b, b)
    rz = dot(r, p)
    for k in range(1, 3000):
        w = A @ p
        alpha = rz / dot(p, w)
        r -= alpha * w
        if dot(r, r) <= end: return k
        z = d * r
        rz, before = dot(r, z), rz
        p = z + rz / before * p
    return None

seen = set()
for name in open(sys.argv[1]).read().split("\n"):
    if not name: continue
    try: A = scipy.io.mmread(name)
    except Exception: continue
    if not sp.issparse(A) or A.dtype.kind == "c" or A.shape[0] != A.shape[1] or not 30 <= A.shape[0] <= int(sys.argv[2]): continue
    A = sp.csr_matrix(A).astype(float)
    same = (A.shape, A.nnz, float(abs(A).sum()))
    if same in seen: continue
    seen.add(same)
    positive = abs(A - A.T).max() <= 1e-14 * abs(A).max()
    try:
        if positive: np.linalg.cholesky(A.toarray())
    except np.linalg.LinAlgError: positive = False
    b, back = np.ones(A.shape[0]), A[::-1][:, ::-1].tocsr()
    methods = [("cg", True), ("cg", False)] if positive else [("bicgstab", False), ("gmres", False)]
    for method, jacobi in methods:
        n = iterations(A, b, method, jacobi)
        if not n: continue
        orders = [np.random.default_rng(seed).permutation(A.shape[0]) for seed in (1, 2, 3)]
        trials = [lambda: iterations(back, b, method, jacobi)]
        trials += [lambda p=p: iterations(A[p][:, p].tocsr(), b, method, jacobi) for p in orders]
        if method == "cg": trials.append(lambda: wide_cg(A, b, jacobi))
        ways = [n]
        while trials and ways[-1]: ways.append(trials.pop(0)())  # to the first that does not converge
        if not ways[-1]: continue
        print(name, method, "jacobi" if jacobi else "none", n, min(ways), max(ways), sep="\t")
)";

struct Solved {
  std::string matrix, method, preconditioner;
  double iterations = 0, least = 0, most = 0;
  bool rounding_decides() const { return most - least > std::max(1.0, 0.01 * iterations); }
};

std::vector<Solved> by_scipy(const std::string& python, const std::vector<std::string>& matrices, int most_rows) {
  const std::string script = scratch("solve.py"), list = scratch("list"), said = scratch("said");
  std::ofstream(script) << kScript;
  std::ofstream names(list);
  for (const std::string& m : matrices) names << m << "\n";
  names.close();
  EXPECT_EQ(
      std::system(
          (python + " '" + script + "' '" + list + "' " + std::to_string(most_rows) + " >'" + said + "'").c_str()),
      0);
  std::vector<Solved> all;
  std::ifstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Solved s;
    std::getline(words, s.matrix, '\t'), std::getline(words, s.method, '\t');
    std::getline(words, s.preconditioner, '\t');
    words >> s.iterations >> s.least >> s.most;
    all.push_back(s);
  }
  for (const std::string& file : {script, list, said}) std::filesystem::remove(file);
  return all;
}

nlohmann::json solve_of(const Solved& s, const std::string& method) {
  const auto r = warpspy("solve '" + s.matrix + "' --solver " + method + " --precond " + s.preconditioner +
                         " --max-iterations 10000 --device sim:h200 --depth quick --json");
  EXPECT_EQ(r.code, 0) << s.matrix << " " << method << ": " << r.err;
  return nlohmann::json::parse(r.out).at("runs").at(0).at("solve");
}

// Returns how many systems were compared.
int expect_as_scipy(const std::vector<Solved>& all) {
  int compared = 0, left_out = 0;
  for (const Solved& s : all) {
    if (s.rounding_decides()) {
      ++left_out;
      continue;
    }
    const std::string what = s.matrix + ", " + s.method + ", " + s.preconditioner;
    const nlohmann::json own = solve_of(s, s.method);
    EXPECT_EQ(own.at("end"), "converged") << what;
    EXPECT_LE(own.at("true_residual").get<double>(), 1e-7) << what;
    EXPECT_NEAR(own.at("iterations").get<double>(), s.iterations, std::max(2.0, 0.02 * s.iterations)) << what;
    ++compared;
  }
  std::cout << compared << " systems compared, " << left_out << " left out, where rounding decides\n";
  return compared;
}

TEST(SolveBesideSciPy, RealMatrices) {
  const std::string python = python_with_scipy();
  if (python.empty()) GTEST_SKIP() << "no SciPy";
  if (!std::filesystem::exists(warpspy::test::kSharedMatrices))
    GTEST_SKIP() << warpspy::test::needs_shared(warpspy::test::kSharedMatrices);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(warpspy::test::kSharedMatrices))
    if (entry.path().extension() == ".mtx") files.push_back(std::filesystem::absolute(entry.path()).string());
  std::sort(files.begin(), files.end());
  EXPECT_GE(expect_as_scipy(by_scipy(python, files, 700)), 20);
}

TEST(SolveBesideSciPy, GeneratedMatrices) {
  const std::string python = python_with_scipy();
  if (python.empty()) GTEST_SKIP() << "no SciPy";
  const char* specs[] = {"laplace5?nx=40&ny=30",
                         "laplace5?nx=7&ny=200",
                         "laplace7?nx=12&ny=11&nz=10",
                         "laplace9?nx=40&ny=35",
                         "laplace27?nx=12&ny=11&nz=10",
                         "laplace3?nx=60",
                         "fem_quad?nx=30&ny=25",
                         "fem_quad?degree=2&nx=15&ny=14",
                         "fem_quad?degree=3&nx=9&ny=10",
                         "fem_quad?degree=4&nx=7&ny=8",
                         "band?rows=900&half=3&spd=1",
                         "band?rows=1500&half=20&spd=1",
                         "random?rows=1200&cols=1200&per_row=6&spd=1",
                         "random?rows=700&cols=700&per_row=30&spd=1",
                         "powerlaw?rows=1500&mean=8&exponent=2.4&spd=1",
                         "powerlaw?rows=2000&mean=5&exponent=2.8&spd=1",
                         "arrow?n=800&spd=1",
                         "uneven?rows=1000&cols=1000&shortest=2&longest=40&spd=1",
                         "wheel?n=500&spd=1",
                         "bratu?n=11"};
  std::vector<std::string> files;
  for (const char* spec : specs) {
    files.push_back(scratch("generated" + std::to_string(files.size()) + ".mtx"));
    const auto r = warpspy(std::string("generate '") + spec + "' -o '" + files.back() + "'");
    EXPECT_EQ(r.code, 0) << spec << ": " << r.err;
  }
  const std::vector<Solved> all = by_scipy(python, files, 2500);
  EXPECT_GE(expect_as_scipy(all), 20);
  // Rounding errors of its updates add up, so pipelined CG takes some more iterations than CG (here up to 8 %).
  for (const Solved& s : all) {
    if (s.method != "cg" || s.rounding_decides()) continue;
    const auto own = solve_of(s, "pipelined_cg").at("iterations").get<double>();
    EXPECT_LE(own, 3 + 1.1 * s.iterations) << s.matrix << ", " << s.preconditioner;
    EXPECT_GE(own, s.iterations / 1.1 - 3) << s.matrix << ", " << s.preconditioner;
  }
  for (const std::string& file : files) std::filesystem::remove(file);
}

}  // namespace
