// Who executes runs. Implemented by profiling; the UI and the command line see only this.
#pragma once

#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"
#include "core/run/record.hpp"
#include "core/run/tune.hpp"

namespace warpspy {

class Engine {
 public:
  virtual ~Engine() = default;
  // Executes one request on `matrix` and returns its record. Never throws for a failed run: the record then has
  // status failed or cancelled and says why. One call at a time; the caller's job lane sees to that.
  virtual RunRecord run(const RunRequest& request, const Matrix& matrix, Progress& progress) = 0;
  // Searches for good parameters by run() and tells every product as it comes. Never throws either: the record of a
  // cancelled or failed search holds what was found until then.
  virtual TuneRecord tune(const TuneRequest& request, const Matrix& matrix, Progress& progress,
                          const OnTuneStep& on_step) = 0;
};

}  // namespace warpspy
