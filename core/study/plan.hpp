// A study as a plan of the executor: which products its cells ask for, each once, and what comes of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/experiment/executor.hpp"
#include "core/model/analyses.hpp"
#include "core/study/quantity.hpp"
#include "core/study/study.hpp"

namespace warpspy {

struct StudyRunOptions {
  std::string device = {};          // id of the catalog; "": the paper's own GPU, simulated
  std::optional<Depth> depth = {};  // in the place of what the study says
};

// What has to be found out.
struct StudyWork {
  // Products, by matrix, so that each is opened once.
  std::vector<Case> cases = {};
  struct Wanted {
    ReadingKey key;
    std::vector<std::size_t> cases = {};        // of `cases`
    std::optional<AnalysisPlan> analysis = {};  // of an analysis
  };
  std::vector<Wanted> wanted = {};
  std::vector<ReadingKey> counts = {};  // of matrices and formats: nothing has to run
  // What is known now: figures of GPUs, and what cannot be found out here, with its reason.
  Readings known = {};
};
StudyWork work_of(const Study& study, const Catalog& catalog, const StudyRunOptions& options = {});

// The cases one after another; none begins once their products have taken so long.
class StudyPlan final : public Plan {
 public:
  StudyPlan(const Study& study, const StudyWork& work, std::optional<double> budget_s)
      : name_("study " + study.id), cases_(work.cases), budget_s_(budget_s) {}
  std::string name() const override { return name_; }
  std::vector<Case> next(const Results& so_far) const override;
  std::size_t expected(const Results&) const override { return cases_.size(); }

 private:
  std::string name_;
  std::vector<Case> cases_;
  std::optional<double> budget_s_;
};

// Throws Error where a matrix that was opened is not the paper's: another size, or other numbers.
void require_papers(const Study& study, const std::string& matrix, const Matrix& opened);

// Counts what the study asks of a matrix.
void count(const Study& study, const Catalog& catalog, const StudyWork& work, const std::string& matrix,
           const Matrix& opened, Readings& readings);
// What results say, in the order of work.cases; those behind their end were not run.
void read_results(const StudyWork& work, const Results& results, const Catalog& catalog, Readings& readings);

struct StudyRun {
  Readings readings = {};
  PlanEnd end = PlanEnd::done;
  std::size_t products = 0, left = 0;  // that ran or had been run, and that did not
};
// Runs the plan and counts, each matrix opened once. A matrix that is not at hand, or is another one, leaves its cells
// without numbers, with the reason.
StudyRun run_study(const Study& study, const StudyWork& work, const Catalog& catalog, Executor& executor,
                   const MatrixOf& matrix_of, Progress& progress, std::optional<double> budget_s = {},
                   const PlanEvents& events = {});

}  // namespace warpspy
