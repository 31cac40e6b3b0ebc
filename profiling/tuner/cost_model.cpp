#include "profiling/tuner/cost_model.hpp"

#include <algorithm>
#include <cmath>

#include "profiling/tuner/space.hpp"

namespace warpspy {
namespace {

constexpr double bytes_per_us = 3e6, without_overlap = 1.33;
// The time per entry if one thread processes a row's entries one after another (csr_scalar on wiki-Talk's stand-in,
// H200: 8242 us for 100,022).
constexpr double us_per_entry = 0.08;
constexpr double bytes_per_piece = 8;  // bytes for a piece's position and its sum
// Long pieces of a row need not load the vector from L2. csr_striped on rail4284's stand-in, H200, took 44 us in f32
// (pieces of 120 entries) and 63 us in f64 (61); the best of the other kernels took 82 and 88 us. With 40 entries, on a
// linear program, it is not the fastest. So its cost is lowered, and it is tried before others that read as many bytes.
// Short pieces take much longer (kron_g500-logn20's stand-in, H100: 5 and 9 times as long as csr_even).
constexpr double long_piece = 48, by_stripes = 0.7, short_pieces = 4;
// The fewest entries of a row of blocks per thread. bsr_warps had won 62 products on an H200 (docs/bench; 78 to 8000
// entries per row of blocks). In 45 of them a row had as many threads as this gives, in 16 twice or half as many.
constexpr double entries_of_thread = 11, warp_threads = 32;

// A byte from L2 costs half of a byte from DRAM. This only ranks kernels and is no bandwidth: for a draw of `random`
// (f64, 4.2 million entries, H200) sell_warps took 31 us for 53 MB and 134 MB of sectors.
constexpr double of_l2 = 0.5;

// The largest value in `tried` that is at most `wanted`; the smallest one if there is none.
double at_most(const std::vector<double>& tried, double wanted) {
  double best = *std::min_element(tried.begin(), tried.end());
  for (const double v : tried)
    if (v <= wanted) best = std::max(best, v);
  return best;
}

bool can_overlap(const KernelInfo& kernel) { return spec_of(kernel.params, "overlap") != nullptr; }

// Bytes that csr_even_striped adds to y: for each piece of a row, its sum (by an atomic) and its row. Draws of `lp` and
// `random` took as long in f32 as 5 and 10 bytes for each piece would (H200). The model assumes that columns are
// anywhere. Otherwise there are fewer pieces, and other kernels read x better.
double bytes_of_sums(const KernelInfo& kernel, const Prospect& p) {
  if (!spec_of(kernel.params, "x_kib") || p.rows <= 0) return 0;
  constexpr double of_piece = 10;
  const double kib = likely_params(kernel, {}, p, 0).at("x_kib");
  const double stripes = std::ceil(p.vector_bytes / (1024 * kib)), of_row = p.entries / p.rows;
  return stripes <= 1 ? of_piece * p.rows : of_piece * p.rows * stripes * -std::expm1(-of_row / stripes);
}

}  // namespace

double scattered_bytes(const Csr& a, index_t value_bytes) {
  constexpr index_t most_groups = 256, group = 32, sector = 32, enough_entries = 200'000;
  constexpr double few = 0.5;  // of an entry
  const index_t groups = a.rows() / group, of_group = a.nnz() / std::max<index_t>(1, groups) + 1;
  const index_t step = std::max<index_t>(1, groups / std::clamp<index_t>(enough_entries / of_group, 1, most_groups));
  index_t entries = 0, sectors = 0;
  std::vector<index_t> asked;
  for (index_t g = 0; g < groups; g += step) {
    const index_t first = a.row_ptr()[g * group], last = a.row_ptr()[(g + 1) * group];
    asked.clear();
    for (index_t k = first; k < last; ++k) asked.push_back(a.columns()[k] * value_bytes / sector);
    std::sort(asked.begin(), asked.end());
    sectors += std::unique(asked.begin(), asked.end()) - asked.begin();
    entries += last - first;
  }
  const double of_entry = entries == 0 ? 0 : static_cast<double>(sectors) / static_cast<double>(entries);
  return of_entry > few ? of_entry * static_cast<double>(a.nnz() * sector) : 0;
}

double block_rows_of(const ParamSet& format_params) {
  const auto at = format_params.find("block_rows");
  return at == format_params.end() ? 1 : at->second;
}

// The share of the matrix that L2 should keep between products leaves room for x and y, and for the next product if
// products overlap.
simt::CachePolicy likely_policy(const KernelInfo& kernel, const Prospect& p, double l2_bytes) {
  auto best = simt::CachePolicy::streaming;
  const ParamSpec* spec = spec_of(kernel.params, "matrix_cache");
  if (p.cold || !spec) return best;
  const double wanted = 0.3 * l2_bytes - p.vector_bytes;
  double off = wanted;  // keeping nothing is as far off
  for (const double value : spec->tried) {
    const auto policy = static_cast<simt::CachePolicy>(value);
    if (!simt::is_evict_last(policy) || !share_fits(policy, p.least_bytes, l2_bytes)) continue;
    const double now = std::abs(p.least_bytes * static_cast<double>(simt::evict_last_share(policy)) - wanted);
    if (now < off) best = policy, off = now;
  }
  return best;
}

double modelled_cost_us(const KernelInfo& kernel, const Prospect& p) {
  const ParamSpec* stripe = spec_of(kernel.params, "stripe_kib");
  const double stripes = stripe ? std::ceil(p.vector_bytes / (1024 * std::max(1.0, stripe->def))) : 0;
  const double pieces = p.rows * stripes;
  const bool saves = stripes > 1 && p.entries > long_piece * pieces;
  const double by_pieces = stripes <= 1 ? 1 : saves ? by_stripes : short_pieces;
  const double gathered = kernel.tags.has_all(Tag::vector_in_shared) ? 0 : of_l2 * p.scattered_bytes;
  const double bytes = by_pieces * p.least_bytes + bytes_per_piece * pieces + bytes_of_sums(kernel, p) + gathered;
  const double moving = bytes / bytes_per_us * kernel.slowdown.factor * (can_overlap(kernel) ? 1 : without_overlap);
  const ParamSpec* coop = spec_of(kernel.params, "coop");
  if (!p.rows_whole && !kernel.tags.has_all(Tag::thread_per_row) && !coop) return moving;
  return moving + p.longest_row * us_per_entry / (coop ? std::max(1.0, coop->def) : 1);
}

// A matrix up to this share of L2 stays there without a policy. On an H200 (60 MB) plain loads won in 49 of 51 cases of
// 27 to 38 MB. They won in none of 81 cases of 42 to 80 MB: in 66 of these a kept share won, in 15 streaming loads
// (docs/bench, 2026-11-26).
constexpr double most_that_stays = 0.62;

// In products that overlap, keeping 12 to 34 MB was best on an H200 (docs/performance.md).
bool share_fits(simt::CachePolicy matrix, double matrix_bytes, double l2_bytes) {
  if (!simt::is_evict_last(matrix)) return true;
  const double kept = matrix_bytes * static_cast<double>(simt::evict_last_share(matrix));
  return l2_bytes > 0 && matrix_bytes > most_that_stays * l2_bytes && 0.15 * l2_bytes < kept && kept < 0.6 * l2_bytes;
}

ParamSet likely_params(const KernelInfo& kernel, const ParamSet& held, const Prospect& p, double l2_bytes) {
  ParamSet params = start_of(kernel, held);
  const auto set = [&](const char* id, double value) {
    if (spec_of(kernel.params, id) && held.count(id) == 0) params[id] = value;
  };
  set("overlap", 1);
  if (l2_bytes > 0 && p.least_bytes > (p.cold ? 0.5 : most_that_stays) * l2_bytes)
    set("matrix_cache", static_cast<double>(likely_policy(kernel, p, l2_bytes)));
  if (p.scattered_bytes > 0) set("entries_by", 1);
  for (const Start& start : kernel.starts) {
    if (!start.first || (start.only_value_bytes != 0 && start.only_value_bytes != p.value_bytes)) continue;
    const auto there = params_on(start, kernel.params, p.device);
    if (!there) continue;
    for (const auto& [id, value] : *there) set(id.c_str(), value);
  }
  const double of_blocks = p.block_rows > 1 && p.rows > 0 ? p.entries / p.rows * p.block_rows : 0;
  if (of_blocks <= 0) return params;
  const auto set_at_most = [&](const char* id, double wanted) {
    const ParamSpec* spec = spec_of(kernel.params, id);
    if (spec && !spec->tried.empty()) set(id, at_most(spec->tried, wanted));
  };
  set_at_most("coop", of_blocks / entries_of_thread);
  set_at_most("warps", of_blocks / entries_of_thread / warp_threads);
  return params;
}

std::vector<ParamSet> other_starts(const KernelInfo& kernel, const ParamSet& held, const ParamSet& likely,
                                   const DeviceScale& device) {
  std::vector<ParamSet> sets;
  for (const Start& start : kernel.starts) {
    const auto there = start.first ? std::nullopt : params_on(start, kernel.params, device);
    if (!there) continue;
    ParamSet set = likely;
    for (const auto& [id, value] : *there)
      if (set.contains(id) && held.count(id) == 0) set[id] = value;
    if (set != likely) sets.push_back(std::move(set));
  }
  return sets;
}

std::vector<ParamSet> neighbours_of(const KernelInfo& kernel, const ParamSet& held, const ParamSet& at,
                                    const DeviceScale& device) {
  std::vector<ParamSet> sets;
  for (const ParamSpec& spec : kernel.params) {
    const auto now = at.find(spec.id);
    if (now == at.end() || held.count(spec.id) != 0 || spec.tried.empty()) continue;
    std::vector<double> values = tried_on(spec, device);
    values.push_back(spec.def);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double v = values[i];
      const bool again = std::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i), v) !=
                         values.begin() + static_cast<std::ptrdiff_t>(i);
      if (again || v == now->second || v < spec.min || v > spec.max) continue;
      sets.push_back(at);
      sets.back()[spec.id] = v;
    }
  }
  return sets;
}

}  // namespace warpspy
