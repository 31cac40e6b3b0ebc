#include "profiling/tuner/tune.hpp"

#include <algorithm>
#include <utility>

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

int most_products(const Problem& problem, const std::vector<std::string>& strategies) {
  int most = 1;
  for (const StrategyRow* row : rows_of(strategies)) most += row->most(problem);
  return most;
}

Searched tune(const Problem& problem, const Known& known, TuneRecord record) {
  const std::vector<const StrategyRow*> rows = rows_of(record.request.strategies);
  Searched out{std::move(record), {}, "the default"};
  Answers answers(known);
  const auto told = [&](const TuneStep& step) { out.record.steps.push_back(step); };
  try {
    Search base("default", problem, answers, told);
    base(problem.kernel, start_of(problem.kernel, problem.held));
    for (const StrategyRow* row : rows) {
      out.stage = row->info.label;
      Search search(row->info.id, problem, answers, told);
      row->search(problem, search);
      if (!answers.lost().empty()) throw Ended{};  // its last product lost the device
      TuneOutcome o = search.outcome();
      if (row->free) o.products = 0, o.cost_us = 0;
      if (row->explains && o.us)
        o.reason = reason_of(problem, o, out.record.base() ? out.record.base()->us : std::nullopt);
      out.record.outcomes.push_back(std::move(o));
    }
    finish(out.record);
  } catch (Wanted& wanted) {
    out.wanted = std::move(wanted.candidates);
    judge_all(out.record);
  } catch (const Ended&) {
    judge_all(out.record);
    out.record.status = RunStatus::failed;
    out.record.error = answers.lost();
  }
  return out;
}

}  // namespace warpspy
