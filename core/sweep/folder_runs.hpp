// Gives the cells of a folder as saved runs. The folder is from a sweep or a search (warpspy tune --keep); a cell is
// one product.
#pragma once

#include <string>
#include <vector>

#include "core/run/saved_runs.hpp"

namespace warpspy {

class FolderRuns final : public SavedRuns {
 public:
  // Reads all cells. Throws Error if there is no such folder.
  explicit FolderRuns(const std::string& path);
  std::string path() const override { return path_; }
  HistoryPage find(const HistoryQuery& q) const override;                             // the query's session is ignored
  std::optional<SavedRun> get(std::uint64_t) const override { return std::nullopt; }  // cells have no numbers
  std::optional<SavedRun> named(const std::string& name) const override;
  // Sentences about cells that were cut off or damaged, and do not count.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  std::string path_;
  std::vector<SavedRun> runs_;  // newest first
  bool only_trials_ = false;    // the folder has only trials (warpspy tune --keep), so queries return trials
  std::vector<std::string> remarks_;
};

}  // namespace warpspy
