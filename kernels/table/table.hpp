// THE list of kernels, as profiling sees it: for each, how to prepare a product on the emulator and on a CUDA device.
#pragma once

#include <memory>

#include "kernels/table/product.hpp"

namespace warpspy {

struct KernelRow {
  KernelInfo info;
  // The format must be the kernel's (info.format) and built for the same precision, x and y must have the sizes that
  // the operation wants: Error otherwise, and for a grid or a block that no GPU can launch.
  // nullptr for a library's kernel, whose code is not ours to emulate.
  std::unique_ptr<EmulatedProduct> (*emulate)(const ProductInputs&) = nullptr;
  // nullptr when built without CUDA. Throws Error when the device has no room, naming both sizes, or no such kernel.
  std::unique_ptr<DeviceProduct> (*on_device)(const ProductInputs&) = nullptr;
};
const std::vector<KernelRow>& kernels();
const KernelRow& kernel_row(const std::string& id);  // throws Error listing the known ids

}  // namespace warpspy
