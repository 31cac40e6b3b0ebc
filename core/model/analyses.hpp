// The papers' analyses as a table: which runs an analysis needs, and which values it computes from their counters,
// measured or modelled. core/plot/analysis_figure draws the results; core/experiment/analysis.hpp runs the analyses.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// A run that an analysis needs.
struct AnalysisRun {
  std::string variant;  // "product", "constant X", "coop 4"
  double x = 0;         // position on the axis of a sweep
  RunRequest request;
};

// A kernel on a matrix, with its records.
struct AnalysisSubject {
  std::string label;    // "CSR vector"; with the matrix's name if there are several
  std::string problem;  // why this kernel cannot be analysed; then there are no runs
  GpuSpec gpu;
  struct Done {
    std::string variant;
    double x = 0;
    std::shared_ptr<const RunRecord> record;
  };
  std::vector<Done> runs;
  // The record of a variant; throws nothing: nullptr when it is missing.
  const RunRecord* run(const std::string& variant) const;
};

// One number of a figure, or why there is none.
struct AnalysisValue {
  std::string series;  // AnalysisSeries::id
  std::size_t subject = 0;
  double x = 0;  // of a sweep
  std::optional<double> value;
  std::string unit;
  Provenance provenance = Provenance::modelled;
  std::string reason;  // when there is no value
  std::string worked;  // the formula with the numbers put in
};

struct AnalysisSeries {
  const char* id;
  const char* label;
  Level level = Level::none;  // decides the colour
  bool right = false;         // drawn against the second axis
  bool stacked = false;       // bars on top of each other
};

struct AnalysisInfo {
  std::string id, label;
  std::string source;   // paper and figure
  std::string help;     // what the analysis shows; one or two sentences
  std::string formula;  // formula in the paper's notation
  std::string needs;    // the runs, in words
  std::vector<ParamSpec> params = {};
};

struct AnalysisRow {
  AnalysisInfo info;
  std::string y_label, y2_label;
  std::string sweep;  // label of the axis of a sweep; empty: one place per kernel
  std::vector<AnalysisSeries> series;
  std::string kernel = {};  // the kernel, if the analysis is about one certain kernel; empty: the user chooses kernels
  // The runs for a kernel. Throws Error if the kernel lacks a parameter that the analysis changes.
  std::vector<AnalysisRun> (*runs)(const KernelInfo& kernel, const RunRequest& base) = nullptr;
  // Every series of the subject, in order. `params`: complete.
  void (*values)(const AnalysisSubject& subject, const ParamSet& params, std::vector<AnalysisValue>& out) = nullptr;
};
// The one list of analyses.
const std::vector<AnalysisRow>& analyses();
const AnalysisRow& analysis_row(const std::string& id);  // throws Error listing the known ids

struct AnalysisRequest {
  std::string id;
  ParamSet params;                   // of the analysis
  std::vector<std::string> kernels;  // at least one, unless the analysis is about a certain kernel
  RunRequest run;                    // device, precision, budget, seed; params and format_params hold for every kernel
                                     // that has them
};

struct AnalysisResult {
  AnalysisRequest request;
  std::vector<AnalysisSubject> subjects;
  std::vector<AnalysisValue> values;
};

// The runs that an analysis needs, in the order in which they are to be made, and its subjects before any was made.
// Throws Error for an unknown analysis, kernel or parameter, or when no kernel is suited.
struct AnalysisPlan {
  AnalysisResult result;
  struct Wanted {
    std::size_t subject = 0;
    AnalysisRun run;
  };
  std::vector<Wanted> runs;
};
AnalysisPlan plan_analysis(const AnalysisRequest& request, const Catalog& catalog);
// The result of an analysis from the records of all its runs, in their order. Values of a failed run are unavailable,
// with the run's reason.
AnalysisResult analysis_of(AnalysisPlan plan, const std::vector<std::shared_ptr<const RunRecord>>& records,
                           const Catalog& catalog);
// Merges the results of several matrices into one; each subject's label gets the matrix's name.
AnalysisResult merged(std::vector<AnalysisResult> results);
// Computes the values again for other parameters of the analysis, without new runs.
void revalue(AnalysisResult& result);

}  // namespace warpspy
