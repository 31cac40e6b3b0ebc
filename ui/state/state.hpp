// Everything the window shows, as plain data. Views read it; only Session writes it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/shared.hpp"
#include "core/catalog/catalog.hpp"
#include "core/generate/generate.hpp"
#include "core/io/folder.hpp"
#include "core/jobs/jobs.hpp"
#include "core/matrix/stats.hpp"
#include "core/model/analyses.hpp"
#include "core/model/best_runs.hpp"
#include "core/model/roofline.hpp"
#include "core/model/speed_ups.hpp"
#include "core/plot/figures.hpp"
#include "core/raster/raster.hpp"
#include "core/reorder/reorder.hpp"
#include "core/run/compare.hpp"
#include "core/run/history.hpp"
#include "core/run/solve_break_even.hpp"
#include "core/run/store.hpp"
#include "core/session/desk.hpp"
#include "ui/look/theme.hpp"
#include "ui/state/camera.hpp"
#include "ui/state/collection.hpp"
#include "ui/state/exporting.hpp"
#include "ui/state/formats.hpp"
#include "ui/state/lecture.hpp"
#include "ui/state/lesson.hpp"
#include "ui/state/matrices.hpp"
#include "ui/state/panes.hpp"
#include "ui/state/pattern_trace.hpp"
#include "ui/state/roofline.hpp"
#include "ui/state/row_mask.hpp"
#include "ui/state/settings.hpp"
#include "ui/state/studies.hpp"
#include "ui/state/warp.hpp"

namespace warpspy::ui {

// A matrix of the workspace. Its data are shared and never change; they arrive part by part.
struct OpenMatrix {
  MatrixId id = 0;
  std::uint64_t opening = 0;  // a matrix that is closed and opened again keeps its id, but gets another number here
  std::string source;         // path, "gen:..."; for a reordered matrix the text of its recipe
  std::string name;           // short
  enum class Status : std::uint8_t { opening, ready, failed } status = Status::opening;
  Failure failure;  // when failed
  JobPtr job;       // while opening
  std::shared_ptr<const Matrix> matrix;
  std::shared_ptr<const MatrixFacts> facts;
  std::shared_ptr<const Pyramid> pyramid;
  std::shared_ptr<const plot::Plot> histogram;  // drawn in the current style and theme
  Camera camera;
  std::shared_ptr<const Thumbnail> thumbnail;
  std::optional<SmallestFormat> smallest;
  std::shared_ptr<const RunRecord> best_kept;  // the fastest good product of the history, when it was opened
  MatrixRecipe recipe;                         // how the matrix can be made again
  std::optional<FileMark> file;                // mark of the file that was read; its hash comes later

  // For a reordered matrix: its original, the reordering, and the change of bandwidth and profile (square matrices).
  MatrixId original = 0;
  std::string reordering;  // "Reverse Cuthill-McKee"; empty for a matrix as it was opened
  std::optional<Envelope> before, after;

  std::shared_ptr<const FormatFacts> format_facts;  // facts for estimates; kept while estimates follow a slider
  std::shared_ptr<const FormatCosts> costs;         // sizes for the latest parameters that a job has finished
  std::vector<BuiltFormat> built;
  std::map<std::string, JobPtr> building;  // by format
  const BuiltFormat* any_built(const std::string& format) const {
    for (const auto& b : built)
      if (b.format == format) return &b;
    return nullptr;
  }
};

// All choices for the next run.
struct Knobs {
  std::string device, kernel;
  std::map<std::string, ParamSet> kernel_params, format_params;  // by kernel and by format: kept, so that switching
                                                                 // back restores them
  Precision precision = Precision::f32;
  RealView view = RealView::real_part;
  CacheState cache_state = CacheState::warm;
  std::string counters = "roofline";  // read with a run on a real GPU
  bool lines = false;                 // also count traffic per source line, except in live runs
  std::string format = "csr";         // the format selected in the table of formats; the kernel may read another
  bool live = false;                  // run again while a parameter is dragged
  std::uint64_t parts = 1;            // over how many GPUs, where that is possible (parts_asked)
  Split split = Split::rows;          // how the rows are divided among them
  bool operator==(const Knobs&) const = default;
};

struct SpySettings {
  plot::SpyStyle style;
  Aspect aspect = Aspect::automatic;
  std::string shade;  // id of a plot::PatternShade; empty: the pattern shows counts of entries
  bool operator==(const SpySettings& o) const {
    return style.shading == o.style.shading && style.map == o.style.map && aspect == o.aspect && shade == o.shade;
  }
};

// Choices for the next search for parameters, and how it is shown.
struct TuneSettings {
  std::string strategy;  // id; empty: all
  std::string x, y;      // parameters on the axes of the plane; empty: chosen by the figure
  std::string path;      // strategy whose path is drawn; empty: the running one, else the most telling one
  bool operator==(const TuneSettings&) const = default;
};
// The running search, or the last one.
struct Tuning {
  MatrixId matrix = 0;
  std::string source;         // source of the matrix, as given
  JobPtr job;                 // while it is under way
  Shared<TuneRecord> record;  // grows product by product
  bool best = false;          // its result will be set in the run panel
  std::shared_ptr<const plot::Plot> plane;
};

// The runs that are listed: this session's, or the newest of all that were ever made.
struct RunList {
  bool all = false;
  HistoryQuery query;          // filters of both
  std::vector<SavedRun> rows;  // newest first
  std::size_t total = 0;       // how many runs fit the query, listed or not
  bool waiting = false;        // waits for the answer
  HistoryWords words;          // the words that the filters offer
  std::uint64_t edits = 0;     // how many changes of the history this window has made
};
// Tells which analysis of the papers is shown, and for which kernels.
struct AnalysisSettings {
  std::string id = "throughput";
  std::map<std::string, ParamSet> params;  // by analysis
  enum class Kernels : std::uint8_t { chosen, of_runs } kernels = Kernels::chosen;
  bool operator==(const AnalysisSettings&) const = default;
};
// Holds what the next solve is, and the figures of the solves of the shown matrix.
struct SolveShown {
  Solver solver = Solver::cg;
  Preconditioner preconditioner = Preconditioner::none;
  std::uint64_t degree = 4;  // of the Chebyshev polynomial
  bool refine = false;       // in f32
  std::uint64_t digits = 6;  // of the tolerance: 1e-6, which f32 reaches
  std::uint64_t most_iterations = 1000;
  bool over_time = false;                              // the residuals
  std::shared_ptr<const plot::Plot> residuals, parts;  // nothing: there are no solves
  // Saved solves of the matrices that were solved in this session, with which a solve is compared.
  Shared<std::vector<std::shared_ptr<const RunRecord>>> saved;
  SolveBreakEven break_even;  // of told_solve(), against the solves of this session and the saved ones
};
// Whose each row of the shown matrix is: of a run over several GPUs, or as chosen for the next one.
struct RowOwners {
  std::shared_ptr<const Csr> matrix;
  std::uint64_t parts = 1;
  Split split = Split::rows;
  std::vector<std::int32_t> of_row;  // from 0 to parts - 1
};
// Holds what is shown of runs over several GPUs.
struct PartsShown {
  std::shared_ptr<const plot::Plot> lanes, speed_up;  // nothing: there are no such runs, or none on one GPU besides
  SpeedUps speed_ups;                                 // of the shown matrix
  // Saved runs of the matrices that ran over several GPUs in this session, with which such a run is compared.
  Shared<std::vector<std::shared_ptr<const RunRecord>>> saved;
  std::shared_ptr<const RowOwners> owners;  // nothing: one GPU has all rows, or it is not known yet
};
// A running or finished analysis: the last one of each kind is kept.
struct Analysing {
  JobPtr job;           // while it is under way
  std::string problem;  // why it failed
  std::shared_ptr<const AnalysisResult> result;
  std::shared_ptr<const plot::Plot> figure;
};

// Marked rows, picked in the histogram or in another picture with rows.
struct Highlight {
  index_t lo = 0, hi = 0;               // row lengths [lo, hi); lo == hi: the rows were picked by number
  index_t first = 0, past = 0;          // marks these rows: [first, past)
  std::shared_ptr<const RowMask> rows;  // a job makes it, when the matrix has been read
};

struct Message {
  enum class Kind : std::uint8_t { note, warning, error } kind = Kind::note;
  std::string text;    // one line
  std::string remedy;  // may be empty
  MatrixId about = 0;  // the matrix that it is about; closing that matrix removes it; 0: none
};

// A desk that is not on the screen and can be restored.
struct DeskOffer {
  std::string file;
  std::string saved, contents;  // when it was saved, and "2 matrices and 17 runs"
  bool crashed = false;         // its program crashed; else the desk was set aside, or belonged to another window
};

// A folder as the open dialog lists it.
struct Listing {
  std::string folder, problem;
  std::vector<FolderEntry> entries;
};
// Ways to open a matrix that the open dialog offers.
enum class OpenWay : std::uint8_t { file, recent, generate, collection };

struct AppState {
  const Catalog* catalog = nullptr;

  std::vector<OpenMatrix> matrices;
  MatrixId selected = 0;
  Knobs knobs;
  std::map<MatrixId, Knobs> knobs_of;  // choices of matrices that were shown before; they return with the matrix
  std::string knobs_from;              // the matrix from which parameters were taken for the current one; empty: its
                                       // own

  RunStore runs{kUnsaved};
  std::uint64_t selected_run = 0;
  std::shared_ptr<const RunRecord> looked_at;  // the selected run, if it is from another session
  std::map<std::uint64_t, std::string> notes;  // notes of this session's runs
  RunList list;
  // The compared runs, the baseline first; none or at least two.
  std::vector<std::shared_ptr<const RunRecord>> comparing;
  std::shared_ptr<const RunComparison> comparison;  // of them
  std::vector<std::uint64_t> trail;                 // runs of the current drag, oldest first; not listed
  double live_hz = 0;                               // how often per second the live run is measured; 0: it rests
  JobPtr run_job;                                   // the running job, or the last queued one
  TuneSettings tune;
  std::optional<Tuning> tuning;
  // The roofline of the chosen device at the chosen precision, with the runs made on it.
  RooflineSettings roofline_settings;
  std::vector<Roof> roofs;
  std::map<std::string, MeasuredRoofs> measured_roofs;  // by device: measured roofs of real devices
  Shared<RunPoints> points;                             // each under the roofs of its run's device
  std::shared_ptr<const plot::Plot> roofline;
  const DeviceInfo* roofline_device = nullptr;  // whose roofs are shown: the chosen one, or the compared baseline's
  Precision roofline_precision = Precision::f32;

  SpySettings spy;
  PatternTrace pattern;  // for the current matrix, while the pattern shows a run's data
  WarpShown warp;        // the warp whose steps are shown
  std::string word;      // the field's word at which Help was opened; empty: none
  int words_shown = 0;   // how often Help was opened at a word: when this changes, Help scrolls there
  plot::HistogramStyle histogram;
  bool histogram_chosen = false;  // the user set the axes, so they no longer follow the matrix

  // The layout picture of the selected format, or why there is none.
  std::shared_ptr<const plot::Plot> layout;
  std::string layout_problem;
  FormatColumn sort_formats = FormatColumn::bytes;
  bool sort_descending = false;
  MemoryBudget memory;             // the most memory that formats may take, if the user sets less than there is
  std::string reorder_by = "rcm";  // in the dialog
  std::optional<Highlight> highlight;
  // The selected array and source line of the selected run; every view marks them; empty: none.
  std::string array, line;

  // Matrices that the user put side by side; 0: compared() chooses.
  MatrixId left = 0, right = 0;
  std::shared_ptr<const plot::Plot> both_lengths;  // their row lengths in one figure

  std::string tab = "matrix";
  std::vector<std::string> tabs_seen = {"matrix"};  // the most recent tab comes first
  std::string dialog;                               // id of the open dialog; empty: none
  Exporting exporting;
  std::string version;  // Warpspy's version, which exported figures contain
  Listing listing;
  OpenWay open_way = OpenWay::file;
  std::string open_generator;  // id of the generator to show; empty: the last one
  std::string system_dialog;   // the program with the system's file dialog ("zenity"); empty: Warpspy's own dialog is
                               // used
  CollectionShown collection;
  MatricesView matrices_view;
  std::optional<SweepRun> sweep;
  std::optional<BestSearch> best_search;
  std::shared_ptr<const plot::Plot> costs_chart;        // of best_shown()
  std::shared_ptr<const plot::Plot> heat_map, profile;  // nullptr: there are no runs to show
  std::shared_ptr<const plot::Plot> line_chart;         // nullptr: no quantity has several values in the runs
  std::vector<warpspy::BestRun> best;                   // the best runs of each matrix, from the same runs
  std::vector<std::string> turned;                      // quantities that the chart's axis can show
  ThemeId theme = ThemeId::paper;
  Panes panes;
  double scale = 1;                 // the scale of the interface as it is drawn
  std::vector<std::string> recent;  // sources, newest first
  std::vector<Message> messages;
  std::size_t unread = 0;
  std::vector<JobPtr> jobs;  // queued or running, without tiles; refreshed every frame
  bool quit = false;

  std::string undo, redo;         // names of the steps that undo and redo would change; empty: none
  std::string session;            // the file that the desk was opened from or saved to; empty: none
  std::vector<DeskOffer> offers;  // newest first
  Settings settings;
  // The device that a desk had chosen, if its machine has not answered yet; empty: none. Any other choice clears it.
  std::string awaited_device;
  std::vector<std::string> engines;  // commands of the other machines' engines that are in use

  AnalysisSettings analysis;
  std::map<std::string, Analysing> analyses;  // by id
  std::uint64_t beside_run = 0;               // the run below the selected run in the memory chart; 0: the program
                                              // chooses it
  std::shared_ptr<const plot::Plot> memory_chart;
  FlopCount flops = FlopCount::useful;  // of the roofline
  SolveShown solve;
  PartsShown parts;
  StudiesShown studies;
  Lecture lecture;
  LessonShown lesson;

  // Whether the tab with that id is open, or beside the open one.
  bool shows(const std::string& tab_id) const { return tab == tab_id || panes.beside == tab_id; }
  const OpenMatrix* matrix(MatrixId id) const {
    for (const auto& m : matrices)
      if (m.id == id) return &m;
    return nullptr;
  }
  const OpenMatrix* current() const { return matrix(selected); }
  // Whether there is a current matrix, and it has been read.
  bool has_matrix() const { return current() && current()->matrix; }
  std::shared_ptr<const RunRecord> run(std::uint64_t id) const {
    for (const auto& r : runs.all())
      if (r->id == id) return r;
    if (looked_at && looked_at->id == id) return looked_at;
    for (const auto& r : comparing)
      if (r->id == id) return r;
    for (const auto& k : list.rows)
      if (k.record->id == id) return k.record;
    return nullptr;
  }
  // The point of a run at a memory level, or nullptr.
  const RooflinePoint* point(std::uint64_t run, Level level) const {
    const auto found = points->find(run);
    if (found == points->end()) return nullptr;
    for (const auto& p : found->second)
      if (p.level == level) return &p;
    return nullptr;
  }
  // The point that comes closest to its roof, or nullptr: what limits the run.
  const RooflinePoint* nearest_roof(std::uint64_t run) const {
    const auto found = points->find(run);
    if (found == points->end()) return nullptr;
    const auto share = [](const RooflinePoint& p) { return p.roof_gflops > 0 ? p.gflops / p.roof_gflops : 0; };
    const RooflinePoint* nearest = nullptr;
    for (const auto& p : found->second)
      if (!nearest || share(p) > share(*nearest)) nearest = &p;
    return nearest;
  }
  // Returns the place of a run among the compared runs (0: the baseline), or -1.
  int compared_as(std::uint64_t run) const {
    for (std::size_t k = 0; k < comparing.size(); ++k)
      if (comparing[k]->id == run) return static_cast<int>(k);
    return -1;
  }
  // The two matrices to compare: the two that the user chose; else the current one and its original, or the latest
  // reordering of it; else the current one and the last opened of the others. The second may not have been read yet.
  std::pair<const OpenMatrix*, const OpenMatrix*> compared() const {
    const auto *m = current(), *a = matrix(left), *b = matrix(right);
    if (a && b && a->matrix && b->matrix) return {a, b};
    if (!m) return {nullptr, nullptr};
    if (const auto* from = m->original ? matrix(m->original) : nullptr) return {from, m};
    for (auto it = matrices.rbegin(); it != matrices.rend(); ++it)
      if (it->original == m->id && it->matrix) return {m, &*it};
    for (auto it = matrices.rbegin(); it != matrices.rend(); ++it)
      if (it->id != m->id && it->matrix) return {m, &*it};
    return {m, nullptr};
  }
  bool on_trail(std::uint64_t run) const {
    for (auto id : trail)
      if (id == run) return true;
    return false;
  }
  const MeasuredRoofs* measured_roofs_of(const std::string& device) const {
    const auto found = measured_roofs.find(device);
    return found == measured_roofs.end() ? nullptr : &found->second;
  }
  const KernelInfo* kernel() const { return catalog->kernel(knobs.kernel); }
  const FormatInfo* format() const { return kernel() ? catalog->format(kernel()->format) : nullptr; }
  const DeviceInfo* device() const { return catalog->device(knobs.device); }
  // Returns why the chosen kernel cannot run on the chosen device, or "".
  std::string why_not() const {
    if (!kernel() || !device()) return "There is no kernel or no device to run on.";
    if (!device()->available) return device()->name + ": " + device()->reason;
    return catalog->why_not(*kernel(), *device());
  }
  bool can_run() const { return has_matrix() && why_not().empty(); }
};

// The knobs' value of a parameter: what was set, else its default.
inline double param_value(const std::map<std::string, ParamSet>& sets, const std::string& owner,
                          const ParamSpec& spec) {
  const auto set = sets.find(owner);
  if (set == sets.end()) return spec.def;
  const auto v = set->second.find(spec.id);
  return v == set->second.end() ? spec.def : v->second;
}

// Returns why there is no matrix that can be used now, or "".
std::string needs_matrix(const AppState& s);

// Returns why no warp can be shown, or "". Warps are emulated, whatever the device.
std::string why_no_warp(const AppState& s);

// Returns the histogram's style for a matrix. It is the chosen one; by default the axis is logarithmic if one row is
// much longer than the others. It has the selected format's cut (the length at which it divides rows).
plot::HistogramStyle histogram_style(const AppState& s, const OpenMatrix& m);

// The intensity that no product of a format can exceed on the current matrix: it uses the selected run's format, else
// the selected format.
std::optional<plot::RooflineStyle::Minimum> minimum_of(const AppState& s);

// The marked arrays of the selected run: the selected array, and the arrays of the selected source line.
std::vector<std::string> marked_arrays(const AppState& s);

// The open matrix of a run, or nullptr.
const OpenMatrix* matrix_of(const AppState& s, const RunRecord& run);
// The newest run on a matrix in this session that did not fail, or nullptr.
std::shared_ptr<const RunRecord> newest_run(const AppState& s, const OpenMatrix& m);

// Returns the runs of the memory chart: the selected run, and one to compare with it. That is the run that the user
// chose, or else the latest one of the same kernel and matrix whose numbers are of another kind (measured, modelled) or
// device.
std::vector<std::shared_ptr<const RunRecord>> memory_runs(const AppState& s);
// Returns the last successful solves of the shown matrix, the oldest first, at most six.
std::vector<std::shared_ptr<const RunRecord>> shown_solves(const AppState& s);
// The solve that is told in words: the selected run if it is one, else the last of shown_solves(); nullptr: none.
std::shared_ptr<const RunRecord> told_solve(const AppState& s);
// The request of the next solve on that matrix.
RunRequest solve_request_of(const AppState& s, const OpenMatrix& m);

// Returns the search strategy whose path is drawn, and whose parameters are offered. It is the chosen one, or else the
// one that is running, or else the best.
std::string tune_path(const AppState& s);

// The device of a run. For a run that was measured on a GPU which this machine lacks: the simulated GPU of the same
// name, whose roofs are those of the data sheet. nullptr if there is none.
const DeviceInfo* device_of_run(const Catalog& catalog, const RunRecord& run);
// The runs on the roofline: runs of this session on its device that fit its settings, and a selected run from
// elsewhere. `trail`: also the points that a drag left.
std::vector<std::shared_ptr<const RunRecord>> roofline_runs(const AppState& s, bool trail);
plot::RooflineStyle roofline_style(const AppState& s);

// Tells how many runs can be compared at once.
inline constexpr std::size_t kMostCompared = 6;

// The request of the next run, from the present choices, on a matrix of the workspace.
RunRequest request_of(const AppState& s, const OpenMatrix& m);

}  // namespace warpspy::ui
