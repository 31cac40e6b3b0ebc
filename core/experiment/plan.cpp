#include "core/experiment/plan.hpp"

namespace warpspy {

std::vector<Case> cases_of(const std::vector<RunRequest>& requests, Purpose purpose) {
  std::vector<Case> cases;
  for (const RunRequest& r : requests) cases.push_back({r, r.kernel, purpose});
  return cases;
}

}  // namespace warpspy
