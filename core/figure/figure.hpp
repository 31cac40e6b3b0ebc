// THE registry of figures: what can be drawn, of what, with which choices. Window, export, command line, recipes and
// reports loop over it, so that the same options are the same picture everywhere.
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

// What a figure is of: whoever asks for it fills in what its row wants.
struct Subject {
  struct OfMatrix {
    std::string name, source, hash;  // hash: of the file's contents; "": generated, or not known
    std::shared_ptr<const Matrix> matrix;
    std::shared_ptr<const MatrixFacts> facts = {};         // null: counted again
    std::shared_ptr<const FormatFacts> format_facts = {};  // likewise
    std::optional<MeshPoints> points = {};                 // of its mesh; nothing: it has none
    bool operator==(const OfMatrix&) const = default;
  };
  const Catalog* catalog = nullptr;
  std::vector<OfMatrix> matrices = {};
  std::vector<std::shared_ptr<const RunRecord>> runs = {};
  // Of the device: its name, its id, the roofs at a precision (the runs', unless Options::roof_precision says which),
  // its L2, what was measured.
  std::string device = {}, device_id = {};
  std::vector<Roof> roofs = {};
  std::optional<MeasuredRoofs> measured = {};
  double l2_bytes = 0;
  // How much of its roofs a run reaches; null: not known.
  std::shared_ptr<const ShareOf> share_of = {};
  // A grid of runs that comes from elsewhere, in place of `runs`.
  std::optional<RunGrid> grid = {};
  // Experiments.
  std::shared_ptr<const EntryTrace> entries = {};
  std::shared_ptr<const TuneRecord> search = {};
  std::shared_ptr<const AnalysisResult> analysis = {};
  std::shared_ptr<const StudyReport> study = {};
  std::vector<plot::SeenWarp> warps = {};
  RunRequest request = {};                     // what was asked for `entries`, and for the first of `warps`
  std::optional<WarpWanted> warp_wanted = {};  // which of the warps
  Budget budget = {};                          // for what is built to be drawn
  bool operator==(const Subject&) const = default;
};

enum class Of : std::uint8_t { matrix, matrices, runs, device, experiment };

// What it is drawn for.
struct Look {
  plot::Theme theme;
  double cells = 600;  // of a picture, along its longer side
};
Look look_of(const plot::Page& page);

struct Row {
  const char* id;    // of commands and files
  const char* word;  // for people
  const char* help;
  Of of;
  std::vector<const char*> takes;  // of fields(), beside the common ones
  bool axes = true;                // has axes, and so limits
  // Throws Error where there is nothing to draw, and Cancelled.
  plot::Plot (*build)(const Subject&, const Options&, const Look&, const Progress&) = nullptr;
  // Numbers that are no picture.
  std::string (*csv)(const Subject&) = nullptr;
  std::string (*json)(const Subject&) = nullptr;
  // How its command names what it is of, "" where none can. None: by the matrices, or by the numbers of the runs.
  std::string (*named)(const Subject&) = nullptr;

  bool picture() const { return build != nullptr; }
  bool takes_field(const std::string& id) const;
};

std::span<const Row* const> rows();
const Row* row(const std::string& id);  // nullptr when there is none

// The one way to a figure: takes the runs that the options ask for, names matrices as people do, and sets limits, title
// and caption. Throws Error and Cancelled.
plot::Plot draw(const Row& row, const Subject& subject, const Options& options, const Look& look,
                const Progress& progress);

// What a figure is of, for its recipe: matrices, runs and devices. `kept`: runs have their numbers from the history.
void describe(plot::FigureRecipe& recipe, const Subject& subject, bool kept);
// "warpspy draw histogram a.mtx --linear-y": what draws it again; "" where no command does.
std::string command_of(const Row& row, const Subject& subject, const Options& options);

// Good runs by what has one roofline: a device and a precision. `suffix`: "" where there is one, else "-cuda-0-f32".
struct Plane {
  std::string device;
  Precision precision = Precision::f32;
  std::vector<std::shared_ptr<const RunRecord>> runs;
  std::string suffix;
};
std::vector<Plane> planes_of(const std::vector<std::shared_ptr<const RunRecord>>& runs);
// What the colours of so many runs say best: the kernel where there are several, else the matrix, else the level.
plot::RooflineStyle::ColorBy telling_colour(const std::vector<std::shared_ptr<const RunRecord>>& runs);

// Whether one row is so much longer than the others that lengths want a log axis.
bool dwarfed(const RowStats& rows);

// "memplus" of "memplus.mtx.gz".
std::string written_name(const std::string& name);

}  // namespace warpspy::figure
