// Actions: what a user can do, as data. Views emit actions, and Session applies them. Nothing else changes the state.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/platform/input.hpp"
#include "ui/state/any_of.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

struct OpenSource {
  std::string source;
};
// Opens several sources at once; a folder means the matrices in it.
struct OpenSources {
  std::vector<std::string> sources;
};
// Files were dropped on the window: matrices to open; on a study, files of its matrices.
struct DropFiles {
  std::vector<std::string> paths;
};
// A text was typed into the open dialog: a folder is listed, anything else is opened.
struct GoTo {
  std::string place;
};
// Asks which files to open, by the system's dialog; without one, by Warpspy's own.
struct AskForFiles {};
// Shows Warpspy's own open dialog, at one of its pages.
struct ShowOpen {
  OpenWay way = OpenWay::file;
  std::string generator = {};  // id of the generator to show first; empty: the last one
};
// Reads the collection's list on this machine; `fetch`: downloads it if needed, or again.
struct AskCollection {
  bool fetch = false;
};
// Opens a matrix of the collection by name, and downloads it if it is not here.
struct FetchMatrix {
  std::string name;
};
struct SetMatricesView {
  MatricesView view;
};
// Runs every kernel on every one of these matrices, at every precision, on every device, in the background. All other
// options are those of the run panel.
struct StartSweep {
  std::vector<MatrixId> matrices;
  std::vector<std::string> kernels;
  std::vector<Precision> precisions;
  std::vector<std::string> devices;
  std::vector<SweepPlan::Axis> params = {};
  std::vector<CacheState> caches = {};
  int repetitions = 1;
  std::string folder = {};  // a folder that also keeps its products
  bool operator==(const StartSweep&) const = default;
};
// Saves such a sweep as a file, for the command line and for others; nothing runs.
struct SaveSweep {
  StartSweep sweep;
  std::string path;
};
// Opens a sweep file, or the folder of a sweep, and its matrices. The sweep waits until the user continues it.
struct OpenSweep {
  std::string path;
};
// stop: also cancels the running product. resume: continues, also the stopped product. retry: runs failed products
// again. watch: looks what the tasks of a cluster have written, now and from time to time, until stop.
struct SteerSweep {
  enum class To : std::uint8_t { pause, resume, stop, retry, watch } to = To::pause;
};
// Searches the fastest kernel of each of these matrices, on the device and with precision and caches of the run panel.
struct SearchBest {
  std::vector<MatrixId> matrices = {};  // empty: the matrices that are chosen in the table, or else all open ones
};
// stop: cancels the running search. resume: searches the remaining matrices.
struct SteerBest {
  enum class To : std::uint8_t { stop, resume } to = To::stop;
};
// Steers the shown study. stop: also cancels the running product; results so far are kept.
struct SteerStudy {
  enum class To : std::uint8_t { run, stop } to = To::run;
};
// Opens a file of a study, and adds it to the list.
struct OpenStudyFile {
  std::string path;
};
// Uses files in place of the study's stand-ins: a file's name or size says which stand-in it replaces.
struct GiveStudyFiles {
  std::vector<std::string> paths;
};
// Shows the run of the selected cell, on its matrix: the run, its warp, or what limits it. `here`: the run on the
// chosen device, else that on the paper's GPU.
struct FollowStudyCell {
  StudyWay way = StudyWay::run;
  bool here = false;
};
// Saves all results of the study as a folder, for people who evaluate the paper.
struct SaveStudy {
  std::string folder;
};
struct SelectMatrix {
  MatrixId id = 0;
};
struct CloseMatrix {
  MatrixId id = 0;
};
struct BrowseFolder {
  std::string folder;
};

// Sets a choice, which is one word or number (choice_rows.hpp).
struct SetChoice {
  std::string id, value;
};
struct SetDevice {
  std::string id;
};
struct SetKernel {
  std::string id;
};
struct SetParam {
  enum class Of : std::uint8_t { kernel, format } of = Of::kernel;
  std::string id;
  double value = 0;
};
struct SetFormatParam {
  std::string format, id;
  double value = 0;
};
struct SetMemory {
  MemoryBudget budget;
};
struct BuildFormat {
  std::string id;
};
struct ReleaseFormat {
  std::string id;
};
// Opens the current matrix in another order, beside it.
struct Reorder {
  std::string id;
  ParamSet params;
  std::string file;
};
struct ShowReorder {
  std::string id;
};
struct StartRun {};
struct StartSolve {};    // the solve that the tab Solve shows
struct MeasureRoofs {};  // measures the roofs of the chosen device
struct StartTuning {
  // Searches over all kernels, by the strategy `predict`; the result is set in the run panel.
  bool best = false;
};
struct StartAnalysis {};
struct SetAnalysis {
  AnalysisSettings settings;
};
// Sets kernel and parameters of the next run, all at once.
struct UseParams {
  std::string kernel;
  ParamSet params;
};
struct CancelJob {
  std::uint64_t id = 0;
};
struct SelectRun {
  std::uint64_t id = 0;
  bool compared = false;  // if it is one of the compared runs, the comparison stays
};
struct RemoveRun {
  std::uint64_t id = 0;
};
struct ClearRuns {};
// Holds what the table of runs lists.
struct ListRuns {
  bool all = false;
  HistoryQuery query;
};
// Compares runs, the baseline first; with fewer than two it ends the comparison.
struct CompareRuns {
  std::vector<std::uint64_t> ids;
};
struct SetNote {
  std::uint64_t run = 0;
  std::string text;
};
// Repeats a run on its own matrix (which is opened if needed) and device, and compares the two.
struct RepeatRun {
  std::uint64_t id = 0;
};
// Runs what a finding of a run suggests, and compares the two. For a reordering, the reordered matrix is opened, and
// the user can run it.
struct TryFinding {
  std::uint64_t run = 0;
  std::size_t finding = 0;
};
// Finds what limits a run, by the model of its GPU, if that was not looked for yet, or only bounds are known.
struct FindLimits {
  std::uint64_t run = 0;
};
// Removes a run, from the history too.
struct ForgetRun {
  std::uint64_t id = 0;
};

struct SetCamera {
  MatrixId matrix = 0;
  Camera camera;
};
// Marks rows with lengths in [lo, hi), or else the rows [first, past); both empty: no rows.
struct SetHighlight {
  index_t lo = 0, hi = 0, first = 0, past = 0;
  bool any() const { return lo < hi || first < past; }
  bool operator==(const SetHighlight&) const = default;
};
// Moves the next marked row to the middle of the view; after the last comes the first.
struct ShowMarked {};
// Marks an array or a source line of the selected run in all views; empty: none.
struct SelectPart {
  std::string array, line;
};
// Shows a warp of the selected run, else of the next run, on the current matrix, and opens its tab. If `beside` names
// another kernel, that kernel's warp for the same row stands beside it.
struct ShowWarp {
  WarpWanted wanted;
  std::string beside = {};
  std::optional<std::size_t> step = {};  // the step to show first; else the most telling one, or the first
  bool follows = false;                  // shown because another run was selected: the tab does not change
};
struct SetWarpStep {
  std::size_t step = 0;
};
struct SetWarpStride {
  WarpStride stride;
};
// Steps forward or back, by the current stride.
struct StepWarp {
  bool forward = true;
};
struct PlayWarp {
  bool on = true;
};
// Chooses what is shown: a step of the warp, or the warps of its SM on an axis of time.
struct SetWarpView {
  WarpView view = WarpView::step;
};
// Goes to the warp's first step on this source line ("ell.hpp:61"), and marks its rows. Does nothing if there is no
// such step.
struct GoToLine {
  std::string line;
};
// Shows two open matrices side by side; 0 and 0 ends that.
struct CompareMatrices {
  MatrixId left = 0, right = 0;
};
// Ends every comparison: of matrices and of runs.
struct LeaveComparison {};
// Sets all parameters of kernel and format to their defaults.
struct ResetKnobs {};

struct ShowTab {
  std::string id;
};
// Opens Help at that word of the field (core/catalog/terms).
struct ShowWord {
  std::string id;
};
// Opens the dialog with that id; empty: closes it.
struct ShowDialog {
  std::string id;
};
// Opens the export dialog for the figure with that id.
struct ShowExport {
  std::string what = "roofline";
};
// Sets how the window is divided. A drag of a splitter emits many of these.
struct SetPanes {
  Panes panes;
};
// Moves the focus of the keyboard. The window does that itself: the focus is no part of the state.
struct MoveFocus {
  FocusTo to = FocusTo::next;
};
// Asks for the preview that the export dialog shows.
struct PreviewFigure {
  std::string what = "roofline";
  plot::Page page = {};
  std::optional<Window> window = {};  // spy: only this part
  double scale = 1;                   // device pixels for each px of the page
  bool operator==(const PreviewFigure&) const = default;
};
struct ExportFigure {
  std::string what = "roofline";
  std::string path = {};  // the ending decides the format
  plot::Page page = {};
  std::optional<Window> window = {};  // spy: only this part
  bool overwrite = false;             // true: an existing file may be overwritten
};
// Everything that can be exported, into a new folder there, or a new zip archive.
struct ExportAll {
  std::string folder;
  plot::Page page = {};
  bool zip = false;  // true: one archive instead of a folder
};
struct CopyText {
  std::string text;
};
struct Notify {
  Message message;
};
// Undoes changes of parameters and views, and closed matrices; never runs.
struct Undo {};
struct Redo {};
// SaveSession writes the desk with its runs to a file; the next action opens such a file in place of the desk.
struct SaveSession {
  std::string path;
  bool replaces = false;  // also overwrites what another program saved there since this session was opened or saved
};
struct OpenSession {
  std::string path;
};
// Restores an offered desk, in addition to what is open.
struct BringBack {
  std::string file = {};  // empty: the newest desk
};
// Adds the present desk as the next slide of the lecture.
struct AddSlide {
  std::string path = {};  // the lecture's file, if no lecture is open; empty: a file beside the session
};
struct OpenLecture {
  std::string path;
};
// Takes the shown slide out of the lecture and its file.
struct RemoveSlide {};
// Shows the slide at that position, from 0.
struct ShowSlide {
  std::size_t at = 0;
};
// Shows the slide on the whole screen, for a projector.
struct Project {
  bool on = true;
};
// Opens a lesson from its file. It continues after the last saved answer. If it would leave a lesson with open steps,
// the student is asked first, unless `sure`. The open lesson's own file: the student stays.
struct OpenLesson {
  std::string file;
  bool sure = false;
};
// Leaves the lesson: from then on nothing is covered, and later answers are marked so.
struct CloseLesson {};
// Goes from the first page to the first step. If the lesson has a seed, it comes from the name.
struct BeginLesson {
  std::string name;
};
// The answer that the student is writing, or has picked in a view.
struct DraftAnswer {
  std::string answer, reason;
};
// Submits the draft as the prediction, or, if the author allows several tries, as the next try.
struct Predict {};
// Shows the truth, although tries are left.
struct ShowTruth {};
// Shows a step of the lesson, from 0; after the last step comes the end. It cannot go past a step without a prediction.
struct ShowLessonStep {
  std::size_t at = 0;
};
// Writes the answers into a file that the student can hand in.
struct HandIn {
  std::string path, name;
  bool overwrite = false;
};
struct SetSettings {
  Settings settings;
};
struct ReadMessages {};
struct ClearMessages {};
struct Quit {};

using Action =
    AnyOf<OpenSource, SelectMatrix, CloseMatrix, BrowseFolder, SetChoice, SetDevice, SetKernel, SetParam,
          SetFormatParam, SetMemory, BuildFormat, ReleaseFormat, Reorder, ShowReorder, StartRun, StartSolve,
          MeasureRoofs, StartTuning, UseParams, CancelJob, SelectRun, RemoveRun, ClearRuns, ListRuns, CompareRuns,
          SetNote, RepeatRun, ForgetRun, SetCamera, SetHighlight, ShowTab, ShowDialog, ShowExport, SetPanes, MoveFocus,
          PreviewFigure, ExportFigure, ExportAll, CopyText, Notify, ReadMessages, ClearMessages, Quit, StartAnalysis,
          SetAnalysis, OpenSources, GoTo, AskForFiles, ShowOpen, SetMatricesView, StartSweep, SteerSweep, SaveSweep,
          OpenSweep, SearchBest, SteerBest, Undo, Redo, SaveSession, OpenSession, BringBack, SetSettings, ShowMarked,
          SelectPart, CompareMatrices, LeaveComparison, ResetKnobs, ShowWarp, SetWarpStep, SetWarpStride, StepWarp,
          PlayWarp, SetWarpView, GoToLine, TryFinding, AskCollection, FetchMatrix, ShowWord, FindLimits, SteerStudy,
          GiveStudyFiles, FollowStudyCell, SaveStudy, DropFiles, OpenStudyFile, AddSlide, RemoveSlide, OpenLecture,
          ShowSlide, Project, OpenLesson, CloseLesson, BeginLesson, DraftAnswer, Predict, ShowTruth, ShowLessonStep,
          HandIn>;

// Collects the actions of one frame.
class ActionSink {
 public:
  void operator()(Action a) { actions_.push_back(std::move(a)); }
  std::vector<Action> take() { return std::exchange(actions_, {}); }
  const std::vector<Action>& waiting() const { return actions_; }

 private:
  std::vector<Action> actions_;
};

}  // namespace warpspy::ui
