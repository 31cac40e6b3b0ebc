// The one list of kernels, for profiling: each row says how to prepare a product in the emulator and on a CUDA device.
#pragma once

#include <string>
#include <vector>

#include "kernels/product/row.hpp"

namespace warpspy {

const std::vector<KernelRow>& kernels();
const KernelRow& kernel_row(const std::string& id);  // throws Error listing the known ids

// Returns the bytes that one product by this kernel must move: it reads each array of the format that it uses once,
// reads x once, and writes y once.
std::size_t minimum_bytes(const KernelRow& kernel, const Estimate& format, const Csr& a, Precision precision);

}  // namespace warpspy
