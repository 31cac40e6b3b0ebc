// The best of each matrix: which runs are rivals, which one wins, and why.
#include "core/model/best_runs.hpp"

#include <gtest/gtest.h>

namespace warpspy {
namespace {

using Run = std::shared_ptr<const RunRecord>;

Catalog catalog() {
  Catalog c;
  ParamSpec coop;
  coop.id = "coop", coop.def = 8, coop.min = 1, coop.max = 32;
  for (const char* id : {"csr_vector", "ell", "hyb"}) {
    KernelInfo k;
    k.id = id, k.label = id;
    if (k.id == "csr_vector") k.params = {coop};
    c.kernels.push_back(k);
  }
  KernelInfo transposed;
  transposed.id = "csr_transposed", transposed.operation = Operation::transposed_product;
  c.kernels.push_back(transposed);
  return c;
}

RunRecord record(const char* matrix, const char* kernel, double us) {
  RunRecord r;
  r.request.matrix = std::string("/data/") + matrix + ".mtx", r.request.kernel = kernel;
  r.matrix_name = matrix, r.kernel_label = kernel;
  r.device = "sim:h200", r.status = RunStatus::ok;
  r.time = {us, "us", Provenance::modelled};
  r.details = {{"spread", "noise", {0, "%", Provenance::modelled}}};
  return r;
}
Run kept(RunRecord r) { return std::make_shared<const RunRecord>(std::move(r)); }

TEST(BestRuns, AreOfEachMatrixInTheOrderOfTheirFirstRuns) {
  RunRecord failed = record("b", "hyb", 1), wrong = record("b", "hyb", 2), adds = record("b", "hyb", 3);
  failed.status = RunStatus::failed;
  wrong.check = ErrorCheck{1, 2, 10, 3, false};
  adds.request.beta = 1;
  RunRecord tuned = record("b", "csr_vector", 20);
  tuned.request.params = {{"coop", 16}};
  const auto best = best_runs({kept(record("b", "csr_vector", 40)), kept(record("a", "ell", 5)), kept(failed),
                               kept(wrong), kept(adds), kept(tuned), kept(record("b", "ell", 50))},
                              catalog(), {});
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(best[0].best->matrix_name, "b");
  EXPECT_EQ(best[0].best->time.value, 20);
  EXPECT_EQ(best[0].params, "coop 16");
  ASSERT_TRUE(best[0].second) << "another kernel, not the same one with other parameters";
  EXPECT_EQ(best[0].second->request.kernel, "ell");
  EXPECT_DOUBLE_EQ(best[0].times_as_fast(), 2.5);
  EXPECT_EQ(best[0].runs, 3u);
  EXPECT_EQ(best[0].kernels, 2u);
  EXPECT_EQ(best[1].best->matrix_name, "a");
  EXPECT_FALSE(best[1].second);
  EXPECT_EQ(best[1].why, "no other kernel was run");
  EXPECT_FALSE(best[1].share) << "no roof is known";
}

TEST(BestRuns, RivalsShareEverythingButTheKernel) {
  RunRecord f64 = record("a", "ell", 1), elsewhere = f64, cold = f64, transposed = record("a", "csr_transposed", 1);
  f64.request.precision = Precision::f64;
  elsewhere.device = "sim:a100";
  cold.request.cache_state = CacheState::cold;
  const auto best =
      best_runs({kept(record("a", "ell", 9)), kept(f64), kept(elsewhere), kept(cold), kept(transposed)}, catalog(), {});
  EXPECT_EQ(best.size(), 5u);
  for (const BestRun& b : best) EXPECT_EQ(b.runs, 1u);
}

// A matrix is its numbers, wherever its file lies; runs of older versions are known by their source.
TEST(BestRuns, AMatrixIsKnownByItsFingerprint) {
  RunRecord here = record("a", "ell", 9), there = record("moved/a", "hyb", 8), old = record("a", "csr_vector", 7);
  here.fingerprint = there.fingerprint = "00c0ffee00c0ffee";
  const auto best = best_runs({kept(old), kept(here), kept(there)}, catalog(), {});
  ASSERT_EQ(best.size(), 1u);
  EXPECT_EQ(best[0].runs, 3u);
  EXPECT_EQ(best[0].best->request.kernel, "csr_vector");
}

TEST(BestRuns, TheShareIsOfTheBest) {
  const auto best = best_runs({kept(record("a", "ell", 9)), kept(record("a", "hyb", 8))}, catalog(),
                              [](const RunRecord& r) -> std::optional<RoofShare> {
                                return RoofShare{r.time.value / 10, Level::dram, Provenance::modelled};
                              });
  ASSERT_EQ(best.size(), 1u);
  EXPECT_EQ(best[0].share->share, 0.8);
}

TEST(WhyFaster, BytesAndWhatLimitsTheOtherAlone) {
  RunRecord best = record("a", "ell", 10), second = record("a", "hyb", 20);
  EXPECT_EQ(why_faster(best, second), "neither bytes nor what limits hyb tell why");
  best.minimum_bytes = {10e6, "B", Provenance::modelled}, second.minimum_bytes = {20e6, "B", Provenance::modelled};
  EXPECT_EQ(why_faster(best, second), "it moves at least 10 MB, hyb 20 MB");
  best.counters = {{"dram_bytes", 30e6, "B", Provenance::modelled, "", ""}};
  EXPECT_EQ(why_faster(best, second), "it moves at least 10 MB, hyb 20 MB") << "only one tells";
  second.counters = {{"dram_bytes", 30e6, "B", Provenance::modelled, "", ""}};
  Finding both, alone, finished;
  both.rule = "gathers", both.title = "Gathers", both.share = 0.9;
  alone.rule = "idle", alone.title = "Idle lanes", alone.share = 0.375;
  finished.kind = Finding::Kind::finished, finished.rule = "roof", finished.title = "At the roof";
  best.findings = {both}, second.findings = {both, alone, finished};
  EXPECT_EQ(why_faster(best, second), "hyb has: Idle lanes (38 % of its time)");
  second.counters[0].value = 60e6;
  EXPECT_EQ(why_faster(best, second), "it moves 30 MB, hyb 60 MB; hyb has: Idle lanes (38 % of its time)");
}

TEST(WhyFaster, WithinTheNoiseNothingIsExplained) {
  RunRecord best = record("a", "ell", 10), second = record("a", "hyb", 10.3);
  best.minimum_bytes = {10e6, "B", Provenance::modelled}, second.minimum_bytes = {20e6, "B", Provenance::modelled};
  best.details[0].quantity.value = second.details[0].quantity.value = 2;
  EXPECT_EQ(why_faster(best, second), "it is no faster than hyb beyond the noise");
  second.time.value = 10;
  EXPECT_EQ(why_faster(best, second), "it takes as long as hyb");
  second.time.value = 11;
  EXPECT_EQ(why_faster(best, second), "it moves at least 10 MB, hyb 20 MB");
}

}  // namespace
}  // namespace warpspy
