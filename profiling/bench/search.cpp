#include "profiling/bench/search.hpp"

#include <algorithm>
#include <utility>

namespace warpspy {
namespace {

// Even with a small budget: families of which one candidate is tried, and steps from the fastest one.
constexpr std::size_t sure_families = 4;
constexpr int sure_steps = 4;
constexpr std::size_t waiting_families = 3;  // families that are also tried with products that wait
// As multiples of the best time: families within `close` are tuned first, those within `worse` are tuned at all.
constexpr double close = 1.12, worse = 1.35;
constexpr double launch_us = 50;                                // the longest time that consists only of the launch
constexpr double share_of_firsts = 0.5, share_of_starts = 0.7;  // shares of the budget

}  // namespace

class OneSearch {
 public:
  OneSearch(std::vector<Family> all, const SearchLimits& limits, Measure& measure)
      : all_(std::move(all)), limits_(limits), measure_(measure) {}

  Script<SearchEnd> end() {
    const double limit = in_order_of_cost(all_);
    co_await firsts(limit);
    co_await other_starts();
    co_await steps(limit);
    co_await the_rest();
    if (!limits_.every) co_await wait_for_each_other();
    SearchEnd end{std::move(trials_), 0};
    for (const Family& f : all_) end.left_out += f.left();
    std::stable_sort(end.trials.begin(), end.trials.end(), [](const Trial& a, const Trial& b) { return a.us < b.us; });
    co_return end;
  }

 private:
  bool time_left(double share = 1) const { return measure_.spent_s() < share * limits_.budget_s; }

  Script<> attempt(Family& f, std::size_t i) {
    const BenchCandidate& c = f.candidates[i];
    f.done[i] = true;
    const double far_us = far_off * std::min(limits_.rival_us, best_us_) + launch_us;
    const std::optional<double> us = co_await measure_.time(*f.kernel, c, far_us);
    if (!us) co_return;
    trials_.push_back({f.kernel, c, *us});
    best_us_ = std::min(best_us_, *us);
    if (*us < f.us) f.us = *us, f.at = i;
  }

  Script<> firsts(double limit) {
    std::size_t begun = 0;
    for (Family& f : all_) {
      if (!limits_.every && begun >= sure_families && !(f.cost <= limit && time_left(share_of_firsts))) co_return;
      co_await attempt(f, f.first);
      ++begun;
    }
  }
  // Families that are not far behind are tried with a second start before any tuning. (rajat31's stand-in, transposed,
  // took 166 us with the first parameters of csr_slots_transposed and 107 us with the second; coo_transposed took 133
  // us.)
  Script<> other_starts() {
    for (Family& f : all_) {
      if (f.us <= close * best_us_ || f.us > worse * best_us_ || f.starts.empty()) continue;
      if (time_left(share_of_starts)) co_await attempt(f, f.starts.front());
    }
  }
  Script<> steps(double limit) {
    for (int n = 0; n < sure_steps || time_left(); ++n) {
      auto next = next_step(all_, close * best_us_);
      if (!next && time_left()) next = next_family(all_, far_cost / worse_cost * limit);
      if (!next) next = next_step(all_, worse * best_us_);
      if (!next && time_left()) next = next_family(all_);
      if (!next) co_return;
      co_await attempt(*next->family, next->candidate);
    }
  }
  Script<> the_rest() {
    std::stable_sort(all_.begin(), all_.end(), [](const Family& a, const Family& b) { return a.us < b.us; });
    for (Family& f : all_)
      for (std::size_t i = 0; i < f.candidates.size() && time_left(); ++i)
        if (!f.done[i]) co_await attempt(f, i);
  }
  Script<> wait_for_each_other() {
    std::size_t families = 0;
    for (Family& f : all_) {  // the fastest first
      if (!f.timed() || families++ == waiting_families) co_return;
      const std::vector<std::size_t> waiting = waiting_of(f);
      for (const std::size_t i : waiting) co_await attempt(f, i);
    }
  }

  std::vector<Family> all_;
  const SearchLimits limits_;
  Measure& measure_;
  std::vector<Trial> trials_;
  double best_us_ = Family::never;
};

Script<SearchEnd> search_families(std::vector<Family> all, SearchLimits limits, Measure& measure) {
  OneSearch search(std::move(all), limits, measure);
  co_return co_await search.end();
}

}  // namespace warpspy
