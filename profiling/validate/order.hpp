// The model of a GPU is meant for choosing a kernel. This code measures whether the model ranks kernels as the GPU
// does, and how much slower the model's choice is than the best kernel.
#pragma once

#include <string>
#include <vector>

#include "profiling/validate/compare.hpp"

namespace warpspy {

// The kernels of one matrix that multiply with A, or with its transpose, with one precision and one state of the
// caches.
struct KernelOrder {
  std::string matrix;
  Operation operation = Operation::product;
  Precision precision = Precision::f32;
  CacheState cache_state = CacheState::warm;
  int kernels = 0;     // runs with both times, at least 2; other parameters are another run
  double tau = 0;      // Kendall's tau-b of the modelled and the measured times, -1 to 1
  double regret = 0;   // measured time of the kernel that the model puts first / the shortest measured time - 1
  std::string chosen;  // the kernel that is fastest on the model
  std::string best;    // the kernel that is fastest on the GPU
};
// In the order of the runs. Matrices with fewer than two times are left out.
std::vector<KernelOrder> kernel_orders(const std::vector<ValidationRun>& runs);

// Kendall's tau-b (Kendall 1945) of two lists of equal length. It is (pairs in the same order - pairs in the opposite
// order), divided by sqrt(pairs not tied in a x pairs not tied in b). It is 0 if all numbers of a list are equal.
double kendall_tau(const std::vector<double>& a, const std::vector<double>& b);

struct OrderSummary {
  int matrices = 0;  // the number of KernelOrders
  double mean_tau = 0, least_tau = 0, mean_regret = 0, worst_regret = 0;
  bool met = false;  // whether mean tau >= 0.92, mean regret <= 5 % and worst regret <= 15 %
  std::string text;  // one line
};
OrderSummary summarise(const std::vector<KernelOrder>& orders);

// The head of its table, and one line of it; neither ends with a newline.
std::string order_head();
std::string order_line(const KernelOrder& order);

}  // namespace warpspy
