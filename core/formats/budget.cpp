#include "core/formats/budget.hpp"

#include <algorithm>
#include <limits>

#include "core/base/numbers.hpp"
#include "core/matrix/memory_guard.hpp"

namespace warpspy {
namespace {

std::string exceeded(const char* needs, std::size_t bytes, const char* whose, std::uint64_t limit,
                     const std::string& source) {
  return std::string(needs) + " " + byte_text(static_cast<double>(bytes)) + " and " + whose + " limit is " +
         byte_text(static_cast<double>(limit)) + " (" + source + ")";
}

}  // namespace

Budget budget_now(const MemoryBudget& set, double device_bytes, const std::string& device_name, double vectors_bytes) {
  Budget b;
  b.host = available_memory();
  if (memory_state().allowed) b.host_source = "what WARPSPY_MEMORY leaves";
  if (set.host_bytes && *set.host_bytes < b.host) b.host = *set.host_bytes, b.host_source = kSetByUser;
  double device = static_cast<double>(UINT64_MAX);
  if (device_bytes > 0) device = device_bytes, b.device_source = "memory of " + device_name;
  if (set.device_bytes && static_cast<double>(*set.device_bytes) < device)
    device = static_cast<double>(*set.device_bytes), b.device_source = kSetByUser;
  if (device == static_cast<double>(UINT64_MAX)) return b;
  b.device = static_cast<std::uint64_t>(std::max(0.0, device - vectors_bytes));
  if (vectors_bytes > 0) b.device_source += " less " + byte_text(vectors_bytes) + " for x and y";
  return b;
}

Fit fits(const Estimate& estimate, const Budget& budget) {
  const std::size_t bytes = estimate.bytes();
  const auto of_host = [&](const char* needs, std::size_t n) {
    return Fit{false, exceeded(needs, n, "the host's", budget.host, budget.host_source)};
  };
  if (bytes > budget.device)
    return {false, exceeded("needs", bytes, "the device's", budget.device, budget.device_source)};
  std::size_t peak = 0;
  if (__builtin_add_overflow(bytes, estimate.scratch, &peak)) peak = std::numeric_limits<std::size_t>::max();
  if (bytes > budget.host) return of_host("needs", bytes);
  if (peak > budget.host) return of_host("needs, while it is built,", peak);
  return {};
}

std::vector<Alternative> formats_that_fit(const FormatFacts& facts, Precision precision, const Budget& budget) {
  std::vector<Alternative> found;
  for (const FormatRow& row : formats()) {
    if (row.slow_estimate) continue;
    try {
      const Estimate e = row.estimate(facts, precision, {});
      if (fits(e, budget).fits) found.push_back({row.info.id, e.bytes()});
    } catch (const Error&) {
      // A format that cannot hold this matrix at all.
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  return found;
}

std::string alternatives_text(const std::vector<Alternative>& fitting) {
  std::string list;
  for (const Alternative& a : fitting)
    list += (list.empty() ? "" : ", ") + a.format + " (" + byte_text(static_cast<double>(a.bytes)) + ")";
  return list.empty() ? "no format fits: raise the memory budget, close other programs or use a smaller matrix"
                      : "these fit: " + list;
}

Error refusal(const std::string& format, const Estimate& estimate, const FormatFacts& facts, Precision precision,
              const Budget& budget) {
  return Error("format " + format + " " + fits(estimate, budget).reason, {},
               alternatives_text(formats_that_fit(facts, precision, budget)));
}

}  // namespace warpspy
