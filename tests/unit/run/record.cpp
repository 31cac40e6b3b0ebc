#include "core/run/record.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/run/check_words.hpp"
#include "core/run/store.hpp"

namespace warpspy {
namespace {

RunRecord full_record() {
  RunRecord r;
  r.id = 7;
  r.started = "2026-11-20T10:00:00Z";
  r.request.matrix = "a \"quoted\" name, with commas\n.mtx";
  r.request.kernel = "csr_vector";
  r.request.params = {{"coop", 8}, {"block", 128}};
  r.request.format_params = {{"rows", 32}};
  r.request.precision = Precision::f64;
  r.request.view = RealView::modulus;
  r.request.device = "auto";
  r.request.budget_s = 0.05;
  r.request.seed = 18446744073709551615ull;
  r.status = RunStatus::ok;
  r.matrix_name = "west0479";
  r.rows = r.cols = 479;
  r.nnz = 1910;
  r.fingerprint = "00c0ffee00c0ffee";
  r.plan = "sweep", r.purpose = Purpose::final;
  r.kernel_label = "CSR, threads per row";
  r.format = "csr";
  r.device = "sim:h200";
  r.device_name = "NVIDIA H200 SXM";
  r.provenance = Provenance::modelled;
  r.time = {12.25, "us", Provenance::modelled};
  r.time_how = "model: max(...)";
  r.gflops = {0.3118, "GFLOP/s", Provenance::modelled};
  r.minimum_bytes = {22852, "B", Provenance::modelled};
  r.request.cache_state = CacheState::cold;
  r.request.counters = "full";
  r.request.lines = true;
  r.traffic_source = TrafficSource::counters;
  r.details = {{"spread", "Spread", {0.75, "%", Provenance::measured}},
               {"setup", "Setup", {12, "us", Provenance::measured}}};
  r.sampled_share = 0.25;
  r.check = ErrorCheck{1e-7, 0.125, 479, 12, true};
  Counter known;
  known.id = "dram_bytes";
  known.value = 23040.0;
  known.unit = "B";
  Counter missing;
  missing.id = "l2_hit_rate";
  missing.unit = "%";
  missing.reason = "no L2, really";
  missing.remedy = "choose another GPU";
  r.counters = {known, missing};
  r.arrays = {{"x", 10, 40, 1280, 32, Provenance::modelled, 320}};
  r.lines = {{"csr_vector.hpp:41", 10, 320, 1280, 31.5, Provenance::measured}};
  r.lines[0].arrays = {"values", "x"};
  r.source = "1f";
  r.code = "2e";
  r.lines_reason = "some lines are missing";
  r.notes = {"one", "two"};
  return r;
}

TEST(Record, GoesThroughJsonUnchanged) {
  const RunRecord r = full_record();
  const std::string text = to_json(r);
  const RunRecord back = record_from_json(text);
  EXPECT_EQ(to_json(back), text);
  EXPECT_EQ(back.request, r.request);
  EXPECT_EQ(back.fingerprint, r.fingerprint);
  EXPECT_EQ(back.plan, "sweep");
  EXPECT_EQ(back.purpose, Purpose::final);
  EXPECT_EQ(back.traffic_source, TrafficSource::counters);
  EXPECT_EQ(back.check->worst_row, 12);
  EXPECT_EQ(back.counters[0].value, 23040.0);
  EXPECT_EQ(back.counters[1].value, std::nullopt);
  EXPECT_EQ(back.counters[1].reason, "no L2, really");
  EXPECT_EQ(back.lines[0].active_lanes, 31.5);
  EXPECT_EQ(back.lines[0].provenance, Provenance::measured);
  EXPECT_EQ(back.arrays[0].provenance, Provenance::modelled);
  EXPECT_EQ(back.arrays[0].bytes_padding, 320);
  EXPECT_EQ(back.lines_reason, "some lines are missing");
  EXPECT_EQ(back.lines[0].arrays, r.lines[0].arrays);
  EXPECT_EQ(back.source, "1f");
  EXPECT_EQ(back.code, "2e");
  EXPECT_EQ(back.notes, r.notes);
  ASSERT_EQ(back.details.size(), 2u);
  EXPECT_EQ(back.details[0].label, "Spread");
  EXPECT_EQ(back.detail("setup")->value, 12);
  EXPECT_EQ(back.detail("colour"), nullptr);
  EXPECT_EQ(back.time.value, 12.25);
}

TEST(Record, PartsGoThroughJson) {
  RunRecord r = full_record();
  EXPECT_EQ(to_json(r).find("parts"), std::string::npos) << "one GPU has none";
  EXPECT_EQ(to_json(r).find("split"), std::string::npos);
  r.request.parts = 2;
  r.request.split = Split::metis;
  r.parts = {{10, 50, 3, 4, 5, 1, 1, 2.5, 3.5, 1, 0.5, 4}, {9, 40, 2, 5, 4, 1, 1, 2, 3, 1, 0.25, 3.25}};
  const RunRecord back = record_from_json(to_json(r));
  EXPECT_EQ(back.parts, r.parts);
  EXPECT_EQ(back.request, r.request);
}

TEST(Record, NewtonsStepsGoThroughJson) {
  RunRecord r = full_record();
  EXPECT_EQ(to_json(r).find("newton"), std::string::npos) << "a product has none";
  r.request.solver = Solver::gmres;
  r.request.newton_steps = 7;
  r.request.newton_tolerance = 1e-6;
  r.newton = NewtonResult{SolveEnd::stagnated,
                          "no step helps",
                          {{0.5, 12, 1e-9, 1, 100, 20, 300, 200}, {0.25, 13, 1e-8, 0.5, 101, 21, 310, 210}},
                          0.125};
  for (const Provenance from : {Provenance::measured, Provenance::modelled}) {
    r.provenance = from;
    const std::string text = to_json(r);
    const RunRecord back = record_from_json(text);
    EXPECT_EQ(back.newton, r.newton);
    EXPECT_EQ(back.request, r.request);
    EXPECT_EQ(to_json(back), text);
  }
}

// What differs from run to run stands in `machine` alone.
TEST(Record, TimesOfThisMachineStandApartInNewtonsSteps) {
  RunRecord r = full_record();
  r.provenance = Provenance::modelled;
  r.newton = NewtonResult{SolveEnd::converged, "F is small", {{0.5, 12, 1e-9, 1, 100, 20, 300, 200}}, 0.125};
  const auto but_for_machine = [](const RunRecord& record) {
    nlohmann::json j = nlohmann::json::parse(to_json(record));
    EXPECT_EQ(j.at("machine").at("newton_steps").size(), 1u);
    j.erase("machine");
    return j.dump();
  };
  RunRecord other = r;
  other.newton->steps[0].assembly_us = 101, other.newton->steps[0].preparation_us = 21;
  EXPECT_EQ(but_for_machine(other), but_for_machine(r));
  other.newton->steps[0].solve_us = 301;
  EXPECT_NE(but_for_machine(other), but_for_machine(r));
  r.newton->steps.push_back({0.25, 13, 1e-8, 0.5, 101, 21, 310, 210});
  nlohmann::json j = nlohmann::json::parse(to_json(r));
  j["machine"]["newton_steps"].erase(1);
  EXPECT_THROW(record_from_json(j.dump()), Error) << "a step without its times";
}

TEST(Record, JsonHasWhatScriptsReadAtTheTop) {
  const std::string text = to_json(full_record());
  for (const char* line :
       {"\"time_us\": 12.25", "\"gflops\": 0.3118", "\"bytes\": 22852,", "\"kernel\": \"csr_vector\"",
        "\"provenance\": \"modelled\"", "\"unavailable\": \"no L2, really\"", "\"coop\": 8"})
    EXPECT_NE(text.find(line), std::string::npos) << line << " not in\n" << text;
}

TEST(Record, NumbersThatJsonLacksSurvive) {
  RunRecord r = full_record();
  r.check->max_abs = std::numeric_limits<double>::infinity();
  r.gflops.value = std::nan("");
  r.counters[0].value = -std::numeric_limits<double>::infinity();
  const RunRecord back = record_from_json(to_json(r));
  EXPECT_EQ(back.check->max_abs, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(back.gflops.value));
  EXPECT_EQ(back.counters[0].value, -std::numeric_limits<double>::infinity());
}

// Passed, wrong, or not checked and why: in words, in JSON, and back.
// As versions before 0.2 wrote it.
TEST(Record, ACheckOfNoRowIsNone) {
  RunRecord r = full_record();
  r.check = ErrorCheck{1e-7, 0.5, 10, 4, true};
  std::string json = to_json(r);
  const std::string rows = "\"rows_checked\": 10";
  ASSERT_NE(json.find(rows), std::string::npos) << json;
  json.replace(json.find(rows), rows.size(), "\"rows_checked\": 0");
  const RunRecord back = record_from_json(json);
  EXPECT_FALSE(back.check);
  EXPECT_EQ(to_json(record_from_json(to_json(back))), to_json(back));
}

TEST(Record, ACheckHasThreeAnswers) {
  struct Case {
    std::optional<ErrorCheck> check;
    std::vector<std::string> notes;
    double share;
    const char *text, *json;
  };
  const Case cases[] = {
      {ErrorCheck{0, 0.5, 10, 3, true}, {}, 1, "correct", "\"passed\": true"},
      {ErrorCheck{1, 2, 10, 3, false}, {}, 1, "WRONG", "\"passed\": false"},
      {ErrorCheck{0, 0, 0, -1, true, 7},
       {},
       1,
       "not checked, because its sums hold infinities or NaN, or may be beyond f32",
       "\"passed\": null"},
      {{}, {"a", "not checked: no product is computed"}, 1, "not checked, because no product is computed", "null"},
      {{}, {}, 0.5, "not checked, because no row is complete in the blocks that ran", "\"passed\": null"}};
  for (const Case& c : cases) {
    RunRecord r = full_record();
    r.request.precision = Precision::f32;
    r.check = c.check, r.notes = c.notes, r.sampled_share = c.share;
    EXPECT_EQ(check_text(r), c.text);
    const std::string json = to_json(r);
    EXPECT_NE(json.find(c.json), std::string::npos) << json;
    EXPECT_EQ(json.find("not_checked") != std::string::npos, check_text(r).starts_with("not checked"));
    const RunRecord back = record_from_json(json);
    EXPECT_EQ(back.check.has_value(), c.check.has_value()) << c.text;
    EXPECT_EQ(check_text(back), c.text);
    const bool in_csv = to_csv({r}).find("not checked: ") != std::string::npos;
    EXPECT_EQ(in_csv, check_text(r).starts_with("not checked"));
    EXPECT_EQ(to_json(back), json);
  }
}

TEST(Record, FailedRunKeepsItsReasonAndClaimsNoTime) {
  RunRecord r;
  r.error = "unknown kernel \xff";  // not UTF-8
  const std::string text = to_json(r);
  EXPECT_EQ(text.find("time_us"), std::string::npos);
  const RunRecord back = record_from_json(text);
  EXPECT_EQ(back.status, RunStatus::failed);
  EXPECT_EQ(back.error.rfind("unknown kernel", 0), 0u);
  EXPECT_FALSE(back.check.has_value());
}

TEST(Record, RefusesWholeNumbersThatAreNone) {
  RunRecord r = full_record();
  r.request.seed = 77177;
  const std::string text = to_json(r);
  ASSERT_NE(text.find("77177"), std::string::npos);
  for (const char* wrong : {"1e23", "18446744073709551616", "7.5", "-1", "\"7\""}) {
    std::string other = text;
    other.replace(other.find("77177"), 5, wrong);
    EXPECT_THROW(record_from_json(other), Error) << wrong;
  }
  std::string largest = text;
  largest.replace(largest.find("77177"), 5, "18446744073709551615");
  EXPECT_EQ(record_from_json(largest).request.seed, UINT64_MAX);
}

TEST(Record, RefusesWhatIsNoListInThePlaceOfOne) {
  const nlohmann::json whole = nlohmann::json::parse(to_json(full_record()));
  int lists = 0;
  for (const auto& [name, value] : whole.items()) {
    if (!value.is_array()) continue;
    ++lists;
    for (const nlohmann::json& wrong : {nlohmann::json(), nlohmann::json(7), nlohmann::json("x")}) {
      nlohmann::json other = whole;
      other[name] = wrong;
      EXPECT_THROW(record_from_json(other.dump()), Error) << name << ": " << wrong;
    }
  }
  EXPECT_GT(lists, 2);
}

// What every run has is not taken for one of its details, which would be written in its place.
TEST(Record, RefusesADetailOfTheNameOfAQuantity) {
  for (const char* name : {"time", "gflops", "minimum_bytes"}) {
    RunRecord r = full_record();
    r.details = {{"special", "label", {1, "us", Provenance::measured}}};
    std::string text = to_json(r);
    text.replace(text.find("special"), 7, name);
    EXPECT_THROW(record_from_json(text), Error) << name;
  }
}

TEST(Record, RefusesOtherText) {
  for (const char* text : {"", "{", "[]", "{}", "42", "{\"id\": \"x\"}"}) {
    EXPECT_THROW(record_from_json(text), Error) << text;
    EXPECT_THROW(request_from_json(text), Error) << text;
  }
  std::string deep = to_json(full_record());
  const std::string brackets = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  deep.insert(1, "\"more\": " + brackets + ",");
  EXPECT_THROW(record_from_json(deep), Error) << "nested until the stack ends";
  EXPECT_THROW(request_from_json(brackets), Error);
  std::string text = to_json(full_record());
  text.replace(text.find("\"ok\""), 4, "\"ko\"");
  try {
    record_from_json(text);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(e.remedy.find("cancelled"), std::string::npos) << e.what();
  }
}

RC_GTEST_PROP(Record, RequestsGoThroughJson, (std::uint64_t seed, double budget, bool f64)) {
  RunRequest r;
  r.seed = seed;
  r.budget_s = budget;
  r.precision = f64 ? Precision::f64 : Precision::f32;
  r.params["p"] = budget / 3;
  if (seed % 2) r.memory.host_bytes = seed;
  if (f64) r.memory.device_bytes = seed / 2;
  RC_ASSERT(request_from_json(to_json(r)) == r);
}

TEST(Record, CsvQuotesAndNamesWhatIsMissing) {
  RunRecord r = full_record();
  r.matrix_name = "a,\"b\"";
  RunRecord failed;
  failed.id = 8;
  failed.error = "no, it failed";
  const std::string csv = to_csv({r, failed});
  EXPECT_EQ(csv.substr(0, csv.find("\r\n")),
            "run,matrix,kernel,params,precision,caches,view,depth,device,quantity,value,unit,provenance,reason");
  EXPECT_NE(csv.find("7,\"a,\"\"b\"\"\",csr_vector,block=128 coop=8 "
                     "rows=32,f64,cold,modulus,full,sim:h200,time,12.25,us,modelled,\r\n"),
            std::string::npos)
      << csv;
  EXPECT_NE(csv.find("l2_hit_rate,,%,unavailable,\"no L2, really\"\r\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("status,failed,,,\"no, it failed\"\r\n"), std::string::npos) << csv;
}

TEST(Store, NumbersRunsAndForgetsOne) {
  RunStore store;
  const auto first = store.add({});
  const auto second = store.add({});
  EXPECT_EQ(first->id, 1u);
  EXPECT_EQ(second->id, 2u);
  store.remove(1);
  ASSERT_EQ(store.all().size(), 1u);
  EXPECT_EQ(store.all()[0]->id, 2u);
  EXPECT_EQ(store.add({})->id, 3u);  // a number is never given twice
  store.clear();
  EXPECT_TRUE(store.all().empty());
}

}  // namespace
}  // namespace warpspy
