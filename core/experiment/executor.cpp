#include "core/experiment/executor.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <new>
#include <optional>
#include <utility>

#include "core/base/csv.hpp"
#include "core/base/hash.hpp"
#include "core/base/utc.hpp"
#include "core/matrix/stats.hpp"
#include "core/run/sweep.hpp"
#include "core/sweep/stored.hpp"

namespace warpspy {
namespace {

using Clock = std::chrono::steady_clock;

// Opens one matrix at a time, and keeps the error of each that cannot be opened.
class Matrices {
 public:
  explicit Matrices(const MatrixOf& matrix_of) : matrix_of_(matrix_of) {}
  // Throws Error, the same one for each case that needs the matrix. Throws Cancelled.
  const Matrix& of(const std::string& source, Progress& progress) {
    if (matrix_ && source == open_) return *matrix_;
    if (const auto why = refused_.find(source); why != refused_.end()) throw Error(why->second);
    matrix_ = nullptr;
    try {
      matrix_ = &matrix_of_(source, progress);
    } catch (const std::bad_alloc&) {
      refuse(source, Error("not enough memory for the matrix", source));
    } catch (const Error& e) {
      refuse(source, e);
    }
    open_ = source;
    return *matrix_;
  }

 private:
  [[noreturn]] void refuse(const std::string& source, const Error& why) {
    refused_.emplace(source, why);
    throw Error(why);
  }
  const MatrixOf& matrix_of_;
  const Matrix* matrix_ = nullptr;
  std::string open_;
  std::map<std::string, Error> refused_;
};

double seconds_since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }

}  // namespace

bool device_was_lost(const RunRecord& record) {
  return record.status == RunStatus::failed && record.error.starts_with("the device was lost");
}

PlanEnd Executor::run(const Plan& plan, const MatrixOf& matrix_of, Progress& progress, Results& so_far,
                      const PlanEvents& events) {
  Matrices matrices(matrix_of);
  const std::string name = plan.name();
  const auto one = [&](const Case& wanted) {
    Progress part(&progress);
    const Matrix* matrix = nullptr;
    try {
      matrix = &matrices.of(wanted.request.matrix, part);
    } catch (const Error& e) {
      return unopened(wanted, name, e);
    }
    return run(wanted, name, *matrix, part);
  };
  const auto one_or_none = [&](const Case& wanted) {
    try {
      return one(wanted);
    } catch (const Cancelled&) {
      return CaseResult{wanted, nullptr};
    }
  };
  for (;;) {
    const std::vector<Case> wanted = plan.next(so_far);
    if (wanted.empty()) return PlanEnd::done;
    for (const Case& c : wanted) {
      if (progress.cancelled()) return PlanEnd::cancelled;
      progress.stage(c.label);
      if (events.begins) events.begins(c);
      CaseResult result = one_or_none(c);
      if (!result.ended()) return PlanEnd::cancelled;
      so_far.push_back(std::move(result));
      const auto expected = std::max<std::size_t>(1, plan.expected(so_far));
      progress.set(std::min(1.0, static_cast<double>(so_far.size()) / static_cast<double>(expected)));
      if (events.ended) events.ended(so_far.back());
      if (device_was_lost(*so_far.back().record)) return PlanEnd::device_lost;
    }
  }
}

Results Executor::run(const Plan& plan, const Matrix& matrix, Progress& progress, const PlanEvents& events) {
  Results all;
  const MatrixOf same = [&](const std::string&, Progress&) -> const Matrix& { return matrix; };
  // If the device is lost, every remaining case reports it.
  for (;;) switch (run(plan, same, progress, all, events)) {
      case PlanEnd::done:
        return all;
      case PlanEnd::cancelled:
        throw Cancelled{};
      case PlanEnd::device_lost:
        break;
    }
}

CaseResult Executor::run(const Case& wanted, const std::string& plan, const Matrix& matrix, Progress& progress,
                         const OnTimed& on_timed) {
  if (wanted.search) return run_in_turn(wanted, plan, matrix, progress);
  CaseResult out{wanted, nullptr};
  const std::string id = id_of(wanted, progress);
  if (find(id, out)) return out;
  const auto began = Clock::now();
  RunRequest asked = wanted.request;
  asked.solution = options_.solution;
  RunRecord r = engine_.run(asked, matrix, progress, on_timed);
  r.request.solution.clear();
  out.seconds = seconds_since(began);
  r.plan = plan, r.purpose = wanted.purpose;
  const bool whole = r.status != RunStatus::cancelled;
  if (whole) find_limits_of(r, matrix, progress);
  if (whole && options_.history) options_.history->add(r);
  out.record = std::make_shared<const RunRecord>(std::move(r));
  if (whole) keep(id, out);
  return out;
}

CaseResult Executor::run_in_turn(const Case& wanted, const std::string& plan, const Matrix& matrix,
                                 Progress& progress) {
  CaseResult out{wanted, nullptr};
  const std::string id = id_of(wanted, progress);
  if (find(id, out)) return out;
  std::vector<RunRequest> requests{wanted.request};
  requests.insert(requests.end(), wanted.beside.begin(), wanted.beside.end());
  const auto began = Clock::now();
  std::vector<RunRecord> records = engine_.run_in_turn(requests, *wanted.search, matrix, progress);
  out.seconds = seconds_since(began);
  const bool whole =
      std::none_of(records.begin(), records.end(), [](const RunRecord& r) { return r.status == RunStatus::cancelled; });
  bool lost = false;
  for (RunRecord& r : records) {
    r.plan = plan, r.purpose = wanted.purpose;
    lost |= device_was_lost(r);
    // Nobody reads findings of hundreds of trials.
    if (whole && wanted.purpose != Purpose::trial) find_limits_of(r, matrix, progress);
    if (whole && options_.history) options_.history->add(r);
    auto record = std::make_shared<const RunRecord>(std::move(r));
    if (!out.record || record->status == RunStatus::cancelled)
      out.record = std::move(record);
    else
      out.beside.push_back(std::move(record));
  }
  // A search continues from this result. After a lost device it runs the product again.
  if (whole && !lost && out.record) keep(id, out);
  return out;
}

std::string Executor::id_of(const Case& wanted, Progress& progress) {
  if (!options_.folder) return "";
  const auto of = [&](const RunRequest& r, int repetition) {
    return options_.folder->id_of(cell_of(r, catalog_, repetition), progress);
  };
  const std::string alone = of(wanted.request, wanted.repetition);
  if (!wanted.search) return alone;
  // The candidate's settings and those that ran in turn with it: alone it takes another time.
  const InSearch& s = *wanted.search;
  std::string text = alone + "\n" + std::to_string(static_cast<int>(s.as)) + " " + csv::number(s.far_us) + " " +
                     csv::number(s.most_bytes);
  for (const RunRequest& r : wanted.beside) text += "\n" + of(r, 1);
  return hash_of_text(text);
}

bool Executor::find(const std::string& id, CaseResult& out) {
  if (!options_.folder || !options_.look_first) return false;
  auto stored = options_.folder->find(id);
  if (!stored || stored->beside.size() != out.asked.beside.size()) return false;
  if (!same_figures(*stored, out.asked.request.device, catalog_)) return false;
  const auto taken = [&](RunRecord& r) {
    r.request.matrix = out.asked.request.matrix;  // the matrix may be in another place now
    return std::make_shared<const RunRecord>(std::move(r));
  };
  out.record = taken(stored->record);
  for (RunRecord& r : stored->beside) out.beside.push_back(taken(r));
  out.seconds = stored->seconds, out.found = true, ++found_;
  return true;
}

void Executor::keep(const std::string& id, const CaseResult& result) {
  if (!options_.folder) return;
  const RunRecord& r = *result.record;
  StoredCell cell{id, maker_of(options_.here, r.request.device, catalog_), end_of(r), result.seconds, r};
  for (const auto& record : result.beside) cell.beside.push_back(*record);
  options_.folder->write(cell);
}

// Not saved, since next time the matrix may be there.
CaseResult Executor::unopened(const Case& wanted, const std::string& plan, const Error& why) {
  RunRecord r;
  r.started = utc_now_ms();
  r.plan = plan, r.purpose = wanted.purpose;
  r.request = wanted.request;
  r.error = why.what();
  CaseResult out{wanted, std::make_shared<const RunRecord>(std::move(r))};
  out.opened = false;
  return out;
}

void Executor::find_limits_of(RunRecord& r, const Matrix& matrix, Progress& progress) {
  if (options_.limits == Diagnose::none || r.status != RunStatus::ok) return;
  const RowStats rows = row_stats(*matrix.csr);
  if (options_.limits == Diagnose::bounds) return warpspy::find_limits(r, rows, catalog_);
  find_limits(r, matrix, rows, progress);
}

void Executor::find_limits(RunRecord& r, const Matrix& matrix, const RowStats& rows, Progress& progress,
                           ModelAnswers* kept) {
  const AskModel model = [&](const RunRequest& request, const Matrix& of) {
    RunRecord answer = engine_.run(request, of, progress);
    if (answer.status == RunStatus::cancelled) throw Cancelled{};
    progress.check();
    answer.plan = "findings", answer.purpose = Purpose::trial;
    if (options_.history) options_.history->add(answer);
    return answer;
  };
  warpspy::find_limits(r, matrix, rows, catalog_, model, progress, kept);
}

}  // namespace warpspy
