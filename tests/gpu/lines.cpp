// Traffic per source line, counted by the kernels' own patched instructions, against the counters and the model.
// Skipped without a device, and where its counters cannot be read.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <ostream>
#include <set>

#include "tests/gpu/counters.hpp"

namespace warpspy {
namespace {

class LinesGpu : public testing::WithCounters {
 protected:
  LinesGpu() : WithCounters("laplace27?nx=40&ny=40&nz=40") {}
  RunRecord run(const std::string& kernel, const std::string& counters, Precision precision = Precision::f32,
                const std::string& device = "cuda:0") {
    RunRequest r;
    r.kernel = kernel;
    r.device = device;
    r.counters = counters;
    r.precision = precision;
    r.lines = true;
    r.depth = Depth::whole;
    r.budget_s = 0.3;
    RunRecord record = engine_->run(r, matrix_, progress_);
    EXPECT_EQ(record.status, RunStatus::ok) << record.error;
    for (const std::string& n : record.notes) std::printf("  note: %s\n", n.c_str());
    if (!record.lines_reason.empty()) std::printf("  lines: %s\n", record.lines_reason.c_str());
    return record;
  }
  static double sum(const RunRecord& r, double Traffic::* member) {
    double all = 0;
    for (const Traffic& t : r.lines) all += t.*member;
    return all;
  }
  // Each line, measured beside modelled.
  static void print(const RunRecord& measured, const RunRecord& modelled) {
    std::set<std::string> names;
    for (const RunRecord* r : {&measured, &modelled})
      for (const Traffic& t : r->lines) names.insert(t.name);
    const auto cell = [](const RunRecord& r, const std::string& name) {
      for (const Traffic& t : r.lines)
        if (t.name == name)
          std::printf(" | %12.0f %12.0f %7.2f %6.1f", t.requests, t.sectors, t.bytes_used / (32 * t.sectors) * 100,
                      t.active_lanes);
      for (const Traffic& t : r.lines)
        if (t.name == name) return;
      std::printf(" | %40s", "-");
    };
    std::printf("  %-24s | measured: requests, sectors, used %%, lanes | modelled: the same\n",
                measured.request.kernel.c_str());
    for (const std::string& name : names) {
      std::printf("  %-24s", name.c_str());
      cell(measured, name);
      cell(modelled, name);
      std::printf("\n");
    }
    std::printf("  %-24s | %12.0f %12.0f %14s | %12.0f %12.0f\n", "sum", sum(measured, &Traffic::requests),
                sum(measured, &Traffic::sectors), "", sum(modelled, &Traffic::requests),
                sum(modelled, &Traffic::sectors));
    for (const char* id : {"requests", "sectors"})
      if (const Counter* c = measured.counter(id); c && c->value) std::printf("  counter %s: %.0f\n", id, *c->value);
    if (const Quantity* ms = measured.detail("line_latency")) std::printf("  counted in %.1f ms\n", ms->value);
  }
  // CUPTI 13.0 counts one kernel in a process: what comes after it has that as its reason.
  static bool used_up(const RunRecord& r) {
    return r.lines.empty() && r.lines_reason.find("one kernel in a process") != std::string::npos;
  }
  static void expect_sum_of_counter(const RunRecord& r) {
    ASSERT_FALSE(r.lines.empty()) << r.lines_reason;
    const Counter* sectors = r.counter("sectors");
    ASSERT_TRUE(sectors && sectors->value) << (sectors ? sectors->reason : "no counter of sectors");
    EXPECT_NEAR(sum(r, &Traffic::sectors), *sectors->value, 0.01 * *sectors->value);
  }
};

// CUPTI 13.0 counts one kernel in a process, so each case is a test of its own; scripts/gpu-check starts it by itself.
struct LinesCase {
  const char* kernel;
  Precision precision;
};
void PrintTo(const LinesCase& c, std::ostream* to) { *to << c.kernel << " " << name_of(c.precision); }
class LinesGpuOf : public LinesGpu, public ::testing::WithParamInterface<LinesCase> {};

TEST_P(LinesGpuOf, AddUpToTheCounter) {
  const auto [kernel, precision] = GetParam();
  const RunRecord r = run(kernel, "full", precision);
  print(r, run(kernel, "none", precision, "sim:h200"));
  if (used_up(r)) GTEST_SKIP() << r.lines_reason;
  expect_sum_of_counter(r);
  for (const Traffic& t : r.lines) {
    EXPECT_NE(t.name.find(".hpp:"), std::string::npos) << t.name;
    EXPECT_EQ(t.provenance, Provenance::measured);
    EXPECT_LE(t.active_lanes, 32) << t.name;
    EXPECT_LE(t.sectors, 32 * t.requests) << t.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, LinesGpuOf,
                         ::testing::Values(LinesCase{"csr_vector", Precision::f32},
                                           LinesCase{"csr_vector", Precision::f64},
                                           LinesCase{"csr_even", Precision::f32}, LinesCase{"ell", Precision::f32},
                                           LinesCase{"coo_atomic", Precision::f32}, LinesCase{"hyb", Precision::f32}),
                         [](const auto& info) {
                           return std::string(info.param.kernel) + "_" + name_of(info.param.precision);
                         });

TEST_F(LinesGpu, LieInTheKernelsFile) {
  const RunRecord r = run("csr_vector", "none");
  if (used_up(r)) GTEST_SKIP() << r.lines_reason;
  ASSERT_FALSE(r.lines.empty()) << r.lines_reason;
  for (const Traffic& t : r.lines) EXPECT_EQ(t.name.substr(0, t.name.rfind(':')), "csr_vector.hpp");
}

TEST_F(LinesGpu, AreTheSameAgainOrSayWhyThereAreNone) {
  const RunRecord first = run("ell", "none");
  if (used_up(first)) GTEST_SKIP() << first.lines_reason;
  ASSERT_FALSE(first.lines.empty()) << first.lines_reason;
  EXPECT_EQ(first.traffic_source, TrafficSource::timing);
  const RunRecord second = run("ell", "full");
  EXPECT_EQ(second.traffic_source, TrafficSource::counters) << "counters are read after kernels were patched";
  if (used_up(second)) return;
  expect_sum_of_counter(second);
  EXPECT_EQ(sum(second, &Traffic::sectors), sum(first, &Traffic::sectors));
  EXPECT_EQ(sum(second, &Traffic::requests), sum(first, &Traffic::requests));
}

}  // namespace
}  // namespace warpspy
