// The owner of the state: applies actions, starts jobs, takes in their results. Lives on the UI thread; never waits.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "core/jobs/jobs.hpp"
#include "core/run/engine.hpp"
#include "core/run/history.hpp"
#include "ui/session/due.hpp"
#include "ui/session/preferences.hpp"
#include "ui/state/actions.hpp"

namespace warpspy::ui {

struct SessionOptions {
  std::string preferences;  // file; empty: nothing is remembered
  std::string history;      // file of all runs; empty: they are forgotten at the end
  bool run_on_open = true;  // a fresh matrix gets one run, so that the roofline answers at once
  // Time on a real GPU of a run asked for, of one while a parameter is dragged, of one that follows it without a
  // change, of each product of a search for parameters, and of each run of an analysis.
  double run_budget_s = 1, live_budget_s = 0.05, refresh_budget_s = 0.02, tune_budget_s = 0.1, analysis_budget_s = 0.3;
  int workers = 4;
  std::function<void()> wake;                         // called from any thread when there is something to take in
  std::function<void(const std::string&)> clipboard;  // takes copied text
};

class Session {
 public:
  Session(const Catalog& catalog, Engine& engine, SessionOptions options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const AppState& state() const { return s_; }
  Workers& workers() { return workers_; }
  void apply(const Action& a);
  // Once per frame: takes in results, starts what is due, rebuilds figures that are stale.
  void update();
  // No job is queued or running and no result waits.
  bool idle();

 private:
  // session.cpp: matrices, views, preferences
  void on(const OpenSource&);
  void on(const SelectMatrix&);
  void on(const CloseMatrix&);
  void on(const BrowseFolder&);
  void on(const SetCamera&);
  void on(const SetSpy&);
  void on(const SetHistogram&);
  void on(const SetHighlight&);
  void on(const ShowTab&);
  void on(const ShowDialog&);
  void on(const ShowExport&);
  void on(const SetTheme&);
  void on(const SetPanels&);
  void on(const ExportFigure&);
  void on(const CopyText&);
  void on(const Notify&);
  void on(const ReadMessages&);
  void on(const ClearMessages&);
  void on(const CancelJob&);
  void on(const Quit&);
  // runs.cpp: knobs, runs, roofline
  void on(const SetDevice&);
  void on(const SetKernel&);
  void on(const SetParam&);
  void on(const SetPrecision&);
  void on(const SetCacheState&);
  void on(const SetCounters&);
  void on(const SetLines&);
  void on(const SetRealView&);
  void on(const SetLive&);
  void on(const StartRun&);
  void on(const MeasureRoofs&);
  void on(const SelectRun&);
  void on(const RemoveRun&);
  void on(const ClearRuns&);
  // history.cpp: all runs, notes, comparison, repetition
  void on(const ListRuns&);
  void on(const CompareRuns&);
  void on(const SetNote&);
  void on(const RepeatRun&);
  void on(const ForgetRun&);

  // select.cpp: what is selected is so everywhere; matrices side by side
  void on(const SelectPart&);
  void on(const ShowMarked&);
  void on(const SetRoofline&);
  void on(const CompareMatrices&);
  void on(const LeaveComparison&);
  void on(const ResetKnobs&);
  void select_run_of(const OpenMatrix& m);  // the newest, unless one of its runs is selected
  void show_matrix_of(const RunRecord& r);
  void change_knobs(MatrixId from, const OpenMatrix& to);
  void forget_messages(MatrixId about);
  void rebuild_both_lengths();

  // tune.cpp: the search for parameters
  void on(const StartTuning&);
  void on(const SetTuning&);
  void on(const UseParams&);

  // analysis.cpp: the papers' analyses, the memory chart
  void on(const StartAnalysis&);
  void on(const SetAnalysis&);
  void on(const SetBesideRun&);
  void on(const SetFlops&);

  // formats.cpp: costs, conversions, layout, reorderings
  void on(const SetFormat&);
  void on(const SetFormatParam&);
  void on(const SortFormats&);
  void on(const SetMemory&);
  void on(const BuildFormat&);
  void on(const ReleaseFormat&);
  void on(const Reorder&);
  void on(const ShowReorder&);

  OpenMatrix* find(MatrixId id);
  void opened(MatrixId id, Matrix m);
  void take(OpenMatrix& m, Matrix got);
  void remember(const std::string& source);
  void save();
  void write_preferences();
  void say(Message::Kind kind, std::string text, std::string remedy = {}, MatrixId about = 0);
  void say(const Failure& f, MatrixId about = 0);
  void rebuild_histogram();
  void rebuild_histogram(const OpenMatrix& m);

  void formats_changed();
  // Of the matrix that is shown, or of one beside it.
  void start_costs(MatrixId id, std::function<void()> finished);
  void start_slow_costs(MatrixId id);
  void start_layout();
  void settle_formats();

  void take(const TuneStep& step, RunRecord run);
  void take(TuneRecord whole);
  void rebuild_plane();
  void rebuild_analyses();
  void rebuild_memory_chart();

  void choose_device();
  void knobs_changed();
  void start_run(const OpenMatrix& m, bool live);
  // `show` takes a run in when its time is known, and gives back its id; counters that come later complete() it.
  using ShowRun = std::function<std::uint64_t(RunRecord)>;
  void submit_run(const OpenMatrix& m, const RunRequest& request, ShowRun show, bool live);
  bool may_refresh() const;
  void refresh_live();
  bool may_refine() const;
  void refine_live();
  std::uint64_t record(RunRecord r, bool live);  // its id; 0 when it is not kept
  void complete(std::uint64_t id, RunRecord r);
  void forget_trail();
  void settle_trail();  // the latest live run belongs to the trail too
  void follow(std::uint64_t id);
  void renumber(std::uint64_t id);     // another run took its number, wherever it is shown
  void keep(RunRecord& r, bool live);  // in the history; from any thread
  void rebuild_roofline();
  void find_roofs(const DeviceInfo& device, bool measure_again);
  void rebuild_list();
  void repeat_on(const OpenMatrix& m, const std::shared_ptr<const RunRecord>& old);
  // A change of the history, in a job; made before the end if the program ends first. It may come twice.
  void edit_history(std::function<void()> edit);
  void tell_history_problems();  // from any thread
  void place(const RunRecord& r);

  void lose_device(const std::string& id, const std::string& reason);

  Engine& engine_;
  SessionOptions options_;
  std::deque<Catalog> catalogs_;  // one for each device that was lost: jobs may still read those before it
  AppState s_;
  History history_;
  std::map<std::uint64_t, std::function<void()>> edits_;  // under way
  std::uint64_t next_edit_ = 1;
  std::map<MatrixId, std::shared_ptr<const RunRecord>> repeats_;  // that wait for their matrix
  // What update() makes again: in jobs (costs, layout, preferences), or at once.
  Due list_{true}, roofline_{true}, plane_, live_, costs_, layout_, preferences_;
  Generation list_asked_;
  Generation histogram_asked_, highlight_asked_, listing_asked_, tuning_asked_;
  JobPtr slow_costs_;
  Generation slow_asked_;
  std::uint64_t histogram_ticket_ = 0;
  std::set<std::string> roofs_asked_;  // devices whose roofs were looked for
  JobPtr refresh_job_;                 // measures the live run again and again: no rest to wait for
  std::uint64_t live_run_ = 0;         // the newest live run: becomes trail when the next one arrives
  // Its number in the history, which the next one takes over, since only where a drag stops is worth keeping; 0: none.
  std::atomic<std::uint64_t> live_kept_ = 0;
  MatrixId next_matrix_ = 1;
  Mailbox mail_;
  struct Hearing {  // of lost devices, until no job runs any more
    Engine& engine;
    ~Hearing() { engine.on_device_lost({}); }
  } hearing_{engine_};
  Workers workers_;  // last: gone before what its jobs refer to
};

}  // namespace warpspy::ui
