// What the model is for is to choose: whether it puts kernels in the order that the GPU puts them in, and what it costs
// to follow it.
#pragma once

#include <string>
#include <vector>

#include "profiling/validate/compare.hpp"

namespace warpspy {

// The kernels of one matrix, with one precision and one state of the caches.
struct KernelOrder {
  std::string matrix;
  Precision precision = Precision::f32;
  CacheState cache_state = CacheState::warm;
  int kernels = 0;     // runs with a measured and a modelled time, parameters apart; 2 or more
  double tau = 0;      // Kendall's tau-b of the two times, -1 to 1
  double regret = 0;   // measured time of the model's best / the least measured time - 1
  std::string chosen;  // the model's best
  std::string best;    // the GPU's
};
// In the order of the runs. A matrix with fewer than two times is left out.
std::vector<KernelOrder> kernel_orders(const std::vector<ValidationRun>& runs);

// Kendall's tau-b (Kendall 1945): pairs in the same order less pairs in the other, over all pairs, those that are equal
// in one of the two taken out of it. 0 where one of the two is all equal. As many numbers in both.
double kendall_tau(const std::vector<double>& a, const std::vector<double>& b);

struct OrderSummary {
  int matrices = 0;  // orders, that is
  double mean_tau = 0, least_tau = 0, mean_regret = 0, worst_regret = 0;
  bool met = false;  // mean tau >= 0.92, mean regret <= 5 %, worst <= 15 %
  std::string text;  // one line
};
OrderSummary summarise(const std::vector<KernelOrder>& orders);

// A line of its table, without the end of the line; and the one above it.
std::string order_head();
std::string order_line(const KernelOrder& order);

}  // namespace warpspy
