#include "profiling/tuner/tune.hpp"

#include <algorithm>
#include <memory>

#include "profiling/tuner/reason.hpp"
#include "profiling/tuner/space.hpp"
#include "profiling/tuner/strategies.hpp"

namespace warpspy {
namespace {

std::vector<const StrategyRow*> rows_of(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) strategy_row(id);
  std::vector<const StrategyRow*> rows;
  for (const StrategyRow& row : strategies())
    if (ids.empty() || std::find(ids.begin(), ids.end(), row.info.id) != ids.end()) rows.push_back(&row);
  return rows;
}

std::optional<double> time_of(const TuneOutcome* o) { return o ? o->us : std::nullopt; }

void judge_all(TuneRecord& record) {
  const auto best = time_of(record.outcome("exhaustive"));
  const auto base = record.base() ? record.base()->us : std::nullopt;
  for (TuneOutcome& o : record.outcomes) judge(o, base, best);
}

// The device is lost and the search goes no further; what was found until then stays.
struct Ended {};

void finish(TuneRecord& record) {
  judge_all(record);
  const bool found = std::any_of(record.outcomes.begin(), record.outcomes.end(), [](const auto& o) { return o.us; });
  record.status = found ? RunStatus::ok : RunStatus::failed;
  if (found) return;
  const auto failed =
      std::find_if(record.steps.begin(), record.steps.end(), [](const TuneStep& s) { return !s.failure.empty(); });
  record.error = failed == record.steps.end() ? "no product was tried" : failed->failure;
}

}  // namespace

void tune(const Problem& problem, const Measure& measure, Progress& progress,
          const std::function<void(const TuneStep&)>& on_step, TuneRecord& record) {
  const std::vector<const StrategyRow*> rows = rows_of(record.request.strategies);
  double expected = 1, done = 0;
  for (const StrategyRow* row : rows) expected += row->most(problem);
  const auto told = [&](const TuneStep& step) {
    progress.set(std::min(1.0, ++done / expected));
    record.steps.push_back(step);
    if (on_step) on_step(step);
  };
  std::string lost;  // why nothing more can be measured
  const Measure checked = [&](const Candidate& c) {
    progress.check();
    if (!lost.empty()) throw Ended{};
    Measured m = measure(c);
    if (m.device_lost) lost = m.failure;
    return m;
  };
  try {
    progress.stage("the default");
    Search base("default", problem, checked, told);
    base(problem.kernel, start_of(problem.kernel, problem.held));
    double before = done;
    for (const StrategyRow* row : rows) {
      progress.stage(row->info.label);
      Search search(row->info.id, problem, checked, told);
      row->search(problem, search);
      if (!lost.empty()) throw Ended{};  // by this strategy's last product: it did not end as it would have
      TuneOutcome o = search.outcome();
      if (row->free) o.products = 0, o.cost_us = 0;
      if (row->explains && o.us) o.reason = reason_of(problem, o, record.base() ? record.base()->us : std::nullopt);
      record.outcomes.push_back(std::move(o));
      // A strategy rarely takes as many products as it might.
      before += row->most(problem);
      done = before;
    }
    finish(record);
  } catch (const Cancelled&) {
    judge_all(record);
    record.status = RunStatus::cancelled;
    record.error = "cancelled";
  } catch (const Ended&) {
    judge_all(record);
    record.status = RunStatus::failed;
    record.error = lost;
  }
}

Measure measured_once(Measure measure) {
  auto kept = std::make_shared<std::map<Candidate, Measured>>();
  return [kept, measure = std::move(measure)](const Candidate& c) {
    const auto at = kept->find(c);
    if (at != kept->end()) return at->second;
    return kept->emplace(c, measure(c)).first->second;
  };
}

}  // namespace warpspy
