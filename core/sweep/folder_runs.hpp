// The cells of a folder as runs that can be asked for: of a sweep, or of a search (warpspy tune --keep).
#pragma once

#include <string>
#include <vector>

#include "core/run/saved_runs.hpp"

namespace warpspy {

class FolderRuns final : public SavedRuns {
 public:
  // Reads all cells. Throws Error where there is no such folder.
  explicit FolderRuns(const std::string& path);
  std::string path() const override { return path_; }
  HistoryPage find(const HistoryQuery& q) const override;                             // the session of a query aside
  std::optional<SavedRun> get(std::uint64_t) const override { return std::nullopt; }  // they have no numbers
  std::optional<SavedRun> named(const std::string& name) const override;
  // Sentences on what was cut off or damaged, and does not count.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  std::string path_;
  std::vector<SavedRun> runs_;  // newest first
  bool only_trials_ = false;    // as a search keeps them (warpspy tune --keep): then they are what is asked for
  std::vector<std::string> remarks_;
};

}  // namespace warpspy
