// warpspy sweep --all-gpus. Without a GPU: its tasks, run by the same code on a simulated one.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "core/sweep/slots.hpp"
#include "tests/cli/program.hpp"

namespace warpspy::testing {
namespace {

namespace fs = std::filesystem;

class SweepSlots : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(dir_);
    fs::create_directories(dir_ + "/bin");
    std::ofstream(study_) << R"({"matrices": ["gen:laplace5?nx=8:13&ny=8"], "kernels": ["csr_scalar", "ell"],
                                 "device": "sim:h200", "depth": "quick"})";
  }
  void TearDown() override { fs::remove_all(dir_); }

  // A queue that refuses leaves a sweep that is divided: six tasks of two products.
  void divide() {
    std::ofstream(dir_ + "/bin/sbatch") << "#!/bin/sh\nexit 1\n";
    ::chmod((dir_ + "/bin/sbatch").c_str(), 0755);
    const Ran r =
        warpspy("sweep '" + study_ + "' --slurm --chunk 2", "WARPSPY_RUNS=off PATH='" + dir_ + "/bin':\"$PATH\"");
    ASSERT_TRUE(has(r.err, "the queue refused the job array")) << r.err;
  }
  SlotWork work(std::size_t slots, std::vector<std::size_t> tasks) {
    SlotWork w;
    for (std::size_t s = 0; s < slots; ++s)
      w.slots.push_back({std::to_string(s), {"WARPSPY_CACHE=off", "WARPSPY_RUNS=off"}});
    w.tasks = std::move(tasks);
    w.start = [this](std::size_t task) {
      return ChildStart{WARPSPY_PROGRAM, {"warpspy", "sweep", sweep_, "--task", std::to_string(task)}};
    };
    w.ended = [this](const SlotEnd& end) {
      ends_.push_back(end);
      return true;
    };
    return w;
  }
  Ran collect() const { return warpspy("sweep '" + sweep_ + "' --collect"); }
  // The modelled time of each product, by the name of its file.
  static std::map<std::string, double> times(const std::string& sweep) {
    std::map<std::string, double> all;
    for (const auto& file : fs::directory_iterator(sweep + "/cells"))
      all[file.path().filename()] = nlohmann::json::parse(content_of(file.path()))["record"]["time_us"];
    return all;
  }
  void expect_whole() {
    ASSERT_EQ(warpspy("sweep '" + study_ + "' -o '" + dir_ + "/whole'").code, 0);
    const auto whole = times(dir_ + "/whole");
    EXPECT_EQ(whole.size(), 12U);
    EXPECT_EQ(times(sweep_), whole);
  }

  const std::string dir_ = scratch("slots"), study_ = dir_ + "/study.json", sweep_ = dir_ + "/study.sweep";
  const std::vector<std::size_t> all_ = {0, 1, 2, 3, 4, 5};
  std::vector<SlotEnd> ends_;
  Progress progress_;
};

TEST_F(SweepSlots, RunAllProductsOnce) {
  divide();
  run_on_slots(work(3, all_), progress_);
  ASSERT_EQ(ends_.size(), 6U);
  for (const SlotEnd& end : ends_) {
    EXPECT_EQ(end.how.code, 0) << end.said;
    EXPECT_EQ(end.said, "task " + std::to_string(end.task) + ": 2 of 2 products done");
  }
  const Ran r = collect();
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.err, "12 results came in")) << r.err;
  EXPECT_FALSE(has(r.err, "ran twice")) << r.err;
  expect_whole();
}

TEST_F(SweepSlots, OfAKilledChildTheRestIsRunAgain) {
  divide();
  SlotWork w = work(2, all_);
  const auto usual = w.start;
  w.start = [&](std::size_t task) {
    if (task != 2) return usual(task);
    return ChildStart{"sh",
                      {"sh", "-c",
                       R"("$0" sweep "$1" --task 2 & program=$!
                          until [ -e "$1"/tasks/2-*.jsonl ]; do sleep 0.01; done
                          kill -9 $program; wait $program; kill -9 $$)",
                       WARPSPY_PROGRAM, sweep_}};
  };
  run_on_slots(w, progress_);
  ASSERT_EQ(ends_.size(), 6U);
  for (const SlotEnd& end : ends_) EXPECT_EQ(end.how.signal, end.task == 2 ? 9 : 0) << end.task;
  // When it was killed is luck: in the end the task has written one of its products, or none.
  for (const auto& file : fs::directory_iterator(sweep_ + "/tasks")) {
    if (!file.path().filename().string().starts_with("2-")) continue;
    std::istringstream lines(content_of(file.path()));
    std::string head, first;
    std::getline(lines, head), std::getline(lines, first);
    std::ofstream(file.path()) << head << "\n" << first << (lines.good() ? "\n" : "");
  }
  const Ran killed = collect();
  EXPECT_EQ(killed.code, 3) << killed.err;
  EXPECT_TRUE(has(killed.err, "task 2: without an end: killed, out of time, or still running")) << killed.err;
  run_on_slots(work(2, {2}), progress_);
  const Ran r = collect();
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_FALSE(has(r.err, "ran twice")) << r.err;
  expect_whole();
}

TEST_F(SweepSlots, AfterCtrlCWhatWasDoneCounts) {
  divide();
  SlotWork w = work(2, all_);
  const auto note = w.ended;
  w.ended = [&](const SlotEnd& end) {
    progress_.cancel();
    return note(end);
  };
  run_on_slots(w, progress_);
  ASSERT_LE(ends_.size(), 2U);
  const Ran stopped = collect();
  EXPECT_EQ(stopped.code, 3) << stopped.err;
  EXPECT_FALSE(has(stopped.err, " 0 results came in")) << stopped.err;
  Progress again;
  run_on_slots(work(2, all_), again);  // those that are done find nothing to do
  const Ran r = collect();
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_FALSE(has(r.err, "ran twice")) << r.err;
  expect_whole();
}

TEST_F(SweepSlots, AllGpusRunAllProductsOnce) {
  const std::string args = "sweep '" + study_ + "' --device cuda:0 --all-gpus -o '" + sweep_ + "'";
  const Ran first = warpspy(args);
  if (has(first.err, "no GPU of this machine can be used")) {
    EXPECT_EQ(first.code, 1);
    EXPECT_TRUE(has(first.err, "--device sim:h200, without --all-gpus")) << first.err;
    EXPECT_FALSE(has(first.err, "instead")) << first.err;
    EXPECT_FALSE(fs::exists(sweep_)) << "nothing can run, and something was written";
    GTEST_SKIP() << first.err;
  }
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(has(first.out, "12 of 12 done")) << first.out;
  EXPECT_FALSE(has(first.err, "ran twice")) << first.err;
  EXPECT_EQ(times(sweep_).size(), 12U);
  const Ran again = warpspy(args);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(has(again.err, "0 tasks on ")) << again.err;
}

TEST_F(SweepSlots, AllGpusAreEachTheFirstOfTheirTasks) {
  const Ran r = warpspy("sweep '" + study_ + "' --device cuda:0,cuda:1 --all-gpus");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "with --all-gpus each product sees one GPU, which is its cuda:0")) << r.err;
  EXPECT_NE(warpspy("sweep '" + study_ + "' --all-gpus --collect").code, 0);
}

}  // namespace
}  // namespace warpspy::testing
