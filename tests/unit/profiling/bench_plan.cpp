// The benchmark as a plan: over an engine that makes times up, and end to end on a modelled GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/formats/format.hpp"
#include "core/generate/generate.hpp"
#include "core/run/check_words.hpp"
#include "core/run/fingerprint.hpp"
#include "kernels/device/device.hpp"
#include "kernels/table/table.hpp"
#include "profiling/bench/candidates.hpp"
#include "profiling/bench/plan.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

// Ours take 10 us and a tenth more for every parameter that is not as it should be; the library's 30. A trial takes 4
// ms of its search.
class MadeUp final : public Engine {
 public:
  using Engine::run;
  RunRecord run(const RunRequest& request, const Matrix&, Progress&, const OnTimed&) override {
    ADD_FAILURE() << "a benchmark has no products of its own";
    RunRecord r;
    r.request = request;
    return r;
  }
  std::vector<RunRecord> run_in_turn(const std::vector<RunRequest>& requests, const InSearch& search, const Matrix& m,
                                     Progress& progress) override {
    ++calls;
    if (stops_at > 0 && calls == stops_at) progress.cancel();
    searches.push_back(search);
    std::vector<RunRecord> records;
    for (const RunRequest& request : requests) records.push_back(record(request, search, m, progress));
    for (std::size_t i = 0; i + 1 < records.size(); ++i)
      for (const char* id : {kInTurnRatio, kInTurnLow, kInTurnHigh})
        records[i].details.push_back(
            {id, id, {1.5 * records.back().time.value / records[i].time.value, "1", Provenance::derived}});
    return records;
  }
  int calls = 0, stops_at = 0;
  std::set<std::string> failing, lost;
  std::vector<InSearch> searches;

 private:
  RunRecord record(const RunRequest& request, const InSearch& search, const Matrix& m, const Progress& progress) const {
    const KernelRow& k = kernel_row(request.kernel);
    RunRecord r;
    r.request = request;
    r.matrix_name = m.source.name, r.rows = m.csr->rows(), r.cols = m.csr->cols(), r.nnz = m.csr->nnz();
    r.kernel_label = k.info.label, r.format = k.info.format;
    r.device = "cuda:0", r.device_name = "A GPU";
    r.status = RunStatus::cancelled;
    if (progress.cancelled()) return r;
    r.status = RunStatus::failed;
    if (failing.contains(k.info.id)) return r.error = "it does not work", r;
    if (lost.contains(k.info.id)) return r.error = "the device was lost: gone", r;
    r.status = RunStatus::ok;
    double us = k.info.library.empty() ? 10 : 30;
    for (const auto& [id, value] : request.params) us *= value == 0 || value == 256 || value == 4 ? 1 : 1.1;
    if (request.cache_state == CacheState::cold) us *= 2;
    r.provenance = Provenance::measured;
    r.time = {us, "us", Provenance::measured};
    r.time_how = "made up";
    r.minimum_bytes = {1e6, "B", Provenance::modelled};
    r.details.push_back({"conversion", "conversion", {100, "us", Provenance::measured}});
    if (search.as == InSearch::As::trial) {
      r.details.push_back({kSearchSpent, "spent", {4, "ms", Provenance::measured}});
      r.notes.push_back(std::string(not_checked_note) + "it was ranked");
    } else {
      r.check = ErrorCheck{.max_of_bound = 0.5, .rows_checked = r.rows, .passed = true};
    }
    return r;
  }
};

class BenchPlans : public ::testing::Test {
 protected:
  BenchPlans() {
    options_.kernels = {"csr_vector", "csr_even", "sell", "csr_even_transposed"};
    options_.states = {CacheState::warm, CacheState::cold};
    options_.budget_s = 0.1;
    options_.trials = true;
    report_.device.id = report_.device.name = "cuda:0";
    report_.device.spec.l2_bytes = 50e6;
    report_.against = "cuSPARSE";
    catalog_.devices = {report_.device};
  }
  BenchPlan plan() const {
    return {matrix_, "gen:a", options_, report_, [] { return 0.0; }};
  }
  std::string told(const BenchPlan& plan, const Results& results) const {
    BenchReport r = report_;
    r.rows = plan.rows(results);
    return to_json(r);
  }
  PlanEnd run(const BenchPlan& plan, Results& results, ExecutorOptions keep = {}) {
    Progress progress;
    const MatrixOf same = [&](const std::string&, Progress&) -> const Matrix& { return matrix_; };
    return Executor(engine_, catalog_, keep).run(plan, same, progress, results);
  }

  Progress progress_;
  Matrix matrix_ = generate("laplace5?nx=30&ny=30", progress_);
  BenchOptions options_;
  BenchReport report_;
  Catalog catalog_;
  MadeUp engine_;
};

TEST_F(BenchPlans, EachProductIsARunOfTheHistory) {
  History history("");
  Results results;
  const BenchPlan p = plan();
  ASSERT_EQ(run(p, results, {.history = &history}), PlanEnd::done);
  const auto& rows = p.rows(results);
  ASSERT_GE(rows.size(), 4u) << "two precisions, warm and cold";
  for (const BenchRow& r : rows) {
    SCOPED_TRACE(table_line(r, report_));
    EXPECT_TRUE(r.notes.empty()) << r.notes[0];
    ASSERT_TRUE(r.own);
    EXPECT_GT(r.tried, 5);
    EXPECT_EQ(r.own->error_of_bound, 0.5);
    if (r.operation != Operation::product) continue;
    ASSERT_TRUE(r.library);
    EXPECT_DOUBLE_EQ(r.ratio.value, 1.5 * r.library->us / r.own->us) << "as it was in turn";
    EXPECT_EQ(r.library->us, r.state == CacheState::warm ? 30 : 60);
  }
  EXPECT_FALSE(rows[0].trials.empty());
  EXPECT_TRUE(rows[1].trials.empty()) << "they are of both states";
  std::size_t beside = 0;
  for (const CaseResult& r : results) beside += r.beside.size();
  HistoryQuery trials;
  trials.trials = true;
  const std::size_t finals = history.find({}).total;
  EXPECT_EQ(finals + history.find(trials).total, results.size() + beside);
  EXPECT_GE(finals, 2 * 4u) << "both sides of each row";
  for (const CaseResult& r : results) {
    EXPECT_EQ(r.record->plan, "bench");
    EXPECT_EQ(r.asked.request.matrix, "gen:a");
  }
}

TEST_F(BenchPlans, TheSearchEndsWithItsBudget) {
  Results results;
  ASSERT_EQ(run(plan(), results), PlanEnd::done);
  const std::size_t few = results.size();
  results.clear();
  options_.budget_s = 1;
  ASSERT_EQ(run(plan(), results), PlanEnd::done);
  EXPECT_GT(results.size(), few);
  std::size_t trials = 0;
  for (const CaseResult& r : results) trials += r.asked.search->as == InSearch::As::trial;
  EXPECT_LT(trials, 2 * 2 * 2 * 1000 / 4 + 100u) << "of 4 ms each, and a few in any case";
}

TEST_F(BenchPlans, ResumedAtEveryProductItComesToTheSame) {
  Results whole;
  const BenchPlan calm = plan();
  ASSERT_EQ(run(calm, whole), PlanEnd::done);
  Results results;
  int stops = 0;
  for (PlanEnd end = PlanEnd::cancelled; end != PlanEnd::done;) {
    engine_.calls = 0, engine_.stops_at = 2 + stops % 7;
    const BenchPlan again = plan();  // another process, as far as it can tell
    end = run(again, results);
    ASSERT_LT(++stops, 2000) << "it must come on";
    if (end == PlanEnd::done) {
      EXPECT_EQ(told(again, results), told(calm, whole));
    }
  }
  EXPECT_EQ(results.size(), whole.size());
  EXPECT_GT(stops, 20);
}

TEST_F(BenchPlans, WhatFailsIsNotedOnceAndTheRestGoesOn) {
  engine_.failing = {"csr_even", "cusparse_coo"};
  Results results;
  const BenchPlan p = plan();
  ASSERT_EQ(run(p, results), PlanEnd::done);
  const BenchRow& r = p.rows(results).front();
  ASSERT_TRUE(r.own && r.library);
  EXPECT_NE(r.own->kernel, "csr_even");
  EXPECT_NE(r.library->kernel, "cusparse_coo");
  for (const char* note : {"csr_even: it does not work", "cusparse_coo: it does not work"})
    EXPECT_EQ(std::count(r.notes.begin(), r.notes.end(), note), 1) << note;
}

TEST_F(BenchPlans, ALostDeviceEndsIt) {
  engine_.lost = {"csr_even"};
  Executor executor(engine_, catalog_);
  EXPECT_THROW(bench_matrix(matrix_, "gen:a", options_, executor, report_, progress_, [](const BenchRow&) {}),
               DeviceLost);
}

TEST_F(BenchPlans, AgainstNobodyTheSecondBestTakesTurns) {
  options_.against = "";
  Results results;
  const BenchPlan p = plan();
  ASSERT_EQ(run(p, results), PlanEnd::done);
  int finals = 0;
  for (const CaseResult& r : results) {
    EXPECT_TRUE(kernel_row(r.asked.request.kernel).info.library.empty());
    if (r.asked.purpose != Purpose::final || kernel_row(r.asked.request.kernel).info.operation != Operation::product)
      continue;
    if (r.beside.empty()) {
      EXPECT_TRUE(format_row(r.record->format).info.intermediate) << "the best that reads CSR, beside another format's";
      continue;
    }
    ++finals;
    EXPECT_NE(r.beside.back()->request.kernel, r.asked.request.kernel);
  }
  EXPECT_EQ(finals, 4);
  for (const BenchRow& r : p.rows(results)) {
    EXPECT_TRUE(r.own && !r.library);
    ASSERT_TRUE(r.csr) << "in its products preparation is told";
    EXPECT_TRUE(format_row(r.csr->format).info.intermediate);
    EXPECT_GE(r.csr->us, r.own->us) << "if it is as fast it is the best";
  }
}

TEST_F(BenchPlans, ItBeginsWhereAnEarlierSearchEnded) {
  History history("");
  options_.history = &history;
  options_.kernels = {"csr_vector"}, options_.precisions = {Precision::f32}, options_.states = {CacheState::warm};
  RunRecord known;
  known.status = RunStatus::ok, known.provenance = Provenance::measured;
  known.device_name = "cuda:0", known.fingerprint = fingerprint_of(*matrix_.csr);
  known.request.kernel = "csr_vector";
  // The last one of those that keep nothing in L2: a share of so small a matrix is not tried.
  for (const BenchCandidate& c :
       candidates_of(kernel_row("csr_vector"), &format_row("csr").info, scale_of(report_.device.spec)))
    if (c.params.at("matrix_cache") == 0) known.request.params = c.params;
  known.time = {1, "us", Provenance::measured};
  history.add(known);
  Results results;
  ASSERT_EQ(run(plan(), results), PlanEnd::done);
  const auto first = std::find_if(results.begin(), results.end(),
                                  [](const CaseResult& r) { return r.asked.request.kernel == "csr_vector"; });
  ASSERT_NE(first, results.end());
  EXPECT_EQ(first->asked.request.params, known.request.params);
}

// Nothing is measured, and all of it runs.
TEST(BenchModelled, FromTheCommandToTheReportInTheEmulator) {
  const std::string assets = WARPSPY_SOURCE_DIR "/assets";
  const Catalog catalog = make_catalog(assets);
  const auto engine = make_engine(assets);
  BenchOptions options;
  options.kernels = {"csr_scalar", "csr_vector"};
  options.precisions = {Precision::f32}, options.states = {CacheState::warm, CacheState::cold};
  options.budget_s = 0.1;
  options.device = "sim:h200";
  Progress progress;
  BenchReport report = begin_bench(options, catalog.devices, *engine, progress);
  const Matrix m = generate("laplace5?nx=30&ny=30", progress);
  History history("");
  Executor executor(*engine, catalog, {.history = &history});
  std::size_t said = 0;
  bench_matrix(m, "gen:laplace5?nx=30&ny=30", options, executor, report, progress, [&](const BenchRow&) { ++said; });
  EXPECT_EQ(said, 2u);
  ASSERT_EQ(report.rows.size(), 2u) << "warm and cold";
  for (const BenchRow& r : report.rows) {
    EXPECT_TRUE(r.notes.empty()) << r.notes[0];
    ASSERT_TRUE(r.own);
    EXPECT_EQ(r.own->from, Provenance::modelled);
    EXPECT_GT(r.own->us, 0);
    EXPECT_LE(r.own->error_of_bound, 1);
    EXPECT_FALSE(r.library) << "its code cannot be emulated";
  }
  EXPECT_GT(report.rows[1].own->us, report.rows[0].own->us) << "cold takes longer";
  const auto j = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(j.at("rows")[0].at("own").at("quantities").at("time").at("provenance"), "modelled");
  EXPECT_TRUE(j.at("copy_bandwidth").is_null());
  EXPECT_GE(history.find({}).total, 2u);
  for (const SavedRun& kept : history.find({}).runs) {
    EXPECT_EQ(kept.record->plan, "bench");
    EXPECT_EQ(kept.record->purpose, Purpose::final);
    EXPECT_EQ(kept.record->provenance, Provenance::modelled);
  }
}

}  // namespace
}  // namespace warpspy
