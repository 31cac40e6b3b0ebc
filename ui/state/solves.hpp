// Computes facts about a solve that are not in its record, since they depend on other runs or on measured roofs of the
// device.
#pragma once

#include <vector>

#include "core/model/copy_share.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

CopyShare copy_share_of(const AppState& s, const RunRecord& solve);

// What limits a run: its findings; those of told_solve() judged with the other solves.
std::vector<Finding> findings_of(const AppState& s, const RunRecord& run);

}  // namespace warpspy::ui
