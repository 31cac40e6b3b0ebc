// A row of the table of kernels (kernels/table), for our own kernels and a library's: all that other code needs to know
// about a kernel.
#pragma once

#include <memory>
#include <vector>

#include "kernels/product/product.hpp"

namespace warpspy {

// Parameters that all kernels have. The caches' are values of simt::CachePolicy. overlap: 1 if the next product may
// begin before this one ends, for kernels with Kernel::overlaps and Code::awaits_previous.
struct CommonParams {
  int x_cache = 0, matrix_cache = 0, overlap = 0;
  bool operator==(const CommonParams&) const = default;
  simt::CachePolicy x() const { return static_cast<simt::CachePolicy>(x_cache); }
  simt::CachePolicy matrix() const { return static_cast<simt::CachePolicy>(matrix_cache); }
  // Whether the result is the product. It is not if a cache policy is `constant`, since such loads read nothing.
  bool is_product() const { return !simt::is_constant(x()) && !simt::is_constant(matrix()); }
  // The ids of the parameters that ask L2 to keep a share of an array.
  std::vector<const char*> keeping() const {
    std::vector<const char*> ids;
    if (simt::is_evict_last(x())) ids.push_back("x_cache");
    if (simt::is_evict_last(matrix())) ids.push_back("matrix_cache");
    return ids;
  }
};

struct KernelRow {
  KernelInfo info;
  // Makes a product for the emulator; nullptr for a library's kernel, whose code cannot be emulated. The format must be
  // the kernel's (info.format) and built for the same precision, and x and y must have the sizes of the operation.
  // Throws Error otherwise, and for a grid or a block that no GPU can launch.
  std::unique_ptr<EmulatedProduct> (*emulate)(const ProductInputs&) = nullptr;
  // Makes a product on the current CUDA device; nullptr in a build without CUDA. Throws Error if the device has too
  // little memory (with both sizes), or cannot run the kernel.
  std::unique_ptr<DeviceProduct> (*on_device)(const ProductInputs&) = nullptr;
  // Whether the kernel reads the format's pointers and indices. It does not if it makes smaller arrays before the first
  // product and reads these. In place of indices they have at least 16 bits for each entry.
  bool reads_pointers = true, reads_indices = true;
  // The common parameters in a complete set. A library's kernel has no cache policies.
  CommonParams (*common)(const ParamSet&) = nullptr;
  CommonParams common_of(const ParamSet& params) const { return common ? common(params) : CommonParams{}; }
  // Tells how many whole rows a thread block computes, if block b computes the b-th group of neighbouring rows. For
  // such kernels the program counts the bytes of the cache lines that blocks touch, as Reguly & Giles 2012 do. nullptr
  // for other kernels.
  index_t (*rows_per_block)(const ParamSet&) = nullptr;
  // The distance between elements of x and y that a kernel without a matrix uses. nullptr: 1.
  index_t (*stride)(const ParamSet&) = nullptr;
  index_t stride_of(const ParamSet& params) const { return stride ? stride(params) : 1; }
};

}  // namespace warpspy
