// Executes what an analysis needs, and values it.
#include <algorithm>

#include "core/model/analyses.hpp"

namespace warpspy {
namespace {

struct Planned {
  AnalysisSubject subject;
  std::vector<AnalysisRun> runs;
};

// Only what the kernel's format knows.
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

AnalysisResult run_analysis(const AnalysisRequest& request, const Catalog& catalog, Engine& engine,
                            const Matrix& matrix, Progress& progress) {
  const AnalysisRow& row = analysis_row(request.id);
  checked_params(row.info.params, request.params);  // before the runs
  std::vector<Planned> planned;
  std::vector<std::string> kernels = request.kernels;
  if (!row.kernel.empty()) kernels = {row.kernel};
  if (kernels.empty()) throw Error("no kernel is chosen to analyse", {}, "name at least one");
  for (const std::string& id : kernels) {
    const KernelInfo& kernel = catalog.require_kernel(id);
    planned.push_back(plan(row, kernel, catalog.format(kernel.format), request.run));
  }
  std::size_t all = 0, done = 0;
  for (const Planned& p : planned) all += p.runs.size();
  if (all == 0) throw Error(planned[0].subject.problem, request.id, "choose another kernel");

  AnalysisResult result;
  result.request = request;
  for (Planned& p : planned) {
    for (AnalysisRun& r : p.runs) {
      progress.check();
      progress.stage(p.subject.label + ", " + r.role);
      Progress part(&progress);
      auto record = std::make_shared<const RunRecord>(engine.run(r.request, matrix, part));
      if (record->status == RunStatus::cancelled) throw Cancelled{};
      if (const DeviceInfo* d = catalog.device(record->device)) p.subject.gpu = d->spec;
      p.subject.runs.push_back({r.role, r.x, std::move(record)});
      progress.set(static_cast<double>(++done) / static_cast<double>(all));
    }
    result.subjects.push_back(std::move(p.subject));
  }
  revalue(result);
  return result;
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
