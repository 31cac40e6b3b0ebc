// The table of the steps of Newton's method, as the command line and the window show it.
#pragma once

#include <string>
#include <vector>

#include "core/solve/newton_result.hpp"

namespace warpspy {

// All steps together: iterations and times are sums, the norm is that at the end.
NewtonStep all_steps(const NewtonResult& r);
// The share (0 to 1) of the products in a step's preparation and iterations; 0 if these took no time.
double share_of_products(const NewtonStep& s);

struct NewtonRow {
  std::string name;  // "1"; "2: 0.5 y" if half of y was taken; "all" in the last row
  NewtonStep step;
};
// A row for each step, and one for all of them.
std::vector<NewtonRow> newton_rows(const NewtonResult& r);

}  // namespace warpspy
