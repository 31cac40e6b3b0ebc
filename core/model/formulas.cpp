#include "core/model/formulas.hpp"

namespace warpspy {

double mean_latency(double c1, double h1, double c2, double h2, double cd) {
  return c1 * h1 + c2 * h2 * (1 - h1) + cd * (1 - h2) * (1 - h1);
}

double balance_bytes(const Balance& s, double alpha) {
  return ((s.value_bytes + s.index_bytes) / s.beta + s.value_bytes * alpha + 2 * s.value_bytes / s.per_row) * s.nnz;
}

double balance_flops(const Balance& s) { return (2 + 3 / s.per_row) * s.nnz; }

double code_balance(const Balance& s, double alpha) { return balance_bytes(s, alpha) / balance_flops(s); }

double alpha_of(const Balance& s, double moved_bytes) {
  return (moved_bytes / s.nnz - (s.value_bytes + s.index_bytes) / s.beta - 2 * s.value_bytes / s.per_row) /
         s.value_bytes;
}

TimeSplit time_split(double constant_x, double constant_a, double constant_both) {
  return {constant_x - constant_both, constant_a - constant_both, constant_both};
}

double idle_share(double active_lanes) { return 1 - active_lanes / 32; }

}  // namespace warpspy
