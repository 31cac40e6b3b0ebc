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
#include "core/plot/figures.hpp"
#include "core/raster/raster.hpp"
#include "core/reorder/reorder.hpp"
#include "core/run/compare.hpp"
#include "core/run/history.hpp"
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

// A matrix of the workspace. Data is shared and never changes; it arrives part by part.
struct OpenMatrix {
  MatrixId id = 0;
  std::uint64_t opening = 0;  // closed and opened again it keeps its id, and this is another number
  std::string source;         // path, "gen:..."; of a reordered one the text of its recipe
  std::string name;           // short
  enum class Status : std::uint8_t { opening, ready, failed } status = Status::opening;
  Failure failure;  // when failed
  JobPtr job;       // while opening
  std::shared_ptr<const Matrix> matrix;
  std::shared_ptr<const MatrixFacts> facts;
  std::shared_ptr<const Pyramid> pyramid;
  std::shared_ptr<const plot::Plot> histogram;  // in the current style and theme
  Camera camera;
  std::shared_ptr<const Thumbnail> thumbnail;
  std::optional<SmallestFormat> smallest;
  std::shared_ptr<const RunRecord> best_kept;  // the fastest good product of the history, when it was opened
  MatrixRecipe recipe;                         // by which it is made again
  std::optional<FileMark> file;                // that was read; its hash comes a moment later

  // A reordered matrix: of which, how, and what it did to bandwidth and profile (square matrices).
  MatrixId original = 0;
  std::string reordering;  // "Reverse Cuthill-McKee"; empty for a matrix as it was opened
  std::optional<Envelope> before, after;

  std::shared_ptr<const FormatFacts> format_facts;  // what estimates know; kept while they follow a slider
  std::shared_ptr<const FormatCosts> costs;         // of the latest knobs that were answered
  std::vector<BuiltFormat> built;
  std::map<std::string, JobPtr> building;  // by format
  const BuiltFormat* any_built(const std::string& format) const {
    for (const auto& b : built)
      if (b.format == format) return &b;
    return nullptr;
  }
};

// What the next run will be.
struct Knobs {
  std::string device, kernel;
  std::map<std::string, ParamSet> kernel_params, format_params;  // by kernel and by format: kept when switching back
  Precision precision = Precision::f32;
  RealView view = RealView::real_part;
  CacheState cache_state = CacheState::warm;
  std::string counters = "roofline";  // read with a run on a real GPU
  bool lines = false;                 // and traffic per source line, but for runs that follow a slider
  std::string format = "csr";         // looked at in the table of formats; the kernel's own may be another
  bool live = false;                  // run again while a parameter is dragged
  bool operator==(const Knobs&) const = default;
};

struct SpySettings {
  plot::SpyStyle style;
  Aspect aspect = Aspect::automatic;
  std::string shade;  // id of a plot::PatternShade; empty: how many entries there are
  bool operator==(const SpySettings& o) const {
    return style.shading == o.style.shading && style.map == o.style.map && aspect == o.aspect && shade == o.shade;
  }
};

// What the next search for parameters will be, and how it is looked at.
struct TuneSettings {
  std::string strategy;  // id; empty: all
  std::string x, y;      // parameters on the axes of the plane; empty: chosen by the figure
  std::string path;      // strategy whose path is drawn; empty: the one at work, else the one that tells most
  bool operator==(const TuneSettings&) const = default;
};
// The search that is under way, or was the last.
struct Tuning {
  MatrixId matrix = 0;
  std::string source;         // of the matrix, as given
  JobPtr job;                 // while it is under way
  Shared<TuneRecord> record;  // grows product by product
  bool best = false;          // what it finds is set in the run panel
  std::shared_ptr<const plot::Plot> plane;
};

// The runs that are listed: this session's, or the newest of all that were ever made.
struct RunList {
  bool all = false;
  HistoryQuery query;          // filters of both
  std::vector<SavedRun> rows;  // newest first
  std::size_t total = 0;       // that answer the query, listed or not
  bool waiting = false;        // for the answer
  HistoryWords words;          // what the filters offer
  std::uint64_t edits = 0;     // that the history has had from here
};
// Which of the papers' analyses is looked at, and of which kernels.
struct AnalysisSettings {
  std::string id = "throughput";
  std::map<std::string, ParamSet> params;  // by analysis
  enum class Kernels : std::uint8_t { chosen, of_runs } kernels = Kernels::chosen;
  bool operator==(const AnalysisSettings&) const = default;
};
// An analysis that is under way, or was made: the last one of each kind is kept.
struct Analysing {
  JobPtr job;           // while it is under way
  std::string problem;  // why it failed
  std::shared_ptr<const AnalysisResult> result;
  std::shared_ptr<const plot::Plot> figure;
};

// Rows picked in the histogram, or in a picture that shows rows.
struct Highlight {
  index_t lo = 0, hi = 0;               // row lengths [lo, hi); lo == hi: rows that were picked themselves
  index_t first = 0, past = 0;          // these rows: [first, past)
  std::shared_ptr<const RowMask> rows;  // arrives a moment later
};

struct Message {
  enum class Kind : std::uint8_t { note, warning, error } kind = Kind::note;
  std::string text;    // one line
  std::string remedy;  // may be empty
  MatrixId about = 0;  // the matrix that it is about, with which it goes; 0: none
};

// A desk that is not on the screen and can be brought back.
struct DeskOffer {
  std::string file;
  std::string saved, contents;  // when, and "2 matrices and 17 runs"
  bool crashed = false;         // its program did not end as it should; else it made room, or was another window's
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
  std::map<MatrixId, Knobs> knobs_of;  // of matrices that were looked at before: theirs when they come back
  std::string knobs_from;              // whose parameters were carried over to the current matrix; empty: its own

  RunStore runs{kUnsaved};
  std::uint64_t selected_run = 0;
  std::shared_ptr<const RunRecord> looked_at;  // the selected run when it is of another session
  std::map<std::uint64_t, std::string> notes;  // of this session's runs
  RunList list;
  // Runs looked at together, the baseline first; none or at least two.
  std::vector<std::shared_ptr<const RunRecord>> comparing;
  std::shared_ptr<const RunComparison> comparison;  // of them
  std::vector<std::uint64_t> trail;                 // runs of the current drag, oldest first; not listed
  double live_hz = 0;                               // readings of the live run per second; 0: it is at rest
  JobPtr run_job;                                   // the run in progress or queued last
  TuneSettings tune;
  std::optional<Tuning> tuning;
  // The roofline of the chosen device at the chosen precision, with the runs made on it.
  RooflineSettings roofline_settings;
  std::vector<Roof> roofs;
  std::map<std::string, MeasuredRoofs> measured_roofs;  // by device: those that are real and were measured
  Shared<RunPoints> points;                             // against the roofs of each run's own device
  std::shared_ptr<const plot::Plot> roofline;
  const DeviceInfo* roofline_device = nullptr;  // whose roofs are shown: the chosen one, or the compared baseline's
  Precision roofline_precision = Precision::f32;

  SpySettings spy;
  PatternTrace pattern;  // of the current matrix, while the pattern shows a run
  WarpShown warp;        // that is stepped through
  std::string word;      // of the field, that Help was opened at; empty: none
  int words_shown = 0;   // how often it was: Help goes there when this changes
  plot::HistogramStyle histogram;
  bool histogram_chosen = false;  // the user set the axes: they no longer follow the matrix

  // The layout picture of the format looked at, or why there is none.
  std::shared_ptr<const plot::Plot> layout;
  std::string layout_problem;
  FormatColumn sort_formats = FormatColumn::bytes;
  bool sort_descending = false;
  MemoryBudget memory;             // what formats may take at most, where the user says less than there is
  std::string reorder_by = "rcm";  // in the dialog
  std::optional<Highlight> highlight;
  // Of the selected run, marked in every view that shows them; empty: none.
  std::string array, line;

  // Matrices that were put beside each other; 0: as compared() chooses.
  MatrixId left = 0, right = 0;
  std::shared_ptr<const plot::Plot> both_lengths;  // their row lengths in one figure

  std::string tab = "matrix";
  std::vector<std::string> tabs_seen = {"matrix"};  // the one that was looked at last first
  std::string dialog;                               // id of the view that is open over the others; empty: none
  Exporting exporting;
  std::string version;  // of Warpspy: exported figures tell it
  Listing listing;
  OpenWay open_way = OpenWay::file;
  std::string open_generator;  // id of the one to be shown; empty: as it was
  std::string system_dialog;   // the program that asks for files ("zenity"); empty: the open dialog does
  CollectionShown collection;
  MatricesView matrices_view;
  std::optional<SweepRun> sweep;
  std::optional<BestSearch> best_search;
  std::shared_ptr<const plot::Plot> heat_map, profile;  // nothing: there are no runs to show
  std::shared_ptr<const plot::Plot> line_chart;         // nothing: nothing was turned in them
  std::vector<warpspy::BestRun> best;                   // of the same runs, a row each
  std::vector<std::string> turned;                      // what it can be over
  ThemeId theme = ThemeId::paper;
  Panes panes;
  double scale = 1;                 // of the interface as it is drawn, whoever asked for it
  std::vector<std::string> recent;  // sources, newest first
  std::vector<Message> messages;
  std::size_t unread = 0;
  std::vector<JobPtr> jobs;  // queued or running, without tiles; refreshed every frame
  bool quit = false;

  std::string undo, redo;         // what would be undone or done again, in words; empty: nothing
  std::string session;            // the file that the desk was opened from or saved to; empty: none
  std::vector<DeskOffer> offers;  // newest first
  Settings settings;
  // Chosen on a desk, of a machine that has not answered yet; empty: none. Cleared by any other choice.
  std::string awaited_device;
  std::vector<std::string> engines;  // commands of the other machines' engines that are in use

  AnalysisSettings analysis;
  std::map<std::string, Analysing> analyses;  // by id
  std::uint64_t beside_run = 0;               // drawn below the selected run in the memory chart; 0: chosen by itself
  std::shared_ptr<const plot::Plot> memory_chart;
  FlopCount flops = FlopCount::useful;  // of the roofline
  StudiesShown studies;
  Lecture lecture;
  LessonShown lesson;

  // The tab of that id is open, or beside the one that is.
  bool shows(const std::string& tab_id) const { return tab == tab_id || panes.beside == tab_id; }
  const OpenMatrix* matrix(MatrixId id) const {
    for (const auto& m : matrices)
      if (m.id == id) return &m;
    return nullptr;
  }
  const OpenMatrix* current() const { return matrix(selected); }
  // It is there and has been read.
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
  // Its place among the compared runs (0: the baseline), or -1.
  int compared_as(std::uint64_t run) const {
    for (std::size_t k = 0; k < comparing.size(); ++k)
      if (comparing[k]->id == run) return static_cast<int>(k);
    return -1;
  }
  // The two that were chosen. Else a matrix and what it became: the current one and its original, or the current one
  // and the latest made of it. Else the current one and the latest opened of the others.
  // The second may not have been read yet.
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
  // Why the chosen kernel cannot run on the chosen device, or "".
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

// For what needs a matrix: why it cannot be had now, or "".
std::string needs_matrix(const AppState& s);

// Why no warp can be stepped through, or "". In the emulator, whatever the device.
std::string why_no_warp(const AppState& s);

// The histogram's style for a matrix: as chosen, else a log axis where one row dwarfs the others; with the cut of the
// format looked at.
plot::HistogramStyle histogram_style(const AppState& s, const OpenMatrix& m);

// The intensity that no product of a format can exceed on the current matrix: the selected run's format, else the one
// looked at.
std::optional<plot::RooflineStyle::Minimum> minimum_of(const AppState& s);

// The arrays of the selected run that are marked: the one that was selected, and those of the selected source line.
std::vector<std::string> marked_arrays(const AppState& s);

// The open matrix that a run was made on, or nullptr.
const OpenMatrix* matrix_of(const AppState& s, const RunRecord& run);
// The newest good run of this session on a matrix, or nullptr.
std::shared_ptr<const RunRecord> newest_run(const AppState& s, const OpenMatrix& m);

// The runs of the memory chart: the selected one, and the one beside it: as chosen, else the latest of the same kernel
// and matrix whose numbers are of another kind (measured, modelled) or device.
std::vector<std::shared_ptr<const RunRecord>> memory_runs(const AppState& s);

// The strategy whose path is drawn, and whose parameters are offered: as chosen, else the one at work, else the best.
std::string tune_path(const AppState& s);

// Runs on the roofline: those of this session on its device that its settings ask for, and whatever is looked at from
// elsewhere. `trail`: with the points that a drag left.
std::vector<std::shared_ptr<const RunRecord>> roofline_runs(const AppState& s, bool trail);
plot::RooflineStyle roofline_style(const AppState& s);

// How many runs can be compared at once.
inline constexpr std::size_t kMostCompared = 6;

// The run that the knobs describe, on a matrix of the workspace.
RunRequest request_of(const AppState& s, const OpenMatrix& m);

}  // namespace warpspy::ui
