// The steps of Newton's method, as the command line prints them.
#pragma once

#include "core/run/record.hpp"
#include "ui/views/ui.hpp"

namespace warpspy::ui {

// `run` has steps of Newton's method.
void newton_table(const RunRecord& run, Ui& ui);

}  // namespace warpspy::ui
