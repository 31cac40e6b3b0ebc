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
// Where they go: into the new folder "warpspy-figures", or "warpspy-figures-2" and so on, in `folder` ("": where the
// program was started), or with `zip` into an archive of such a name: nothing is written over. Or into the one archive
// that `archive` names, which takes the place of an older one.
struct ReportPlace {
  std::string folder = {};
  bool zip = false;
  std::string archive = {};
};
// What fails leaves nothing behind. `desk_of`: what each figure brings back (recipe_of). A job's work. Throws Error and
// Cancelled.
ExportedAll export_everything(const AppState& snapshot, const ReportPlace& to, const plot::Page& page,
                              const std::function<std::string(const Figure&)>& desk_of, const Progress& progress);

}  // namespace warpspy::ui
