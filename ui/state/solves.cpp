#include "ui/state/solves.hpp"

#include "core/diagnosis/solve_findings.hpp"

namespace warpspy::ui {

CopyShare copy_share_of(const AppState& s, const RunRecord& solve) {
  const DeviceInfo* device = device_of_run(*s.catalog, solve);
  return copy_share(solve, device ? &device->spec : nullptr, device ? s.measured_roofs_of(device->id) : nullptr);
}

std::vector<Finding> findings_of(const AppState& s, const RunRecord& run) {
  if (run.findings.empty() || told_solve(s).get() != &run) return run.findings;
  return diagnose_solve(run, &s.solve.break_even);
}

}  // namespace warpspy::ui
