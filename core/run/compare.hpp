// Compares two or more runs with the first of them, quantity by quantity, and compares the differences with the noise.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/record.hpp"

namespace warpspy {

// Tells what a difference between two runs means.
enum class Verdict : std::uint8_t {
  baseline,       // the run with which the others are compared
  same,           // no difference at all
  within_noise,   // |difference| <= the sum of both runs' noise
  beyond_noise,   // larger than that
  noise_unknown,  // the noise of one of the two runs is not known
  unavailable,    // one of the two runs has no such number
};
// In words: "within noise".
const char* name_of(Verdict v);

// One quantity of one run, compared with the baseline.
struct Delta {
  std::optional<double> value;
  Provenance provenance = Provenance::modelled;
  std::string reason;              // why there is no value
  std::optional<double> noise;     // %, of the value: median absolute deviation / median of the timed samples
  std::optional<double> absolute;  // value - baseline, in the row's unit
  std::optional<double> percent;   // change in percent of the baseline; nothing if that is 0
  Verdict verdict = Verdict::unavailable;
};
struct DeltaRow {
  std::string id, label, unit;
  std::vector<Delta> runs;  // baseline first
};

// Something in which the runs differ and that is not a measured number: the kernel, a parameter, the device.
struct Difference {
  std::string label;
  std::vector<std::string> runs;  // names, the baseline first; "" if a run has no name
};

struct RunComparison {
  std::vector<std::uint64_t> ids;  // baseline first
  std::vector<std::string> names;  // "CSR vector"
  std::vector<Difference> differences;
  std::vector<DeltaRow> rows;         // time and speed, counters, details of the runs, source lines
  std::vector<std::string> warnings;  // sentences: why the comparison may be unfair
};

// Returns a warning sentence if the two runs used different matrices, and "" if both used the same matrix.
std::string matrices_differ(const RunRecord& a, const RunRecord& b);

// The noise of a run's time in percent: its detail "spread"; 0 for a model that emulated every block, since it always
// gives the same number; nothing if the noise was not recorded.
std::optional<double> noise_of_time(const RunRecord& r);

// `runs`: two or more, baseline first. The catalog gives labels of counters and parameters, if it knows them. Throws
// Error for fewer than two.
RunComparison compare_runs(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Catalog& catalog);

// "+12.3 %", "-0.04 %", "0 %": the sign always shows.
std::string signed_percent(double percent);
// As signed_percent(), but a change of ten times or more is written as a factor ("105x"), since large percentages are
// hard to read.
std::string percent_or_times(double percent);
// The change of a quantity as people read it. It is in percent of the baseline, or in points for a quantity that is
// itself a percentage ("+4.2 pt"). From ten times the baseline on it is a factor ("594x"). "" if there is no change.
std::string change_text(const Delta& d, const std::string& unit);

// The table has one row per run and quantity. Its columns are quantity, run, value, unit, provenance, noise_percent,
// delta, delta_percent, verdict and reason.
std::string to_csv(const RunComparison& c);
std::string to_json(const RunComparison& c);

}  // namespace warpspy
