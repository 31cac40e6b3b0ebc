// A matrix over several GPUs: each part has some of the rows, and x divided likewise. Of each part the entries with its
// own x (local) and those with x of other parts (halo) are matrices of their own, so that the local product can run
// while the halo travels.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"
#include "core/partition/part_result.hpp"
#include "core/partition/split.hpp"

namespace warpspy {

// Numbers of x that a part gets from another: halo_columns[first] to halo_columns[first + count - 1].
struct HaloIn {
  std::int32_t from = 0;
  index_t first = 0, count = 0;
  bool operator==(const HaloIn&) const = default;
};
// Numbers of x that a part gives to another, in the order in which that part has them in its halo.
struct HaloOut {
  std::int32_t to = 0;
  std::vector<index_t> places;  // in the giver's own x, increasing
  bool operator==(const HaloOut&) const = default;
};

struct Part {
  // Rows of the matrix: first those without entries in the halo, then the boundary rows; increasing in each of both.
  std::vector<index_t> rows;
  index_t boundary = 0;  // place of the first boundary row in `rows`
  // Columns of the matrix whose x the part has: of a square matrix the same as `rows`.
  std::vector<index_t> columns;
  // Columns of the matrix whose x other parts have: by part, then by their place there.
  std::vector<index_t> halo_columns;
  std::shared_ptr<const Csr> local;  // rows.size() x columns.size()
  std::shared_ptr<const Csr> halo;   // (rows.size() - boundary) x halo_columns.size(); its row 0 is rows[boundary]
  std::vector<HaloIn> in;            // by part; none is empty
  std::vector<HaloOut> out;          // by part; none is empty

  index_t entries() const { return local->nnz() + halo->nnz(); }
};

struct Partition {
  index_t rows = 0, cols = 0;
  std::vector<Part> parts;
};

// For each row its part, from 0 to parts - 1. Blocks are in the order of rows. With `entries` and `metis` a part may
// have no rows. Throws Error for no part, for more parts than rows, and for METIS on a matrix that is not square; as
// graph_parts(), and Cancelled.
std::vector<std::int32_t> row_parts(const Csr& a, std::uint64_t parts, Split split, Progress& progress);
// The matrix in these parts. x of a square matrix is divided as its rows, of any other in blocks of equal size. Throws
// Error if the memory is short, and Cancelled.
Partition partition_of(const Csr& a, const std::vector<std::int32_t>& row_parts, std::uint64_t parts,
                       Progress& progress);

// What the parts of a run are told of, without times.
std::vector<PartResult> counts_of(const Partition& p);
// The most entries that a part has, as a multiple of their mean; 1 if there are no entries.
double imbalance_of(const Partition& p);

}  // namespace warpspy
