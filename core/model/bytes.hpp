// The papers' counts of flops and bytes of one product, as functions.
// Source where nothing else is said: I. Reguly and M. Giles, "Efficient sparse matrix-vector multiplication on
// cache-based GPUs", 2012, section 4. Indices are 4-byte integers there; `index_bytes` says so
// explicitly.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/types.hpp"
#include "core/catalog/catalog.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy {

// Equation 1: one multiplication and one addition per entry.
double product_flops(index_t nnz);

// Equation 2: bytes without any caching, "effective": value, column and x per entry; row pointer and y per row.
double effective_bytes(index_t rows, index_t nnz, Precision precision, int index_bytes = 4);

// Equation 3: bytes where each access of effective_bytes() brings a whole line, of which nothing else is used before it
// goes. The line is as long in f64, so that the precision does not matter.
double worst_bytes(index_t rows, index_t nnz, int line_bytes = 128);

// Section 5.5, "caching": every block loads each cache line that it touches once, and shares none with other blocks.
// Block b does the rows [b rows_per_block, (b + 1) rows_per_block). Values, columns, row pointers and y are taken to
// begin at a line, like x. O(nnz), parallel. rows_per_block >= 1; line_bytes a multiple of 8.
double caching_bytes(const Csr& a, index_t rows_per_block, Precision precision, int line_bytes = 128,
                     int index_bytes = 4);

// Bytes of x that `parts` processors ask L2 for at least where each has neighbouring entries, as many as the others:
// each sector of 32 bytes that a part touches, once, as if its L1 had room for all. O(nnz), parallel. parts >= 1.
double gathered_bytes(const Csr& a, int parts, Precision precision);

// N. Bell and M. Garland, "Efficient sparse matrix-vector multiplication on CUDA", 2008, Table 1: bytes per flop of a
// format's kernel, without y, pointers and offsets, and without the COO part of HYB and PKT. Nothing for a format that
// the table does not have.
std::optional<double> table1_bytes_per_flop(const FormatInfo& format, Precision precision);

}  // namespace warpspy
