// The owner of the state: applies actions, starts jobs, takes in their results. Lives on the UI thread; never waits.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/collection/collection.hpp"
#include "core/experiment/best.hpp"
#include "core/experiment/search.hpp"
#include "core/jobs/jobs.hpp"
#include "core/run/engine.hpp"
#include "core/run/history.hpp"
#include "core/session/desk_folder.hpp"
#include "core/session/file_mark.hpp"
#include "core/sweep/stored.hpp"
#include "ui/session/desk_writer.hpp"
#include "ui/session/following.hpp"
#include "ui/session/follows.hpp"
#include "ui/session/preferences.hpp"
#include "ui/session/undo.hpp"
#include "ui/state/actions.hpp"

namespace warpspy::ui {

struct SessionOptions {
  std::string preferences;  // file; empty: nothing is remembered
  std::string history;      // file of all runs; empty: they are forgotten at the end
  std::string desk;         // folder of the desks; empty: none is kept
  bool fresh = false;       // begins with an empty desk; the one that is kept can still be brought back
  double autosave_s = 2;    // from a change of the desk until it is written
  bool run_on_open = true;  // a fresh matrix gets one run, so that the roofline answers at once
  // Time on a real GPU of a run asked for, of one while a parameter is dragged, of one that follows it without a
  // change, of each product of a search for parameters, of one for the best kernel, and of each run of an analysis.
  double run_budget_s = 1, live_budget_s = 0.05, refresh_budget_s = 0.02, tune_budget_s = 0.1, best_budget_s = 0.02,
         analysis_budget_s = 0.3;
  double search_budget_s = 1;                 // of a search among all kernels, for each operation
  std::optional<CollectionPlace> collection;  // from where matrices are fetched by name; nothing: they are not
  int workers = 4;
  bool idle_jobs = false;      // they take only what processors the thread that draws leaves (take_idle_processors)
  std::function<void()> wake;  // called from any thread when there is something to take in
  std::function<void(const std::string&)> clipboard;  // takes copied text
  // Asks for files by the system's dialog, beginning in a folder: at once, and `answered` is called later, from any
  // thread, with paths (none: cancelled) or why it could not ask. False: it is open already. Empty: there is none.
  using Answered = std::function<void(std::vector<std::string> paths, std::string problem)>;
  std::function<bool(const std::string& folder, Answered answered)> ask_files;
  std::string system_dialog;         // its name
  std::vector<std::string> engines;  // commands of engines that are used beside those of the settings
  std::string version;               // of Warpspy
  std::string driver;                // of the CUDA devices here: "13.0", or ""
  MakeSearch search;                 // makes the plans of searches for parameters
  MakeBest best;                     // and those for the best kernel of a matrix
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
  void tell_scale(double scale) { s_.scale = scale; }
  // Once per frame: takes in results, starts what is due, rebuilds figures that are stale.
  void update();
  // No job is queued or running and no result waits.
  bool idle();
  // Seconds until update() has something to do although nothing happens; nothing: never.
  std::optional<double> due_in_s() const;
  // What undo takes back at once: all actions of a frame, and those of a kind until the hand rests.
  void next_frame();
  void end_step();

 private:
  // session.cpp: matrices, views, preferences
  void on(const OpenSource&);
  void on(const SelectMatrix&);
  void on(const CloseMatrix&);
  void on(const SetChoice&);
  void on(const SetCamera&);
  void on(const SetHighlight&);
  void on(const ShowTab&);
  void on(const ShowWord&);
  void on(const ShowDialog&);
  void on(const SetPanes&);
  void on(const MoveFocus&) {}  // the window does that
  void on(const CopyText&);
  void on(const Notify&);
  void on(const ReadMessages&);
  void on(const ClearMessages&);
  void on(const CancelJob&);
  void on(const Quit&);
  // exporting.cpp
  void on(const ShowExport&);
  void on(const PreviewFigure&);
  void on(const ExportFigure&);
  void on(const ExportAll&);
  void not_written(const Failure& f);
  void open_figure(const std::string& path);
  // open.cpp: asking for files, several at once, folders
  void on(const BrowseFolder&);
  void on(const OpenSources&);
  void on(const GoTo&);
  void on(const AskForFiles&);
  void on(const ShowOpen&);
  // collection.cpp: matrices by name
  void on(const AskCollection&);
  void on(const FetchMatrix&);
  static std::string fetched(const CollectionPlace& place, const std::string& source, Progress& p);
  // sweep.cpp: many matrices
  void on(const SetMatricesView&);
  void on(const StartSweep&);
  void on(const SteerSweep&);
  void on(const SaveSweep&);
  void on(const OpenSweep&);
  // best.cpp: the fastest kernel of each of them
  void on(const SearchBest&);
  void on(const SteerBest&);
  void on(const SetSettings&);
  // undo_session.cpp
  void on(const Undo&);
  void on(const Redo&);
  // desk.cpp: the desk that is kept, sessions in files
  void on(const SaveSession&);
  void on(const OpenSession&);
  void on(const BringBack&);
  // runs.cpp: knobs, runs, roofline
  void on(const SetDevice&);
  void on(const SetKernel&);
  void on(const SetParam&);
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
  // diagnosis.cpp: what a finding suggests
  void on(const TryFinding&);
  void on(const FindLimits&);

  // select.cpp: what is selected is so everywhere; matrices side by side
  void on(const SelectPart&);
  void on(const ShowMarked&);
  void on(const CompareMatrices&);
  void on(const LeaveComparison&);
  void on(const ResetKnobs&);
  // warp.cpp: the warp that is stepped through
  void on(const ShowWarp&);
  void on(const SetWarpStep&);
  void on(const SetWarpStride&);
  void on(const StepWarp&);
  void on(const PlayWarp&);
  void on(const SetWarpView&);
  void on(const GoToLine&);
  void find_best_kept(const OpenMatrix& m);
  void follow_run();
  void follow_warp();
  std::optional<double> warp_due_in_s() const;

  void select_run_of(const OpenMatrix& m);  // the newest, unless one of its runs is selected
  void show_matrix_of(const RunRecord& r);
  std::size_t take_mail();  // of jobs; how much there was
  void settle();
  void note_tabs_seen();
  void settle_selected_run();  // gone with a trail, a list or a comparison, or of a matrix that is not shown
  void change_knobs(MatrixId from, const OpenMatrix& to);
  void forget_messages(MatrixId about);

  // tune.cpp: the search for parameters
  void on(const StartTuning&);
  void on(const UseParams&);

  // analysis.cpp: the papers' analyses, the memory chart
  void on(const StartAnalysis&);
  void on(const SetAnalysis&);

  // formats.cpp: costs, conversions, layout
  void on(const SetFormatParam&);
  void on(const SetMemory&);
  void on(const BuildFormat&);
  void on(const ReleaseFormat&);
  // reorder.cpp
  void on(const Reorder&);
  void on(const ShowReorder&);

  OpenMatrix* find(MatrixId id);
  // A matrix as a job knew it when it began. What the job found is not of the same matrix closed and opened again.
  struct Opening {
    MatrixId id;
    std::uint64_t number;
  };
  static Opening opening_of(const OpenMatrix& m) { return {m.id, m.opening}; }
  OpenMatrix* find(const Opening& o);
  void drop_matrix(MatrixId id);
  void drop_failed(const std::string& source);
  // loading.cpp: from a recipe to a matrix
  struct Loaded {
    Matrix matrix;
    std::optional<FileMark> file;
    bool changed = false;  // the file is not what it was when the desk was left
    std::string fetched;   // what is to be said of its fetching
  };
  void load(MatrixId id);
  void opened(const Opening& opening, Loaded got);
  void not_opened(const Opening& opening, const Failure& f);
  void read_hash(const OpenMatrix& m);
  void show_warp_when_read(const std::map<std::string, std::string>& choices);
  void mark_when_read(const SetHighlight& marks);
  void take(OpenMatrix& m, Matrix got);
  void run_by_itself(const OpenMatrix& m);  // once it has been opened
  // Matrices that are opened together.
  struct OpenGroup {
    std::size_t all = 0, left = 0;
    std::vector<std::string> failed;  // names
  };
  void open_all(const std::vector<std::string>& sources);
  void settle_group(MatrixId id, const std::string& failed);
  void take(Listing l);
  void serve_sweep();
  void run_cell(std::size_t cell, const OpenMatrix& m);
  void take_cell(RunRecord r, double seconds);
  void put_sweep(const SavedSweep& kept);
  void serve_best();
  void search_best(std::size_t item, const OpenMatrix& m);
  void take_best(const CaseResult& finals);
  void read_sweep_folder(SweepRun::Phase then, bool retry = false);
  void put_stored(StoredSweep stored);
  void end_sweep(SweepRun::Phase phase);
  void start_reordering(MatrixId id);
  static std::string reordering_label(const std::string& id);  // the id itself where there is no such row
  void start_waiting();                                        // reorderings whose matrix has come

  // undo_session.cpp
  void tell_undo();
  void go(const UndoState& from, const UndoState& to);
  void reopen(const UndoState& to, std::size_t k);

  // desk.cpp
  void begin_desk();
  void keep_desk();
  void desk_changed();
  bool may_keep_desk() const;
  void start_keeping();
  std::optional<double> desk_due_in_s() const;
  void offer(std::vector<LeftDesk> left);
  void read_desk(const std::string& file);
  void close_all();
  // What was read of a desk, onto the one that is there.
  void bring_back(DeskRead read, const DeskRunsFound& runs, const std::string& what);
  MatrixId put_matrix(const DeskMatrix& m);
  void put_runs(const Desk& desk, const DeskRunsFound& runs);
  void put_results(const Desk& desk);
  void came(MatrixId id, bool changed, const Failure* failure);
  void tell_bringing();

  void remember(const std::string& source);
  void write_preferences();
  void say(Message::Kind kind, std::string text, std::string remedy = {}, MatrixId about = 0);
  void say(const Failure& f, MatrixId about = 0);

  // pattern.cpp: what the pattern shows of a run
  void follow_pattern();
  void start_pattern();

  void take(const TuneStep& step, RunRecord run);
  void take(TuneRecord whole);
  void use_best();

  void compare(std::vector<std::shared_ptr<const RunRecord>> runs);

  void choose_device();
  void start_run(const OpenMatrix& m, bool live);
  // `show` takes a run in when its time is known, and gives back its id; counters that come later complete() it.
  using ShowRun = std::function<std::uint64_t(RunRecord)>;
  // Behind a run that was asked for, in its job: what limits it, by the model of its GPU.
  // The open matrix of a run; nullptr, and said, where it is not there.
  const OpenMatrix* require_matrix_of(const RunRecord& run);
  void find_limits_of(RunRecord& r, const Matrix& matrix, const Catalog& catalog, Progress& p);
  void run_beside(const std::shared_ptr<const RunRecord>& old, const OpenMatrix& m, const RunRequest& request);
  RunRecord run_once(const RunRequest& request, Purpose purpose, const Matrix& matrix, const Catalog& catalog,
                     Progress& p, const OnTimed& on_timed = {});
  void submit_run(const OpenMatrix& m, const RunRequest& request, ShowRun show, bool live);
  std::string kernel_label(const std::string& id) const;
  bool live_is_due();
  bool may_refresh();
  void refresh_live();
  bool may_refine();
  void refine_live();
  std::uint64_t record(RunRecord r, bool live);  // its id; 0 when it is not kept
  void complete(std::uint64_t id, RunRecord r);
  void forget_trail();
  void settle_trail();  // the latest live run belongs to the trail too
  void follow(std::uint64_t id);
  void renumber(std::uint64_t id);     // it left the history, wherever it is shown
  void keep(RunRecord& r, bool live);  // in the history; from any thread
  void find_roofs(const DeviceInfo& device, bool measure_again);
  void find_kept_roofs(const RunRecord& r);  // after the first good run of a real device
  void repeat_on(const OpenMatrix& m, const std::shared_ptr<const RunRecord>& old);
  // A change of the history, in a job; made before the end if the program ends first. It may come twice.
  void edit_history(std::function<void()> edit);
  void tell_history_problems();  // from any thread

  void lose_device(const std::string& id, const std::string& reason);
  // All devices that a machine has now, in the place of those that it had; "": this one.
  void take_devices(const std::string& host, const std::vector<DeviceInfo>& devices);
  void use_engines();  // those of the options and of the settings

  Engine& engine_;
  SessionOptions options_;
  std::deque<Catalog> catalogs_;  // one for each device that was lost: jobs may still read those before it
  AppState s_;
  History history_;
  std::map<std::uint64_t, std::function<void()>> edits_;  // under way
  std::uint64_t next_edit_ = 1;
  std::map<MatrixId, std::shared_ptr<const RunRecord>> repeats_;  // that wait for their matrix
  Follows<Preferences> preferences_;
  Follows<std::pair<std::string, std::string>> trail_of_;  // device and kernel
  std::optional<RunRequest> live_asked_;                   // of the last run that followed the knobs
  bool touched_ = true;                                    // since the last update
  Generation sweep_asked_;                                 // what ends of a sweep before is not of this one
  Generation best_asked_;                                  // the same of a search
  // What the pattern is to show: since when, and what was asked for last.
  struct PatternAsked {
    MatrixId matrix = 0;
    RunRequest request;
    RowSpan rows;
    bool operator==(const PatternAsked&) const = default;
  };
  PatternAsked pattern_wanted_, pattern_asked_;
  std::chrono::steady_clock::time_point pattern_since_;
  Generation pattern_ticket_;
  bool pattern_waits() const;
  Generation warp_asked_;
  std::chrono::steady_clock::time_point warp_moved_;  // while it plays
  Generation highlight_asked_, listing_asked_, tuning_asked_;
  std::map<MatrixId, std::shared_ptr<OpenGroup>> groups_;  // of matrices that are being opened
  Generation preview_asked_;
  JobPtr preview_job_;
  std::set<std::string> roofs_asked_;  // devices whose roofs were looked for
  JobPtr refresh_job_;                 // measures the live run again and again: no rest to wait for
  std::uint64_t live_run_ = 0;         // the newest live run: becomes trail when the next one arrives
  // Its number in the history, which it leaves when the next one is kept; 0: none.
  std::atomic<std::uint64_t> live_kept_ = 0;
  MatrixId next_matrix_ = 1;
  std::uint64_t next_opening_ = 1;
  std::set<std::string> to_fetch_;      // sources that were asked for by name: nothing else uses the network
  std::set<MatrixId> quiet_;            // come back: no run is made of them, and they are no news
  SetHighlight marks_wait_;             // for the shown matrix
  std::optional<ShowWarp> warp_waits_;  // for the same
  UndoStack undo_;
  // The desk between two starts.
  std::optional<DeskPlace> desk_place_;
  std::shared_ptr<DeskWriter> desk_writer_ = std::make_shared<DeskWriter>();
  std::optional<std::chrono::steady_clock::time_point> desk_changed_;  // since it was written
  bool desk_writing_ = false;
  std::size_t desk_mail_ = 0;             // of its writing
  bool desk_reading_ = false;             // what is kept is just being read: it is not written over
  std::optional<FileMark> session_mark_;  // of the session's file, as it was opened or saved
  bool desk_foreign_ = false;             // what is kept is not what is on the screen: it makes room, but is not lost
  std::map<std::string, std::string> other_choices_;  // of a later program: kept as they are
  // A desk that is coming back: what is said of it is said once, when everything has come.
  static constexpr const char* kTheDesk = "The desk";  // else the name of a session
  struct Bringing {
    std::string what;
    std::set<MatrixId> left;
    std::vector<std::string> failed, changed, remarks;
    std::size_t lost_runs = 0;
  };
  std::optional<Bringing> bringing_;
  bool preferences_failed_ = false, desk_failed_ = false;  // and it was said
  Mailbox mail_;
  struct Hearing {  // of lost devices, until no job runs any more
    Engine& engine;
    ~Hearing() { engine.on_device_lost({}), engine.on_devices({}); }
  } hearing_{engine_};
  Following following_{s_, workers_, history_, [this](const Failure& f) { say(f); },
                       [this] { tell_history_problems(); }};
  Workers workers_;  // last: gone before what its jobs refer to
};

}  // namespace warpspy::ui
