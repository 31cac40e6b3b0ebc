// Two or more runs held against the first of them, quantity by quantity, and against their noise.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/record.hpp"

namespace warpspy {

// What can be said of a difference.
enum class Verdict : std::uint8_t {
  baseline,       // this is what the others are compared with
  same,           // no difference at all
  within_noise,   // |difference| <= noise of both, added up
  beyond_noise,   // larger than that
  noise_unknown,  // of one of the two
  unavailable,    // one of the two has no such number
};
// In words: "within noise".
const char* name_of(Verdict v);

// One quantity of one run, against the baseline.
struct Delta {
  std::optional<double> value;
  Provenance provenance = Provenance::modelled;
  std::string reason;              // without a value: why
  std::optional<double> noise;     // %, of the value: median absolute deviation / median of the timed samples
  std::optional<double> absolute;  // value - baseline, in the row's unit
  std::optional<double> percent;   // of the baseline; nothing for a baseline of 0
  Verdict verdict = Verdict::unavailable;
};
struct DeltaRow {
  std::string id, label, unit;
  std::vector<Delta> runs;  // baseline first
};

// What is not a number and differs: kernel, a parameter, the device.
struct Difference {
  std::string label;
  std::vector<std::string> runs;  // baseline first; "" where a run has none
};

struct RunComparison {
  std::vector<std::uint64_t> ids;  // baseline first
  std::vector<std::string> names;  // "CSR vector"
  std::vector<Difference> differences;
  std::vector<DeltaRow> rows;         // time and speed, counters, what the runs tell beside them, source lines
  std::vector<std::string> warnings;  // sentences: what makes the comparison lame
};

// The noise of a run's time in percent: its detail "spread"; 0 for a model that emulated every block, which gives the
// same number again; nothing where it was not recorded.
std::optional<double> noise_of_time(const RunRecord& r);

// `runs`: two or more, baseline first. Labels of counters and parameters come from the catalog where it knows them.
// Throws Error for fewer than two.
RunComparison compare_runs(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Catalog& catalog);

// "+12.3 %", "-0.04 %", "0 %": the sign always shows.
std::string signed_percent(double percent);
// The change of a cell as people read it: in percent of the baseline, or, of a quantity that is a percentage itself, in
// points ("+4.2 pt"). "" without one.
std::string change_text(const Delta& d, const std::string& unit);

// One row per run and quantity: quantity, run, value, unit, provenance, noise_percent, delta, delta_percent, verdict,
// reason.
std::string to_csv(const RunComparison& c);
std::string to_json(const RunComparison& c);

}  // namespace warpspy
