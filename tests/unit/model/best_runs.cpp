// The best of each matrix: which runs are rivals, which one wins, and why.
#include "core/model/best_runs.hpp"

#include <gtest/gtest.h>

#include "core/run/time_interval.hpp"

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

// CSR needs nothing, the others so much.
Run prepared(const char* kernel, double us, std::optional<double> conversion, const char* format) {
  RunRecord r = record("a", kernel, us);
  r.format = format;
  if (conversion) r.details.push_back({"conversion", "", {*conversion, "us", Provenance::measured}});
  return kept(std::move(r));
}
Catalog with_formats() {
  Catalog c = catalog();
  c.formats.push_back({"csr", "CSR", "", ""});
  c.formats.back().intermediate = true;
  c.formats.push_back({"ell", "ELL", "", ""});
  return c;
}
const std::vector<Run>& three_kernels() {
  static const std::vector<Run> runs = {prepared("csr_vector", 10, 7, "csr"), prepared("ell", 5, 171, "ell"),
                                        prepared("hyb", 2, 2000, "ell")};
  return runs;
}

struct Asked {
  ProductCount products;
  const char *best, *second;
  std::optional<double> total;
  const char* told;  // a part of the sentence
};
const Asked kAsked[] = {
    {1, "csr_vector", "ell", 10,
     "For 1 product csr_vector takes least: 10 \xC2\xB5s = 0 \xC2\xB5s of preparation + 1 x 10 \xC2\xB5s"},
    {34, "csr_vector", "ell", 340, "34 x 10 \xC2\xB5s"},
    {35, "ell", "csr_vector", 346,
     "For 35 products ell takes least: 346 \xC2\xB5s = 171 \xC2\xB5s of preparation + 35 x 5 \xC2\xB5s"},
    {609, "ell", "hyb", 3216, "609 x 5 \xC2\xB5s"},
    {10'000, "hyb", "ell", 22'000, "22000 \xC2\xB5s = 2000 \xC2\xB5s of preparation + 10,000 x 2 \xC2\xB5s"},
    {for_ever, "hyb", "ell", 2,
     "For ever hyb takes least: 2 \xC2\xB5s a product, prepared in 2000 \xC2\xB5s (200 products of csr_vector)"},
};

TEST(BestRuns, AreOfANumberOfProducts) {
  for (const Asked& a : kAsked) {
    SCOPED_TRACE(a.products);
    const auto best = best_runs(three_kernels(), with_formats(), {}, a.products);
    ASSERT_EQ(best.size(), 1u);
    const BestRun& b = best.front();
    EXPECT_EQ(b.best->request.kernel, a.best);
    ASSERT_TRUE(b.second);
    EXPECT_EQ(b.second->request.kernel, a.second);
    EXPECT_EQ(b.total_us, a.total);
    EXPECT_GE(b.times_as_fast(), 1);
    EXPECT_EQ(crossings_text(b), "csr_vector up to 34 products, then ell up to 609 products, then hyb");
    EXPECT_NE(cost_text(b).find(a.told), std::string::npos) << cost_text(b);
    EXPECT_NE(cost_text(b).find(crossings_text(b)), std::string::npos) << cost_text(b);
    EXPECT_EQ(left_out_text(b), "");
    EXPECT_EQ(b.csr->request.kernel, "csr_vector");
  }
  const BestRun first = best_runs(three_kernels(), with_formats(), {}, 1).front();
  EXPECT_EQ(
      first.why,
      "ell is faster, 5 \xC2\xB5s to 10 \xC2\xB5s a product, but is prepared in 171 \xC2\xB5s, this in 0 \xC2\xB5s");
  EXPECT_EQ(best_runs(three_kernels(), with_formats(), {}, 100).front().preparation_products(), 17.1);
}

TEST(BestRuns, WhosePreparationIsNotKnownAreLeftOut) {
  auto runs = three_kernels();
  runs[2] = prepared("hyb", 2, {}, "ell");
  const BestRun many = best_runs(runs, with_formats(), {}, 1'000'000).front();
  EXPECT_EQ(many.best->request.kernel, "ell");
  EXPECT_EQ(left_out_text(many), "hyb: the run did not record its conversion");
  EXPECT_NE(cost_text(many).find("Left out: hyb"), std::string::npos);
  const BestRun ever = best_runs(runs, with_formats(), {}).front();
  EXPECT_EQ(ever.best->request.kernel, "hyb") << "for ever preparation does not count";
  EXPECT_FALSE(ever.preparation_products());
  EXPECT_EQ(ever.why_no_products(), "the run did not record its conversion");
  const BestRun none = best_runs({runs[2]}, with_formats(), {}, 100).front();
  EXPECT_EQ(none.best->request.kernel, "hyb") << "the fastest stands in its place";
  EXPECT_FALSE(none.total_us);
  EXPECT_NE(cost_text(none).find("the best is not known"), std::string::npos) << cost_text(none);
}

TEST(BestRuns, OneCandidateIsTheBestForAnyNumber) {
  const BestRun b = best_runs({three_kernels()[1]}, with_formats(), {}, 100).front();
  EXPECT_EQ(crossings_text(b), "ell for any number of products");
  EXPECT_EQ(b.why_no_products(), "no kernel that reads CSR was run");
}

// A kernel may be the best with other parameters for fewer products; the same product twice is one candidate.
TEST(BestRuns, AKernelStandsForEachOfItsParametersThatTells) {
  RunRecord slow = *three_kernels()[0];
  slow.request.params = {{"coop", 16}};
  slow.time.value = 6, slow.details.push_back({"setup", "", {300, "us", Provenance::measured}});
  RunRecord worse = slow;
  worse.request.params = {{"coop", 4}}, worse.time.value = 20;
  const BestRun b = best_runs({three_kernels()[0], kept(slow), kept(slow), kept(worse)}, with_formats(), {}).front();
  ASSERT_EQ(b.candidates.size(), 2u);
  EXPECT_EQ(crossings_text(b), "csr_vector (defaults) up to 75 products, then csr_vector (coop 16)");
}

TEST(BestRuns, TheTableTellsPreparation) {
  const auto best = best_runs(three_kernels(), with_formats(), {}, 100);
  const std::string csv = to_csv(best), json = to_json(best);
  for (const char* column : {"products", "preparation_us", "preparation_provenance", "preparation_products", "total_us",
                             "crossings", "left_out"}) {
    EXPECT_NE(csv.find(column), std::string::npos) << column;
    EXPECT_NE(json.find(column), std::string::npos) << column;
  }
  EXPECT_NE(json.find("\"preparation_us\": 171"), std::string::npos) << json;
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

TEST(BestRuns, SayWhenTheModelDoesNotTellTwoApart) {
  RunRecord ell = record("a", "ell", 10), hyb = record("a", "hyb", 11);
  tell_interval(ell, {9, 12, 50, "ell"});
  tell_interval(hyb, {10, 13, 50, "hyb"});
  const auto close = best_runs({kept(ell), kept(hyb)}, catalog(), {});
  ASSERT_EQ(close.size(), 1u);
  EXPECT_NE(close[0].why.find("the model does not tell which is faster"), std::string::npos) << close[0].why;
  RunRecord slow = record("a", "hyb", 40);
  tell_interval(slow, {35, 50, 50, "hyb"});
  const auto far = best_runs({kept(ell), kept(slow)}, catalog(), {});
  EXPECT_EQ(far[0].why.find("does not tell"), std::string::npos) << far[0].why;
}

}  // namespace
}  // namespace warpspy
