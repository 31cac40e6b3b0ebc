// What there is to know of a kernel: a row of the table (kernels/table), whoever wrote the kernel.
#pragma once

#include <memory>
#include <vector>

#include "kernels/product/product.hpp"

namespace warpspy {

// What all kernels have beside their own parameters. Of the caches: values of simt::CachePolicy. overlap: 1 where the
// next product may begin before this one ends; for kernels with Kernel::overlaps, whose Code::awaits_previous.
struct CommonParams {
  int x_cache = 0, matrix_cache = 0, overlap = 0;
  bool operator==(const CommonParams&) const = default;
  simt::CachePolicy x() const { return static_cast<simt::CachePolicy>(x_cache); }
  simt::CachePolicy matrix() const { return static_cast<simt::CachePolicy>(matrix_cache); }
  // Constant loads read nothing: what comes out is no product.
  bool is_product() const { return !simt::is_constant(x()) && !simt::is_constant(matrix()); }
  // Ids of those that ask L2 to keep a share.
  std::vector<const char*> keeping() const {
    std::vector<const char*> ids;
    if (simt::is_evict_last(x())) ids.push_back("x_cache");
    if (simt::is_evict_last(matrix())) ids.push_back("matrix_cache");
    return ids;
  }
};

struct KernelRow {
  KernelInfo info;
  // The format must be the kernel's (info.format) and built for the same precision, x and y must have the sizes that
  // the operation wants: Error otherwise, and for a grid or a block that no GPU can launch.
  // nullptr for a library's kernel, whose code is not ours to emulate.
  std::unique_ptr<EmulatedProduct> (*emulate)(const ProductInputs&) = nullptr;
  // nullptr when built without CUDA. Throws Error when the device has no room, naming both sizes, or no such kernel.
  std::unique_ptr<DeviceProduct> (*on_device)(const ProductInputs&) = nullptr;
  // False for a kernel that makes itself something smaller of them once, before the first product; of indices at least
  // 16 bits for each entry.
  bool reads_pointers = true, reads_indices = true;
  // Of complete parameters: those that all kernels have. A library's kernel asks nothing of the caches.
  CommonParams (*common)(const ParamSet&) = nullptr;
  CommonParams common_of(const ParamSet& params) const { return common ? common(params) : CommonParams{}; }
  // Rows of a block, which computes them whole and in order: those whose caching bytes the papers count. nullptr: not
  // so.
  index_t (*rows_per_block)(const ParamSet&) = nullptr;
  // Elements of x and y from one that is taken to the next, for a kernel without a matrix. nullptr: 1.
  index_t (*stride)(const ParamSet&) = nullptr;
  index_t stride_of(const ParamSet& params) const { return stride ? stride(params) : 1; }
};

}  // namespace warpspy
