#include "profiling/simulated/learnt_times.hpp"

#include <algorithm>
#include <numeric>

#include "profiling/simulated/time_model.hpp"

namespace warpspy {
namespace {

constexpr std::size_t bounds_told = 5;
constexpr double middle_us = 20, middle_waves = 2, middle_wait_us = 2;
constexpr double of_another_kernel = 0.1, width = 0.5;  // chosen by leaving out matrices (docs/validation.md)
constexpr double least = 0.6, most = 1.6;

// Names and numbers: a line for each product.
constexpr LearntProduct of_h100[] = {
#include "profiling/simulated/learnt_h100.inc"
};

// THE list of GPUs that were measured.
constexpr struct {
  std::string_view gpu;
  std::span<const LearntProduct> products;
} learnt[] = {
    {"h100", of_h100},
};

// From -1 for nothing by 0 for the middle to 1 for no end.
double placed(double amount, double middle) { return (amount - middle) / (amount + middle); }
double part(double one, double other) { return one + other > 0 ? one / (one + other) : 0; }

}  // namespace

std::span<const LearntProduct> learnt_products(std::string_view gpu) {
  for (const auto& one : learnt)
    if (one.gpu == gpu) return one.products;
  return {};
}

ProductTraits traits_of(const TimeEstimate& t) {
  const double bounds[bounds_told] = {std::max(t.dram, t.l2), std::max(t.requests, t.l1), t.issue, t.latency,
                                      t.atomics};
  const double squares = std::inner_product(bounds, bounds + bounds_told, bounds, 0.0);
  ProductTraits traits{};
  if (squares > 0)
    for (std::size_t b = 0; b < bounds_told; ++b) traits[b] = bounds[b] * bounds[b] / squares;
  const double rest[] = {placed(t.total, middle_us),
                         placed(t.waves, middle_waves),
                         placed(t.block_wait, middle_wait_us),
                         t.longest_wait > 0 ? t.block_wait / t.longest_wait : 0,
                         part(t.dram, t.l2),
                         part(t.requests, t.l1)};
  std::copy(std::begin(rest), std::end(rest), traits.begin() + bounds_told);
  return traits;
}

double likeness(bool same_kernel, double distance_squared) {
  return (same_kernel ? 1 : of_another_kernel) / (1 + distance_squared / (width * width));
}

double learnt_factor(std::string_view gpu, std::string_view kernel, const ProductTraits& traits) {
  double more = 0;
  for (const LearntProduct& p : learnt_products(gpu)) {
    double distance = 0;
    for (std::size_t k = 0; k < product_traits; ++k)
      distance += (traits[k] - double{p.traits[k]}) * (traits[k] - double{p.traits[k]});
    more += double{p.weight} * likeness(p.kernel == kernel, distance);
  }
  return std::clamp(1 + more, least, most);
}

}  // namespace warpspy
