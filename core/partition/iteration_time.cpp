#include "core/partition/iteration_time.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpspy {
namespace {

using Work = IterationStep::Work;

// The clocks of all parts, from the begin of an iteration on.
class Clocks {
 public:
  Clocks(const Partition& p, const Link& link, int value_bytes)
      : partition_(p),
        link_(link),
        value_bytes_(value_bytes),
        link_us_(p.parts.size()),
        now_(p.parts.size()),
        stretches_(p.parts.size()) {
    result_.parts = travelling_parts(p, link, value_bytes);
    for (std::size_t k = 0; k < now_.size(); ++k) link_us_[k] = std::exchange(result_.parts[k].link_us, 0);
  }
  void go(const IterationStep& step) {
    switch (step.work) {
      case Work::product:
        return product(step);
      case Work::vectors:
        return each(step, "updates", &PartResult::vectors_us);
      case Work::dots:
        return each(step, "dots", &PartResult::dots_us);
      case Work::exchange:
        return exchange(step);
    }
  }
  IterationTime end() {
    const double worked = latest();
    wait_until(std::max(worked, numbers_there_));
    result_.us = latest();
    result_.exposed_us += result_.us - worked;
    const auto slowest = std::min_element(result_.parts.begin(), result_.parts.end(),
                                          [](const auto& a, const auto& b) { return is_slower(a, b, true); });
    result_.slowest = static_cast<std::size_t>(slowest - result_.parts.begin());
    result_.of_slowest = std::move(stretches_[result_.slowest]);
    for (PartResult& r : result_.parts)
      r.time_us = r.local_us + r.waiting_us + r.halo_us + r.vectors_us + r.dots_us + r.dots_waiting_us;
    return std::move(result_);
  }

 private:
  double latest() const { return *std::max_element(now_.begin(), now_.end()); }
  // What a part does next; nothing if it takes no time.
  void spend(std::size_t k, const char* work, double us, double PartResult::* what) {
    result_.parts[k].*what += us;
    now_[k] += us;
    if (us > 0) stretches_[k].push_back({work, us});
  }
  void each(const IterationStep& step, const char* work, double PartResult::* what) {
    for (std::size_t k = 0; k < now_.size(); ++k) spend(k, work, step.us[k], what);
  }
  void product(const IterationStep& step) {
    const std::vector<double> begun = now_;
    for (std::size_t k = 0; k < now_.size(); ++k) {
      PartResult& r = result_.parts[k];
      double sent = begun[k];
      for (const HaloIn& in : partition_.parts[k].in) sent = std::max(sent, begun[static_cast<std::size_t>(in.from)]);
      const double done = begun[k] + step.us[k],
                   there = partition_.parts[k].in.empty() ? done : std::max(done, sent + link_us_[k]);
      r.link_us += link_us_[k];
      spend(k, "product", step.us[k], &PartResult::local_us);
      spend(k, "waiting", there - done, &PartResult::waiting_us);
      spend(k, "product", step.halo_us[k], &PartResult::halo_us);
    }
  }
  void exchange(const IterationStep& step) {
    const double messages = exchange_us(link_, now_.size(), step.sums, value_bytes_);
    result_.messages_us += messages;
    if (step.hidden) {
      double added_up = 0;
      for (std::size_t k = 0; k < now_.size(); ++k) added_up = std::max(added_up, now_[k] + step.us[k]);
      numbers_there_ = added_up + messages;
      return;
    }
    each(step, "dots", &PartResult::dots_us);
    result_.exposed_us += messages;
    wait_until(latest() + messages);
  }
  void wait_until(double time) {
    for (std::size_t k = 0; k < now_.size(); ++k) {
      spend(k, "waiting", time - now_[k], &PartResult::dots_waiting_us);
      now_[k] = time;  // of all parts the same
    }
  }

  const Partition& partition_;
  const Link& link_;
  int value_bytes_;
  std::vector<double> link_us_, now_;
  std::vector<std::vector<PartStretch>> stretches_;
  double numbers_there_ = 0;  // of a hidden exchange
  IterationTime result_;
};

}  // namespace

double exchange_us(const Link& link, std::size_t parts, int sums, int value_bytes) {
  const auto others = static_cast<double>(parts) - 1;
  return travel_us(link, std::ceil(std::log2(static_cast<double>(parts))), others * sums * value_bytes);
}

IterationTime iteration_time(const Partition& p, std::span<const IterationStep> steps, const Link& link,
                             int value_bytes) {
  const auto exchange =
      std::find_if(steps.rbegin(), steps.rend(), [](const IterationStep& s) { return s.work == Work::exchange; });
  if (exchange == steps.rend()) throw Error("an iteration without sums over all unknowns is no iteration");
  const auto last = static_cast<std::size_t>(steps.rend() - exchange) - 1;
  const std::size_t first = exchange->hidden ? last + steps.size() - 1 : last + 1;
  Clocks clocks(p, link, value_bytes);
  for (std::size_t k = 0; k < steps.size(); ++k) clocks.go(steps[(first + k) % steps.size()]);
  return clocks.end();
}

}  // namespace warpspy
