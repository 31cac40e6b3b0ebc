// A sweep is many products, one after another, as plain data: which products, in what order, and how each ended. Each
// product is a cell of the sweep. A window or a command takes the next cell, runs its request and reports the outcome.
// No code here runs a product or waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// The plan of a sweep: all combinations of its matrices, kernels and options run. A kernel without a swept parameter
// runs once; other kernels run once per value.
struct SweepPlan {
  struct Of {
    std::string source, name;  // of the matrix: as the user gave it, and a short name
    bool operator==(const Of&) const = default;
  };
  // An axis takes one value after another, as text. It may be a parameter of kernels or formats: "coop" for all that
  // have it, "csr_vector.coop" for one. Or it is an option of the request, by its sweep_name(). Values of parameters
  // may be ranges (sweep_range.hpp).
  struct Axis {
    std::string id;
    std::vector<std::string> values;
    bool operator==(const Axis&) const = default;
  };
  std::vector<Of> matrices = {};
  std::vector<std::string> orders = {};  // orders in which each matrix is run; matrices_meant() moves them into
                                         // `matrices`
  std::vector<std::string> kernels = {}, formats = {};  // a format means all our own kernels for its products
  std::vector<Axis> params = {}, options = {};
  int repetitions = 1;
  bool operator==(const SweepPlan&) const = default;

  // Adds a value to the axis `id`, and makes the axis if it is missing. An axis has each value once.
  static void add(std::vector<Axis>& axes, const std::string& id, const std::string& value);
};

inline constexpr std::size_t kMostSweepCells = 100'000;

// The sweep file as JSON: a user writes it, and a folder of results contains it. A matrix is a text, or {"source",
// "name"}.
std::string to_json(const SweepPlan& plan);
// Throws Error if the text is no sweep: what is wrong, and which fields a sweep has. `where`: the file, for the
// message.
SweepPlan sweep_plan_from_json(const std::string& text, const std::string& where = {});
SweepPlan read_sweep_plan(const std::string& path);  // reads a sweep file; throws Error

// Returns the number of products of a plan; a product that occurs twice counts twice. Throws Error for a plan that no
// machine can run: with an unknown kernel, format, parameter, option or value, without a matrix, or with more than
// kMostSweepCells products. Devices are not checked, since another machine may have them.
std::size_t check(const SweepPlan& plan, const Catalog& catalog);

enum class CellState : std::uint8_t { waiting, running, done, failed, skipped };
constexpr const char* name_of(CellState s) {
  constexpr const char* names[] = {"waiting", "running", "done", "failed", "skipped"};
  return names[static_cast<int>(s)];
}

// One product of a sweep. Its inputs identify it, on every machine and at any time.
struct SweepCell {
  RunRequest request;  // with all parameters, if the catalog knows the kernel
  std::string matrix_name;
  int repetition = 1;
  std::string key;  // hash of all inputs except the matrix: hash_of_text of key_of() and the repetition
  CellState state = CellState::waiting;
  std::string reason;     // why the product failed or was skipped; one line
  std::uint64_t run = 0;  // number of its record; 0: it has none yet
  double seconds = 0;     // how long the product took
};

// Tells how a cell ended, from its record: state and reason.
struct CellEnd {
  CellState state = CellState::done;
  std::string reason = {};
};
CellEnd end_of(const RunRecord& record);

// The inputs of a run as text. Two requests have the same text if they ask for the same product. The time budget of the
// measurement is not part of the text.
std::string key_of(const RunRequest& request);

// A sweep as a session stores it: its plan, and the outcomes of the cells that have ended.
struct SweepOutcome {
  std::string matrix, cell;           // source, and SweepCell::key
  CellState state = CellState::done;  // done, failed or skipped
  std::string reason;
  std::uint64_t run = 0;
  double seconds = 0;
};
struct SavedSweep {
  SweepPlan plan;
  std::vector<SweepOutcome> outcomes;
  std::string folder = {};  // a folder that also has its cells; "": none
};
std::string to_json(const SavedSweep& saved);
SavedSweep saved_sweep_from_json(const std::string& text);  // throws Error

// Makes the cell of a single request: with all parameters and its key. If that is not possible, the cell is skipped,
// with the reason.
SweepCell cell_of(const RunRequest& request, const Catalog& catalog, int repetition = 1);

struct SweepCounts {
  std::size_t waiting = 0, running = 0, done = 0, failed = 0, skipped = 0;
  std::size_t all() const { return waiting + running + done + failed + skipped; }
  std::size_t left() const { return waiting + running; }
};
// "12 of 20 products done, 3 failed, 5 skipped".
std::string progress_text(const SweepCounts& counts);

class Sweep {
 public:
  // Makes the cells of a plan. They are ordered by matrix. Kernels of the same format follow each other, so that a
  // matrix is converted only once per format. Products with the same inputs make only one cell. A cell that cannot run
  // (its device is missing, a value is out of range) is skipped from the start. Throws as check() does, except for
  // unknown kernels, which are skipped.
  Sweep(SweepPlan plan, const Catalog& catalog);
  // Restores a saved sweep: cells that had not ended wait again. Outcomes of cells that the plan does not have are
  // dropped.
  Sweep(const SavedSweep& saved, const Catalog& catalog);
  SavedSweep saved() const;
  const SweepPlan& plan() const { return plan_; }
  const std::vector<SweepCell>& cells() const { return cells_; }
  SweepCounts counts() const;
  // The first waiting cell whose matrix is `ready` (by source); nothing if there is none.
  std::optional<std::size_t> next(const std::function<bool(const std::string& source)>& ready) const;

  // The caller reports with these functions that a cell begins, and how it ends. A failure ends only that cell.
  void begin(std::size_t cell);
  void finish(std::size_t cell, const RunRecord& record, double seconds);  // sets the cell's state
  // Restores how a cell ended before. Its time does not count for eta_s().
  void bring_back(std::size_t cell, const CellEnd& end, std::uint64_t run, double seconds);
  void fail(std::size_t cell, const std::string& reason);
  void skip(std::size_t cell, const std::string& reason);
  void renumber(std::uint64_t from, std::uint64_t to);  // a run that got another number
  // Cells that failed wait again; returns how many.
  std::size_t retry();

  // Seconds until all cells have run, from the mean time of the cells that ran since this object was made; nothing
  // before the first.
  std::optional<double> eta_s() const;

 private:
  void expand(const SweepPlan::Of& matrix, const Catalog& catalog);
  SweepPlan plan_;
  std::vector<SweepCell> cells_;
  std::size_t ran_ = 0;
  double seconds_ = 0;
};

}  // namespace warpspy
