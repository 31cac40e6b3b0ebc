// What is told of a solve beside its record, since it depends on other runs or on what was measured of the device.
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

// Nothing for a run that is no good solve. It is compared with the solves that the history has (nullptr: none) and with
// `made`.
std::optional<SolveNumbers> solve_numbers(const RunRecord& r, const Services& services, const History* history,
                                          const std::vector<RunRecord>& made = {});

// The record as it is told: what limits the solve is judged with the other runs.
RunRecord told_solve(const RunRecord& r, const SolveNumbers& n);
// Its JSON, with the members break_even and copy_share.
std::string json_told(const RunRecord& r, const std::optional<SolveNumbers>& n);

}  // namespace warpspy::cli
