#include "core/run/compare.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui::figures {

extern const FigureRow comparison = {
    .id = "comparison",
    .word = "comparison",
    .label = "Export the comparison...",
    .help = "What differs between the compared runs, as CSV or JSON.",
    .tab = "compare",
    .why_not = [](const AppState& s) -> std::string {
      return s.comparison ? "" : "Ctrl+click two runs in the table first.";
    },
    .csv = [](const AppState& s) { return to_csv(*s.comparison); },
    .json = [](const AppState& s) { return to_json(*s.comparison) + "\n"; },
};

}  // namespace warpspy::ui::figures
