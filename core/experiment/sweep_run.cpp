#include "core/experiment/sweep_run.hpp"

#include <utility>
#include <vector>

namespace warpspy {

Case case_of(const SweepCell& cell) {
  return {cell.request, cell.request.kernel + " on " + cell.matrix_name, Purpose::asked, cell.repetition};
}

PlanEnd run_sweep(Sweep& sweep, Executor& executor, const MatrixOf& matrix_of, Progress& progress,
                  const std::function<void(std::size_t cell)>& begins,
                  const std::function<void(std::size_t cell, const CaseResult&)>& ended) {
  std::vector<std::size_t> waiting;
  std::vector<Case> cases;
  for (std::size_t k = 0; k < sweep.cells().size(); ++k) {
    if (sweep.cells()[k].state != CellState::waiting) continue;
    waiting.push_back(k);
    cases.push_back(case_of(sweep.cells()[k]));
  }
  Results results;
  PlanEvents events;
  events.begins = [&](const Case&) {
    const std::size_t cell = waiting[results.size()];
    begins(cell);
    sweep.begin(cell);
  };
  events.ended = [&](const CaseResult& r) {
    const std::size_t cell = waiting[results.size() - 1];
    if (r.opened)
      sweep.finish(cell, *r.record, r.seconds);
    else
      sweep.fail(cell, r.record->error);
    ended(cell, r);
  };
  const auto wait_again = [&] {
    if (results.size() < waiting.size() && sweep.cells()[waiting[results.size()]].state == CellState::running) {
      RunRecord none;
      none.status = RunStatus::cancelled;
      sweep.finish(waiting[results.size()], none, 0);
    }
  };
  try {
    const PlanEnd end = executor.run(ListPlan("sweep", std::move(cases)), matrix_of, progress, results, events);
    wait_again();
    return end;
  } catch (const Error&) {
    wait_again();
    throw;
  }
}

}  // namespace warpspy
