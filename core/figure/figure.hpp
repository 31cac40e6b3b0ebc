// The one list of figures: what can be drawn, of what, with which choices. Window, export, command line, recipes and
// reports loop over it, so that the same options make the same picture everywhere.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/figure/options.hpp"
#include "core/formats/budget.hpp"
#include "core/jobs/progress.hpp"
#include "core/matrix/stats.hpp"
#include "core/model/analyses.hpp"
#include "core/model/run_grid.hpp"
#include "core/plot/figure_recipe.hpp"
#include "core/plot/page.hpp"
#include "core/run/entry_trace.hpp"
#include "core/run/tune.hpp"
#include "core/run/warp_trace.hpp"

namespace warpspy {
struct StudyReport;
}

namespace warpspy::figure {

// Holds what a figure shows. The caller fills in the parts that the figure's row needs.
struct Subject {
  struct OfMatrix {
    std::string name, source, hash;  // hash: of the file's contents; "": generated, or not known
    std::shared_ptr<const Matrix> matrix;
    std::shared_ptr<const MatrixFacts> facts = {};         // null: counted again
    std::shared_ptr<const FormatFacts> format_facts = {};  // likewise
    std::optional<MeshPoints> points = {};                 // points of the matrix's mesh, if it has one
    bool operator==(const OfMatrix&) const = default;
  };
  const Catalog* catalog = nullptr;
  std::vector<OfMatrix> matrices = {};
  std::vector<std::shared_ptr<const RunRecord>> runs = {};
  // The device: its name and id, its roofs at a precision (the runs', unless Options::roof_precision sets another), its
  // L2, and its measured roofs.
  std::string device = {}, device_id = {};
  std::vector<Roof> roofs = {};
  std::optional<MeasuredRoofs> measured = {};
  double l2_bytes = 0;
  // Tells how near a run comes to its roofs; null: not known.
  std::shared_ptr<const ShareOf> share_of = {};
  // A grid of runs from another source, in place of `runs`.
  std::optional<RunGrid> grid = {};
  // Experiments.
  std::shared_ptr<const EntryTrace> entries = {};
  std::shared_ptr<const TuneRecord> search = {};
  std::shared_ptr<const AnalysisResult> analysis = {};
  std::shared_ptr<const StudyReport> study = {};
  std::vector<plot::SeenWarp> warps = {};
  RunRequest request = {};                     // the request of `entries`, and of the first of `warps`
  std::optional<WarpWanted> warp_wanted = {};  // which warp was asked for
  Budget budget = {};                          // limits for formats that are built to be drawn
  bool operator==(const Subject&) const = default;
};

enum class Of : std::uint8_t { matrix, matrices, runs, device, experiment };

// The theme and resolution for which a figure is drawn.
struct Look {
  plot::Theme theme;
  double cells = 600;  // number of cells along the longer side of a picture
};
Look look_of(const plot::Page& page);

struct Row {
  const char* id;    // name in commands and files
  const char* word;  // for people
  const char* help;
  Of of;
  std::vector<const char*> takes;  // choices that the figure takes, besides the common ones
  bool axes = true;                // has axes, and so limits
  // Throws Error if there is nothing to draw, and Cancelled.
  plot::Plot (*build)(const Subject&, const Options&, const Look&, const Progress&) = nullptr;
  // The numbers of a row without a picture.
  std::string (*csv)(const Subject&, const Options&) = nullptr;
  std::string (*json)(const Subject&, const Options&) = nullptr;
  // Tells how the command names what the figure shows, "" if it cannot. nullptr: by the matrices, or by the numbers of
  // the runs.
  std::string (*named)(const Subject&) = nullptr;

  bool picture() const { return build != nullptr; }
  bool takes_field(const std::string& id) const;
};

std::span<const Row* const> rows();
const Row* row(const std::string& id);  // nullptr when there is none

// The one function that makes a figure: it selects the runs that the options ask for, gives matrices their short names,
// and sets limits, title and caption. Throws Error and Cancelled.
plot::Plot draw(const Row& row, const Subject& subject, const Options& options, const Look& look,
                const Progress& progress);

// Writes what a figure shows into its recipe: matrices, runs and devices. `kept`: runs have numbers of the history.
void describe(plot::FigureRecipe& recipe, const Subject& subject, bool kept);
// "warpspy draw histogram a.mtx --linear-y": the command that draws the figure again; "" if there is none.
std::string command_of(const Row& row, const Subject& subject, const Options& options);

// Good runs that share a roofline: the same device and precision. `suffix`: "" if there is only one such plane, else
// "-cuda-0-f32".
struct Plane {
  std::string device;
  Precision precision = Precision::f32;
  std::vector<std::shared_ptr<const RunRecord>> runs;
  std::string suffix;
};
std::vector<Plane> planes_of(const std::vector<std::shared_ptr<const RunRecord>>& runs);
// Returns what colours should mean for these runs: the kernel if there are several, else the matrix, else the level.
plot::RooflineStyle::ColorBy telling_colour(const std::vector<std::shared_ptr<const RunRecord>>& runs);

// Whether one row is so much longer than the others that row lengths need a logarithmic axis.
bool dwarfed(const RowStats& rows);

// The name of a file without its extensions: "memplus" for "memplus.mtx.gz".
std::string written_name(const std::string& name);

}  // namespace warpspy::figure
