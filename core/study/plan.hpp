// A study is a paper's table as data, and a cell is one printed number. This makes a plan of it: which products the
// cells need, each once, and which numbers these products give.
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
#include "core/study/search.hpp"
#include "core/study/study.hpp"

namespace warpspy {

struct StudyRunOptions {
  std::string device = {};          // id of the catalog; "": the paper's own GPU, simulated
  std::optional<Depth> depth = {};  // replaces the depth of the study
};

// The work of a study: products to run, and facts to count.
struct StudyWork {
  // The products to run, ordered by matrix, so that each matrix is opened only once.
  std::vector<Case> cases = {};
  struct Wanted {
    ReadingKey key;
    std::vector<std::size_t> cases = {};        // of `cases`
    std::optional<AnalysisPlan> analysis = {};  // of an analysis
  };
  std::vector<Wanted> wanted = {};
  std::vector<StudySearch> searches = {};  // they run after the products
  std::vector<ReadingKey> counts = {};     // numbers of matrices and formats, for which no product runs
  // Numbers that are known before anything runs: figures of GPUs; and numbers that cannot be computed here, with the
  // reason.
  Readings known = {};
  // How many products run, as far as that is known: each search counts with the most that its exhaustive part may take.
  std::size_t expected() const;
};
StudyWork work_of(const Study& study, const Catalog& catalog, const StudyRunOptions& options = {});
// The folder of a study is also the folder of a sweep, so its products can be listed and drawn.
SweepPlan sweep_plan_of(const StudyWork& work);

// Runs the cases one after another, until their products have taken a given time, or a given number has run.
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

// The results that a folder has already, in the order of work.cases; a case without one has no record. Runs nothing.
// Throws Cancelled.
Results kept_results(const StudyWork& work, const Catalog& catalog, SweepFolder& folder, Progress& progress);

// Whether the device is the paper's GPU, real or simulated. Only then are rates compared with the printed ones.
bool is_papers_gpu(const Study& study, const DeviceInfo* device, const Catalog& catalog);

// Throws Error if an opened matrix has another size or other numbers than the paper's.
void require_papers(const Study& study, const std::string& matrix, const Matrix& opened);

// Counts the numbers of a matrix that the study needs.
void count(const Study& study, const Catalog& catalog, const StudyWork& work, const std::string& matrix,
           const Matrix& opened, Readings& readings);
// Reads numbers from results, which have the order of work.cases. A case beyond their end, or without a record, was not
// run.
void read_results(const StudyWork& work, const Results& results, const Catalog& catalog, Readings& readings);

// The results of a study's run.
struct StudyRun {
  Readings readings = {};
  PlanEnd end = PlanEnd::done;
  // Products with a result, and products without one. A search that has not ended counts as one product left.
  std::size_t products = 0, left = 0;
  double seconds = 0;  // time of the products that ran now
};

// Runs a study product by product, so that the caller can do other work in between. The arguments must live longer than
// this object.
class StudySteps {
 public:
  // `make` makes the searches; without it, their cells have no numbers.
  StudySteps(const Study& study, const StudyWork& work, const Catalog& catalog, std::optional<double> budget_s = {},
             MakeSearch make = {});

  // Runs the next product, or counts the next matrix. Returns false if nothing is left within the budget, if it was
  // cancelled, or if the device was lost. If a matrix is missing, or is not the paper's, its cells have no numbers, but
  // the reason. Throws Error when a result cannot be written.
  bool step(Executor& executor, const MatrixOf& matrix_of, Progress& progress, const PlanEvents& events = {});
  StudyRun so_far() const;
  bool cancelled() const { return end_ == PlanEnd::cancelled; }

 private:
  const Matrix& opened(const std::string& source, const MatrixOf& matrix_of, Progress& progress);
  bool count_next(const MatrixOf& matrix_of, Progress& progress);
  double spent() const;

  const Study& study_;
  const StudyWork& work_;
  const Catalog& catalog_;
  std::optional<double> budget_s_;
  Readings counts_;
  Results results_;
  SearchSteps searches_;
  PlanEnd end_ = PlanEnd::done;
  std::map<std::string, std::vector<std::string>> names_;  // matrices by source
  std::set<std::string> counted_, refused_;
  std::map<std::string, Error> failed_;  // by source
  const Matrix* open_ = nullptr;
  std::string open_source_;
};

// Runs the whole study and returns its results.
StudyRun run_study(const Study& study, const StudyWork& work, const Catalog& catalog, Executor& executor,
                   const MatrixOf& matrix_of, Progress& progress, std::optional<double> budget_s = {},
                   const PlanEvents& events = {}, MakeSearch make = {});

}  // namespace warpspy
