#include "core/run/tune.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace warpspy {
namespace {

TuneRecord full_record() {
  TuneRecord r;
  r.started = "2026-11-20T10:00:00Z";
  r.request.run.matrix = "gen:laplace5?nx=10&ny=10";
  r.request.run.kernel = "csr_vector";
  r.request.run.params = {{"matrix_cache", 2}};
  r.request.run.precision = Precision::f64;
  r.request.strategies = {"run_time", "exhaustive"};
  r.request.most_products = 77;
  r.status = RunStatus::cancelled;
  r.error = "cancelled";
  r.matrix_name = "laplace5";
  r.rows = 100, r.cols = 101, r.nnz = 460;
  r.device = "sim:h200", r.device_name = "NVIDIA H200";
  r.steps = {{"default", 1, "csr_vector", {{"coop", 8}}, 12.5, "", 0},
             {"run_time", 1, "csr_vector", {{"coop", 4}}, std::nullopt, "too large a \"block\"", 0},
             {"selector", 2, "ell", {{"block_size", 256}}, 7.25, "", 1500.5}};
  r.outcomes = {{"run_time", "csr_vector", {{"coop", 2}}, 10, 10, 123.5, 0.25, 49.4, "fewer bytes", {"one", "two"}},
                {"selector", "", {}, std::nullopt, 3, 0, std::nullopt, std::nullopt, "", {}}};
  r.notes = {"a note"};
  return r;
}

TEST(TuneRecord, GoesThroughJsonUnchanged) {
  const TuneRecord r = full_record();
  const std::string text = to_json(r);
  const TuneRecord back = tune_record_from_json(text);
  EXPECT_EQ(to_json(back), text);
  EXPECT_EQ(back.request, r.request);
  EXPECT_EQ(back.steps, r.steps);
  EXPECT_EQ(back.outcomes, r.outcomes);
  EXPECT_EQ(back.status, r.status);
  EXPECT_EQ(back.error, r.error);
  EXPECT_EQ(back.notes, r.notes);
  EXPECT_EQ(back.provenance, r.provenance);
  EXPECT_EQ(tune_request_from_json(to_json(r.request)), r.request);
}

TEST(TuneRecord, OtherTextIsRefused) {
  for (const char* text : {"", "{", "[]", "{}", "null", "{\"started\": 3}"}) {
    EXPECT_THROW((void)tune_record_from_json(text), Error) << text;
    EXPECT_THROW((void)tune_request_from_json(text), Error) << text;
  }
}

TEST(TuneOutcome, RegretAndPayOffAreWhatTheySay) {
  const struct {
    const char* what;
    std::optional<double> us;
    double cost;
    std::optional<double> base, best, regret, pays;
  } cases[] = {
      {"saves 20 us per product, cost 1000", 80, 1000, 100, 64, 0.25, 50},
      {"is the best", 64, 1000, 100, 64, 0, 1000.0 / 36},
      {"chosen without a product", 80, 0, 100, 64, 0.25, 0},
      {"as fast as the default: never", 100, 1000, 100, 50, 1, {}},
      {"slower than the default: never", 120, 1000, 100, 50, 1.4, {}},
      {"another kernel beats the search", 32, 320, 64, 64, -0.5, 10},
      {"no exhaustive search", 80, 1000, 100, {}, {}, 50},
      {"the default failed", 80, 1000, {}, 64, 0.25, {}},
      {"everything failed", {}, 0, 100, 64, {}, {}},
      {"cost unknown", 80, std::nan(""), 100, 64, 0.25, {}},
  };
  for (const auto& c : cases) {
    TuneOutcome o;
    o.us = c.us, o.cost_us = c.cost;
    o.regret = 7, o.pays_after = 7;  // an old judgement must not survive
    judge(o, c.base, c.best);
    ASSERT_EQ(o.regret.has_value(), c.regret.has_value()) << c.what;
    if (c.regret) {
      EXPECT_NEAR(*o.regret, *c.regret, 1e-12) << c.what;
    }
    ASSERT_EQ(o.pays_after.has_value(), c.pays.has_value()) << c.what;
    if (c.pays) {
      EXPECT_NEAR(*o.pays_after, *c.pays, 1e-9) << c.what;
    }
  }
}

TEST(TuneVerdict, SaysWhatWasFoundAndWhatItIsWorth) {
  Catalog catalog;
  catalog.kernels = {{"a", "Kernel A", "", "", "csr"}, {"b", "Kernel B", "", "", "ell"}};
  TuneRecord r;
  r.provenance = Provenance::measured;
  TuneStep base;
  base.strategy = "default", base.kernel = "a", base.us = 20;
  r.steps = {base};
  TuneOutcome o;
  o.strategy = "predict", o.kernel = "b", o.us = 10, o.products = 12, o.cost_us = 1000, o.reason = "it has fewer bytes";
  judge(o, 20, {});
  r.outcomes = {o};
  EXPECT_EQ(verdict_text(r, "predict", catalog),
            "Kernel B takes 10 \xC2\xB5s (measured), 2 times as fast as Kernel A by default: it has fewer bytes. Found "
            "with 12 "
            "products. It pays off after 100 products.");
  EXPECT_EQ(verdict_text(r, "run_time", catalog), "") << "not asked for";
  r.provenance = Provenance::modelled;
  r.request.run.depth = Depth::quick;
  r.outcomes[0].us = 25, r.outcomes[0].reason = "";
  judge(r.outcomes[0], 20, {});
  EXPECT_EQ(verdict_text(r, "predict", catalog),
            "Kernel B takes 25 \xC2\xB5s (modelled, quick); nothing was faster than Kernel A by default. Found with 12 "
            "products.");
  r.outcomes[0].us.reset();
  EXPECT_EQ(verdict_text(r, "predict", catalog), "") << "every product failed";
}

}  // namespace
}  // namespace warpspy
