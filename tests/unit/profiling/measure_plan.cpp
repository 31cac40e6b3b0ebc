// What `warpspy calibrate --measure` asks for, and that it goes on where its time was up.
#include "profiling/validate/measure_plan.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "core/experiment/executor.hpp"
#include "core/generate/generate.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

const std::string assets = WARPSPY_SOURCE_DIR "/assets";
const std::string matrix = "gen:laplace5?nx=20&ny=20";

TEST(MeasurePlan, HasEveryKernelInEachWay) {
  const Catalog catalog = make_catalog(assets);
  const DeviceInfo& gpu = *catalog.device("sim:h100");
  const std::vector<RunRequest> all = measure_requests({matrix, "gen:wheel?n=50"}, catalog, gpu);
  std::set<std::string> seen, ways, asked;
  std::size_t tuned = 0, solves = 0, of_first = 0, stage = 0;
  bool transposed = false;
  for (const RunRequest& r : all) {
    EXPECT_TRUE(asked.insert(to_json(r)).second) << "twice: " << to_json(r);
    EXPECT_EQ(r.device, "sim:h100");
    of_first += r.matrix == matrix;
    const KernelInfo& k = catalog.require_kernel(r.kernel);
    const std::size_t its_stage = r.solver != Solver::none ? 2 : r.params != checked_params(k.params, {}) ? 1 : 0;
    EXPECT_GE(its_stage, stage) << "defaults of all matrices first, then tuned parameters, then solves";
    stage = its_stage;
    if (r.solver != Solver::none) {
      ++solves;
      continue;
    }
    transposed |= k.operation == Operation::transposed_product;
    seen.insert(r.kernel);
    ways.insert(std::string(name_of(r.precision)) + name_of(r.cache_state));
    tuned += r.params != checked_params(k.params, {});
  }
  EXPECT_EQ(of_first * 2, all.size());
  EXPECT_EQ(ways, (std::set<std::string>{"f32cold", "f32warm", "f64cold", "f64warm"}));
  EXPECT_EQ(solves, 2u * 2 * 4) << "of each matrix four solvers in two precisions";
  EXPECT_GT(tuned, 0u);
  EXPECT_TRUE(transposed);
  for (const KernelInfo& k : catalog.kernels)
    EXPECT_EQ(seen.contains(k.id), k.library.empty() && !k.format.empty() && k.operation != Operation::axpy) << k.id;
  MeasureOptions few;
  few.kernels = {"ell"};
  for (const RunRequest& r : measure_requests({matrix}, catalog, gpu, few)) EXPECT_EQ(r.kernel, "ell");
  few.ways = {measure_way("f32-cold"), measure_way("f64-warm")};
  for (const RunRequest& r : measure_requests({matrix}, catalog, gpu, few))
    EXPECT_EQ(r.precision == Precision::f32, r.cache_state == CacheState::cold);
  EXPECT_THROW(measure_way("f64"), Error);
  few.memory.device_bytes = 1 << 20;
  for (const RunRequest& r : measure_requests({matrix}, catalog, gpu, few)) EXPECT_EQ(r.memory, few.memory);
  few.kernels = {"no_such_kernel"};
  EXPECT_THROW(measure_requests({matrix}, catalog, gpu, few), Error);
}

TEST(MeasurePlan, GoesOnWhereItsTimeWasUp) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("warpspy_measure_" + std::to_string(getpid()));
  const std::unique_ptr<Engine> engine = make_engine(assets);
  const Catalog catalog = make_catalog(assets);
  MeasureOptions few;
  few.kernels = {"csr_scalar", "csr_vector"};
  const std::vector<RunRequest> requests = measure_requests({matrix}, catalog, *catalog.device("sim:h100"), few);
  ASSERT_GE(requests.size(), 8u);
  const ListPlan plan("calibrate", cases_of(requests, Purpose::trial));
  // Runs until `most` products have ended, as if the time were up then; returns how many the folder had already.
  const auto found_of = [&](std::size_t most, std::size_t ends_with) {
    SweepFolder kept(folder.string(), SweepFolder::For::running);
    if (!kept.has_plan()) kept.write_plan({});
    ExecutorOptions options;
    options.folder = &kept, options.look_first = true;
    Executor executor(*engine, catalog, options);
    Progress progress;
    Results results;
    PlanEvents events;
    events.ended = [&](const CaseResult& r) {
      EXPECT_EQ(r.record->status, RunStatus::ok) << r.record->error;
      if (results.size() == most) progress.cancel();
    };
    Matrix m;
    const MatrixOf opener = [&](const std::string& source, Progress& p) -> const Matrix& {
      return m = generate(source.substr(4), p);
    };
    executor.run(plan, opener, progress, results, events);
    EXPECT_EQ(results.size(), ends_with);
    return executor.found();
  };
  EXPECT_EQ(found_of(3, 3), 0u);
  EXPECT_EQ(found_of(5, 5), 3u);
  EXPECT_EQ(found_of(requests.size() + 1, requests.size()), 5u);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace warpspy
