#include "core/run/sm_axis.hpp"

#include <algorithm>

namespace warpspy {

const char* name_of(SmWait wait) {
  constexpr const char* names[] = {"nothing", "L1", "L2", "DRAM", "its lanes"};
  return names[static_cast<int>(wait)];
}

std::size_t SmAxis::bytes() const {
  std::size_t sum = warps.capacity() * sizeof(SmWarp);
  for (const SmWarp& w : warps) sum += w.spans.capacity() * sizeof(SmSpan);
  return sum;
}

SmMoment moment_of(const SmAxis& axis, double ns) {
  SmMoment m;
  for (const SmWarp& w : axis.warps) {
    const auto at = std::upper_bound(w.spans.begin(), w.spans.end(), ns,
                                     [](double t, const SmSpan& s) { return t < static_cast<double>(s.end_ns); });
    if (at == w.spans.end())
      ++m.done;
    else if (ns < static_cast<double>(at->begin_ns))
      ++m.ready;
    else if (ns < static_cast<double>(at->issued_ns))
      ++m.issuing;
    else
      ++m.waiting[static_cast<std::size_t>(at->wait)];
  }
  return m;
}

double time_of_request(const SmAxis& axis, std::uint64_t request) {
  if (axis.watched < 0) return -1;
  std::uint64_t before = 0;
  for (const SmSpan& s : axis.warps[static_cast<std::size_t>(axis.watched)].spans) {
    if (request < before + s.requests) return static_cast<double>(s.begin_ns);
    before += s.requests;
  }
  return -1;
}

}  // namespace warpspy
