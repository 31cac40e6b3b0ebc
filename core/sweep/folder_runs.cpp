#include "core/sweep/folder_runs.hpp"

#include <algorithm>
#include <utility>

#include "core/run/run_name.hpp"
#include "core/sweep/folder.hpp"

namespace warpspy {

FolderRuns::FolderRuns(const std::string& path) : path_(path) {
  SweepFolder folder(path, SweepFolder::For::reading);
  for (const std::string& id : folder.ids()) {
    auto cell = folder.find(id);
    if (!cell) continue;
    runs_.push_back({std::make_shared<const RunRecord>(std::move(cell->record)), "", ""});
  }
  only_trials_ = std::all_of(runs_.begin(), runs_.end(),
                             [](const SavedRun& kept) { return kept.record->purpose == Purpose::trial; });
  remarks_ = folder.remarks();
  std::stable_sort(runs_.begin(), runs_.end(),
                   [](const SavedRun& a, const SavedRun& b) { return a.record->started > b.record->started; });
}

HistoryPage FolderRuns::find(const HistoryQuery& q) const {
  HistoryPage page;
  for (const SavedRun& kept : runs_) {
    const RunRecord& r = *kept.record;
    if (!only_trials_ && (r.purpose == Purpose::trial) != q.trials) continue;
    if (!matches(q, r, kept.note)) continue;
    ++page.total;
    if (page.runs.size() < q.limit) page.runs.push_back(kept);
  }
  return page;
}

std::optional<SavedRun> FolderRuns::named(const std::string& name) const {
  for (const SavedRun& kept : runs_)
    if (run_name(*kept.record) == name) return kept;
  return std::nullopt;
}

}  // namespace warpspy
