#include "core/formats/budget.hpp"

#include <algorithm>
#include <limits>

#include "core/matrix/memory.hpp"

namespace warpspy {
namespace {

std::string exceeded(const std::string& needs, std::size_t bytes, const char* where, std::uint64_t limit) {
  return needs + " " + byte_text(static_cast<double>(bytes)) + " and " + where + " has " +
         byte_text(static_cast<double>(limit)) + " available";
}

}  // namespace

Fit fits(const Estimate& estimate, const Budget& budget) {
  const std::size_t bytes = estimate.bytes();
  if (bytes > budget.device) return {false, exceeded("needs", bytes, "the device", budget.device)};
  std::size_t peak = 0;
  if (__builtin_add_overflow(bytes, estimate.scratch, &peak)) peak = std::numeric_limits<std::size_t>::max();
  if (bytes > budget.host) return {false, exceeded("needs", bytes, "the host", budget.host)};
  if (peak > budget.host) return {false, exceeded("needs, while it is built,", peak, "the host", budget.host)};
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

Error refusal(const std::string& format, const Estimate& estimate, const FormatFacts& facts, Precision precision,
              const Budget& budget) {
  std::string list;
  for (const Alternative& a : formats_that_fit(facts, precision, budget))
    list += (list.empty() ? "" : ", ") + a.format + " (" + byte_text(static_cast<double>(a.bytes)) + ")";
  return Error("format " + format + " " + fits(estimate, budget).reason, {},
               list.empty() ? "no format fits: close other programs or use a smaller matrix" : "these fit: " + list);
}

}  // namespace warpspy
