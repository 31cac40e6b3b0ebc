// Plans that are written as functions: what they wait for, what ends them, and that they go on from what there is.
#include "core/experiment/script.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace warpspy {
namespace {

CaseResult result_of(const Case& wanted, double us) {
  RunRecord r;
  r.status = RunStatus::ok;
  r.request = wanted.request;
  r.time = {us, "us", Provenance::modelled};
  return {wanted, std::make_shared<const RunRecord>(std::move(r))};
}

// The sum of three times, of which each hangs on the one before.
class Sum final : public ScriptRun {
 public:
  double sum = 0;
  bool throws = false;

 private:
  Script<> script() override {
    const double first = co_await asked(1);
    sum = co_await rest(first);
    if (throws) throw Error("no more");
  }
  Script<double> rest(double first) {
    double all = first;
    for (int i = 0; i < 2; ++i) all += co_await asked(static_cast<std::uint64_t>(all) + 1);
    co_return all;
  }
  Script<double> asked(std::uint64_t seed) {
    Case c;
    c.request.seed = seed;
    const CaseResult result = co_await ask(std::move(c));
    co_return result.record->time.value;
  }
};

TEST(Script, AsksOneAfterAnotherAndEnds) {
  Sum run;
  Results results;
  std::vector<std::uint64_t> seeds;
  for (auto wanted = run.after(results); wanted; wanted = run.after(results)) {
    seeds.push_back(wanted->request.seed);
    results.push_back(result_of(*wanted, 10.0 * static_cast<double>(seeds.back())));
  }
  EXPECT_EQ(seeds, (std::vector<std::uint64_t>{1, 11, 121}));
  EXPECT_EQ(run.sum, 10 + 110 + 1210);
  EXPECT_FALSE(run.after(results)) << "it stays at its end";
}

TEST(Script, AskedTwiceItWantsTheSame) {
  Sum run;
  EXPECT_EQ(run.after({})->request.seed, 1u);
  EXPECT_EQ(run.after({})->request.seed, 1u);
}

TEST(Script, AnotherWayThroughGoesOnFromTheSameResults) {
  Sum whole;
  Results results;
  while (const auto wanted = whole.after(results))
    results.push_back(result_of(*wanted, 10.0 * static_cast<double>(wanted->request.seed)));
  for (std::size_t n = 0; n <= results.size(); ++n) {
    Sum again;
    Results so_far(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_TRUE(again.follows(so_far));
    const auto wanted = again.after(so_far);
    ASSERT_EQ(wanted.has_value(), n < results.size());
    if (wanted) {
      EXPECT_EQ(wanted->request.seed, results[n].asked.request.seed);
    }
    EXPECT_TRUE(again.follows(results));
    EXPECT_FALSE(again.after(results));
    EXPECT_EQ(again.sum, whole.sum);
    EXPECT_EQ(again.follows({}), results.empty()) << "it does not go back";
  }
  Results others = results;
  others[0] = result_of(others[0].asked, 10);
  EXPECT_FALSE(whole.follows(others));
}

TEST(Script, WhatItThrowsEndsIt) {
  Sum run;
  run.throws = true;
  Results results;
  for (int i = 0; i < 2; ++i) results.push_back(result_of(*run.after(results), 1));
  results.push_back(result_of(*run.after(results), 1));
  EXPECT_THROW(run.after(results), Error);
  EXPECT_THROW(run.after(results), Error);
}

Script<int> seven() { co_return 7; }
Script<std::string> fails() {
  const int n = co_await seven();
  throw Error("no text of " + std::to_string(n));
  co_return "";
}
TEST(Script, OneThatWaitsForNothingIsAFunction) {
  EXPECT_EQ(seven().at_once(), 7);
  EXPECT_THROW(fails().at_once(), Error);
}

Script<int> many(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += co_await seven();
  co_return sum;
}
TEST(Script, AMillionPiecesThatDoNotWaitTakeNoStack) { EXPECT_EQ(many(1'000'000).at_once(), 7'000'000); }

}  // namespace
}  // namespace warpspy
