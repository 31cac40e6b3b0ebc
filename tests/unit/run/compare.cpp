// Differences between runs, against numbers worked by hand.
#include "core/run/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace warpspy {
namespace {

using Run = std::shared_ptr<const RunRecord>;

// 1000 entries; `spread` below 0: not recorded.
RunRecord timed(std::uint64_t id, double us, double spread) {
  RunRecord r;
  r.id = id;
  r.status = RunStatus::ok;
  r.request.kernel = "csr_vector";
  r.request.params = {{"coop", 8}, {"policy", 0}};
  r.kernel_label = "CSR vector";
  r.format = "csr";
  r.matrix_name = "cant";
  r.rows = r.cols = 100, r.nnz = 1000;
  r.device = "cuda:0", r.device_name = "NVIDIA H200";
  r.provenance = Provenance::measured;
  r.time = {us, "us", Provenance::measured};
  r.gflops = {2e-3 * 1000 / us, "GFLOP/s", Provenance::derived};
  r.minimum_bytes = {8000, "B", Provenance::modelled};
  if (spread >= 0) r.details = {{"spread", "noise (MAD)", {spread, "%", Provenance::measured}}};
  return r;
}
Run shared(RunRecord r) { return std::make_shared<const RunRecord>(std::move(r)); }

Catalog catalog() {
  Catalog c;
  ParamSpec coop{"coop", "Threads per row", "", ParamSpec::Type::power_of_two, 1, 32, 8};
  ParamSpec policy{"policy", "Loads of x", "", ParamSpec::Type::choice, 0, 1, 0, {"plain", "read-only"}};
  c.kernels = {{"csr_vector", "CSR vector", "", "", "csr", {coop, policy}}};
  c.metrics = {{"dram_bytes", "DRAM bytes", "B", "", Level::dram}};
  return c;
}

const DeltaRow& row(const RunComparison& c, const std::string& id) {
  const auto at = std::find_if(c.rows.begin(), c.rows.end(), [&](const DeltaRow& r) { return r.id == id; });
  EXPECT_NE(at, c.rows.end()) << id;
  return at == c.rows.end() ? c.rows.front() : *at;
}

struct Case {
  const char* what;
  double us, spread;  // against 20 us with 1 %
  double absolute, percent;
  Verdict verdict;
};

// 20 us with 1 % is 0.2 us of noise; with 2 % on 25 us, 0.5 us: 0.7 us together.
TEST(Compare, DifferenceAgainstTheNoiseOfBoth) {
  const Case cases[] = {
      {"25 % slower", 25, 2, 5, 25, Verdict::beyond_noise},
      {"half the time", 10, 1, -10, -50, Verdict::beyond_noise},
      {"just within: 0.4 <= 0.2 + 0.204", 20.4, 1, 0.4, 2, Verdict::within_noise},
      {"just beyond: 0.5 > 0.2 + 0.205", 20.5, 1, 0.5, 2.5, Verdict::beyond_noise},
      {"faster within: 0.35 <= 0.2 + 0.1965", 19.65, 1, -0.35, -1.75, Verdict::within_noise},
      {"a noisy other", 25, 30, 5, 25, Verdict::within_noise},
      {"noise not recorded", 25, -1, 5, 25, Verdict::noise_unknown},
      {"equal", 20, -1, 0, 0, Verdict::same},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const auto compared = compare_runs({shared(timed(1, 20, 1)), shared(timed(2, c.us, c.spread))}, catalog());
    const DeltaRow& time = row(compared, "time");
    EXPECT_EQ(time.runs[0].verdict, Verdict::baseline);
    EXPECT_EQ(time.runs[0].noise, 1.0);
    EXPECT_NEAR(*time.runs[1].absolute, c.absolute, 1e-9);
    EXPECT_NEAR(*time.runs[1].percent, c.percent, 1e-9);
    EXPECT_EQ(time.runs[1].verdict, c.verdict) << name_of(time.runs[1].verdict);
  }
}

TEST(Compare, SpeedIsTheInverse) {
  const auto c = compare_runs({shared(timed(1, 20, 1)), shared(timed(2, 10, 1))}, catalog());
  EXPECT_NEAR(*row(c, "gflops").runs[1].percent, 100, 1e-9);
  EXPECT_EQ(row(c, "minimum_bytes").runs[1].verdict, Verdict::same);
}

TEST(Compare, AModelThatRanWholeHasNoNoise) {
  RunRecord a = timed(1, 20, -1), b = timed(2, 20.001, -1);
  for (RunRecord* r : {&a, &b}) r->provenance = r->time.provenance = Provenance::modelled;
  EXPECT_EQ(row(compare_runs({shared(a), shared(b)}, catalog()), "time").runs[1].verdict, Verdict::beyond_noise);
  b.sampled_share = 0.25;
  const auto c = compare_runs({shared(a), shared(b)}, catalog());
  EXPECT_EQ(row(c, "time").runs[1].verdict, Verdict::noise_unknown);
  EXPECT_EQ(c.warnings.size(), 1u) << "the sampling is said";
}

TEST(Compare, WhatOneSideLacksIsSaid) {
  RunRecord a = timed(1, 20, 1), b = timed(2, 10, 1), c = timed(3, 10, 1), failed = timed(4, 0, 1);
  a.counters = {{"dram_bytes", 1000.0, "B", Provenance::measured, "", ""}};
  b.counters = {{"dram_bytes", std::nullopt, "B", Provenance::measured, "counters are closed", "open them"}};
  failed.status = RunStatus::failed;
  failed.error = "out of memory";
  const auto all = compare_runs({shared(a), shared(b), shared(c), shared(failed)}, catalog());
  const DeltaRow& dram = row(all, "dram_bytes");
  EXPECT_EQ(dram.label, "DRAM bytes");
  EXPECT_EQ(dram.runs[1].verdict, Verdict::unavailable);
  EXPECT_EQ(dram.runs[1].reason, "counters are closed");
  EXPECT_FALSE(dram.runs[1].percent);
  EXPECT_NE(dram.runs[2].reason, "") << "not counted at all";
  EXPECT_FALSE(row(all, "time").runs[3].value) << "never 0";
  EXPECT_NE(row(all, "time").runs[3].reason.find("out of memory"), std::string::npos);
  // The other way round: the baseline has no number, the other has.
  const auto turned = compare_runs({shared(b), shared(a)}, catalog());
  EXPECT_EQ(row(turned, "dram_bytes").runs[1].value, 1000.0);
  EXPECT_EQ(row(turned, "dram_bytes").runs[1].verdict, Verdict::unavailable);
}

TEST(Compare, SourceLinesStandBesideEachOther) {
  RunRecord measured = timed(1, 20, 1), modelled = timed(2, 20, 1), without = timed(3, 20, 1);
  modelled.provenance = Provenance::modelled;
  measured.lines = {{"k.hpp:9", 10, 40, 0, 32, Provenance::measured},
                    {"k.hpp:10", 10, 80, 0, 32, Provenance::measured}};
  modelled.lines = {{"k.hpp:10", 10, 100, 0, 32}, {"k.hpp:12", 1, 4, 0, 32}};
  without.lines_reason = "another profiler is attached; end it";
  const auto c = compare_runs({shared(measured), shared(modelled), shared(without)}, catalog());
  std::vector<std::string> order;
  for (const DeltaRow& r : c.rows)
    if (r.id.starts_with("line ")) order.push_back(r.id);
  EXPECT_EQ(order, (std::vector<std::string>{"line k.hpp:9", "line k.hpp:10", "line k.hpp:12"}));
  const DeltaRow& both = row(c, "line k.hpp:10");
  EXPECT_EQ(both.runs[0].provenance, Provenance::measured);
  EXPECT_EQ(both.runs[1].provenance, Provenance::modelled);
  EXPECT_EQ(both.runs[1].percent, 25.0);
  EXPECT_EQ(both.runs[2].reason, "another profiler is attached; end it");
  EXPECT_EQ(row(c, "line k.hpp:9").runs[1].reason, "the run moved nothing on this line");
}

TEST(Compare, ABaselineOfZeroHasNoPercent) {
  RunRecord a = timed(1, 20, 1), b = timed(2, 20, 1);
  a.counters = {{"dram_bytes", 0.0, "B", Provenance::measured, "", ""}};
  b.counters = {{"dram_bytes", 64.0, "B", Provenance::measured, "", ""}};
  const auto c = compare_runs({shared(a), shared(b)}, catalog());
  EXPECT_EQ(row(c, "dram_bytes").runs[1].absolute, 64.0);
  EXPECT_FALSE(row(c, "dram_bytes").runs[1].percent);
}

TEST(Compare, NamesWhatWasAskedDifferently) {
  RunRecord a = timed(1, 20, 1), b = timed(2, 20, 1);
  b.request.params = {{"coop", 16}, {"policy", 1}};
  b.request.precision = Precision::f64;
  const auto c = compare_runs({shared(a), shared(b)}, catalog());
  ASSERT_EQ(c.differences.size(), 3u);
  EXPECT_EQ(c.differences[0].label, "Threads per row");
  EXPECT_EQ(c.differences[0].runs, (std::vector<std::string>{"8", "16"}));
  EXPECT_EQ(c.differences[1].runs, (std::vector<std::string>{"plain", "read-only"}));
  EXPECT_EQ(c.differences[2].runs, (std::vector<std::string>{"f32", "f64"}));
  EXPECT_TRUE(c.warnings.empty());
  b.nnz = 2000;
  b.provenance = Provenance::modelled;
  EXPECT_EQ(compare_runs({shared(a), shared(b)}, catalog()).warnings.size(), 2u);
}

TEST(Compare, SaysThatTheMatricesDiffer) {
  const RunRecord a = timed(1, 20, 1);
  RunRecord shuffled = timed(2, 20, 1), larger = timed(3, 20, 1);
  shuffled.matrix_name += " (shuffled)";
  larger.nnz += 1;
  EXPECT_EQ(matrices_differ(a, timed(2, 30, 1)), "");
  EXPECT_NE(matrices_differ(a, shuffled).find("their sizes are the same"), std::string::npos);
  EXPECT_NE(matrices_differ(a, larger).find("of different work"), std::string::npos);
  const auto warnings = [&](const RunRecord& b, const RunRecord& c) {
    return compare_runs({shared(a), shared(b), shared(c)}, catalog()).warnings;
  };
  EXPECT_EQ(warnings(a, shuffled), std::vector{matrices_differ(a, shuffled)});
  EXPECT_EQ(warnings(shuffled, larger), std::vector{matrices_differ(a, larger)}) << "the graver of the two";
}

TEST(Compare, NoiseIsNotAQuantityOfItsOwn) {
  RunRecord a = timed(1, 20, 1), b = timed(2, 20, 1);
  a.details.push_back({"setup", "setup, once", {12, "us", Provenance::measured}});
  const auto c = compare_runs({shared(a), shared(b)}, catalog());
  for (const DeltaRow& r : c.rows) EXPECT_NE(r.id, "spread");
  EXPECT_EQ(row(c, "setup").runs[1].reason, "the run did not record it");
}

TEST(Compare, NeedsTwo) { EXPECT_THROW(compare_runs({shared(timed(1, 20, 1))}, catalog()), Error); }

TEST(Compare, LeavesAsCsvAndJson) {
  RunRecord a = timed(1, 20, 1), b = timed(7, 25, 2);
  b.kernel_label = "CSR, \"wide\"";
  b.request.params["coop"] = 16;
  const auto c = compare_runs({shared(a), shared(b)}, catalog());
  const std::string csv = to_csv(c), json = to_json(c);
  EXPECT_NE(csv.find("time,Time,7,\"CSR, \"\"wide\"\"\",25,us,measured,2,5,25,beyond noise,\r\n"), std::string::npos)
      << csv;
  EXPECT_NE(csv.find("setting,Threads per row,7,\"CSR, \"\"wide\"\"\",16,"), std::string::npos) << csv;
  for (const char* part : {"\"baseline\": 1", "\"delta_percent\": 25.0", "\"verdict\": \"beyond noise\"",
                           "\"label\": \"Threads per row\""})
    EXPECT_NE(json.find(part), std::string::npos) << part << " not in\n" << json;
}

TEST(Compare, PercentagesChangeInPoints) {
  Delta d;
  EXPECT_EQ(change_text(d, "us"), "");
  d.absolute = -36.67, d.percent = -48.5;
  EXPECT_EQ(change_text(d, "%"), "-36.7 pt");
  EXPECT_EQ(change_text(d, "B"), "-48.5 %");
}

TEST(PercentOrTimes, IsAFactorFromTenTimesOn) {
  EXPECT_EQ(percent_or_times(39.8), "+39.8 %");
  EXPECT_EQ(percent_or_times(899), "+899 %");
  EXPECT_EQ(percent_or_times(900), "10.0x");
  EXPECT_EQ(percent_or_times(10349), "104x");
}

TEST(SignedPercent, AlwaysShowsItsSign) {
  EXPECT_EQ(signed_percent(53.26), "+53.3 %");
  EXPECT_EQ(signed_percent(-0.4), "-0.40 %");
  EXPECT_EQ(signed_percent(391.2), "+391 %");
  EXPECT_EQ(signed_percent(0), "0 %");
}

}  // namespace
}  // namespace warpspy
