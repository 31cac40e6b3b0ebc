#include "core/model/bytes.hpp"

namespace warpspy {

double product_flops(index_t nnz) { return 2.0 * static_cast<double>(nnz); }

double effective_bytes(index_t rows, index_t nnz, Precision precision, int index_bytes) {
  const double value = bytes_of(precision);
  return static_cast<double>(nnz) * (2 * value + index_bytes) + static_cast<double>(rows) * (value + index_bytes);
}

double worst_case_bytes(index_t rows, index_t nnz, int line_bytes) {
  // Three accesses per entry (value, column, x) and two per row (row pointer, y), a line each: with 4-byte values and
  // indices this is the paper's 32 (nnz (2*4 + 4) + rows (4 + 4)).
  return static_cast<double>(line_bytes) * (3.0 * static_cast<double>(nnz) + 2.0 * static_cast<double>(rows));
}

double csr_minimum_bytes(index_t rows, index_t cols, index_t nnz, Precision precision, int index_bytes) {
  const double value = bytes_of(precision);
  return static_cast<double>(nnz) * (value + index_bytes) + static_cast<double>(rows) * (value + index_bytes) +
         static_cast<double>(cols) * value;
}

index_t grid_size(index_t rows, int coop, int repeat, int block_size) {
  return 1 + (rows * coop - 1) / (static_cast<index_t>(repeat) * block_size);
}

}  // namespace warpspy
