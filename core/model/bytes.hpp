// The papers' counts of flops and bytes of one CSR product, as functions.
// Source of all: I. Reguly and M. Giles, "Efficient sparse matrix-vector multiplication on cache-based GPUs", 2012,
// section 4, equations 1 to 5. Indices are 4-byte integers there; `index_bytes` says so explicitly.
#pragma once

#include <cstdint>

#include "core/matrix/types.hpp"

namespace warpspy {

// Equation 1: one multiplication and one addition per entry.
double product_flops(index_t nnz);

// Equation 2: bytes without any caching, "effective": value, column and x per entry; row pointer and y per row.
double effective_bytes(index_t rows, index_t nnz, Precision precision, int index_bytes = 4);

// Equation 3: only one value of each cache line is used. The paper writes the factor for single precision, where a
// 128-byte line holds 32 values: that is one line per access, which is how it is written here for any precision.
double worst_case_bytes(index_t rows, index_t nnz, int line_bytes = 128);

// Equation 4: every array is moved once; x has `cols` elements (the paper writes a square matrix, cols = rows).
double csr_minimum_bytes(index_t rows, index_t cols, index_t nnz, Precision precision, int index_bytes = 4);

// Equation 5: blocks of a launch in which `coop` threads share a row and each group does `repeat` rows. 0 rows need one
// block by the formula; callers that launch nothing then say so themselves.
index_t grid_size(index_t rows, int coop, int repeat, int block_size);

}  // namespace warpspy
