// What the suggested changes would give, asked of the model of the GPU.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/diagnosis/diagnose.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy {

// How far a predicted time may be off: the time after a change lies within least..most of the prediction. Of a
// modelled run the same model answers, from a small sample; of a measured one docs/validation.md has the table.
struct PredictionBand {
  double least, most;
};
inline constexpr PredictionBand modelled_band = {0.88, 1.12};
inline constexpr PredictionBand measured_band = {0.78, 1.25};

// What the model said, by request, of one matrix: for many runs of it.
struct ModelAnswers {
  std::map<std::string, std::optional<RunRecord>> by_request;
};

// Runs a request of the model and returns its record, a failed one too. Throws Cancelled.
using AskModel = std::function<RunRecord(const RunRequest&)>;

// Finds what limits a good run, and asks for what it suggests on the model of its GPU (some tenths of a second each):
// fills run.findings. A change that the model finds no faster is dropped, and one that reorders keeps its bound.
// Without a model of the GPU, diagnose() alone answers. Throws Cancelled. Who asks: core/experiment/executor.hpp.
void find_limits(RunRecord& run, const Matrix& matrix, const RowStats& rows, const Catalog& catalog,
                 const AskModel& model, ModelAnswers* kept = nullptr);
// The same without running anything: bounds instead of predictions.
void find_limits(RunRecord& run, const RowStats& rows, const Catalog& catalog);

// The GPU of a run as it is known best: the simulated one that it is, else what the driver says. nullptr: none.
const DeviceInfo* modelled_device(const RunRecord& run, const Catalog& catalog);

}  // namespace warpspy
