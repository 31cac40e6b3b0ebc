#include "core/formats/hyb_rule.hpp"

#include <algorithm>

#include "core/formats/build.hpp"

namespace warpspy {
namespace {

// at_least decreases with k. Returns the largest k at which it is still at least `rows`.
index_t widest_reached_by(const Remaining& left, auto&& reached) {
  index_t low = 0, high = left.longest();
  while (low < high) {
    const index_t middle = (low + high + 1) / 2;
    (reached(middle) ? low : high) = reached(middle) ? middle : middle - 1;
  }
  return low;
}

index_t cheapest(const Remaining& left, const HybCost& cost) {
  const index_t pitch = rounded_up(left.rows(), cost.alignment), nnz = left.nnz();
  std::size_t best = SIZE_MAX;
  index_t width = 0;
  // Between two lengths that rows have, each column costs the same: none of them is better than both ends.
  for (index_t k = 0; k <= left.longest(); k = left.lengths.next(left.skip + k) - left.skip) {
    const std::size_t ell = saturating_bytes(saturating_count(pitch, k), cost.ell_slot);
    std::size_t bytes = 0;
    if (__builtin_add_overflow(ell, saturating_bytes(nnz - left.within(k), cost.coo_entry), &bytes)) break;
    if (bytes <= best) best = bytes, width = k;
  }
  return width;
}

}  // namespace

LengthSteps::LengthSteps(const std::vector<Rows>& rising) {
  index_t rows = 0;
  for (const Rows& of : rising) rows += of.count;
  steps_.push_back({0, rows, 0});
  for (const Rows& of : rising) {
    if (of.length > 0)
      steps_.push_back({of.length, rows, steps_.back().within + rows * (of.length - steps_.back().length)});
    rows -= of.count;
  }
}

std::vector<LengthSteps::Rows> LengthSteps::rows_by_length(const LengthCounts& lengths) {
  std::vector<Rows> all;
  for (index_t k = 0; k <= lengths.longest; ++k)
    if (const index_t count = lengths.rows_of_length(k); count > 0) all.push_back({k, count});
  return all;
}

std::size_t LengthSteps::step_of(index_t k) const {
  const auto shorter = [](const Step& step, index_t length) { return step.length < length; };
  return static_cast<std::size_t>(std::lower_bound(steps_.begin(), steps_.end(), k, shorter) - steps_.begin());
}

index_t LengthSteps::at_least(index_t k) const {
  const std::size_t at = step_of(k);
  return at < steps_.size() ? steps_[at].at_least : 0;
}

index_t LengthSteps::within(index_t k) const {
  const Step& step = steps_[step_of(k)];
  return step.within - step.at_least * (step.length - k);
}

index_t LengthSteps::next(index_t k) const {
  const std::size_t at = step_of(k + 1);
  return at < steps_.size() ? steps_[at].length : longest() + 1;
}

ParamSpec rule_spec() {
  return {.id = "rule",
          .label = "Cut by",
          .help =
              "How the number K of columns of the ELL part is chosen: by how many rows are that long, by the mean row "
              "length, by how much of the ELL part is filled, by the bytes of the whole, or by hand.",
          .type = ParamSpec::Type::choice,
          .min = 0,
          .max = 7,
          .choices = {"a third of the rows", "a third, at least 4096 rows", "mean length", "a third filled",
                      "fewest bytes", "hand", "mean length, rounded down", "mean length, rounded up"}};
}

ParamSpec k_spec() {
  return {.id = "k",
          .label = "K",
          .help = "Columns of the ELL part when the cut is made by hand; cut off at the longest row.",
          .type = ParamSpec::Type::integer,
          .min = 0,
          .max = 1 << 30};
}

index_t hyb_width(const Remaining& left, HybRule rule, index_t by_hand, const HybCost& cost) {
  const index_t rows = left.rows();
  if (rows == 0 || left.longest() == 0) return 0;
  const auto third = [&](index_t k) { return 3 * left.at_least(k) >= rows; };
  switch (rule) {
    case HybRule::third:
      return widest_reached_by(left, third);
    case HybRule::third4096:
      return widest_reached_by(left, [&](index_t k) { return third(k) && left.at_least(k) >= 4096; });
    case HybRule::mean:
      return std::min(left.longest(), (2 * left.nnz() + rows) / (2 * rows));
    case HybRule::mean_below:
      return std::min(left.longest(), left.nnz() / rows);
    case HybRule::mean_above:
      return std::min(left.longest(), (left.nnz() + rows - 1) / rows);
    // The share of filled slots decreases with k, as at_least does.
    case HybRule::filled:
      return widest_reached_by(left, [&](index_t k) { return 3 * left.within(k) > saturating_count(rows, k); });
    case HybRule::search:
      return cheapest(left, cost);
    case HybRule::by_hand:
      return std::min(left.longest(), by_hand);
  }
  return 0;
}

}  // namespace warpspy
