// What a run over several GPUs tells of one of them: a part of the matrix, and where the time of its product goes.
#pragma once

#include "core/base/types.hpp"

namespace warpspy {

// Counts are facts of the partition. Times are of one product, or of one iteration of a solve; in us, with the
// provenance of the run. The products of an iteration are added up.
struct PartResult {
  index_t rows = 0, entries = 0;
  index_t boundary_rows = 0;          // rows with entries in the halo
  index_t halo_in = 0, halo_out = 0;  // numbers of x that the part gets from others, and that it gives to others
  index_t messages = 0, sent = 0;     // from how many parts it gets some, and to how many it gives some
  double local_us = 0;                // the product with the part's own x
  double link_us = 0;                 // until the halo has arrived
  double waiting_us = 0;              // from the end of the local product until then; 0 if the halo was there before
  double halo_us = 0;                 // the product with the halo
  // Of a solve. In a sum over all unknowns a part waits for slower parts and for the messages of the sum.
  double vectors_us = 0;       // launches that update vectors
  double dots_us = 0;          // launches that form its share of the sums, unless a product hides them
  double dots_waiting_us = 0;  // waiting in the sums
  double time_us = 0;          // local_us + waiting_us + halo_us + vectors_us + dots_us + dots_waiting_us
  bool operator==(const PartResult&) const = default;
};

// Whether others wait for `a` rather than for `b`: of a product the part that takes longer. In an iteration of a solve
// all parts end together; there it is the one that waits less, if it has rows.
inline bool is_slower(const PartResult& a, const PartResult& b, bool of_solve) {
  if (!of_solve) return a.time_us > b.time_us;
  if ((a.rows == 0) != (b.rows == 0)) return b.rows == 0;
  return a.waiting_us + a.dots_waiting_us < b.waiting_us + b.dots_waiting_us;
}

}  // namespace warpspy
