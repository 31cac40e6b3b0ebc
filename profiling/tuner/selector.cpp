// Chooses a format and a kernel, and then the parameters: the model proposes, measured products decide.
#include <algorithm>
#include <cstdio>

#include "profiling/tuner/policies.hpp"
#include "profiling/tuner/space.hpp"
#include "profiling/tuner/strategies.hpp"

namespace warpspy {
namespace {

constexpr std::size_t kFormats = 3;  // the most formats to convert to

// The kernels of the formats that read and write the fewest bytes, in that order.
std::vector<Contender> finalists(const Problem& problem) {
  std::vector<Contender> ranked = problem.alternatives;
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.minimum_bytes < b.minimum_bytes; });
  std::vector<Contender> chosen;
  std::set<std::string> formats;
  for (const Contender& a : ranked) {
    if (formats.count(a.kernel.format) == 0 && formats.size() == kFormats) continue;
    formats.insert(a.kernel.format);
    chosen.push_back(a);
  }
  return chosen;
}

std::string megabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g MB", bytes * 1e-6);
  return text;
}

// Tries one cache policy after another at the best parameters.
void try_policies(const KernelInfo& kernel, const Problem& problem, Search& search) {
  for (const ParamSpec& spec : turned(kernel, problem.held, true)) {
    if (!is_cache_policy(spec)) continue;
    const ParamSet at = search.best().params;
    for (const double v : policies_of(spec, kernel, problem)) {
      ParamSet p = at;
      p[spec.id] = v;
      search(kernel, p);
    }
  }
}

}  // namespace

void search_selector(const Problem& problem, Search& search) {
  std::string said, last;
  const std::vector<Contender> list = finalists(problem);
  for (const Contender& a : list) {
    if (a.kernel.format != last)
      said += (said.empty() ? "" : ", ") + a.kernel.format + " " + megabytes(a.minimum_bytes);
    last = a.kernel.format;
    search(a.kernel, fixed_rule(a.kernel, problem));
  }
  search.note("least bytes by the model: " + (said.empty() ? "no format can hold this matrix" : said));
  for (const std::string& reason : problem.left_out) search.note("left out: " + reason);
  const auto winner =
      std::find_if(list.begin(), list.end(), [&](const Contender& a) { return a.kernel.id == search.best().kernel; });
  if (winner == list.end()) return;
  // The walk asks for its start again; its time is remembered, so it costs nothing.
  walk(winner->kernel, search.best().params, problem, kRunTimeProducts - 1, search);
  try_policies(winner->kernel, problem, search);
}

int most_selector(const Problem& problem) {
  return static_cast<int>(finalists(problem).size()) + kRunTimeProducts - 1 + kMostPolicies - 2;
}

}  // namespace warpspy
