#include "core/lesson/run.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "core/diagnosis/causes.hpp"
#include "core/diagnosis/diagnose.hpp"
#include "core/matrix/stats.hpp"
#include "core/study/quantity.hpp"

namespace warpspy {
namespace {

constexpr index_t kMostK = 512;

}  // namespace

class LessonRuns::Impl {
 public:
  Impl(const Lesson& lesson, const Catalog& catalog, Engine& engine, Executor& executor, MatrixOf matrix_of,
       std::uint64_t seed)
      : lesson_(lesson),
        catalog_(catalog),
        engine_(engine),
        executor_(executor),
        matrix_of_(std::move(matrix_of)),
        seed_(seed) {
    for (const auto& [name, recipe] : lesson.recipes) runs_.emplace(name, lesson_run(lesson, recipe, catalog, seed));
  }

  LessonTruth truth(const LessonStep& s, Progress& progress) {
    progress_ = &progress;
    progress.check();
    try {
      return question_kind(s.question.kind).truth(s.question, s.recipe, facts(s.recipe));
    } catch (const Error& e) {
      if (e.where.starts_with(lesson_.file)) throw;
      throw Error(e.what(), lesson_.file + ":" + std::to_string(s.question.line));
    }
  }

 private:
  const Matrix& matrix(const std::string& source) {
    if (open_ && source == open_source_) return *open_;
    open_ = nullptr;
    const Matrix& m = matrix_of_(source, *progress_);
    if (static_cast<double>(m.csr->nnz()) > kMostLessonEntries)
      throw Error("this matrix has more than 4 million entries", source);
    open_source_ = source;
    return *(open_ = &m);
  }

  Results run(std::vector<Case> cases, const std::string& name) {
    const std::size_t n = cases.size();
    Results results;
    const MatrixOf opener = [&](const std::string& source, Progress&) -> const Matrix& { return matrix(source); };
    if (executor_.run(ListPlan("lesson " + lesson_.id, std::move(cases)), opener, *progress_, results) ==
        PlanEnd::cancelled)
      throw Cancelled();
    if (results.size() != n) throw Error("the recipe " + name + " does not run");
    return results;
  }

  std::shared_ptr<const RunRecord> record(const std::string& name) {
    auto& kept = records_[name];
    if (kept) return kept;
    if (runs_.at(name).measured) return kept = runs_.at(name).measured;
    kept = run({{runs_.at(name).request, name, Purpose::trial}}, name).at(0).record;
    if (!kept || kept->status != RunStatus::ok) {
      const std::string why = kept ? kept->error : "it did not run";
      kept = nullptr;
      throw Error("the recipe " + name + " does not run: " + why);
    }
    return kept;
  }

  std::shared_ptr<const WarpTrace> trace(const std::string& name) {
    auto& kept = traces_[name];
    const LessonRun& run = runs_.at(name);
    if (!run.has_warp) throw Error("the recipe " + name + " names no warp");
    if (!kept)
      kept = std::make_shared<const WarpTrace>(
          engine_.trace_warp(run.request, matrix(run.request.matrix), run.warp, *progress_));
    return kept;
  }

  double of_warp(const std::string& id, const std::string& name) {
    const auto w = trace(name);
    const std::size_t step = runs_.at(name).step;
    const auto the_step = [&]() -> const WarpStep& {
      if (step < w->steps.size()) return w->steps[step];
      throw Error("the warp of " + name + " has " + std::to_string(w->steps.size()) + " steps");
    };
    WarpTraffic all;
    for (const WarpTraffic& a : w->arrays) all += a;
    if (id == "steps") return static_cast<double>(w->steps_in_all);
    if (id == "requests") return static_cast<double>(all.requests);
    if (id == "sectors") return static_cast<double>(all.sectors);
    if (id == "least_sectors") return static_cast<double>(all.least_sectors);
    if (id == "idle_percent")
      return 100 * static_cast<double>(w->ledger.idle()) / (32 * static_cast<double>(w->ledger.instructions));
    if (id == "step_sectors") return static_cast<double>(traffic_of(*w, the_step()).sectors);
    if (id == "step_idle") return 32 - std::popcount(the_step().active);
    throw Error("a warp tells no " + id, {},
                "it tells steps, requests, sectors, least_sectors, idle_percent, step_sectors and step_idle");
  }

  double value(const std::string& quantity, const std::string& name) {
    const LessonRun& run = runs_.at(name);
    if (quantity.starts_with("warp.")) return of_warp(quantity.substr(5), name);
    if (quantity.starts_with("array.")) return of_array(quantity.substr(6), name);
    if (quantity.starts_with("cause.")) return of_cause(quantity.substr(6), name);
    if (quantity.starts_with("finding.")) return of_finding(quantity.substr(8), name);
    const StudyQuantity q = study_quantity(quantity);
    Reading reading;
    if (q.of == StudyQuantity::Of::matrix) {
      reading = count_of_matrix(q, matrix(run.request.matrix));
    } else if (q.of == StudyQuantity::Of::format) {
      const FormatInfo* f = catalog_.format(catalog_.kernel(run.request.kernel)->format);
      if (!f) throw Error("the kernel of " + name + " has no format");
      reading = count_of_format(q, f->id, run.request.precision, checked_params(f->params, run.request.format_params),
                                &matrix(run.request.matrix));
    } else if (q.of == StudyQuantity::Of::gpu) {
      reading = figure_of_gpu(q, catalog_.device(run.request.device)->spec);
    } else if (q.of == StudyQuantity::Of::run) {
      reading = reading_of(q, *record(name));
    } else {
      throw Error("a lesson does not ask for " + quantity);
    }
    if (!reading.value) throw Error("there is no " + quantity + " of " + name + ": " + reading.reason);
    return *reading.value;
  }

  Causes causes(const std::string& name) {
    const auto all = causes_of(*record(name), catalog_.device(runs_.at(name).request.device)->spec);
    if (!all) throw Error("the run of " + name + " does not tell its causes");
    return *all;
  }

  // Its share of the time, in percent.
  double of_cause(const std::string& id, const std::string& name) {
    for (const CauseRow& row : cause_rows)
      if (id == row.id) return 100 * causes(name).share(row.cause);
    throw Error("there is no cause " + id);
  }

  // A number that is larger for findings that come earlier; 0 if there is none.
  double of_finding(const std::string& rule, const std::string& name) {
    double place = static_cast<double>(most_findings);
    for (const Finding& f : record(name)->findings) {
      if (f.rule == rule) return place;
      --place;
    }
    return 0;
  }

  // Launches are no roof.
  std::vector<LessonRoof> roofs(const std::string& name) {
    const Causes all = causes(name);
    std::vector<LessonRoof> roofs;
    double most = 0;
    for (const CauseRow& row : cause_rows) {
      if (row.cause == Cause::launch || !(all.bound(row.cause) > 0)) continue;
      roofs.push_back({row.id, all.bound(row.cause)});
      most = std::max(most, all.bound(row.cause));
    }
    for (LessonRoof& r : roofs) r.share /= most;
    return roofs;
  }

  // "x.sectors", "x.requests", "x.sectors_per_request", "x.active_lanes".
  double of_array(const std::string& text, const std::string& name) {
    const auto dot = text.rfind('.');
    const auto r = record(name);
    for (const Traffic& a : r->arrays) {
      if (dot == std::string::npos || a.name != text.substr(0, dot)) continue;
      const std::string id = text.substr(dot + 1);
      if (id == "sectors") return a.sectors;
      if (id == "requests") return a.requests;
      if (id == "sectors_per_request") return a.sectors / a.requests;
      if (id == "active_lanes") return a.active_lanes;
      throw Error("an array tells no " + id, {}, "it tells sectors, requests, sectors_per_request and active_lanes");
    }
    throw Error("the run of " + name + " has no array of " + text);
  }

  std::vector<index_t> row_lengths(const std::string& name) {
    const Csr& a = *matrix(runs_.at(name).request.matrix).csr;
    std::vector<index_t> n(static_cast<std::size_t>(a.rows()));
    for (index_t row = 0; row < a.rows(); ++row) n[static_cast<std::size_t>(row)] = a.row_length(row);
    return n;
  }

  std::vector<double> bytes_by_k(const std::string& name) {
    const LessonRun& run = runs_.at(name);
    const FormatInfo* f = catalog_.format("hyb");
    const std::vector<index_t> n = row_lengths(name);
    const index_t most = std::min(kMostK, n.empty() ? 0 : *std::max_element(n.begin(), n.end()));
    std::vector<double> bytes;
    for (index_t k = 0; k <= most; ++k) {
      ParamSet params = run.request.format_params;
      for (const ParamSpec& p : f->params)
        if (p.id == "rule") params["rule"] = param_value(p, "hand");
      params["k"] = static_cast<double>(k);
      bytes.push_back(*count_of_format(study_quantity("format.bytes"), "hyb", run.request.precision,
                                       checked_params(f->params, params), &matrix(run.request.matrix))
                           .value);
    }
    return bytes;
  }

  RooflinePoint point(const std::string& name) {
    const auto r = record(name);
    const Counter* moved = r->counter("dram_bytes");
    if (!moved || !moved->value || !(*moved->value > 0))
      throw Error("the run of " + name + " moves no bytes of DRAM", {}, "take cold caches, or a larger matrix");
    const DeviceInfo& gpu = *catalog_.device(runs_.at(name).request.device);
    for (const RooflinePoint& p : roofline_points(*r, roofs_of(gpu.spec, r->request.precision)))
      if (p.level == Level::dram) return p;
    throw Error("the run of " + name + " has no point under the DRAM roof");
  }

  // The findings as the window shows them, with the gains that the model predicts.
  std::vector<Finding> findings(const std::string& name) {
    RunRecord r = *record(name);
    const Matrix& m = matrix(runs_.at(name).request.matrix);
    executor_.find_limits(r, m, row_stats(*m.csr), *progress_);
    return r.findings;
  }

  // Row by row of the plane, from below.
  std::vector<double> cells(const LessonQuestion& q, const std::string& name) {
    const std::vector<ParamSpec>& known = catalog_.kernel(runs_.at(name).request.kernel)->params;
    for (const LessonAxis& axis : q.plane)
      if (std::none_of(known.begin(), known.end(), [&](const ParamSpec& p) { return p.id == axis.param; }))
        throw Error("the kernel of " + name + " has no parameter " + axis.param);
    std::vector<Case> cases;
    for (const std::string& up : q.plane[1].values)
      for (const std::string& right : q.plane[0].values) {
        LessonRecipe cell = lesson_.recipes.at(name);
        cell.words["param." + q.plane[0].param] = right, cell.words["param." + q.plane[1].param] = up;
        cell.lines.clear(), cell.line = q.line;
        cases.push_back({lesson_run(lesson_, cell, catalog_, seed_).request, name, Purpose::trial});
      }
    std::vector<double> us;
    for (const CaseResult& r : run(std::move(cases), name)) {
      if (!r.record || r.record->status != RunStatus::ok)
        throw Error("a cell of " + q.id + " does not run: " + (r.record ? r.record->error : "there is no matrix"));
      us.push_back(r.record->time.value);
    }
    return us;
  }

  LessonFacts facts(const std::string& step_recipe) {
    return {[this, step_recipe](const std::string& q, const std::string& r) {
              return value(q, r.empty() ? step_recipe : r);
            },
            [this](const std::string& r) { return record(r); },
            [this](const std::string& r) { return trace(r); },
            [this](const std::string& r) { return runs_.at(r).step; },
            [this](const std::string& r) { return row_lengths(r); },
            [this](const std::string& r) { return bytes_by_k(r); },
            [this](const std::string& r) { return roofs(r); },
            [this](const std::string& r) { return point(r); },
            [this](const std::string& r) { return findings(r); },
            [this](const LessonQuestion& q, const std::string& r) { return cells(q, r); }};
  }

  const Lesson& lesson_;
  const Catalog& catalog_;
  Engine& engine_;
  Executor& executor_;
  const MatrixOf matrix_of_;
  const std::uint64_t seed_;
  Progress* progress_ = nullptr;  // progress of the current caller
  std::map<std::string, LessonRun> runs_;
  std::map<std::string, std::shared_ptr<const RunRecord>> records_;
  std::map<std::string, std::shared_ptr<const WarpTrace>> traces_;
  const Matrix* open_ = nullptr;
  std::string open_source_;
};

LessonRuns::LessonRuns(const Lesson& lesson, const Catalog& catalog, Engine& engine, Executor& executor,
                       MatrixOf matrix_of, std::uint64_t seed)
    : impl_(std::make_unique<Impl>(lesson, catalog, engine, executor, std::move(matrix_of), seed)) {}
LessonRuns::~LessonRuns() = default;

LessonTruth LessonRuns::truth(const LessonStep& step, Progress& progress) { return impl_->truth(step, progress); }

LessonTruths truths_of(const Lesson& lesson, const Catalog& catalog, Engine& engine, Executor& executor,
                       const MatrixOf& matrix_of, Progress& progress, std::uint64_t seed) {
  LessonRuns runs(lesson, catalog, engine, executor, matrix_of, seed);
  LessonTruths all;
  for (const LessonStep& s : lesson.steps) all.emplace(s.question.id, runs.truth(s, progress));
  return all;
}

}  // namespace warpspy
