// Everything that the window can export, in one folder: figures, numbers, captions, and a report that any browser
// shows.
#pragma once

#include <functional>
#include <string>

#include "core/jobs/progress.hpp"
#include "core/plot/page.hpp"
#include "ui/figures/figure.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

struct ExportedAll {
  std::string place;  // a new folder or archive
  int figures = 0;
  std::string left_out;  // what could not be drawn, and why; "": nothing
};
// Makes the folder "warpspy-figures", or "warpspy-figures-2" and so on, in `where`, or with `zip` an archive of such a
// name: nothing is written over, and what fails leaves nothing behind. `desk_of`: what each figure brings back
// (recipe_of). A job's work. Throws Error and Cancelled.
ExportedAll export_everything(const AppState& snapshot, const std::string& where, const plot::Page& page, bool zip,
                              const std::function<std::string(const FigureRow&)>& desk_of, const Progress& progress);

}  // namespace warpspy::ui
