// A search for good parameters as a plan: strategies propose products, and the executor runs them.
#pragma once

#include <functional>
#include <memory>

#include "core/experiment/executor.hpp"
#include "core/run/tune.hpp"

namespace warpspy {

// A plan that searches for parameters. All its cases are trials. Its report depends only on the results so far, so an
// unfinished search has a report too.
class SearchPlan : public Plan {
 public:
  virtual TuneRecord record(const Results& so_far) const = 0;
};

// Makes the plan of a search on the matrix and one of these devices. Throws Error if the request cannot be searched.
// profiling/engine/search_plan.hpp implements it. It is passed as a function, since code in core cannot include the
// tables of kernels.
using MakeSearch =
    std::function<std::unique_ptr<SearchPlan>(const TuneRequest&, const Matrix&, const std::vector<DeviceInfo>&)>;

// Searches, and reports every step with its run. It never throws: the record of a cancelled or failed search has what
// was found until then.
TuneRecord run_search(const TuneRequest& request, const MakeSearch& make, Executor& executor,
                      const std::vector<DeviceInfo>& devices, const Matrix& matrix, Progress& progress,
                      const OnTuneStep& on_step);

}  // namespace warpspy
