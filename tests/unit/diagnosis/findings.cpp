// From a run to its findings, and what the model says of the changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "core/diagnosis/changes.hpp"
#include "core/diagnosis/orders.hpp"
#include "core/diagnosis/rules.hpp"
#include "core/experiment/executor.hpp"
#include "core/io/io.hpp"
#include "core/run/examples.hpp"
#include "core/run/time_interval.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

const std::string assets = WARPSPY_SOURCE_DIR "/assets";

struct Desk {
  std::unique_ptr<Engine> engine = make_engine(assets);
  Catalog catalog = make_catalog(assets);
  Matrix matrix;
  RowStats rows;
  Progress progress;
  std::string device = "sim:h200";

  explicit Desk(const std::string& source) {
    matrix = open_matrix(source, progress);
    rows = row_stats(*matrix.csr);
    source_ = source;
  }
  RunRecord run(const std::string& kernel, ParamSet params = {}) {
    RunRequest request;
    request.matrix = source_, request.kernel = kernel, request.params = std::move(params);
    request.device = device, request.depth = Depth::medium, request.cache_state = CacheState::cold;
    RunRecord r = engine->run(request, matrix, progress);
    r.id = ++id_;
    return r;
  }
  void find(RunRecord& r) { Executor(*engine, catalog).find_limits(r, matrix, rows, progress); }

 private:
  std::string source_;
  std::uint64_t id_ = 0;
};

// The issue's own question: why is CSR scalar slow on long rows?
TEST(Findings, OfCsrScalarSayWhatToDoAndKeepTheirWord) {
  Desk desk("gen:band?rows=20000&half=40");
  RunRecord r = desk.run("csr_scalar");
  desk.find(r);
  ASSERT_FALSE(r.findings.empty());
  EXPECT_LE(r.findings.size(), most_findings);
  const Finding& f = r.findings.front();
  ASSERT_FALSE(f.changes.empty()) << f.limit;
  ASSERT_TRUE(f.gain);
  EXPECT_EQ(f.gain->from, Gain::From::model);
  EXPECT_GT(f.gain->least_times, 1);
  const RunRecord later = desk.run(f.changes.front().kernel, f.changes.front().params);
  const auto actual = actual_gain(f, r, later);
  ASSERT_TRUE(actual);
  EXPECT_TRUE(actual->inside) << gain_text(f) << ", took " << actual->us;
  const CheckedPrediction kept = prediction_of(r, later);
  EXPECT_TRUE(kept.inside);
  EXPECT_NE(kept.text.find("predicted " + gain_text(f) + "; it took "), std::string::npos) << kept.text;
  EXPECT_TRUE(prediction_of(later, r).text.empty());
}

// A few long rows are nearly all of the time: what shares them out comes first, and nothing else predicts what that
// gives.
TEST(Findings, WhatBalanceGivesIsPredictedByBalanceAlone) {
  Desk desk("gen:powerlaw?rows=100000");
  RunRecord r = desk.run("csr_scalar");
  desk.find(r);
  ASSERT_FALSE(r.findings.empty());
  EXPECT_TRUE(is_of_balance(r.findings.front())) << r.findings.front().limit;
  ASSERT_TRUE(r.findings.front().gain);
  EXPECT_GT(r.findings.front().gain->least_times, 5);
  for (const Finding& f : r.findings) {
    if (!f.gain || is_of_balance(f)) continue;
    EXPECT_LT(f.gain->most_times, 1.5) << f.limit << " " << gain_text(f);
  }
}

TEST(Findings, CausesOfAModelledRunAddUpToItsTime) {
  Desk desk("gen:powerlaw?rows=20000&mean=8");
  for (const char* kernel : {"csr_scalar", "csr_merge", "hyb", "coo_atomic"}) {
    SCOPED_TRACE(kernel);
    const RunRecord r = desk.run(kernel);
    const auto causes = causes_of(r, desk.catalog.device("sim:h200")->spec);
    ASSERT_TRUE(causes);
    double sum = 0;
    for (const CauseRow& row : cause_rows) {
      EXPECT_NE(r.detail(row.bound), nullptr) << row.bound;
      sum += causes->us(row.cause);
    }
    EXPECT_NEAR(sum, r.time.value, 1e-9 * r.time.value);
    EXPECT_NEAR(r.detail("bound_total")->value, r.time.value, 1e-9 * r.time.value);
    EXPECT_LE(r.detail("bound_even")->value, r.detail("bound_total")->value * (1 + 1e-12));
  }
}

TEST(Findings, NeverPredictMoreThanTheRoof) {
  Desk desk("gen:laplace5?nx=500&ny=500");
  const GpuSpec& gpu = desk.catalog.device("sim:h200")->spec;
  for (const char* kernel : {"csr_scalar", "csr_vector", "coo_atomic", "ell", "csr_even"}) {
    RunRecord r = desk.run(kernel);
    find_limits(r, desk.rows, desk.catalog);
    for (const Finding& f : r.findings) {
      if (!f.gain) continue;
      EXPECT_LE(f.gain->least_us, f.gain->most_us) << kernel << " " << f.rule;
      // Values alone: no change moves less.
      EXPECT_GE(f.gain->least_us, floor_us(4.0 * static_cast<double>(r.nnz), r.request.cache_state, gpu))
          << kernel << " " << f.rule;
    }
  }
}

// Of the H100 there are measured times, so its modelled times have intervals.
TEST(Findings, SayWhenTheModelDoesNotTellAChangeApart) {
  Desk desk("gen:band?rows=20000&half=40");
  desk.device = "sim:h100";
  int told = 0, apart = 0;
  for (const char* kernel : {"csr_scalar", "csr_vector", "coo_segmented"}) {
    RunRecord r = desk.run(kernel);
    desk.find(r);
    for (const Finding& f : r.findings) {
      if (!f.gain || f.gain->from != Gain::From::model || !f.changes.front().reorder.empty()) continue;
      const RunRecord later = desk.run(f.changes.front().kernel, f.changes.front().params);
      const std::string why = why_not_told_apart(r, later);
      ASSERT_TRUE(interval_of(later)) << later.error;
      EXPECT_EQ(f.advice.find("does not tell") != std::string::npos, !why.empty()) << f.advice;
      ++(why.empty() ? apart : told);
    }
  }
  EXPECT_GT(apart, 0);
  std::printf("%d told apart, %d not\n", apart, told);
}

TEST(Findings, GoThroughJsonUnchanged) {
  Desk desk("gen:laplace27?nx=20&ny=20&nz=20");
  RunRecord r = desk.run("csr_scalar");
  desk.find(r);
  ASSERT_FALSE(r.findings.empty());
  EXPECT_EQ(record_from_json(to_json(r)).findings, r.findings);
}

TEST(Findings, OfARunWithoutCountersSayWhatTheyNeed) {
  Desk desk("gen:laplace27?nx=20&ny=20&nz=20");
  RunRecord r = desk.run("csr_vector");
  r.arrays.clear();
  std::erase_if(r.counters, [](const Counter& c) { return c.id != "dram_bytes"; });
  find_limits(r, desk.rows, desk.catalog);
  ASSERT_FALSE(r.findings.empty());
  const Finding& last = r.findings.back();
  EXPECT_EQ(last.kind, Finding::Kind::cannot_tell);
  EXPECT_NE(last.evidence.find("Active lanes"), std::string::npos) << last.evidence;
}

// A GPU that lets nobody count: time and least bytes. What is said then is the model's, and says so.
TEST(Findings, OnTheLowestRungAreTheModels) {
  Desk desk("gen:laplace27?nx=20&ny=20&nz=20");
  RunRecord r = desk.run("csr_scalar");
  r.provenance = Provenance::measured;
  r.traffic_source = TrafficSource::timing;
  r.arrays.clear(), r.lines.clear(), r.details.clear();
  r.counters = {{"dram_bytes", std::nullopt, "B", Provenance::measured, "the driver keeps counters for root", ""}};
  find_limits(r, desk.rows, desk.catalog);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].kind, Finding::Kind::cannot_tell);
  EXPECT_NE(r.findings[0].evidence.find("keeps counters for root"), std::string::npos) << r.findings[0].evidence;
  EXPECT_NE(findings_text(r).find("the time alone is known"), std::string::npos);
  desk.find(r);
  ASSERT_FALSE(r.findings.empty());
  EXPECT_EQ(r.findings[0].kind, Finding::Kind::limit) << r.findings[0].limit;
  // What the time alone tells, as what a launch takes of it, is derived from that.
  EXPECT_EQ(r.findings[0].provenance, Provenance::modelled) << r.findings[0].limit;
  for (const Finding& f : r.findings) EXPECT_NE(f.provenance, Provenance::measured) << f.limit;
}

// What a rule predicts is unproven only where it predicts something.
TEST(Findings, SayUnprovenWhereSomethingIsPredicted) {
  Desk desk("gen:laplace5?nx=40&ny=25");
  std::size_t unproven = 0;
  for (const char* kernel : {"csr_scalar", "csr_vector", "ell", "csr_merge"}) {
    RunRecord r = desk.run(kernel);
    desk.find(r);
    for (const Finding& f : r.findings) {
      const bool says = f.advice.find("unproven") != std::string::npos;
      unproven += says;
      EXPECT_TRUE(!says || (f.gain && !f.changes.empty())) << f.advice;
    }
    // Choices have names.
    for (const Finding& f : r.findings)
      for (const Change& c : f.changes) EXPECT_EQ(c.text.find("roduct 1"), std::string::npos) << c.text;
  }
  EXPECT_GT(unproven, 0u) << "launches and grids are not proven";
}

TEST(Findings, OfAFailedRunAreNone) {
  Desk desk("gen:laplace5?nx=20&ny=20");
  RunRecord r = desk.run("no such kernel");
  desk.find(r);
  EXPECT_TRUE(r.findings.empty());
}

TEST(Findings, TextSaysThatGainsOverlapAndThatNobodyLooked) {
  RunRecord r;
  EXPECT_NE(findings_text(r).find("nobody has looked"), std::string::npos);
  Finding f;
  f.limit = "A.";
  f.gain = Gain{.least_us = 1, .most_us = 2, .least_times = 1, .most_times = 2, .from = Gain::From::roof};
  r.findings = {f, f};
  EXPECT_NE(findings_text(r).find("do not add up"), std::string::npos);
}

TEST(Findings, AChangeIsAnsweredByTheRunItAskedFor) {
  RunRecord run, later;
  run.id = 1, later.id = 2;
  run.status = later.status = RunStatus::ok;
  run.request.kernel = "csr_scalar", later.request.kernel = "csr_vector";
  later.request.params = {{"coop", 8}, {"block_size", 128}};
  const Change change{"", "csr_vector", {{"coop", 8}}, {}, ""};
  EXPECT_TRUE(answers(later, run, change));
  later.request.params["coop"] = 4;
  EXPECT_FALSE(answers(later, run, change));
  later.request.params["coop"] = 8;
  later.request.precision = Precision::f64;
  EXPECT_FALSE(answers(later, run, change));
}

// Another order of rows: by the same kernel, with its parameters, on the matrix in that order.
TEST(Findings, AnotherOrderIsAnsweredByTheSameKernelOnIt) {
  RunRecord run, later;
  run.id = 1, later.id = 2;
  run.status = later.status = RunStatus::ok;
  run.request.matrix = "m.mtx", later.request.matrix = "m.mtx | rcm";
  run.request.kernel = later.request.kernel = "csr_vector";
  run.request.params = later.request.params = {{"coop", 8}};
  const Change change{"", "", {}, {}, "rcm"};
  EXPECT_TRUE(answers(later, run, change));
  later.request.params["coop"] = 4;
  EXPECT_FALSE(answers(later, run, change));
  later.request.params["coop"] = 8, later.request.matrix = "m.mtx | amd";
  EXPECT_FALSE(answers(later, run, change));
  later.request.matrix = "m.mtx";
  EXPECT_FALSE(answers(later, run, change)) << "as it was";
}

// Each thing that a rule tries has its words, and the advice has all of them: no button does what the text does not
// say.
TEST(Findings, AdviceNamesAllThatIsTried) {
  for (const RuleRow* rule : rules())
    for (const Remedy& remedy : rule->tries) EXPECT_NE(std::string(remedy.words), "") << rule->id;
  Desk desk("gen:powerlaw?rows=20000&mean=8");
  for (const char* kernel : {"csr_scalar", "csr_vector", "ell", "coo_atomic", "csr_even"}) {
    RunRecord r = desk.run(kernel);
    find_limits(r, desk.rows, desk.catalog);
    const KernelInfo& own = *desk.catalog.kernel(kernel);
    for (const Finding& f : r.findings) {
      for (const RuleRow* rule : rules()) {
        if (f.rule != rule->id) continue;
        for (const Remedy& remedy : rule->tries) {
          if (does_already(remedy, own)) continue;
          EXPECT_NE(f.advice.find(remedy.words), std::string::npos) << f.rule << ": " << f.advice;
        }
      }
    }
  }
}

// CSR even is what CSR scalar is advised to try: its own findings are others, and advise nothing that it does already.
TEST(Findings, OfTheKernelThatWasAdvisedAreOthers) {
  Desk desk("gen:powerlaw?rows=40000&mean=8");
  RunRecord scalar = desk.run("csr_scalar"), even = desk.run("csr_even");
  find_limits(scalar, desk.rows, desk.catalog), find_limits(even, desk.rows, desk.catalog);
  ASSERT_FALSE(scalar.findings.empty());
  ASSERT_FALSE(even.findings.empty());
  EXPECT_EQ(scalar.findings.front().rule, "uneven_rows");
  EXPECT_NE(scalar.findings.front().advice.find("equal shares of entries"), std::string::npos);
  for (const Finding& f : even.findings) {
    EXPECT_NE(f.rule, "uneven_rows") << "no warp has a long row to itself";
    EXPECT_EQ(f.advice.find("equal shares of entries"), std::string::npos) << f.advice;
  }
}

// In random order rows that run together share less of x.
TEST(Orders, SayWhyCachesHitLess) {
  const std::string grid = "gen:laplace5?nx=200&ny=200";
  Desk desk(grid), shuffled(grid + " | shuffle");
  const RunRecord a = desk.run("csr_scalar"), b = shuffled.run("csr_scalar");
  const std::string words = order_difference(a, b);
  EXPECT_NE(words.find("farther apart"), std::string::npos) << words;
  EXPECT_NE(words.find("L1 hits"), std::string::npos) << words;
  EXPECT_NE(order_difference(b, a).find("closer together"), std::string::npos);
  EXPECT_EQ(order_difference(a, a), "");
  EXPECT_EQ(order_difference(a, shuffled.run("csr_vector")), "") << "the kernel differs too";
  EXPECT_EQ(order_difference(a, Desk("gen:laplace5?nx=201&ny=200 | shuffle").run("csr_scalar")), "");
}

TEST(Findings, TheSameChangeIsOfferedOnce) {
  const Change even{"CSR even", "csr_even", {}, {}, {}}, other{"HYB", "hyb", {}, {}, {}};
  std::vector<Finding> findings(4);
  findings[0].changes = {even}, findings[1].changes = {other}, findings[2].changes = {even};
  EXPECT_FALSE(same_change_before(findings, 0));
  EXPECT_FALSE(same_change_before(findings, 1));
  EXPECT_EQ(same_change_before(findings, 2), 0u);
  EXPECT_FALSE(same_change_before(findings, 3)) << "it offers nothing";
  RunRecord r;
  r.findings = findings;
  EXPECT_NE(findings_text(r).find("Such as: CSR even, as in 1"), std::string::npos) << findings_text(r);
}

// What an empty start says of its examples is what the diagnosis says of them.
TEST(Examples, KeepTheirWord) {
  for (const Example& example : examples()) {
    SCOPED_TRACE(example.name);
    Desk desk(example.source);
    RunRequest request;
    request.matrix = example.source, request.device = "sim:h200", request.depth = Depth::quick;
    request.cache_state = example.caches;
    if (*example.kernel) request.kernel = example.kernel;
    RunRecord r = desk.engine->run(request, desk.matrix, desk.progress);
    desk.find(r);
    ASSERT_FALSE(r.findings.empty());
    const std::string& first = r.findings.front().rule;
    EXPECT_TRUE(std::any_of(example.limits.begin(), example.limits.end(), [&](const char* id) { return first == id; }))
        << first;
  }
}

}  // namespace
}  // namespace warpspy
