// The one list of kernels, for profiling: each row says how to prepare a product in the emulator and on a CUDA device.
#pragma once

#include <string>
#include <vector>

#include "kernels/product/row.hpp"

namespace warpspy {

const std::vector<KernelRow>& kernels();
const KernelRow& kernel_row(const std::string& id);  // throws Error listing the known ids

// Bytes that one product by this kernel must move: each array of the format that it reads, x and y once.
std::size_t minimum_bytes(const KernelRow& kernel, const Estimate& format, const Csr& a, Precision precision);

}  // namespace warpspy
