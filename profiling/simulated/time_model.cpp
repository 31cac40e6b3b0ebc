#include "profiling/simulated/time_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <queue>

#include "profiling/simulated/calibration.hpp"

namespace warpspy {
namespace {

constexpr double longest_list = 1 << 17;

double over(double amount, double rate) { return rate > 0 ? amount / rate : 0; }

}  // namespace

// Warp instructions per clock and SM. Since Maxwell an SM has four schedulers. Before, it issued one instruction per
// clock for each 32 of its cores (a quarter on GT200).
double issue_rate(const GpuSpec& gpu) {
  if (gpu.compute_capability >= 50) return 4;
  return gpu.peak_f32_gflops / (2 * 32 * gpu.clock_mhz * 1e-3 * gpu.sm_count);
}

IssuedByWarp issued_on(const LaunchShape& shape, const GpuSpec& gpu) {
  return gpu.issues_per_step > 0 ? IssuedByWarp{.once = 0, .each_step = gpu.issues_per_step} : shape.issued;
}

WarpCode code_of(const LaunchShape& shape, const GpuSpec& gpu) {
  return {shape.loads_in_flight, shape.matrix_in_flight > 0 ? shape.matrix_in_flight : shape.loads_in_flight,
          issued_on(shape, gpu)};
}

double instructions_of(const BlockCost& block, const LaunchShape& shape, const GpuSpec& gpu) {
  return issued_on(shape, gpu).of(static_cast<double>(block.warps), static_cast<double>(block.steps));
}

double makespan(const std::vector<Repeated>& costs, int servers) {
  if (costs.empty()) return 0;
  double sum = 0, largest = 0, blocks = 0;
  for (const Repeated& c : costs) sum += c.cost * c.times, largest = std::max(largest, c.cost), blocks += c.times;
  if (blocks > longest_list) return sum / servers + largest;
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (int s = 0; s < servers; ++s) free_at.push(0);
  double last = 0, owed = 0;
  for (const Repeated& c : costs) {
    for (owed += c.times; owed >= 0.5; owed -= 1) {
      const double end = free_at.top() + c.cost;
      free_at.pop();
      free_at.push(end);
      last = std::max(last, end);
    }
  }
  return last;
}

namespace {

TimeEstimate estimate_launch(const LaunchSimulation& s, const GpuSpec& gpu, double compute_us, bool warm) {
  TimeEstimate t;
  t.dram = over(s.dram_read_bytes + s.dram_write_bytes, dram_copy_gbs(gpu) * 1e3);
  t.l2 = over(s.l2_sectors * sector_size, gpu.l2_gbs * 1e3);
  t.compute = compute_us;
  const double clocks_per_us = gpu.clock_mhz * gpu.sm_count;
  if (gpu.l2_bytes > 0) t.requests = over(s.l2_requests, l2_lines_per_clock * clocks_per_us);
  const auto last_of = [&](const auto& cost_of, int servers) {
    std::vector<Repeated> costs;
    costs.reserve(s.costs.size());
    for (const BlockCost& b : s.costs) costs.push_back({cost_of(b), b.times});
    return makespan(costs, servers);
  };
  const double sm_bytes_per_us = gpu.l1_bytes_per_clock_per_sm * gpu.clock_mhz;
  const auto added = [&](const BlockCost& b) {
    return static_cast<double>(b.addition_rounds) * clocks_of_shared_addition / gpu.clock_mhz;
  };
  const auto at_the_door = [&](const BlockCost& b) {
    const double shared = added(b);
    if (sm_bytes_per_us <= 0) return shared;
    return shared + std::max(static_cast<double>(b.sectors) * sector_size / sm_bytes_per_us,
                             static_cast<double>(b.lines) / (l1_lines_per_clock * gpu.clock_mhz));
  };
  t.l1 = last_of(at_the_door, gpu.sm_count);
  t.additions = last_of(added, gpu.sm_count);
  const double issued_per_us = issue_rate(gpu) * gpu.clock_mhz;
  const auto issued = [&](const BlockCost& b) { return instructions_of(b, s.shape, gpu) / issued_per_us; };
  t.issue = last_of(issued, gpu.sm_count);
  t.atomics = std::max(s.atomic_turns * atomic_turn_ns, s.swaps_in_a_row * swap_ns) * 1e-3;
  const auto waited = [&](const BlockCost& b) { return waited_ns(b.waits, gpu) * 1e-3; };
  const int places = gpu.sm_count * std::max(1, s.occupancy.blocks);
  const auto shared = [&](const auto& cost_of, double servers) {
    double sum = 0;
    for (const BlockCost& b : s.costs) sum += cost_of(b) * b.times;
    return sum / servers;
  };
  t.latency = last_of(waited, places);
  double blocks = 0;
  for (const BlockCost& b : s.costs) {
    t.block_wait += waited(b) * b.times, blocks += b.times;
    t.longest_wait = std::max(t.longest_wait, waited(b));
  }
  t.block_wait = over(t.block_wait, std::max(1.0, blocks));
  // A long block begins when the blocks before it have started.
  for (const LongBlock& l : s.longest) {
    const double before = static_cast<double>(std::max<std::int64_t>(0, l.block - places));
    const double begins = shared(waited, places) * over(before, static_cast<double>(s.shape.grid));
    t.latency = std::max(t.latency, begins + waited_ns(l.waits, gpu) * 1e-3);
  }
  // Launches that overlap hide the time to start one.
  t.launch = s.shape.overlap && gpu.compute_capability >= 90 ? 0 : gpu.launch_us + (warm ? 0 : cold_launch_us);
  const auto together = [&](double l1, double issue, double latency) {
    double squares = 0;
    for (const double bound : {std::max(t.dram, t.l2), std::max(t.requests, l1), issue, t.compute, latency, t.atomics})
      squares += bound * bound;
    return std::sqrt(squares) + t.launch;
  };
  t.total = together(t.l1, t.issue, t.latency);
  t.even = together(std::min(t.l1, shared(at_the_door, gpu.sm_count)), std::min(t.issue, shared(issued, gpu.sm_count)),
                    std::min(t.latency, shared(waited, places)));
  return t;
}

}  // namespace

double instructions_of(const Simulation& s, const GpuSpec& gpu) {
  double sum = 0;
  for (const LaunchSimulation& launch : s.launches)
    for (const BlockCost& c : launch.costs) sum += c.times * instructions_of(c, launch.shape, gpu);
  return sum;
}

TimeEstimate estimate_time(const Simulation& s, const GpuSpec& gpu, Precision precision, double flops,
                           std::string_view kernel, const Calibration* calibration) {
  TimeEstimate t;
  const double compute = over(flops, (precision == Precision::f32 ? gpu.peak_f32_gflops : gpu.peak_f64_gflops) * 1e3);
  double steps = 0;
  for (const LaunchSimulation& launch : s.launches) steps += launch.warp_steps;
  for (const LaunchSimulation& launch : s.launches) {
    const TimeEstimate one = estimate_launch(launch, gpu, over(compute * launch.warp_steps, steps), s.warm);
    constexpr double TimeEstimate::* sums[] = {
        &TimeEstimate::dram,    &TimeEstimate::l2,      &TimeEstimate::requests,  &TimeEstimate::l1,
        &TimeEstimate::issue,   &TimeEstimate::compute, &TimeEstimate::additions, &TimeEstimate::atomics,
        &TimeEstimate::latency, &TimeEstimate::launch,  &TimeEstimate::total,     &TimeEstimate::even};
    for (const auto member : sums) t.*member += one.*member;
    t.launches.push_back(one.total);
    t.block_wait = std::max(t.block_wait, one.block_wait);
    t.longest_wait = std::max(t.longest_wait, one.longest_wait);
  }
  t.waves = static_cast<double>(s.shape.grid) / (static_cast<double>(gpu.sm_count) * std::max(1, s.occupancy.blocks));
  if (calibration) t.factor = calibrated_factor(*calibration, kernel, precision, traits_of(t));
  if (t.factor != 1) {
    t.total = t.launch + t.factor * (t.total - t.launch);
    t.even = t.launch + t.factor * (t.even - t.launch);
  }
  char of_l1[60] = "", text[600];
  if (t.additions > 0) std::snprintf(of_l1, sizeof of_l1, " (additions in shared memory %.3g)", t.additions);
  std::snprintf(text, sizeof text,
                "model, %s: root of the squares of DRAM %.3g or L2 %.3g, L2 requests %.3g or L1 %.3g%s, issue %.3g, "
                "compute %.3g, latency %.3g, atomics %.3g, %s; + launch %.3g us",
                s.warm ? "as one product after another finds the caches" : "caches empty at the start", t.dram, t.l2,
                t.requests, t.l1, of_l1, t.issue, t.compute, t.latency, t.atomics,
                calibration_words(calibration, kernel, t.factor).c_str(), t.launch);
  t.how = text;
  return t;
}

}  // namespace warpspy
