#include "core/run/engine.hpp"

namespace warpspy {

std::vector<RunRecord> Engine::run_in_turn(const std::vector<RunRequest>& requests, const InSearch& /*search*/,
                                           const Matrix& matrix, Progress& progress) {
  std::vector<RunRecord> records;
  for (const RunRequest& request : requests) {
    records.push_back(run(request, matrix, progress));
    if (requests.size() > 1) records.back().notes.push_back("it was run by itself, not in turn with others");
  }
  return records;
}

}  // namespace warpspy
