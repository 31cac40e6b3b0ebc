#include "core/session/desk.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/base/numbers.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/source_name.hpp"
#include "core/base/target.hpp"
#include "core/run/run_name.hpp"

namespace warpspy {

namespace fs = std::filesystem;

namespace {

// Larger than any desk that Warpspy writes: a file of another kind is refused before it is read into memory.
constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 30;

}  // namespace

void save_desk(const std::string& path, const Desk& desk) { write_file(path, to_json(desk)); }

DeskRead load_desk(const std::string& path) {
  const std::string text = read_file(path, kMostBytes, {"session", "name a file that Warpspy saved (.warpspy)"});
  try {
    return desk_from_json(text);
  } catch (const Error& e) {
    throw Error(e.reason, path, e.remedy);
  }
}

std::string contents_text(const Desk& desk) {
  const auto listed = std::count_if(desk.runs.begin(), desk.runs.end(), [](const DeskRun& r) { return r.listed; });
  return counted(static_cast<index_t>(desk.matrices.size()), "matrix", "matrices") + " and " +
         counted(static_cast<index_t>(listed), "run");
}

std::string found_source(const std::string& source, const std::string& saved_folder, const std::string& folder) {
  if (source.empty() || !is_path(source)) return source;
  std::error_code failed;
  std::string path = source, options;
  if (const auto mark = source.rfind('?'); mark != std::string::npos && !fs::exists(source, failed))
    path = source.substr(0, mark), options = source.substr(mark);
  if (fs::exists(path, failed) || folder.empty()) return source;
  std::vector<fs::path> places = {fs::path(folder) / fs::path(path).filename()};
  if (!saved_folder.empty())
    if (const fs::path from_there = fs::path(path).lexically_relative(saved_folder); !from_there.empty())
      places.insert(places.begin(), (fs::path(folder) / from_there).lexically_normal());
  for (const fs::path& place : places)
    if (fs::is_regular_file(place, failed)) return place.string() + options;
  return source;
}

void complete(AnalysisResult& result, const Catalog& catalog) {
  for (AnalysisSubject& s : result.subjects)
    for (const auto& done : s.runs)
      if (const DeviceInfo* d = catalog.device(done.record->device)) s.gpu = d->spec;
  revalue(result);
}

void leave_to(const History& history, Desk& desk) {
  if (desk.runs.size() > kMostDeskRuns)
    desk.runs.erase(desk.runs.begin(), desk.runs.end() - static_cast<std::ptrdiff_t>(kMostDeskRuns));
  if (history.path().empty()) return;  // this history is deleted at exit anyway
  for (DeskRun& run : desk.runs)
    if (run.id < kUnsaved) run.record = nullptr;
}

DeskRunsFound find_runs(const Desk& desk, const History& history) {
  DeskRunsFound found;
  // Older versions recorded start times in whole seconds, so several runs may share one. Such runs are identified by
  // their number.
  std::set<std::uint64_t> by_name;
  const auto of_history = [&](const DeskRun& run) -> std::optional<SavedRun> {
    auto kept = run.id < kUnsaved ? history.get(run.id) : std::nullopt;
    if (!run.record || (kept && run_name(*kept->record) == run_name(*run.record))) return kept;
    kept = history.same(*run.record);
    if (kept && !by_name.insert(kept->record->id).second) return std::nullopt;
    return kept;
  };
  for (const DeskRun& run : desk.runs) {
    std::optional<SavedRun> kept;
    try {
      kept = of_history(run);
    } catch (const Error&) {
      // Continues without the history, which reports its problems itself.
    }
    DeskRun got = run;
    if (kept) {
      got.record = kept->record;
      if (!kept->note.empty()) got.note = kept->note;  // if the history has no note, the file's note is kept
    } else if (run.record) {
      RunRecord record = *run.record;
      record.id = 0;
      got.record = std::make_shared<const RunRecord>(std::move(record));
    } else {
      ++found.lost;
      continue;
    }
    found.runs.push_back(std::move(got));
  }
  return found;
}

}  // namespace warpspy
