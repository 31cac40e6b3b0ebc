#include "app/cli/saved_runs.hpp"

#include <algorithm>
#include <charconv>

#include "core/base/types.hpp"

namespace warpspy::cli {

bool is_run_number(const std::string& word) {
  return !word.empty() && word.size() < 19 && word.find_first_not_of("0123456789") == std::string::npos;
}

std::vector<std::shared_ptr<const RunRecord>> runs_meant(const SavedRuns& saved_runs,
                                                         const std::vector<std::string>& words,
                                                         const HistoryQuery& query) {
  std::vector<std::shared_ptr<const RunRecord>> runs;
  std::vector<std::string> matrices;
  for (const std::string& word : words) {
    if (!is_run_number(word)) {
      if (const auto kept = saved_runs.named(word))
        runs.push_back(kept->record);
      else
        matrices.push_back(absolute_source(word));
      continue;
    }
    std::uint64_t id = 0;
    std::from_chars(word.data(), word.data() + word.size(), id);
    const auto kept = saved_runs.get(id);
    if (!kept) throw Error("there is no run " + word, saved_runs.path(), "warpspy runs lists those that there are");
    runs.push_back(kept->record);
  }
  if (!runs.empty() && matrices.empty()) return runs;
  const HistoryPage page = saved_runs.find(query);
  for (auto it = page.runs.rbegin(); it != page.runs.rend(); ++it) {
    const std::string of = absolute_source(it->record->request.matrix);
    if (matrices.empty() || std::find(matrices.begin(), matrices.end(), of) != matrices.end())
      runs.push_back(it->record);
  }
  return runs;
}

}  // namespace warpspy::cli
