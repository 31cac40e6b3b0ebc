// A sweep as data: which cells, in what order, and what becomes of each; and its file.
#include "core/run/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/run/sweep_axes.hpp"

namespace warpspy {
namespace {

Catalog catalog() {
  Catalog c;
  c.formats = {{"csr", "CSR", "", "", {}},
               {"ell", "ELL", "", "", {{"alignment", "Alignment", "", ParamSpec::Type::integer, 1, 512, 32}}}};
  const ParamSpec block = {"block", "Block", "", ParamSpec::Type::power_of_two, 32, 1024, 128};
  c.kernels = {{"csr_scalar", "CSR scalar", "", "", "csr", {block}},
               {"ell", "ELL", "", "", "ell", {}},
               {"csr_vector",
                "CSR vector",
                "",
                "",
                "csr",
                {{"coop", "Threads per row", "", ParamSpec::Type::power_of_two, 1, 32, 8}, block}}};
  c.devices = {{"sim:toy", "Toy", true, true, "", "", {}}, {"cuda:0", "CUDA", false, false, "no driver", "", {}}};
  return c;
}

SweepPlan plan() {
  SweepPlan p;
  p.matrices = {{"a.mtx", "a"}, {"b.mtx", "b"}};
  p.kernels = {"csr_scalar", "ell", "csr_vector"};
  p.options = {{"precision", {"f32"}}, {"device", {"sim:toy"}}};
  return p;
}

const auto every = [](const std::string&) { return true; };

RunRecord record(RunStatus status, std::uint64_t id = 7) {
  RunRecord r;
  r.id = id;
  r.status = status;
  if (status == RunStatus::failed) r.error = "out of memory";
  return r;
}

TEST(Sweep, GoesMatrixByMatrixAndKeepsAFormatTogether) {
  const Sweep b(plan(), catalog());
  std::vector<std::string> order;
  for (const SweepCell& c : b.cells()) order.push_back(c.matrix_name + " " + c.request.kernel);
  EXPECT_EQ(order, (std::vector<std::string>{"a csr_scalar", "a csr_vector", "a ell", "b csr_scalar", "b csr_vector",
                                             "b ell"}));
}

TEST(Sweep, EveryCombinationIsOneCellKnownByItsInputs) {
  SweepPlan p = plan();
  p.options[0].values = {"f32", "f64"};
  p.kernels.push_back("ell");  // twice
  p.matrices.push_back({"a.mtx", "again"});
  const Sweep b(p, catalog());
  EXPECT_EQ(b.cells().size(), 2u * 3 * 2);
  std::set<std::string> keys;
  for (const SweepCell& c : b.cells()) keys.insert(c.request.matrix + c.key);
  EXPECT_EQ(keys.size(), b.cells().size());
}

TEST(Sweep, TimingIsNoInput) {
  RunRequest a, b;
  b.budget_s = 30;
  b.live = true;
  EXPECT_EQ(key_of(a), key_of(b));
  b.params["coop"] = 4;
  EXPECT_NE(key_of(a), key_of(b));
}

TEST(Sweep, AParameterTurnsWhereItIsAndMultipliesNothingElse) {
  SweepPlan p = plan();
  p.matrices.pop_back();
  p.params = {{"coop", {"2:16"}}, {"csr_vector.block", {"64", "128"}}, {"alignment", {"16", "32", "32"}}};
  const Sweep b(p, catalog());
  std::map<std::string, int> count;
  for (const SweepCell& c : b.cells()) ++count[c.request.kernel];
  EXPECT_EQ(count["csr_scalar"], 1);
  EXPECT_EQ(count["csr_vector"], 4 * 2);
  EXPECT_EQ(count["ell"], 2) << "equal ones are one";
  for (const SweepCell& c : b.cells())
    if (c.request.kernel == "csr_scalar") {
      EXPECT_EQ(c.request.params.at("block"), 128) << "defaults are filled in";
    }
}

TEST(Sweep, ACellTellsWhatWasTurned) {
  SweepPlan p = plan();
  p.matrices.pop_back();
  p.options = {
      {"precision", {"f32", "f64"}}, {"device", {"sim:toy"}}, {"caches", {"warm", "cold"}}, {"depth", {"quick"}}};
  p.params = {{"coop", {"2:16"}}, {"csr_vector.block", {"64"}}};
  const Sweep b(p, catalog());
  std::set<std::string> told;
  for (const SweepCell& c : b.cells()) {
    std::string text = c.request.kernel;
    for (const Turned& t : turned_in(p, c, catalog())) text += " " + t.id + "=" + t.text;
    told.insert(text);
  }
  EXPECT_TRUE(told.contains("csr_vector coop=16 caches=cold"));
  EXPECT_TRUE(told.contains("csr_scalar caches=warm")) << "what it does not have is not told";
  EXPECT_EQ(told.size(), 4u * 2 + 2 * 2) << "one value is not turned, and precision has a column of its own";
}

TEST(Sweep, ADefaultLeftOutIsTheSameProduct) {
  SweepPlan p = plan(), q = plan();
  q.params = {{"coop", {"8"}}};
  const Sweep a(p, catalog()), b(q, catalog());
  for (std::size_t k = 0; k < a.cells().size(); ++k) EXPECT_EQ(a.cells()[k].key, b.cells()[k].key);
}

TEST(Sweep, TheOrderOfListsIsNoInput) {
  SweepPlan p = plan();
  p.options = {{"precision", {"f32", "f64"}}, {"device", {"sim:toy"}}, {"caches", {"warm", "cold"}}};
  p.params = {{"coop", {"2", "4"}}, {"block", {"64", "128"}}};
  p.repetitions = 2;
  SweepPlan q = p;
  std::reverse(q.options.begin(), q.options.end());
  std::reverse(q.params.begin(), q.params.end());
  std::reverse(q.kernels.begin(), q.kernels.end());
  std::reverse(q.matrices.begin(), q.matrices.end());
  const auto keys = [](const Sweep& s) {
    std::set<std::string> all;
    for (const SweepCell& c : s.cells()) all.insert(c.request.matrix + " " + c.key);
    return all;
  };
  const Sweep a(p, catalog()), b(q, catalog());
  EXPECT_EQ(keys(a), keys(b));
  EXPECT_EQ(keys(a).size(), a.cells().size());
  EXPECT_EQ(a.cells().size(), 2u * 2 * 2 * 2 * (2 + 4 + 1));
}

TEST(Sweep, WhatCannotRunIsSkippedAndSaysWhy) {
  SweepPlan p = plan();
  p.options[1].values = {"sim:toy", "cuda:0", "sim:none"};
  p.kernels.push_back("nothing");
  const Sweep b(p, catalog());
  EXPECT_EQ(b.counts().waiting, 6u);
  EXPECT_EQ(b.counts().skipped, b.cells().size() - 6);
  for (const SweepCell& c : b.cells()) EXPECT_EQ(c.state == CellState::skipped, !c.reason.empty());
}

TEST(Sweep, AValueOutOfRangeIsSkippedAndSaysWhy) {
  SweepPlan p = plan();
  p.params = {{"coop", {"4", "3", "64"}}};
  const Sweep b(p, catalog());
  std::size_t skipped = 0;
  for (const SweepCell& c : b.cells())
    if (c.state == CellState::skipped) {
      ++skipped;
      EXPECT_NE(c.reason.find("coop"), std::string::npos) << c.reason;
    }
  EXPECT_EQ(skipped, 2u * 2);
}

TEST(Sweep, RangesAreWrittenInThreeWays) {
  const ParamSpec power = {"coop", "", "", ParamSpec::Type::power_of_two, 1, 32, 8};
  const ParamSpec whole = {"k", "", "", ParamSpec::Type::integer, 0, 100, 1};
  const ParamSpec real = {"t", "", "", ParamSpec::Type::real, 0, 1, 0.5};
  const ParamSpec warps = {"block_size", "", "", ParamSpec::Type::multiple, 32, 1024, 128};
  using Values = std::vector<double>;
  EXPECT_EQ(range_values(warps, "64:192"), (Values{64, 96, 128, 160, 192}));
  EXPECT_EQ(range_values(warps, "64:192:64"), (Values{64, 128, 192}));
  EXPECT_EQ(range_values(power, "2:16"), (Values{2, 4, 8, 16}));
  EXPECT_EQ(range_values(whole, "3:5"), (Values{3, 4, 5}));
  EXPECT_EQ(range_values(whole, "0:10:5"), (Values{0, 5, 10}));
  EXPECT_EQ(range_values(whole, "1:100:*10"), (Values{1, 10, 100}));
  EXPECT_EQ(range_values(real, "0:0.3:0.1").size(), 4u) << "rounding loses no end";
  EXPECT_EQ(range_values(power, "8"), (Values{8}));
  for (const char* wrong : {"2:", ":2", "2:1", "1:9:0", "1:9:-1", "1:9:*1", "0:9:*2", "a:b", "1:2:3:4", "1:1e9"})
    EXPECT_THROW(range_values(whole, wrong), Error) << wrong;
}

struct Wrong {
  const char* text;
  const char* says;
};
TEST(Sweep, AFileThatIsNoneSaysWhatAndWhere) {
  const Wrong cases[] = {
      {"", "no JSON"},
      {"{\n\"matrices\": [\"a\"\n\"b\"]}", "line 3"},
      {"[1]", "no JSON object"},
      {R"({"matrixes": ["a"]})", "unknown field \"matrixes\""},
      {R"({"matrices": []})", "no matrices"},
      {R"({"matrices": ["a"]})", "no kernels"},
      {R"({"matrices": ["a"], "kernels": []})", "empty list"},
      {R"({"matrices": ["a"], "kernels": ["csr_vecto"]})", "csr_vecto"},
      {R"({"matrices": ["a"], "formats": ["csx"]})", "unknown format csx"},
      {R"({"matrices": ["a"], "kernels": ["ell"], "params": {"coop": 4}})", "coop"},
      {R"({"matrices": ["a"], "kernels": ["ell"], "params": [4]})", "no object"},
      {R"({"matrices": ["a"], "kernels": ["ell"], "precision": "f16"})", "f16"},
      {R"({"matrices": ["a"], "kernels": ["ell"], "repetitions": 0})", "repetition"},
      {R"({"matrices": ["a"], "kernels": ["ell"], "repetitions": 1.5})", "whole number"},
      {R"({"matrices": ["a"], "kernels": [{}]})", "neither a text nor a number"},
      {R"({"matrices": ["a"], "kernels": ["ell"], "repetitions": 200000})", "products; at most"},
      {R"({"warpspy_sweep": 2, "matrices": ["a"]})", "newer"},
  };
  for (const Wrong& w : cases) {
    try {
      check(sweep_plan_from_json(w.text, "study.json"), catalog());
      ADD_FAILURE() << "accepted: " << w.text;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(w.says), std::string::npos) << w.text << "\n" << e.what();
    }
  }
}

TEST(Sweep, AFileReadsBackAsItWasWritten) {
  SweepPlan p = plan();
  p.formats = {"csr"};
  p.params = {{"coop", {"2:16", "1"}}};
  p.repetitions = 3;
  EXPECT_EQ(sweep_plan_from_json(to_json(p)), p);
  const SweepPlan one = sweep_plan_from_json(R"({"matrices": "a.mtx", "kernels": "ell", "seed": 7, "depth": "quick"})");
  EXPECT_EQ(one.matrices, (std::vector<SweepPlan::Of>{{"a.mtx", ""}}));
  const std::vector<SweepPlan::Axis> options = {{"seed", {"7"}}, {"depth", {"quick"}}};
  EXPECT_EQ(one.options, options);
}

TEST(Sweep, AFormatIsAllOfItsKernels) {
  SweepPlan p = plan();
  p.kernels.clear();
  p.formats = {"csr"};
  EXPECT_EQ(kernels_of(p, catalog()), (std::vector<std::string>{"csr_scalar", "csr_vector"}));
}

TEST(Sweep, AFailureEndsNothingButItsCell) {
  Sweep b(plan(), catalog());
  b.begin(0);
  EXPECT_EQ(b.counts().running, 1u);
  b.finish(0, record(RunStatus::failed), 2);
  EXPECT_EQ(b.cells()[0].state, CellState::failed);
  EXPECT_EQ(b.cells()[0].reason, "out of memory");
  EXPECT_EQ(b.next(every), 1u);
  b.begin(1);
  b.finish(1, record(RunStatus::ok), 4);
  EXPECT_EQ(b.cells()[1].run, 7u);
  EXPECT_DOUBLE_EQ(b.eta_s().value(), 4 * 3.0);
  EXPECT_EQ(b.retry(), 1u);
  EXPECT_EQ(b.next(every), 0u);
}

TEST(Sweep, AWrongResultIsAFailure) {
  Sweep b(plan(), catalog());
  RunRecord r = record(RunStatus::ok);
  r.check = ErrorCheck{};
  b.finish(0, r, 1);
  EXPECT_EQ(b.cells()[0].state, CellState::failed);
  EXPECT_EQ(b.cells()[0].reason, "the result is wrong");
}

TEST(Sweep, ACancelledCellWaitsAgain) {
  Sweep b(plan(), catalog());
  b.begin(0);
  b.finish(0, record(RunStatus::cancelled), 0.1);
  EXPECT_EQ(b.cells()[0].state, CellState::waiting);
  EXPECT_EQ(b.cells()[0].run, 0u);
  EXPECT_EQ(b.next(every), 0u);
}

TEST(Sweep, TakesTheFirstWhoseMatrixIsReady) {
  const Sweep b(plan(), catalog());
  EXPECT_EQ(b.next([](const std::string& source) { return source == "b.mtx"; }), 3u);
  EXPECT_EQ(b.next([](const std::string&) { return false; }), std::nullopt);
  EXPECT_EQ(b.eta_s(), std::nullopt);
}

TEST(Sweep, RunsKeepTheirCellWhenTheyAreNumberedAnew) {
  Sweep b(plan(), catalog());
  b.finish(2, record(RunStatus::ok, 9), 1);
  b.renumber(9, 11);
  EXPECT_EQ(b.cells()[2].run, 11u);
}

TEST(Sweep, GoesOnElsewhereAsItWasKept) {
  Sweep b(plan(), catalog());
  b.begin(0), b.finish(0, record(RunStatus::ok, 17), 2);
  b.begin(1), b.finish(1, record(RunStatus::failed), 1);
  b.skip(2, "its matrix was closed");
  b.begin(3);
  SavedSweep saved = b.saved();
  EXPECT_EQ(saved.outcomes.size(), 3u) << "what runs has not ended";
  saved.outcomes.push_back({"gone.mtx", b.cells()[0].key, CellState::done, "", 9, 1});
  saved = saved_sweep_from_json(to_json(saved));
  const Sweep again(saved, catalog());
  ASSERT_EQ(again.cells().size(), b.cells().size());
  EXPECT_EQ(again.cells()[0].run, 17u);
  EXPECT_EQ(again.cells()[1].reason, "out of memory");
  EXPECT_EQ(again.cells()[2].state, CellState::skipped);
  EXPECT_EQ(again.cells()[3].state, CellState::waiting);
  EXPECT_EQ(again.next(every), 3u);
  EXPECT_EQ(again.cells()[3].key, b.cells()[3].key);
}

TEST(Sweep, OnAMachineWithoutItsDeviceWhatIsLeftIsSkipped) {
  Sweep b(plan(), catalog());
  b.begin(0), b.finish(0, record(RunStatus::ok, 17), 2);
  Catalog other = catalog();
  other.devices.clear();
  const Sweep again(b.saved(), other);
  EXPECT_EQ(again.counts().left(), 0u);
  EXPECT_EQ(again.cells()[1].reason, "there is no device sim:toy");
}

}  // namespace
}  // namespace warpspy
