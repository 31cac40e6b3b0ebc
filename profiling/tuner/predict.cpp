// A choice within little time. The kernels with the lowest modelled cost are tried, each with likely parameters. Then
// the two fastest are improved one step at a time, as long as that helps.
#include <algorithm>

#include "profiling/tuner/cost_model.hpp"
#include "profiling/tuner/policies.hpp"
#include "profiling/tuner/strategies.hpp"

namespace warpspy {
namespace {

// How many kernels are tried, how many of these need no conversion, and how many are improved.
constexpr std::size_t kFirst = 8, kUnconverted = 3, kClimbers = 2;
constexpr double kWorse = 1.35;  // kernels slower than this multiple of the best are not tuned
constexpr int kSteps = 24;       // steps for a kernel that is tuned
constexpr int kStarts = 3;       // the most starts of a kernel besides the likely one

Prospect prospect_of(const Problem& problem, const Contender& c) {
  return {.least_bytes = c.minimum_bytes,
          .longest_row = static_cast<double>(problem.longest_row),
          .rows_whole = c.rows_whole,
          .rows = static_cast<double>(problem.rows),
          .vector_bytes = static_cast<double>(problem.cols) * bytes_of(problem.precision),
          .entries = static_cast<double>(problem.nnz),
          .scattered_bytes = problem.scattered_bytes,
          .block_rows = c.block_rows,
          .value_bytes = static_cast<double>(bytes_of(problem.precision)),
          .device = problem.device,
          .cold = problem.cold};
}

std::vector<Contender> short_list(const Problem& problem) {
  std::vector<Contender> list = problem.alternatives;
  const auto cost = [&](const Contender& c) { return modelled_cost_us(c.kernel, prospect_of(problem, c)); };
  std::stable_sort(list.begin(), list.end(), [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
  // Kernels that can be tried soon come first, and some of them are always tried.
  const auto converted = std::stable_partition(list.begin(), list.end(), [](const auto& c) { return !c.converted; });
  const auto without = std::min(static_cast<std::size_t>(converted - list.begin()), kUnconverted);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(without), converted);
  if (list.size() > kFirst) list.resize(kFirst);
  return list;
}

// Takes every step that helps, starting from `at`, which took `us`.
void climb(const KernelInfo& kernel, const Problem& problem, ParamSet at, double us, Search& search) {
  const int last = search.products() + kSteps;
  for (bool better = true; better;) {
    better = false;
    for (const ParamSet& next : neighbours_of(kernel, problem.held, at, problem.device)) {
      if (search.products() >= last) return;
      if (!shares_fit(kernel, next, problem)) continue;
      const double t = search(kernel, next);
      if (!(t < us)) continue;
      at = next, us = t, better = true;
      break;  // the other candidates are neighbours of a worse point
    }
  }
}

}  // namespace

void search_predict(const Problem& problem, Search& search) {
  struct Tried {
    const Contender* contender;
    ParamSet params;
    double us;
  };
  const std::vector<Contender> list = short_list(problem);
  std::vector<Tried> tried;
  std::string said;
  for (const Contender& c : list) {
    said += (said.empty() ? "" : ", ") + c.kernel.id;
    ParamSet params = likely_params(c.kernel, problem.held, prospect_of(problem, c), problem.l2_bytes);
    const double us = search(c.kernel, params);
    tried.push_back({&c, std::move(params), us});
  }
  search.note("most promising by the matrix's statistics: " + (said.empty() ? "no kernel" : said));
  std::stable_sort(tried.begin(), tried.end(), [](const Tried& a, const Tried& b) { return a.us < b.us; });
  for (std::size_t i = 0; i < std::min(kClimbers, tried.size()); ++i) {
    Tried& t = tried[i];
    if (t.us == Search::never || t.us > kWorse * tried[0].us) continue;
    const KernelInfo& kernel = t.contender->kernel;
    for (const ParamSet& start : other_starts(kernel, problem.held, t.params, problem.device))
      if (const double us = search(kernel, start); us < t.us) t.params = start, t.us = us;
    climb(kernel, problem, t.params, t.us, search);
  }
}

int most_predict(const Problem& problem) {
  const std::size_t list = std::min(kFirst, problem.alternatives.size());
  return static_cast<int>(list) + (kSteps + kStarts) * static_cast<int>(std::min(kClimbers, list));
}

}  // namespace warpspy
