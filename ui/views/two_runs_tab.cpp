#include <imgui.h>

#include <cstdint>
#include <vector>

#include "ui/views/differences_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/panel.hpp"

namespace warpspy::ui {

namespace {

// The newest two good runs of the list, the older one first; fewer if there are no two.
std::vector<std::uint64_t> newest_two(const AppState& s) {
  std::vector<std::uint64_t> ids;
  for (const auto& k : s.list.rows)
    if (k.record->status == RunStatus::ok && ids.size() < 2) ids.insert(ids.begin(), k.record->id);
  return ids;
}

// Two or more runs side by side: every quantity of the first one, and its change in the others.
class TwoRunsTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!s.comparison) return none(s, ui);
    const bool beside = DifferencesPanel::beside(l, ImGui::GetContentRegionAvail().x);
    differences_.draw(s, ui, room_at_least(l, beside ? 280 : 560));
  }

 private:
  static void none(const AppState& s, Ui& ui) {
    const std::vector<std::uint64_t> ids = newest_two(s);
    const bool two = ids.size() == 2;
    if (!empty_state(ui.look, "No runs are compared yet",
                     "Two or more runs are shown here side by side, with what differs between them. To choose them, "
                     "switch on Compare in the table of runs and click each.",
                     two ? "Compare the newest two" : "Show the runs"))
      return;
    if (two) return ui.out(CompareRuns{ids});
    ui.out(ShowTab{"runs"});
  }

  DifferencesPanel differences_;
};

}  // namespace

extern const ViewRow two_runs_tab = {
    .id = "two_runs",
    .label = "Two runs",
    .place = Place::tab,
    .group = Topic::compare,
    .help = "Two or more runs side by side: what differs between them, in numbers and on the roofline.",
    .scrolls = true,
    .make = make<TwoRunsTab>,
};

}  // namespace warpspy::ui
