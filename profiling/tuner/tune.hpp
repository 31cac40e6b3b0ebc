// Strategies one after another on one problem.
#pragma once

#include "core/jobs/progress.hpp"
#include "core/run/tune.hpp"
#include "profiling/tuner/search.hpp"

namespace warpspy {

// Measures the default, runs `record.request.strategies` (all when there is none) in the order of the table, and fills
// steps, outcomes, status and error of `record`. Throws Error for a strategy that is not known. Cancelled and failing:
// status and error say so, and what was found until then stays.
void tune(const Problem& problem, const Measure& measure, Progress& progress,
          const std::function<void(const TuneStep&)>& on_step, TuneRecord& record);

// Each candidate is measured once, whoever asks: strategies are compared by the same times, noise included.
Measure measured_once(Measure measure);

}  // namespace warpspy
