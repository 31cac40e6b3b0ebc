#include "core/run/record.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui::figures {

namespace {

// Those that are listed, oldest first.
std::vector<RunRecord> listed(const AppState& s) {
  std::vector<RunRecord> runs;
  for (auto it = s.list.rows.rbegin(); it != s.list.rows.rend(); ++it) runs.push_back(*it->record);
  return runs;
}

std::string json(const AppState& s) {
  const std::vector<RunRecord> runs = listed(s);
  std::string text = "[\n";
  for (std::size_t k = 0; k < runs.size(); ++k) text += to_json(runs[k]) + (k + 1 < runs.size() ? ",\n" : "\n");
  return text + "]\n";
}

}  // namespace

extern const FigureRow runs = {
    .id = "runs",
    .word = "runs",
    .label = "Export the runs...",
    .help = "Every run with every counter and its provenance, as CSV or JSON.",
    .tab = "runs",
    .why_not = [](const AppState& s) -> std::string { return s.list.rows.empty() ? "There are no runs yet." : ""; },
    .csv = [](const AppState& s) { return to_csv(listed(s)); },
    .json = json,
};

}  // namespace warpspy::ui::figures
