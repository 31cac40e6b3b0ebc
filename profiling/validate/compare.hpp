// Compares the model with a real GPU: a measured run and the same run modelled, counter by counter.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/run/record.hpp"

namespace warpspy {

// How large the error of a counter may be, and for how many runs.
struct Bar {
  const char* id;  // of a counter; "time"
  const char* label;
  bool points;          // the error is modelled - measured in points of a percentage; else modelled / measured - 1
  double allowed;       // |error|: points, or a share
  double share_within;  // of the runs whose |error| must be allowed: 0.9 is nine in ten; 0.5 the median
};
// The one list of bars, in the order of the tables.
const std::vector<Bar>& validation_bars();

struct ValidationRow {
  std::string id, label, unit;
  std::optional<double> measured, modelled;
  std::optional<double> error;  // as its bar says; nothing when one of the two is missing
  bool within = false;          // |error| <= what its bar allows
  std::string reason;           // why there is no error, in one line
};

// One kernel on one matrix.
struct ValidationRun {
  std::string matrix;        // its name
  RunRequest request;        // the request to the model
  double sampled_share = 1;  // of the blocks that the model ran
  double minimum_bytes = 0;  // each array of the product once
  std::string how;           // the parts that the modelled time is made of
  std::string failure;       // why there are no rows, in one line
  std::vector<ValidationRow> rows;
  std::vector<Counter> beside;  // other measured counters, for a later model that has them
};

// The rows of THE list, from two records of the same request. A modelled counter never counts as measured. A counter
// that is 0 (or below 1 % of the least bytes) in both agrees; in one only, its error is taken of the larger one.
ValidationRun compare_runs(const RunRecord& measured, const RunRecord& modelled);

struct BarSummary {
  std::string id, label;
  int runs = 0, within = 0;  // runs: those with an error
  double median_error = 0;   // of |error|
  bool met = false;          // runs > 0 and within / runs >= the bar's share
  std::string text;          // "within 5 points: 118 of 126 runs (94 %, wanted 90 %), median 1.2 points"
};
std::vector<BarSummary> summarise(const std::vector<ValidationRun>& runs);

struct ValidationReport {
  std::string device, simulated;  // names
  std::string date;               // UTC, of the first run
  std::vector<ValidationRun> runs;
};
std::string to_json(const ValidationReport& report);

// The measured part of a report of to_json, so that a changed model can be compared with a GPU that is not at hand.
struct MeasuredRuns {
  std::string device, simulated, date;  // as in ValidationReport
  std::vector<RunRecord> runs;          // request, matrix_name, counters and time
};
// `file` is for messages only. Throws Error when the text is no such report.
MeasuredRuns measured_from_json(const std::string& text, const std::string& file);
MeasuredRuns read_measured(const std::string& file);

// A line of the table, without the end of the line; and the one above it.
std::string validation_head();
std::string validation_line(const ValidationRun& run);

}  // namespace warpspy
