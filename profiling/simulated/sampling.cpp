#include "profiling/simulated/sampling.hpp"

#include <algorithm>
#include <cmath>

namespace warpspy {
namespace {

// 0, n/2, n/4, 3n/4, ...: numbers below n, every beginning of the list spread evenly.
std::vector<std::int64_t> spread_order(std::int64_t n) {
  std::int64_t bits = 1;
  while (bits < n) bits *= 2;
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < bits; ++i) {
    std::int64_t reversed = 0;
    for (std::int64_t b = 1, r = bits / 2; b < bits; b *= 2, r /= 2)
      if (i & b) reversed += r;
    if (reversed < n) order.push_back(reversed);
  }
  return order;
}

}  // namespace

std::vector<std::vector<std::int64_t>> Grid::blocks_of(const Slice& s) const {
  std::vector<std::vector<std::int64_t>> result(static_cast<std::size_t>(s.sms));
  for (int sm = 0; sm < s.sms; ++sm)
    for (int k = 0; k < resident; ++k) {
      const std::int64_t block = s.wave * wave() + static_cast<std::int64_t>(k) * sms + s.first_sm + sm;
      if (block < blocks) result[static_cast<std::size_t>(sm)].push_back(block);
    }
  return result;
}

std::vector<Slice> all_slices(const Grid& grid, int max_sms) {
  std::vector<Slice> slices;
  for (std::int64_t w = 0; w < grid.waves(); ++w)
    for (int sm = 0; sm < grid.sms; sm += max_sms) slices.push_back({w, sm, std::min(max_sms, grid.sms - sm)});
  return slices;
}

std::vector<Slice> sample_slices(const Grid& grid, std::int64_t blocks) {
  const std::int64_t waves =
      std::max<std::int64_t>(1, grid.blocks / grid.wave());  // whole ones: the tail is not typical
  const std::int64_t in_wave = std::min(grid.wave(), grid.blocks);
  std::vector<Slice> slices;
  if (blocks >= in_wave) {
    const std::int64_t n = std::min(waves, blocks / in_wave);
    for (const std::int64_t i : spread_order(n)) slices.push_back({(2 * i + 1) * waves / (2 * n), 0, grid.sms});
    return slices;
  }
  // Fewer than eight neighbouring SMs would make most of the sample its own edge.
  const auto busy = std::min<std::int64_t>(grid.sms, grid.blocks);
  const std::int64_t per_sm = (in_wave + busy - 1) / busy;
  const auto sms = std::max<std::int64_t>(1, blocks / per_sm);
  const std::int64_t n = std::clamp<std::int64_t>(std::min(sms, busy) / 8, 1, 4);
  const int each = static_cast<int>(std::min(sms / n, busy / n));
  for (const std::int64_t i : spread_order(n)) {
    const auto first_sm = static_cast<int>(i * busy / n);
    slices.push_back({(2 * i + 1) * waves / (2 * n), first_sm, std::max(1, each)});
  }
  return slices;
}

std::vector<double> misses_in_whole(const std::vector<SampledArray>& arrays, double l2_sectors, bool warm) {
  // Different sectors touched while a share t of the grid runs.
  const auto touched = [&](double t) {
    double sum = 0;
    for (const SampledArray& a : arrays) {
      if (a.first_touches <= a.size)
        sum += t * a.first_touches;
      else
        sum += a.size * -std::expm1(-t * a.first_touches / a.size);
    }
    return sum;
  };
  double low = 0, high = 1;
  const bool all_stay = touched(1) <= l2_sectors;
  for (int i = 0; i < 60 && !all_stay; ++i) {
    const double middle = (low + high) / 2;
    (touched(middle) <= l2_sectors ? low : high) = middle;
  }
  std::vector<double> misses;
  for (const SampledArray& a : arrays) {
    const double reused = a.first_touches - a.size;
    if (warm && all_stay)
      misses.push_back(0);
    else if (reused <= 0 || a.size <= 0)
      misses.push_back(a.first_touches);  // once per product, with more between than L2 holds
    else if (warm)
      misses.push_back(a.first_touches * std::exp(-low * a.first_touches / a.size));
    else
      misses.push_back(a.size + (all_stay ? 0 : reused * std::exp(-low * a.first_touches / a.size)));
  }
  return misses;
}

}  // namespace warpspy
