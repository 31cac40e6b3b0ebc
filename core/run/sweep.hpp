// Many products, one after another, as plain data: which, in what order, what became of each. Whoever runs them (a
// window, a command) takes the next cell, runs its request and tells the outcome; nothing here runs or waits.
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

// What is asked for: everything crossed with everything. A kernel that does not have a swept parameter runs once where
// others run once per value.
struct SweepPlan {
  struct Of {
    std::string source, name;  // of the matrix: as given, and short
    bool operator==(const Of&) const = default;
  };
  // Something that takes one value after another, as text. A parameter of kernels or formats: "coop" of all that have
  // it, "csr_vector.coop" of one. Or an option of the request, by its sweep_name(). Values of parameters may be ranges
  // (sweep_range.hpp).
  struct Axis {
    std::string id;
    std::vector<std::string> values;
    bool operator==(const Axis&) const = default;
  };
  std::vector<Of> matrices = {};
  std::vector<std::string> orders = {};  // that each of them is run in, until matrices_meant() has put them there
  std::vector<std::string> kernels = {}, formats = {};  // a format: all of our own kernels for its products
  std::vector<Axis> params = {}, options = {};
  int repetitions = 1;
  bool operator==(const SweepPlan&) const = default;

  // Adds to an axis, or makes it.
  static void add(std::vector<Axis>& axes, const std::string& id, const std::string& value);
};

inline constexpr std::size_t kMostSweepCells = 100'000;

// The file: what a person writes and what a folder of results begins with. A matrix is a text, or {"source", "name"}.
std::string to_json(const SweepPlan& plan);
// Throws Error on text that is none: what, and which fields there are. `where`: the file, for the message.
SweepPlan sweep_plan_from_json(const std::string& text, const std::string& where = {});
SweepPlan read_sweep_plan(const std::string& path);  // of a sweep file; throws Error

// How many products it has, those that are the same counted each. Throws Error for what no machine could run: an
// unknown kernel, format, parameter, option or value, nothing to run on, more than kMostSweepCells. Devices are not
// judged: another machine may have them.
std::size_t check(const SweepPlan& plan, const Catalog& catalog);

enum class CellState : std::uint8_t { waiting, running, done, failed, skipped };
constexpr const char* name_of(CellState s) {
  constexpr const char* names[] = {"waiting", "running", "done", "failed", "skipped"};
  return names[static_cast<int>(s)];
}

// One product of a sweep. It is known by its inputs, wherever and whenever it is run.
struct SweepCell {
  RunRequest request;  // parameters complete where the catalog knows the kernel
  std::string matrix_name;
  int repetition = 1;
  std::string key;  // of all inputs but the matrix: hash_of_text of key_of() and the repetition
  CellState state = CellState::waiting;
  std::string reason;     // why it failed or was skipped; one line
  std::uint64_t run = 0;  // its record, once there is one
  double seconds = 0;     // that it took
};

// The state and reason that a record means for its cell.
struct CellEnd {
  CellState state = CellState::done;
  std::string reason = {};
};
CellEnd end_of(const RunRecord& record);

// The inputs of a run as text: equal for two requests that ask for the same product. How long timing may take is no
// input.
std::string key_of(const RunRequest& request);

// A sweep as it lies in a session: what was asked for, and what became of the cells that have ended.
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
  std::string folder = {};  // where its cells lie as well; "": nowhere
};
std::string to_json(const SavedSweep& saved);
SavedSweep saved_sweep_from_json(const std::string& text);  // throws Error

// The cell of one request by itself: parameters complete, its key made. Where that cannot be it is skipped, with the
// reason.
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
  // Matrix by matrix; of one matrix kernels of the same format follow each other, so that it is converted once. Cells
  // of the same inputs are one. What cannot run (its device is not there, a value is out of range) is skipped from the
  // start. Throws as check() does, but for kernels: one that is not known is skipped.
  Sweep(SweepPlan plan, const Catalog& catalog);
  // As it was kept: what had not ended waits. Outcomes of cells that the plan does not have are left out.
  Sweep(const SavedSweep& saved, const Catalog& catalog);
  SavedSweep saved() const;
  const SweepPlan& plan() const { return plan_; }
  const std::vector<SweepCell>& cells() const { return cells_; }
  SweepCounts counts() const;
  // The first that waits and whose matrix is `ready` (by source); nothing: none is.
  std::optional<std::size_t> next(const std::function<bool(const std::string& source)>& ready) const;

  // What became of a cell. A failure ends nothing but the cell.
  void begin(std::size_t cell);
  void finish(std::size_t cell, const RunRecord& record, double seconds);  // by the record's status
  // What it had come to before; a later sweep does not count its time.
  void bring_back(std::size_t cell, const CellEnd& end, std::uint64_t run, double seconds);
  void fail(std::size_t cell, const std::string& reason);
  void skip(std::size_t cell, const std::string& reason);
  void renumber(std::uint64_t from, std::uint64_t to);  // a run that got another number
  // Those that failed wait once more; returns how many.
  std::size_t retry();

  // Seconds until all have run, from the mean of those that ran since this object was made; nothing before the first.
  std::optional<double> eta_s() const;

 private:
  void expand(const SweepPlan::Of& matrix, const Catalog& catalog);
  SweepPlan plan_;
  std::vector<SweepCell> cells_;
  std::size_t ran_ = 0;
  double seconds_ = 0;
};

}  // namespace warpspy
