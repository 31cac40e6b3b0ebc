// Many products, one after another, as plain data: which, in what order, what became of each. Whoever runs them (a
// window, a command) takes the next cell, runs its request and tells the outcome; nothing here runs or waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// What is asked for: every kernel on every matrix, at every precision, on every device.
struct BatchPlan {
  struct Of {
    std::string source, name;  // of the matrix: as given, and short
  };
  std::vector<Of> matrices = {};
  std::vector<std::string> kernels = {};
  std::vector<Precision> precisions = {};
  std::vector<std::string> devices = {};
  RunRequest common = {};  // all else: depth, budget, cache state, counters
  std::map<std::string, ParamSet> kernel_params = {}, format_params = {};  // by kernel, by format
};

enum class CellState : std::uint8_t { waiting, running, done, failed, skipped };
constexpr const char* name_of(CellState s) {
  constexpr const char* names[] = {"waiting", "running", "done", "failed", "skipped"};
  return names[static_cast<int>(s)];
}

// One product of a batch. It is known by its inputs (key_of its request), wherever and whenever it is run.
struct BatchCell {
  RunRequest request;
  std::string matrix_name;
  CellState state = CellState::waiting;
  std::string reason;     // why it failed or was skipped; one line
  std::uint64_t run = 0;  // its record, once there is one
  double seconds = 0;     // that it took
};

// The inputs of a run as text: equal for two requests that ask for the same product. How long timing may take is no
// input.
std::string key_of(const RunRequest& request);

// A batch as it lies in a file: what was asked for, and what became of the cells that have ended.
struct BatchOutcome {
  std::string matrix, kernel, device;  // with the precision: which cell of the plan
  Precision precision = Precision::f32;
  CellState state = CellState::done;  // done, failed or skipped
  std::string reason;
  std::uint64_t run = 0;
  double seconds = 0;
};
struct KeptBatch {
  BatchPlan plan;
  std::vector<BatchOutcome> outcomes;
};

struct BatchCounts {
  std::size_t waiting = 0, running = 0, done = 0, failed = 0, skipped = 0;
  std::size_t all() const { return waiting + running + done + failed + skipped; }
  std::size_t left() const { return waiting + running; }
};

class Batch {
 public:
  // Matrix by matrix; of one matrix kernels of the same format follow each other, so that it is converted once. Cells
  // of the same inputs are one. A kernel that cannot run on a device, or is not known, is skipped from the start.
  Batch(BatchPlan plan, const Catalog& catalog);
  // As it was kept: what had not ended waits. Outcomes of cells that the plan does not have are left out.
  Batch(const KeptBatch& kept, const Catalog& catalog);
  KeptBatch kept() const;
  const std::vector<BatchCell>& cells() const { return cells_; }
  BatchCounts counts() const;
  // The first that waits and whose matrix is `ready` (by source); nothing: none is.
  std::optional<std::size_t> next(const std::function<bool(const std::string& source)>& ready) const;

  // What became of a cell. A failure ends nothing but the cell.
  void begin(std::size_t cell);
  void finish(std::size_t cell, const RunRecord& record, double seconds);  // by the record's status
  void fail(std::size_t cell, const std::string& reason);
  void skip(std::size_t cell, const std::string& reason);
  void renumber(std::uint64_t from, std::uint64_t to);  // a run that got another number
  // Those that failed wait once more; returns how many.
  std::size_t retry();

  // Seconds until all have run, from the mean of those that ran; nothing before the first.
  std::optional<double> eta_s() const;

 private:
  BatchPlan plan_;
  std::vector<BatchCell> cells_;
};

// One row per cell: matrix, kernel, precision, device, state, reason, run, seconds.
std::string to_csv(const Batch& batch);

}  // namespace warpspy
