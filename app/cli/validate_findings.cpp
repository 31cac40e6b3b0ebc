#include "app/cli/validate_findings.hpp"

#include <cstdio>
#include <iostream>

#include "app/cli/command.hpp"
#include "app/cli/run_output.hpp"
#include "core/base/target.hpp"
#include "core/diagnosis/changes.hpp"
#include "profiling/validate/compare.hpp"
#include "profiling/validate/findings.hpp"

namespace warpspy::cli {
namespace {

void print_sums(const std::vector<PredictionCheck>& checks) {
  std::printf("\n%-20s %11s %8s %8s\n", "", "predictions", "inside", "faster");
  for (const PredictionSummary& s : summarise(checks))
    if (s.checks > 0)
      std::printf("%-20s %8d %5d %% %5d %%\n", s.name.c_str(), s.checks, 100 * s.inside / s.checks,
                  100 * s.faster / s.checks);
}

class Check {
 public:
  Check(const FindingsOptions& options, Executor& executor) : o_(options), executor_(executor) {
    std::printf("%s\n", prediction_head().c_str());
  }

  // Checks one run, and writes the results so far, so that an interruption loses nothing.
  void run(RunRecord record, const Matrix& m, const RowStats& rows, ModelAnswers& model, const RunChange& change) {
    Progress progress;
    device_ = record.device_name;
    for (PredictionCheck& c : check_predictions(record, m, rows, executor_, model, change, progress)) {
      std::printf("%s\n", prediction_line(c).c_str());
      checks_.push_back(std::move(c));
    }
    std::fflush(stdout);
    keep_half_aside(checks_);
    if (!o_.out.empty()) write_file(o_.out, to_json(checks_, device_) + "\n");
  }

  int end() {
    print_sums(checks_);
    return 0;
  }

 private:
  const FindingsOptions& o_;
  Executor& executor_;
  std::vector<PredictionCheck> checks_;
  std::string device_;
};

int against_report(const FindingsOptions& o, const Services& services, Executor& executor) {
  MeasuredRuns measured = read_measured(o.measured);
  std::uint64_t id = 0;
  for (RunRecord& r : measured.runs) r.id = ++id, r.device_name = measured.device;
  Check check(o, executor);
  Matrix m;
  RowStats rows;
  std::string open;
  ModelAnswers model;
  for (RunRecord r : measured.runs) {
    if (r.status != RunStatus::ok || !(r.time.value > 0)) continue;
    if (r.request.matrix != open) m = open_with_progress(open = r.request.matrix), rows = row_stats(*m.csr), model = {};
    r.rows = m.csr->rows(), r.cols = m.csr->cols(), r.nnz = m.csr->nnz();
    r.kernel_label = services.catalog.require_kernel(r.request.kernel).label;
    check.run(r, m, rows, model, [&](const RunRecord& run, const Change& change) -> std::optional<RunRecord> {
      const KernelInfo& kernel = services.catalog.require_kernel(change.kernel);
      for (const RunRecord& other : measured.runs)
        if (answers(other, run, change) &&
            checked_params(kernel.params, other.request.params) == checked_params(kernel.params, change.params))
          return other;
      return {};
    });
  }
  return check.end();
}

}  // namespace

int validate_findings(const FindingsOptions& o, const Services& services) {
  const std::unique_ptr<History> history = open_history();
  Executor executor(*services.engine, services.catalog, {.history = history.get()});
  if (!o.measured.empty()) return against_report(o, services, executor);
  Check check(o, executor);
  for (const std::string& file : o.files) {
    const Matrix m = open_with_progress(file);
    const RowStats rows = row_stats(*m.csr);
    ModelAnswers model;
    std::uint64_t id = 0;
    const auto on_device = [&](RunRequest request) {
      request.matrix = as_told(file);
      Progress progress;
      RunRecord r = *executor.run({request, request.kernel, Purpose::trial}, "validate --findings", m, progress).record;
      r.id = ++id;
      return r;
    };
    for (const RunRequest& request : o.requests) {
      RunRecord r = on_device(request);
      if (r.status != RunStatus::ok) {
        std::fprintf(stderr, "warpspy: %s: %s\n", r.request.kernel.c_str(), r.error.c_str());
        continue;
      }
      check.run(std::move(r), m, rows, model,
                [&](const RunRecord& run, const Change& change) -> std::optional<RunRecord> {
                  RunRecord later = on_device(with_change(run.request, change));
                  return later.status == RunStatus::ok ? std::optional(std::move(later)) : std::nullopt;
                });
    }
  }
  return check.end();
}

}  // namespace warpspy::cli
