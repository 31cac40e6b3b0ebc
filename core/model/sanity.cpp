#include "core/model/sanity.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/numbers.hpp"

namespace warpspy {
namespace {

constexpr double rounding = 1.005;

std::string number(double v, const char* unit) {
  char text[48];
  std::snprintf(text, sizeof text, std::abs(v) >= 1000 ? "%.0f %s" : "%.3g %s", v, unit);
  return text;
}

const double* value_of(const RunRecord& run, const char* id) {
  const Counter* c = run.counter(id);
  return c && c->value ? &*c->value : nullptr;
}

// Constant loads do not take place, so no bytes are compulsory.
bool reads_everything(const RunRecord& run) {
  for (const char* id : {"x_cache", "matrix_cache"}) {
    const auto at = run.request.params.find(id);
    if (at != run.request.params.end() && at->second == 4) return false;
  }
  return true;
}

void above_roofs(const RunRecord& run, const std::vector<Roof>& roofs, std::vector<SanityFinding>& found) {
  const auto roof_of = [&](Level level) {
    double most = 0;
    for (const Roof& r : roofs)
      if (r.level == level) most = std::max(most, r.value);
    return most;
  };
  for (const MemoryLevel& l : memory_levels) {
    const double roof = roof_of(l.level);
    const double* bytes = value_of(run, l.counter);
    const bool minimum = !bytes && l.level == Level::dram;
    const double moved = bytes ? *bytes : minimum ? run.minimum_bytes.value : 0;
    const double gbs = moved / run.time.value * 1e-3;
    if (!(roof > 0) || gbs <= roof * rounding) continue;
    const std::string rate = number(gbs, "GB/s") + " is above the " + l.name + " roof of " + number(roof, "GB/s");
    found.push_back({"above_roof", minimum ? "Moving each array once in this time would take " + rate +
                                                 ": a cache still held part of it from the product before."
                                           : "The " + std::string(l.name) + " traffic over the time, " + rate +
                                                 ": bytes and time do not belong to the same state of the caches or "
                                                 "clocks, or the roof is too low for this access pattern."});
  }
  const double peak = roof_of(Level::compute);
  const double gflops = flops_of(run, FlopCount::executed).value_or(0) / run.time.value * 1e-3;
  if (peak > 0 && std::max(gflops, run.gflops.value) > peak * rounding)
    found.push_back({"above_roof", number(std::max(gflops, run.gflops.value), "GFLOP/s") +
                                       " is above the arithmetic peak of " + number(peak, "GFLOP/s") +
                                       ": the time is too short, or the flops are counted too high."});
}

void hit_rates(const RunRecord& run, std::vector<SanityFinding>& found) {
  for (const Counter& c : run.counters) {
    const bool rate = c.id.size() > 8 && c.id.compare(c.id.size() - 8, 8, "hit_rate") == 0;
    if (!rate || !c.value || (*c.value >= 0 && *c.value <= 100)) continue;
    found.push_back({"hit_rate", c.id + " is " + number(*c.value, "%") +
                                     ", outside 0 to 100 %: hits and look-ups were counted in different passes of the "
                                     "kernel, or one of them counts accesses that the other leaves out."});
  }
}

void ordered(const RunRecord& run, std::vector<SanityFinding>& found) {
  const double *dram = value_of(run, "dram_bytes"), *l2 = value_of(run, "l2_bytes"), *l1 = value_of(run, "l1_bytes");
  if (dram && l2 && *l2 * rounding < *dram)
    found.push_back({"l2_below_dram",
                     "L2 exchanged " + byte_text(*l2, 3) + " with the SMs and " + byte_text(*dram, 3) +
                         " with DRAM: DRAM gives larger pieces than were asked for, or check bits with them, so that " +
                         byte_text(*dram - *l2, 3) + " were moved and not used."});
  if (l1 && l2 && *l1 * rounding < *l2)
    found.push_back({"l1_below_l2", "The SMs asked for " + byte_text(*l1, 3) + " and L2 exchanged " +
                                        byte_text(*l2, 3) +
                                        " with them: L1 is filled by larger pieces than were asked for."});
}

void compulsory(const RunRecord& run, std::vector<SanityFinding>& found) {
  const double* dram = value_of(run, "dram_bytes");
  if (!dram || !reads_everything(run) || *dram * rounding >= run.minimum_bytes.value) return;
  std::string why;
  if (run.request.cache_state == CacheState::warm)
    why = "L2 still held the rest from the product before";
  else if (run.sampled_share < 1)
    why = "only a sample of the blocks ran, and its counts were scaled";
  else
    why =
        "what it wrote was in L2 still when it ended, or it leaves out padding, or parts of x that no entry asks for, "
        "which the minimum counts";
  found.push_back({"below_compulsory", "DRAM moved " + byte_text(*dram, 3) + ", less than the " +
                                           byte_text(run.minimum_bytes.value, 3) + " of every array once: " + why +
                                           "."});
}

}  // namespace

std::vector<SanityFinding> sanity_checks(const RunRecord& run, const std::vector<Roof>& roofs) {
  std::vector<SanityFinding> found;
  if (run.status != RunStatus::ok || !(run.time.value > 0)) return found;
  above_roofs(run, roofs, found);
  hit_rates(run, found);
  ordered(run, found);
  compulsory(run, found);
  return found;
}

}  // namespace warpspy
