// The rows of cuSPARSE in the table of kernels (NVIDIA, cuSPARSE library documentation, "cusparseSpMV()").
#pragma once

#include <memory>
#include <vector>

#include "kernels/product/row.hpp"

namespace warpspy {

// The rows are the same with and without the library. on_device is nullptr in a build without CUDA. Without the library
// it throws Error with the names that were looked for, and the remedy.
std::vector<KernelRow> vendor_kernels();

// Tells how a row of the table calls the library. Only this folder uses it.
struct CusparseRow {
  KernelInfo info;
  enum class Layout : std::uint8_t { csr, coo, sell, bsr } layout = Layout::csr;
  std::vector<int> algorithms;  // cusparseSpMVAlg_t, by the parameter "algorithm" (the first without one)
};
const std::vector<CusparseRow>& cusparse_rows();
std::unique_ptr<DeviceProduct> cusparse_product(const CusparseRow& row, const ProductInputs& in);

}  // namespace warpspy
