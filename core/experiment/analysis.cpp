#include "core/experiment/analysis.hpp"

#include <utility>

namespace warpspy {

AnalysisResult run_analysis(const AnalysisRequest& request, const Catalog& catalog, Executor& executor,
                            const Matrix& matrix, Progress& progress) {
  AnalysisPlan plan = plan_analysis(request, catalog);
  std::vector<Case> cases;
  for (const AnalysisPlan::Wanted& w : plan.runs)
    cases.push_back({w.run.request, plan.result.subjects[w.subject].label + ", " + w.run.variant, Purpose::trial});
  const Results results = executor.run(ListPlan("analyse " + request.id, std::move(cases)), matrix, progress);
  std::vector<std::shared_ptr<const RunRecord>> records;
  for (const CaseResult& r : results) records.push_back(r.record);
  return analysis_of(std::move(plan), records, catalog);
}

}  // namespace warpspy
