#include "profiling/simulated/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <span>

namespace warpspy {
namespace {

// Blocks whose work depends on their place in the grid, as for DIA, need many places.
constexpr std::int64_t most_places = 16;

// n/2, 0, 3n/4, n/4, ...: numbers below n, in an order in which every beginning of the list is spread evenly.
std::vector<std::int64_t> spread_order(std::int64_t n) {
  std::int64_t bits = 1;
  while (bits < n) bits *= 2;
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < bits; ++i) {
    std::int64_t reversed = 0;
    for (std::int64_t b = 1, r = bits / 2; b < bits; b *= 2, r /= 2)
      if (i & b) reversed += r;
    if (reversed < n) order.push_back((reversed + n / 2) % n);
  }
  return order;
}

// `sms` SMs of each of `n` waves, other SMs in each.
std::vector<Slice> slices_of(const Grid& grid, std::int64_t n, int sms) {
  const std::int64_t waves = n == grid.waves() ? n : grid.blocks / grid.wave();  // the last one with all of them only
  std::vector<Slice> slices;
  for (const std::int64_t i : spread_order(n)) {
    const auto middle = static_cast<int>((2 * i + 1) * grid.sms / (2 * n));
    slices.push_back({(2 * i + 1) * waves / (2 * n), std::clamp(middle - sms / 2, 0, grid.sms - sms), sms});
  }
  return slices;
}

std::int64_t blocks_in(const Grid& grid, const std::vector<Slice>& slices) {
  std::int64_t sum = 0;
  for (const Slice& s : slices)
    for (const auto& sm : grid.blocks_of(s)) sum += static_cast<std::int64_t>(sm.size());
  return sum;
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

std::vector<Slice> sample_slices(const Grid& grid, std::int64_t blocks, std::int64_t fewest) {
  const std::int64_t waves =
      std::max<std::int64_t>(1, grid.blocks / grid.wave());  // whole ones: the tail is not typical
  const std::int64_t in_wave = std::min(grid.wave(), grid.blocks);
  std::vector<Slice> slices;
  // A few whole waves would be few places, and rows may differ elsewhere. So the sample has parts of more waves.
  const std::int64_t places = std::min({most_places, grid.waves(), blocks / (fewest * grid.resident)});
  if (const std::int64_t n = places; blocks >= in_wave && blocks / in_wave < n) {
    auto sms = static_cast<int>(n == grid.waves() ? blocks * grid.sms / grid.blocks : blocks / (n * grid.resident));
    // In the last wave, neighbouring SMs may have more than their share.
    do slices = slices_of(grid, n, sms--);
    while (blocks_in(grid, slices) > blocks);
    return slices;
  }
  if (blocks >= in_wave) {
    const std::int64_t n = std::min(waves, blocks / in_wave);
    for (const std::int64_t i : spread_order(n)) slices.push_back({(2 * i + 1) * waves / (2 * n), 0, grid.sms});
    return slices;
  }
  const std::int64_t busy = grid.busy_sms();
  const auto sms = std::max<std::int64_t>(1, blocks / grid.blocks_of_sm());
  const std::int64_t n = std::clamp<std::int64_t>(std::min(sms, busy) / fewest, 1, most_places);
  const int each = std::max(1, static_cast<int>(std::min(sms / n, busy / n)));
  for (const std::int64_t i : spread_order(n)) {
    const std::int64_t middle = (2 * i + 1) * busy / (2 * n);
    slices.push_back({(2 * i + 1) * waves / (2 * n), static_cast<int>(middle) - each / 2, each});
  }
  return slices;
}

std::vector<std::int64_t> spread(std::int64_t length, std::int64_t n, double step) {
  std::vector<std::int64_t> places;
  for (double at = step; static_cast<std::int64_t>(places.size()) < n; at += step, at -= std::floor(at))
    places.push_back(static_cast<std::int64_t>(at * static_cast<double>(length)));
  return places;
}

std::vector<std::int64_t> spread_blocks(std::int64_t grid, std::int64_t n) {
  constexpr double golden = 0.6180339887498949;
  std::vector<std::int64_t> blocks;
  // It reaches each of them in fewer than three times as many steps.
  for (const std::int64_t block : spread(grid, 3 * std::min(n, grid), golden)) {
    if (static_cast<std::int64_t>(blocks.size()) == n) break;
    if (std::find(blocks.begin(), blocks.end(), block) == blocks.end()) blocks.push_back(block);
  }
  return blocks;
}

double scale_by_size(const std::vector<double>& sizes, std::span<const std::int64_t> ran, double part,
                     std::int64_t blocks) {
  const double by_number =
      static_cast<double>(blocks) / (part * static_cast<double>(std::max<std::size_t>(1, ran.size())));
  if (std::ssize(sizes) != blocks) return by_number;
  double all = 0, own = 0;
  for (const double size : sizes) all += size;
  for (const std::int64_t block : ran) own += part * sizes[static_cast<std::size_t>(block)];
  return own > 0 ? all / own : by_number;
}

std::vector<double> like_each(const std::vector<double>& sizes, std::span<const std::int64_t> ran,
                              std::int64_t blocks) {
  const auto number = static_cast<double>(blocks);
  std::vector<double> like(ran.size(), number / static_cast<double>(std::max<std::size_t>(1, ran.size())));
  if (std::ssize(sizes) != blocks) return like;
  struct Class {
    double all = 0, ran = 0;  // sizes
  };
  const auto class_of = [&](std::int64_t block) {
    return std::ilogb(std::max(1.0, sizes[static_cast<std::size_t>(block)]));
  };
  std::map<int, Class> classes;
  for (std::int64_t block = 0; block < blocks; ++block)
    classes[class_of(block)].all += sizes[static_cast<std::size_t>(block)];
  for (const std::int64_t block : ran) classes[class_of(block)].ran += sizes[static_cast<std::size_t>(block)];
  // If no block of a class ran, the next lower class with one counts for it, or else the next higher one.
  const auto tells = [](const auto& c) { return c.second.ran > 0; };
  for (auto c = classes.begin(); c != classes.end(); ++c) {
    if (tells(*c)) continue;
    const auto below = std::find_if(std::reverse_iterator(c), classes.rend(), tells);
    const auto above = std::find_if(c, classes.end(), tells);
    if (below != classes.rend())
      below->second.all += c->second.all;
    else if (above != classes.end())
      above->second.all += c->second.all;
  }
  double sum = 0;
  for (std::size_t i = 0; i < ran.size(); ++i) {
    const Class& c = classes[class_of(ran[i])];
    if (c.ran > 0) like[i] = c.all / c.ran;
    sum += like[i];
  }
  for (double& of : like) of *= number / sum;
  return like;
}

KeptShare kept_in_l2(double footprint, double l2_sectors, bool one_wave) {
  struct Row {
    double of_l2;  // footprint / what L2 holds
    KeptShare kept;
  };
  constexpr Row of_one[] = {
      {0.9, {1, 1}}, {0.954, {0.99, 0.99}}, {1.145, {0.54, 0.54}}, {1.335, {0.03, 0.03}}, {1.4, {0, 0}}};
  constexpr Row of_many[] = {{0.6, {1, 1}},       {0.7, {0.98, 0.99}},  {0.8, {0.865, 0.94}}, {0.9, {0.72, 0.885}},
                             {1.0, {0.56, 0.80}}, {1.1, {0.285, 0.42}}, {1.2, {0.04, 0.07}},  {1.3, {0, 0}}};
  if (footprint <= 0) return {1, 1};
  if (l2_sectors <= 0) return {};
  const double of_l2 = footprint / l2_sectors;
  const std::span<const Row> rows = one_wave ? std::span<const Row>(of_one) : of_many;
  if (of_l2 <= rows[0].of_l2) return rows[0].kept;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const Row &from = rows[i - 1], &to = rows[i];
    if (of_l2 > to.of_l2) continue;
    const double part = (of_l2 - from.of_l2) / (to.of_l2 - from.of_l2);
    return {std::lerp(from.kept.near, to.kept.near, part), std::lerp(from.kept.either, to.kept.either, part)};
  }
  return {};
}

WholeMisses misses_in_whole(const std::vector<SampledArray>& arrays, double l2_sectors, bool warm, bool one_wave) {
  // Distinct sectors accessed while a share t of the grid runs; in the whole grid min(first touches, size) of an array.
  const auto touched = [&](double t) {
    double sum = 0;
    for (const SampledArray& a : arrays) {
      const double often = a.size > 0 ? a.first_touches / a.size : 0;
      sum += a.kept * (often <= 1 ? t * a.first_touches : a.size * std::expm1(-t * often) / std::expm1(-often));
    }
    return sum;
  };
  double low = 0, high = 1;
  const bool all_stay = touched(1) <= l2_sectors;
  for (int i = 0; i < 60 && !all_stay; ++i) {
    const double middle = (low + high) / 2;
    (touched(middle) <= l2_sectors ? low : high) = middle;
  }
  if (all_stay) low = 1;
  WholeMisses misses;
  misses.again = kept_in_l2(touched(1), l2_sectors, one_wave);
  const KeptShare kept = warm ? misses.again : KeptShare{};
  misses.kept = kept.either;
  for (const SampledArray& a : arrays) {
    const double often = a.size > 0 ? a.first_touches / a.size : 0;
    double missed = a.first_touches;  // once per product, after the rest of the product
    if (often > 1) {
      const double too_late = std::exp(-low * (warm ? often - 1 : often));
      missed = warm ? a.first_touches * too_late : a.size + (all_stay ? 0 : (a.first_touches - a.size) * too_late);
    }
    misses.dram.push_back((1 - kept.either * a.kept) * missed);
    misses.l2.push_back((1 - kept.near * a.kept) * missed);
  }
  return misses;
}

}  // namespace warpspy
