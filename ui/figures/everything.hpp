// Exports everything that the window can export into one folder: figures, numbers, captions, and a report that any
// browser shows.
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
  std::string left_out;  // which figures could not be drawn, and why; "": none
};
// Tells where the figures are written: into a new folder "warpspy-figures", or "warpspy-figures-2" and so on, in
// `folder` ("": where the program was started). With `zip` it is an archive of such a name. No file is overwritten. Or
// they go into the archive that `archive` names, which replaces an older one.
struct ReportPlace {
  std::string folder = {};
  bool zip = false;
  std::string archive = {};
};
// Writes all figures. After a failure no file is left. `desk_of` returns the desk that opening a figure's file restores
// (recipe_of). It runs in a job. Throws Error and Cancelled.
ExportedAll export_everything(const AppState& snapshot, const ReportPlace& to, const plot::Page& page,
                              const std::function<std::string(const Figure&)>& desk_of, const Progress& progress);

}  // namespace warpspy::ui
