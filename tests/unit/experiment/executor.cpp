// The executor: what it keeps, what ends a plan and what does not, and that what was stopped comes to the same.
#include "core/experiment/executor.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "core/run/run_name.hpp"
#include "core/sweep/stored.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

// Its time is a function of the request. It fails for coop 16, loses its device for coop 32.
class ToyEngine final : public Engine {
 public:
  using Engine::run;
  RunRecord run(const RunRequest& request, const Matrix& /*matrix*/, Progress& progress,
                const OnTimed& /*on_timed*/) override {
    ++runs;
    if (stops_at > 0 && runs == stops_at) progress.cancel();
    RunRecord r;
    r.request = request;
    r.device = "sim:toy", r.device_name = "Toy";
    if (progress.cancelled()) {
      r.status = RunStatus::cancelled;
      return r;
    }
    const double coop = request.params.contains("coop") ? request.params.at("coop") : 8;
    if (coop == 16) return r.error = "out of bounds", r;
    if (coop == 32) return r.error = "the device was lost: gone", r;
    r.status = RunStatus::ok;
    r.time = {coop * static_cast<double>(request.seed), "us", Provenance::modelled};
    r.lines = {{"a.hpp:1", 1, 2, 3, 4}};
    return r;
  }
  int runs = 0, stops_at = 0;
};

// Asks for twice the seed for as long as that is below a hundred: what comes next depends on what came before.
class Doubling final : public Plan {
 public:
  explicit Doubling(RunRequest first) : first_(std::move(first)) {}
  std::string name() const override { return "doubling"; }
  std::size_t expected(const Results&) const override { return 7; }
  std::vector<Case> next(const Results& so_far) const override {
    Case c{first_, "twice", Purpose::trial};
    if (so_far.empty()) return {c};
    c.request.seed = static_cast<std::uint64_t>(so_far.back().record->time.value);
    return c.request.seed < 100 ? std::vector<Case>{c} : std::vector<Case>{};
  }

 private:
  RunRequest first_;
};

class Executors : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    catalog_.kernels = {{"csr_vector",
                         "CSR vector",
                         "",
                         "",
                         "csr",
                         {{"coop", "Threads per row", "", ParamSpec::Type::power_of_two, 1, 32, 8}}}};
    catalog_.devices = {{"sim:toy", "Toy", true, true, "", "", {}}};
  }
  void TearDown() override { fs::remove_all(root_); }
  static RunRequest request(double coop, std::uint64_t seed = 1) {
    RunRequest r;
    r.matrix = "gen:a";
    r.device = "sim:toy";
    r.params = {{"coop", coop}};
    r.seed = seed;
    return r;
  }
  static std::vector<Case> cases(std::initializer_list<double> coops) {
    std::vector<Case> all;
    for (const double coop : coops) all.push_back({request(coop), "", Purpose::trial});
    return all;
  }
  static std::vector<double> times(const Results& results) {
    std::vector<double> all;
    for (const CaseResult& r : results) all.push_back(r.record->time.value);
    return all;
  }
  ExecutorOptions in(SweepFolder& folder) const { return {.folder = &folder, .here = here_, .look_first = true}; }
  const MatrixOf matrix_of_ = [this](const std::string& source, Progress&) -> const Matrix& {
    if (source == "gone.mtx") throw Error("the file cannot be opened", source);
    return matrix_;
  };
  const std::string root_ = testing::TempDir() + "warpspy_executor_" + std::to_string(getpid());
  const Maker here_ = {"0.1.0 (abc)", "", ""};
  Catalog catalog_;
  ToyEngine engine_;
  Matrix matrix_;
  Progress progress_;
};

TEST_F(Executors, AFailureEndsNothingButItsCase) {
  Executor executor(engine_, catalog_);
  std::vector<Case> all = cases({4, 16, 2});
  all[0].request.matrix = all[2].request.matrix = "gone.mtx";
  all.push_back(cases({1})[0]);
  Results results;
  EXPECT_EQ(executor.run(ListPlan("list", all), matrix_of_, progress_, results), PlanEnd::done);
  ASSERT_EQ(results.size(), 4u);
  EXPECT_FALSE(results[0].opened);
  EXPECT_NE(results[0].record->error.find("cannot be opened"), std::string::npos);
  EXPECT_EQ(results[1].record->error, "out of bounds");
  EXPECT_FALSE(results[2].opened);
  EXPECT_EQ(results[3].record->status, RunStatus::ok);
  for (const CaseResult& r : results) {
    EXPECT_EQ(r.record->plan, "list");
    EXPECT_EQ(r.record->purpose, Purpose::trial);
  }
  EXPECT_EQ(engine_.runs, 2);
  EXPECT_EQ(progress_.fraction(), 1);
}

TEST_F(Executors, ALostDeviceEndsThePlanAndItGoesOnBehindIt) {
  Executor executor(engine_, catalog_);
  const ListPlan plan("list", cases({4, 32, 2}));
  Results results;
  EXPECT_EQ(executor.run(plan, matrix_of_, progress_, results), PlanEnd::device_lost);
  EXPECT_EQ(results.size(), 2u);
  EXPECT_EQ(executor.run(plan, matrix_of_, progress_, results), PlanEnd::done);
  EXPECT_EQ(times(results), (std::vector<double>{4, 0, 2}));
}

TEST_F(Executors, TrialsLieApartInTheHistoryAndWithoutTheirLines) {
  History history("");
  Executor executor(engine_, catalog_, {.history = &history});
  executor.run(ListPlan("list", cases({4, 2})), matrix_, progress_);
  const CaseResult asked = executor.run({request(1), "", Purpose::asked}, "", matrix_, progress_);
  EXPECT_EQ(asked.record->id, 1u);
  EXPECT_EQ(history.find({}).total, 1u) << "lists leave trials out";
  HistoryQuery q;
  q.trials = true;
  const HistoryPage page = history.find(q);
  ASSERT_EQ(page.runs.size(), 2u);
  const RunRecord& newest = *page.runs[0].record;
  EXPECT_EQ(newest.id, kTrials + 2);
  EXPECT_EQ(newest.plan, "list");
  EXPECT_EQ(newest.purpose, Purpose::trial);
  EXPECT_TRUE(newest.lines.empty());
  EXPECT_EQ(history.get(newest.id)->record->time.value, 2);
  history.set_note(newest.id, "a note");
  history.remove({newest.id});
  EXPECT_FALSE(history.get(newest.id));
  EXPECT_EQ(history.find({}).runs[0].record->lines.size(), 1u);
}

TEST_F(Executors, ProductsInTurnAreRecordsOfTheirPlanAndAFileOfTheFolder) {
  SweepFolder folder(root_, SweepFolder::For::running);
  History history("");
  Executor executor(engine_, catalog_, {.history = &history, .folder = &folder, .here = here_, .look_first = true});
  std::vector<Case> all = cases({4, 8});
  all[0].search = InSearch{InSearch::As::finalist};
  all[0].beside = {request(16), request(2)};
  all[1].search = InSearch{InSearch::As::final};
  all[1].purpose = Purpose::final;
  const Results results = executor.run(ListPlan("list", all), matrix_, progress_);
  EXPECT_EQ(times(results), (std::vector<double>{4, 8}));
  ASSERT_EQ(results[0].beside.size(), 2u);
  EXPECT_EQ(results[0].beside[0]->error, "out of bounds") << "which ends nothing";
  EXPECT_EQ(results[0].beside[1]->time.value, 2);
  EXPECT_EQ(results[0].beside[1]->plan, "list");
  EXPECT_EQ(results[0].beside[1]->purpose, Purpose::trial);
  EXPECT_NE(results[0].beside[1]->notes.at(0).find("by itself"), std::string::npos) << "this engine knows no turns";
  EXPECT_EQ(folder.ids().size(), 2u) << "one of all that took turns";
  EXPECT_EQ(history.find({}).total, 1u) << "the final one";
  HistoryQuery trials;
  trials.trials = true;
  EXPECT_EQ(history.find(trials).total, 3u);
  EXPECT_EQ(engine_.runs, 4);
  const Results again = executor.run(ListPlan("list", all), matrix_, progress_);
  EXPECT_EQ(engine_.runs, 4) << "it is found there";
  EXPECT_EQ(times(again), times(results));
  ASSERT_EQ(again[0].beside.size(), 2u);
  EXPECT_EQ(again[0].beside[1]->time.value, 2);
  EXPECT_EQ(again[0].beside[0]->error, "out of bounds");
  all[0].beside[1] = request(1);  // beside another one it is another product
  engine_.runs = 0, engine_.stops_at = 2;
  Results stopped;
  EXPECT_EQ(executor.run(ListPlan("list", all), matrix_of_, progress_, stopped), PlanEnd::cancelled);
  EXPECT_TRUE(stopped.empty()) << "one of three was cancelled: none of them is a result";
  EXPECT_EQ(history.find(trials).total, 3u);
  EXPECT_EQ(folder.ids().size(), 2u);
}

TEST_F(Executors, RunNothingTwice) {
  {
    SweepFolder folder(root_, SweepFolder::For::running);
    Executor(engine_, catalog_, in(folder)).run(ListPlan("list", cases({4, 8})), matrix_, progress_);
  }
  EXPECT_EQ(engine_.runs, 2);
  SweepFolder folder(root_, SweepFolder::For::running);
  Executor executor(engine_, catalog_, in(folder));
  std::vector<Case> again = cases({8, 4, 8});
  again[2].request.params.clear();  // a default is the same product
  EXPECT_EQ(times(executor.run(ListPlan("list", again), matrix_, progress_)), (std::vector<double>{8, 4, 8}));
  EXPECT_EQ(engine_.runs, 2);
  EXPECT_EQ(executor.found(), 3u);
  again[0].repetition = 2;
  executor.run(again[0], "list", matrix_, progress_);
  EXPECT_EQ(engine_.runs, 3) << "a repetition is another result";
}

TEST_F(Executors, ACancelledProductIsNotKept) {
  SweepFolder folder(root_, SweepFolder::For::running);
  History history("");
  Executor executor(engine_, catalog_, {.history = &history, .folder = &folder, .here = here_});
  Progress cancelled;
  cancelled.cancel();
  EXPECT_FALSE(executor.run({request(4)}, "", matrix_, cancelled).ended());
  EXPECT_TRUE(folder.ids().empty());
  EXPECT_EQ(history.find({}).total, 0u);
}

TEST_F(Executors, AnotherBuildIsRefused) {
  SweepFolder folder(root_, SweepFolder::For::running);
  Executor(engine_, catalog_, in(folder)).run({request(4)}, "", matrix_, progress_);
  EXPECT_NO_THROW(refuse_mixing(folder, here_, catalog_));
  EXPECT_THROW(refuse_mixing(folder, {"0.1.0 (def)", "", ""}, catalog_), Error);
}

// Stopped at every product, each time in a new process as far as it can tell, and gone on from the folder alone.
TEST_F(Executors, APlanThatIsStoppedAgainAndAgainComesToTheSame) {
  std::vector<Case> grid;
  for (std::uint64_t seed = 1; seed <= 25; ++seed)
    for (const double coop : {1.0, 2.0, 16.0}) grid.push_back({request(coop, seed)});
  const ListPlan list("grid", grid);
  const Doubling doubling(request(2));
  for (const Plan* plan : {static_cast<const Plan*>(&list), static_cast<const Plan*>(&doubling)}) {
    fs::remove_all(root_);
    engine_.stops_at = 0;
    Results whole;
    Progress calm;
    ASSERT_EQ(Executor(engine_, catalog_).run(*plan, matrix_of_, calm, whole), PlanEnd::done);
    std::size_t stops = 0;
    for (;;) {
      SweepFolder folder(root_, SweepFolder::For::running);
      Executor executor(engine_, catalog_, in(folder));
      engine_.runs = 0, engine_.stops_at = 2 + static_cast<int>(stops % 3);
      Progress progress;
      Results results;
      if (executor.run(*plan, matrix_of_, progress, results) == PlanEnd::cancelled) {
        ASSERT_LT(++stops, 200u) << "it must come on";
        continue;
      }
      EXPECT_EQ(times(results), times(whole)) << plan->name();
      EXPECT_EQ(folder.ids().size(), whole.size());
      break;
    }
    EXPECT_GT(stops, 1u);
  }
}

}  // namespace
}  // namespace warpspy
