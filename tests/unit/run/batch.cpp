// A batch as data: which cells, in what order, and what becomes of each.
#include "core/run/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace warpspy {
namespace {

Catalog catalog() {
  Catalog c;
  c.formats = {{"csr", "CSR", "", "", {}}, {"ell", "ELL", "", "", {}}};
  c.kernels = {{"csr_scalar", "CSR scalar", "", "", "csr", {}},
               {"ell", "ELL", "", "", "ell", {}},
               {"csr_vector", "CSR vector", "", "", "csr", {}}};
  c.devices = {{"sim:toy", "Toy", true, true, "", "", {}}, {"cuda:0", "CUDA", false, false, "no driver", "", {}}};
  return c;
}

BatchPlan plan() {
  BatchPlan p;
  p.matrices = {{"a.mtx", "a"}, {"b.mtx", "b"}};
  p.kernels = {"csr_scalar", "ell", "csr_vector"};
  p.precisions = {Precision::f32};
  p.devices = {"sim:toy"};
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

TEST(Batch, GoesMatrixByMatrixAndKeepsAFormatTogether) {
  const Batch b(plan(), catalog());
  std::vector<std::string> order;
  for (const BatchCell& c : b.cells()) order.push_back(c.matrix_name + " " + c.request.kernel);
  EXPECT_EQ(order, (std::vector<std::string>{"a csr_scalar", "a csr_vector", "a ell", "b csr_scalar", "b csr_vector",
                                             "b ell"}));
}

TEST(Batch, EveryCombinationIsOneCellKnownByItsInputs) {
  BatchPlan p = plan();
  p.precisions = {Precision::f32, Precision::f64};
  p.kernels.push_back("ell");  // twice
  p.matrices.push_back({"a.mtx", "again"});
  const Batch b(p, catalog());
  EXPECT_EQ(b.cells().size(), 2u * 3 * 2);
  std::set<std::string> keys;
  for (const BatchCell& c : b.cells()) keys.insert(key_of(c.request));
  EXPECT_EQ(keys.size(), b.cells().size());
}

TEST(Batch, TimingIsNoInput) {
  RunRequest a, b;
  b.budget_s = 30;
  b.live = true;
  EXPECT_EQ(key_of(a), key_of(b));
  b.params["coop"] = 4;
  EXPECT_NE(key_of(a), key_of(b));
}

TEST(Batch, ParametersGoToTheirKernelAndFormat) {
  BatchPlan p = plan();
  p.kernel_params["csr_vector"] = {{"coop", 4}};
  p.format_params["ell"] = {{"alignment", 64}};
  const Batch b(p, catalog());
  for (const BatchCell& c : b.cells()) {
    EXPECT_EQ(c.request.params.count("coop"), c.request.kernel == "csr_vector" ? 1u : 0u);
    EXPECT_EQ(c.request.format_params.count("alignment"), c.request.kernel == "ell" ? 1u : 0u);
  }
}

TEST(Batch, WhatCannotRunIsSkippedAndSaysWhy) {
  BatchPlan p = plan();
  p.devices = {"sim:toy", "cuda:0", "sim:none"};
  p.kernels.push_back("nothing");
  const Batch b(p, catalog());
  EXPECT_EQ(b.counts().waiting, 6u);
  EXPECT_EQ(b.counts().skipped, b.cells().size() - 6);
  for (const BatchCell& c : b.cells()) EXPECT_EQ(c.state == CellState::skipped, !c.reason.empty());
}

TEST(Batch, AFailureEndsNothingButItsCell) {
  Batch b(plan(), catalog());
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

TEST(Batch, AWrongResultIsAFailure) {
  Batch b(plan(), catalog());
  RunRecord r = record(RunStatus::ok);
  r.check = ErrorCheck{};
  b.finish(0, r, 1);
  EXPECT_EQ(b.cells()[0].state, CellState::failed);
  EXPECT_EQ(b.cells()[0].reason, "the result is wrong");
}

TEST(Batch, ACancelledCellWaitsAgain) {
  Batch b(plan(), catalog());
  b.begin(0);
  b.finish(0, record(RunStatus::cancelled), 0.1);
  EXPECT_EQ(b.cells()[0].state, CellState::waiting);
  EXPECT_EQ(b.cells()[0].run, 0u);
  EXPECT_EQ(b.next(every), 0u);
}

TEST(Batch, TakesTheFirstWhoseMatrixIsReady) {
  const Batch b(plan(), catalog());
  EXPECT_EQ(b.next([](const std::string& source) { return source == "b.mtx"; }), 3u);
  EXPECT_EQ(b.next([](const std::string&) { return false; }), std::nullopt);
  EXPECT_EQ(b.eta_s(), std::nullopt);
}

TEST(Batch, RunsKeepTheirCellWhenTheyAreNumberedAnew) {
  Batch b(plan(), catalog());
  b.finish(2, record(RunStatus::ok, 9), 1);
  b.renumber(9, 11);
  EXPECT_EQ(b.cells()[2].run, 11u);
}

TEST(Batch, WritesItsCells) {
  Batch b(plan(), catalog());
  b.fail(0, "closed, sadly");
  const std::string text = to_csv(b);
  EXPECT_NE(text.find("a,csr_scalar,f32,sim:toy,failed,\"closed, sadly\",,"), std::string::npos) << text;
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), b.cells().size() + 1);
}

TEST(Batch, GoesOnElsewhereAsItWasKept) {
  Batch b(plan(), catalog());
  b.begin(0), b.finish(0, record(RunStatus::ok, 17), 2);
  b.begin(1), b.finish(1, record(RunStatus::failed), 1);
  b.skip(2, "its matrix was closed");
  b.begin(3);
  KeptBatch kept = b.kept();
  EXPECT_EQ(kept.outcomes.size(), 3u) << "what runs has not ended";
  kept.outcomes.push_back({"gone.mtx", "ell", "sim:toy", Precision::f32, CellState::done, "", 9, 1});
  const Batch again(kept, catalog());
  ASSERT_EQ(again.cells().size(), b.cells().size());
  EXPECT_EQ(again.cells()[0].run, 17u);
  EXPECT_EQ(again.cells()[1].reason, "out of memory");
  EXPECT_EQ(again.cells()[2].state, CellState::skipped);
  EXPECT_EQ(again.cells()[3].state, CellState::waiting);
  EXPECT_EQ(again.next(every), 3u);
  EXPECT_EQ(key_of(again.cells()[3].request), key_of(b.cells()[3].request));
}

TEST(Batch, OnAMachineWithoutItsDeviceWhatIsLeftIsSkipped) {
  Batch b(plan(), catalog());
  b.begin(0), b.finish(0, record(RunStatus::ok, 17), 2);
  Catalog other = catalog();
  other.devices.clear();
  const Batch again(b.kept(), other);
  EXPECT_EQ(again.counts().left(), 0u);
  EXPECT_EQ(again.cells()[1].reason, "there is no device sim:toy");
}

}  // namespace
}  // namespace warpspy
