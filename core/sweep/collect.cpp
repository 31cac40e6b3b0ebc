#include "core/sweep/collect.hpp"

#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/foreign_text.hpp"
#include "core/run/run_name.hpp"

namespace warpspy {
namespace {

bool good(const CellEnd& end) { return end.state == CellState::done; }

// Gives the record its number in the history.
void number(RunRecord& r, History& history) {
  if (const auto kept = history.same(r)) {
    r.id = kept->record->id;
    return;
  }
  history.add(r);
}

}  // namespace

void refuse_other_versions(const std::vector<Attempt>& attempts, const std::string& program,
                           const std::string& folder) {
  for (const Attempt& a : attempts)
    if (!a.program.empty() && a.program != program)
      throw Error("another version of Warpspy wrote this file (" + a.program + "; now: " + program + ")",
                  folder + "/" + a.name, "collect with that version; --mix puts both into one table");
}

Arrivals arrivals_of(const std::vector<Attempt>& attempts) {
  Arrivals all;
  for (const Attempt& a : attempts)
    for (const StoredCell& cell : a.cells) {
      const auto [at, first] = all.cells.try_emplace(cell.id, cell);
      if (first) continue;
      ++all.again;
      if (!good(at->second.end) && good(cell.end)) at->second = cell;
    }
  return all;
}

void refuse_unlike(const StoredSweep& stored, const Arrivals& arrivals, const std::string& folder) {
  std::map<std::string, Maker> makers;  // by the device that was asked for
  const auto look = [&](const RunRecord& r, const Maker& by) {
    if (by.device.empty()) return;  // it failed before it had a device
    const auto [at, first] = makers.try_emplace(r.request.device, by);
    if (first || at->second == by) return;
    throw Error("the results of " + r.request.device + " are of unlike devices, drivers or builds (" +
                    at->second.text() + "; " + by.text() + ")",
                folder, "ask for nodes of one kind, such as --slurm-partition; --mix puts them into one table");
  };
  for (std::size_t k = 0; k < stored.records.size(); ++k)
    if (stored.records[k]) look(*stored.records[k], stored.by[k]);
  for (const auto& [id, cell] : arrivals.cells) look(cell.record, cell.by);
}

std::size_t bring_in(const Arrivals& arrivals, Sweep& sweep, StoredSweep& stored, SweepFolder& folder, History* history,
                     Progress& progress) {
  std::size_t came = 0;
  std::set<std::string> seen;
  const auto keep = [&](StoredCell cell) {
    progress.check();
    if (history) number(cell.record, *history);
    folder.write(cell);
    ++came;
    return cell;
  };
  // In the order of the sweep, as if it had run here.
  for (std::size_t k = 0; k < sweep.cells().size(); ++k) {
    const auto at = arrivals.cells.find(stored.ids[k]);
    if (at == arrivals.cells.end()) continue;
    seen.insert(at->first);
    const bool there = stored.records[k] != nullptr;
    if (there && (sweep.cells()[k].state == CellState::done || !good(at->second.end))) continue;
    StoredCell cell = at->second;
    cell.record.request.matrix = sweep.cells()[k].request.matrix;
    cell.record.matrix_name = sweep.cells()[k].matrix_name;
    cell = keep(std::move(cell));
    sweep.bring_back(k, cell.end, cell.record.id, cell.seconds);
    stored.by[k] = cell.by;
    stored.records[k] = std::make_shared<const RunRecord>(std::move(cell.record));
  }
  // Those that the sweep does not ask for any more.
  for (const auto& [id, cell] : arrivals.cells)
    if (!seen.contains(id) && !folder.find(id)) keep(cell), ++stored.others;
  return came;
}

std::vector<std::size_t> unfinished(const TaskList& list, const Sweep& sweep, const StoredSweep& stored) {
  std::set<std::string> waiting;
  for (std::size_t k = 0; k < sweep.cells().size(); ++k)
    if (sweep.cells()[k].state == CellState::waiting) waiting.insert(stored.ids[k]);
  std::vector<std::size_t> tasks;
  for (std::size_t t = 0; t < list.cells.size(); ++t)
    for (const std::string& id : list.cells[t])
      if (waiting.contains(id)) {
        tasks.push_back(t);
        break;
      }
  return tasks;
}

namespace {

// State and reason of a task that lacks products. `newest`: its last attempt, or nullptr.
std::pair<TaskState, std::string> why_lacking(std::size_t task, const Attempt* newest,
                                              const std::optional<TaskQueue>& queue) {
  if (queue && queue->running.contains(task)) return {TaskState::running, "it runs"};
  if (queue && queue->waiting.contains(task)) return {TaskState::waiting, "in the queue"};
  if (!newest) return {queue ? TaskState::lacking : TaskState::waiting, "never began"};
  // A task that somebody started by hand is in no queue, and may still run.
  if (!newest->ended)
    return {queue ? TaskState::lacking : TaskState::running, "without an end: killed, out of time, or still running"};
  return {TaskState::lacking, newest->end.empty() ? "ended, but products are missing" : newest->end};
}

}  // namespace

std::vector<TaskStand> stands_of(const TaskList& list, const Sweep& sweep, const StoredSweep& stored,
                                 const std::vector<Attempt>& attempts, const std::optional<TaskQueue>& queue) {
  std::map<std::size_t, const Attempt*> newest;
  for (const Attempt& a : attempts) newest[a.task] = &a;
  std::map<std::string, CellState> states;
  for (std::size_t k = 0; k < stored.ids.size(); ++k) states[stored.ids[k]] = sweep.cells()[k].state;
  std::vector<TaskStand> stands;
  for (std::size_t t = 0; t < list.cells.size(); ++t) {
    TaskStand s{t, TaskState::done};
    bool lacks = false;
    for (const std::string& id : list.cells[t]) {
      const auto at = states.find(id);
      if (at == states.end()) continue;
      ++s.products;
      s.done += at->second == CellState::done, s.failed += at->second == CellState::failed;
      lacks = lacks || at->second == CellState::waiting;
    }
    const auto at = newest.find(t);
    if (lacks) std::tie(s.state, s.why) = why_lacking(t, at == newest.end() ? nullptr : at->second, queue);
    stands.push_back(std::move(s));
  }
  return stands;
}

std::vector<std::string> why_unfinished(const std::vector<TaskStand>& stands) {
  std::map<std::string, std::vector<std::size_t>> reasons;
  for (const TaskStand& s : stands)
    if (s.state != TaskState::done) reasons[s.why].push_back(s.task);
  std::vector<std::string> lines;
  for (const auto& [reason, of] : reasons)
    lines.push_back((of.size() == 1 ? "task " : "tasks ") + ranges_text(of) + ": " + reason);
  return lines;
}

std::string command_for(const TaskStand& stand, const std::string& folder) {
  if (stand.state == TaskState::waiting || stand.state == TaskState::running) return "";
  if (stand.state == TaskState::done && stand.failed == 0) return "";
  return "warpspy sweep " + shell_quoted(folder) + " --task " + std::to_string(stand.task) +
         (stand.failed > 0 ? " --retry" : "");
}

}  // namespace warpspy
