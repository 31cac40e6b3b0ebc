// Divides a product's time among its causes, such as DRAM traffic.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/gpu_spec.hpp"
#include "core/run/record.hpp"

namespace warpspy {

enum class Cause : std::uint8_t { dram, l2, requests, l1, issue, compute, latency, atomics, launch };
inline constexpr std::size_t cause_count = 9;

struct CauseRow {
  Cause cause;
  const char* id;     // "dram"
  const char* words;  // "DRAM bandwidth"
  const char* bound;  // name of the bound in a modelled run's details: the time in us if only this cause limited
};
// The one list of causes.
inline constexpr std::array<CauseRow, cause_count> cause_rows = {{
    {Cause::dram, "dram", "DRAM bandwidth", "bound_dram"},
    {Cause::l2, "l2", "L2 bandwidth", "bound_l2"},
    {Cause::requests, "requests", "lines asked of L2", "bound_requests"},
    {Cause::l1, "l1", "L1 throughput", "bound_l1"},
    {Cause::issue, "issue", "instructions to issue", "bound_issue"},
    {Cause::compute, "compute", "arithmetic", "bound_compute"},
    {Cause::latency, "latency", "waiting for loads (latency)", "bound_latency"},
    {Cause::atomics, "atomics", "atomics on one address", "bound_atomics"},
    {Cause::launch, "launch", "launches", "bound_launch"},
}};
constexpr const char* name_of(Cause c) { return cause_rows[static_cast<std::size_t>(c)].words; }

// Bounds overlap in part: the time is the root of the sum of their squares, plus the launches
// (profiling/simulated/time_model.hpp). So a cause's part of the time is its square / the sum of squares, and the parts
// add up. Of DRAM and L2 only the larger bound counts, and of L2 requests and L1 too, since the same data go through
// both. The smaller one has no part.
struct Causes {
  std::array<double, cause_count> bound_us{};  // the time if only this cause limited
  std::array<bool, cause_count> known{};
  std::array<bool, cause_count> measured{};  // true: from hardware counters; false: modelled
  double time_us = 0;

  double bound(Cause c) const { return bound_us[static_cast<std::size_t>(c)]; }
  double us(Cause c) const;  // the part of time_us that this cause explains
  double share(Cause c) const { return time_us > 0 ? us(c) / time_us : 0; }
  Cause largest() const;
  // The time when each bound is multiplied by its factor, in the scale of time_us.
  double time_with(const std::array<double, cause_count>& factors) const;
};

// The causes of a good run. A modelled run has its bounds. For a measured run they come from its counters, or, without
// a counter, from `model`: a modelled run of the same request (nullptr: there is none). The rest of the measured time
// is latency. Returns nothing if not even the DRAM bytes are known.
std::optional<Causes> causes_of(const RunRecord& run, const GpuSpec& gpu, const RunRecord* model = nullptr);

// Tells why one run takes longer than another: the difference of their times, divided among the causes.
struct CauseDifference {
  Cause cause;
  double us = 0;  // time of this cause in b minus that in a
};
struct TimeDifference {
  double us = 0;                        // time of b minus time of a
  std::vector<CauseDifference> causes;  // the largest first
  std::string sentence;                 // "CSR vector is 9.2 us (1.6x) faster: 8.1 us of it latency, ..."
};
std::optional<TimeDifference> time_difference(const RunRecord& a, const Causes& of_a, const RunRecord& b,
                                              const Causes& of_b);

}  // namespace warpspy
