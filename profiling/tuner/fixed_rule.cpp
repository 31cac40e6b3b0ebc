#include <algorithm>
#include <cmath>

#include "core/model/bytes.hpp"
#include "profiling/tuner/space.hpp"
#include "profiling/tuner/strategies.hpp"

namespace warpspy {
namespace {

constexpr int kBlocks = 1500;  // the fewest blocks, if the matrix is large enough

}  // namespace

// Reguly & Giles 2012, section 5.4: blockSize = 128. coop is the smallest power of two larger than the square root of
// the mean row length, at most a warp. repeat is the largest value with at least 1500 blocks, since more rows per block
// reuse more of x (section 5.2).
ParamSet fixed_rule(const KernelInfo& kernel, const Problem& problem) {
  ParamSet params = start_of(kernel, problem.held);
  const std::vector<ParamSpec> specs = turned(kernel, problem.held, false);
  const auto set = [&](const char* id, double value) {
    if (const ParamSpec* spec = spec_of(specs, id)) params[id] = std::clamp(value, spec->min, spec->max);
  };
  const ParamSpec* coop_spec = spec_of(kernel.params, "coop");
  // The rule is for the kernel of their figure 3. Other kernels keep their defaults.
  if (!coop_spec || problem.rows == 0) return params;
  set("block_size", 128);
  const double root = std::sqrt(static_cast<double>(problem.nnz) / static_cast<double>(problem.rows));
  double coop = 1;
  while (coop <= root && coop < 32) coop *= 2;
  set("coop", coop);
  const auto at = params.find("block_size");
  if (at == params.end()) return params;
  const int threads = static_cast<int>(params["coop"]), block = static_cast<int>(at->second);
  // Equation 5: blocks = 1 + (rows * coop - 1) / (repeat * blockSize).
  const index_t repeat = (problem.rows * threads - 1) / (static_cast<index_t>(kBlocks - 1) * block);
  set("repeat", static_cast<double>(std::max<index_t>(1, repeat)));
  return params;
}

void search_fixed_rule(const Problem& problem, Search& search) {
  search(problem.kernel, fixed_rule(problem.kernel, problem));
}

}  // namespace warpspy
