// What earlier versions found is taken over into the history, once; and the history is asked for the best.
#include "core/run/choices.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/run/fingerprint.hpp"
#include "tests/shapes.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

struct ChoicesFile : ::testing::Test {
  fs::path folder = fs::path(::testing::TempDir()) / ("warpspy_choices_" + std::to_string(::getpid()));
  std::string path = (folder / "choices.json").string(), runs = (folder / "runs.sqlite").string();
  ChoicesFile() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~ChoicesFile() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  void write(const std::string& text) const { std::ofstream(path) << text; }
};

constexpr const char* kChoices = R"([
  {"device": "NVIDIA H200", "matrix": "fedcba9876543210", "precision": "f64", "operation": "product", "in_order": true,
   "kernel": "sell_warps", "params": {"warps": 4}, "format_params": {"sort_window": 256}, "us": 12.5,
   "found": "2026-11-23T18:00:00Z"},
  {"device": 3}, 4,
  {"device": "NVIDIA H200", "matrix": "0000000000000001", "precision": "f32", "operation": "product", "in_order": false,
   "kernel": "csr_even", "params": {"items": 7}, "format_params": {}, "us": 3, "found": "2026-11-23T18:00:00Z"}])";

bool any(const RunRecord&) { return true; }

TEST_F(ChoicesFile, AreTakenOverOnceAndTold) {
  write(kChoices);
  History history(runs);
  const auto told = take_over_choices(path, history);
  ASSERT_TRUE(told);
  EXPECT_NE(told->find("2 choices"), std::string::npos) << *told;
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::exists(path + ".taken-over"));
  EXPECT_FALSE(take_over_choices(path, history)) << "once";
  const auto best = history.best("fedcba9876543210", "NVIDIA H200", any);
  ASSERT_TRUE(best);
  EXPECT_EQ(best->request.kernel, "sell_warps");
  EXPECT_EQ(best->request.params, (ParamSet{{"warps", 4}}));
  EXPECT_EQ(best->request.format_params, (ParamSet{{"sort_window", 256}}));
  EXPECT_EQ(best->request.precision, Precision::f64);
  EXPECT_EQ(best->time.value, 12.5);
  EXPECT_EQ(best->provenance, Provenance::measured);
  EXPECT_EQ(history.find({}).total, 0u) << "they are listed among trials only";
  HistoryQuery trials;
  trials.trials = true;
  EXPECT_EQ(history.find(trials).total, 2u);
}

TEST_F(ChoicesFile, WhatIsDamagedEndsNothing) {
  History history(runs);
  for (const char* text : {"", "[{\"device\": 3}, 4, ", "{}", "7", "[[[[]]]]"}) {
    write(text);
    const auto told = take_over_choices(path, history);
    ASSERT_TRUE(told) << text;
    EXPECT_NE(told->find("0 choices"), std::string::npos) << *told;
  }
}

TEST_F(ChoicesFile, StayWhereNoHistoryIsKept) {
  write(kChoices);
  History memory("");
  EXPECT_FALSE(take_over_choices(path, memory));
  EXPECT_FALSE(take_over_choices("", memory));
  EXPECT_TRUE(fs::exists(path));
}

RunRecord product(const char* fingerprint, const char* kernel, double us, Purpose purpose, const char* device = "A") {
  RunRecord r;
  r.fingerprint = fingerprint, r.request.kernel = kernel, r.purpose = purpose;
  r.device_name = device, r.status = RunStatus::ok;
  r.time = {us, "us", Provenance::measured};
  return r;
}

TEST(Best, IsTheFastestThatCountsOfRunsAndTrials) {
  History history("");
  RunRecord failed = product("1", "ell", 1, Purpose::asked);
  failed.status = RunStatus::failed;
  for (RunRecord r : {failed, product("1", "csr_even", 9, Purpose::final), product("1", "sell", 7, Purpose::trial),
                      product("1", "hyb", 5, Purpose::trial), product("2", "csr_scalar", 2, Purpose::asked),
                      product("1", "csr_vector", 3, Purpose::asked, "B"), product("", "csr_vector", 1, Purpose::asked)})
    ASSERT_NE(history.add(r), 0u);
  const auto best = [&](const char* fingerprint, const char* device, const char* without = "") {
    const auto r = history.best(fingerprint, device, [&](const RunRecord& of) { return of.request.kernel != without; });
    return r ? r->request.kernel : "";
  };
  EXPECT_EQ(best("1", "A"), "hyb") << "a trial may be the fastest";
  EXPECT_EQ(best("1", "A", "hyb"), "sell");
  EXPECT_EQ(best("1", "B"), "csr_vector");
  EXPECT_EQ(best("2", "A"), "csr_scalar");
  EXPECT_EQ(best("3", "A"), "");
  EXPECT_EQ(best("", "A"), "") << "what is not known is like nothing";
}

TEST(Fingerprint, ChangesWithSizePatternAndValues) {
  const auto of = [](index_t cols, std::vector<std::vector<index_t>> rows, double scale) {
    return fingerprint_of(
        testing::from_rows(cols, rows, [&](index_t r, index_t c) { return scale * testing::some_value(r, c); }));
  };
  const std::string one = of(5, {{0, 2}, {1}}, 1);
  EXPECT_EQ(one.size(), 16u);
  EXPECT_EQ(of(5, {{0, 2}, {1}}, 1), one);
  EXPECT_NE(of(6, {{0, 2}, {1}}, 1), one);
  EXPECT_NE(of(5, {{0, 3}, {1}}, 1), one);
  EXPECT_NE(of(5, {{0}, {1, 2}}, 1), one);
  EXPECT_NE(of(5, {{0, 2}, {1}}, 2), one);
}

}  // namespace
}  // namespace warpspy
