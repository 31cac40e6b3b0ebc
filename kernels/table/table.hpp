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
  // False for a kernel that makes itself something smaller of them once, before the first product.
  bool reads_pointers = true;
};
const std::vector<KernelRow>& kernels();
const KernelRow& kernel_row(const std::string& id);  // throws Error listing the known ids

// Bytes that one product by this kernel must move: each array of the format that it reads, x and y once.
std::size_t minimum_bytes(const KernelRow& kernel, const Estimate& format, const Csr& a, Precision precision);

}  // namespace warpspy
