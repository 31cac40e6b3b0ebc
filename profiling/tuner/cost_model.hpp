// Decides what to try first, before anything is measured, by rules from what won on an H200.
#pragma once

#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/matrix/csr.hpp"
#include "kernels/simt/trace.hpp"

namespace warpspy {

// The facts about a kernel on a matrix that are known before it runs.
struct Prospect {
  double least_bytes = 0;             // bytes of the format, x and y
  double longest_row = 0;             // entries
  bool rows_whole = false;            // one thread computes a whole row, or `coop` threads if the kernel has that
                                      // parameter
  double rows = 0, vector_bytes = 0;  // rows of the matrix; bytes of the vector with which it is multiplied
  double entries = 0;                 // of the matrix
  double scattered_bytes = 0;         // scattered_bytes() of the matrix
  double block_rows = 1;              // rows of the format's blocks
  double value_bytes = 0;             // of an element
  DeviceScale device = {};            // the device on which it will run
  bool cold = false;                  // nothing is in L2 when a product begins
};
double block_rows_of(const ParamSet& format_params);  // 1 if the format has no blocks

// Bytes of x (or of y, transposed) that come from L2 if columns are scattered. It counts the 32-byte sectors that each
// 32 neighbouring rows request, for some groups of 32 rows spread evenly over the matrix (about 200,000 entries). 0 if
// that is at most half a sector per entry. `value_bytes`: of an element.
double scattered_bytes(const Csr& a, index_t value_bytes);

// The memory that a kernel may use if the user sets no limit, as a multiple of CSR's. little_bytes are always allowed.
inline constexpr double usual_memory = 2, little_bytes = 1e6;

// The estimated time of a product in us, exact enough only to order kernels. It takes the bytes at 3 TB/s; a third more
// if the next product waits for the end of this one; and more for kernels with a slowdown. It adds the time of the
// longest row if one thread computes it. If columns lie anywhere, it adds the bytes of the vector from L2, unless the
// kernel has the vector in shared memory. For stripes in shared memory it adds the pieces of rows.
double modelled_cost_us(const KernelInfo& kernel, const Prospect& p);

// Whether asking L2 to keep a share of the matrix may gain time: the matrix does not fit into L2 besides x and y, but
// the share fits easily. True for every other policy. `l2_bytes`: 0 where not known.
bool share_fits(simt::CachePolicy matrix, double matrix_bytes, double l2_bytes);

// Returns the parameters with which a search begins; those in `held` stay. They are the kernel's defaults, or a start
// that the kernel declares to be better here. Products overlap if they can. If products are warm and the matrix does
// not stay in L2 by itself, a share of it is kept there. If that leaves no room for x, or products are cold, loads
// stream. A row of blocks gets as many threads as its entries need. If columns are scattered, entries are ordered by
// stripes. Some kernels get large blocks if the device has them.
ParamSet likely_params(const KernelInfo& kernel, const ParamSet& held, const Prospect& p, double l2_bytes);

// Returns other parameter sets with which a search may begin; empty for most kernels. They won nearly as often as
// `likely` and differ from it in several parameters, so that changing one parameter at a time may not lead there.
std::vector<ParamSet> other_starts(const KernelInfo& kernel, const ParamSet& held, const ParamSet& likely,
                                   const DeviceScale& device);

// Returns every set that differs from `at` in one parameter. That parameter takes another value that is worth trying
// (ParamSpec::tried and the default). Parameters in `held` stay.
std::vector<ParamSet> neighbours_of(const KernelInfo& kernel, const ParamSet& held, const ParamSet& at,
                                    const DeviceScale& device);

}  // namespace warpspy
