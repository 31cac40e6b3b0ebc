// The papers' analyses of a product as functions of numbers. core/model/analyses.hpp applies them to counters. The
// source of all except the last two is: EVC-HYB paper, sections 3.2 and 3.3. Hit rates and shares are 0..1 here.
#pragma once

#include "core/base/types.hpp"

namespace warpspy {

// Mean cycles of a load that finds its data in the first cache with probability h1, else in the second with h2, else in
// DRAM: C = c1 h1 + c2 h2 (1 - h1) + cd (1 - h2)(1 - h1). C_X with texture cache and L2, C_A with L1 and L2.
double mean_latency(double c1, double h1, double c2, double h2, double cd);

// The numbers of a product on which the code balance depends.
struct Balance {
  double nnz = 0;
  double per_row = 0;  // N_nzr = nnz / rows
  double beta = 1;     // entries / slots stored, padding included
  double value_bytes = 8, index_bytes = 4;
};
// Bytes: ((value + index) / beta + value alpha) nnz + 2 value rows. The paper's 12 / beta, 8 alpha and 16 N in f64.
double balance_bytes(const Balance& s, double alpha);
// Flops: 2 nnz + 3 rows.
double balance_flops(const Balance& s);
// B, bytes per flop.
double code_balance(const Balance& s, double alpha);
// Returns how often x comes from memory, per entry, computed from the moved bytes: balance_bytes solved for alpha. In
// f64 the paper's alpha = 1/4 (V / (2 nnz) - 6 / beta - 8 / N_nzr).
double alpha_of(const Balance& s, double moved_bytes);

// T_total = T_A + T_X + T_Y from the time of the whole product and of those without loads of x, of A, and of both.
struct TimeSplit {
  double a = 0, x = 0, y = 0;
  double total() const { return a + x + y; }
};
TimeSplit time_split(double constant_x, double constant_a, double constant_both);

// Share of a warp's 32 lanes that are idle in a mean instruction, for the divergence of Reguly & Giles 2012, Table 2.
double idle_share(double active_lanes);

}  // namespace warpspy
