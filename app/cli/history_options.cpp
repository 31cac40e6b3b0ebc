#include "app/cli/history_options.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

#include "app/cli/run_output.hpp"
#include "core/base/types.hpp"
#include "core/sweep/folder_runs.hpp"

namespace warpspy::cli {

void HistoryOptions::add(CLI::App& app, std::size_t limit) {
  query.limit = limit;
  app.add_option("--from", from, "Read runs from the folder of a sweep or of a kept search, not from the history");
  app.add_option("--matrix", query.matrix, "Only of matrices with this in their name or path");
  app.add_option("--kernel", query.kernel, "Only of this kernel");
  app.add_option("--device", query.device, "Only on this device: an id, or part of the name");
  app.add_option_function<std::string>(
         "--precision",
         [this](const std::string& text) { query.precision = text == "f64" ? Precision::f64 : Precision::f32; },
         "Only f32 or f64")
      ->check(CLI::IsMember({"f32", "f64"}));
  app.add_option("--text", query.text, "Only runs with these words in any column or note");
  app.add_option("--since", query.since, "Only runs started then or later, such as 2026-11 or 2026-11-21T12:00 (UTC)");
  app.add_option("--limit", query.limit, "At most so many, the newest first")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
}

std::unique_ptr<SavedRuns> HistoryOptions::open() const {
  if (from.empty()) {
    auto history = std::make_unique<History>(need_history_path());
    tell_problems(*history);
    return history;
  }
  auto folder = std::make_unique<FolderRuns>(from);
  for (const std::string& remark : folder->remarks()) std::cerr << "warpspy: " << remark << "\n";
  return folder;
}

std::string need_history_path() {
  const std::string path = history_path();
  if (path.empty())
    throw Error("the history of runs is off", {}, "let WARPSPY_RUNS name a file, or unset it, and set HOME");
  return path;
}

}  // namespace warpspy::cli
