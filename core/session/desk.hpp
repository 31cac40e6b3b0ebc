// The desk is what is open in the window, how it is shown, and which runs belong to it; here it is plain data. It is
// kept between two starts and after a crash (desk_folder.hpp), and can be written to a file for others.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/model/analyses.hpp"
#include "core/reorder/recipe.hpp"
#include "core/run/history.hpp"
#include "core/run/record.hpp"
#include "core/run/sweep.hpp"
#include "core/run/tune.hpp"
#include "core/session/file_mark.hpp"

namespace warpspy {

// Tells which part of the pattern was shown: matrix coordinates at the middle, pixels per row and column.
struct DeskCamera {
  bool fit = true;  // the whole matrix is shown; the numbers below mean nothing
  double row = 0, col = 0, row_px = 1, col_px = 1;
  bool operator==(const DeskCamera&) const = default;
};

// The choices for the next run of a matrix, if the matrix has choices of its own.
struct DeskKnobs {
  std::string kernel, format;
  std::map<std::string, ParamSet> kernel_params, format_params;
  bool operator==(const DeskKnobs&) const = default;
};

struct DeskMatrix {
  MatrixRecipe recipe;
  std::string name;
  std::optional<FileMark> file;         // mark of recipe.source, if that is a file that was read
  index_t rows = 0, cols = 0, nnz = 0;  // 0: never read
  DeskCamera camera;
  std::optional<DeskKnobs> knobs = {};  // the active matrix uses the desk's knobs
  bool operator==(const DeskMatrix&) const = default;
};

// A run of the desk. Its record is in the history, or in the desk itself.
struct DeskRun {
  std::uint64_t id = 0;
  bool listed = true;  // false: the run is only compared or shown
  std::string note = {};
  std::shared_ptr<const RunRecord> record = {};
};

struct Desk {
  std::string saved;   // UTC, ISO 8601
  std::string folder;  // folder of the desk's file; matrices are also looked for relative to it
  std::vector<DeskMatrix> matrices;
  int active = -1;  // index of the shown matrix; -1: none
  // Choices by id ("tab", "kernel", "precision"). The window has the list of ids, and keeps those that it does not
  // know.
  std::map<std::string, std::string> choices;
  std::map<std::string, ParamSet> kernel_params, format_params, analysis_params;  // by id of kernel, format or analysis
  index_t marked_lo = 0, marked_hi = 0;       // rows of so many entries are marked, [lo, hi)
  index_t marked_first = 0, marked_past = 0;  // otherwise these rows are marked: [first, past)
  std::vector<DeskRun> runs;                  // oldest first
  std::uint64_t selected_run = 0, beside_run = 0;
  std::vector<std::uint64_t> compared;
  std::optional<TuneRecord> tuning;
  std::vector<AnalysisResult> analyses;  // without GPUs and values, which complete() brings back
  std::optional<SavedSweep> sweep;       // the last one; what of it had not ended can be resumed
  bool empty() const { return matrices.empty() && runs.empty(); }
};

inline constexpr int kDeskVersion = 1;

// Writes the desk with every record that it has. For a file to share, all runs must have their records.
std::string to_json(const Desk& desk);

// Throws Error if the file is no desk, is incomplete, or comes from a newer version. A part that cannot be read is left
// out; `remarks` has a sentence about each.
struct DeskRead {
  Desk desk;
  std::vector<std::string> remarks;
};
DeskRead desk_from_json(const std::string& text);

// Write and read a desk's file. A file is written completely or not at all. Both throw Error; the old file then stays.
void save_desk(const std::string& path, const Desk& desk);
DeskRead load_desk(const std::string& path);

// "2 matrices and 17 runs".
std::string contents_text(const Desk& desk);

// The ending of the name of a file to share.
inline constexpr const char* kDeskEnding = ".warpspy";
inline bool is_desk_name(const std::string& name) { return name.ends_with(kDeskEnding); }

// Finds the file of a recipe: at its old path; else at the same place relative to the folder of the desk's file; else
// in `folder`. Returns the old source if none exists. It looks at the disk.
std::string found_source(const std::string& source, const std::string& saved_folder, const std::string& folder);

// Adds GPUs and values to an analysis that was read from a file. Throws Error if the analysis is unknown.
void complete(AnalysisResult& result, const Catalog& catalog);

// Drops records that the history has, since their numbers are enough. Of more than a thousand runs the newest stay.
void leave_to(const History& history, Desk& desk);
inline constexpr std::size_t kMostDeskRuns = 1000;

// The runs of a desk with their records from the history, found by name. A run that is not in the history gets the
// number 0, and is known by its name.
struct DeskRunsFound {
  std::vector<DeskRun> runs;  // each with its record; id as on the desk
  std::size_t lost = 0;       // runs whose records are gone
};
DeskRunsFound find_runs(const Desk& desk, const History& history);

}  // namespace warpspy
