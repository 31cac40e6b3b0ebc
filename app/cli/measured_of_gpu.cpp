#include "app/cli/measured_of_gpu.hpp"

#include <algorithm>
#include <cstdio>

#include "app/cli/history_options.hpp"
#include "core/base/types.hpp"
#include "core/gpu/gpu_match.hpp"

namespace warpspy::cli {
namespace {

constexpr std::size_t all_runs = 1'000'000;

// The runs of `path`, newest first: those that the user asked for, and those of plans.
std::vector<SavedRun> saved_runs(const std::string& from, const std::string& since, std::string& path) {
  HistoryOptions source;
  source.from = from;
  const std::unique_ptr<SavedRuns> store = source.open();
  path = store->path();
  std::vector<SavedRun> all;
  for (const bool trials : {false, true}) {
    HistoryQuery query;
    query.since = since;
    query.trials = trials;
    query.limit = all_runs;
    const HistoryPage page = store->find(query);
    all.insert(all.end(), page.runs.begin(), page.runs.end());
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const SavedRun& a, const SavedRun& b) { return a.record->started > b.record->started; });
  return all;
}

void tell_left_out(std::size_t runs, const char* why) {
  if (runs > 0) std::fprintf(stderr, "%zu runs are left out: %s\n", runs, why);
}

MeasuredOfGpu measured_among(std::vector<SavedRun> saved, const std::string& path, const GpuSpec& gpu) {
  MeasuredOfGpu of{path, std::move(saved), {}};
  std::vector<const RunRecord*> records;
  for (const SavedRun& k : of.saved) records.push_back(k.record.get());
  const std::vector<GpuSpec> specs{gpu};
  of.measured = measured_of(gpu.id, records, [&](const RunRecord& r) {
    const GpuSpec* its = spec_of_device(r.device_name, gpu.compute_capability, specs);
    return its ? its->id : std::string();
  });
  tell_left_out(of.measured.other_code, "their kernel's code has changed since, or was not noted");
  tell_left_out(of.measured.unchecked, "their results were not checked, as of trials of a search");
  if (of.measured.runs.empty())
    throw Error("no saved run was measured on " + gpu.name + " with a kernel's code of today", path,
                "measure there first: warpspy calibrate --measure");
  std::stable_sort(of.measured.runs.begin(), of.measured.runs.end(),
                   [](const RunRecord* a, const RunRecord* b) { return a->request.matrix < b->request.matrix; });
  return of;
}

}  // namespace

MeasuredOfGpu measured_of_gpu(const GpuSpec& gpu, const std::string& from, const std::string& since) {
  std::string path;
  std::vector<SavedRun> saved = saved_runs(from, since, path);
  return measured_among(std::move(saved), path, gpu);
}

MeasuredRuns measured_in_folder(const std::string& folder, const Catalog& catalog) {
  std::string path;
  std::vector<SavedRun> saved = saved_runs(folder, {}, path);
  for (const SavedRun& k : saved) {
    if (k.record->time.provenance != Provenance::measured) continue;
    for (const DeviceInfo& d : catalog.devices) {
      if (!d.simulated || !spec_of_device(k.record->device_name, d.spec.compute_capability, {d.spec})) continue;
      const MeasuredOfGpu of = measured_among(std::move(saved), path, d.spec);
      MeasuredRuns all{of.measured.runs.front()->device_name, d.name, of.measured.runs.front()->started, {}};
      for (const RunRecord* r : of.measured.runs) all.runs.push_back(*r);
      return all;
    }
  }
  throw Error("no run of this folder was measured on a GPU that has a simulated one", folder,
              "measure there first: warpspy calibrate --measure");
}

}  // namespace warpspy::cli
