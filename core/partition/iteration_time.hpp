// The time of an iteration of a solve over several GPUs: its products with their halos, its updates of vectors, and its
// sums over all unknowns, for which all parts wait for each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/partition/link.hpp"

namespace warpspy {

// One kind of work after another, as all parts do it. Each list of times has one of each part, in us.
struct IterationStep {
  enum class Work : std::uint8_t {
    product,   // with the part's own x (us) while the halo travels, then with the halo (halo_us)
    vectors,   // updates of vectors
    dots,      // forms a part's share of sums
    exchange,  // adds that share up (us); then every part gets the `sums` numbers of all others, and waits for them
  };
  Work work = Work::vectors;
  std::vector<double> us, halo_us = {};
  int sums = 0;
  bool hidden = false;  // an exchange that goes on beside the next products, up to the step before it in the next round
};

// Time of an exchange of `sums` numbers among `parts` GPUs, in us, without the launch that adds up each GPU's share. In
// a round each GPU sends what it has so far to one other GPU, so that ceil(log2 parts) rounds bring everything to all
// (Bruck et al. 1997, all-to-all broadcast). Each then adds up the numbers in the same order.
double exchange_us(const Link& link, std::size_t parts, int sums, int value_bytes);

// A stretch of time of one part. `work` is "product", "dots", "updates" or "waiting".
struct PartStretch {
  const char* work = "";
  double us = 0;
};
struct IterationTime {
  std::vector<PartResult> parts;
  double us = 0;            // of the iteration
  std::size_t slowest = 0;  // the part with rows that waits least
  // Time of all exchanges' messages, and what of it no product hides.
  double messages_us = 0, exposed_us = 0;
  std::vector<PartStretch> of_slowest = {};  // its iteration, in order
};
// The steps repeat for ever. All parts begin together: behind the last exchange, or, if that is hidden, with the step
// before it. An iteration ends when all parts have all their numbers. The way of a halo begins when the part and its
// givers have reached the product. Needs an exchange; a hidden one is the only one.
IterationTime iteration_time(const Partition& p, std::span<const IterationStep> steps, const Link& link,
                             int value_bytes);

}  // namespace warpspy
