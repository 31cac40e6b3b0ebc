// Searches for parameters in a study: what they read, and that a study runs them product by product.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "core/generate/generate.hpp"
#include "core/study/plan.hpp"
#include "core/study/search.hpp"
#include "core/study/verdict.hpp"
#include "samples.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;
using testing::made_up;

// Two threads a row are the best: 1 us. Each doubling or halving takes 1 us more. It fails for 32.
class TwoIsBest final : public Engine {
 public:
  using Engine::run;
  RunRecord run(const RunRequest& request, const Matrix& /*matrix*/, Progress& /*progress*/,
                const OnTimed& /*on_timed*/) override {
    ++runs;
    RunRecord r;
    r.request = request;
    r.device = request.device, r.device_name = "Toy";
    const double coop = request.params.at("coop");
    if (coop == 32) return r.error = "no 32 here", r;
    r.status = RunStatus::ok;
    r.time = {1 + std::abs(std::log2(coop) - 1), "us", Provenance::modelled};
    return r;
  }
  int runs = 0;
};

// The walk tries 16, 8 and 2 threads a row, the exhaustive search those from 1 to 8.
class ToySearch final : public SearchPlan {
 public:
  explicit ToySearch(TuneRequest request) : request_(std::move(request)) {}
  std::string name() const override { return "tune " + request_.run.kernel; }
  std::size_t expected(const Results&) const override { return std::size(kTried); }
  std::vector<Case> next(const Results& so_far) const override {
    std::vector<Case> all;
    for (std::size_t k = so_far.size(); k < std::size(kTried); ++k) {
      RunRequest r = request_.run;
      r.params["coop"] = kTried[k].coop;
      all.push_back({std::move(r), kTried[k].strategy, Purpose::trial});
    }
    return all;
  }
  TuneRecord record(const Results& so_far) const override {
    TuneRecord r;
    r.request = request_;
    int product = 0;
    for (std::size_t k = 0; k < so_far.size(); ++k) {
      const RunRecord& run = *so_far[k].record;
      if (k > 0 && std::string(kTried[k].strategy) != kTried[k - 1].strategy) product = 0;
      TuneStep& step = r.steps.emplace_back(
          TuneStep{kTried[k].strategy, ++product, run.request.kernel, so_far[k].asked.request.params, {}, run.error});
      if (run.status == RunStatus::ok) step.us = run.time.value, r.status = RunStatus::ok;
    }
    return r;
  }

 private:
  struct Tried {
    const char* strategy;
    double coop;
  };
  static constexpr Tried kTried[] = {{"run_time", 16},   {"run_time", 8},   {"run_time", 2},  {"exhaustive", 1},
                                     {"exhaustive", 32}, {"exhaustive", 4}, {"exhaustive", 8}};
  TuneRequest request_;
};

constexpr const char* kCurve = R"("defaults": {"claim": "ratio", "unit": "%", "matrix": "A", "setup": "scalar"},
  "claims": [{"name": "one", "printed": "25", "quantity": "tune.run_time.1"},
             {"name": "two", "printed": "33", "quantity": "tune.run_time.2"},
             {"name": "three", "printed": "100", "quantity": "tune.run_time.3"},
             {"name": "more than it tries", "printed": "100", "quantity": "tune.run_time.9"},
             {"name": "wrong", "printed": "80", "quantity": "tune.run_time.3"},
             {"name": "mean", "printed": "25", "quantity": "tune.run_time.1", "aggregate": "mean", "matrices": ["A", "B"]},
             {"name": "gain", "printed": "4.0", "unit": "1", "quantity": "tune.run_time.3", "per": "tune.run_time.1"}])";

class StudySearches : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    catalog_.formats = {{"csr", "CSR", "", ""}};
    catalog_.kernels = {
        {"csr_scalar", "CSR", "", "", "csr", {{"coop", "", "", ParamSpec::Type::power_of_two, 1, 32, 8}}}};
    catalog_.devices = {{"sim:gtx280", "Toy", true, true, "", "", {}}};
    catalog_.strategies = {{"run_time", "", "", ""}, {"exhaustive", "", "", ""}};
  }
  void TearDown() override { fs::remove_all(root_); }

  StudyRun run(const Study& s) {
    Executor executor(engine_, catalog_);
    return run_study(s, work_of(s, catalog_), catalog_, executor, matrix_of_, progress_, {}, {}, make_);
  }
  static const Reading& first(const StudyRun& r) { return r.readings.at({"A", "scalar", "tune.run_time.1"}); }

  MakeSearch make_ = [](const TuneRequest& request, const Matrix&, const std::vector<DeviceInfo>&) {
    return std::make_unique<ToySearch>(request);
  };
  const MatrixOf matrix_of_ = [this](const std::string& source, Progress& progress) -> const Matrix& {
    ++opened_;
    return matrix_ = generate(source, progress);
  };
  const std::string root_ = ::testing::TempDir() + "warpspy_searches_" + std::to_string(getpid());
  Catalog catalog_;
  TwoIsBest engine_;
  Matrix matrix_;
  Progress progress_;
  int opened_ = 0;
};

TEST_F(StudySearches, TheBestOfTheFirstProductsIsHeldAgainstTheOptimum) {
  const Study s = made_up(kCurve);
  const StudyRun r = run(s);
  EXPECT_EQ(engine_.runs, 2 * 7) << "one search on each matrix, for all of its cells";
  EXPECT_EQ(opened_, 2);
  EXPECT_EQ(r.products, 14u);
  EXPECT_EQ(r.left, 0u);
  const auto judged = judge(s, r.readings, true);
  const double expected[] = {25, 100.0 / 3, 100, 100, 100, 25, 4};
  for (std::size_t k = 0; k < judged.size(); ++k) {
    ASSERT_TRUE(judged[k].here.value) << s.cells[k].name() << ": " << judged[k].here.reason;
    EXPECT_NEAR(*judged[k].here.value, expected[k], 1e-9) << s.cells[k].name();
    const bool wrong = s.cells[k].row == "wrong";
    EXPECT_EQ(judged[k].verdict, wrong ? CellVerdict::differs : CellVerdict::agrees) << s.cells[k].name();
  }
  const Reading& two = r.readings.at({"A", "scalar", "tune.run_time.2"});
  ASSERT_TRUE(two.run) << "a number leads to its run";
  EXPECT_EQ(two.run->request.params.at("coop"), 8);
}

TEST_F(StudySearches, WhatTheSetupStatesIsHeldAndTheGridIsAsLargeAsItSays) {
  Study s = made_up(kCurve);
  EXPECT_TRUE(work_of(s, catalog_).searches.at(0).request.run.params.empty()) << "what is not stated is searched";
  s.setups["scalar"].params["coop"] = "4";
  s.setups["scalar"].most_products = 20;
  const StudyWork work = work_of(s, catalog_);
  ASSERT_EQ(work.searches.size(), 2u);
  const TuneRequest& request = work.searches[0].request;
  EXPECT_EQ(request.run.params.at("coop"), 4);
  EXPECT_EQ(request.run.device, "sim:gtx280");
  EXPECT_EQ(request.most_products, 20);
  EXPECT_EQ(request.strategies, (std::vector<std::string>{"exhaustive", "run_time"}));
  EXPECT_EQ(work.expected(), 40u);
  EXPECT_EQ(sweep_plan_of(work).kernels, std::vector<std::string>{"csr_scalar"});
}

TEST_F(StudySearches, GoProductByProductAndOnInTheirFolder) {
  const Study s = made_up(kCurve);
  const StudyWork work = work_of(s, catalog_);
  SweepFolder folder(root_ + "/s", SweepFolder::For::running);
  const ExecutorOptions kept{.folder = &folder, .here = {"0.1", "", ""}, .look_first = true};
  {
    Executor executor(engine_, catalog_, kept);
    StudySteps steps(s, work, catalog_, {}, make_);
    for (int k = 1; k <= 3; ++k) {
      EXPECT_TRUE(steps.step(executor, matrix_of_, progress_));
      EXPECT_EQ(engine_.runs, k) << "one product a step";
    }
    EXPECT_EQ(steps.so_far().left, 2u) << "two searches have not ended";
    EXPECT_FALSE(steps.so_far().readings.contains({"A", "scalar", "tune.run_time.1"}));
  }
  Executor executor(engine_, catalog_, kept);
  const StudyRun all = run_study(s, work, catalog_, executor, matrix_of_, progress_, {}, {}, make_);
  EXPECT_DOUBLE_EQ(*first(all).value, 25);
  EXPECT_EQ(engine_.runs, 12) << "8 threads are tried twice in a search and run once; what was kept is not run again";
}

TEST_F(StudySearches, TheTimeThatIsUpBeginsNoProduct) {
  const Study s = made_up(kCurve);
  const StudyWork work = work_of(s, catalog_);
  Executor executor(engine_, catalog_);
  StudySteps steps(s, work, catalog_, 1e-9, make_);
  while (steps.step(executor, matrix_of_, progress_)) {
  }
  EXPECT_EQ(engine_.runs, 1);
  EXPECT_EQ(steps.so_far().left, 2u);
}

TEST_F(StudySearches, CancelledOnesEnd) {
  const Study s = made_up(kCurve);
  const StudyWork work = work_of(s, catalog_);
  Executor executor(engine_, catalog_);
  StudySteps steps(s, work, catalog_, {}, make_);
  EXPECT_TRUE(steps.step(executor, matrix_of_, progress_));
  progress_.cancel();
  EXPECT_FALSE(steps.step(executor, matrix_of_, progress_));
  EXPECT_TRUE(steps.cancelled());
  EXPECT_EQ(engine_.runs, 1);
}

TEST_F(StudySearches, WhatCannotBeSearchedHasAReason) {
  Study s = made_up(kCurve);
  make_ = nullptr;
  EXPECT_NE(first(run(s)).reason.find("no search can be made here"), std::string::npos);
  make_ = [](const TuneRequest&, const Matrix&, const std::vector<DeviceInfo>&) -> std::unique_ptr<SearchPlan> {
    throw Error("its parameters are out of range");
  };
  EXPECT_NE(first(run(s)).reason.find("out of range"), std::string::npos);
  EXPECT_EQ(engine_.runs, 0);
  catalog_.strategies.clear();
  EXPECT_EQ(work_of(s, catalog_).known.at({"A", "scalar", "tune.run_time.1"}).reason, "there is no strategy run_time");
  EXPECT_TRUE(work_of(s, catalog_).searches.empty());
}

TEST_F(StudySearches, AFailedSearchSaysWhy) {
  TuneRecord record;
  record.error = "the device was lost";
  const StudyQuantity q = study_quantity("tune.run_time.2");
  EXPECT_EQ(reading_of_search(q, record, {}).reason, "the device was lost");
  record.status = RunStatus::ok;
  record.steps = {{"exhaustive", 1, "k", {}, 2.0, {}},
                  {"run_time", 1, "k", {}, std::nullopt, "no memory"},
                  {"run_time", 3, "k", {}, 2.0, {}}};
  EXPECT_EQ(reading_of_search(q, record, {}).reason, "none of the first 2 products of run_time has a time");
  EXPECT_DOUBLE_EQ(*reading_of_search(study_quantity("tune.run_time.3"), record, {}).value, 100);
}

TEST_F(StudySearches, AQuantitySaysAfterHowManyProducts) {
  EXPECT_EQ(study_quantity("tune.run_time.5").products, 5);
  EXPECT_EQ(study_quantity("tune.run_time.5").id, "run_time");
  for (const char* text :
       {"tune.run_time", "tune.run_time.0", "tune.run_time.-1", "tune.run_time.x", "tune.run_time.2.5"})
    EXPECT_THROW(study_quantity(text), Error) << text;
  for (const char* most : {"20", "0", "2.5", "\"many\""}) {
    const std::string text =
        R"("setups": {"s": {"kernel": "k", "most_products": )" + std::string(most) +
        R"(}}, "claims": [{"name": "rows", "printed": "1", "quantity": "matrix.rows", "matrix": "A"}])";
    if (std::string(most) == "20")
      EXPECT_EQ(made_up(text).setup("s").most_products, 20);
    else
      EXPECT_THROW(made_up(text), Error) << most;
  }
}

}  // namespace
}  // namespace warpspy
