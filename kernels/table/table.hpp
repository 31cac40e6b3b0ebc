// THE list of kernels, as profiling sees it: for each, how to prepare a product on the emulator and on a CUDA device.
#pragma once

#include <memory>
#include <span>

#include "core/catalog/catalog.hpp"
#include "core/formats/format.hpp"
#include "kernels/table/product.hpp"

namespace warpspy {

struct KernelRow {
  KernelInfo info;
  // The format must be the kernel's (info.format) and built for the same precision, x must have one number per column:
  // Error otherwise, and for a grid that no GPU can launch.
  std::unique_ptr<EmulatedProduct> (*emulate)(std::shared_ptr<const Format>, Precision, const ParamSet&,
                                              std::span<const double> x) = nullptr;
  // nullptr when built without CUDA. Throws Error when the device has no room, naming both sizes.
  std::unique_ptr<DeviceProduct> (*on_device)(std::shared_ptr<const Format>, Precision, const ParamSet&,
                                              std::span<const double> x) = nullptr;
};
const std::vector<KernelRow>& kernels();
const KernelRow& kernel_row(const std::string& id);  // throws Error listing the known ids

}  // namespace warpspy
