// The benchmark without a GPU: candidates, options, table and JSON of results that were made up.
#include "profiling/bench/bench.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/formats/compact.hpp"
#include "core/formats/format.hpp"
#include "core/generate/generate.hpp"
#include "core/run/check_words.hpp"
#include "core/run/in_turn.hpp"
#include "kernels/device/device.hpp"
#include "kernels/simt/trace.hpp"
#include "kernels/table/table.hpp"
#include "profiling/bench/candidates.hpp"
#include "profiling/bench/records.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/tuner/cost_model.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

const DeviceScale h100 = {132, 227 * 1024};

TEST(Bench, CandidatesAreValidDistinctAndBeginWithTheDefaults) {
  for (const KernelRow& k : kernels()) {
    SCOPED_TRACE(k.info.id);
    const FormatInfo* format = k.info.format.empty() ? nullptr : &format_row(k.info.format).info;
    const std::vector<BenchCandidate> all = candidates_of(k, format, h100);
    ASSERT_FALSE(all.empty());
    EXPECT_LT(all.size(), 1000u);  // shares that do not fit into L2 among them, which nobody times
    EXPECT_EQ(all.front().params, checked_params(k.info.params, {}));
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(checked_params(k.info.params, all[i].params), all[i].params);
      if (format) {
        EXPECT_EQ(checked_params(format->params, all[i].format_params), all[i].format_params);
      }
      EXPECT_EQ(std::count(all.begin(), all.end(), all[i]), 1);
      // That x is asked for otherwise has never won: analyses alone turn it.
      if (all[i].params.contains("x_cache")) {
        EXPECT_EQ(all[i].params.at("x_cache"), 0);
      }
      // Loads that read nothing are no product.
      for (const char* id : {"x_cache", "matrix_cache"})
        if (all[i].params.contains(id)) {
          EXPECT_NE(all[i].params.at(id), 4) << id;
        }
    }
  }
}

// A start that is no candidate would never be tried, and nobody would be told.
TEST(Bench, WhereTheSearchBeginsIsAmongTheCandidates) {
  const DeviceScale a100 = {108, 163 * 1024}, shared_unknown = {132, 0}, unknown = {};
  std::size_t starts = 0;
  for (const KernelRow& k : kernels()) {
    SCOPED_TRACE(k.info.id);
    const FormatInfo* format = k.info.format.empty() ? nullptr : &format_row(k.info.format).info;
    for (const DeviceScale& device : {h100, a100, shared_unknown, unknown}) {
      const std::vector<BenchCandidate> all = candidates_of(k, format, device);
      for (const double value_bytes : {4.0, 8.0})
        for (const double bytes : {1e6, 1e9}) {
          const ParamSet likely =
              likely_params(k.info, {}, {.least_bytes = bytes, .value_bytes = value_bytes, .device = device}, 50e6);
          std::vector<ParamSet> sets = other_starts(k.info, {}, likely, device);
          starts += sets.size();
          sets.push_back(likely);
          for (const ParamSet& set : sets)
            EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const auto& c) { return c.params == set; }));
        }
    }
  }
  EXPECT_GT(starts, 0u);
}

TEST(Bench, InOrderNoProductBeginsBeforeTheLastHasEnded) {
  int overlapping = 0;
  for (const KernelRow& k : kernels()) {
    SCOPED_TRACE(k.info.id);
    const FormatInfo* format = k.info.format.empty() ? nullptr : &format_row(k.info.format).info;
    const std::vector<BenchCandidate> all = candidates_of(k, format, h100),
                                      in_order = candidates_of(k, format, h100, true);
    ASSERT_FALSE(in_order.empty());
    for (const BenchCandidate& c : all) {
      const bool overlaps = k.common_of(c.params).overlap != 0;
      overlapping += overlaps;
      EXPECT_EQ(std::count(in_order.begin(), in_order.end(), c), !overlaps);
    }
  }
  EXPECT_GT(overlapping, 0);
}

TEST(Bench, TheVectorKernelIsTriedWithEveryCoop) {
  const auto all = candidates_of(kernel_row("csr_vector"), &format_row("csr").info, h100);
  std::set<double> coops;
  for (const BenchCandidate& c : all) coops.insert(c.params.at("coop"));
  EXPECT_EQ(coops, (std::set<double>{1, 2, 4, 8, 16, 32}));
}

TEST(Bench, SharesAreKeptOfWhatDoesNotFit) {
  constexpr double l2 = 60e6;
  using enum simt::CachePolicy;
  for (const auto policy : {plain, streaming}) EXPECT_TRUE(share_fits(policy, 1e9, l2));
  EXPECT_FALSE(share_fits(evict_last_half, 20e6, l2)) << "all of it fits";
  EXPECT_TRUE(share_fits(evict_last_half, 60e6, l2));
  EXPECT_FALSE(share_fits(evict_last_half, 92e6, l2)) << "46 MB leave x and y no room";
  EXPECT_TRUE(share_fits(evict_last_3_8, 92e6, l2));
  EXPECT_TRUE(share_fits(evict_last_quarter, 92e6, l2));
  EXPECT_FALSE(share_fits(evict_last_eighth, 60e6, l2)) << "more would fit";
  EXPECT_TRUE(share_fits(evict_last_eighth, 200e6, l2));
  EXPECT_TRUE(share_fits(evict_last_sixteenth, 400e6, l2));
  EXPECT_FALSE(share_fits(evict_last_sixteenth, 1e9, l2));
  EXPECT_FALSE(share_fits(evict_last_half, 60e6, 0)) << "L2 not known";
}

TEST(Bench, OptionsThatMakeNoSenseAreRefused) {
  EXPECT_NO_THROW(check_options({}));
  EXPECT_NO_THROW(check_options({.kernels = {"csr_vector"}}));
  EXPECT_THROW(check_options({.against = "magma"}), Error);
  EXPECT_THROW(check_options({.kernels = {"csr_magic"}}), Error);
  EXPECT_THROW(check_options({.kernels = {"cusparse_coo"}}), Error);
  EXPECT_THROW(check_options({.precisions = {}}), Error);
  EXPECT_THROW(check_options({.states = {}}), Error);
}

TEST(Bench, WithoutADeviceItSaysWhatIsMissing) {
  if (probe_devices().available) GTEST_SKIP() << "there is a CUDA device";
  Progress progress;
  const auto engine = make_engine(WARPSPY_SOURCE_DIR "/assets");
  try {
    begin_bench({}, all_devices(WARPSPY_SOURCE_DIR "/assets"), *engine, progress);
    FAIL() << "not refused";
  } catch (const Error& e) {
    EXPECT_EQ(e.reason.rfind("the benchmark needs a CUDA device", 0), 0u) << e.reason;
    EXPECT_FALSE(e.remedy.empty());
  }
}

BenchSide side(const char* kernel, double us) {
  BenchSide s;
  s.kernel = kernel;
  s.label = kernel;
  s.format = "csr";
  s.params = {{"coop", 8}};
  s.us = us;
  s.how = "made up";
  s.minimum_bytes = 40e6;
  return s;
}

BenchReport report() {
  BenchReport r;
  r.device.name = "NVIDIA H200";
  r.against = "cuSPARSE";
  r.copy = CopyBandwidth{4000, 0.001, 1u << 30};
  for (const double ratio : {2.0, 0.5}) {
    BenchRow row;
    row.matrix = "a/long/path/of/some_matrix_with_a_long_name.mtx";
    row.rows = row.cols = 1000;
    row.nnz = 5000;
    row.own = side("csr_vector", 20);
    row.library = side("cusparse_csr_alg1", 20 * ratio);
    row.ratio = {ratio, 0.9 * ratio, 1.1 * ratio};
    r.rows.push_back(row);
  }
  BenchRow alone;
  alone.matrix = "none";
  alone.operation = Operation::transposed_product;
  alone.library = side("cusparse_csr_transposed", 7);
  alone.notes = {"csr_naive: no room"};
  r.rows.push_back(alone);
  return r;
}

RunRecord record_of(const char* kernel, double us) {
  RunRecord r;
  r.status = RunStatus::ok;
  r.request.kernel = kernel, r.request.precision = Precision::f64, r.request.params = {{"coop", 8}};
  r.kernel_label = "a label", r.format = "ell";
  r.provenance = Provenance::measured;
  r.time = {us, "us", Provenance::measured};
  r.time_how = "made up";
  r.minimum_bytes = {40e6, "B", Provenance::modelled};
  r.check = ErrorCheck{.max_of_bound = 0.25, .rows_checked = 1000, .passed = true};
  const auto add = [&](const char* id, double value, const char* unit) {
    r.details.push_back({id, id, {value, unit, Provenance::measured}});
  };
  add("conversion", 400, "us"), add("spread", 0.5, "%"), add("samples", 20, "1"), add("setup", 100, "us");
  r.notes = {"a note", "2 throttled samples were dropped (power cap)"};
  return r;
}

TEST(Bench, ASideIsWhatItsRecordSays) {
  RunRecord r = record_of("ell", 20);
  const BenchSide s = side_of(r);
  EXPECT_EQ(s.kernel, "ell");
  EXPECT_EQ(s.label, "a label");
  EXPECT_EQ(s.params, r.request.params);
  EXPECT_EQ(s.us, 20);
  EXPECT_EQ(s.how, "made up");
  EXPECT_EQ(s.clock_note, r.notes[1]);
  EXPECT_EQ(s.minimum_bytes, 40e6);
  EXPECT_EQ(s.error_of_bound, 0.25);
  EXPECT_EQ(s.preparation.us, 500) << "conversion and setup";
  ASSERT_EQ(s.details.size(), 3u) << "of the timing alone";
  EXPECT_EQ(s.details[0].id, "spread");
  r.format = "csr";
  EXPECT_EQ(side_of(r).preparation.us, 100) << "the matrix is there as CSR";
}

TEST(Bench, ARatioIsOfTheTurnsWhereThereWereSome) {
  RunRecord ours = record_of("ell", 20);
  const RunRecord library = record_of("cusparse_coo", 30);
  EXPECT_EQ(ratio_of(ours, library).value, 1.5);
  EXPECT_EQ(ratio_of(ours, library).low, 1.5);
  for (const auto& [id, value] : {std::pair{kInTurnRatio, 1.6}, {kInTurnLow, 1.55}, {kInTurnHigh, 1.7}})
    ours.details.push_back({id, id, {value, "1", Provenance::derived}});
  EXPECT_EQ(ratio_of(ours, library).value, 1.6);
  EXPECT_EQ(ratio_of(ours, library).low, 1.55);
  EXPECT_EQ(ratio_of(ours, library).high, 1.7);
}

// The next search begins with what is best of these.
TEST(Bench, WhatASearchCouldChoose) {
  const RunRecord own = record_of("csr_vector", 20), library = record_of("cusparse_coo", 30);
  const Choosable any{{&kernel_row("csr_vector"), &kernel_row("csr_even")}, Precision::f64};
  EXPECT_TRUE(any(own));
  EXPECT_FALSE(any(library)) << "none of ours";
  Choosable other = any;
  other.precision = Precision::f32;
  EXPECT_FALSE(other(own));
  other = any, other.state = CacheState::cold;
  EXPECT_FALSE(other(own));
  RunRecord modelled = own;
  modelled.provenance = Provenance::modelled;
  EXPECT_FALSE(any(modelled));
  RunRecord ranked = own;
  ranked.check.reset(), ranked.notes.push_back(std::string(not_checked_note) + "it was ranked");
  EXPECT_FALSE(any(ranked));
  RunRecord adds = own;
  adds.request.beta = 1;
  EXPECT_FALSE(any(adds)) << "another product";
  RunRecord overlaps = own;
  overlaps.request.kernel = "csr_even", overlaps.request.params = {{"overlap", 1}};
  EXPECT_TRUE(any(overlaps));
  Choosable waits = any;
  waits.in_order = true;
  EXPECT_FALSE(waits(overlaps));
  EXPECT_TRUE(waits(own));
  overlaps.request.params = {{"of an older version", 1}};
  EXPECT_FALSE(waits(overlaps));
}

TEST(Bench, FloorAndShareFollowFromTheCopy) {
  const BenchReport r = report();
  EXPECT_DOUBLE_EQ(floor_us(*r.rows[0].own, r.rows[0], r), 10);  // 40 MB at 4000 GB/s
  EXPECT_DOUBLE_EQ(share_of_copy(*r.rows[0].own, r), 0.5);
  BenchReport unknown = r;
  unknown.copy.reset();
  EXPECT_EQ(floor_us(*r.rows[0].own, r.rows[0], unknown), 0);
}

TEST(Bench, FloorIsOfL2WhereMuchIsGatheredThere) {
  BenchReport r = report();
  BenchRow& row = r.rows[0];
  r.l2 = L2Bandwidth{8000, 5000, 16e6, 132};
  EXPECT_DOUBLE_EQ(floor_us(*row.own, row, r), 10) << "nothing is gathered";
  row.cols = 1'000'000;  // 4 MB of x in f32
  row.gathered_bytes = 20e6;
  EXPECT_DOUBLE_EQ(floor_us(*row.own, row, r), 10) << "36 MB read and 20 MB gathered take 8.5 us";
  row.gathered_bytes = 100e6;
  EXPECT_DOUBLE_EQ(floor_us(*row.own, row, r), 36e6 / 8000e3 + 100e6 / 5000e3);
  EXPECT_DOUBLE_EQ(share_of_copy(*row.own, r), 0.5) << "of DRAM alone";
  BenchSide striped = *row.own;
  striped.params["x_kib"] = 64;
  EXPECT_DOUBLE_EQ(floor_us(striped, row, r), 10) << "read side by side";
  const auto json = nlohmann::json::parse(to_json(r));
  EXPECT_EQ(json["l2_gather"]["value"], 5000);
  EXPECT_EQ(json["rows"][0]["gathered_bytes"]["value"], 100e6);
  EXPECT_FALSE(json["rows"][1].contains("gathered_bytes"));
}

TEST(Bench, InOrderIsOfProductsThatWait) {
  BenchReport r = report();
  BenchRow& row = r.rows[0];
  EXPECT_EQ(in_order_ratio(row), 2.0) << "ours waits anyway";
  row.own->params["overlap"] = 1;
  EXPECT_EQ(in_order_ratio(row), std::nullopt);
  row.in_order = side("csr_vector", 25);
  row.ratio_in_order = {1.6, 1.5, 1.7};
  EXPECT_EQ(in_order_ratio(row), 1.6);
  EXPECT_EQ(in_order_ratio(r.rows[2]), std::nullopt) << "the library alone";
}

TEST(Bench, PreparationIsInProductsOfTheBestCsrKernel) {
  BenchReport r = report();
  BenchRow& row = r.rows[0];
  const auto told = [&] { return nlohmann::json::parse(to_json(r))["rows"][0]["own"]; };
  row.own->preparation = {.reason = "nobody knows"};
  EXPECT_EQ(prepared_products(*row.own, row), std::nullopt);
  EXPECT_EQ(told()["prepared"]["unavailable"], "nobody knows") << "never 0";
  row.own->preparation = {.us = 500};
  EXPECT_EQ(told()["prepared_products"]["unavailable"], "no kernel of ours that reads CSR was timed");
  row.csr = side("csr_vector", 25);
  EXPECT_EQ(prepared_products(*row.own, row), 20) << "of 25 us each";
  EXPECT_EQ(told()["prepared_products"]["value"], 20);
  EXPECT_EQ(nlohmann::json::parse(to_json(r))["rows"][0]["csr"]["kernel"], "csr_vector");
}

TEST(Bench, TheFasterOfTwoInTurnIsOurs) {
  BenchReport r = report();
  BenchRow& row = r.rows[0];
  row.own->params["overlap"] = 1;  // 20 us
  row.in_order = side("csr_vector", 25);
  row.ratio_in_order = {1.6, 1.5, 1.7};
  overlap_where_it_wins(row);
  EXPECT_EQ(row.own->us, 20) << "it overlaps, and wins";
  EXPECT_TRUE(row.in_order);
  row.in_order->us = 18;
  row.ratio_in_order = {2.2, 2.1, 2.3};
  overlap_where_it_wins(row);
  EXPECT_EQ(row.own->us, 18);
  EXPECT_EQ(row.ratio.value, 2.2);
  EXPECT_FALSE(row.in_order);
  EXPECT_EQ(in_order_ratio(row), 2.2) << "ours waits anyway";
}

TEST(Bench, AStoredTransposeIsToldWithWhatItCosts) {
  BenchReport r = report();
  BenchRow& row = r.rows[0];
  EXPECT_EQ(stored_line(row), "") << "none was timed";
  EXPECT_FALSE(nlohmann::json::parse(to_json(r)).at("rows")[0].contains("stored_transpose"));
  row.own->preparation.us = 500;  // of 20 us a product
  row.stored = side("csc_transposed", 15);
  row.stored->preparation.us = 1501;
  EXPECT_DOUBLE_EQ(pays_off_after(*row.stored, *row.own).value(), 200.2);
  EXPECT_NE(stored_line(row).find("15.00 us (csc_transposed), 1.33 times as fast, prepared in 1501 us; pays off after "
                                  "201 products"),
            std::string::npos)
      << stored_line(row);
  const auto j = nlohmann::json::parse(to_json(r)).at("rows")[0].at("stored_transpose");
  EXPECT_EQ(j.at("kernel"), "csc_transposed");
  EXPECT_DOUBLE_EQ(j.at("pays_off_after").at("value"), 200.2);
  row.stored->preparation.us = 100;
  EXPECT_EQ(pays_off_after(*row.stored, *row.own), 0.0) << "it is sooner there";
  row.stored->us = 25;
  EXPECT_EQ(pays_off_after(*row.stored, *row.own), std::nullopt);
  EXPECT_NE(stored_line(row).find("never pays off"), std::string::npos);
}

TEST(Bench, TrialsStandInTheReportWhereTheyWereAskedFor) {
  BenchReport r = report();
  EXPECT_FALSE(nlohmann::json::parse(to_json(r)).at("rows")[0].contains("trials"));
  r.rows[0].trials = {{"csr_even", {{"items", 4}}, {}, 41.5, 23.5}};
  const auto j = nlohmann::json::parse(to_json(r)).at("rows")[0].at("trials");
  ASSERT_EQ(j.size(), 1u);
  EXPECT_EQ(j[0].at("kernel"), "csr_even");
  EXPECT_EQ(j[0].at("params").at("items"), 4);
  EXPECT_EQ(j[0].at("time").at("value"), 41.5);
  EXPECT_EQ(j[0].at("spent").at("unit"), "ms");
}

// A compact format is tried where it takes fewer bytes than the one it stands for, with the same parameters.
TEST(Bench, CompactFormatsGainWhereTheyAreSmaller) {
  const auto gains = [](const char* generator, const char* id) {
    Progress progress;
    const Matrix m = generate(generator, progress);
    const FormatInfo& info = format_row(id).info;
    return compact_gains(info, checked_params(info.params, {}), [&](const std::string& format, const ParamSet& p) {
      return static_cast<double>(format_row(format).estimate(*m.csr, Precision::f32, p).bytes());
    });
  };
  EXPECT_TRUE(gains("laplace5?nx=300&ny=300", "csr_compact")) << "two values";
  EXPECT_TRUE(gains("random?rows=2000&cols=60000&per_row=20", "csr_compact")) << "columns in 16 bits";
  EXPECT_FALSE(gains("random?rows=2000&cols=70000&per_row=20", "csr_compact"));
  for (const FormatRow& row : formats()) {
    EXPECT_EQ(row.info.compact(), !row.info.compact_of.empty());
    if (row.info.compact()) {
      EXPECT_FALSE(format_row(row.info.compact_of).info.compact()) << row.info.id;
    }
  }
}

// Blocks of a symmetric matrix are square: they are held against square ones.
TEST(Bench, ACompactFormatIsHeldAgainstThePlainOneOfItsParameters) {
  const ParamSet square{{"block_rows", 3}, {"block_cols", 3}};
  EXPECT_EQ(plain_params(format_row("bsr_symmetric").info, {{"block_rows", 3}}), square);
  const ParamSet window{{"sort_window", 256}};
  EXPECT_EQ(plain_params(format_row("sell16").info, window), window);
}

TEST(Bench, TheTableHasALineForEachWithItsNumbers) {
  const BenchReport r = report();
  const std::string line = table_line(r.rows[0], r), alone = table_line(r.rows[2], r);
  for (const char* word : {"f32", "warm", "20.00", "40.00", "10.00", "2.000", "1.800..2.200", "50 %", "csr_vector",
                           "cusparse_csr_alg1", "coop=8", "..."})
    EXPECT_NE(line.find(word), std::string::npos) << word << " not in " << line;
  EXPECT_NE(alone.find("A^T"), std::string::npos);
  EXPECT_NE(alone.find("7.00"), std::string::npos);
  // Columns stand below their heads.
  EXPECT_EQ(table_head().find("own kernel"), line.find("csr_vector"));
}

TEST(Bench, TheSummaryCountsWhatHasBothSides) {
  EXPECT_EQ(summary(report()),
            "product, f32, warm: geometric mean 1.000 over 2 matrices, least 0.500, 1 of them below 0.98\n");
  EXPECT_EQ(summary({}).rfind("no matrix", 0), 0u);
}

TEST(Bench, JsonHoldsEverythingWithUnits) {
  const auto j = nlohmann::json::parse(to_json(report()));
  EXPECT_EQ(j.at("in_order"), false);
  EXPECT_EQ(j.at("compact"), true);
  EXPECT_EQ(j.at("copy_bandwidth").at("unit"), "GB/s");
  ASSERT_EQ(j.at("rows").size(), 3u);
  const auto& row = j.at("rows")[0];
  EXPECT_EQ(row.at("ratio").at("value"), 2.0);
  EXPECT_EQ(row.at("ratio").at("q1"), 1.8);
  EXPECT_EQ(row.at("own").at("params").at("coop"), 8);
  EXPECT_EQ(row.at("own").at("time_us"), 20.0);
  EXPECT_EQ(row.at("own").at("quantities").at("time").at("provenance"), "measured");
  EXPECT_EQ(row.at("own").at("floor").at("value"), 10.0);
  EXPECT_EQ(row.at("own").at("floor").at("unit"), "us");
  const auto& alone = j.at("rows")[2];
  EXPECT_TRUE(alone.at("own").is_null() && alone.at("ratio").is_null());
  EXPECT_EQ(alone.at("operation"), "transposed product");
  EXPECT_EQ(alone.at("notes")[0], "csr_naive: no room");
}

}  // namespace
}  // namespace warpspy
