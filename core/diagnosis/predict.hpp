// Runs suggested changes on the model of the GPU, and predicts their times.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/diagnosis/diagnose.hpp"
#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy {

// Tells how wrong a predicted time may be: the time after a change should lie between least and most times the
// prediction. For a modelled run the same model predicts, from a small sample. For a measured run docs/validation.md
// has the table.
struct PredictionBand {
  double least, most;
};
inline constexpr PredictionBand modelled_band = {0.88, 1.12};
inline constexpr PredictionBand measured_band = {0.78, 1.25};

// The model's records for one matrix, by request, so that many runs of the matrix can use them.
struct ModelAnswers {
  std::map<std::string, std::optional<RunRecord>> by_request;
};

// Runs a request on the model and returns the record, even of a failed run. The matrix is the run's own, or the same in
// another order. Throws Cancelled.
using AskModel = std::function<RunRecord(const RunRequest&, const Matrix&)>;

// Finds what limits a good run, and fills run.findings. It runs each suggested change on the model of the GPU (some
// tenths of a second each). A change that is no faster on the model is dropped; a change that would take long to
// prepare keeps its estimate. Without a model of the GPU the findings are those of diagnose(). Throws Cancelled.
// core/experiment/executor.hpp calls it.
void find_limits(RunRecord& run, const Matrix& matrix, const RowStats& rows, const Catalog& catalog,
                 const AskModel& model, Progress& progress, ModelAnswers* kept = nullptr);
// Finds what limits a run without running anything: gains are upper bounds instead of predictions.
void find_limits(RunRecord& run, const RowStats& rows, const Catalog& catalog);

// Returns the best description of a run's GPU: its simulated GPU, or else what the driver tells. nullptr if there is
// none.
const DeviceInfo* modelled_device(const RunRecord& run, const Catalog& catalog);

}  // namespace warpspy
