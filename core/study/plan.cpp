#include "core/study/plan.hpp"

#include <algorithm>
#include <new>

#include "core/base/numbers.hpp"
#include "core/gpu/gpu_match.hpp"
#include "core/run/fingerprint.hpp"
#include "core/run/request_options.hpp"
#include "core/run/sweep.hpp"
#include "core/sweep/stored.hpp"

namespace warpspy {
namespace {

using Of = StudyQuantity::Of;

// A setup in which all names have been looked up.
struct Resolved {
  RunRequest request;
  const KernelInfo* kernel = nullptr;
  const FormatInfo* format = nullptr;  // nullptr: a kernel that reads no matrix
};

// Sets a parameter of the format, or else of the kernel. Returns false if neither has it.
bool set_param(Resolved& r, const std::string& id, const std::string& text) {
  const ParamSpec* of_format = r.format ? spec_of(r.format->params, id) : nullptr;
  const ParamSpec* spec = of_format ? of_format : r.kernel ? spec_of(r.kernel->params, id) : nullptr;
  if (!spec) return false;
  (of_format ? r.request.format_params : r.request.params)[id] = param_value(*spec, text);
  return true;
}

Resolved resolved(const Study& study, const std::string& matrix, const std::string& name, const Catalog& catalog,
                  const StudyRunOptions& options) {
  const StudySetup& setup = study.setup(name);
  Resolved r;
  r.request.depth = Depth::medium;
  if (!setup.kernel.empty()) {
    r.kernel = catalog.kernel(setup.kernel);
    if (!r.kernel) throw Error("there is no kernel " + setup.kernel + " any more");
    r.request.kernel = setup.kernel;
  }
  const std::string format = !setup.format.empty() ? setup.format : r.kernel->format;
  r.format = catalog.format(format);
  if (!r.format && !format.empty()) throw Error("there is no format " + format + " any more");
  for (const auto& [id, text] : setup.options) set_text(request_option(id), r.request, text);
  for (const auto& [id, text] : setup.params)
    if (!set_param(r, id, text))
      throw Error("neither kernel nor format of the setup " + name + " has a parameter " + id);
  if (!matrix.empty()) {
    const StudyMatrix& m = study.matrix(matrix);
    r.request.matrix = m.source;
    for (const auto& [id, text] : m.options)
      if (!setup.options.contains(id)) set_text(request_option(id), r.request, text);
    for (const auto& [id, text] : m.params)
      if (!setup.params.contains(id)) set_param(r, id, text);
  }
  if (!options.device.empty())
    r.request.device = options.device;
  else if (setup.options.contains("device"))
    r.request.device = "sim:" + setup.options.at("device");
  if (options.depth) r.request.depth = *options.depth;
  return r;
}

const GpuSpec& gpu_of(const Study& study, const std::string& setup, const Catalog& catalog) {
  const StudyWords& options = study.setup(setup).options;
  const auto id = options.find("device");
  if (id == options.end()) throw Error("the setup " + setup + " names no GPU");
  const DeviceInfo* device = catalog.device("sim:" + id->second);
  if (!device) throw Error("there is no simulated GPU called " + id->second);
  return device->spec;
}

// Everything that a cell's recipe reads.
void add_keys(const StudyCell& c, const std::string& matrix, const StudySide& side, std::set<ReadingKey>& keys) {
  for (const std::string* text : {&c.quantity, &c.per}) {
    if (text->empty()) continue;
    const StudyQuantity q = study_quantity(*text);
    const std::string m = q.of_matrix() ? matrix : "";
    if (!q.of_setup()) {
      keys.insert({m, "", *text});
      continue;
    }
    for (const std::string& setup : side.setups) keys.insert({m, setup, *text});
  }
}

std::set<ReadingKey> keys_of(const Study& study) {
  std::set<ReadingKey> keys;
  for (const StudyCell& c : study.cells) {
    if (!c.has_recipe()) continue;
    const bool over_many = c.aggregate != Aggregate::none;
    for (const std::string& m : over_many ? c.matrices : std::vector<std::string>{c.side.matrix}) {
      add_keys(c, m, c.claim == Claim::winner ? StudySide{m, c.among} : c.side, keys);
      if (c.over && c.over_matrices.empty()) add_keys(c, over_many ? m : c.over->matrix, *c.over, keys);
    }
    for (const std::string& m : c.over_matrices) add_keys(c, m, *c.over, keys);
  }
  return keys;
}

// Collects the products that a study needs, each once.
class Work {
 public:
  Work(const Study& study, const Catalog& catalog, const StudyRunOptions& options)
      : study_(study), catalog_(catalog), options_(options) {}

  StudyWork made() {
    for (const ReadingKey& key : keys_of(study_)) {
      try {
        add(key);
      } catch (const Error& e) {
        work_.known[key] = {std::nullopt, e.reason};
      }
    }
    return by_matrix();
  }

 private:
  void add(const ReadingKey& key) {
    const auto& [matrix, setup, text] = key;
    const StudyQuantity q = study_quantity(text);
    if (q.of == Of::gpu) return void(work_.known[key] = figure_of_gpu(q, gpu_of(study_, setup, catalog_)));
    if (q.of_matrix() && study_.matrix(matrix).source.empty()) throw Error(study_.matrix(matrix).other);
    if (q.of == Of::matrix) return work_.counts.push_back(key);
    const Resolved r = resolved(study_, q.of_matrix() ? matrix : "", setup, catalog_, options_);
    if (!q.of_matrix()) {
      work_.known[key] = count_of_format(q, r.format->id, r.request.precision, {}, nullptr);
      return;
    }
    if (q.of == Of::format) return work_.counts.push_back(key);
    if (!r.kernel) throw Error("the setup " + setup + " names a format, and a product takes a kernel");
    if (r.request.device == "auto") throw Error("the setup " + setup + " names no GPU");
    const SweepCell cell = cell_of(r.request, catalog_);
    if (cell.state == CellState::skipped) throw Error(cell.reason);
    if (q.of == Of::tune) return search(key, q, r.request);
    StudyWork::Wanted wanted{key};
    if (q.of == Of::run) {
      wanted.cases = {place_of(r.request, matrix)};
    } else {
      wanted.analysis = plan_analysis({q.id, {}, {r.request.kernel}, r.request}, catalog_);
      for (const AnalysisPlan::Wanted& w : wanted.analysis->runs)
        wanted.cases.push_back(place_of(w.run.request, matrix));
    }
    work_.wanted.push_back(std::move(wanted));
  }

  void search(const ReadingKey& key, const StudyQuantity& q, const RunRequest& request) {
    if (!catalog_.strategy(q.id)) throw Error("there is no strategy " + q.id);
    const auto& [matrix, setup, text] = key;
    std::vector<StudySearch>& all = work_.searches;
    auto at = std::find_if(all.begin(), all.end(),
                           [&](const StudySearch& s) { return s.matrix == matrix && s.setup == setup; });
    if (at == all.end()) {
      at = all.insert(all.end(), {matrix, setup, {request, {"exhaustive"}}});
      if (const int most = study_.setup(setup).most_products; most > 0) at->request.most_products = most;
    }
    std::vector<std::string>& strategies = at->request.strategies;
    if (std::find(strategies.begin(), strategies.end(), q.id) == strategies.end()) strategies.push_back(q.id);
    at->keys.push_back(key);
  }

  std::size_t place_of(const RunRequest& request, const std::string& matrix) {
    const SweepCell cell = cell_of(request, catalog_);  // with complete parameters, equal products have equal texts
    const auto [at, is_new] = places_.emplace(key_of(cell.request), work_.cases.size());
    if (is_new) work_.cases.push_back({cell.request, request.kernel + " on " + matrix, Purpose::trial});
    return at->second;
  }

  // Kernels of one format on one matrix follow each other.
  StudyWork by_matrix() {
    std::vector<std::size_t> order(work_.cases.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    const auto where = [&](std::size_t k) {
      const RunRequest& r = work_.cases[k].request;
      const KernelInfo* kernel = catalog_.kernel(r.kernel);
      return std::tuple(r.matrix, kernel ? kernel->format : "", r.precision, r.kernel);
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return where(a) < where(b); });
    std::vector<std::size_t> place(order.size());
    std::vector<Case> sorted;
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = k, sorted.push_back(work_.cases[order[k]]);
    work_.cases = std::move(sorted);
    for (StudyWork::Wanted& w : work_.wanted)
      for (std::size_t& k : w.cases) k = place[k];
    return std::move(work_);
  }

  const Study& study_;
  const Catalog& catalog_;
  const StudyRunOptions& options_;
  StudyWork work_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace

StudyWork work_of(const Study& study, const Catalog& catalog, const StudyRunOptions& options) {
  return Work(study, catalog, options).made();
}

std::size_t StudyWork::expected() const {
  std::size_t products = cases.size();
  for (const StudySearch& s : searches) products += static_cast<std::size_t>(s.request.most_products);
  return products;
}

SweepPlan sweep_plan_of(const StudyWork& work) {
  SweepPlan plan;
  std::set<std::string> matrices, kernels;
  for (const Case& c : work.cases) {
    if (matrices.insert(c.request.matrix).second) plan.matrices.push_back({c.request.matrix, ""});
    if (kernels.insert(c.request.kernel).second) plan.kernels.push_back(c.request.kernel);
  }
  for (const StudySearch& s : work.searches) {
    const RunRequest& r = s.request.run;
    if (matrices.insert(r.matrix).second) plan.matrices.push_back({r.matrix, ""});
    if (kernels.insert(r.kernel).second) plan.kernels.push_back(r.kernel);
  }
  return plan;
}

std::vector<Case> StudyPlan::next(const Results& so_far) const {
  if (so_far.size() >= most_) return {};
  const auto from = cases_.begin() + static_cast<std::ptrdiff_t>(so_far.size());
  if (!budget_s_) return {from, cases_.begin() + static_cast<std::ptrdiff_t>(most_)};
  double spent = 0;
  for (const CaseResult& r : so_far)
    if (!r.found) spent += r.seconds;
  if (spent >= *budget_s_) return {};
  return {*from};
}

Results kept_results(const StudyWork& work, const Catalog& catalog, SweepFolder& folder, Progress& progress) {
  Results results;
  for (const Case& c : work.cases) {
    progress.check();
    CaseResult& r = results.emplace_back(CaseResult{c, nullptr});
    try {
      const auto kept = folder.find(folder.id_of(cell_of(c.request, catalog, c.repetition), progress));
      if (!kept || !same_figures(*kept, c.request.device, catalog)) continue;
      r.record = std::make_shared<const RunRecord>(kept->record);
      r.seconds = kept->seconds, r.found = true;
    } catch (const Error&) {
      // Its matrix is missing, which is reported when it runs.
    }
  }
  return results;
}

bool is_papers_gpu(const Study& study, const DeviceInfo* device, const Catalog& catalog) {
  if (!device) return false;
  std::vector<GpuSpec> specs;
  for (const DeviceInfo& d : catalog.devices)
    if (d.simulated) specs.push_back(d.spec);
  const GpuSpec* twin = spec_of_device(device->name, device->spec.compute_capability, specs);
  const std::string is = device->simulated ? device->spec.id : twin ? twin->id : "";
  return !is.empty() && std::all_of(study.setups.begin(), study.setups.end(), [&](const auto& s) {
    const auto id = s.second.options.find("device");
    return id == s.second.options.end() || id->second == is;
  });
}

void require_papers(const Study& study, const std::string& name, const Matrix& opened) {
  const StudyMatrix& m = study.matrix(name);
  const struct {
    const char* what;
    index_t wanted, is;
  } sizes[] = {{"rows", m.rows, opened.csr->rows()},
               {"columns", m.columns, opened.csr->cols()},
               {"entries", m.nnz, opened.csr->nnz()}};
  for (const auto& s : sizes)
    if (s.wanted >= 0 && s.wanted != s.is)
      throw Error("this is another matrix than the paper's " + name + ": it has " + grouped(s.is) + " " + s.what +
                      ", and the paper's " + grouped(s.wanted),
                  m.source, "name the paper's with --matrix");
  if (!m.hash.empty() && fingerprint_of(*opened.csr) != m.hash)
    throw Error("this is another matrix than the paper's " + name + ": of the same size, with other numbers", m.source,
                "name the paper's with --matrix");
}

void count(const Study& study, const Catalog& catalog, const StudyWork& work, const std::string& matrix,
           const Matrix& opened, Readings& readings) {
  for (const ReadingKey& key : work.counts) {
    const auto& [of, setup, text] = key;
    if (of != matrix) continue;
    try {
      const StudyQuantity q = study_quantity(text);
      if (q.of == Of::matrix) {
        readings[key] = count_of_matrix(q, opened);
        continue;
      }
      const Resolved r = resolved(study, matrix, setup, catalog, {});
      readings[key] = count_of_format(q, r.format->id, r.request.precision,
                                      checked_params(r.format->params, r.request.format_params), &opened);
    } catch (const std::bad_alloc&) {
      readings[key] = {std::nullopt, "not enough memory to count it"};
    } catch (const Error& e) {
      readings[key] = {std::nullopt, e.reason};
    }
  }
}

void read_results(const StudyWork& work, const Results& results, const Catalog& catalog, Readings& readings) {
  for (const StudyWork::Wanted& w : work.wanted) {
    const bool ran = std::all_of(w.cases.begin(), w.cases.end(),
                                 [&](std::size_t k) { return k < results.size() && results[k].record; });
    if (!ran) {
      readings[w.key] = {std::nullopt, "it has not been run"};
      continue;
    }
    const StudyQuantity q = study_quantity(std::get<2>(w.key));
    if (!w.analysis) {
      Reading& reading = readings[w.key] = reading_of(q, *results[w.cases.front()].record);
      reading.run = results[w.cases.front()].record;
      continue;
    }
    std::vector<std::shared_ptr<const RunRecord>> records;
    for (const std::size_t k : w.cases) records.push_back(results[k].record);
    const AnalysisResult analysis = analysis_of(*w.analysis, records, catalog);
    for (const AnalysisValue& v : analysis.values)
      if (v.series == q.series) readings[w.key] = {v.value, v.reason, v.provenance, records.front()};
  }
}

StudySteps::StudySteps(const Study& study, const StudyWork& work, const Catalog& catalog,
                       std::optional<double> budget_s, MakeSearch make)
    : study_(study),
      work_(work),
      catalog_(catalog),
      budget_s_(budget_s),
      counts_(work.known),
      searches_(work.searches, std::move(make), catalog.devices) {
  for (const auto& [name, m] : study.matrices) names_[m.source].push_back(name);
}

// When a matrix is opened it is compared with the paper's and counted, once. It stays open until another matrix is
// needed.
const Matrix& StudySteps::opened(const std::string& source, const MatrixOf& matrix_of, Progress& progress) {
  if (open_ && source == open_source_) return *open_;
  if (const auto why = failed_.find(source); why != failed_.end()) throw Error(why->second);
  open_ = nullptr;
  try {
    const Matrix& m = matrix_of(source, progress);
    for (const std::string& name : names_[source]) {
      require_papers(study_, name, m);
      if (counted_.insert(name).second) count(study_, catalog_, work_, name, m, counts_);
    }
    open_source_ = source;
    return *(open_ = &m);
  } catch (const std::bad_alloc&) {
    throw Error(failed_.emplace(source, Error("not enough memory for the matrix", source)).first->second);
  } catch (const Error& e) {
    failed_.emplace(source, e);
    throw;
  }
}

// Opens a matrix that no product has opened, to count it. Returns false if there is none.
bool StudySteps::count_next(const MatrixOf& matrix_of, Progress& progress) {
  for (const ReadingKey& key : work_.counts) {
    const std::string& name = std::get<0>(key);
    if (counted_.contains(name) || refused_.contains(name)) continue;
    try {
      progress.stage("counting " + name);
      opened(study_.matrix(name).source, matrix_of, progress);
    } catch (const Error& e) {
      refused_.insert(name);
      for (const ReadingKey& of : work_.counts)
        if (std::get<0>(of) == name)
          counts_[of] = {std::nullopt, "the matrix is not at hand: " + std::string(e.what())};
    }
    return true;
  }
  return false;
}

bool StudySteps::step(Executor& executor, const MatrixOf& matrix_of, Progress& progress, const PlanEvents& events) {
  const std::size_t before = results_.size();
  const MatrixOf opener = [&](const std::string& source, Progress& part) -> const Matrix& {
    return opened(source, matrix_of, part);
  };
  end_ = executor.run(StudyPlan(study_, work_, budget_s_, before + 1), opener, progress, results_, events);
  if (end_ != PlanEnd::done) return false;
  if (results_.size() > before) return true;
  if (!budget_s_ || spent() < *budget_s_) {
    if (searches_.step(executor, opener, progress, events)) return true;
    end_ = searches_.end();
    if (end_ != PlanEnd::done) return false;
  }
  try {
    return count_next(matrix_of, progress);
  } catch (const Cancelled&) {
    end_ = PlanEnd::cancelled;
    return false;
  }
}

StudyRun StudySteps::so_far() const {
  StudyRun run{counts_, end_, results_.size() + searches_.products(),
               work_.cases.size() - results_.size() + searches_.left(), spent()};
  read_results(work_, results_, catalog_, run.readings);
  run.readings.insert(searches_.readings().begin(), searches_.readings().end());
  return run;
}

// By the products that ran now.
double StudySteps::spent() const {
  double seconds = searches_.seconds();
  for (const CaseResult& r : results_)
    if (!r.found) seconds += r.seconds;
  return seconds;
}

StudyRun run_study(const Study& study, const StudyWork& work, const Catalog& catalog, Executor& executor,
                   const MatrixOf& matrix_of, Progress& progress, std::optional<double> budget_s,
                   const PlanEvents& events, MakeSearch make) {
  StudySteps steps(study, work, catalog, budget_s, std::move(make));
  while (steps.step(executor, matrix_of, progress, events)) {
  }
  return steps.so_far();
}

}  // namespace warpspy
