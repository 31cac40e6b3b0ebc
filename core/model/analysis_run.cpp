// Which runs an analysis needs, and whether they can be used.
#include <algorithm>

#include "core/model/analyses.hpp"

namespace warpspy {
namespace {

struct Planned {
  AnalysisSubject subject;
  std::vector<AnalysisRun> runs;
};

// Keeps only parameters that the kernel's format has.
void keep_format_params(RunRequest& r, const FormatInfo* format) {
  const auto known = [&](const std::string& id) {
    return format && std::any_of(format->params.begin(), format->params.end(),
                                 [&](const ParamSpec& spec) { return spec.id == id; });
  };
  std::erase_if(r.format_params, [&](const auto& p) { return !known(p.first); });
}

Planned plan(const AnalysisRow& row, const KernelInfo& kernel, const FormatInfo* format, const RunRequest& base) {
  Planned p;
  p.subject.label = kernel.label.empty() ? kernel.id : kernel.label;
  try {
    if (row.kernel.empty() && kernel.operation == Operation::axpy)
      throw Error("kernel " + kernel.id + " reads no matrix");
    p.runs = row.runs(kernel, base);
    for (AnalysisRun& run : p.runs) keep_format_params(run.request, format);
  } catch (const Error& e) {
    p.subject.problem = e.reason;
  }
  return p;
}

void value_subject(const AnalysisRow& row, const ParamSet& params, const AnalysisSubject& subject, std::size_t index,
                   std::vector<AnalysisValue>& out) {
  std::vector<AnalysisValue> values;
  if (subject.problem.empty()) {
    row.values(subject, params, values);
  } else {
    for (const AnalysisSeries& series : row.series) {
      AnalysisValue v;
      v.series = series.id, v.reason = subject.problem;
      values.push_back(std::move(v));
    }
  }
  for (AnalysisValue& v : values) {
    v.subject = index;
    out.push_back(std::move(v));
  }
}

}  // namespace

void revalue(AnalysisResult& result) {
  const AnalysisRow& row = analysis_row(result.request.id);
  const ParamSet params = checked_params(row.info.params, result.request.params);
  result.values.clear();
  for (std::size_t k = 0; k < result.subjects.size(); ++k)
    value_subject(row, params, result.subjects[k], k, result.values);
}

AnalysisPlan plan_analysis(const AnalysisRequest& request, const Catalog& catalog) {
  const AnalysisRow& row = analysis_row(request.id);
  checked_params(row.info.params, request.params);
  AnalysisPlan out;
  out.result.request = request;
  std::vector<std::string> kernels = request.kernels;
  if (!row.kernel.empty()) kernels = {row.kernel};
  if (kernels.empty()) throw Error("no kernel is chosen to analyse", {}, "name at least one");
  for (const std::string& id : kernels) {
    const KernelInfo& kernel = catalog.require_kernel(id);
    Planned p = plan(row, kernel, catalog.format(kernel.format), request.run);
    for (AnalysisRun& r : p.runs) out.runs.push_back({out.result.subjects.size(), std::move(r)});
    out.result.subjects.push_back(std::move(p.subject));
  }
  if (out.runs.empty()) throw Error(out.result.subjects[0].problem, request.id, "choose another kernel");
  return out;
}

AnalysisResult analysis_of(AnalysisPlan plan, const std::vector<std::shared_ptr<const RunRecord>>& records,
                           const Catalog& catalog) {
  for (std::size_t k = 0; k < records.size(); ++k) {
    AnalysisPlan::Wanted& wanted = plan.runs[k];
    AnalysisSubject& subject = plan.result.subjects[wanted.subject];
    if (const DeviceInfo* d = catalog.device(records[k]->device)) subject.gpu = d->spec;
    subject.runs.push_back({std::move(wanted.run.variant), wanted.run.x, records[k]});
  }
  revalue(plan.result);
  return std::move(plan.result);
}

AnalysisResult merged(std::vector<AnalysisResult> results) {
  AnalysisResult whole;
  if (!results.empty()) whole.request = results.front().request;
  for (AnalysisResult& r : results)
    for (AnalysisSubject& s : r.subjects) {
      if (results.size() > 1 && !s.runs.empty())
        s.label = s.runs.front().record->matrix_name + (r.subjects.size() > 1 ? ", " + s.label : "");
      whole.subjects.push_back(std::move(s));
    }
  revalue(whole);
  return whole;
}

}  // namespace warpspy
