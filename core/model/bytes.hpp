// The papers' counts of flops and bytes of one product, as functions. If no other source is named, the source is I.
// Reguly and M. Giles, "Efficient sparse matrix-vector multiplication on cache-based GPUs", 2012, section 4. The paper
// has 4-byte indices; here `index_bytes` says how many.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/types.hpp"
#include "core/catalog/catalog.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy {

// The flops of a product by equation 1: one multiplication and one addition per entry.
double product_flops(index_t nnz);

// The bytes of a product without any cache by equation 2 ("effective" bytes): value, column and x for each entry, row
// pointer and y for each row.
double effective_bytes(index_t rows, index_t nnz, Precision precision, int index_bytes = 4);

// The bytes by equation 3, the worst case: each access of effective_bytes() loads a whole cache line, of which nothing
// else is used before it is evicted. The line has the same length in f64, so the precision does not matter.
double worst_bytes(index_t rows, index_t nnz, int line_bytes = 128);

// The bytes of section 5.5, "caching": every thread block loads each cache line that it touches once, and shares none
// with other blocks. Block b computes the rows [b rows_per_block, (b + 1) rows_per_block). Values, columns, row
// pointers and y are taken to begin at a line, like x. O(nnz), parallel. rows_per_block >= 1; line_bytes a multiple of
// 8.
double caching_bytes(const Csr& a, index_t rows_per_block, Precision precision, int line_bytes = 128,
                     int index_bytes = 4);

// The least bytes of x that `parts` processors ask of L2, if each has an equal share of neighbouring entries. Each
// 32-byte sector that a part touches counts once, as if its L1 had room for all. O(nnz), parallel. parts >= 1.
double gathered_bytes(const Csr& a, int parts, Precision precision);

// N. Bell and M. Garland, "Efficient sparse matrix-vector multiplication on CUDA", 2008, Table 1, list bytes per flop
// of each format's kernel. These omit y, pointers and offsets, and the COO part of HYB and PKT. Nothing for a format
// that the table does not have.
std::optional<double> table1_bytes_per_flop(const FormatInfo& format, Precision precision);

}  // namespace warpspy
