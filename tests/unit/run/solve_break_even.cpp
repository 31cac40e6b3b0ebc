// From how many iterations on a solve's format pays: against which runs, and what is said where nothing can be.
#include "core/run/solve_break_even.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "core/run/solve_launches.hpp"

namespace warpspy {
namespace {

using Kept = std::shared_ptr<const RunRecord>;

Catalog formats() {
  Catalog c;
  for (const char* id : {"csr", "ell"}) {
    FormatInfo f;
    f.id = id, f.intermediate = f.id == "csr";
    c.formats.push_back(f);
  }
  return c;
}

// A CG solve of 100 iterations: each takes `us`, after a conversion and a setup.
RunRecord solve_with(const std::string& kernel, double conversion, double setup, double us) {
  RunRecord r;
  r.id = 7;
  r.status = RunStatus::ok, r.provenance = Provenance::measured;
  r.request.solver = Solver::cg, r.request.kernel = kernel, r.request.matrix = "m.mtx";
  r.format = kernel.starts_with("csr") ? "csr" : "ell", r.kernel_label = "CG with " + kernel;
  r.device = "cuda:0", r.device_name = "a GPU", r.fingerprint = "abc";
  r.time = {us, "us", Provenance::measured};
  r.solve = SolveResult{};
  r.solve->end = SolveEnd::converged, r.solve->iterations = 100;
  r.details = {{"conversion", "", {conversion, "us", Provenance::measured}},
               {"setup", "", {setup, "us", Provenance::measured}}};
  return r;
}
Kept kept(RunRecord r) { return std::make_shared<const RunRecord>(std::move(r)); }

TEST(SolveBreakEven, IsWhereThePreparationIsPaidFor) {
  const RunRecord ell = solve_with("ell", 500, 100, 4);
  const struct {
    double setup, us;  // of the CSR solve; its conversion costs nothing
    std::optional<std::uint64_t> from;
  } cases[] = {{0, 10, 100}, {0, 9, 120},   {60, 10, 90}, {900, 10, 1},
               {0, 7, 200},  {0, 6.9, 207}, {0, 4, {}},   {0, 3, {}}};
  for (const auto& c : cases) {
    const SolveBreakEven b = solve_break_even(ell, {kept(solve_with("csr_vector", 900, c.setup, c.us))}, formats());
    EXPECT_EQ(b.iterations, c.from) << c.setup << " " << c.us;
    EXPECT_EQ(b.never(), !c.from) << c.setup << " " << c.us;
    EXPECT_EQ(b.provenance, Provenance::derived);
    ASSERT_TRUE(b.base);
    // There the totals cross.
    if (c.from && *c.from > 1) {
      const auto n = static_cast<double>(*c.from);
      EXPECT_LE(b.cost.total(n), b.of_base.total(n));
      EXPECT_GT(b.cost.total(n - 1), b.of_base.total(n - 1));
    }
  }
}

TEST(SolveBreakEven, TheCsrKernelThatIsOvertakenLastCounts) {
  const RunRecord ell = solve_with("ell", 600, 0, 4);
  const Kept vector = kept(solve_with("csr_vector", 0, 0, 10)), even = kept(solve_with("csr_even", 0, 100, 6)),
             slow = kept(solve_with("csr_scalar", 0, 0, 40)), fast = kept(solve_with("csr_stream", 0, 5000, 3));
  EXPECT_EQ(solve_break_even(ell, {vector, slow}, formats()).iterations, 100u);
  const SolveBreakEven b = solve_break_even(ell, {slow, even, vector}, formats());
  EXPECT_EQ(b.iterations, 250u);
  EXPECT_EQ(b.base, even);
  for (const auto& runs : {std::vector{fast, even}, std::vector{even, fast}}) {
    const SolveBreakEven never = solve_break_even(ell, runs, formats());
    EXPECT_TRUE(never.never());
    EXPECT_EQ(never.base, fast);
    EXPECT_NE(break_even_text(ell, never).find("never: an iteration takes 4 "), std::string::npos);
  }
}

TEST(SolveBreakEven, OnlyTheSameSolveIsComparedWith) {
  const RunRecord ell = solve_with("ell", 600, 0, 4);
  const struct {
    const char* what;
    std::function<void(RunRecord&)> change;
  } cases[] = {
      {"no solve", [](RunRecord& r) { r.solve.reset(); }},
      {"failed", [](RunRecord& r) { r.status = RunStatus::failed; }},
      {"another matrix", [](RunRecord& r) { r.fingerprint = "abd"; }},
      {"another name, when one has no fingerprint",
       [](RunRecord& r) { r.fingerprint.clear(), r.request.matrix = "n.mtx"; }},
      {"another precision", [](RunRecord& r) { r.request.precision = Precision::f64; }},
      {"another device", [](RunRecord& r) { r.device = "cuda:1"; }},
      {"another machine's device", [](RunRecord& r) { r.device_name = "another GPU"; }},
      {"modelled", [](RunRecord& r) { r.provenance = Provenance::modelled; }},
      {"another method", [](RunRecord& r) { r.request.solver = Solver::bicgstab; }},
      {"another preconditioner", [](RunRecord& r) { r.request.preconditioner = Preconditioner::jacobi; }},
      {"refined", [](RunRecord& r) { r.request.refine = true; }},
      {"another format", [](RunRecord& r) { r.format = "ell"; }},
      {"over parts", [](RunRecord& r) { r.request.parts = 2; }},
  };
  for (const auto& c : cases) {
    RunRecord csr = solve_with("csr_vector", 0, 0, 10);
    EXPECT_TRUE(solve_break_even(ell, {kept(csr)}, formats()).iterations) << c.what;
    c.change(csr);
    const SolveBreakEven b = solve_break_even(ell, {kept(std::move(csr))}, formats());
    EXPECT_FALSE(b.base) << c.what;
    EXPECT_EQ(b.reason, "no CSR solve of this matrix to compare with: solve it with CSR vector") << c.what;
  }
  // What the preconditioner does not use may differ.
  RunRecord csr = solve_with("csr_vector", 0, 0, 10);
  csr.request.degree = 9, csr.request.block_rows = 32, csr.request.restart = 7, csr.request.tolerance = 1e-3;
  csr.request.split = Split::metis;  // of one part
  EXPECT_EQ(solve_break_even(ell, {kept(std::move(csr))}, formats()).iterations, 100u);
}

TEST(SolveBreakEven, SaysWhatIsMissing) {
  const Kept vector = kept(solve_with("csr_vector", 0, 0, 10));
  const SolveBreakEven self = solve_break_even(*vector, {vector}, formats());
  EXPECT_NE(break_even_text(*vector, self).find("unavailable: no other CSR solve"), std::string::npos);
  RunRecord old = solve_with("ell", 600, 0, 4);
  old.details.clear();
  EXPECT_NE(solve_break_even(old, {vector}, formats()).reason.find("did not record its conversion"), std::string::npos);
  RunRecord product = solve_with("ell", 600, 0, 4);
  product.solve.reset();
  EXPECT_EQ(solve_break_even(product, {vector}, formats()).reason, "this run is no solve");
}

TEST(SolveBreakEven, InWords) {
  const RunRecord ell = solve_with("ell", 12'000, 0, 4);
  const auto text = [&](double us) {
    return break_even_text(ell, solve_break_even(ell, {kept(solve_with("csr_vector", 0, 0, us))}, formats()));
  };
  EXPECT_EQ(text(10), "from 2,000 iterations on, against CG with csr_vector; 100 were done");
  EXPECT_EQ(text(20'000), "from the first iteration on, against CG with csr_vector; 100 were done");
}

TEST(SolveLaunches, StandInARecordInTheirOrder) {
  RunRecord r = solve_with("csr_vector", 0, 0, 10);
  EXPECT_TRUE(launches_of(r).empty());
  std::vector<SolveLaunch> all;
  for (int k = 1; k <= 12; ++k) all.push_back({k, k % 2 == 0 ? "product" : "updates", 0.5 * k});
  for (const SolveLaunch& l : all) r.details.push_back(detail_of(l, Provenance::measured));
  r.details.push_back({"launch_us", "no launch of a solve", {3, "us", Provenance::modelled}});
  EXPECT_EQ(launches_of(r), all);
  EXPECT_EQ(launches_of(record_from_json(to_json(r))), all);
}

}  // namespace
}  // namespace warpspy
