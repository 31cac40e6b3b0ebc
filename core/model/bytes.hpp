// The papers' counts of flops and bytes of one product, as functions.
// Source where nothing else is said: I. Reguly and M. Giles, "Efficient sparse matrix-vector multiplication on
// cache-based GPUs", 2012, section 4, equations 1 to 5. Indices are 4-byte integers there; `index_bytes` says so
// explicitly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/matrix/csr.hpp"
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

// Section 5.5, "caching": every block loads each cache line that it touches once, and shares none with other blocks.
// Block b does the rows [b rows_per_block, (b + 1) rows_per_block). Values, columns, row pointers and y are taken to
// begin at a line, like x. O(nnz), parallel. rows_per_block >= 1; line_bytes a multiple of 8.
double caching_bytes(const Csr& a, index_t rows_per_block, Precision precision, int line_bytes = 128,
                     int index_bytes = 4);

// N. Bell and M. Garland, "Efficient sparse matrix-vector multiplication on CUDA", 2008, Table 1: bytes per flop of a
// format's kernel, without y, pointers and offsets, and without the COO part of HYB and PKT. Nothing for a format (its
// id, as in core/formats) that the table does not have.
std::optional<double> table1_bytes_per_flop(const std::string& format, Precision precision);

}  // namespace warpspy
