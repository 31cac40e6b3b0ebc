// The saved runs that were measured on one GPU by the present code of their kernels: what its model learns from, and by
// what it is judged.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/history.hpp"
#include "profiling/validate/calibrate.hpp"
#include "profiling/validate/compare.hpp"

namespace warpspy::cli {

struct MeasuredOfGpu {
  std::string path;             // of the history or the folder
  std::vector<SavedRun> saved;  // has the records
  MeasuredOf measured;          // each matrix's runs follow one another
};

// Reads the folder `from` of --keep, or the history if it is "": runs that began at `since` or later. Says on standard
// error how many were left out, and why. Throws Error if none is left.
MeasuredOfGpu measured_of_gpu(const GpuSpec& gpu, const std::string& from, const std::string& since = {});

// All such runs of a folder, on the GPU of its newest run of which there is a simulated one. Throws Error if there is
// none.
MeasuredRuns measured_in_folder(const std::string& folder, const Catalog& catalog);

}  // namespace warpspy::cli
