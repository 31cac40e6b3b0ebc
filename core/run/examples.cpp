#include "core/run/examples.hpp"

namespace warpspy {

std::span<const Example> examples() {
  // A lesson about memory needs a matrix that does not fit into L2; the others are small.
  static const Example list[] = {
      {"A grid",
       "gen:laplace5?nx=1200&ny=1200",
       "ell",
       CacheState::cold,
       "Five entries in nearly every row: ELL needs no padding, and bytes from DRAM limit it, half of them indices.",
       {"dram_roof", "index_bytes"}},
      {"A web graph",
       "gen:powerlaw?rows=100000",
       "",
       CacheState::warm,
       "A few rows have thousands of entries: padding explodes, and threads wait for the longest row.",
       {"uneven_rows"}},
      {"An arrow",
       "gen:arrow?n=100000",
       "",
       CacheState::warm,
       "One row is as long as the matrix: one thread per row waits for it, a kernel that splits rows does not.",
       {"uneven_rows"}}};
  return list;
}

}  // namespace warpspy
