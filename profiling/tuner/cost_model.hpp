// What to try first, before anything is measured: rules that follow from what won on an H200 (docs/performance.md, The
// first tries).
#pragma once

#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/matrix/csr.hpp"
#include "kernels/simt/trace.hpp"

namespace warpspy {

// What is known of a kernel on a matrix before it runs.
struct Prospect {
  double least_bytes = 0;             // of its format, x and y
  double longest_row = 0;             // entries
  bool rows_whole = false;            // whoever computes a row computes it whole, `coop` threads where it has that
  double rows = 0, vector_bytes = 0;  // of the matrix; of what it is multiplied by
  double entries = 0;                 // of the matrix
  double scattered_bytes = 0;         // scattered_bytes() of the matrix
  double block_rows = 1;              // of the format's blocks
  double value_bytes = 0;             // of an element
  DeviceScale device = {};            // where it is to run
  bool cold = false;                  // nothing is in L2 when a product begins
};
double block_rows_of(const ParamSet& format_params);  // 1 where the format has no blocks

// Bytes of x (or of y, transposed) that come from L2 where columns lie anywhere: sectors of 32 bytes that rows ask for,
// each 32 neighbours together, by some groups of 32 that are spread evenly over the rows (about 200,000 entries); 0
// where those ask for no more than half a sector for an entry. `value_bytes`: of an element.
double scattered_bytes(const Csr& a, index_t value_bytes);

// What a kernel may need that nobody asked for: so many times what CSR takes. Little is always allowed.
inline constexpr double usual_memory = 2, little_bytes = 1e6;

// Microseconds that a product may take, only good for an order: its bytes at 3 TB/s, a third more where the next
// product waits for the end of this one, and more for kernels that were slower than others that move as much; the
// longest row where nobody helps with it; what comes from L2 where columns lie anywhere and the kernel does not have
// the vector in shared memory; and the pieces that rows are cut into where stripes of it are kept there.
double modelled_cost_us(const KernelInfo& kernel, const Prospect& p);

// Whether loads of the matrix that ask L2 for a share of it may gain by it: the matrix (bytes) does not fit beside x
// and y, and the share does with room to spare. True for every other policy. `l2_bytes`: 0 where not known.
bool share_fits(simt::CachePolicy matrix, double matrix_bytes, double l2_bytes);

// What to begin with: the kernel's defaults, or the start that it says is better here, products that overlap, a share
// of the matrix that is kept in L2 where it does not stay there by itself and products are warm, loads that stream
// where that leaves x no room or products are cold, as many threads for a row of blocks as its entries are worth,
// entries by stripes where columns lie anywhere, and large blocks for some kernels where the device has them. `held`
// stays.
ParamSet likely_params(const KernelInfo& kernel, const ParamSet& held, const Prospect& p, double l2_bytes);

// What won nearly as often, and differs in several parameters, so that single steps may not lead there. `likely` with
// these; empty for most kernels.
std::vector<ParamSet> other_starts(const KernelInfo& kernel, const ParamSet& held, const ParamSet& likely,
                                   const DeviceScale& device);

// Every set that differs from `at` in one parameter, which has another of the values that are worth trying
// (ParamSpec::tried and the default). `held` stays.
std::vector<ParamSet> neighbours_of(const KernelInfo& kernel, const ParamSet& held, const ParamSet& at,
                                    const DeviceScale& device);

}  // namespace warpspy
