#include "core/experiment/best.hpp"

namespace warpspy {

std::string nothing_found(const Results& results) {
  std::string why = "no kernel could run";
  for (const CaseResult& r : results) {
    if (!r.record) continue;
    if (r.asked.purpose == Purpose::final && r.record->status == RunStatus::ok) return "";
    if (!r.record->error.empty()) why = r.record->error;
  }
  return why;
}

}  // namespace warpspy
