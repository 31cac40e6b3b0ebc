// What runs on a device and runs of the model share: what is ready before the kernel, and what a record says of both.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/product/row.hpp"
#include "profiling/engine/prepare.hpp"
#include "profiling/simulated/model_assets.hpp"

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

  ProductInputs inputs() const;
  CommonParams common() const { return kernel.common_of(params); }
  // Multiplications and additions that count as useful.
  double flops() const;
  // Each array once: those of the format, x, y, and y once more where it is read first.
  double minimum_bytes() const;
};

// The papers' counts of work and bytes, beside those that are measured or modelled.
void add_counts(const PreparedRun& run, Preparation& preparation, RunRecord& r);
void set_time(RunRecord& r, double flops, double us, Provenance from, std::string how);
// What a single transposed product costs, starting from CSR: the conversion (which is the transposition where the
// kernel reads CSC), what the kernel prepares, and the product (Steinberger et al. 2016, figures 2 and 3). Conversion
// and setup are work of this machine's processors.
void add_total(const PreparedRun& run, RunRecord& r);
// Of these rows of y. Throws Error where one is wrong; says so where there is nothing to check.
void check(const PreparedRun& run, RunRecord& r, const std::vector<double>& y, const std::vector<RowRange>& rows);
void set_check(RunRecord& r, ErrorCheck check);
// Code of an older compute capability cannot ask L2 to keep a share: its loads are plain.
void note_unheard(const PreparedRun& run, int capability, RunRecord& r);

}  // namespace warpspy
