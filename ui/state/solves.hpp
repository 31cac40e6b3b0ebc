// What is told of a solve beside its record, since it depends on other runs or on what was measured of the device.
#pragma once

#include <vector>

#include "core/model/copy_share.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

CopyShare copy_share_of(const AppState& s, const RunRecord& solve);

// What limits a run: its findings; those of told_solve() judged with the other solves.
std::vector<Finding> findings_of(const AppState& s, const RunRecord& run);

}  // namespace warpspy::ui
