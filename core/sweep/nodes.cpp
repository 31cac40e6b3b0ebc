#include "core/sweep/nodes.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

namespace warpspy {
namespace {

namespace fs = std::filesystem;

bool valid(const std::vector<ParamSpec>& specs, const ParamSet& set) {
  try {
    checked_params(specs, set);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void await_nodes(Sweep& sweep, const Catalog& catalog) {
  for (std::size_t k = 0; k < sweep.cells().size(); ++k) {
    const SweepCell& c = sweep.cells()[k];
    if (c.state != CellState::skipped || !c.request.device.starts_with("cuda:")) continue;
    const DeviceInfo* device = catalog.device(c.request.device);
    const KernelInfo* kernel = catalog.kernel(c.request.kernel);
    if ((device && device->available) || !kernel || !valid(kernel->params, c.request.params)) continue;
    const FormatInfo* format = catalog.format(kernel->format);
    if (format && !valid(format->params, c.request.format_params)) continue;
    sweep.bring_back(k, {CellState::waiting}, 0, 0);
  }
}

void look(OnNodes& n, SweepFolder& folder, const std::string& program, bool mix, Progress& progress) {
  n.stored = take_in(n.sweep, folder, progress);
  n.attempts = attempts_of(folder, n.list);
  if (!mix) {
    refuse_other_versions(n.attempts, program, folder.path());
    for (const Maker& by : n.stored.by)
      if (!by.program.empty() && by.program != program)
        throw Error("results of another build are here (" + by.text() + "; now: Warpspy " + program + ")",
                    folder.path(), "take another folder; --mix puts them into one table");
  }
  n.arrivals = arrivals_of(n.attempts);
  if (!mix) refuse_unlike(n.stored, n.arrivals, folder.path());
}

void count_arrivals(OnNodes& n) {
  for (std::size_t k = 0; k < n.stored.ids.size(); ++k) {
    if (n.sweep.cells()[k].state == CellState::done) continue;
    if (const auto at = n.arrivals.cells.find(n.stored.ids[k]); at != n.arrivals.cells.end())
      n.sweep.bring_back(k, at->second.end, 0, at->second.seconds);
  }
}

void tell_cells(OnNodes& n, const std::vector<TaskStand>& stands) {
  std::map<std::string, const TaskStand*> task_of;
  for (const TaskStand& s : stands)
    for (const std::string& id : n.list.cells.at(s.task)) task_of[id] = &s;
  std::set<std::size_t> runs_one;
  for (std::size_t k = 0; k < n.stored.ids.size(); ++k) {
    const auto at = task_of.find(n.stored.ids[k]);
    if (n.sweep.cells()[k].state != CellState::waiting || at == task_of.end()) continue;
    const TaskStand& task = *at->second;
    if (task.state == TaskState::running && runs_one.insert(task.task).second)
      n.sweep.bring_back(k, {CellState::running}, 0, 0);
    else if (task.state == TaskState::lacking)
      n.sweep.bring_back(k, {CellState::waiting, "task " + std::to_string(task.task) + ": " + task.why}, 0, 0);
  }
}

std::string mark_of_files(const std::string& folder) {
  std::vector<std::string> lines;
  std::error_code failed;
  for (fs::directory_iterator file(folder, failed), end; !failed && file != end; file.increment(failed)) {
    const fs::path& path = file->path();
    if (path.extension() != ".json" && path.extension() != ".jsonl") continue;
    std::error_code gone;
    const auto bytes = file->file_size(gone);
    const auto time = file->last_write_time(gone).time_since_epoch().count();
    lines.push_back(path.filename().string() + " " + std::to_string(bytes) + " " + std::to_string(time) + "\n");
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace warpspy
