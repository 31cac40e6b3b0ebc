#include "ui/services/desk/found_desk.hpp"

#include <memory>

namespace warpspy::ui {

FoundDesk find_desk(const std::string& path, const History& history, const std::string& folder) {
  FoundDesk out;
  out.read = load_desk(path);
  Desk& desk = out.read.desk;
  out.runs = find_runs(desk, history);
  // A matrix that was found in another place is also the matrix of its runs.
  for (DeskMatrix& m : desk.matrices) {
    const std::string old = m.recipe.text();
    m.recipe.source = found_source(m.recipe.source, desk.folder, folder);
    const std::string now = m.recipe.text();
    if (old == now) continue;
    for (DeskRun& run : out.runs.runs) {
      if (run.record->request.matrix != old) continue;
      RunRecord moved = *run.record;
      moved.request.matrix = now;
      run.record = std::make_shared<const RunRecord>(std::move(moved));
    }
    if (desk.tuning && desk.tuning->request.run.matrix == old) desk.tuning->request.run.matrix = now;
    if (!desk.sweep) continue;
    for (auto& of : desk.sweep->plan.matrices)
      if (of.source == old) of.source = now;
    for (SweepOutcome& o : desk.sweep->outcomes)
      if (o.matrix == old) o.matrix = now;
  }
  return out;
}

}  // namespace warpspy::ui
