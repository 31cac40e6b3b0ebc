// Counters of a run when they fail: devices, kernels and profilers that were made up. The run's time always stands.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "core/generate/generate.hpp"
#include "core/model/roofline.hpp"
#include "kernels/device/device.hpp"
#include "profiling/cupti/plan.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

const std::string assets = WARPSPY_SOURCE_DIR "/assets";

// A product on a device that is none: the emulator's.
class Played final : public DeviceProduct {
 public:
  explicit Played(const ProductInputs& in) : in_(in), product_(kernel_row("csr_scalar").emulate(in)) {}
  const std::vector<LaunchShape>& launches() const override { return product_->launches(); }
  void launch(void*) override {
    product_ = kernel_row("csr_scalar").emulate(in_);  // anew: a block that runs twice would race with itself
    for (std::int64_t b = 0; b < product_->launches()[0].grid; ++b) product_->emulate_block(0, b, nullptr);
  }
  std::vector<double> y() override {
    ++results_asked;
    return product_->y();
  }
  std::size_t device_bytes() const override { return 1000; }

  inline static int results_asked = 0;

 private:
  ProductInputs in_;
  std::unique_ptr<EmulatedProduct> product_;
};

const KernelRow& played(const std::string& id) {
  static const KernelRow row = [] {
    KernelRow r = kernel_row("csr_scalar");
    r.on_device = [](const ProductInputs& in) -> std::unique_ptr<DeviceProduct> {
      return std::make_unique<Played>(in);
    };
    return r;
  }();
  return id == "csr_scalar" ? row : kernel_row(id);
}

Rotation prepare(CacheState state, const MakeProduct& make, const Progress&) {
  Rotation r;
  r.state = state;
  r.copies.push_back(make());
  return r;
}
ProductTime take_time(const Rotation& r, double, const Progress&) {
  r.copies.front()->launch(nullptr);
  ProductTime t;
  t.us = 12.5;
  t.how = "played";
  return t;
}
CounterRun count(DeviceProduct& p, CacheState) {
  return {[] {}, [&p] { p.launch(nullptr); }, {[&p] { p.launch(nullptr); }}};
}

// A profiler that does what it is told, set by set.
class Profiler final : public CounterSource {
 public:
  std::map<std::string, std::function<void()>> fails;  // throws
  std::vector<std::string> asked;
  std::vector<std::string> lacking;  // ids that this chip does not have
  int rests = 0;

  CounterReading read(int ordinal, const std::string& set, const CounterRun& run, const Progress&) override {
    EXPECT_EQ(ordinal, 0);
    asked.push_back(set);
    run.before();
    run.launch();
    if (const auto at = fails.find(set); at != fails.end()) at->second();
    CounterReading r;
    r.counters = unavailable_counters(set, "", "");
    for (Counter& c : r.counters) {
      if (std::find(lacking.begin(), lacking.end(), c.id) != lacking.end()) {
        c.reason = "chip GX1 has no counter " + c.id;
        continue;
      }
      c.value = c.unit == "%" ? 50 : 1e6;
    }
    r.passes = 2;
    r.ms = 46;
    return r;
  }
  LineReading read_lines(int ordinal, const CounterRun& run, const Progress&) override {
    EXPECT_EQ(ordinal, 0);
    asked.push_back("lines");
    for (const auto& launch : run.launches) launch();
    if (const auto at = fails.find("lines"); at != fails.end()) at->second();
    LineReading r;
    r.lines = {{"csr_scalar.hpp:41", 100, line_sectors, 3200, 32}};
    r.lines[0].provenance = Provenance::measured;
    r.ms = 7;
    return r;
  }
  double line_sectors = 1e6;  // as many as the played counter
  void release() override { ++rests; }
};

[[noreturn]] void busy() { throw CounterFailure("another profiler uses the device's counters", "end it", true); }
[[noreturn]] void broken() { throw CounterFailure("the counters vanished while they were read", "run again"); }

class CountersOfARun : public ::testing::Test {
 protected:
  CountersOfARun() {
    DeviceInfo d;
    d.id = d.name = "cuda:0";
    d.spec.memory_bytes = 1e9;
    d.access.open = true;
    device_ = d;
  }
  RunRecord run(const std::string& set, const OnTimed& on_timed = {}) {
    if (!engine_) {
      std::vector<DeviceInfo> devices = {device_};
      for (DeviceInfo& d : all_devices(assets))
        if (d.simulated) devices.push_back(std::move(d));
      EngineParts parts{devices, played, [](int) {}, profiler_};
      parts.prepare = prepare;
      parts.time = take_time;
      parts.count = count;
      engine_ = make_engine(std::move(parts));
    }
    RunRequest r;
    r.kernel = "csr_scalar";
    r.counters = set;
    r.lines = lines_;
    r.live = live_;
    r.alpha = alpha_;
    return engine_->run(r, matrix_, progress_, on_timed);
  }
  static void expect_time_stands(const RunRecord& r) {
    ASSERT_EQ(r.status, RunStatus::ok) << r.error;
    EXPECT_EQ(r.time.value, 12.5);
    EXPECT_EQ(r.time.provenance, Provenance::measured);
    EXPECT_TRUE(r.check->passed);
  }
  static bool noted(const RunRecord& r, const std::string& words) {
    for (const std::string& n : r.notes)
      if (n.find(words) != std::string::npos) return true;
    return false;
  }

  Progress progress_;
  Matrix matrix_ = generate("laplace5?nx=10&ny=10", progress_);
  DeviceInfo device_;
  std::shared_ptr<Profiler> profiler_ = std::make_shared<Profiler>();
  std::unique_ptr<Engine> engine_;
  double alpha_ = 1;
  bool lines_ = false, live_ = false;
};

TEST_F(CountersOfARun, AreMeasuredAndPutThePointsOnTheRoofline) {
  int timed = 0;
  const RunRecord r = run("roofline", [&](const RunRecord& so_far) {
    ++timed;
    EXPECT_EQ(so_far.time.value, 12.5);
    EXPECT_TRUE(so_far.counters.empty());
    EXPECT_TRUE(profiler_->asked.empty()) << "the time comes before the counters";
  });
  expect_time_stands(r);
  EXPECT_EQ(timed, 1);
  EXPECT_EQ(r.traffic_source, TrafficSource::counters);
  EXPECT_EQ(profiler_->asked, std::vector<std::string>{"roofline"});
  EXPECT_EQ(r.detail("counter_passes")->value, 2);
  EXPECT_EQ(r.detail("counter_latency")->value, 46);
  EXPECT_GT(profiler_->rests, 0) << "the next run would be timed with the counters held";
  const auto points = roofline_points(r, {});
  ASSERT_EQ(points.size(), 3u);
  for (const RooflinePoint& p : points) EXPECT_NEAR(p.gbs, 1e6 / 12.5e-6 * 1e-9, 1e-9);
}

TEST_F(CountersOfARun, StayHeldWhileRunsFollowASlider) {
  live_ = true;
  run("roofline");
  run("roofline");
  EXPECT_EQ(profiler_->rests, 0);
  // The product stays, and is checked once; a request that differs gets one of its own.
  const int results = Played::results_asked;
  expect_time_stands(run("roofline"));
  EXPECT_EQ(Played::results_asked, results);
  alpha_ = 2;
  expect_time_stands(run("roofline"));
  EXPECT_EQ(Played::results_asked, results + 1);
  EXPECT_EQ(profiler_->rests, 0);
  live_ = false;
  run("none");
  EXPECT_EQ(profiler_->rests, 1);
}

TEST_F(CountersOfARun, NoneReadsNone) {
  const RunRecord r = run("none");
  expect_time_stands(r);
  EXPECT_TRUE(profiler_->asked.empty());
  EXPECT_TRUE(r.counters.empty());
  EXPECT_EQ(r.traffic_source, TrafficSource::timing);
}

TEST_F(CountersOfARun, AnUnknownSetIsRefusedBeforeTheRun) {
  const RunRecord r = run("everything");
  EXPECT_EQ(r.status, RunStatus::failed);
  EXPECT_NE(r.error.find("known: none, quick, roofline, full"), std::string::npos) << r.error;
}

TEST_F(CountersOfARun, TheNextSmallerSetIsTried) {
  profiler_->fails["full"] = broken;
  const RunRecord r = run("full");
  expect_time_stands(r);
  EXPECT_EQ(profiler_->asked, (std::vector<std::string>{"full", "roofline"}));
  EXPECT_EQ(r.traffic_source, TrafficSource::counters);
  EXPECT_TRUE(r.counter("l2_hit_rate")->value);
  ASSERT_TRUE(r.counter("instructions")) << "what was asked for and not read is said too";
  EXPECT_FALSE(r.counter("instructions")->value);
  EXPECT_NE(r.counter("instructions")->reason.find("vanished"), std::string::npos);
  EXPECT_TRUE(noted(r, "set full failed")) << r.notes.size();
  EXPECT_TRUE(noted(r, "set roofline were read instead"));
}

TEST_F(CountersOfARun, AllSetsFail) {
  for (const CounterSetInfo& s : counter_sets()) profiler_->fails[s.id] = broken;
  const RunRecord r = run("full");
  expect_time_stands(r);
  EXPECT_EQ(profiler_->asked.size(), 3u);
  EXPECT_EQ(r.traffic_source, TrafficSource::timing);
  for (const Counter& c : r.counters) EXPECT_TRUE(!c.value && !c.reason.empty() && !c.remedy.empty()) << c.id;
  EXPECT_EQ(roofline_points(r, {}).size(), 1u) << "the least bytes take the place of the measured";
}

TEST_F(CountersOfARun, TwoProfilersAtOnce) {
  profiler_->fails["full"] = busy;
  const RunRecord r = run("full");
  expect_time_stands(r);
  EXPECT_EQ(profiler_->asked.size(), 1u) << "no set would do better";
  EXPECT_NE(r.counter("dram_bytes")->reason.find("another profiler"), std::string::npos);
  EXPECT_EQ(r.counter("dram_bytes")->remedy, "end it");
  // It goes on once the other has ended.
  profiler_->fails.clear();
  EXPECT_TRUE(run("full").counter("dram_bytes")->value);
}

TEST_F(CountersOfARun, AMetricThatTheChipLacksTakesNoOtherWithIt) {
  profiler_->lacking = {"l2_hit_rate"};
  const RunRecord r = run("roofline");
  expect_time_stands(r);
  EXPECT_FALSE(r.counter("l2_hit_rate")->value);
  EXPECT_EQ(r.counter("l2_hit_rate")->reason, "chip GX1 has no counter l2_hit_rate");
  EXPECT_EQ(r.counter("l1_hit_rate")->value, 50.0);
  EXPECT_EQ(r.counter("l2_bytes")->value, 1e6);
}

TEST_F(CountersOfARun, TheDeviceIsLostMeanwhile) {
  profiler_->fails["roofline"] = [] {
    throw DeviceLost("ending a pass: uncorrectable ECC error", {}, "see nvidia-smi");
  };
  const RunRecord r = run("roofline");
  expect_time_stands(r);
  EXPECT_NE(r.counter("dram_bytes")->reason.find("the device was lost while counters were read"), std::string::npos);
  const RunRecord next = run("roofline");
  EXPECT_EQ(next.device, "sim:h200");
  EXPECT_EQ(next.traffic_source, TrafficSource::simulated);
}

TEST_F(CountersOfARun, CancelledWhileCountersAreRead) {
  profiler_->fails["roofline"] = [] { throw Cancelled{}; };
  EXPECT_EQ(run("roofline").status, RunStatus::cancelled);
}

TEST_F(CountersOfARun, AnObstacleIsToldWithoutTrying) {
  device_.access.open = false;
  device_.access.obstacle = "admin_only";
  device_.access.reason = "only administrators may";
  device_.access.remedy = "sudo something";
  const RunRecord r = run("roofline");
  expect_time_stands(r);
  EXPECT_TRUE(profiler_->asked.empty());
  EXPECT_EQ(r.traffic_source, TrafficSource::timing);
  EXPECT_EQ(r.counter("dram_bytes")->reason, "only administrators may");
  EXPECT_EQ(r.counter("dram_bytes")->remedy, "sudo something");
  EXPECT_TRUE(noted(r, "sudo something"));
}

TEST_F(CountersOfARun, LinesComeBehindTheCounters) {
  lines_ = true;
  const RunRecord r = run("full");
  expect_time_stands(r);
  EXPECT_EQ(profiler_->asked, (std::vector<std::string>{"full", "lines"}));
  ASSERT_EQ(r.lines.size(), 1u);
  EXPECT_EQ(r.lines[0].name, "csr_scalar.hpp:41");
  EXPECT_EQ(r.lines[0].provenance, Provenance::measured);
  EXPECT_EQ(r.lines_reason, "");
  EXPECT_EQ(r.detail("line_latency")->value, 7);
  EXPECT_FALSE(noted(r, "the source lines hold")) << "both ways of counting agree";
}

TEST_F(CountersOfARun, LinesThatDisagreeWithTheCounterSaySo) {
  lines_ = true;
  profiler_->line_sectors = 5e5;
  EXPECT_TRUE(noted(run("full"), "the source lines hold 5e+05 sectors, 50 %"));
  EXPECT_FALSE(noted(run("none"), "the source lines hold")) << "nothing to compare with";
}

TEST_F(CountersOfARun, LinesAreReadWithoutCountersAndOnlyWhenAsked) {
  EXPECT_TRUE(run("roofline").lines.empty());
  EXPECT_EQ(profiler_->asked, std::vector<std::string>{"roofline"});
  lines_ = true;
  const RunRecord r = run("none");
  expect_time_stands(r);
  EXPECT_EQ(r.lines.size(), 1u);
  EXPECT_EQ(r.traffic_source, TrafficSource::timing);
}

TEST_F(CountersOfARun, LinesThatFailTakeNothingElseWithThem) {
  lines_ = true;
  profiler_->fails["lines"] = busy;
  const RunRecord r = run("roofline");
  expect_time_stands(r);
  EXPECT_EQ(r.traffic_source, TrafficSource::counters);
  EXPECT_TRUE(r.counter("dram_bytes")->value);
  EXPECT_TRUE(r.lines.empty());
  EXPECT_EQ(r.lines_reason, "another profiler uses the device's counters; end it");
}

TEST_F(CountersOfARun, LinesAreNotReadWhileRunsFollowASlider) {
  lines_ = true;
  live_ = true;
  const RunRecord r = run("roofline");
  EXPECT_EQ(profiler_->asked, std::vector<std::string>{"roofline"});
  EXPECT_NE(r.lines_reason.find("slider"), std::string::npos);
  EXPECT_EQ(profiler_->rests, 0);
}

TEST_F(CountersOfARun, AnObstacleClosesLinesToo) {
  lines_ = true;
  device_.access.open = false;
  device_.access.reason = "only administrators may";
  device_.access.remedy = "sudo something";
  const RunRecord r = run("roofline");
  expect_time_stands(r);
  EXPECT_TRUE(profiler_->asked.empty());
  EXPECT_EQ(r.lines_reason, "only administrators may; sudo something");
}

TEST_F(CountersOfARun, TheDeviceIsLostWhileInstructionsAreCounted) {
  lines_ = true;
  profiler_->fails["lines"] = [] { throw DeviceLost("counting: uncorrectable ECC error", {}, "see nvidia-smi"); };
  const RunRecord r = run("roofline");
  expect_time_stands(r);
  EXPECT_TRUE(r.counter("dram_bytes")->value);
  EXPECT_NE(r.lines_reason.find("the device was lost while instructions were counted"), std::string::npos);
  EXPECT_EQ(run("roofline").device, "sim:h200");
}

}  // namespace
}  // namespace warpspy
