#include "ui/state/solves.hpp"

#include "core/diagnosis/solve_findings.hpp"

namespace warpspy::ui {

SolveBreakEven solve_break_even_of(const AppState& s, const RunRecord& solve) {
  std::vector<std::shared_ptr<const RunRecord>> others = s.solve.saved;
  for (const auto& r : s.runs.all())
    if (r->solve) others.push_back(r);
  return solve_break_even(solve, others, *s.catalog);
}

CopyShare copy_share_of(const AppState& s, const RunRecord& solve) {
  const DeviceInfo* device = device_of_run(*s.catalog, solve);
  return copy_share(solve, device ? &device->spec : nullptr, device ? s.measured_roofs_of(device->id) : nullptr);
}

std::vector<Finding> findings_of(const AppState& s, const RunRecord& run) {
  if (!run.solve || run.findings.empty()) return run.findings;
  const SolveBreakEven b = solve_break_even_of(s, run);
  return diagnose_solve(run, &b);
}

}  // namespace warpspy::ui
