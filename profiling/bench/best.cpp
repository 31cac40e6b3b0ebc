#include "profiling/bench/best.hpp"

#include "profiling/bench/plan.hpp"

namespace warpspy {

MakeBest best_maker() {
  return [](const Matrix& matrix, const BestRequest& asked, History* history) -> std::unique_ptr<Plan> {
    BenchOptions options;
    options.against = "";
    options.precisions = asked.precisions;
    options.states = {asked.caches};
    options.budget_s = asked.budget_s;
    options.history = history;
    options.history_until = asked.history_until;
    BenchReport report;
    report.device = asked.device;
    return std::make_unique<BenchPlan>(matrix, asked.source, options, report);
  };
}

}  // namespace warpspy
