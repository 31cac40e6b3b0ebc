#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/run/time_interval.hpp"
#include "kernels/table/table.hpp"
#include "profiling/validate/compare.hpp"
#include "profiling/validate/order.hpp"

namespace warpspy {
namespace {

Counter counter(const char* id, double value, const char* unit, Provenance from) {
  return {id, value, unit, from, "", ""};
}

RunRecord record(Provenance from, double requests, double l1, double dram, double us) {
  RunRecord r;
  r.status = RunStatus::ok;
  r.request.kernel = "csr_vector";
  r.request.params = {{"coop", 4}};
  r.matrix_name = "m";
  r.time = {us, "us", from};
  r.minimum_bytes = {1e6, "B", Provenance::modelled};
  r.counters = {counter("requests", requests, "1", from), counter("l1_hit_rate", l1, "%", from),
                counter("dram_bytes", dram, "B", from)};
  return r;
}
RunRecord measured(double requests, double l1, double dram, double us) {
  return record(Provenance::measured, requests, l1, dram, us);
}
RunRecord modelled(double requests, double l1, double dram, double us) {
  return record(Provenance::modelled, requests, l1, dram, us);
}

const ValidationRow& row(const ValidationRun& run, const std::string& id) {
  for (const ValidationRow& r : run.rows)
    if (r.id == id) return r;
  throw std::out_of_range(id);
}

TEST(Validate, ErrorsAreRelativeOrInPoints) {
  const ValidationRun run = compare_runs(measured(1000, 50, 2e6, 10), modelled(1005, 44, 2.3e6, 9));
  EXPECT_NEAR(*row(run, "requests").error, 0.005, 1e-12);
  EXPECT_TRUE(row(run, "requests").within);
  EXPECT_NEAR(*row(run, "l1_hit_rate").error, -6, 1e-12);
  EXPECT_FALSE(row(run, "l1_hit_rate").within);
  EXPECT_NEAR(*row(run, "dram_bytes").error, 0.15, 1e-12);
  EXPECT_FALSE(row(run, "dram_bytes").within);
  EXPECT_NEAR(*row(run, "time").error, -0.1, 1e-12);
  EXPECT_TRUE(row(run, "time").within);
  EXPECT_EQ(run.rows.size(), validation_bars().size());
}

TEST(Validate, WhatIsMissingHasAReasonAndNoError) {
  RunRecord real = measured(1000, 50, 2e6, 10);
  real.counters[1].value.reset();
  real.counters[1].reason = "admin-only counters";
  real.counters[2].provenance = Provenance::modelled;  // never taken for a measurement
  const ValidationRun run = compare_runs(real, modelled(1000, 50, 2e6, 10));
  for (const char* id : {"l1_hit_rate", "dram_bytes", "sectors"}) {
    EXPECT_FALSE(row(run, id).error) << id;
    EXPECT_FALSE(row(run, id).within) << id;
    EXPECT_FALSE(row(run, id).reason.empty()) << id;
  }
  EXPECT_NE(row(run, "l1_hit_rate").reason.find("admin-only"), std::string::npos);
}

TEST(Validate, NextToNothingOnBothSidesAgrees) {
  // 1 MB at least: some kilobytes are the traffic of others.
  EXPECT_EQ(*row(compare_runs(measured(1, 1, 3000, 1), modelled(1, 1, 0, 1)), "dram_bytes").error, 0);
  EXPECT_GT(*row(compare_runs(measured(1, 1, 3000, 1), modelled(1, 1, 1e6, 1)), "dram_bytes").error, 1);
  EXPECT_LT(*row(compare_runs(measured(1, 1, 1e6, 1), modelled(1, 1, 0, 1)), "dram_bytes").error, -0.9);
}

TEST(Validate, AFailedRunHasNoRows) {
  RunRecord bad = measured(1, 1, 1, 1);
  bad.status = RunStatus::failed;
  bad.error = "no room";
  const ValidationRun run = compare_runs(bad, modelled(1, 1, 1, 1));
  EXPECT_TRUE(run.rows.empty());
  EXPECT_NE(run.failure.find("no room"), std::string::npos);
  EXPECT_NE(validation_line(run).find("no room"), std::string::npos);
}

TEST(Validate, TheSummaryCountsRunsWithinTheBars) {
  std::vector<ValidationRun> runs;
  for (int i = 0; i < 10; ++i) runs.push_back(compare_runs(measured(100, 50, 1e6, 10), modelled(100, 52, 1e6, 10)));
  const auto find = [](const std::vector<BarSummary>& all, const std::string& id) {
    for (const BarSummary& s : all)
      if (s.id == id) return s;
    throw std::out_of_range(id);
  };
  runs[0] = compare_runs(measured(100, 50, 1e6, 10), modelled(102, 60, 1e6, 20));
  auto all = summarise(runs);
  EXPECT_EQ(find(all, "l1_hit_rate").within, 9);
  EXPECT_TRUE(find(all, "l1_hit_rate").met) << "nine in ten are enough";
  EXPECT_FALSE(find(all, "requests").met) << "all of them must be within";
  EXPECT_TRUE(find(all, "time").met);
  EXPECT_NEAR(find(all, "l1_hit_rate").median_error, 2, 1e-12);
  EXPECT_FALSE(find(all, "sectors").met) << "nobody measured them";
  EXPECT_NE(find(all, "sectors").text.find("no run"), std::string::npos);
  runs[1] = runs[0];
  EXPECT_FALSE(find(summarise(runs), "l1_hit_rate").met);
}

TEST(Validate, JsonTellsEveryRowAndMissingNumbersAsNull) {
  ValidationReport report{"NVIDIA H200", "NVIDIA H200 SXM", "2026-01-01T00:00:00Z", {}};
  report.runs.push_back(compare_runs(measured(1000, 50, 2e6, 10), modelled(1000, 50, 2e6, 10)));
  const auto j = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(j.at("runs").at(0).at("rows").size(), validation_bars().size());
  EXPECT_TRUE(j.at("runs").at(0).at("rows").at(1).at("measured").is_null());
  EXPECT_EQ(j.at("summary").size(), validation_bars().size());
}

TEST(Validate, WhatElseWasMeasuredIsKeptForLaterModels) {
  RunRecord real = measured(1000, 50, 2e6, 10);
  real.counters.push_back({"issue_active", 47.11, "%", Provenance::measured, {}, {}});
  ValidationReport report{"NVIDIA H200", "NVIDIA H200 SXM", "2026-01-01T00:00:00Z", {}};
  report.runs.push_back(compare_runs(real, modelled(1000, 50, 2e6, 10)));
  const MeasuredRuns again = measured_from_json(to_json(report), "report.json");
  const Counter* c = again.runs.at(0).counter("issue_active");
  ASSERT_TRUE(c && c->value);
  EXPECT_EQ(*c->value, 47.11);
  EXPECT_EQ(again.runs.at(0).counters.size(), report.runs[0].rows.size() - 1 + 1) << "no time, one beside";
}

// One matrix, a run for each pair of times.
std::vector<ValidationRun> ordered(const std::vector<std::pair<double, double>>& times) {
  std::vector<ValidationRun> runs;
  for (std::size_t i = 0; i < times.size(); ++i) {
    RunRecord real = measured(1, 1, 1, times[i].first), model = modelled(1, 1, 1, times[i].second);
    real.request.kernel = model.request.kernel = std::string(1, static_cast<char>('a' + i));
    runs.push_back(compare_runs(real, model));
  }
  return runs;
}

TEST(Validate, KendallsTauCountsPairs) {
  EXPECT_EQ(kendall_tau({1, 2, 3, 4}, {10, 20, 30, 40}), 1);
  EXPECT_EQ(kendall_tau({1, 2, 3, 4}, {4, 3, 2, 1}), -1);
  EXPECT_NEAR(kendall_tau({1, 2, 3, 4}, {1, 2, 4, 3}), 4.0 / 6, 1e-12) << "one of six pairs is turned";
  // scipy.stats.kendalltau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])
  EXPECT_NEAR(kendall_tau({12, 2, 1, 12, 2}, {1, 4, 7, 1, 0}), -0.47140452079103173, 1e-12);
  EXPECT_EQ(kendall_tau({1, 1, 1}, {1, 2, 3}), 0);
}

TEST(Validate, TheRegretIsOfTheModelsChoice) {
  const auto orders = kernel_orders(ordered({{10, 9}, {8, 11}, {20, 30}}));
  ASSERT_EQ(orders.size(), 1u);
  EXPECT_EQ(orders[0].kernels, 3);
  EXPECT_EQ(orders[0].chosen, "a") << "coop is the same in all";
  EXPECT_EQ(orders[0].best, "b");
  EXPECT_NEAR(orders[0].regret, 0.25, 1e-12) << "10 us for 8";
  EXPECT_NEAR(orders[0].tau, 1.0 / 3, 1e-12);
  EXPECT_FALSE(summarise(orders).met);
  EXPECT_TRUE(summarise(kernel_orders(ordered({{10, 11}, {8, 9}, {20, 30}}))).met);
}

TEST(Validate, ParametersThatDifferMakeAnotherChoice) {
  auto runs = ordered({{1, 1}, {2, 2}, {3, 3}});
  for (ValidationRun& run : runs) run.request.kernel = "k";
  runs[0].request.params = {{"coop", 8}, {"block", 128}};
  runs[1].request.params = {{"coop", 4}, {"block", 128}};
  runs[2].request.params = {{"coop", 2}, {"block", 128}};
  EXPECT_EQ(kernel_orders(runs).at(0).chosen, "k coop=8");
}

TEST(Validate, OrdersStandApartByMatrixPrecisionAndCaches) {
  std::vector<ValidationRun> runs = ordered({{1, 1}, {2, 2}});
  for (const auto change : {+[](RunRequest& r) { r.precision = Precision::f64; },
                            +[](RunRequest& r) { r.cache_state = CacheState::cold; }}) {
    for (ValidationRun run : ordered({{1, 2}, {2, 1}})) {
      change(run.request);
      runs.push_back(run);
    }
  }
  runs.push_back(runs[0]);
  runs.back().matrix = "alone";
  const auto orders = kernel_orders(runs);
  ASSERT_EQ(orders.size(), 3u) << "one kernel has no order";
  EXPECT_EQ(orders[0].tau, 1);
  EXPECT_EQ(orders[1].tau, -1);
  EXPECT_EQ(summarise(std::vector<KernelOrder>{}).matrices, 0);
  EXPECT_FALSE(summarise(std::vector<KernelOrder>{}).met);
}

TEST(Validate, OrdersStandApartByOperation) {
  for (const KernelRow& k : kernels()) {
    RunRecord real = measured(1, 1, 1, 2), model = modelled(1, 1, 1, 2);
    real.request.kernel = model.request.kernel = k.info.id;
    EXPECT_EQ(compare_runs(real, model).operation, k.info.operation) << k.info.id;
  }
  std::vector<ValidationRun> runs = ordered({{1, 1}, {2, 2}, {1, 2}, {2, 1}});
  runs[2].operation = runs[3].operation = Operation::transposed_product;
  const auto orders = kernel_orders(runs);
  ASSERT_EQ(orders.size(), 2u);
  EXPECT_EQ(orders[0].tau, 1);
  EXPECT_EQ(orders[1].operation, Operation::transposed_product);
  EXPECT_EQ(orders[1].tau, -1);
}

TEST(Validate, ATimeIsHeldAgainstTheInterval) {
  RunRecord model = modelled(1, 1, 1, 10);
  EXPECT_FALSE(compare_runs(measured(1, 1, 1, 10), model).in_interval) << "there is none";
  EXPECT_EQ(interval_summary({compare_runs(measured(1, 1, 1, 10), model)}), "");
  tell_interval(model, {9, 12, 50, "like it"});
  std::vector<ValidationRun> runs;
  for (const double us : {8.9, 9.0, 12.0, 12.1}) runs.push_back(compare_runs(measured(1, 1, 1, us), model));
  EXPECT_EQ(runs[0].in_interval, false);
  EXPECT_EQ(runs[1].in_interval, true);
  EXPECT_EQ(runs[2].in_interval, true);
  EXPECT_EQ(runs[3].in_interval, false);
  EXPECT_EQ(interval_summary(runs), "intervals of the model hold 2 of 4 times (50 %, wanted 90 %)");
}

TEST(Validate, WhatWasMeasuredIsReadBackAsItWas) {
  RunRecord real = measured(1000, 50, 2e6, 10), model = modelled(900, 60, 3e6, 20);
  real.counters[1].value.reset();
  real.counters[1].reason = "admin-only counters";
  model.request.matrix = "gen:m?n=3";
  model.request.precision = Precision::f64;
  model.request.cache_state = CacheState::cold;
  ValidationReport report{"NVIDIA H200", "NVIDIA H200 SXM", "2026-01-01T00:00:00Z", {compare_runs(real, model)}};
  const MeasuredRuns back = measured_from_json(to_json(report), "report.json");
  EXPECT_EQ(back.device, report.device);
  EXPECT_EQ(back.simulated, report.simulated);
  EXPECT_EQ(back.date, report.date);
  ASSERT_EQ(back.runs.size(), 1u);
  EXPECT_EQ(back.runs[0].request, model.request);
  EXPECT_EQ(back.runs[0].time.value, 10);
  EXPECT_EQ(back.runs[0].counter("requests")->value, 1000);
  EXPECT_FALSE(back.runs[0].counter("l1_hit_rate")->value);
  // Compared again, the same comes out.
  const ValidationRun again = compare_runs(back.runs[0], model);
  for (std::size_t i = 0; i < again.rows.size(); ++i) EXPECT_EQ(again.rows[i].error, report.runs[0].rows[i].error);
}

TEST(Validate, WhatIsNoReportIsRefused) {
  const std::string deep = R"({"device": "a", "simulated": "b", "date": "c", "runs": [{"request": )" +
                           std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}]}";
  for (const char* text :
       {"", "{", "[]", "{}", R"({"device": 1})",
        R"({"device": "a", "simulated": "b", "date": "c", "runs": [{"matrix": "m"}]})", deep.c_str()}) {
    try {
      measured_from_json(text, "report.json");
      ADD_FAILURE() << text;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("report.json"), std::string::npos) << e.what();
    }
  }
}

// Those that docs/validation.md began with, in the order of the table.
TEST(Validate, KernelsSayWithWhichParametersTheyAreTakenByDefault) {
  const std::vector<std::pair<std::string, ParamSet>> usual = {{"csr_scalar", {}},
                                                               {"csr_vector", {{"coop", 4}}},
                                                               {"csr_vector", {{"coop", 32}}},
                                                               {"dia", {}},
                                                               {"ell", {}},
                                                               {"coo_segmented", {}},
                                                               {"hyb", {}},
                                                               {"sell", {}}};
  std::vector<std::pair<std::string, ParamSet>> found;
  for (const KernelRow& row : kernels())
    for (const ParamSet& params : row.info.validated) {
      EXPECT_NO_THROW(checked_params(row.info.params, params)) << row.info.id;
      found.emplace_back(row.info.id, params);
    }
  EXPECT_EQ(found, usual);
}

}  // namespace
}  // namespace warpspy
