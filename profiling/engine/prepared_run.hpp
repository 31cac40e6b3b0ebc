// Runs on a device and runs of the model share this code: it prepares the data before the kernel runs, and writes the
// common parts of a record.
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
  std::shared_ptr<DeviceArrays> kept = {};   // the format's arrays on the device; nullptr: each product has its own
  std::vector<const DeviceInfo*> gpus = {};  // of the parts, if they are real; `device` is the first

  ProductInputs inputs() const;
  CommonParams common() const { return kernel.common_of(params); }
  // The useful multiplications and additions of the product; padding does not count.
  double flops() const;
  // The bytes of the product if each array of the format, x and y moves once; y counts twice if it is read first.
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
// Adds a note if the code was compiled for an older compute capability, which cannot ask L2 to keep a share of an
// array. Its loads are then plain ones.
void note_unheard(const PreparedRun& run, int capability, RunRecord& r);

}  // namespace warpspy
