// What findings predict, compared with what their changes give.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/experiment/executor.hpp"

namespace warpspy {

// A finding whose change the model predicted, and the run that answers it.
struct PredictionCheck {
  std::string matrix, kernel, rule, change;
  bool first = false;  // the run's first one with a prediction: what a user is told to try
  double before_us = 0, after_us = 0;
  Gain gain;
  bool inside = false;
  bool kept_aside = false;  // of a matrix that is not in the first half by name: none is used for tuning
};

// Runs a change of a run; nothing where it cannot be.
using RunChange = std::function<std::optional<RunRecord>(const RunRecord& run, const Change& change)>;

// Finds what limits `run` and runs each change that is predicted. Throws Cancelled.
std::vector<PredictionCheck> check_predictions(RunRecord& run, const Matrix& matrix, const RowStats& rows,
                                               Executor& executor, ModelAnswers& answers, const RunChange& change,
                                               Progress& progress);

// Marks the matrices of the second half by name.
void keep_half_aside(std::vector<PredictionCheck>& checks);

struct PredictionSummary {
  std::string name;                        // "all", "tuned", "kept aside", or a rule
  int checks = 0, inside = 0, faster = 0;  // faster: the change made it faster at all
};
// Of what a user is told to try: all, each half. Then by rule, of all predictions.
std::vector<PredictionSummary> summarise(const std::vector<PredictionCheck>& checks);

std::string prediction_head();
std::string prediction_line(const PredictionCheck& check);
std::string to_json(const std::vector<PredictionCheck>& checks, const std::string& device);

}  // namespace warpspy
