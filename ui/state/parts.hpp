// A product or a solve over several GPUs: whether the next run can be one, and which run over parts is told.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ui/state/state.hpp"

namespace warpspy::ui {

// The most GPUs that the window offers; the command line has no limit.
inline constexpr std::uint64_t kMostParts = 64;

// Returns why the chosen kernel cannot run over several of the chosen device, or "".
std::string why_no_parts(const AppState& s);
// The parts of the next run: the chosen number, or 1 if several are not possible.
std::uint64_t parts_asked(const AppState& s);
// Returns why the shown matrix cannot be divided as chosen, or "".
std::string why_not_divided(const AppState& s);
// Returns why the next run cannot be made, or "".
std::string why_no_run(const AppState& s);
// The same of the next solve. Over several GPUs, some solves that one GPU can do are not possible.
std::string why_no_solve(const AppState& s);

// The run over several GPUs that is told: the selected one, else the newest of the shown matrix; nullptr: there is
// none.
std::shared_ptr<const RunRecord> told_parts(const AppState& s);
// The runs whose GPUs are drawn: the compared ones if several of them are over several GPUs, else told_parts().
std::vector<std::shared_ptr<const RunRecord>> drawn_parts(const AppState& s);
// The runs of the told run's matrix, kernel and method over any number of GPUs, of this session and saved ones.
std::vector<std::shared_ptr<const RunRecord>> speed_up_runs(const AppState& s);

}  // namespace warpspy::ui
