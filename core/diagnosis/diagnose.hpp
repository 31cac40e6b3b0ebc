// What limits a run, in at most three findings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/evidence.hpp"
#include "core/run/finding.hpp"

namespace warpspy {

inline constexpr std::size_t most_findings = 3;

// A pure function of its input. Those without whose causes the run would take least come first; a finding whose remedy
// can save no more than the noise is left out. Gains are of the roof: at most so many times as fast (predict.hpp asks
// the model for more). Where something is not known, and there is room, the last one says which rules cannot tell.
// Where no rule fires, a note has the largest causes. Of a measured run whose time alone is known it says what is
// needed. Empty for a run that failed, and for a modelled one that does not tell its causes.
std::vector<Finding> diagnose(const DiagnosisInput& in);

// Says of findings whose rule is not proven, and that predict something, that this is so. Once, when nothing of them
// changes any more.
void mark_unproven(std::vector<Finding>& findings);

// Whether a few long rows are computed when all others have ended; and whether a finding's remedy shares work out.
// Where both hold, what sharing out gives is predicted by that finding alone.
bool rows_uneven(const DiagnosisInput& in);
bool is_of_balance(const Finding& f);

// What a difference of times has to exceed, us: the noise of the run, and 3 %.
double noise_us(const RunRecord& r);

// The least time that a product of so many bytes can take on this GPU, us: each array once from DRAM, or from L2 where
// it may stay there; and the launch.
double floor_us(double minimum_bytes, CacheState cache_state, const GpuSpec& gpu);

// "at most 2.1x, 11.4 us", "1.5 to 1.9x: 7.1 to 9.0 us (model)"; "" without a gain.
std::string gain_text(const Finding& f);
std::string gain_times_text(const Finding& f);  // "at most 2.1x", "1.5x to 1.9x"

// A run that answers a finding's change, beside what was said of it.
struct ActualGain {
  double us = 0, times = 1;  // after the change
  bool inside = false;       // the interval of the gain
};
std::optional<ActualGain> actual_gain(const Finding& f, const RunRecord& run, const RunRecord& later);
// "9.7 us, 1.80x, as said".
std::string actual_gain_text(const ActualGain& o);
// What the first finding of a run that `later` answers predicted of it, and what it gave: "predicted 1.5x to 1.9x ...;
// it took ..."; "" where none did.
struct CheckedPrediction {
  std::string text;
  bool inside = false;
};
CheckedPrediction prediction_of(const RunRecord& run, const RunRecord& later);

// Several lines for people, without the last end of line; `indent` before each. Says so where nobody has looked.
// The place of an earlier finding that offers the very change of this one: it is offered once.
std::optional<std::size_t> same_change_before(const std::vector<Finding>& findings, std::size_t at);

std::string findings_text(const RunRecord& run, const std::string& indent = {});

}  // namespace warpspy
