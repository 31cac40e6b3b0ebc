// A product over several GPUs: whether the next run can be one.
#pragma once

#include <cstdint>
#include <string>

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

}  // namespace warpspy::ui
