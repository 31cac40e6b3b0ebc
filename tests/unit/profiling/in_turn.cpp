// Products of a search on a device that a test plays: what is timed with what, what is checked, and what stays between
// calls.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/generate/generate.hpp"
#include "core/run/check_words.hpp"
#include "kernels/device/device.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

// What happened on the device.
struct Played {
  int made = 0, ran = 0;
  std::vector<std::size_t> turns;  // of each comparison: how many took part
  double budget_s = 0, far_us = 0;
} played;

// A right product of csr_scalar and ell; one of csr_vector is wrong in a row.
class Product final : public DeviceProduct {
 public:
  Product(const ProductInputs& in, bool right, double us) : us(us), y_(100, 0.0) {
    ++played.made;
    in.format->for_each_slot([&](const Slot& s) {
      if (!s.padding()) y_[static_cast<std::size_t>(s.row)] += s.value * in.x[static_cast<std::size_t>(s.column)];
    });
    if (!right) y_[7] += 1;
  }
  const std::vector<LaunchShape>& launches() const override { return shapes_; }
  void launch(void*) override {}
  std::vector<double> y() override { return y_; }
  std::size_t device_bytes() const override { return 5000; }
  double setup_us() const override { return 11; }
  const double us;

 private:
  std::vector<LaunchShape> shapes_;
  std::vector<double> y_;
};

const KernelRow& playing(const std::string& id) {
  static const auto row = [](const char* name, std::unique_ptr<DeviceProduct> (*on_device)(const ProductInputs&)) {
    KernelRow r = kernel_row(name);
    r.on_device = on_device;
    return r;
  };
  static const KernelRow rows[] = {row("csr_scalar",
                                       [](const ProductInputs& in) -> std::unique_ptr<DeviceProduct> {
                                         return std::make_unique<Product>(in, true, 10);
                                       }),
                                   row("ell",
                                       [](const ProductInputs& in) -> std::unique_ptr<DeviceProduct> {
                                         return std::make_unique<Product>(in, true, 30);
                                       }),
                                   row("csr_vector",
                                       [](const ProductInputs& in) -> std::unique_ptr<DeviceProduct> {
                                         return std::make_unique<Product>(in, false, 5);
                                       }),
                                   row("csr_even", [](const ProductInputs&) -> std::unique_ptr<DeviceProduct> {
                                     throw DeviceLost("running kernel csr_even: an illegal memory access");
                                   })};
  for (const KernelRow& r : rows)
    if (r.info.id == id) return r;
  return kernel_row(id);
}

EngineParts parts() {
  EngineParts p;
  DeviceInfo d;
  d.id = d.name = "cuda:0";
  d.spec.memory_bytes = 1e9;
  p.devices = {d};
  p.kernel = playing;
  p.use_device = [](int) {};
  p.prepare = [](CacheState state, const MakeProduct& make, const Progress&) {
    Rotation r;
    r.state = state;
    r.copies.push_back(make());
    return r;
  };
  p.time = [](const Rotation& r, double, const Progress&) {
    ProductTime t;
    t.us = dynamic_cast<const Product&>(*r.copies.front()).us;
    return t;
  };
  p.rank = [](DeviceProduct& product, double far_us, double budget_s, const Progress&) {
    played.far_us = far_us, played.budget_s = budget_s;
    return dynamic_cast<const Product&>(product).us;
  };
  p.once = [](DeviceProduct&) { ++played.ran; };
  p.compare = [](const std::vector<const Rotation*>& list, double budget_s, const Progress&) {
    played.turns.push_back(list.size());
    played.budget_s = budget_s;
    Comparison c;
    for (const Rotation* r : list) {
      const double us = dynamic_cast<const Product&>(*r->copies.front()).us;
      ProductTime t;
      t.us = us, t.samples = 3, t.how = "played", t.setup_us = 11;
      c.times.push_back(t);
      Samples samples;
      samples.us = {us, 2 * us, us}, samples.rounds = {0, 1, 2};
      c.samples.push_back(std::move(samples));
    }
    c.samples.front().us[1] = c.samples.front().us[0];  // the second round differs
    return c;
  };
  return p;
}

class InTurn : public ::testing::Test {
 protected:
  void SetUp() override { played = {}; }
  static RunRequest request(const char* kernel) {
    RunRequest r;
    r.kernel = kernel;
    r.device = "cuda:0";
    r.budget_s = 0.25;
    r.counters = "none";
    return r;
  }
  std::vector<RunRecord> run(std::initializer_list<const char*> kernels, InSearch search) {
    std::vector<RunRequest> requests;
    for (const char* k : kernels) requests.push_back(request(k));
    return engine_->run_in_turn(requests, search, matrix_, progress_);
  }
  Progress progress_;
  Matrix matrix_ = generate("laplace5?nx=10&ny=10", progress_);
  std::unique_ptr<Engine> engine_ = make_engine(parts());
};
using As = InSearch::As;

TEST_F(InTurn, ATrialIsRankedAndNotChecked) {
  const auto records = run({"csr_vector"}, {As::trial, 77, 0});
  ASSERT_EQ(records.size(), 1u);
  const RunRecord& r = records[0];
  EXPECT_EQ(r.status, RunStatus::ok) << r.error << ": though its result is wrong";
  EXPECT_EQ(r.time.value, 5);
  EXPECT_EQ(r.provenance, Provenance::measured);
  EXPECT_EQ(played.far_us, 77);
  EXPECT_EQ(played.budget_s, 0.25);
  EXPECT_FALSE(r.check);
  EXPECT_NE(why_not_checked(r).find("ranked"), std::string::npos);
  EXPECT_GE(r.detail(kSearchSpent)->value, 0);
  EXPECT_FALSE(r.detail("effective_bytes")) << "counts are for those that are shown";
  EXPECT_EQ(played.ran, 0);
  EXPECT_TRUE(run({"csr_scalar"}, {As::trial, 3, 0})[0].time_how.starts_with("one launch"));
}

TEST_F(InTurn, ATrialThatNeedsMoreThanItMayIsLeftOut) {
  EXPECT_EQ(run({"csr_scalar"}, {As::trial, 77, 1e6})[0].status, RunStatus::ok);
  const RunRecord r = run({"csr_scalar"}, {As::trial, 77, 100})[0];
  EXPECT_EQ(r.status, RunStatus::failed);
  EXPECT_NE(r.error.find("left out: kernel csr_scalar"), std::string::npos) << r.error;
}

TEST_F(InTurn, EachIsCheckedAndHeldAgainstTheLast) {
  const auto records = run({"csr_scalar", "ell"}, {As::finalist});
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(played.turns, (std::vector<std::size_t>{2}));
  EXPECT_EQ(played.budget_s, 0.25);
  for (const RunRecord& r : records) {
    EXPECT_EQ(r.status, RunStatus::ok) << r.error;
    EXPECT_TRUE(r.check && r.check->passed);
    EXPECT_EQ(r.time_how, "played");
    EXPECT_EQ(r.detail("setup")->value, 11);
  }
  EXPECT_EQ(records[0].time.value, 10);
  EXPECT_EQ(records[1].time.value, 30);
  EXPECT_EQ(records[0].detail(kInTurnRatio)->value, 3) << "30/10, 60/10, 30/10";
  EXPECT_EQ(records[0].detail(kInTurnHigh)->value, 4.5);
  EXPECT_FALSE(records[1].detail(kInTurnRatio));
}

TEST_F(InTurn, AWrongOneTakesNoTurn) {
  const auto records = run({"csr_vector", "csr_scalar", "ell"}, {As::final});
  EXPECT_EQ(records[0].status, RunStatus::failed);
  EXPECT_NE(records[0].error.find("wrong"), std::string::npos) << records[0].error;
  EXPECT_EQ(records[1].status, RunStatus::ok);
  EXPECT_EQ(records[2].status, RunStatus::ok);
  EXPECT_EQ(played.turns, (std::vector<std::size_t>{2}));
  EXPECT_TRUE(records[1].detail("effective_bytes")) << "a final one has its counts";
  played.turns.clear();
  EXPECT_EQ(run({"csr_vector"}, {As::final})[0].status, RunStatus::failed);
  EXPECT_TRUE(played.turns.empty());
}

TEST_F(InTurn, TheOneThatOthersAreHeldAgainstStaysOnTheDevice) {
  run({"csr_scalar", "ell"}, {As::finalist});
  EXPECT_EQ(played.made, 2);
  const auto again = run({"csr_scalar", "ell"}, {As::finalist});
  EXPECT_EQ(played.made, 3);
  EXPECT_TRUE(again[1].check && again[1].check->passed);
  EXPECT_EQ(again[1].time.value, 30);
  run({"csr_scalar", "ell"}, {As::final});
  EXPECT_EQ(played.made, 5) << "the last time each is made anew";
  run({"csr_scalar", "ell"}, {As::finalist});
  EXPECT_EQ(played.made, 7);
  EXPECT_EQ(engine_->run(request("csr_scalar"), matrix_, progress_).status, RunStatus::ok);
  run({"csr_scalar", "ell"}, {As::finalist});
  EXPECT_EQ(played.made, 10) << "a run of another kind has the device to itself";
}

TEST_F(InTurn, FormatsOfASearchStay) {
  const auto conversion = [&](const char* kernel) { return run({kernel}, {As::trial})[0].detail("conversion")->value; };
  const double csr = conversion("csr_scalar"), ell = conversion("ell");
  EXPECT_EQ(conversion("csr_scalar"), csr) << "it was not made again";
  EXPECT_EQ(conversion("ell"), ell);
}

TEST_F(InTurn, ALostDeviceFailsAllOfThem) {
  std::string lost;
  engine_->on_device_lost([&](const std::string& device, const std::string&) { lost = device; });
  const auto records = run({"csr_scalar", "csr_even", "ell"}, {As::final});
  ASSERT_EQ(records.size(), 3u);
  for (const RunRecord& r : records) {
    EXPECT_EQ(r.status, RunStatus::failed);
    EXPECT_TRUE(r.error.starts_with("the device was lost")) << r.error;
  }
  EXPECT_EQ(lost, "cuda:0");
  EXPECT_TRUE(played.turns.empty());
}

TEST_F(InTurn, ACancelledOneCancelsAll) {
  progress_.cancel();
  for (const RunRecord& r : run({"csr_scalar", "ell"}, {As::final})) EXPECT_EQ(r.status, RunStatus::cancelled);
}

TEST_F(InTurn, WithoutTheMatrixEachSaysSo) {
  matrix_ = {};
  for (const RunRecord& r : run({"csr_scalar", "ell"}, {As::final}))
    EXPECT_NE(r.error.find("no matrix"), std::string::npos) << r.error;
}

}  // namespace
}  // namespace warpspy
