// Plans of every kind, killed again and again and gone on with from their folder alone: what they report in the end is
// what they report when nobody kills them, and nothing runs twice. (With kill -9 and the program itself:
// tests/cli/sweep_killed.sh.)
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/experiment/analysis.hpp"
#include "core/experiment/sweep_run.hpp"
#include "core/generate/generate.hpp"
#include "core/model/best_runs.hpp"
#include "core/run/plan_file.hpp"
#include "core/run/request_options.hpp"
#include "core/study/plan.hpp"
#include "core/study/report.hpp"
#include "core/sweep/stored.hpp"
#include "kernels/table/table.hpp"
#include "profiling/bench/plan.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/engine/search_plan.hpp"
#include "profiling/validate/compare.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

// Its times are a function of the request, with a tenth of a percent that hangs on how a search asks.
class MadeUpTimes final : public Engine {
 public:
  using Engine::run;
  RunRecord run(const RunRequest& request, const Matrix& m, Progress& progress, const OnTimed&) override {
    begin(progress);
    return record(request, m, progress, 1);
  }
  std::vector<RunRecord> run_in_turn(const std::vector<RunRequest>& requests, const InSearch& search, const Matrix& m,
                                     Progress& progress) override {
    begin(progress);
    std::vector<RunRecord> records;
    for (const RunRequest& r : requests) {
      records.push_back(record(r, m, progress, 1 + 1e-3 * static_cast<int>(search.as)));
      if (search.as == InSearch::As::trial)
        records.back().details.push_back({kSearchSpent, "spent", {4, "ms", Provenance::measured}});
      else
        records.back().check = ErrorCheck{.max_of_bound = 0.5, .rows_checked = records.back().rows, .passed = true};
    }
    return records;
  }
  int calls = 0, stops_at = 0;

 private:
  void begin(Progress& progress) {
    if (++calls == stops_at) progress.cancel();
  }
  static RunRecord record(const RunRequest& request, const Matrix& m, const Progress& progress, double factor) {
    const bool modelled = request.device.starts_with("sim:");
    RunRecord r;
    r.started = "2026-11-28T00:00:00.000Z";
    r.request = request;
    r.matrix_name = m.source.name, r.rows = m.csr->rows(), r.cols = m.csr->cols(), r.nnz = m.csr->nnz();
    r.kernel_label = kernel_row(request.kernel).info.label, r.format = kernel_row(request.kernel).info.format;
    r.device = request.device, r.device_name = modelled ? "A modelled GPU" : "A GPU";
    r.status = RunStatus::cancelled;
    if (progress.cancelled()) return r;
    r.status = RunStatus::ok;
    r.provenance = modelled ? Provenance::modelled : Provenance::measured;
    double us = 10 + static_cast<double>(request.kernel.size()) + static_cast<double>(request.seed);
    for (const auto& [id, value] : request.params) us *= 1 + std::sin(value + static_cast<double>(id.size())) / 7;
    r.time = {us * factor, "us", r.provenance};
    r.gflops = {2e-3 * static_cast<double>(r.nnz) / r.time.value, "GFLOP/s", r.provenance};
    r.minimum_bytes = {1e5, "B", Provenance::derived};
    r.sampled_share = 1;
    for (const char* id : {"requests", "sectors", "dram_bytes", "dram_read_bytes", "dram_write_bytes", "instructions"})
      r.counters.push_back({id, std::floor(1e4 * us), "1", r.provenance, "", ""});
    return r;
  }
};

class KilledPlans : public ::testing::Test {
 protected:
  KilledPlans() {
    DeviceInfo gpu;
    gpu.id = "cuda:0", gpu.name = "A GPU", gpu.available = true;
    gpu.spec.l2_bytes = 50e6;
    catalog_.devices.push_back(gpu);
  }
  void SetUp() override { fs::remove_all(root_); }
  void TearDown() override { fs::remove_all(root_); }

  const DeviceInfo& gpu() const { return catalog_.devices.back(); }
  const Matrix& matrix() const { return matrix_; }
  const MatrixOf same_ = [this](const std::string&, Progress&) -> const Matrix& { return matrix_; };

  const std::string root_ = ::testing::TempDir() + "warpspy_killed_" + std::to_string(getpid());
  Catalog catalog_ = make_catalog(WARPSPY_SOURCE_DIR "/assets");
  MadeUpTimes engine_;
  Progress calm_;
  Matrix matrix_ = generate("laplace5?nx=12&ny=12", calm_);

 public:
  // What a plan tells in the end; nothing: it was stopped.
  using Told = std::optional<std::string>;
  Told sweep(Executor& executor, SweepFolder& folder, Progress& progress) {
    SweepPlan plan;
    for (int nx = 5; nx < 30; ++nx) plan.matrices.push_back({"gen:laplace5?nx=" + std::to_string(nx) + "&ny=9", ""});
    plan.kernels = {"csr_vector", "csr_scalar"};
    SweepPlan::add(plan.params, "coop", "1:32");
    SweepPlan::add(plan.options, "device", "sim:h200");
    Sweep sweep(plan, catalog_);
    take_in(sweep, folder, progress);
    const PlanEnd end =
        run_sweep(sweep, executor, same_, progress, [](std::size_t) {}, [](std::size_t, const CaseResult&) {});
    std::string told = std::to_string(sweep.cells().size());
    for (const SweepCell& cell : sweep.cells()) {
      const auto stored = folder.find(folder.id_of(cell, calm_));
      told += "\n" + cell.request.kernel + " " + (stored ? std::to_string(stored->record.time.value) : "none");
    }
    return end == PlanEnd::done ? Told(told) : std::nullopt;
  }
  Told bench(Executor& executor, Progress& progress, const std::string& against) {
    BenchOptions options;
    options.against = against;
    options.kernels = {"csr_vector", "csr_even", "sell", "csr_even_transposed"};
    options.states = {CacheState::warm, CacheState::cold};
    options.budget_s = 0.1, options.trials = true;
    BenchReport report;
    report.device = gpu(), report.against = against;
    const BenchPlan plan(matrix_, "gen:laplace5?nx=12&ny=12", options, report, [] { return 0.0; });
    Results results;
    if (executor.run(plan, same_, progress, results) != PlanEnd::done) return std::nullopt;
    report.rows = plan.rows(results);
    std::vector<std::shared_ptr<const RunRecord>> runs;
    for (const CaseResult& r : results)
      if (r.asked.purpose == Purpose::final)
        runs.push_back(r.record), runs.insert(runs.end(), r.beside.begin(), r.beside.end());
    return to_json(report) + to_json(best_runs(runs, catalog_, {}));
  }
  Told search(Executor& executor, Progress& progress) {
    TuneRequest request;
    request.run.kernel = "csr_vector", request.run.device = "sim:h200";
    request.run.matrix = "gen:laplace5?nx=12&ny=12", request.most_products = 60;
    const TuneRecord r = run_search(request, search_maker(), executor, catalog_.devices, matrix_, progress, {});
    if (r.status == RunStatus::cancelled) return std::nullopt;
    std::string told = r.error;
    for (const TuneStep& s : r.steps) {
      told += "\n" + s.strategy + " " + s.kernel + " " + s.failure + (s.us ? std::to_string(*s.us) : "");
      for (const auto& [id, value] : s.params) told += " " + id + "=" + std::to_string(value);
    }
    return told;
  }
  Told validate(Executor& executor, Progress& progress) {
    std::vector<RunRequest> requests;
    for (const KernelInfo& k : catalog_.kernels) {
      if (!k.library.empty() || k.operation != Operation::product) continue;
      for (const char* device : {"cuda:0", "sim:h200"}) {
        requests.emplace_back();
        requests.back().matrix = "gen:laplace5?nx=12&ny=12", requests.back().kernel = k.id;
        requests.back().device = device;
      }
    }
    Results results;
    if (executor.run(ListPlan("validate", cases_of(requests, Purpose::trial)), same_, progress, results) !=
        PlanEnd::done)
      return std::nullopt;
    ValidationReport report{"A GPU", "A modelled GPU", "", {}};
    for (std::size_t k = 1; k < results.size(); k += 2)
      report.runs.push_back(compare_runs(*results[k - 1].record, *results[k].record));
    return to_json(report);
  }
  Told analyse(Executor& executor, Progress& progress) try {
    AnalysisRequest request;
    request.id = "coop";
    request.run.device = "sim:h200", request.run.matrix = "gen:laplace5?nx=12&ny=12";
    std::string told;
    // A command analyses one matrix after another; here the seed makes another one of it.
    for (request.run.seed = 1; request.run.seed <= 6; ++request.run.seed) {
      request.kernels = {"csr_vector"};
      for (const AnalysisValue& v : run_analysis(request, catalog_, executor, matrix_, progress).values)
        told += v.series + " " + std::to_string(v.x) + " " + (v.value ? std::to_string(*v.value) : v.reason) + "\n";
    }
    return told;
  } catch (const Cancelled&) {
    return std::nullopt;
  }
  Told study(Executor& executor, Progress& progress) {
    std::string rows;
    for (int n = 5; n < 30; ++n) {
      const std::string name = "m" + std::to_string(n);
      rows += (rows.empty() ? "" : ",") + std::string(R"({"name": ")") + name + R"(", "matrix": ")" + name +
              R"(", "cells": ["2.0", "4.0"]})";
    }
    std::string matrices;
    for (int n = 5; n < 30; ++n)
      matrices += (matrices.empty() ? "\"m" : ",\"m") + std::to_string(n) + R"(": {"source": "gen:laplace5?nx=)" +
                  std::to_string(n) + R"(&ny=9", "kind": "generator"})";
    const Study study = study_from_json(
        R"({"schema": "warpspy-study-1", "id": "made-up", "title": "Made up",
            "source": {"paper": "Nobody 2026", "place": "Table 1"}, "matrices": {)" +
            matrices + R"(},
            "setups": {"scalar": {"kernel": "csr_scalar", "precision": "f32", "device": "gtx280"},
                       "vector": {"kernel": "csr_vector", "params": {"coop": 4}, "precision": "f32", "device": "gtx280"}},
            "defaults": {"claim": "rate", "unit": "GFLOP/s", "quantity": "run.gflops"},
            "tables": [{"columns": [{"name": "scalar", "setup": "scalar"}, {"name": "vector", "setup": "vector"}],
                        "rows": [)" +
            rows + "]}]}",
        "made-up.json");
    const StudyWork work = work_of(study, catalog_);
    const StudyRun run = run_study(study, work, catalog_, executor, same_, progress);
    if (run.end != PlanEnd::done) return std::nullopt;
    StudyReport report;
    report.study = std::make_shared<const Study>(study);
    report.modelled = judge(study, run.readings, true);
    return to_json(report);
  }
};

// A row for each kind of plan. Plan files (docs/plans.md) are options of these as fields.
struct Kind {
  const char* name;
  std::size_t least;  // products
  std::function<KilledPlans::Told(KilledPlans&, Executor&, SweepFolder&, Progress&)> run;
};
const std::vector<Kind>& kinds() {
  using T = KilledPlans;
  using E = Executor;
  using F = SweepFolder;
  using P = Progress;
  static const std::vector<Kind> all = {
      {"sweep", 150, [](T& t, E& e, F& f, P& p) { return t.sweep(e, f, p); }},
      {"bench", 100, [](T& t, E& e, F&, P& p) { return t.bench(e, p, "cusparse"); }},
      {"best", 60, [](T& t, E& e, F&, P& p) { return t.bench(e, p, ""); }},
      {"tune", 60, [](T& t, E& e, F&, P& p) { return t.search(e, p); }},
      {"validate", 50, [](T& t, E& e, F&, P& p) { return t.validate(e, p); }},
      {"analyse", 20, [](T& t, E& e, F&, P& p) { return t.analyse(e, p); }},
      {"study", 50, [](T& t, E& e, F&, P& p) { return t.study(e, p); }},
  };
  return all;
}

TEST_F(KilledPlans, AreOfEveryKindThatAFileNames) {
  for (const std::string& name : plan_commands())
    EXPECT_TRUE(std::any_of(kinds().begin(), kinds().end(), [&](const Kind& k) { return name == k.name; })) << name;
}

TEST_F(KilledPlans, OfEveryKindComeToTheSame) {
  constexpr int kills = 20;
  const Maker here{"0.1.0 (abc)", "", ""};
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    const auto once = [&](const std::string& where, int stops_at) {
      SweepFolder folder(root_ + "/" + kind.name + where, SweepFolder::For::running);
      Executor executor(engine_, catalog_, {.folder = &folder, .here = here, .look_first = true});
      engine_.calls = 0, engine_.stops_at = stops_at;
      Progress progress;
      return kind.run(*this, executor, folder, progress);
    };
    const Told whole = once("/whole", 0);
    ASSERT_TRUE(whole);
    const int products = engine_.calls;
    EXPECT_GE(products, static_cast<int>(kind.least));
    int killed = 0, calls = 0;
    Told told;
    while (!(told = once("/killed", killed < kills ? 1 + std::max(1, products / (kills + 1)) : 0))) {
      ASSERT_LE(++killed, kills) << "it must come on";
      calls += engine_.calls - 1;  // the last one was cut off
    }
    EXPECT_EQ(killed, kills);
    EXPECT_EQ(*told, *whole);
    EXPECT_EQ(calls + engine_.calls, products) << "nothing runs twice";
    EXPECT_EQ(SweepFolder(root_ + "/" + kind.name + "/whole", SweepFolder::For::running).ids(),
              SweepFolder(root_ + "/" + kind.name + "/killed", SweepFolder::For::running).ids());
    engine_.stops_at = 0;
    EXPECT_EQ(*once("/killed", 0), *whole);
    EXPECT_EQ(engine_.calls, 0) << "all of it is there";
  }
}

}  // namespace
}  // namespace warpspy
