#include "profiling/bench/bench.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "core/base/numbers.hpp"
#include "core/base/utc.hpp"
#include "core/formats/compact.hpp"
#include "core/formats/sample.hpp"
#include "core/model/bytes.hpp"
#include "core/run/fingerprint.hpp"
#include "kernels/device/device.hpp"
#include "kernels/table/table.hpp"
#include "profiling/bench/candidates.hpp"
#include "profiling/bench/families.hpp"
#include "profiling/bench/finals.hpp"
#include "profiling/bench/records.hpp"
#include "profiling/bench/search.hpp"
#include "profiling/engine/prepare.hpp"
#include "profiling/tuner/promise.hpp"

namespace warpspy {
namespace {

// Trial times are only there to rank: short ones, and the best few are timed again.
constexpr double trial_s = 0.004;
constexpr std::size_t own_finalists = 6, library_finalists = 3, in_order_finalists = 2, stored_finalists = 2;
constexpr std::size_t more_cold = 2;     // kernels, than warm finalists
constexpr double share_of_stored = 0.2;  // of the budget
// A format is first judged by what it makes of a sample of the matrix.
constexpr index_t sample_entries = 200'000;
constexpr std::size_t kept_formats = 4;
constexpr double never = Family::never;
// Of the library's formats, times the CSR: more cannot win. Ours have BenchOptions::most_memory.
constexpr double most_of_csr = 4;

// All of one matrix at one precision.
class Bench : private Measure {
 public:
  Bench(const Matrix& matrix, const BenchOptions& options, Precision precision, const DeviceInfo& device,
        const std::string& fingerprint, const std::optional<Csr>& sample, Progress& progress)
      : matrix_(matrix),
        options_(options),
        device_(device),
        progress_(progress),
        fingerprint_(fingerprint),
        sample_(sample) {
    request_.precision = precision;
    request_.seed = options.seed;
    csr_bytes_ = static_cast<double>(format_row("csr").estimate(*matrix.csr, precision, {}).bytes());
    scattered_bytes_ = scattered_bytes(*matrix.csr, bytes_of(precision));
    if (sample_) {
      sample_facts_.emplace(*sample_);
      sample_bytes_ = static_cast<double>(format_row("csr").estimate(*sample_, precision, {}).bytes());
    }
  }

  // Rows for the operation, one per state of the caches; none when no kernel of ours or the library's has it.
  std::vector<BenchRow> rows(Operation operation) {
    tried_ = left_out_ = 0;
    told_.clear();
    remembered_ = nullptr;
    notes_.clear();
    failed_.clear();
    // Asked for kernels that all do something else.
    if (!options_.kernels.empty() && kernels_of(operation, false).empty()) return {};
    std::vector<Trial> library = search(kernels_of(operation, true), true, options_.budget_s);
    const std::vector<const KernelRow*> ours = kernels_of(operation, false);
    remember({ours, request_.precision, options_.states.front(), options_.in_order});
    std::vector<Trial> own = search(ours, false, options_.budget_s);
    const double own_us = best_of(own);
    const std::vector<Trial> stored =
        operation == Operation::transposed_product ? search_stored(own_us) : std::vector<Trial>{};
    std::vector<BenchRow> rows;
    if (library.empty() && own.empty() && notes_.empty()) return rows;
    for (const CacheState state : options_.states) {
      BenchRow r;
      r.matrix = matrix_.source.name;
      r.rows = matrix_.csr->rows();
      r.cols = matrix_.csr->cols();
      r.nnz = matrix_.csr->nnz();
      r.precision = request_.precision;
      r.state = state;
      r.operation = operation;
      const std::optional<Trial> best_library = best(library, library_finalists, state, nullptr);
      std::optional<Rotation> rival;
      if (best_library) rival = attempt(*best_library->kernel, [&] { return rotation(*best_library, state); });
      const std::optional<Trial> best_own = best(own, own_finalists, state, rival ? &*rival : nullptr);
      std::vector<Trial> waiting;
      for (const Trial& t : own)
        if (t.kernel->common_of(t.candidate.params).overlap == 0) waiting.push_back(t);
      std::optional<Trial> in_order;
      if (best_own && best_own->kernel->common_of(best_own->candidate.params).overlap != 0)
        in_order = best(waiting, in_order_finalists, state, rival ? &*rival : nullptr);
      rival.reset();  // compare makes its own
      compare(best_own, best_library, in_order, state, r);
      overlap_where_it_wins(r);
      r.stored = best_stored(stored, state, own_us);
      r.remembered = r.own && remembered_ && remembered_->request.kernel == r.own->kernel &&
                     remembered_->request.params == r.own->params &&
                     remembered_->request.format_params == r.own->format_params;
      r.tried = tried_;
      r.left_out = left_out_;
      r.notes = notes_;
      if (rows.empty()) r.trials = told_;
      rows.push_back(std::move(r));
    }
    return rows;
  }

 private:
  double spent_s() const override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  // CSC of A is CSR of its transpose, which the library's product does without.
  static bool stores_transpose(const KernelRow& k) {
    return k.info.operation == Operation::transposed_product && k.info.format == "csc";
  }
  // What a stored transpose would bring: told beside, not in the ratios, counts and trials. `own_us`: without one.
  std::vector<Trial> search_stored(double own_us) {
    if (!options_.kernels.empty()) return {};
    std::vector<const KernelRow*> list;
    for (const KernelRow& k : kernels())
      if (stores_transpose(k)) list.push_back(&k);
    const int tried = tried_, left_out = left_out_;
    std::vector<BenchTrial> told = std::move(told_);
    std::vector<Trial> trials = search(list, false, share_of_stored * options_.budget_s, own_us);
    tried_ = tried, left_out_ = left_out, told_ = std::move(told);
    return trials;
  }
  // Where it takes many times as long as without one, as trials do: a hub column takes it 388 ms for mawi's stand-in.
  std::optional<BenchSide> best_stored(const std::vector<Trial>& stored, CacheState state, double own_us) {
    if (stored.empty()) return std::nullopt;
    const bool far = stored.front().us > far_off * own_us;
    const auto t = far ? std::optional(stored.front()) : best(stored, stored_finalists, state, nullptr);
    if (!t) return std::nullopt;
    return attempt(*t->kernel, [&] {
      Rotation product;
      product.state = state;
      BenchSide s = side(*t, product);
      s.time = far ? seen_once(t->us, *product.copies.front()) : time_rotation(product, final_s(), progress_);
      return s;
    });
  }
  ProductTime seen_once(double us, const DeviceProduct& product) const {
    ProductTime t;
    t.us = t.low = t.high = us;
    t.samples = t.launches = 1;
    t.product_bytes = product.device_bytes();
    t.l2_bytes = static_cast<std::size_t>(device_.spec.l2_bytes);
    t.how = "one trial, warm: far behind a product without a stored transpose";
    return t;
  }

  // Neighbours share a format, which is then built once.
  std::vector<const KernelRow*> kernels_of(Operation operation, bool library) const {
    std::vector<const KernelRow*> list;
    for (const KernelRow& k : kernels()) {
      if (k.info.operation != operation || k.info.library.empty() == library || k.info.format.empty()) continue;
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

  std::vector<Family> families(const std::vector<const KernelRow*>& list) {
    std::vector<Family> all;
    for (const KernelRow* k : list)
      for (BenchCandidate& c :
           candidates_of(*k, &format_row(k->info.format).info, scale_of(device_.spec), options_.in_order)) {
        if (all.empty() || all.back().kernel != k || all.back().format_params() != c.format_params)
          all.push_back({.kernel = k});
        all.back().candidates.push_back(std::move(c));
      }
    for (Family& f : all) promise(f);
    return all;
  }

  void promise(Family& f) {
    const KernelInfo& k = f.kernel->info;
    const double bytes = likely_bytes(k.format, f.format_params());
    const index_t inputs = input_size(k.operation, matrix_.csr->rows(), matrix_.csr->cols());
    const Prospect prospect{.least_bytes = bytes,
                            .longest_row = static_cast<double>(facts_.lengths().longest),
                            .rows_whole = f.kernel->rows_per_block != nullptr,
                            .rows = static_cast<double>(matrix_.csr->rows()),
                            .vector_bytes = static_cast<double>(inputs * bytes_of(request_.precision)),
                            .entries = static_cast<double>(matrix_.csr->nnz()),
                            .scattered_bytes = scattered_bytes_,
                            .block_rows = block_rows_of(f.format_params()),
                            .value_bytes = static_cast<double>(bytes_of(request_.precision)),
                            .device = scale_of(device_.spec),
                            .cold = only_cold()};
    f.promise = promise_us(k, prospect);
    f.done.assign(f.candidates.size(), false);
    ParamSet likely = likely_params(k, {}, prospect, device_.spec.l2_bytes);
    if (options_.in_order && likely.contains("overlap")) likely["overlap"] = 0;
    const auto candidate = [&](const ParamSet& params, std::size_t otherwise) {
      for (std::size_t i = 0; i < f.candidates.size(); ++i)
        if (f.candidates[i].params == params) return i;
      return otherwise;
    };
    f.first = candidate(likely, 0);
    for (const ParamSet& start : other_starts(k, {}, likely, scale_of(device_.spec)))
      if (const std::size_t i = candidate(start, f.first); i != f.first) f.starts.push_back(i);
    if (remembered_ && remembered_->request.kernel == k.id && remembered_->request.format_params == f.format_params())
      for (std::size_t i = 0; i < f.candidates.size(); ++i)
        if (f.candidates[i].params == remembered_->request.params) f.first = i, f.promise = 0;
  }

  // By a sample where that says it is far off; never, where it cannot be known soon, or where a compact format is not
  // smaller than what it stands for.
  double likely_bytes(const std::string& format, const ParamSet& params) {
    const FormatRow& row = format_row(format);
    if (row.slow_estimate && !row.symmetric) return never;
    try {
      const auto bytes = [&](const std::string& id, const ParamSet& p) { return bytes_of_format(id, p); };
      if (row.info.compact()) {
        const auto in_sample = [&](const std::string& id, const ParamSet& p) {
          return static_cast<double>(format_row(id).estimate(*sample_facts_, request_.precision, p).bytes());
        };
        // Of one with parameters there are several forms to judge. (One without is csr_compact, whose bytes follow from
        // what a sample does not tell: how many values and columns the matrix has.)
        if (sample_facts_ && !params.empty() && !row.symmetric && !compact_gains(row.info, params, in_sample))
          return never;
        // A sample does not have what lies across the diagonal. Half of what the plain format takes must be less than
        // CSR.
        if (sample_facts_ && row.symmetric &&
            in_sample(row.info.compact_of, plain_params(row.info, params)) > 2 * sample_bytes_)
          return never;
        return compact_gains(row.info, params, bytes) ? bytes_of_format(format, params) : never;
      }
      if (sample_facts_) {
        const double ratio =
            static_cast<double>(row.estimate(*sample_facts_, request_.precision, params).bytes()) / sample_bytes_;
        if (ratio > worse_promise) return ratio * csr_bytes_;
      }
      return bytes_of_format(format, params);
    } catch (const Error&) {
      return never;
    }
  }

  bool only_cold() const { return std::ranges::count(options_.states, CacheState::warm) == 0; }

  static double best_of(const std::vector<Trial>& trials) {
    double best = never;
    for (const Trial& t : trials) best = std::min(best, t.us);
    return best;
  }

  std::vector<Trial> search(const std::vector<const KernelRow*>& list, bool every, double budget_s,
                            double rival_us = never) {
    start_ = std::chrono::steady_clock::now();
    SearchEnd end = search_families(families(list), {budget_s, every, rival_us}, *this);
    left_out_ += end.left_out;
    return std::move(end.trials);
  }

  double bytes_of_format(const std::string& id, const ParamSet& params) {
    const auto at = format_bytes_.try_emplace({id, params}, -1).first;
    if (at->second < 0)
      at->second = static_cast<double>(format_row(id).estimate(facts_, request_.precision, params).bytes());
    return at->second;
  }

  ProductInputs inputs(const KernelRow& k, const BenchCandidate& c) {
    request_.params = c.params;
    request_.format_params = c.format_params;
    const double bytes = bytes_of_format(k.info.format, c.format_params);
    const double most = k.info.library.empty() ? options_.most_memory : most_of_csr;
    if (bytes > most * csr_bytes_ + little_bytes) throw too_large("format " + k.info.format, bytes);
    const auto format = format_of(k).format;
    vectors_ = preparation_.vectors(matrix_.csr, k.info, request_);
    return {format, request_.precision, c.params, *vectors_.x, 1, 0, {}};
  }

  Error too_large(const std::string& what, double bytes) const {
    return Error("left out: " + what + " needs " + byte_text(bytes) + ", CSR " + byte_text(csr_bytes_));
  }
  // What a product has on the device: arrays of its format that it reads, and what its kernel makes beside; x and y do
  // not count.
  void require_memory(const KernelRow& k, const DeviceProduct& product) {
    if (!k.info.library.empty()) return;
    const double vectors =
        static_cast<double>((matrix_.csr->rows() + matrix_.csr->cols()) * bytes_of(request_.precision));
    const double bytes = static_cast<double>(product.device_bytes()) - vectors;
    if (bytes > options_.most_memory * csr_bytes_ + little_bytes) throw too_large("kernel " + k.info.id, bytes);
  }

  // Families take turns: the last few formats stay.
  struct Made {
    std::string id;
    ParamSet params;
    std::shared_ptr<const Format> format;
    std::shared_ptr<DeviceArrays> there;  // for trials; products that are compared have their own
    double us = 0;
  };
  const Made& format_of(const KernelRow& k) {
    const auto at = std::find_if(made_.begin(), made_.end(), [&](const Made& m) {
      return m.id == k.info.format && m.params == request_.format_params;
    });
    if (at != made_.end()) {
      std::rotate(at, at + 1, made_.end());  // used last
      return made_.back();
    }
    if (made_.size() == kept_formats) made_.erase(made_.begin());
    const auto format = preparation_.format(matrix_, k.info.format, request_, device_, progress_);
    // As many as are kept must leave half of the device to products; where they would not, each trial copies its own.
    const double all = static_cast<double>(kept_formats) * static_cast<double>(format->size().bytes());
    const bool fits = all < device_.spec.memory_bytes / 2;
    made_.push_back({k.info.format, request_.format_params, format, fits ? kept_on_device(format) : nullptr,
                     preparation_.conversion_us()});
    return made_.back();
  }

  // What goes wrong with one candidate is noted once per kernel, and the rest goes on.
  template <class F>
  auto attempt(const KernelRow& k, F&& f) -> std::optional<decltype(f())> {
    progress_.check();
    try {
      return f();
    } catch (const DeviceLost&) {
      throw;
    } catch (const Error& e) {
      if (failed_.insert(k.info.id).second) notes_.push_back(k.info.id + ": " + e.what());
    }
    return std::nullopt;
  }

  std::optional<double> time(const KernelRow& k, const BenchCandidate& c, double far_us) override {
    const auto fits = attempt(k, [&] {
      return share_fits(k.common_of(c.params).matrix(), bytes_of_format(k.info.format, c.format_params),
                        only_cold() ? 0 : device_.spec.l2_bytes);
    });
    if (!fits.value_or(false)) return std::nullopt;
    const double before_s = spent_s();
    const std::optional<double> us = attempt(k, [&] {
      ProductInputs in = inputs(k, c);
      in.kept = format_of(k).there;
      const auto product = k.on_device(in);
      require_memory(k, *product);
      ++tried_;
      return time_trial(*product, far_us, trial_s, progress_);
    });
    if (us && options_.trials && k.info.library.empty())
      told_.push_back({k.info.id, c.params, c.format_params, *us, (spent_s() - before_s) * 1e3});
    return us;
  }

  // `there`: with what the search left, on the device where products are warm and need no copies of their own.
  Rotation rotation(const Trial& t, CacheState state, bool there = true) {
    ProductInputs in = inputs(*t.kernel, t.candidate);
    const Made& made = format_of(*t.kernel);
    if (state == CacheState::warm) {
      if (there) in.kept = made.there;
      return warm_rotation(t.kernel->on_device(in));
    }
    // Copies differ in nothing but their place, so what a kernel makes of the format is made once.
    in.kept = there && made.there ? copied_on_device(*made.there) : kept_on_device(made.format);
    const auto copy = [&] {
      auto product = t.kernel->on_device(in);
      if (in.kept) in.kept = copied_on_device(*in.kept);
      return product;
    };
    return cold_rotation(copy, progress_);
  }

  // Throws Error when the result is not the product.
  double checked(const Trial& t, DeviceProduct& product) {
    launch_once(product);
    const std::vector<double> y = product.y();
    const auto format = format_of(*t.kernel).format;
    const auto reference = preparation_.reference(matrix_.csr, *t.kernel, format, request_, progress_);
    const RowRange all{0, static_cast<index_t>(y.size())};
    const ErrorCheck check = check_result(*reference, y, {&all, 1}, request_.precision);
    if (!check.passed)
      throw Error("wrong result in row " + std::to_string(check.worst_row) + ", " + std::to_string(check.max_of_bound) +
                  " times the error bound");
    return check.max_of_bound;
  }

  // Timed again in this state, where its result is right. `rival`, where there is one, takes turns with it, as it will
  // in the end: the fastest alone need not be the fastest in turn (CSR stream with streaming loads on webbase-1M, H200,
  // f32: 15.9 us alone, 18.8 us in turn; most likely such loads do not drive out what the other product left in L2).
  std::optional<double> again(const Trial& t, CacheState state, const Rotation* rival) {
    return attempt(*t.kernel, [&] {
      const Rotation r = rotation(t, state);
      checked(t, *r.copies.front());
      if (!rival) return time_rotation(r, finalist_s(), progress_).us;
      return compare_interleaved({&r, rival}, 2 * finalist_s(), progress_).times.front().us;
    });
  }

  std::optional<Trial> best(const std::vector<Trial>& trials, std::size_t finalists, CacheState state,
                            const Rotation* rival) {
    const Again timed = [&](const Trial& t) { return again(t, state, rival); };
    return state == CacheState::cold ? fastest_cold(trials, finalists + more_cold, timed)
                                     : fastest_warm(trials, finalists, timed);
  }

  BenchSide side(const Trial& t, Rotation& r) {
    BenchSide s;
    const KernelInfo& k = t.kernel->info;
    s.kernel = k.id;
    s.label = k.label;
    s.format = k.format;
    s.params = t.candidate.params;
    s.format_params = t.candidate.format_params;
    r = rotation(t, r.state, false);  // its setup is told
    s.error_of_bound = checked(t, *r.copies.front());
    const Made& made = format_of(*t.kernel);
    const bool is_hub = format_row(k.format).info.hub;
    s.prepared_us = (is_hub ? 0 : made.us) + r.copies.front()->setup_us();
    s.minimum_bytes =
        static_cast<double>(minimum_bytes(*t.kernel, made.format->size(), *matrix_.csr, request_.precision));
    return s;
  }

  void compare(const std::optional<Trial>& own, const std::optional<Trial>& library,
               const std::optional<Trial>& in_order, CacheState state, BenchRow& row) {
    Rotation rotations[3];
    std::vector<const Rotation*> list;
    std::vector<BenchSide*> sides;
    const auto add = [&](const std::optional<Trial>& t, std::optional<BenchSide>& to) {
      if (!t) return;
      Rotation& r = rotations[list.size()];
      r.state = state;
      to = attempt(*t->kernel, [&] { return side(*t, r); });
      if (to) list.push_back(&r), sides.push_back(&*to);
    };
    add(own, row.own);
    add(in_order, row.in_order);
    add(library, row.library);
    if (list.empty()) return;
    const Comparison c = compare_interleaved(list, final_s(), progress_);
    for (std::size_t i = 0; i < list.size(); ++i) sides[i]->time = c.times[i];
    if (!row.library) return;
    if (row.own) row.ratio = ratio_of(c.samples.back(), c.samples.front());
    if (row.in_order) row.ratio_in_order = ratio_of(c.samples.back(), c.samples[row.own ? 1 : 0]);
  }

  // The best that was ever measured of this matrix on this device: the search begins there.
  void remember(const Choosable& choosable) {
    if (!options_.history) return;
    try {
      remembered_ = options_.history->best(fingerprint_, device_.name, choosable);
    } catch (const Error& e) {
      notes_.push_back(std::string("the history was not asked: ") + e.what());
    }
  }

  // A search that is short is not followed by long finals.
  double finalist_s() const { return std::clamp(options_.budget_s / 20, 0.05, 0.3); }
  double final_s() const { return std::clamp(options_.budget_s / 2, 0.5, 1.5); }

  const Matrix& matrix_;
  const BenchOptions& options_;
  const DeviceInfo& device_;
  double csr_bytes_ = 0;
  Progress& progress_;
  FormatFacts facts_{matrix_};
  const std::string& fingerprint_;
  const std::optional<Csr>& sample_;
  std::optional<FormatFacts> sample_facts_;
  double sample_bytes_ = 0, scattered_bytes_ = 0;
  std::shared_ptr<const RunRecord> remembered_;
  std::vector<Made> made_;
  std::map<std::pair<std::string, ParamSet>, double> format_bytes_;
  RunRequest request_;
  Preparation preparation_;
  Preparation::Vectors vectors_;
  std::chrono::steady_clock::time_point start_;
  int tried_ = 0, left_out_ = 0;
  std::vector<BenchTrial> told_;
  std::vector<std::string> notes_;
  std::set<std::string> failed_;
};

}  // namespace

void bench_matrix(const Matrix& matrix, const std::string& file, const BenchOptions& options, BenchReport& report,
                  Progress& progress, const std::function<void(const BenchRow&)>& say) {
  const std::optional<Csr> sample = sample_rows(*matrix.csr, sample_entries);
  const std::string fingerprint = options.history ? fingerprint_of(*matrix.csr) : "";
  for (const Precision precision : options.precisions) {
    Bench bench(matrix, options, precision, report.device, fingerprint, sample, progress);
    const double gathered = report.l2 ? gathered_bytes(*matrix.csr, report.l2->sms, precision) : 0;
    for (const Operation operation : {Operation::product, Operation::transposed_product})
      for (BenchRow& row : bench.rows(operation)) {
        if (operation == Operation::product) row.gathered_bytes = gathered;
        if (options.history)
          for (RunRecord& r : records_of(row, report, options, file, fingerprint)) options.history->add(r);
        report.rows.push_back(std::move(row));
        say(report.rows.back());
      }
  }
}

}  // namespace warpspy
