// Leads from a cell of a study to its run, the run's warp, and what limits it.
#include <algorithm>
#include <utility>

#include "ui/services/experiments/studies.hpp"

namespace warpspy::ui {

void Studies::on(const FollowStudyCell& a) {
  const OpenStudy* shown = s_.studies.shown();
  const std::size_t cell = s_.studies.cell;
  if (!shown || !shown->report || cell == 0 || cell > shown->report->modelled.size()) return;
  const auto& judged = a.here ? shown->report->here : shown->report->modelled;
  if (judged.size() < cell) return;
  const auto run = judged[cell - 1].here.run;
  if (!run) return say(Message::Kind::note, "No run is behind this number: " + judged[cell - 1].reason + ".");
  // A run from the folder has the number of the machine where it ran, which may be another run's number here.
  workers_.submit(
      JobQueue::tiles, "The run of a cell",
      [this, run](Progress&) {
        RunRecord numbered = *run;
        try {
          const auto kept = numbered.id != 0 && numbered.id < kUnsaved ? history_.get(numbered.id) : std::nullopt;
          const bool same =
              kept && kept->record->started == run->started && kept->record->request.kernel == run->request.kernel;
          if (!same) numbered.id = 0;
        } catch (const Error&) {
          numbered.id = 0;  // the history reports its problems itself
        }
        return numbered;
      },
      [this, way = a.way](const RunRecord& numbered) {
        auto known = numbered.id != 0 ? s_.run(numbered.id) : nullptr;
        for (const auto& r : s_.runs.all())
          if (!known && r->started == numbered.started && r->request.matrix == numbered.request.matrix &&
              r->request.kernel == numbered.request.kernel && r->request.device == numbered.request.device &&
              r->request.params == numbered.request.params)
            known = r;
        if (!known) known = s_.runs.add(numbered);
        follow(known, way);
      },
      [this](const Failure& f) { say(f); });
}

// Opens its matrix without running anything.
void Studies::follow(const std::shared_ptr<const RunRecord>& run, StudyWay way) {
  const MatrixId id = workspace_.open_quietly(run->request.matrix);
  waiting_ = Waiting{id, run->id, way};
  act(SelectMatrix{id});
  const OpenMatrix* m = find(id);
  if (m && m->matrix) arrive();
}

void Studies::arrive() {
  const Waiting there = *std::exchange(waiting_, std::nullopt);
  act(SelectMatrix{there.matrix});
  act(SelectRun{there.run});
  const auto run = s_.run(there.run);
  if (!run) return;
  if (there.way == StudyWay::warp) return act(ShowWarp{{.by = WarpWanted::By::worst}});
  act(ShowTab{there.way == StudyWay::why ? "diagnosis" : "runs"});
  if (there.way == StudyWay::why) act(FindLimits{there.run});
}

void Studies::on(const MatrixOpened& e) {
  if (waiting_ && waiting_->matrix == e.id) arrive();
}

void Studies::on(const MatrixFailed& e) {
  if (!waiting_ || waiting_->matrix != e.id) return;
  act(SelectRun{std::exchange(waiting_, std::nullopt)->run});
  act(ShowTab{"runs"});
}

}  // namespace warpspy::ui
