// Compares the model with a real GPU: each counter of a measured run with that of the modelled run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/run/record.hpp"

namespace warpspy {

// The tolerance for a counter's error, and the share of runs that must meet it.
struct Bar {
  const char* id;  // id of a counter, or "time"
  const char* label;
  bool points;          // true: the error is modelled - measured, in percentage points; false: modelled / measured - 1
  double allowed;       // the largest |error|: percentage points, or a share
  double share_within;  // share of runs whose |error| must be allowed: 0.9 is nine of ten, 0.5 is the median
};
// The list of all tolerances, in the order of the tables.
const std::vector<Bar>& validation_bars();

struct ValidationRow {
  std::string id, label, unit;
  std::optional<double> measured, modelled;
  std::optional<double> error;  // as its bar says; nothing if the measured or the modelled value is missing
  bool within = false;          // whether |error| <= Bar::allowed
  std::string reason;           // why there is no error: one line
};

// One kernel on one matrix.
struct ValidationRun {
  std::string matrix;                        // name of the matrix
  RunRequest request;                        // the request that the model runs
  Operation operation = Operation::product;  // of its kernel
  double sampled_share = 1;                  // share of the blocks that the model ran
  double minimum_bytes = 0;                  // bytes of a product that reads and writes each array once
  std::string how;                           // the bounds of the modelled time, in one line
  std::string failure;                       // why there are no rows: one line
  std::vector<ValidationRow> rows;
  std::vector<Counter> beside;  // other measured counters, which the model does not have yet
  // Whether the measured time lies in the interval of the modelled one; nothing if there is no interval.
  std::optional<bool> in_interval = {};
};

// Compares two records of the same request, one row for each bar. A modelled counter never counts as measured. If a
// counter is 0 (or below 1 % of the minimum bytes) in both records, they agree. If in one only, the error is relative
// to the larger value.
ValidationRun compare_runs(const RunRecord& measured, const RunRecord& modelled);

struct BarSummary {
  std::string id, label;
  int runs = 0, within = 0;  // runs: those that have an error
  double median_error = 0;   // median of |error|
  bool met = false;          // whether enough runs are within the tolerance
  std::string text;          // "within 5 points: 118 of 126 runs (94 %, wanted 90 %), median 1.2 points"
};
std::vector<BarSummary> summarise(const std::vector<ValidationRun>& runs);

// "intervals of the model hold 120 of 140 times (86 %, wanted 90 %)"; "" if no run has an interval.
std::string interval_summary(const std::vector<ValidationRun>& runs);

struct ValidationReport {
  std::string device, simulated;  // names of the GPU and of its model
  std::string date;               // UTC, of the first run
  std::vector<ValidationRun> runs;
};
std::string to_json(const ValidationReport& report);

// The measured part of a report (to_json). With it a changed model can be compared with a GPU that is not at hand.
struct MeasuredRuns {
  std::string device, simulated, date;  // see ValidationReport
  std::vector<RunRecord> runs;          // with request, matrix_name, counters and time
};
// `file` is used in messages only. Throws Error if the text is no such report.
MeasuredRuns measured_from_json(const std::string& text, const std::string& file);
MeasuredRuns read_measured(const std::string& file);

// These return the head of the printed table, and one line of it. Neither ends with a newline.
std::string validation_head();
std::string validation_line(const ValidationRun& run);

}  // namespace warpspy
