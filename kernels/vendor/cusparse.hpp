// The rows of cuSPARSE in the table of kernels (NVIDIA, cuSPARSE library documentation, "cusparseSpMV()").
#pragma once

#include <memory>
#include <vector>

#include "kernels/product/row.hpp"

namespace warpspy {

// Always the same rows, with or without the library. on_device is nullptr when built without CUDA; it throws Error with
// what was looked for, and the remedy, when the library is not there.
std::vector<KernelRow> vendor_kernels();

// How a row asks the library. Private to the folder.
struct CusparseRow {
  KernelInfo info;
  enum class Layout : std::uint8_t { csr, coo, sell, bsr } layout = Layout::csr;
  std::vector<int> algorithms;  // cusparseSpMVAlg_t, by the parameter "algorithm" (the first without one)
};
const std::vector<CusparseRow>& cusparse_rows();
std::unique_ptr<DeviceProduct> cusparse_product(const CusparseRow& row, const ProductInputs& in);

}  // namespace warpspy
