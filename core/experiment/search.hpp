// A search for good parameters as a plan: its strategies propose, the executor runs.
#pragma once

#include <functional>
#include <memory>

#include "core/experiment/executor.hpp"
#include "core/run/tune.hpp"

namespace warpspy {

// Its cases are trials. The report is a function of the results alone, finished or not.
class SearchPlan : public Plan {
 public:
  virtual TuneRecord record(const Results& so_far) const = 0;
};

// The search that is asked for, on the matrix and one of these devices. Throws Error for what cannot be searched.
// Implemented by profiling/engine/search_plan.hpp; who has no tables of kernels is handed it.
using MakeSearch =
    std::function<std::unique_ptr<SearchPlan>(const TuneRequest&, const Matrix&, const std::vector<DeviceInfo>&)>;

// Searches, and tells every step as it comes, with its run. Never throws: the record of a cancelled or failed search
// holds what was found until then.
TuneRecord run_search(const TuneRequest& request, const MakeSearch& make, Executor& executor,
                      const std::vector<DeviceInfo>& devices, const Matrix& matrix, Progress& progress,
                      const OnTuneStep& on_step);

}  // namespace warpspy
