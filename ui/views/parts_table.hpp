// The table of a run over several GPUs: what each has, and where its time goes.
#pragma once

#include "core/run/record.hpp"
#include "ui/views/ui.hpp"

namespace warpspy::ui {

void parts_table(const RunRecord& run, Ui& ui);

}  // namespace warpspy::ui
