// Starts, receives, selects, compares and repeats runs, and shows the history of all runs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/experiment/executor.hpp"
#include "ui/services/runs/trail.hpp"
#include "ui/services/service.hpp"

namespace warpspy::ui {

class Runs : public Service {
 public:
  explicit Runs(const ServiceContext& c) : Service(c), trail_(c.state) {}

  void on(const StartRun&);
  void on(const StartSolve&);
  void on(const MeasureRoofs&);
  // list.cpp: which run is selected
  void on(const SelectRun&);
  void on(const RemoveRun&);
  void on(const ClearRuns&);
  void on(const CompareRuns&);
  void on(const SelectPart&);
  // history.cpp: all runs that were ever made
  void on(const ListRuns&);
  void on(const SetNote&);
  void on(const RepeatRun&);
  void on(const ForgetRun&);
  // diagnosis.cpp: what a finding suggests
  void on(const TryFinding&);
  void on(const FindLimits&);

  void on(const MatrixShown&);
  void on(const MatrixSettled&);
  void on(const MatrixFailed&);
  void on(const MatrixClosing&);
  void on(const FirstRunDue&);

  Trail& trail() { return trail_; }
  void start(const OpenMatrix& m, bool live);
  std::uint64_t record(RunRecord r, bool live);  // returns the run's id; 0 if it is not kept
  void complete(std::uint64_t id, RunRecord r);  // a run that was already shown
  void compare(std::vector<std::shared_ptr<const RunRecord>> runs);
  void find_saved_solves(const std::shared_ptr<const RunRecord>& solve);
  void find_saved_products(const std::shared_ptr<const RunRecord>& run);  // of one over several GPUs
  void find_saved_roofs(const RunRecord& r);                              // after the first good run of a real device
  void settle();  // keeps the selection valid: an existing run of the shown matrix
  // Both functions run in a job. run_once() runs one product, which the caller saves. The next function finds what
  // limits it, by the model of its GPU.
  RunRecord run_once(const RunRequest& request, Purpose purpose, const Matrix& matrix, const Catalog& catalog,
                     Progress& p, const OnTimed& on_timed = {}) const;
  void follow(const RunRequest& request);
  void find_limits_of(RunRecord& r, const Matrix& matrix, const Catalog& catalog, Progress& p) const;
  // Called at the end of the program: writes the notes and removals that no job has written yet.
  void finish_edits();

 private:
  // `show` takes a run in when its time is known, and returns its id; counters that arrive later complete() the run.
  using ShowRun = std::function<std::uint64_t(RunRecord)>;
  void submit(const OpenMatrix& m, const RunRequest& request, ShowRun show, bool live);
  void save(RunRecord& r, bool live);  // saves to the history; may be called from any thread
  void renumber(std::uint64_t id);     // gives a run that left the history a new number in all views
  void compare_again(std::uint64_t id, std::uint64_t now);
  void find_roofs(const DeviceInfo& device, bool measure_again);
  void run_by_itself(const OpenMatrix& m);
  void select_run_of(const OpenMatrix& m);  // the newest, unless one of its runs is selected
  void show_matrix_of(const RunRecord& r);
  void select_newest();
  // Changes the history in a job. If the program ends first, the change is made before the end. It may be made twice.
  void edit_history(std::function<void()> edit);
  void try_in_order(const std::string& reorder, const std::shared_ptr<const RunRecord>& run);
  void repeat_on(const OpenMatrix& m, const std::shared_ptr<const RunRecord>& old);
  void run_beside(const std::shared_ptr<const RunRecord>& old, const OpenMatrix& m, const RunRequest& request);
  // Returns the open matrix of a run. If it is not open, shows a message to the user and returns nullptr.
  const OpenMatrix* require_matrix_of(const RunRecord& run);

  Trail trail_;
  std::set<std::string> roofs_asked_;                     // devices whose measured roofs were searched for
  std::map<std::uint64_t, std::function<void()>> edits_;  // under way
  std::uint64_t next_edit_ = 1;
  std::map<MatrixId, std::shared_ptr<const RunRecord>> repeats_;  // repeated runs that wait for their matrix
};

}  // namespace warpspy::ui
