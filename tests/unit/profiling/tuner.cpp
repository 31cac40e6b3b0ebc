// Strategies on kernels whose times are known: optimum, failures, cancel, counts.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/model/bytes.hpp"
#include "kernels/simt/trace.hpp"
#include "profiling/tuner/policies.hpp"
#include "profiling/tuner/reason.hpp"
#include "profiling/tuner/space.hpp"
#include "profiling/tuner/strategies.hpp"
#include "profiling/tuner/tune.hpp"
#include "tests/unit/profiling/tuner_specs.hpp"

namespace warpspy {
namespace {

// As csr_vector has them.
KernelInfo vector_kernel() {
  return {"csr_vector",
          "CSR vector",
          "",
          "",
          "csr",
          {spec("coop", Type::power_of_two, 1, 32, 8), spec("block_size", Type::power_of_two, 32, 1024, 128),
           spec("repeat", Type::integer, 1, 64, 1), spec("x_cache", Type::choice, 0, 4, 0),
           spec("matrix_cache", Type::choice, 0, 4, 0)}};
}

Problem problem_of(index_t rows = 100000, index_t nnz = 1000000) {
  Problem p;
  p.kernel = vector_kernel();
  p.rows = rows, p.nnz = nnz;
  p.alternatives = {{p.kernel, 12e6}};
  return p;
}

double steps_between(double a, double b) { return std::fabs(std::log2(a) - std::log2(b)); }

// Smooth, with its only minimum where told: 100 us there, 10 % more for every step away. Cache policies do not matter.
struct Valley {
  double coop = 16, block = 256, repeat = 4;
  int calls = 0;
  Measured operator()(const Candidate& c) {
    ++calls;
    const double away = steps_between(c.params.at("coop"), coop) + steps_between(c.params.at("block_size"), block) +
                        steps_between(c.params.at("repeat"), repeat);
    return {100 * (1 + 0.1 * away), "", "csr"};
  }
};

// A made-up device: what a search asks for is measured until it is at its end, or so many products were.
using Measure = std::function<Measured(const Candidate&)>;
struct Done {
  TuneRecord record;
  Known known;
};
Done tuned(const Problem& problem, const Measure& measure, std::vector<std::string> strategies = {},
           std::size_t most = 1u << 30, Known known = {}) {
  TuneRecord begun;
  begun.request.strategies = std::move(strategies);
  for (;;) {
    const Searched now = tune(problem, known, begun);
    if (now.wanted.empty() || known.size() >= most) return {now.record, known};
    for (const Candidate& c : now.wanted) {
      if (known.size() >= most) break;
      const bool lost = known.emplace(c, measure(c)).first->second.device_lost;
      if (lost) break;  // the executor goes no further either
    }
  }
}

int steps_of(const TuneRecord& r, const std::string& strategy) {
  int n = 0;
  for (const TuneStep& s : r.steps) n += s.strategy == strategy;
  return n;
}

TEST(TunerSpace, GridsFollowTheTypes) {
  const struct {
    ParamSpec spec;
    std::vector<double> values;
  } cases[] = {
      {spec("p", Type::power_of_two, 1, 32, 8), {1, 2, 4, 8, 16, 32}},
      {spec("p", Type::power_of_two, 48, 200, 128), {64, 128}},
      {spec("p", Type::multiple, 32, 1000, 128), {32, 64, 128, 256, 512, 1000}},
      {spec("p", Type::integer, 1, 20, 3), {1, 2, 3, 4, 8, 16, 20}},
      {spec("p", Type::integer, 0, 4, 0), {0, 1, 2, 4}},
      {spec("p", Type::integer, -3, 3, 0), {-3, -2, -1, 0, 1, 2, 3}},
      {spec("p", Type::integer, 5, 5, 5), {5}},
      {spec("p", Type::real, 0, 1, 0.3), {0, 0.25, 0.3, 0.5, 0.75, 1}},
      {spec("p", Type::choice, 0, 4, 0), {0, 1, 2, 3, 4}},
      {spec("x_cache", Type::choice, 0, 4, 0), {0, 1, 2, 3}},  // constant computes no product
  };
  for (const auto& c : cases) EXPECT_EQ(grid_of(c.spec), c.values) << c.spec.min << " to " << c.spec.max;
}

TEST(TunerSpace, StepsFollowTheTypesAndEnd) {
  const struct {
    ParamSpec spec;
    double from;
    std::optional<double> down, up;
  } cases[] = {
      {spec("p", Type::power_of_two, 1, 32, 8), 8, 4, 16},
      {spec("p", Type::power_of_two, 1, 32, 8), 1, {}, 2},
      {spec("p", Type::power_of_two, 1, 32, 8), 32, 16, {}},
      {spec("p", Type::integer, 1, 64, 1), 5, 2, 10},
      {spec("p", Type::integer, 1, 64, 1), 40, 20, 64},
      {spec("p", Type::integer, 0, 9, 0), 0, {}, 1},
      {spec("block", Type::integer, 32, 1000, 128), 128, 96, 160},  // in warps, as the paper's blockSize
      {spec("block", Type::integer, 32, 1000, 128), 992, 960, 1000},
      {spec("block", Type::multiple, 32, 512, 128), 128, 96, 160},
      {spec("block", Type::multiple, 32, 512, 128), 512, 480, {}},
      {spec("p", Type::real, 0, 1, 0.5), 0.5, 0.4, 0.6},
      {spec("p", Type::choice, 0, 3, 0), 1, {}, {}},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(step_of(c.spec, c.from, -1), c.down) << c.spec.id << " " << c.from;
    EXPECT_EQ(step_of(c.spec, c.from, 1), c.up) << c.spec.id << " " << c.from;
  }
}

// Matrices of Reguly & Giles 2012, table 1.
TEST(FixedRule, IsThePapers) {
  const struct {
    index_t rows, nnz;
    double coop;
  } cases[] = {{1270432, 8814880, 4},  // atmosmodd: 6.9 entries per row, root 2.6
               {81920, 327680, 4},     // shallow_water1: exactly 4, root 2, and larger than that is 4
               {62451, 4007383, 16},   // cant: 64.2, root 8.01
               {72000, 28715634, 32},  // nd24k: 398, root 20
               {1000005, 3105536, 2},  // webbase-1M: 3.1, root 1.76
               {2000, 4000000, 32},    // dense: root 44.7, a warp is the limit
               {10, 0, 1}};
  // Reguly & Giles 2012, equation 5: blocks of a launch.
  const auto grid_size = [](index_t rows, int coop, int repeat, int block_size) {
    return 1 + (rows * coop - 1) / (static_cast<index_t>(repeat) * block_size);
  };
  for (const auto& c : cases) {
    const Problem p = problem_of(c.rows, c.nnz);
    const ParamSet params = fixed_rule(p.kernel, p);
    EXPECT_EQ(params.at("coop"), c.coop) << c.nnz;
    EXPECT_EQ(params.at("block_size"), 128);
    const int coop = static_cast<int>(c.coop), repeat = static_cast<int>(params.at("repeat"));
    if (grid_size(c.rows, coop, 1, 128) >= 1500) {
      EXPECT_GE(grid_size(c.rows, coop, repeat, 128), 1500) << c.nnz;
      if (repeat < 64) {
        EXPECT_LT(grid_size(c.rows, coop, repeat + 1, 128), 1500) << "the largest repeat that leaves 1500 blocks";
      }
    } else {
      EXPECT_EQ(repeat, 1) << c.nnz;
    }
  }
}

TEST(FixedRule, LeavesHeldParametersAndOtherKernelsAlone) {
  Problem p = problem_of();
  p.held = {{"coop", 2}, {"block_size", 512}};
  ParamSet params = fixed_rule(p.kernel, p);
  EXPECT_EQ(params.at("coop"), 2);
  EXPECT_EQ(params.at("block_size"), 512);
  const KernelInfo ell{"ell", "ELL", "", "", "ell", {spec("block_size", Type::power_of_two, 32, 1024, 256)}};
  EXPECT_EQ(fixed_rule(ell, problem_of()), (ParamSet{{"block_size", 256}}));
}

// Every strategy on a valley that it can walk down.
TEST(Tuner, ExhaustiveFindsTheOptimumAndTheOthersComeNear) {
  Valley valley;
  const Done d = tuned(problem_of(), std::ref(valley));
  ASSERT_EQ(d.record.status, RunStatus::ok) << d.record.error;
  ASSERT_EQ(d.record.outcomes.size(), 5u);
  const TuneOutcome& best = *d.record.outcome("exhaustive");
  EXPECT_EQ(best.us, 100);
  EXPECT_EQ(best.params.at("coop"), 16);
  EXPECT_EQ(best.params.at("block_size"), 256);
  EXPECT_EQ(best.params.at("repeat"), 4);
  EXPECT_EQ(best.regret, 0);
  // 6 x 6 x 7 of the grid, then 4 x 4 - 1 other cache policies.
  EXPECT_EQ(best.products, 6 * 6 * 7 + 15);
  const TuneOutcome& walked = *d.record.outcome("run_time");
  EXPECT_LE(walked.products, kRunTimeProducts);
  EXPECT_LE(*walked.us, *d.record.outcome("fixed_rule")->us);
  EXPECT_LE(*walked.regret, 0.2);
  EXPECT_EQ(d.record.outcome("fixed_rule")->products, 0);
  EXPECT_EQ(steps_of(d.record, "fixed_rule"), 1);
  for (const TuneOutcome& o : d.record.outcomes) {
    if (o.strategy == "fixed_rule") continue;
    EXPECT_EQ(o.products, steps_of(d.record, o.strategy)) << "each measured product counts: " << o.strategy;
  }
}

// The walk of section 6, product by product.
TEST(Tuner, RunTimeTakesThePapersSteps) {
  Problem p = problem_of(1000000, 9000000);  // fixed rule: coop 4, block 128, repeat 20
  Valley valley{.coop = 16, .block = 128, .repeat = 5};
  const Done d = tuned(p, std::ref(valley), {"run_time"});
  std::vector<std::array<double, 3>> path;
  for (const TuneStep& s : d.record.steps)
    if (s.strategy == "run_time")
      path.push_back({s.params.at("coop"), s.params.at("block_size"), s.params.at("repeat")});
  const std::vector<std::array<double, 3>> expected = {
      {4, 128, 20},  // the fixed rule
      {4, 128, 10},  // 1: halving repeat changes more than 5 %: step 3
      {4, 128, 5},   // 3: halving helped, go on
      {4, 128, 2},   //    too far
      {8, 256, 5},   // 2: coop doubled, block 192 -> 256: one up, one down, no gain
      {2, 128, 5},   //    so decrease coop
      {4, 256, 5}};  // 4: block size, and 64 is below the 96 that f32 may go down to
  EXPECT_EQ(path, expected);
}

TEST(Tuner, RunTimeDoublesCoopFirstWhenRepeatDoesNotMatter) {
  const Measure flat = [](const Candidate& c) -> Measured {
    return {100 * (1 + 0.2 * steps_between(c.params.at("coop"), 32)), "", "csr"};
  };
  const Done d = tuned(problem_of(1000000, 9000000), flat, {"run_time"});
  std::vector<double> coops;
  for (const TuneStep& s : d.record.steps)
    if (s.strategy == "run_time") coops.push_back(s.params.at("coop"));
  ASSERT_GE(coops.size(), 5u);
  EXPECT_EQ(std::vector<double>(coops.begin(), coops.begin() + 5), (std::vector<double>{4, 4, 8, 16, 32}));
  EXPECT_EQ(d.record.outcome("run_time")->us, 100);
  EXPECT_LE(coops.size(), static_cast<std::size_t>(kRunTimeProducts));
}

// Section 6: doubling coop comes with blocks of 192 threads, and at the end blocks change by 32 threads.
TEST(RunTime, BlocksAreMultiplesOfTheWarp) {
  Problem p = problem_of(1000000, 9000000);
  for (ParamSpec& s : p.kernel.params)
    if (s.id == "block_size") s.type = Type::multiple;
  const Measure m = [](const Candidate& c) -> Measured {
    return {100 + std::fabs(c.params.at("block_size") - 256) + (c.params.at("coop") == 8 ? 0 : 10), "", "csr"};
  };
  const Done d = tuned(p, m, {"run_time"});
  std::vector<double> blocks;
  for (const TuneStep& s : d.record.steps)
    if (s.strategy == "run_time") blocks.push_back(s.params.at("block_size"));
  // The fixed rule, half of repeat, twice coop, twice again, repeat, then up to what is fastest and one beyond.
  EXPECT_EQ(std::vector<double>(blocks.begin(), blocks.begin() + 3), (std::vector<double>{128, 128, 192}));
  EXPECT_EQ(d.record.outcome("run_time")->params.at("block_size"), 256);
  EXPECT_EQ(blocks.back(), 288);
}

TEST(Tuner, WhatIsChosenIsNotSearched) {
  Problem p = problem_of();
  ParamSpec order = spec("reorder_y", Type::choice, 0, 2, 0);
  order.searched = false;
  p.kernel.params.push_back(order);
  p.alternatives = {{p.kernel, 12e6}};
  const Measure m = [](const Candidate& c) -> Measured {
    return {c.params.at("reorder_y") == 2 ? 1.0 : 100.0, "", "csr"};
  };
  for (const TuneStep& s : tuned(p, m).record.steps) EXPECT_EQ(s.params.at("reorder_y"), 0) << s.strategy;
  p.held = {{"reorder_y", 2}};
  for (const TuneStep& s : tuned(p, m).record.steps) EXPECT_EQ(s.params.at("reorder_y"), 2) << s.strategy;
}

TEST(Tuner, TurnsParametersOfEveryType) {
  Problem p = problem_of();
  p.kernel.params = {spec("unroll", Type::integer, 1, 16, 1), spec("share", Type::real, 0, 1, 0.5),
                     spec("mode", Type::choice, 0, 2, 0), spec("block_size", Type::power_of_two, 32, 1024, 128)};
  const Measure m = [](const Candidate& c) -> Measured {
    return {100 + 10 * steps_between(c.params.at("unroll"), 2) + 100 * std::fabs(c.params.at("share") - 0.6) +
                (c.params.at("mode") == 1 ? 0 : 50) + 10 * steps_between(c.params.at("block_size"), 128),
            "", "csr"};
  };
  const Done d = tuned(p, m, {"run_time"});
  const TuneOutcome& o = *d.record.outcome("run_time");
  EXPECT_EQ(o.params.at("unroll"), 2);
  EXPECT_NEAR(o.params.at("share"), 0.6, 1e-12);
  EXPECT_EQ(o.params.at("mode"), 1);
  EXPECT_LE(o.products, kRunTimeProducts);
}

TEST(Tuner, HeldParametersStay) {
  Problem p = problem_of();
  p.held = {{"coop", 2}, {"matrix_cache", 2}};
  Valley valley;
  const Done d = tuned(p, std::ref(valley));
  for (const TuneStep& s : d.record.steps) {
    EXPECT_EQ(s.params.at("coop"), 2) << s.strategy;
    EXPECT_EQ(s.params.at("matrix_cache"), 2) << s.strategy;
  }
  EXPECT_EQ(d.record.outcome("exhaustive")->products, 6 * 7 + 3);
}

TEST(Tuner, NeverTriesConstantLoads) {
  Valley valley;
  const Done d = tuned(problem_of(), std::ref(valley));
  for (const TuneStep& s : d.record.steps) {
    EXPECT_NE(s.params.at("x_cache"), kConstantPolicy);
    EXPECT_NE(s.params.at("matrix_cache"), kConstantPolicy);
  }
}

TEST(Tuner, ExhaustiveKeepsToItsCap) {
  for (const int most : {1, 2, 17, 50, 100, 266, 267, 1000}) {
    Problem p = problem_of();
    p.most_products = most;
    Valley valley;
    const Done d = tuned(p, std::ref(valley), {"exhaustive"});
    const TuneOutcome& o = *d.record.outcome("exhaustive");
    EXPECT_LE(o.products, most);
    EXPECT_EQ(o.products, steps_of(d.record, "exhaustive"));
    EXPECT_LE(o.products, most_exhaustive(p));
    ASSERT_FALSE(o.notes.empty());
    EXPECT_EQ(o.notes[0].find("thinned") != std::string::npos, most < 267) << most << ": " << o.notes[0];
  }
}

TEST(Tuner, FailuresAreStepsWithTheirReason) {
  Valley valley;
  const Measure fails_above_128 = [&](const Candidate& c) -> Measured {
    if (c.params.at("block_size") > 128) return {std::nullopt, "too many threads", "csr"};
    return valley(c);
  };
  const Done d = tuned(problem_of(), fails_above_128);
  EXPECT_EQ(d.record.status, RunStatus::ok);
  int failed = 0;
  for (const TuneStep& s : d.record.steps) {
    EXPECT_EQ(s.us.has_value(), s.failure.empty());
    failed += s.failure == "too many threads";
  }
  EXPECT_GT(failed, 0);
  for (const TuneOutcome& o : d.record.outcomes) EXPECT_LE(o.params.at("block_size"), 128) << o.strategy;
}

TEST(Tuner, NothingButFailuresIsAFailure) {
  const Measure never = [](const Candidate&) -> Measured { return {std::nullopt, "device lost", "csr"}; };
  const Done d = tuned(problem_of(), never);
  EXPECT_EQ(d.record.status, RunStatus::failed);
  EXPECT_EQ(d.record.error, "device lost");
  for (const TuneOutcome& o : d.record.outcomes) {
    EXPECT_FALSE(o.us) << o.strategy;
    EXPECT_FALSE(o.regret);
    EXPECT_FALSE(o.pays_after);
  }
}

TEST(Tuner, ATimeThatIsNoNumberIsAFailure) {
  for (const double bad : {std::nan(""), HUGE_VAL, -1.0}) {
    const Done d = tuned(problem_of(), [&](const Candidate&) -> Measured { return {bad, "", "csr"}; }, {"run_time"});
    EXPECT_EQ(d.record.status, RunStatus::failed) << bad;
  }
}

TEST(Tuner, WhatWasStoppedKeepsWhatItFoundAndGoesOn) {
  Valley valley;
  const Done all = tuned(problem_of(), std::ref(valley));
  ASSERT_EQ(all.record.status, RunStatus::ok);
  const int calls = valley.calls;
  const TuneRecord r = tuned(problem_of(), std::ref(valley), {}, 40).record;
  EXPECT_TRUE(r.outcome("fixed_rule") && r.outcome("run_time"));
  EXPECT_FALSE(r.outcome("exhaustive")) << "a search that was cut short has no outcome";
  EXPECT_FALSE(r.outcome("run_time")->regret) << "no regret against a search that did not end";
  // Stopped after every product, it comes to the same with as many.
  valley.calls = 0;
  Known known;
  for (std::size_t most = 1; known.size() < all.known.size(); ++most)
    known = tuned(problem_of(), std::ref(valley), {}, most, std::move(known)).known;
  EXPECT_EQ(valley.calls, calls);
  EXPECT_EQ(tuned(problem_of(), std::ref(valley), {}, 1u << 30, known).record.steps, all.record.steps);
}

// The product that lost the device is a step with its reason; whatever was measured before stays.
TEST(Tuner, ALostDeviceKeepsWhatWasFound) {
  const auto losing_at = [](int n) {
    int calls = 0;
    return tuned(problem_of(), [=, valley = Valley{}](const Candidate& c) mutable {
      Measured m = valley(c);
      if (++calls < n) return m;
      return Measured{
          .us = {}, .failure = "the device was lost: illegal address", .format = "csr", .device_lost = true};
    });
  };
  const int all = static_cast<int>(losing_at(1 << 30).record.steps.size());
  for (int n : {1, 2, 5, 40}) {
    const Done d = losing_at(n);
    EXPECT_EQ(d.record.status, RunStatus::failed);
    EXPECT_EQ(d.record.error, "the device was lost: illegal address");
    ASSERT_FALSE(d.record.steps.empty());
    EXPECT_EQ(d.record.steps.back().failure, d.record.error);
    EXPECT_LT(static_cast<int>(d.record.steps.size()), all);
    for (std::size_t k = 0; k + 1 < d.record.steps.size(); ++k) EXPECT_TRUE(d.record.steps[k].us) << k;
    for (const TuneOutcome& o : d.record.outcomes) EXPECT_TRUE(o.us) << o.strategy;
    EXPECT_EQ(d.record.base() && d.record.base()->us, n > 1);
  }
  EXPECT_FALSE(losing_at(40).record.outcomes.empty()) << "of the strategies that ended before";
}

TEST(Tuner, IsDeterministicAndMeasuresEachSetOnce) {
  Valley first, second;
  const Done a = tuned(problem_of(), std::ref(first));
  const Done b = tuned(problem_of(), std::ref(second));
  EXPECT_EQ(a.record.steps, b.record.steps);
  EXPECT_EQ(a.record.outcomes, b.record.outcomes);
  std::set<ParamSet> distinct;
  for (const TuneStep& s : a.record.steps) distinct.insert(s.params);
  EXPECT_EQ(first.calls, static_cast<int>(distinct.size()));
}

TEST(Tuner, UnknownStrategyIsRefusedWithTheKnownOnes) {
  try {
    tuned(problem_of(), Valley{}, {"magic"});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("fixed_rule, run_time, exhaustive, selector, predict"), std::string::npos)
        << e.what();
  }
}

// Two formats: sell is faster but has to be converted to.
Problem two_formats() {
  Problem p = problem_of();
  const KernelInfo sell{"sell", "SELL", "", "", "sell", {spec("block_size", Type::power_of_two, 32, 1024, 256)}};
  const KernelInfo huge{"dia", "DIA", "", "", "dia", {}}, fat{"ell", "ELL", "", "", "ell", {}},
      fatter{"bsr", "BSR", "", "", "bsr", {}};
  p.alternatives = {{p.kernel, 12e6}, {sell, 9e6}, {huge, 900e6}, {fat, 20e6}, {fatter, 30e6}};
  p.left_out = {"pkt: needs a symmetric pattern"};
  return p;
}
TEST(Tuner, OfSharesOnlyThoseThatL2CanKeepAreTried) {
  Problem p = two_formats();
  p.l2_bytes = 60e6;
  const ParamSpec matrix = spec("matrix_cache", Type::choice, 0, 11, 0), x = spec("x_cache", Type::choice, 0, 11, 0);
  const std::vector<double> loads{0, 1, 2, 3};
  const KernelInfo huge = p.alternatives[2].kernel, fat = p.alternatives[3].kernel,
                   unknown{"jds", "JDS", "", "", "jds", {}};
  EXPECT_EQ(policies_of(matrix, huge, p), loads) << "56 MB are a sixteenth of 900";
  EXPECT_EQ(policies_of(matrix, fat, p), loads) << "20 MB stay there anyway";
  EXPECT_EQ(policies_of(matrix, unknown, p), loads);
  p.alternatives[2].minimum_bytes = 120e6;
  using enum simt::CachePolicy;
  std::vector<double> with = loads;
  for (const auto policy : {evict_last_eighth, evict_last_quarter, evict_last_3_16})
    with.push_back(static_cast<double>(policy));
  EXPECT_EQ(policies_of(matrix, huge, p), with);
  EXPECT_EQ(policies_of(x, huge, p), loads);
  EXPECT_LE(static_cast<int>(policies_of(matrix, huge, p).size() + policies_of(x, huge, p).size()), kMostPolicies);
  p.cold = true;
  EXPECT_EQ(policies_of(matrix, huge, p), loads);
}

Measured of_two_formats(const Candidate& c) {
  if (c.kernel == "sell") return {50 + 5 * steps_between(c.params.at("block_size"), 512), "", "sell", 4000};
  if (c.kernel == "ell") return {300.0, "", "ell", 7000};
  if (c.kernel != "csr_vector") return {10.0, "", c.kernel, 1e6};
  return Valley{}(c);
}

TEST(Selector, PicksByLeastBytesThenTunesTheFastest) {
  const Done d = tuned(two_formats(), of_two_formats);
  const TuneOutcome& o = *d.record.outcome("selector");
  EXPECT_EQ(o.kernel, "sell");
  EXPECT_EQ(o.params.at("block_size"), 512);
  EXPECT_EQ(o.us, 50);
  EXPECT_EQ(o.products, steps_of(d.record, "selector"));
  EXPECT_LE(o.products, most_selector(two_formats()));
  std::set<std::string> tried;
  double cost = 0, conversions = 0;
  for (const TuneStep& s : d.record.steps)
    if (s.strategy == "selector") {
      tried.insert(s.kernel);
      cost += s.us.value_or(0) + s.conversion_us;
      conversions += s.conversion_us;
    }
  EXPECT_EQ(tried, (std::set<std::string>{"sell", "csr_vector", "ell"})) << "the three formats of least bytes";
  EXPECT_EQ(conversions, 4000 + 7000) << "each format once; CSR is there already";
  EXPECT_DOUBLE_EQ(o.cost_us, cost);
  EXPECT_LT(*o.regret, 0) << "another kernel beats the best parameters of this one";
  EXPECT_NE(o.notes[0].find("sell 9 MB, csr 12 MB, ell 20 MB"), std::string::npos) << o.notes[0];
  EXPECT_EQ(o.notes[1], "left out: pkt: needs a symmetric pattern");
}

TEST(Predict, TriesWhatCostsLeastThenTunesTheFastest) {
  Problem p = two_formats();
  for (Contender& c : p.alternatives) {
    c.converted = c.kernel.format != "csr";
    for (ParamSpec& s : c.kernel.params)
      if (s.id == "block_size") s.tried = {64, 128, 256, 512, 1024};
  }
  for (int i = 0; i < 5; ++i) p.alternatives.push_back({KernelInfo{"fat", "", "", "", "fat", {}}, 800e6, false, true});
  const Measure measure = [](const Candidate& c) -> Measured {
    if (c.kernel == "sell" || c.kernel == "csr_vector") return of_two_formats(c);
    return {400.0, "", c.kernel, 1e6};
  };
  const Done d = tuned(p, measure, {"predict"});
  const TuneOutcome& o = *d.record.outcome("predict");
  EXPECT_EQ(o.kernel, "sell");
  EXPECT_EQ(o.params, (ParamSet{{"block_size", 512}}));
  EXPECT_LE(o.products, most_predict(p));
  for (const TuneStep& s : d.record.steps) EXPECT_NE(s.kernel, "dia") << "the most bytes are not tried";
  EXPECT_EQ(o.notes[0].find("most promising by the matrix's statistics: csr_vector, sell, ell"), 0u) << o.notes[0];
  EXPECT_NE(o.reason.find("it moves at least "), std::string::npos) << o.reason;
}

// A reason that explains a part of the gain is not told as all of it.
TEST(Predict, ReasonsSayHowMuchTheyExplain) {
  struct Case {
    double own_us;  // beside 10 of what was found
    bool whole;     // a row of the kernel in use is computed by one
    index_t longest;
    std::vector<std::string> says, silent;
  };
  const Case cases[] = {
      {13.5, false, 10, {"it moves at least 6.74 MB"}, {"explain", "share"}},
      {11220, false, 10, {"6.74 MB", "fewer bytes explain 1.35 times of it, its findings tell the rest"}, {"share"}},
      {11220,
       true,
       90000,
       {"its threads share the longest row, of 90 000 entries, and it moves at least 6.74 MB",
        "fewer bytes explain 1.35 times of it"},
       {"findings"}}};
  for (const Case& c : cases) {
    Problem p;
    p.kernel = KernelInfo{"own", "Own", "", "", "csr", {}};
    p.rows = 1000, p.nnz = 10000, p.longest_row = c.longest;
    p.alternatives = {{p.kernel, 9.12e6, c.whole}, {KernelInfo{"other", "Other", "", "", "csr", {}}, 6.74e6, false}};
    TuneOutcome found;
    found.kernel = "other", found.us = 10;
    const std::string text = reason_of(p, found, c.own_us);
    for (const std::string& words : c.says) EXPECT_NE(text.find(words), std::string::npos) << text;
    for (const std::string& words : c.silent) EXPECT_EQ(text.find(words), std::string::npos) << text;
  }
}

// Whatever the times: the bookkeeping holds.
RC_GTEST_PROP(TunerProperty, BookkeepingHoldsForAnyTimes, (unsigned seed, bool f64)) {
  const Measure random = [seed](const Candidate& c) -> Measured {
    std::size_t h = seed;
    for (const auto& [id, v] : c.params) h = h * 1099511628211u + std::hash<double>()(v) + id.size();
    if (h % 7 == 0) return {std::nullopt, "unlucky", "csr"};
    return {1.0 + static_cast<double>(h % 1000), "", "csr"};
  };
  Problem p = problem_of();
  p.precision = f64 ? Precision::f64 : Precision::f32;
  const Done d = tuned(p, random);
  for (const TuneOutcome& o : d.record.outcomes) {
    double least = INFINITY, sum = 0;
    std::set<ParamSet> sets;
    for (const TuneStep& s : d.record.steps)
      if (s.strategy == o.strategy) {
        least = std::min(least, s.us.value_or(INFINITY));
        sum += s.us.value_or(0);
        RC_ASSERT(sets.insert(s.params).second);  // none is paid for twice
        checked_params(p.kernel.params, s.params);
      }
    RC_ASSERT(o.us.value_or(INFINITY) == least);
    if (o.strategy == "fixed_rule") continue;
    RC_ASSERT(std::fabs(o.cost_us - sum) < 1e-6);
    RC_ASSERT(o.products <= strategy_row(o.strategy).most(p));
  }
  // Every walk stays inside what the exhaustive search could see, up to values between the grid's points.
  for (const TuneStep& s : d.record.steps)
    if (s.strategy == "run_time" && s.product > 1) RC_ASSERT(s.params.at("block_size") <= 512);
}

}  // namespace
}  // namespace warpspy
