// The choices about several GPUs: how many, and how the rows are divided among them. The run panel and the tab Solve
// have them.
#pragma once

#include <string>
#include <vector>

#include "ui/views/ui.hpp"

namespace warpspy::ui {

inline constexpr const char* kOverGpus =
    "Over how many GPUs the rows are divided: simulated ones like this one, joined by a modelled link, or this real "
    "one "
    "and those behind it.";
// The ways to divide the rows, in the order of Split, and what each means.
extern const std::vector<std::string> kSplitWords, kSplitHelps;

// The choices as the run panel has them.
void draw_parts_controls(const AppState& s, Ui& ui);

}  // namespace warpspy::ui
