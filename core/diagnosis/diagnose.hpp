// Finds what limits a run, in at most three findings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/evidence.hpp"
#include "core/run/finding.hpp"

namespace warpspy {

inline constexpr std::size_t most_findings = 3;

// A pure function of its input. Findings are sorted by how much they cost: first the one without whose cause the run
// would take the least time. A finding whose remedy saves no more than the noise is left out. A gain is an upper bound:
// the product becomes at most about this many times as fast if the cause disappears (predict.hpp asks the model for
// intervals). If numbers are missing, and there is room, the last finding says which rules cannot decide. If no rule
// fires, a note has the largest causes. For a measured run with nothing but a time, it says which numbers are needed.
// Empty for a failed run, and for a modelled run without causes.
std::vector<Finding> diagnose(const DiagnosisInput& in);

// Adds a sentence to findings that predict something by a rule that is not proven. Call it once, when the findings are
// final.
void mark_unproven(std::vector<Finding>& findings);

// rows_uneven: whether a few long rows are still computed when all other rows are done. balances: whether a finding's
// remedy shares work evenly. If both hold, only that finding predicts the gain of sharing work.
bool rows_uneven(const DiagnosisInput& in);
bool is_of_balance(const Finding& f);

// Times that differ by less than this, in us, count as equal. It is 3 % of the run's time, or twice its noise if that
// is more.
double noise_us(const RunRecord& r);

// Returns the least time, in us, in which this GPU can do a product that moves `minimum_bytes`. Each array comes once
// from DRAM, or from L2 if it may stay there. The time of the launch is added.
double floor_us(double minimum_bytes, CacheState cache_state, const GpuSpec& gpu);

// "up to about 2.1x, 11.4 us", "1.5 to 1.9x: 7.1 to 9.0 us (model)"; "" without a gain.
std::string gain_text(const Finding& f);
std::string gain_times_text(const Finding& f);  // "up to about 2.1x", "1.5x to 1.9x"

// A run that did what a finding suggested, compared with the prediction.
struct ActualGain {
  double us = 0, times = 1;  // after the change
  bool inside = false;       // the actual time lies in the predicted interval
  bool more = false;         // it is shorter: a change may lessen other causes too
  const char* verdict() const { return inside ? "as said" : more ? "more than said" : "less than said"; }
};
std::optional<ActualGain> actual_gain(const Finding& f, const RunRecord& run, const RunRecord& later);
// "9.7 us, 1.80x, as said".
std::string actual_gain_text(const ActualGain& o);
// Compares a prediction with what happened, if `later` did what a finding of an earlier run suggested: "predicted 1.5x
// to 1.9x ...; it took ...". Otherwise the text is "".
struct CheckedPrediction {
  std::string text;
  bool inside = false;
};
CheckedPrediction prediction_of(const RunRecord& run, const RunRecord& later);

// The index of an earlier finding that offers the same change, which is then offered only once.
std::optional<std::size_t> same_change_before(const std::vector<Finding>& findings, std::size_t at);

// Writes the findings in several lines, each after `indent`, without a newline at the end. If the run was not examined
// for limits, the text tells that.
std::string findings_text(const RunRecord& run, const std::string& indent = {});

}  // namespace warpspy
