#include "profiling/bench/finals.hpp"

#include <map>
#include <set>
#include <utility>

namespace warpspy {
namespace {

constexpr int most_of_policy = 2;
constexpr std::size_t other_loads = 3;
// Candidates slower than this multiple of the fastest trial cannot win.
constexpr double hopeless_warm = 2, hopeless_cold = 3;

simt::CachePolicy policy_of(const Trial& t) { return t.kernel->common_of(t.candidate.params).matrix(); }

}  // namespace

// The fastest so far.
class Fastest {
 public:
  explicit Fastest(const Again& again) : again_(again) {}
  // Returns false if it failed.
  Script<bool> attempt(const Trial& t) {
    const std::optional<double> us = co_await again_(t);
    if (us && (!trial || *us < trial->us)) {
      trial = t;
      trial->us = *us;
    }
    co_return us.has_value();
  }
  std::optional<Trial> trial;

 private:
  const Again& again_;
};

Script<std::optional<Trial>> fastest_warm(const std::vector<Trial>& trials, std::size_t most, const Again& again) {
  Fastest fastest(again);
  std::size_t seen = 0;
  std::map<std::pair<const KernelRow*, simt::CachePolicy>, int> seen_of;
  for (const Trial& t : trials) {
    if (seen == most || (fastest.trial && t.us > hopeless_warm * trials.front().us)) break;
    int& of_policy = seen_of[{t.kernel, policy_of(t)}];
    if (of_policy >= most_of_policy) continue;
    if (co_await fastest.attempt(t)) ++seen, ++of_policy;
  }
  co_return fastest.trial;
}

Script<std::optional<Trial>> fastest_cold(const std::vector<Trial>& trials, std::size_t most_kernels,
                                          const Again& again) {
  Fastest fastest(again);
  std::set<const KernelRow*> seen;
  for (const Trial& t : trials) {
    if (simt::is_evict_last(policy_of(t))) continue;  // with cold caches L2 has kept nothing
    if (seen.size() == most_kernels || (fastest.trial && t.us > hopeless_cold * trials.front().us)) break;
    if (seen.contains(t.kernel)) continue;
    if (co_await fastest.attempt(t)) seen.insert(t.kernel);
  }
  if (!fastest.trial) co_return std::nullopt;
  const KernelRow* kernel = fastest.trial->kernel;
  std::set<simt::CachePolicy> policies{policy_of(*fastest.trial)};
  for (const Trial& t : trials) {
    const simt::CachePolicy policy = policy_of(t);
    if (t.kernel != kernel || simt::is_evict_last(policy) || policies.size() > other_loads || policies.contains(policy))
      continue;
    if (co_await fastest.attempt(t)) policies.insert(policy);
  }
  co_return fastest.trial;
}

}  // namespace warpspy
