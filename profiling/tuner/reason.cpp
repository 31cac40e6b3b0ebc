#include "profiling/tuner/reason.hpp"

#include <algorithm>
#include <cstdio>

#include "core/base/numbers.hpp"

namespace warpspy {
namespace {

// Thresholds for a reason: a share of the bytes, and the longest row / the mean.
constexpr double fewer = 0.97, uneven = 8;
// A gain that exceeds the ratio of bytes by this factor has another reason too.
constexpr double explained = 1.25;

const Contender* contender(const Problem& problem, const std::string& kernel) {
  const auto& all = problem.alternatives;
  const auto at = std::find_if(all.begin(), all.end(), [&](const Contender& c) { return c.kernel.id == kernel; });
  return at == all.end() ? nullptr : &*at;
}

std::string times(double factor) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", factor);
  return text;
}

}  // namespace

std::string reason_of(const Problem& problem, const TuneOutcome& found, std::optional<double> base_us) {
  const Contender *own = contender(problem, problem.kernel.id), *best = contender(problem, found.kernel);
  if (!own || !best) return "";
  if (own == best) return "the same kernel with other parameters";
  const double mean = static_cast<double>(problem.nnz) / std::max<double>(1, static_cast<double>(problem.rows));
  std::string text;
  if (own->rows_whole && !best->rows_whole && static_cast<double>(problem.longest_row) > uneven * mean)
    text = "its threads share the longest row, of " + counted(problem.longest_row, "entry", "entries");
  if (!(best->minimum_bytes < fewer * own->minimum_bytes))
    return text.empty() ? "neither bytes nor the longest row tell why; its findings do" : text;
  const bool shares = !text.empty();
  text += std::string(shares ? ", and it" : "it") + " moves at least " + byte_text(best->minimum_bytes, 3) + ", " +
          own->kernel.label + " " + byte_text(own->minimum_bytes, 3);
  const double by_bytes = best->minimum_bytes > 0 ? own->minimum_bytes / best->minimum_bytes : 1;
  const double gain = base_us && found.us && *found.us > 0 ? *base_us / *found.us : by_bytes;
  if (gain <= explained * by_bytes) return text;
  text += "; fewer bytes explain " + times(by_bytes) + " times of it";
  return shares ? text : text + ", its findings tell the rest";
}

}  // namespace warpspy
