// Reguly & Giles 2012, section 6: while products are computed anyway, each one tries slightly different parameters. 1.
// Halve repeat. If the time changes by more than 5 %, optimise repeat first (3), else coop (2). 2. Double coop, with
// blocks of 192 threads; if that helps, double again, else halve. 3. If halving repeat helped, halve again, else
// double. 4. Finally change blockSize in steps of 32, from 96 (f32) or 64 (f64) to 512. They do not say whether the
// other one of coop and repeat follows before step 4: here it does, while products are left. Kernels whose blocks are
// powers of two go from 128 to 256 in step 2, and halve or double in step 4. Parameters that the paper's kernel lacks
// come before step 4, in the kernel's order.
#include <algorithm>
#include <cmath>

#include "profiling/tuner/space.hpp"
#include "profiling/tuner/strategies.hpp"

namespace warpspy {
namespace {

constexpr double kNoticeable = 0.05, kMostBlock = 512;

class Walk {
 public:
  Walk(const KernelInfo& kernel, const Problem& problem, int most, Search& search)
      : kernel_(kernel),
        specs_(turned(kernel, problem.held, false)),
        search_(search),
        last_(search.products() + most),
        least_block_(problem.precision == Precision::f64 ? 64 : 96) {}

  void from(const ParamSet& start) {
    at_ = start;
    us_ = ask(start);
    const ParamSpec* coop = spec_of(specs_, "coop");
    const ParamSpec* repeat = spec_of(specs_, "repeat");
    const ParamSpec* block = spec_of(specs_, "block_size");
    const double before = us_;
    bool halving = false, repeat_first = false;
    if (const auto half = repeat ? step_of(*repeat, at_["repeat"], -1) : std::nullopt) {
      ParamSet p = at_;
      p["repeat"] = *half;
      const double us = ask(p);
      halving = us < before;
      repeat_first = std::isfinite(us) && std::isfinite(before) && std::fabs(before / us - 1) > kNoticeable;
      take(p, us);
    }
    const auto optimise_repeat = [&] {
      if (repeat) along(*repeat, halving ? -1 : 1);
    };
    if (repeat_first) optimise_repeat();
    if (coop) optimise_coop(*coop, block);
    if (!repeat_first) optimise_repeat();
    for (const ParamSpec& spec : specs_)
      if (&spec != coop && &spec != repeat && &spec != block) both_ways(spec);
    if (block) both_ways(*block);
  }

 private:
  // A product when one is left; never otherwise.
  double ask(const ParamSet& p) {
    if (search_.products() >= last_) return Search::never;
    return search_(kernel_, p);
  }
  bool take(const ParamSet& p, double us) {
    if (!(us < us_)) return false;
    at_ = p, us_ = us;
    return true;
  }
  bool move(const ParamSpec& spec, int direction) {
    const auto next = step_of(spec, at_[spec.id], direction);
    if (!next || (spec.id == "block_size" && !block_allowed(*next))) return false;
    ParamSet p = at_;
    p[spec.id] = *next;
    return take(p, ask(p));
  }
  bool along(const ParamSpec& spec, int direction) {
    bool moved = false;
    while (move(spec, direction)) moved = true;
    return moved;
  }
  void both_ways(const ParamSpec& spec) {
    if (spec.type == ParamSpec::Type::choice) {
      for (const double v : grid_of(spec)) {
        ParamSet p = at_;
        p[spec.id] = v;
        take(p, ask(p));
      }
      return;
    }
    if (!along(spec, 1)) along(spec, -1);
  }
  bool block_allowed(double threads) const { return threads >= least_block_ && threads <= kMostBlock; }
  double wider(const ParamSpec& block, double now) const {
    constexpr double of_the_paper = 192;
    const double next =
        block.type == ParamSpec::Type::multiple ? std::max(now, of_the_paper) : step_of(block, now, 1).value_or(now);
    return next <= block.max && block_allowed(next) ? next : now;
  }
  void optimise_coop(const ParamSpec& coop, const ParamSpec* block) {
    bool helped = false;
    if (const auto twice = step_of(coop, at_["coop"], 1)) {
      ParamSet p = at_;
      p["coop"] = *twice;
      if (block) p["block_size"] = wider(*block, p["block_size"]);
      helped = take(p, ask(p));
    }
    along(coop, helped ? 1 : -1);
  }

  const KernelInfo& kernel_;
  std::vector<ParamSpec> specs_;
  Search& search_;
  const int last_;
  const double least_block_;
  ParamSet at_;
  double us_ = Search::never;
};

}  // namespace

void walk(const KernelInfo& kernel, const ParamSet& start, const Problem& problem, int most, Search& search) {
  Walk(kernel, problem, most, search).from(start);
}

void search_run_time(const Problem& problem, Search& search) {
  walk(problem.kernel, fixed_rule(problem.kernel, problem), problem, kRunTimeProducts, search);
}

}  // namespace warpspy
