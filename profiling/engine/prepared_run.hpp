// Code that runs on a device and runs of the model share: what is prepared before the kernel, and what both write into
// a record.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/product/row.hpp"
#include "profiling/engine/prepare.hpp"
#include "profiling/simulated/model_assets.hpp"
#include "profiling/timing/timing.hpp"

namespace warpspy {

struct PreparedRun {
  const RunRequest& request;
  std::shared_ptr<const Csr> matrix;
  const KernelRow& kernel;
  const DeviceInfo& device;
  ParamSet params;  // complete
  std::shared_ptr<const Format> format;
  Preparation::Vectors vectors;
  std::shared_ptr<const Reference> reference;
  const ModelAssets* model = nullptr;
  std::shared_ptr<DeviceArrays> kept = {};  // the format's arrays on the device; nullptr: each product has its own

  ProductInputs inputs() const;
  CommonParams common() const { return kernel.common_of(params); }
  // The useful multiplications and additions: padding does not count.
  double flops() const;
  // The bytes of each array once: of the format, x and y, and y again if it is read first.
  double minimum_bytes() const;
};

// Makes products of the run on its device, one after the other: warm ones read the same arrays, cold ones each a copy.
MakeProduct products_of(const PreparedRun& run, std::shared_ptr<DeviceArrays> kept);
// Adds the papers' counts of work and bytes, to compare with measured or modelled ones.
void add_counts(const PreparedRun& run, Preparation& preparation, RunRecord& r);
void set_time(RunRecord& r, double flops, double us, Provenance from, std::string how);
// Adds the total time of one transposed product from CSR: the conversion (for a kernel that reads CSC it is the
// transposition), what the kernel prepares, and the product (Steinberger et al. 2016, figures 2 and 3). Conversion and
// setup are work of this machine's processors.
void add_total(const PreparedRun& run, RunRecord& r);
// Checks these rows of y. Throws Error if a row is wrong; a note says if there is nothing to check.
void check(const PreparedRun& run, RunRecord& r, const std::vector<double>& y, const std::vector<RowRange>& rows);
void set_check(RunRecord& r, ErrorCheck check);
// Notes that code for an older compute capability cannot ask L2 to keep a share; its loads are plain.
void note_unheard(const PreparedRun& run, int capability, RunRecord& r);

}  // namespace warpspy
