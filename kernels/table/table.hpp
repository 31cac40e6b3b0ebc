// THE list of kernels, as profiling sees it: for each, how to prepare a product on the emulator and on a CUDA device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/formats/format.hpp"
#include "kernels/simt/trace.hpp"

namespace warpspy {

struct LaunchShape {
  std::int64_t grid = 0;        // blocks
  int block = 0;                // threads per block
  int shared_bytes = 0;         // per block
  int registers = 32;           // per thread; an estimate in the emulator
};

// y = A x, ready to run block by block in the emulator. Blocks are independent: emulate_block may be called from several
// threads for different blocks.
class EmulatedProduct {
 public:
  virtual ~EmulatedProduct() = default;
  virtual LaunchShape shape() const = 0;
  virtual const std::vector<simt::ArrayInfo>& arrays() const = 0;
  virtual const std::vector<simt::Site>& sites() const = 0;  // grows while blocks run; stable once they are done
  // Executes one block; appends its accesses to *trace when given. Throws Error on an out-of-bounds access (kernel,
  // line, array, index, size).
  virtual void emulate_block(std::int64_t block, simt::BlockTrace* trace) = 0;
  // Rows [first, second) whose y is complete once this block (and nothing else) ran.
  virtual std::pair<index_t, index_t> rows_of_block(std::int64_t block) const = 0;
  virtual std::vector<double> y() const = 0;
};

// y = A x with its arrays on a CUDA device.
class DeviceProduct {
 public:
  virtual ~DeviceProduct() = default;
  virtual LaunchShape shape() const = 0;
  // Enqueues one product. `stream` is a cudaStream_t.
  virtual void launch(void* stream) = 0;
  virtual std::vector<double> y() = 0;  // synchronises and copies back
  virtual std::size_t device_bytes() const = 0;
};

struct KernelRow {
  KernelInfo info;
  std::unique_ptr<EmulatedProduct> (*emulate)(std::shared_ptr<const Format>, Precision, const ParamSet&,
                                              std::span<const double> x) = nullptr;
  // nullptr when built without CUDA. Throws Error when the device has no room, naming both sizes.
  std::unique_ptr<DeviceProduct> (*on_device)(std::shared_ptr<const Format>, Precision, const ParamSet&,
                                              std::span<const double> x) = nullptr;
};
const std::vector<KernelRow>& kernels();
const KernelRow& kernel_row(const std::string& id);  // throws Error listing the known ids

}  // namespace warpspy
