// What a user can do, as data. Views emit these; Session applies them. Nothing else changes the state.
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
// Several at once; folders stand for the matrices in them.
struct OpenSources {
  std::vector<std::string> sources;
};
// Let go over the window: matrices to be opened; over a study, files of its matrices.
struct DropFiles {
  std::vector<std::string> paths;
};
// What was typed into the open dialog: a folder is listed, all else is opened.
struct GoTo {
  std::string place;
};
// Asks which files to open: by the system's dialog where there is one, else by ours.
struct AskForFiles {};
// Our open dialog, at one of its ways.
struct ShowOpen {
  OpenWay way = OpenWay::file;
  std::string generator = {};  // id of the one that is shown first; empty: as it was
};
// The collection's list: what is here of it; `fetch`: over the network where that is needed, or anew.
struct AskCollection {
  bool fetch = false;
};
// A matrix of the collection by name, fetched where it is not here, and opened.
struct FetchMatrix {
  std::string name;
};
struct SetMatricesView {
  MatricesView view;
};
// Runs every kernel on every one of these matrices, at every precision, on every device, in the background. What is not
// named here is as in the run panel.
struct StartSweep {
  std::vector<MatrixId> matrices;
  std::vector<std::string> kernels;
  std::vector<Precision> precisions;
  std::vector<std::string> devices;
  std::vector<SweepPlan::Axis> params = {};
  std::vector<CacheState> caches = {};
  int repetitions = 1;
  std::string folder = {};  // where its products are kept as well
  bool operator==(const StartSweep&) const = default;
};
// The same as a file, for the command line and for others; nothing runs.
struct SaveSweep {
  StartSweep sweep;
  std::string path;
};
// A sweep file, or the folder of a sweep: its matrices are opened, and it goes on when it is told to.
struct OpenSweep {
  std::string path;
};
// stop: the product under way is cancelled too. resume: also what was stopped. retry: what failed runs once more.
struct SteerSweep {
  enum class To : std::uint8_t { pause, resume, stop, retry } to = To::pause;
};
// Searches the fastest kernel of each of these matrices, on the device and with precision and caches of the run panel.
struct SearchBest {
  std::vector<MatrixId> matrices = {};  // none: those that are chosen in the table, or else all that are open
};
// stop: the search under way is cancelled. resume: those that are left.
struct SteerBest {
  enum class To : std::uint8_t { stop, resume } to = To::stop;
};
// The study that is looked at. stop: the product under way is cancelled too, and what has run is kept.
struct SteerStudy {
  enum class To : std::uint8_t { run, stop } to = To::run;
};
// A file of a study, which joins the list.
struct OpenStudyFile {
  std::string path;
};
// Files in the place of the study's stand-ins: each says by its name or its size which.
struct GiveStudyFiles {
  std::vector<std::string> paths;
};
// The run behind the cell that is looked at, on its matrix: as a run, its warp, or what limits it. `here`: the run on
// the chosen device, else that on the paper's GPU.
struct FollowStudyCell {
  StudyWay way = StudyWay::run;
  bool here = false;
};
// All that came of the study, as a folder for who evaluates the paper.
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

// One of the choices that are a word or a number (choice_rows.hpp).
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
struct MeasureRoofs {};  // of the chosen device
struct StartTuning {
  // Over all kernels, as the strategy `predict` chooses; what it finds is set in the run panel.
  bool best = false;
};
struct StartAnalysis {};
struct SetAnalysis {
  AnalysisSettings settings;
};
// Kernel and parameters of the next run, all at once.
struct UseParams {
  std::string kernel;
  ParamSet params;
};
struct CancelJob {
  std::uint64_t id = 0;
};
struct SelectRun {
  std::uint64_t id = 0;
  bool compared = false;  // where it is one of the compared, they go on being compared
};
struct RemoveRun {
  std::uint64_t id = 0;
};
struct ClearRuns {};
// What the table of runs lists.
struct ListRuns {
  bool all = false;
  HistoryQuery query;
};
// Runs to be looked at together, the baseline first; fewer than two: none.
struct CompareRuns {
  std::vector<std::uint64_t> ids;
};
struct SetNote {
  std::uint64_t run = 0;
  std::string text;
};
// The same again, on its own matrix (opened if need be) and device; then compared with what it was.
struct RepeatRun {
  std::uint64_t id = 0;
};
// Runs what a finding of a run suggests, and compares the two; a reordering is opened, to be run then.
struct TryFinding {
  std::uint64_t run = 0;
  std::size_t finding = 0;
};
// Finds what limits a run that nobody looked at, or of which only bounds are known; asks the model of its GPU.
struct FindLimits {
  std::uint64_t run = 0;
};
// Out of the history too.
struct ForgetRun {
  std::uint64_t id = 0;
};

struct SetCamera {
  MatrixId matrix = 0;
  Camera camera;
};
// Rows of these lengths [lo, hi), or else the rows [first, past); both empty: none.
struct SetHighlight {
  index_t lo = 0, hi = 0, first = 0, past = 0;
  bool any() const { return lo < hi || first < past; }
  bool operator==(const SetHighlight&) const = default;
};
// Brings the next marked row below the middle of the view there, the first one after the last.
struct ShowMarked {};
// An array or a source line of the selected run, to be marked wherever it is shown; empty: none.
struct SelectPart {
  std::string array, line;
};
// The warp of the selected run, else of the next one, on the current matrix; and its tab.
// Beside it that of another kernel for the same row, where `beside` names one.
struct ShowWarp {
  WarpWanted wanted;
  std::string beside = {};
  std::optional<std::size_t> step = {};  // to begin with; else the one that tells most, or the first
  bool follows = false;                  // another run came: its tab stays where it is
};
struct SetWarpStep {
  std::size_t step = 0;
};
struct SetWarpStride {
  WarpStride stride;
};
// On or back by the stride.
struct StepWarp {
  bool forward = true;
};
struct PlayWarp {
  bool on = true;
};
// What is shown of the warp: a step of it, or the warps of its SM on an axis of time.
struct SetWarpView {
  WarpView view = WarpView::step;
};
// The first step of the warp on this source line ("ell.hpp:61"), and its rows marked. Nothing where it has none.
struct GoToLine {
  std::string line;
};
// Two open matrices, to be shown side by side; 0 and 0: no more.
struct CompareMatrices {
  MatrixId left = 0, right = 0;
};
// Ends every comparison: of matrices and of runs.
struct LeaveComparison {};
// Parameters of kernel and format as they are by default.
struct ResetKnobs {};

struct ShowTab {
  std::string id;
};
// Help, at that word of the field (core/catalog/terms).
struct ShowWord {
  std::string id;
};
// The dialog of that id; empty: none.
struct ShowDialog {
  std::string id;
};
// The dialog that exports the figure of that id.
struct ShowExport {
  std::string what = "roofline";
};
// How the window is divided. A drag of a splitter sends many.
struct SetPanes {
  Panes panes;
};
// Which control the keys mean. The window's own matter: it is no part of the state.
struct MoveFocus {
  FocusTo to = FocusTo::next;
};
// Asks for what the dialog shows beside its controls.
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
  bool overwrite = false;             // a file that is there already
};
// Everything that can be exported, into a new folder there, or a new zip archive.
struct ExportAll {
  std::string folder;
  plot::Page page = {};
  bool zip = false;  // one file instead
};
struct CopyText {
  std::string text;
};
struct Notify {
  Message message;
};
// Parameters, view changes and closed matrices; never what ran.
struct Undo {};
struct Redo {};
// The desk with its runs, to one file; and such a file in the place of the desk.
struct SaveSession {
  std::string path;
  bool replaces = false;  // also what somebody else saved there since this session was opened or saved
};
struct OpenSession {
  std::string path;
};
// A desk that is offered, beside what is open.
struct BringBack {
  std::string file = {};  // empty: the newest
};
// The desk as it is, as the next slide of the lecture.
struct AddSlide {
  std::string path = {};  // of the file, where no lecture is open; empty: beside the session
};
struct OpenLecture {
  std::string path;
};
// The slide of that place, from 0.
struct ShowSlide {
  std::size_t at = 0;
};
// The slide on the whole screen, for a projector.
struct Project {
  bool on = true;
};
// A lesson from its file: a step asks before it shows. It goes on where its answers end.
struct OpenLesson {
  std::string file;
};
// Leaves it: from then on nothing is covered, and answers that are given later say so.
struct CloseLesson {};
// From the first page to the first step. The name also says the seed, where the lesson has one.
struct BeginLesson {
  std::string name;
};
// What is being written, or was picked in a view.
struct DraftAnswer {
  std::string answer, reason;
};
// The draft, as the prediction; where the author allows several tries, as the next one.
struct Predict {};
// The truth, although tries are left.
struct ShowTruth {};
// A step of the lesson, from 0; behind the last one is the end. Not past one without a prediction.
struct ShowLessonStep {
  std::size_t at = 0;
};
// The answers, into a file that the student may send.
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
          SetFormatParam, SetMemory, BuildFormat, ReleaseFormat, Reorder, ShowReorder, StartRun, MeasureRoofs,
          StartTuning, UseParams, CancelJob, SelectRun, RemoveRun, ClearRuns, ListRuns, CompareRuns, SetNote, RepeatRun,
          ForgetRun, SetCamera, SetHighlight, ShowTab, ShowDialog, ShowExport, SetPanes, MoveFocus, PreviewFigure,
          ExportFigure, ExportAll, CopyText, Notify, ReadMessages, ClearMessages, Quit, StartAnalysis, SetAnalysis,
          OpenSources, GoTo, AskForFiles, ShowOpen, SetMatricesView, StartSweep, SteerSweep, SaveSweep, OpenSweep,
          SearchBest, SteerBest, Undo, Redo, SaveSession, OpenSession, BringBack, SetSettings, ShowMarked, SelectPart,
          CompareMatrices, LeaveComparison, ResetKnobs, ShowWarp, SetWarpStep, SetWarpStride, StepWarp, PlayWarp,
          SetWarpView, GoToLine, TryFinding, AskCollection, FetchMatrix, ShowWord, FindLimits, SteerStudy,
          GiveStudyFiles, FollowStudyCell, SaveStudy, DropFiles, OpenStudyFile, AddSlide, OpenLecture, ShowSlide,
          Project, OpenLesson, CloseLesson, BeginLesson, DraftAnswer, Predict, ShowTruth, ShowLessonStep, HandIn>;

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
