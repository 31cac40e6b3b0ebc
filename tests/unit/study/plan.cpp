// A study as a plan of the executor.
#include "core/study/plan.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "core/generate/generate.hpp"
#include "core/run/fingerprint.hpp"
#include "core/study/verdict.hpp"
#include "samples.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;
using testing::made_up;

// Its rate is the coop of the request; it fails for f64.
class CoopEngine final : public Engine {
 public:
  using Engine::run;
  RunRecord run(const RunRequest& request, const Matrix& /*matrix*/, Progress& /*progress*/,
                const OnTimed& /*on_timed*/) override {
    ++runs;
    RunRecord r;
    r.request = request;
    r.device = request.device, r.device_name = "Toy";
    if (request.precision == Precision::f64) return r.error = "no f64 here", r;
    r.status = RunStatus::ok;
    r.gflops = {request.params.contains("coop") ? request.params.at("coop") : 2, "GFLOP/s", Provenance::modelled};
    r.time = {1, "us", Provenance::modelled};
    return r;
  }
  int runs = 0;
};

class StudyPlans : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    using Type = ParamSpec::Type;
    catalog_.formats = {{"csr", "CSR", "", ""}};
    catalog_.kernels = {
        {"csr_scalar", "CSR scalar", "", "", "csr"},
        {"csr_vector", "CSR vector", "", "", "csr", {{"coop", "Threads", "", Type::power_of_two, 1, 32, 8}}}};
    catalog_.devices = {{"sim:gtx280", "Toy", true, true, "", "", {}}, {"sim:other", "Other", true, true, "", "", {}}};
    catalog_.devices[0].spec.dram_gbs = 141.7;
  }
  void TearDown() override { fs::remove_all(root_); }

  StudyRun run(const Study& s, std::optional<double> budget = {}) {
    Executor executor(engine_, catalog_);
    return run_study(s, work_of(s, catalog_), catalog_, executor, matrix_of_, progress_, budget);
  }
  static std::string reason(const StudyRun& run, const ReadingKey& key) { return run.readings.at(key).reason; }

  const MatrixOf matrix_of_ = [this](const std::string& source, Progress& progress) -> const Matrix& {
    ++opened_;
    if (!source.starts_with("gen:")) throw Error("the file cannot be opened", source);
    return matrix_ = generate(source, progress);
  };
  const std::string root_ = ::testing::TempDir() + "warpspy_study_" + std::to_string(getpid());
  Catalog catalog_;
  CoopEngine engine_;
  Matrix matrix_;
  Progress progress_;
  int opened_ = 0;
};

TEST_F(StudyPlans, EachProductIsRunOnceAndEachMatrixOpenedOnce) {
  Study s = made_up(testing::kRates);
  s.cells.push_back(s.cells.front());  // the same once more
  const StudyRun r = run(s);
  EXPECT_EQ(engine_.runs, 4);
  EXPECT_EQ(opened_, 2);
  EXPECT_EQ(r.products, 4u);
  EXPECT_EQ(r.left, 0u);
  EXPECT_DOUBLE_EQ(*r.readings.at({"A", "vector", "run.gflops"}).value, 4);
  const auto judged = judge(s, r.readings, true);
  EXPECT_EQ(judged[0].verdict, CellVerdict::agrees);
  EXPECT_EQ(judged[1].verdict, CellVerdict::agrees);
}

TEST_F(StudyPlans, CountsNeedNoProduct) {
  const Study s = made_up(R"("defaults": {"claim": "exact", "unit": "1"},
    "claims": [{"name": "rows", "printed": "100", "quantity": "matrix.rows", "matrix": "A"},
               {"name": "nnz", "printed": "460", "quantity": "matrix.nnz", "matrix": "A"},
               {"name": "wrong", "printed": "461", "quantity": "matrix.nnz", "matrix": "A"},
               {"name": "bandwidth", "printed": "141.7", "quantity": "gpu.dram_gbs", "setup": "scalar"}])");
  const StudyRun r = run(s);
  EXPECT_EQ(engine_.runs, 0);
  EXPECT_EQ(opened_, 1);
  const auto judged = judge(s, r.readings, true);
  EXPECT_EQ(judged[0].verdict, CellVerdict::agrees);
  EXPECT_EQ(judged[1].verdict, CellVerdict::agrees) << *judged[1].here.value;
  EXPECT_EQ(judged[2].verdict, CellVerdict::differs) << "the planted number is found";
  EXPECT_EQ(judged[3].verdict, CellVerdict::agrees);
}

TEST_F(StudyPlans, WhatCannotRunIsKnownBeforeAndHasAReason) {
  Study s = made_up(testing::kRates);
  s.setups["scalar"].kernel = "gone";
  s.setups["vector"].options["device"] = "gtx295";
  StudyWork work = work_of(s, catalog_);
  EXPECT_TRUE(work.cases.empty());
  EXPECT_NE(work.known.at({"A", "scalar", "run.gflops"}).reason.find("no kernel gone any more"), std::string::npos);
  EXPECT_NE(work.known.at({"A", "vector", "run.gflops"}).reason.find("gtx295"), std::string::npos);
  s = made_up(testing::kRates);
  s.setups["vector"].params["width"] = "4";
  EXPECT_NE(work_of(s, catalog_).known.at({"A", "vector", "run.gflops"}).reason.find("width"), std::string::npos);
  s = made_up(testing::kRates);
  s.setups["vector"].params["coop"] = "3";
  EXPECT_FALSE(work_of(s, catalog_).known.at({"A", "vector", "run.gflops"}).reason.empty());
  EXPECT_EQ(work_of(s, catalog_).cases.size(), 2u) << "the others run";
}

TEST_F(StudyPlans, AMatrixThatIsNotAtHandEndsNothingButItsCells) {
  Study s = made_up(testing::kRates);
  s.matrices["B"].source = "collection:GROUP/B";
  StudyRun r = run(s);
  EXPECT_TRUE(r.readings.at({"A", "scalar", "run.gflops"}).value);
  EXPECT_NE(reason(r, {"B", "scalar", "run.gflops"}).find("cannot be opened"), std::string::npos);
  s.matrices["B"].source.clear(), s.matrices["B"].other = "nobody knows it";
  EXPECT_EQ(reason(run(s), {"B", "scalar", "run.gflops"}), "nobody knows it");
}

TEST_F(StudyPlans, AnotherMatrixOfTheNameIsRefused) {
  Study s = made_up(testing::kRates);
  s.matrices["A"].rows = 100, s.matrices["A"].columns = 100, s.matrices["A"].nnz = 460;
  EXPECT_TRUE(run(s).readings.at({"A", "scalar", "run.gflops"}).value);
  s.matrices["A"].nnz = 461;
  EXPECT_NE(reason(run(s), {"A", "scalar", "run.gflops"}).find("has 460 entries, and the paper's 461"),
            std::string::npos);
  s.matrices["A"].nnz = 460;
  s.matrices["A"].hash = fingerprint_of(*generate("laplace5?nx=10&ny=10", progress_).csr);
  EXPECT_TRUE(run(s).readings.at({"A", "scalar", "run.gflops"}).value);
  s.matrices["A"].hash = "0123456789abcdef";
  EXPECT_NE(reason(run(s), {"A", "scalar", "run.gflops"}).find("with other numbers"), std::string::npos);
}

TEST_F(StudyPlans, AFailedRunIsAReason) {
  Study s = made_up(testing::kRates);
  s.setups["vector"].options["precision"] = "f64";
  EXPECT_EQ(reason(run(s), {"A", "vector", "run.gflops"}), "no f64 here");
}

TEST_F(StudyPlans, WhatAMatrixSaysHoldsWhereTheSetupSaysNothing) {
  Study s = made_up(testing::kRates);
  s.matrices["B"].params["coop"] = "16";
  EXPECT_DOUBLE_EQ(*run(s).readings.at({"B", "vector", "run.gflops"}).value, 4) << "the setup says 4";
  s.setups["vector"].params.clear();
  EXPECT_DOUBLE_EQ(*run(s).readings.at({"B", "vector", "run.gflops"}).value, 16);
  EXPECT_DOUBLE_EQ(*run(s).readings.at({"A", "vector", "run.gflops"}).value, 8) << "the kernel's default";
}

TEST_F(StudyPlans, TheTimeThatIsUpLeavesTheRest) {
  const Study s = made_up(testing::kRates);
  const StudyWork work = work_of(s, catalog_);
  const StudyPlan plan(s, work, 10.0);
  Results results;
  for (const double seconds : {4.0, 7.0}) {
    const std::vector<Case> next = plan.next(results);
    ASSERT_EQ(next.size(), 1u);
    results.push_back({next[0], std::make_shared<RunRecord>(), seconds});
  }
  EXPECT_TRUE(plan.next(results).empty()) << "11 of 10 seconds are gone";
  results[1].found = true;  // it had been run before
  EXPECT_EQ(plan.next(results).size(), 1u);
  EXPECT_EQ(StudyPlan(s, work, {}).next({}).size(), 4u);
}

TEST_F(StudyPlans, WhatWasStoppedGoesOnInItsFolder) {
  const Study s = made_up(testing::kRates);
  const StudyWork work = work_of(s, catalog_);
  const auto in_folder = [&](std::optional<double> budget) {
    SweepFolder folder(root_ + "/s", SweepFolder::For::running);
    Executor executor(engine_, catalog_, {.folder = &folder, .here = {"0.1", "", ""}, .look_first = true});
    return run_study(s, work, catalog_, executor, matrix_of_, progress_, budget);
  };
  const StudyRun first = in_folder(1e-9);
  EXPECT_EQ(engine_.runs, 1);
  EXPECT_EQ(first.left, 3u);
  EXPECT_EQ(reason(first, {"B", "vector", "run.gflops"}), "it has not been run");
  const StudyRun second = in_folder({});
  EXPECT_EQ(engine_.runs, 4) << "the first was not run again";
  EXPECT_EQ(second.left, 0u);
  for (const auto& [key, reading] : second.readings) EXPECT_TRUE(reading.value) << std::get<0>(key);
}

TEST_F(StudyPlans, GoesStepByStepAndOpensEachMatrixOnce) {
  const Study s = made_up(testing::kRates);
  const StudyWork work = work_of(s, catalog_);
  Executor executor(engine_, catalog_);
  StudySteps steps(s, work, catalog_);
  for (int k = 1; k <= 4; ++k) {
    EXPECT_TRUE(steps.step(executor, matrix_of_, progress_));
    EXPECT_EQ(engine_.runs, k) << "one product a step";
    EXPECT_EQ(steps.so_far().left, work.cases.size() - static_cast<std::size_t>(k));
  }
  EXPECT_FALSE(steps.step(executor, matrix_of_, progress_));
  EXPECT_EQ(opened_, 2);
  const StudyRun all = steps.so_far();
  const Reading& reading = all.readings.at({"A", "vector", "run.gflops"});
  ASSERT_TRUE(reading.run) << "a number leads to its run";
  EXPECT_EQ(reading.run->request.kernel, "csr_vector");
}

TEST_F(StudyPlans, AMatrixThatIsRefusedIsOpenedOnce) {
  Study s = made_up(testing::kRates);
  s.matrices["A"].nnz = 461, s.matrices["A"].rows = s.matrices["A"].columns = 100;
  run(s);
  EXPECT_EQ(opened_, 2) << "for all of its cells together";
}

TEST_F(StudyPlans, WhatIsKeptIsReadWithoutRunning) {
  const Study s = made_up(testing::kRates);
  const StudyWork work = work_of(s, catalog_);
  SweepFolder folder(root_ + "/s", SweepFolder::For::running);
  {
    Executor executor(engine_, catalog_, {.folder = &folder, .here = {"0.1", "", ""}, .look_first = true});
    run_study(s, work, catalog_, executor, matrix_of_, progress_, 1e-9);
  }
  const Results kept = kept_results(work, catalog_, folder, progress_);
  ASSERT_EQ(kept.size(), 4u);
  EXPECT_EQ(std::count_if(kept.begin(), kept.end(), [](const CaseResult& r) { return r.record != nullptr; }), 1);
  EXPECT_EQ(engine_.runs, 1);
  Readings readings = work.known;
  read_results(work, kept, catalog_, readings);
  EXPECT_EQ(std::count_if(readings.begin(), readings.end(), [](const auto& r) { return r.second.value.has_value(); }),
            1);
}

TEST_F(StudyPlans, AnEditedGpuFileMakesItsProductsRunAgain) {
  const Study s = made_up(testing::kRates);
  const StudyWork work = work_of(s, catalog_);
  SweepFolder folder(root_ + "/s", SweepFolder::For::running);
  const auto run_here = [&] {
    Executor executor(engine_, catalog_, {.folder = &folder, .here = {"0.1", "", ""}, .look_first = true});
    run_study(s, work, catalog_, executor, matrix_of_, progress_);
  };
  catalog_.devices[0].spec.sources["dram_gbs"] = "data sheet";
  run_here();
  run_here();
  EXPECT_EQ(engine_.runs, 4) << "the same file: nothing is run again";
  catalog_.devices[0].spec.dram_gbs = 150;
  const Results kept = kept_results(work, catalog_, folder, progress_);
  EXPECT_TRUE(std::all_of(kept.begin(), kept.end(), [](const CaseResult& r) { return r.record == nullptr; }))
      << "numbers of other figures are no numbers of this GPU";
  run_here();
  EXPECT_EQ(engine_.runs, 8);
  run_here();
  EXPECT_EQ(engine_.runs, 8) << "the new ones took the place of the old";
}

TEST_F(StudyPlans, AnotherProgramThatRunsItIsLeftAlone) {
  const SweepFolder held(root_ + "/s", SweepFolder::For::running);
  EXPECT_THROW(SweepFolder(root_ + "/s", SweepFolder::For::running), Error);
}

TEST_F(StudyPlans, ADeviceTakesThePlaceOfThePapers) {
  const Study s = made_up(testing::kRates);
  for (const Case& c : work_of(s, catalog_).cases) EXPECT_EQ(c.request.device, "sim:gtx280");
  for (const Case& c : work_of(s, catalog_, {.device = "sim:other"}).cases) EXPECT_EQ(c.request.device, "sim:other");
  for (const Case& c : work_of(s, catalog_, {.depth = Depth::quick}).cases) EXPECT_EQ(c.request.depth, Depth::quick);
}

}  // namespace
}  // namespace warpspy
