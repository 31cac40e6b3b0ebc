#include "profiling/bench/plan.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>

#include "core/base/numbers.hpp"
#include "core/formats/format.hpp"
#include "core/model/bytes.hpp"
#include "core/run/fingerprint.hpp"
#include "kernels/table/table.hpp"
#include "profiling/bench/prospects.hpp"
#include "profiling/bench/records.hpp"
#include "profiling/bench/search.hpp"

namespace warpspy {
namespace {

// Trials only rank candidates, so they are short; the best few are timed again.
constexpr double trial_s = 0.004;
constexpr std::size_t own_finalists = 6, library_finalists = 3, in_order_finalists = 2, stored_finalists = 2;
constexpr std::size_t more_cold = 2;     // kernels, than warm finalists
constexpr double share_of_stored = 0.2;  // share of the budget
constexpr double never = Family::never;
// The largest format of the library, as a multiple of CSR; a larger one cannot win. The limit of ours is
// BenchOptions::most_memory.
constexpr double most_of_csr = 4;
constexpr Operation operations[] = {Operation::product, Operation::transposed_product};

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// CSC of A is CSR of its transpose. The library's product works without that second matrix.
bool stores_transpose(const KernelRow& k) {
  return k.info.operation == Operation::transposed_product && k.info.format == "csc";
}

double best_of(const std::vector<Trial>& trials) {
  double best = never;
  for (const Trial& t : trials) best = std::min(best, t.us);
  return best;
}

bool good(const std::shared_ptr<const RunRecord>& r) { return r && r->status == RunStatus::ok; }

}  // namespace

// One pass through the plan.
class BenchRun final : public ScriptRun, private Measure {
 public:
  explicit BenchRun(const BenchPlan& plan) : plan_(plan), options_(plan.options_) {
    base_.matrix = plan.source_;
    base_.device = plan.device_.id;
    base_.seed = options_.seed;
    base_.counters = "none";
  }
  std::vector<BenchRow> rows;
  std::size_t operations_done = 0;

 private:
  using As = InSearch::As;

  Script<> script() override {
    for (const Precision precision : options_.precisions) {
      base_.precision = precision;
      const bool cold = std::ranges::count(options_.states, CacheState::warm) == 0;
      prospects_.emplace(plan_.matrix_, plan_.sample_, precision, plan_.device_, options_.in_order, cold);
      for (const Operation operation : operations) {
        co_await one(operation);
        ++operations_done;
      }
    }
  }

  // Rows for the operation, one per state of the caches; none if neither we nor the library have a kernel for it.
  Script<> one(Operation operation) {
    tried_ = left_out_ = 0;
    told_.clear(), notes_.clear(), failed_.clear();
    remembered_ = nullptr;
    const std::vector<const KernelRow*> ours = plan_.kernels_of(operation, false);
    if (!options_.kernels.empty() && ours.empty()) co_return;  // none of the requested kernels does this operation
    const std::vector<Trial> library =
        co_await search(plan_.kernels_of(operation, true), true, options_.budget_s, never);
    remember(operation);
    const std::vector<Trial> own = co_await search(ours, false, options_.budget_s, never);
    const double own_us = best_of(own);
    std::vector<Trial> stored;
    if (operation == Operation::transposed_product) stored = co_await search_stored(own_us);
    if (library.empty() && own.empty() && notes_.empty()) co_return;
    const std::size_t first = rows.size();
    for (const CacheState state : options_.states) {
      BenchRow r = row_of(operation, state);
      const std::optional<Trial> best_library = co_await best(library, library_finalists, state, nullptr);
      const Trial* rival = best_library ? &*best_library : nullptr;
      const std::optional<Trial> best_own = co_await best(own, own_finalists, state, rival);
      std::vector<Trial> waiting;
      for (const Trial& t : own)
        if (t.kernel->common_of(t.candidate.params).overlap == 0) waiting.push_back(t);
      std::optional<Trial> in_order;
      if (best_own && best_own->kernel->common_of(best_own->candidate.params).overlap != 0)
        in_order = co_await best(waiting, in_order_finalists, state, rival);
      co_await compare(best_own, in_order, best_library, options_.against.empty() ? second_of(own, best_own) : nullptr,
                       r);
      overlap_where_it_wins(r);
      r.csr = co_await best_csr(own, r);
      r.stored = co_await best_stored(stored, state, own_us);
      r.remembered = r.own && remembered_ && remembered_->request.kernel == r.own->kernel &&
                     remembered_->request.params == r.own->params &&
                     remembered_->request.format_params == r.own->format_params;
      r.tried = tried_;
      r.left_out = left_out_;
      r.notes = notes_;
      if (rows.size() == first) r.trials = told_;
      rows.push_back(std::move(r));
    }
  }

  BenchRow row_of(Operation operation, CacheState state) const {
    const Matrix& m = plan_.matrix_;
    BenchRow r;
    r.matrix = m.source.name;
    r.rows = m.csr->rows(), r.cols = m.csr->cols(), r.nnz = m.csr->nnz();
    r.precision = base_.precision;
    r.state = state;
    r.operation = operation;
    const auto gathered = plan_.gathered_bytes_.find(base_.precision);
    if (operation == Operation::product && gathered != plan_.gathered_bytes_.end()) r.gathered_bytes = gathered->second;
    return r;
  }

  // The best kernel that was ever measured on this matrix and device: the search begins there.
  void remember(Operation operation) {
    const auto at = plan_.remembered_.find({base_.precision, operation});
    if (at == plan_.remembered_.end()) return;
    remembered_ = at->second.run;
    if (!at->second.problem.empty()) notes_.push_back("the history was not asked: " + at->second.problem);
  }

  Script<std::vector<Trial>> search(std::vector<const KernelRow*> list, bool every, double budget_s, double rival_us) {
    spent_s_ = 0;
    const double began = plan_.clock_();
    std::vector<Family> all = prospects_->families(list, remembered_.get());
    spent_s_ += plan_.clock_() - began;
    const SearchLimits limits{budget_s, every, rival_us};
    SearchEnd end = co_await search_families(std::move(all), limits, *this);
    left_out_ += end.left_out;
    co_return std::move(end.trials);
  }
  // Finds what storing the transpose would gain. It is reported separately, not in ratios, counts and trials. `own_us`:
  // the time without a stored transpose.
  Script<std::vector<Trial>> search_stored(double own_us) {
    std::vector<const KernelRow*> list;
    if (options_.kernels.empty())
      for (const KernelRow& k : kernels())
        if (stores_transpose(k) && (!plan_.device_.simulated || k.emulate)) list.push_back(&k);
    if (list.empty()) co_return std::vector<Trial>{};
    const int tried = tried_, left_out = left_out_;
    std::vector<BenchTrial> told = std::move(told_);
    std::vector<Trial> trials = co_await search(list, false, share_of_stored * options_.budget_s, own_us);
    tried_ = tried, left_out_ = left_out, told_ = std::move(told);
    co_return trials;
  }

  double spent_s() const override { return spent_s_; }

  // An error of one candidate is noted once per kernel, and the search continues.
  void note(const KernelRow& k, const std::string& why) {
    if (failed_.insert(k.info.id).second) notes_.push_back(k.info.id + ": " + why);
  }
  double most_bytes(const KernelRow& k) const {
    const double most = k.info.library.empty() ? options_.most_memory : most_of_csr;
    return most * prospects_->csr_bytes() + little_bytes;
  }
  bool may_try(const KernelRow& k, const BenchCandidate& c) {
    try {
      const bool cold = std::ranges::count(options_.states, CacheState::warm) == 0;
      const double bytes = prospects_->bytes_of_format(k.info.format, c.format_params);
      if (!share_fits(k.common_of(c.params).matrix(), bytes, cold ? 0 : plan_.device_.spec.l2_bytes)) return false;
      if (bytes <= most_bytes(k)) return true;
      note(k, "left out: format " + k.info.format + " needs " + byte_text(bytes) + ", CSR " +
                  byte_text(prospects_->csr_bytes()));
    } catch (const Error& e) {
      note(k, e.what());
    }
    return false;
  }

  RunRequest request_of(const KernelRow& k, const BenchCandidate& c, CacheState state, double budget_s) const {
    RunRequest r = base_;
    r.kernel = k.info.id;
    r.params = c.params, r.format_params = c.format_params;
    r.cache_state = state;
    r.budget_s = budget_s;
    return r;
  }
  std::string label(const char* stage, const KernelRow& k) const {
    return std::string(stage) + ", " + name_of(base_.precision) + ": " + k.info.id;
  }
  Case case_of(const Trial& t, CacheState state, double budget_s, As as) const {
    const bool final = as == As::final;
    Case c;
    c.request = request_of(*t.kernel, t.candidate, state, budget_s);
    c.label = label(final ? "in turn" : "once more", *t.kernel);
    c.purpose = final ? Purpose::final : Purpose::trial;
    c.search = InSearch{as};
    return c;
  }

  Script<std::optional<double>> time(const KernelRow& k, const BenchCandidate& c, double far_us) override {
    const double began = plan_.clock_();
    const bool wanted = may_try(k, c);
    spent_s_ += plan_.clock_() - began;
    if (!wanted) co_return std::nullopt;
    Case trial;
    trial.request = request_of(k, c, CacheState::warm, trial_s);
    trial.request.depth = Depth::medium;
    trial.label = label("searching", k);
    trial.purpose = Purpose::trial;
    trial.search = InSearch{As::trial, far_us, k.info.library.empty() ? most_bytes(k) : 0};
    const CaseResult result = co_await ask(std::move(trial));
    const RunRecord& r = *result.record;
    const Quantity* spent = r.detail(kSearchSpent);
    const double ms = spent ? spent->value : result.seconds * 1e3;
    spent_s_ += ms * 1e-3;
    if (r.status != RunStatus::ok) {
      note(k, r.error);
      co_return std::nullopt;
    }
    ++tried_;
    if (options_.trials && k.info.library.empty())
      told_.push_back({k.info.id, c.params, c.format_params, r.time.value, ms, r.time.provenance});
    co_return r.time.value;
  }

  // Times it again in this state if its result is right. `rival`, if there is one, takes turns with it, as in the final
  // comparison. The fastest alone need not be the fastest in turn. (CSR stream with streaming loads on webbase-1M,
  // H200, f32: 15.9 us alone, 18.8 us in turn. Probably such loads do not evict the other product's data from L2.)
  Script<std::optional<double>> again(const Trial& t, CacheState state, const Trial* rival) {
    const double budget_s = (rival ? 2 : 1) * finalist_s();
    Case wanted = case_of(t, state, budget_s, As::finalist);
    if (rival) wanted.beside.push_back(request_of(*rival->kernel, rival->candidate, state, budget_s));
    const CaseResult result = co_await ask(std::move(wanted));
    if (rival && !result.beside.empty() && !good(result.beside.front()))
      note(*rival->kernel, result.beside.front()->error);
    if (good(result.record)) co_return result.record->time.value;
    note(*t.kernel, result.record->error);
    co_return std::nullopt;
  }

  Script<std::optional<Trial>> best(const std::vector<Trial>& trials, std::size_t finalists, CacheState state,
                                    const Trial* rival) {
    const Again timed = [this, state, rival](const Trial& t) { return again(t, state, rival); };
    std::optional<Trial> found;
    if (state == CacheState::cold)
      found = co_await fastest_cold(trials, finalists + more_cold, timed);
    else
      found = co_await fastest_warm(trials, finalists, timed);
    co_return found;
  }

  // The fastest trial of another kernel; nullptr if there is none.
  static const Trial* second_of(const std::vector<Trial>& trials, const std::optional<Trial>& best) {
    for (const Trial& t : trials)
      if (best && t.kernel != best->kernel) return &t;
    return nullptr;
  }

  // Times all finalists together. The library's is last, and the others are compared with it. Without a library
  // `second` takes its place, so that the report can say why the best is faster (core/model/best_runs.hpp).
  Script<> compare(const std::optional<Trial>& own, const std::optional<Trial>& in_order,
                   const std::optional<Trial>& library, const Trial* second, BenchRow& row) {
    std::vector<const Trial*> trials;
    std::vector<std::optional<BenchSide>*> sides;
    std::optional<BenchSide> side_of_second;
    const auto add = [&](const Trial* t, std::optional<BenchSide>& to) {
      if (t) trials.push_back(t), sides.push_back(&to);
    };
    const auto in = [](const std::optional<Trial>& t) { return t ? &*t : nullptr; };
    add(in(own), row.own), add(in(in_order), row.in_order), add(in(library), row.library);
    add(second, side_of_second);
    if (trials.empty()) co_return;
    Case wanted = case_of(*trials.front(), row.state, final_s(), As::final);
    for (std::size_t i = 1; i < trials.size(); ++i)
      wanted.beside.push_back(request_of(*trials[i]->kernel, trials[i]->candidate, row.state, final_s()));
    const CaseResult result = co_await ask(std::move(wanted));
    std::vector<std::shared_ptr<const RunRecord>> records{result.record};
    records.insert(records.end(), result.beside.begin(), result.beside.end());
    records.resize(trials.size());
    for (std::size_t i = 0; i < trials.size(); ++i) {
      if (good(records[i]))
        *sides[i] = side_of(*records[i]);
      else
        note(*trials[i]->kernel, records[i] ? records[i]->error : "the engine did not tell of it");
    }
    if (!row.library) co_return;
    for (std::size_t i = 0; i + 1 < trials.size(); ++i)
      if (*sides[i]) (sides[i] == &row.own ? row.ratio : row.ratio_in_order) = ratio_of(*records[i], *records.back());
  }

  // Times the best kernel with a stored transpose, if the product takes many times as long without one. (A dense column
  // takes 388 ms for mawi's stand-in.)
  Script<std::optional<BenchSide>> best_stored(const std::vector<Trial>& stored, CacheState state, double own_us) {
    if (stored.empty()) co_return std::nullopt;
    const bool far = stored.front().us > far_off * own_us;
    std::optional<Trial> t = stored.front();
    if (!far) t = co_await best(stored, stored_finalists, state, nullptr);
    if (!t) co_return std::nullopt;
    Case wanted = case_of(*t, far ? CacheState::warm : state, final_s(), As::final);
    if (far) wanted.search->far_us = far_off * own_us;
    const CaseResult result = co_await ask(std::move(wanted));
    if (good(result.record)) co_return side_of(*result.record);
    note(*t->kernel, result.record->error);
    co_return std::nullopt;
  }

  // The unit of preparation is this product, and it may itself be the best for few products.
  Script<std::optional<BenchSide>> best_csr(const std::vector<Trial>& own, const BenchRow& row) {
    const auto reads_csr = [](const std::string& format) { return format_row(format).info.intermediate; };
    if (row.own && reads_csr(row.own->format)) co_return row.own;
    const auto t = std::ranges::find_if(own, [&](const Trial& each) { return reads_csr(each.kernel->info.format); });
    if (t == own.end()) co_return std::nullopt;
    const CaseResult result = co_await ask(case_of(*t, row.state, finalist_s(), As::final));
    if (good(result.record)) co_return side_of(*result.record);
    note(*t->kernel, result.record->error);
    co_return std::nullopt;
  }

  // After a short search the finals are short too.
  double finalist_s() const { return std::clamp(options_.budget_s / 20, 0.05, 0.3); }
  double final_s() const { return std::clamp(options_.budget_s / 2, 0.5, 1.5); }

  const BenchPlan& plan_;
  const BenchOptions& options_;
  RunRequest base_;
  std::optional<Prospects> prospects_;
  std::shared_ptr<const RunRecord> remembered_;
  double spent_s_ = 0;
  int tried_ = 0, left_out_ = 0;
  std::vector<BenchTrial> told_;
  std::vector<std::string> notes_;
  std::set<std::string> failed_;
};

BenchPlan::BenchPlan(const Matrix& matrix, std::string source, BenchOptions options, const BenchReport& report,
                     Clock clock)
    : matrix_(matrix),
      source_(std::move(source)),
      options_(std::move(options)),
      device_(report.device),
      clock_(clock ? std::move(clock) : Clock(seconds_now)),
      sample_(Prospects::sample_of(matrix)) {
  if (report.l2)
    for (const Precision p : options_.precisions) gathered_bytes_[p] = gathered_bytes(*matrix.csr, report.l2->sms, p);
  ask_history();
}
BenchPlan::~BenchPlan() = default;

void BenchPlan::ask_history() {
  if (!options_.history || device_.simulated) return;
  const std::string fingerprint = fingerprint_of(*matrix_.csr);
  for (const Precision precision : options_.precisions)
    for (const Operation operation : operations) {
      Remembered& to = remembered_[{precision, operation}];
      try {
        const Choosable choosable{kernels_of(operation, false), precision, options_.states.front(), options_.in_order,
                                  options_.history_until};
        to.run = options_.history->best(fingerprint, device_.name, choosable);
      } catch (const Error& e) {
        to.problem = e.what();
      }
    }
}

std::vector<const KernelRow*> BenchPlan::kernels_of(Operation operation, bool library) const {
  std::vector<const KernelRow*> list;
  if (library && options_.against.empty()) return list;
  for (const KernelRow& k : kernels()) {
    if (k.info.operation != operation || k.info.library.empty() == library || k.info.format.empty()) continue;
    if (device_.simulated && !k.emulate) continue;
    if (!library && stores_transpose(k)) continue;
    const auto& wanted = options_.kernels;
    if (!options_.compact && format_row(k.info.format).info.compact()) continue;
    if (!library && !wanted.empty() && std::find(wanted.begin(), wanted.end(), k.info.id) == wanted.end()) continue;
    list.push_back(&k);
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const KernelRow* a, const KernelRow* b) { return a->info.format < b->info.format; });
  return list;
}

BenchRun& BenchPlan::at(const Results& so_far) const {
  if (!run_ || !run_->follows(so_far)) run_ = std::make_unique<BenchRun>(*this);
  std::optional<Case> wanted = run_->after(so_far);
  next_.clear();
  if (wanted) next_.push_back(std::move(*wanted));
  return *run_;
}

std::vector<Case> BenchPlan::next(const Results& so_far) const {
  at(so_far);
  return next_;
}

const std::vector<BenchRow>& BenchPlan::rows(const Results& so_far) const { return at(so_far).rows; }

// Estimated from the finished searches, since each takes a similar number of products.
std::size_t BenchPlan::expected(const Results& so_far) const {
  const std::size_t all = options_.precisions.size() * std::size(operations), done = at(so_far).operations_done;
  return std::max(so_far.size() + (done < all ? 1 : 0), so_far.size() * 2 * all / (2 * done + 1));
}

}  // namespace warpspy
