#include <algorithm>

#include "profiling/tuner/policies.hpp"
#include "profiling/tuner/space.hpp"
#include "profiling/tuner/strategies.hpp"

namespace warpspy {
namespace {

struct Axis {
  ParamSpec spec;
  std::vector<double> values;
};
struct Grid {
  std::vector<Axis> axes, policies;
  std::int64_t points = 1, policy_points = 1, full = 1;  // full: before the grid was thinned
};

std::int64_t points_of(const std::vector<Axis>& axes) {
  std::int64_t n = 1;
  for (const Axis& a : axes) n = std::min<std::int64_t>(n * static_cast<std::int64_t>(a.values.size()), 1 << 30);
  return n;
}

// Removes every second value, except the ends and the default. Returns false if there was nothing to remove.
bool thin(Axis& a) {
  std::vector<double> kept;
  for (std::size_t k = 0; k < a.values.size(); ++k)
    if (k % 2 == 0 || k + 1 == a.values.size() || a.values[k] == a.spec.def) kept.push_back(a.values[k]);
  const bool shrunk = kept.size() < a.values.size();
  a.values = std::move(kept);
  return shrunk;
}

Grid grid_for(const Problem& problem) {
  Grid g;
  for (const ParamSpec& spec : turned(problem.kernel, problem.held, true))
    if (is_cache_policy(spec))
      g.policies.push_back({spec, policies_of(spec, problem.kernel, problem)});
    else
      g.axes.push_back({spec, grid_of(spec)});
  g.full = points_of(g.axes);
  g.policy_points = points_of(g.policies);
  const std::int64_t room = std::max<std::int64_t>(1, problem.most_products - (g.policy_points - 1));
  while (points_of(g.axes) > room) {
    std::vector<Axis*> longest;
    for (Axis& a : g.axes) longest.push_back(&a);
    std::stable_sort(longest.begin(), longest.end(),
                     [](const Axis* a, const Axis* b) { return a->values.size() > b->values.size(); });
    if (std::none_of(longest.begin(), longest.end(), [](Axis* a) { return thin(*a); })) break;
  }
  g.points = points_of(g.axes);
  return g;
}

// Every combination, with the last parameter changing fastest; at most the first `most`.
std::vector<ParamSet> combinations(const std::vector<Axis>& axes, ParamSet params, int most) {
  std::vector<ParamSet> all;
  std::vector<std::size_t> at(axes.size(), 0);
  while (static_cast<int>(all.size()) < most) {
    for (std::size_t k = 0; k < axes.size(); ++k) params[axes[k].spec.id] = axes[k].values[at[k]];
    all.push_back(params);
    std::size_t k = axes.size();
    while (k > 0 && ++at[k - 1] == axes[k - 1].values.size()) at[--k] = 0;
    if (k == 0) break;
  }
  return all;
}

void for_all(const KernelInfo& kernel, const std::vector<Axis>& axes, const ParamSet& params, int last,
             Search& search) {
  const std::vector<ParamSet> all = combinations(axes, params, last - search.products());
  search.announce(kernel, all);
  for (const ParamSet& p : all) search(kernel, p);
}

}  // namespace

// Cache policies would make the grid at least 16 times as large, so they are tried only at its best point.
void search_exhaustive(const Problem& problem, Search& search) {
  const Grid g = grid_for(problem);
  for_all(problem.kernel, g.axes, start_of(problem.kernel, problem.held), problem.most_products, search);
  const int on_grid = search.products();
  if (search.best_us() < Search::never && !g.policies.empty())
    for_all(problem.kernel, g.policies, ParamSet(search.best().params), problem.most_products, search);
  std::string said = std::to_string(on_grid) + " of the " + std::to_string(g.full) + " points of the grid";
  if (g.points < g.full || on_grid < g.points)
    said += " (thinned to " + std::to_string(problem.most_products) + " products)";
  if (search.products() > on_grid)
    said += ", then " + std::to_string(search.products() - on_grid) + " other cache policies at its best";
  search.note(said);
}

int most_exhaustive(const Problem& problem) {
  const Grid g = grid_for(problem);
  return static_cast<int>(std::min<std::int64_t>(problem.most_products, g.points + g.policy_points - 1));
}

}  // namespace warpspy
