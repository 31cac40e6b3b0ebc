// What a part of a matrix does in a product or in iterations of a solve, step by step: its launches, and what it gives
// to other parts and takes from them. The emulator and CUDA devices go through the same steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/solve/iteration.hpp"

namespace warpspy {

struct PartStep {
  enum class Kind : std::uint8_t {
    launch,     // launch `which` of the part's own product or iteration
    give_halo,  // x of product `which` is complete: what other parts need of it sets out
    take_halo,  // the local product `which` is done: the halo has come, and what it gives is added
    give_sums,  // exchange `which`: the part's own numbers set out
    take_sums,  // the numbers of all other parts have come
  };
  Kind kind = Kind::launch;
  std::size_t which = 0;
  bool operator==(const PartStep&) const = default;
};

// The steps of the launches [from, to) of a plan: a product has its halo on the way while its local launches run, and
// an exchange of sums goes on beside the product behind it, until a launch that is no product. All steps are complete
// within the range.
std::vector<PartStep> part_steps(const IterationPlan& plan, std::size_t from, std::size_t to);

// One part, wherever it runs.
class PartWorker {
 public:
  virtual ~PartWorker() = default;
  virtual void launch(std::size_t index) = 0;
  virtual void give_halo(std::size_t product) = 0;
  virtual void take_halo(std::size_t product) = 0;
  virtual void give_sums(std::size_t exchange) = 0;
  virtual void take_sums(std::size_t exchange) = 0;
};
void do_step(PartWorker& part, const PartStep& step);

}  // namespace warpspy
