// Prints facts about a solve that are not in its record, since they depend on other runs or on measured roofs of the
// device.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/wiring.hpp"
#include "core/model/copy_share.hpp"
#include "core/run/history.hpp"
#include "core/run/solve_break_even.hpp"

namespace warpspy::cli {

struct SolveNumbers {
  SolveBreakEven break_even;
  CopyShare copy;
};

// Computes these numbers; nothing for a run that is no successful solve. The solve is compared with those in the
// history (nullptr: none) and with `made`.
std::optional<SolveNumbers> solve_numbers(const RunRecord& r, const Services& services, const History* history,
                                          const std::vector<RunRecord>& made = {});

// Returns the record for printing, with findings that take the other runs into account.
RunRecord told_solve(const RunRecord& r, const SolveNumbers& n);
// Returns the solve's JSON, with the members break_even and copy_share.
std::string json_told(const RunRecord& r, const std::optional<SolveNumbers>& n);

}  // namespace warpspy::cli
