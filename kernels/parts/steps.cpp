#include "kernels/parts/steps.hpp"

namespace warpspy {
namespace {

// Whether a product begins with this launch: the launch before it ends another product, or is none.
bool begins_product(const IterationPlan& plan, std::size_t launch, std::size_t product) {
  if (plan.parts[launch] != SolvePart::product || product >= plan.product_ends.size()) return false;
  if (launch == 0 || plan.parts[launch - 1] != SolvePart::product) return true;
  return product > 0 && plan.product_ends[product - 1] == launch - 1;
}

}  // namespace

std::vector<PartStep> part_steps(const IterationPlan& plan, std::size_t from, std::size_t to) {
  using Kind = PartStep::Kind;
  std::vector<PartStep> steps;
  std::size_t product = 0, exchange = 0;
  while (product < plan.product_ends.size() && plan.product_ends[product] < from) ++product;
  while (exchange < plan.exchanges.size() && plan.exchanges[exchange].launch < from) ++exchange;
  std::size_t taken = exchange;  // the exchanges before it have been taken; at most one more has been given
  bool in_product = false;
  const auto take = [&] {
    if (taken < exchange) steps.push_back({Kind::take_sums, taken++});
  };
  for (std::size_t launch = from; launch < to; ++launch) {
    if (!in_product && begins_product(plan, launch, product)) {
      steps.push_back({Kind::give_halo, product});
      in_product = true;
    }
    if (!in_product) take();
    steps.push_back({Kind::launch, launch});
    if (in_product && plan.product_ends[product] == launch) {
      steps.push_back({Kind::take_halo, product++});
      in_product = false;
    }
    if (exchange < plan.exchanges.size() && plan.exchanges[exchange].launch == launch) {
      steps.push_back({Kind::give_sums, exchange++});
    }
  }
  take();
  return steps;
}

void do_step(PartWorker& part, const PartStep& step) {
  using Kind = PartStep::Kind;
  switch (step.kind) {
    case Kind::launch:
      return part.launch(step.which);
    case Kind::give_halo:
      return part.give_halo(step.which);
    case Kind::take_halo:
      return part.take_halo(step.which);
    case Kind::give_sums:
      return part.give_sums(step.which);
    case Kind::take_sums:
      return part.take_sums(step.which);
  }
}

}  // namespace warpspy
