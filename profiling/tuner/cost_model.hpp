// Decides what to try first, before anything is measured, by rules from what won on an H200.
#pragma once

#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/matrix/csr.hpp"
#include "kernels/simt/trace.hpp"

namespace warpspy {

// What is known about a kernel on a matrix before it runs.
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

// What to begin with: the kernel's defaults, or the start that it says is better here, products that overlap, a share
// of the matrix that is kept in L2 where it does not stay there by itself and products are warm, loads that stream
// where that leaves x no room or products are cold, as many threads for a row of blocks as its entries are worth,
// entries by stripes where columns lie anywhere, and large blocks for some kernels where the device has them. `held`
// stays.
ParamSet likely_params(const KernelInfo& kernel, const ParamSet& held, const Prospect& p, double l2_bytes);

// Other sets with which a search may begin: they won nearly as often and differ in several parameters, so that single
// steps may not lead there. They are `likely` with these parameters; empty for most kernels.
std::vector<ParamSet> other_starts(const KernelInfo& kernel, const ParamSet& held, const ParamSet& likely,
                                   const DeviceScale& device);

// Every set that differs from `at` in one parameter, which has another of the values that are worth trying
// (ParamSpec::tried and the default). `held` stays.
std::vector<ParamSet> neighbours_of(const KernelInfo& kernel, const ParamSet& held, const ParamSet& at,
                                    const DeviceScale& device);

}  // namespace warpspy
