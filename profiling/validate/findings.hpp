// Compares the gains that findings predict with the gains of actual runs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/experiment/executor.hpp"

namespace warpspy {

// A finding with a predicted gain, and the run of the changed product.
struct PredictionCheck {
  std::string matrix, kernel, rule, change;
  bool first = false;  // the first such finding of the run, which is the one recommended to the user
  double before_us = 0, after_us = 0;
  Gain gain;
  bool inside = false;
  bool kept_aside = false;  // the matrix is in the second half by name; no constant of the model is fitted to that half
};

// Repeats a run with a change, such as another kernel or parameter. Returns nothing if the change is not possible.
using RunChange = std::function<std::optional<RunRecord>(const RunRecord& run, const Change& change)>;

// Finds what limits `run`, and runs each change that has a predicted gain. Throws Cancelled.
std::vector<PredictionCheck> check_predictions(RunRecord& run, const Matrix& matrix, const RowStats& rows,
                                               Executor& executor, ModelAnswers& answers, const RunChange& change,
                                               Progress& progress);

// Sets kept_aside for the matrices in the second half by name.
void keep_half_aside(std::vector<PredictionCheck>& checks);

struct PredictionSummary {
  std::string name;                        // "all", "tuned", "kept aside", or a rule
  int checks = 0, inside = 0, faster = 0;  // inside: within the predicted range; faster: at least faster
};
// First the recommended changes: all, and each half. Then all predictions, by rule.
std::vector<PredictionSummary> summarise(const std::vector<PredictionCheck>& checks);

std::string prediction_head();
std::string prediction_line(const PredictionCheck& check);
std::string to_json(const std::vector<PredictionCheck>& checks, const std::string& device);

}  // namespace warpspy
