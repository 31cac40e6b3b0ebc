// Searches on a simulated GPU, by the executor.
#include "profiling/engine/search_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/generate/generate.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/tuner/space.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

const std::string assets = WARPSPY_SOURCE_DIR "/assets";

class Searches : public ::testing::Test {
 protected:
  struct Told {
    TuneStep step;
    RunStatus status;
    double us;
    std::string error;
  };
  TuneRecord tune(const TuneRequest& r, int cancel_after = -1) {
    told_.clear();
    Progress progress;
    Executor executor(*engine_, catalog_);
    return run_search(r, search_maker(), executor, catalog_.devices, matrix_, progress,
                      [&](const TuneStep& s, const RunRecord& run) {
                        told_.push_back({s, run.status, run.time.value, run.error});
                        if (static_cast<int>(told_.size()) == cancel_after) progress.cancel();
                      });
  }
  static TuneRequest request(const std::string& kernel) {
    TuneRequest r;
    r.run.kernel = kernel;
    r.run.device = "sim:h200";
    r.run.depth = Depth::whole;
    r.most_products = 40;
    return r;
  }
  Matrix matrix_ = [] {
    Progress progress;
    return generate("laplace5?nx=12&ny=12", progress);
  }();
  std::unique_ptr<Engine> engine_ = make_engine(assets);
  const Catalog catalog_ = make_catalog(assets);
  std::vector<Told> told_;
};

TEST_F(Searches, TellsEveryProductWithItsRun) {
  const TuneRecord r = tune(request("csr_vector"));
  ASSERT_EQ(r.status, RunStatus::ok) << r.error;
  EXPECT_EQ(r.provenance, Provenance::modelled);
  EXPECT_EQ(r.device, "sim:h200");
  EXPECT_EQ(r.outcomes.size(), 5u);
  ASSERT_EQ(told_.size(), r.steps.size());
  for (std::size_t k = 0; k < told_.size(); ++k) {
    EXPECT_EQ(told_[k].step, r.steps[k]);
    ASSERT_EQ(told_[k].status, RunStatus::ok) << told_[k].error;
    EXPECT_EQ(told_[k].us, r.steps[k].us);
  }
  for (const TuneOutcome& o : r.outcomes) {
    ASSERT_TRUE(o.us) << o.strategy;
    EXPECT_TRUE(o.regret) << o.strategy;
    if (o.strategy != "selector" && o.strategy != "predict") {
      EXPECT_EQ(o.kernel, "csr_vector");
    }
  }
  // A simulated time does not change: what was modelled once is the same again.
  const TuneRecord again = tune(request("csr_vector"));
  for (std::size_t k = 0; k < r.steps.size(); ++k) {
    EXPECT_EQ(again.steps[k].params, r.steps[k].params);
    EXPECT_EQ(again.steps[k].us, r.steps[k].us);
  }
  EXPECT_EQ(tune_record_from_json(to_json(r)).steps, r.steps);
}

TEST_F(Searches, SelectorPaysForConversionsToOtherFormatsOnly) {
  TuneRequest request_of_selector = request("csr_vector");
  request_of_selector.strategies = {"selector"};
  const TuneRecord r = tune(request_of_selector);
  ASSERT_EQ(r.status, RunStatus::ok) << r.error;
  std::set<std::string> kernels;
  for (const TuneStep& s : r.steps) {
    kernels.insert(s.kernel);
    if (s.kernel == "csr_scalar" || s.kernel == "csr_vector") {
      EXPECT_EQ(s.conversion_us, 0) << s.kernel;
    }
  }
  EXPECT_GE(kernels.size(), 2u);
  double paid = 0;
  for (const TuneStep& s : r.steps) paid += s.conversion_us;
  EXPECT_GT(paid, 0) << "a format that is not CSR was tried";
}

TEST_F(Searches, HalfOfASymmetricMatrixIsTriedWhereBlocksOrDiagonalsAreFull) {
  TuneRequest predict = request("csr_vector");
  predict.strategies = {"predict"};
  predict.run.depth = Depth::quick;
  const auto tried = [&](const char* kernel) {
    const TuneRecord r = tune(predict);
    EXPECT_EQ(r.status, RunStatus::ok) << r.error;
    return std::any_of(r.steps.begin(), r.steps.end(), [&](const TuneStep& s) { return s.kernel == kernel; });
  };
  EXPECT_FALSE(tried("bsr_symmetric")) << "blocks of a stencil are nearly empty";
  Progress progress;
  matrix_ = generate("band?rows=3000&half=7", progress);
  EXPECT_TRUE(tried("dia_symmetric")) << "all of its 15 diagonals are full";
  matrix_ = generate("like?name=bcsstk36", progress);
  EXPECT_TRUE(tried("bsr_symmetric")) << "three unknowns for a node";
  EXPECT_FALSE(tried("dia_symmetric")) << "diagonals of a mesh are nearly empty";
}

TEST_F(Searches, EveryKernelCanBeTuned) {
  for (const KernelInfo& kernel : make_catalog(assets).kernels) {
    if (!kernel.library.empty()) continue;
    TuneRequest r = request(kernel.id);
    r.strategies = {"fixed_rule", "run_time"};
    const TuneRecord record = tune(r);
    Progress progress;
    const RunRecord run = engine_->run(r.run, matrix_, progress);
    ASSERT_EQ(record.status, run.status) << kernel.id << ": " << record.error;
    if (run.status != RunStatus::ok) {  // LMA needs elements
      EXPECT_EQ(record.error, run.error);
      continue;
    }
    EXPECT_LE(*record.outcome("run_time")->us, *record.outcome("fixed_rule")->us) << kernel.id;
  }
}

TEST_F(Searches, CancelEndsItWithWhatThereIs) {
  const TuneRecord r = tune(request("csr_vector"), 5);
  EXPECT_EQ(r.status, RunStatus::cancelled);
  EXPECT_GE(r.steps.size(), 5u);
  EXPECT_EQ(r.steps.size(), told_.size());
  EXPECT_FALSE(r.outcome("exhaustive"));
}

TEST_F(Searches, WhatCannotBeTunedSaysWhy) {
  TuneRequest bad = request("no_such_kernel");
  EXPECT_NE(tune(bad).error.find("no_such_kernel"), std::string::npos);
  bad = request("csr_vector");
  bad.run.params = {{"coop", 3}};
  EXPECT_NE(tune(bad).error.find("coop"), std::string::npos);
  bad = request("csr_vector");
  bad.strategies = {"magic"};
  EXPECT_NE(tune(bad).error.find("magic"), std::string::npos);
  bad = request("csr_vector");
  bad.run.device = "sim:none";
  EXPECT_NE(tune(bad).error.find("sim:none"), std::string::npos);
  bad = request("csr_vector");
  bad.most_products = 0;
  EXPECT_EQ(tune(bad).status, RunStatus::failed);
  EXPECT_TRUE(told_.empty());
}

}  // namespace
}  // namespace warpspy
