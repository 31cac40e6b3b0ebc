// A study as a plan of the executor: which products its cells ask for, each once, and what comes of them.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
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
// Its folder is one of a sweep too: its products can be looked at and drawn.
SweepPlan sweep_plan_of(const StudyWork& work);

// The cases one after another; none begins once their products have taken so long, or once there are so many.
class StudyPlan final : public Plan {
 public:
  StudyPlan(const Study& study, const StudyWork& work, std::optional<double> budget_s,
            std::size_t most = std::string::npos)
      : name_("study " + study.id), cases_(work.cases), budget_s_(budget_s), most_(std::min(most, cases_.size())) {}
  std::string name() const override { return name_; }
  std::vector<Case> next(const Results& so_far) const override;
  std::size_t expected(const Results&) const override { return cases_.size(); }

 private:
  std::string name_;
  std::vector<Case> cases_;
  std::optional<double> budget_s_;
  std::size_t most_;
};

// What lies in a folder already, in the order of work.cases; where nothing does, without a record. Runs nothing. Throws
// Cancelled.
Results kept_results(const StudyWork& work, const Catalog& catalog, SweepFolder& folder, Progress& progress);

// The device is the paper's GPU, real or simulated: its rates are held against the printed ones.
bool is_papers_gpu(const Study& study, const DeviceInfo* device, const Catalog& catalog);

// Throws Error where a matrix that was opened is not the paper's: another size, or other numbers.
void require_papers(const Study& study, const std::string& matrix, const Matrix& opened);

// Counts what the study asks of a matrix.
void count(const Study& study, const Catalog& catalog, const StudyWork& work, const std::string& matrix,
           const Matrix& opened, Readings& readings);
// What results say, in the order of work.cases; those behind their end, or without a record, were not run.
void read_results(const StudyWork& work, const Results& results, const Catalog& catalog, Readings& readings);

// What has come of it.
struct StudyRun {
  Readings readings = {};
  PlanEnd end = PlanEnd::done;
  std::size_t products = 0, left = 0;  // that ran or had been run, and that did not
  double seconds = 0;                  // that products took which had not been run before
};

// A study under way, product by product: who runs it may do something else in between. What it is made with must live
// longer.
class StudySteps {
 public:
  StudySteps(const Study& study, const StudyWork& work, const Catalog& catalog, std::optional<double> budget_s = {});

  // The next product, or the next matrix that is only counted. false: nothing is left that the budget allows, it was
  // cancelled, or the device was lost. A matrix that is not at hand, or is another one, leaves its cells without
  // numbers, with the reason. Throws Error when a result cannot be written.
  bool step(Executor& executor, const MatrixOf& matrix_of, Progress& progress, const PlanEvents& events = {});
  StudyRun so_far() const;
  bool cancelled() const { return end_ == PlanEnd::cancelled; }

 private:
  const Matrix& opened(const std::string& source, const MatrixOf& matrix_of, Progress& progress);
  bool count_next(const MatrixOf& matrix_of, Progress& progress);

  const Study& study_;
  const StudyWork& work_;
  const Catalog& catalog_;
  std::optional<double> budget_s_;
  Readings counts_;
  Results results_;
  PlanEnd end_ = PlanEnd::done;
  std::map<std::string, std::vector<std::string>> names_;  // of matrices, by source
  std::set<std::string> counted_, refused_;
  std::map<std::string, Error> failed_;  // by source
  const Matrix* open_ = nullptr;
  std::string open_source_;
};

// All of it.
StudyRun run_study(const Study& study, const StudyWork& work, const Catalog& catalog, Executor& executor,
                   const MatrixOf& matrix_of, Progress& progress, std::optional<double> budget_s = {},
                   const PlanEvents& events = {});

}  // namespace warpspy
