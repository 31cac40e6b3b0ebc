#include "core/diagnosis/causes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/diagnosis/words.hpp"

namespace warpspy {
namespace {

// Measured on an H200: lines that an SM requests from L2 per clock, and instructions that it issues (time_model.hpp).
constexpr double lines_per_clock = 0.5, instructions_per_clock = 4;

std::size_t at(Cause c) { return static_cast<std::size_t>(c); }

using Bounds = std::array<double, cause_count>;

// The square of a bound in the sum; 0 if a larger bound covers the same path.
double square_of(const Bounds& bounds, Cause c) {
  constexpr std::pair<Cause, Cause> ways[] = {{Cause::dram, Cause::l2}, {Cause::requests, Cause::l1}};
  for (const auto& [one, other] : ways)
    if ((c == one && bounds[at(c)] < bounds[at(other)]) || (c == other && bounds[at(c)] <= bounds[at(one)])) return 0;
  return c == Cause::launch ? 0 : bounds[at(c)] * bounds[at(c)];
}

double squares_of(const Bounds& bounds) {
  double sum = 0;
  for (const CauseRow& row : cause_rows) sum += square_of(bounds, row.cause);
  return sum;
}

void take_from_model(Causes& c, const RunRecord& model) {
  for (const CauseRow& row : cause_rows) {
    const Quantity* q = model.detail(row.bound);
    if (!q) continue;
    c.bound_us[at(row.cause)] = q->value;
    c.known[at(row.cause)] = true;
  }
}

void take_from_counters(Causes& c, const RunRecord& run, const GpuSpec& gpu) {
  const double clocks_per_us = gpu.clock_mhz * gpu.sm_count;
  const struct {
    Cause cause;
    const char* counter;
    double per_us;
  } rows[] = {{Cause::dram, "dram_bytes", dram_copy_gbs(gpu) * 1e3},
              {Cause::l2, "l2_bytes", gpu.l2_gbs * 1e3},
              {Cause::requests, "l2_requests", lines_per_clock * clocks_per_us},
              {Cause::issue, "instructions", instructions_per_clock * clocks_per_us}};
  for (const auto& row : rows) {
    const Counter* counter = run.counter(row.counter);
    if (!counter || !counter->value || !(row.per_us > 0)) continue;
    // In the model, issue is the time of the slowest SM. A mean over all SMs does not replace it.
    if (row.cause == Cause::issue && c.known[at(row.cause)]) continue;
    c.bound_us[at(row.cause)] = *counter->value / row.per_us;
    c.known[at(row.cause)] = c.measured[at(row.cause)] = true;
  }
}

}  // namespace

double Causes::us(Cause c) const {
  const double launch = std::min(bound(Cause::launch), time_us);
  if (c == Cause::launch) return launch;
  const double squares = squares_of(bound_us);
  return squares > 0 ? (time_us - launch) * square_of(bound_us, c) / squares : 0;
}

Cause Causes::largest() const {
  Cause most = Cause::dram;
  for (const CauseRow& row : cause_rows)
    if (us(row.cause) > us(most)) most = row.cause;
  return most;
}

double Causes::time_with(const std::array<double, cause_count>& factors) const {
  Bounds after = bound_us;
  for (std::size_t k = 0; k < cause_count; ++k) after[k] *= factors[k];
  const double before = squares_of(bound_us);
  if (!(before > 0)) return time_us;
  const double launch = std::min(bound(Cause::launch), time_us);
  return (time_us - launch) * std::sqrt(squares_of(after) / before) + launch * factors[at(Cause::launch)];
}

std::optional<Causes> causes_of(const RunRecord& run, const GpuSpec& gpu, const RunRecord* model) {
  if (run.status != RunStatus::ok || !(run.time.value > 0)) return {};
  Causes c;
  c.time_us = run.time.value;
  if (run.provenance == Provenance::modelled) {
    take_from_model(c, run);
    if (!c.known[at(Cause::dram)]) return {};
    return c;
  }
  if (model) take_from_model(c, *model);
  take_from_counters(c, run, gpu);
  if (!c.known[at(Cause::dram)]) return {};
  if (!c.known[at(Cause::launch)]) c.bound_us[at(Cause::launch)] = std::min(gpu.launch_us, 0.5 * c.time_us);
  if (!c.known[at(Cause::latency)]) {
    // The time that no bound explains.
    const double rest = c.time_us - c.bound(Cause::launch), squares = squares_of(c.bound_us);
    c.bound_us[at(Cause::latency)] = std::sqrt(std::max(0.0, rest * rest - squares));
  }
  return c;
}

std::optional<TimeDifference> time_difference(const RunRecord& a, const Causes& of_a, const RunRecord& b,
                                              const Causes& of_b) {
  if (!(of_a.time_us > 0) || !(of_b.time_us > 0)) return {};
  TimeDifference d;
  d.us = of_b.time_us - of_a.time_us;
  for (const CauseRow& row : cause_rows) d.causes.push_back({row.cause, of_b.us(row.cause) - of_a.us(row.cause)});
  std::stable_sort(d.causes.begin(), d.causes.end(),
                   [](const auto& x, const auto& y) { return std::abs(x.us) > std::abs(y.us); });
  const bool b_faster = d.us < 0;
  const auto name = [&](const RunRecord& r) {
    return r.kernel_label + (a.matrix_name == b.matrix_name ? "" : " on " + r.matrix_name);
  };
  const std::string fast = name(b_faster ? b : a), slow = name(b_faster ? a : b);
  if (std::abs(d.us) < 0.02 * std::max(of_a.time_us, of_b.time_us)) {
    d.sentence = fast + " and " + slow + " take the same time within 2 %.";
    return d;
  }
  const double times = b_faster ? of_a.time_us / of_b.time_us : of_b.time_us / of_a.time_us;
  d.sentence = fast + " is " + us_text(std::abs(d.us)) + " (" + times_text(times) + ") faster than " + slow;
  std::string less, more;
  for (const CauseDifference& c : d.causes) {
    if (std::abs(c.us) < 0.1 * std::abs(d.us)) continue;
    std::string& list = (c.us < 0) == b_faster ? less : more;
    const bool saved = &list == &less;
    list += (list.empty() ? "" : ", ") + us_text(std::abs(c.us)) + (saved ? " of " : " on ") + name_of(c.cause);
  }
  if (!less.empty()) d.sentence += ": it saves " + less;
  if (!more.empty()) d.sentence += "; it spends more, " + more;
  d.sentence += ".";
  return d;
}

}  // namespace warpspy
