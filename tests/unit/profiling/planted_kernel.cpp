// A new kernel is one file and one line: one that nobody knows but this file, and what choosing, diagnosing and
// modelling make of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/diagnosis/predict.hpp"
#include "core/experiment/executor.hpp"
#include "core/formats/format.hpp"
#include "core/io/io.hpp"
#include "kernels/spmv/csr_even.hpp"
#include "kernels/spmv/emulated_product.hpp"
#include "kernels/table/row_of.hpp"
#include "kernels/table/table.hpp"
#include "profiling/bench/candidates.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/tuner/cost_model.hpp"
#include "profiling/tuner/tune.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

// The file.
struct Planted : CsrEven {
  static constexpr Tags tags = Tag::splits_rows | Tag::sums_in_shared;
  static constexpr Slowdown slowdown = {0.9, "made up"};
  static std::vector<Start> starts() { return {{.params = {{"items", 4}, {"run", 4}, {"block_size", 256}}}}; }
  static KernelInfo info() { return {"planted", "Planted", "Planted by a test.", "", "csr"}; }
};

// The line.
const KernelRow& planted() {
  static const KernelRow row = row_of<Planted>(emulate<Planted>, nullptr);
  return row;
}

const std::string assets = WARPSPY_SOURCE_DIR "/assets";
const DeviceScale h200 = {132, 227 * 1024};

TEST(PlantedKernel, IsTriedByTheTunerWhereItSays) {
  const KernelInfo& info = planted().info;
  const KernelInfo& even = kernel_row("csr_even").info;
  const Prospect prospect{.least_bytes = 20e6, .rows = 1e5, .entries = 2e6, .device = h200};
  EXPECT_DOUBLE_EQ(modelled_cost_us(info, prospect), 0.9 * modelled_cost_us(even, prospect));
  const ParamSet likely = likely_params(info, {}, prospect, 50e6);
  const std::vector<ParamSet> starts = other_starts(info, {}, likely, h200);
  ASSERT_EQ(starts.size(), 1u);
  EXPECT_EQ(starts[0].at("run"), 4);
  const auto candidates = candidates_of(planted(), &format_row("csr").info, h200);
  EXPECT_TRUE(std::any_of(candidates.begin(), candidates.end(), [&](const auto& c) { return c.params == starts[0]; }));
  // A search where it is fastest, and only where it begins.
  Problem problem;
  problem.kernel = even;
  problem.rows = 100'000, problem.cols = 100'000, problem.nnz = 2'000'000, problem.longest_row = 20;
  problem.l2_bytes = 50e6, problem.device = h200;
  problem.alternatives = {{even, 20e6}, {info, 20e6}};
  TuneRecord begun;
  begun.request.strategies = {"predict"};
  Known known;
  for (;;) {
    const Searched now = tune(problem, known, begun);
    if (now.wanted.empty()) {
      begun = now.record;
      break;
    }
    for (const Candidate& c : now.wanted)
      known.insert_or_assign(c, Measured{c.kernel == "planted" && c.params.at("run") == 4 ? 5.0 : 10.0, "", "csr"});
  }
  ASSERT_EQ(begun.outcomes.size(), 1u) << begun.error;
  EXPECT_EQ(begun.outcomes[0].kernel, "planted");
  ASSERT_FALSE(begun.outcomes[0].notes.empty());
  EXPECT_NE(begun.outcomes[0].notes[0].find("planted, csr_even"), std::string::npos) << begun.outcomes[0].notes[0];
}

// An engine and a catalog as they are where its line stands in the list.
struct Desk {
  std::unique_ptr<Engine> engine;
  Catalog catalog = make_catalog(assets);
  Matrix matrix;
  Progress progress;

  Desk() {
    EngineParts parts{
        all_devices(assets),
        [](const std::string& id) -> const KernelRow& { return id == "planted" ? planted() : kernel_row(id); },
        [](int) {}};
    engine = make_engine(std::move(parts));
    catalog.kernels.push_back(planted().info);
    matrix = open_matrix("gen:powerlaw?rows=100000", progress);
  }
  RunRecord run(const std::string& kernel) {
    RunRequest request;
    request.matrix = "gen:powerlaw?rows=100000", request.kernel = kernel;
    request.device = "sim:h200", request.depth = Depth::medium, request.cache_state = CacheState::cold;
    return engine->run(request, matrix, progress);
  }
};

std::size_t times_named(const RunRecord& r) {
  std::size_t named = 0;
  for (const Finding& f : r.findings)
    for (const Change& c : f.changes) named += c.kernel == "planted";
  return named;
}

TEST(PlantedKernel, IsARemedyWhereItsTagsAreAskedFor) {
  Desk desk;
  const RowStats rows = row_stats(*desk.matrix.csr);
  RunRecord slow = desk.run("csr_scalar");
  find_limits(slow, rows, desk.catalog);
  EXPECT_GT(times_named(slow), 0u) << findings_text(slow);
  desk.catalog.kernels.back().tags = Tag::several_launches;
  find_limits(slow, rows, desk.catalog);
  EXPECT_EQ(times_named(slow), 0u) << findings_text(slow);
}

TEST(PlantedKernel, IsKnownToTheModel) {
  Desk desk;
  const RunRecord r = desk.run("planted");
  ASSERT_EQ(r.status, RunStatus::ok) << r.error;
  EXPECT_EQ(r.kernel_label, "Planted");
  EXPECT_EQ(r.provenance, Provenance::modelled);
  EXPECT_GT(r.time.value, 0);
  // It is what the model advises where the kernel that it is a copy of is not there.
  std::erase_if(desk.catalog.kernels, [](const KernelInfo& k) { return k.id != "planted" && k.id != "csr_scalar"; });
  RunRecord slow = desk.run("csr_scalar");
  Executor(*desk.engine, desk.catalog).find_limits(slow, desk.matrix, row_stats(*desk.matrix.csr), desk.progress);
  ASSERT_FALSE(slow.findings.empty());
  const Finding& f = slow.findings.front();
  ASSERT_FALSE(f.changes.empty()) << findings_text(slow);
  EXPECT_EQ(f.changes.front().kernel, "planted");
  ASSERT_TRUE(f.gain);
  EXPECT_EQ(f.gain->from, Gain::From::model);
  EXPECT_GT(f.gain->least_times, 1);
}

}  // namespace
}  // namespace warpspy
