#include <imgui.h>

#include <algorithm>

#include "ui/platform/compat.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/views/figure_view.hpp"
#include "ui/views/runs_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/views/waiting.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// The selected run's bytes between the memory levels, beside those of another run.
class MemoryTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!s.memory_chart && waits_for_run(s, ui)) return;
    if (const auto run = s.run(s.selected_run); run && run->status == RunStatus::failed) {
      empty_state(l, "This run failed", run->error);
      return;
    }
    if (!s.memory_chart) {
      if (empty_state(
              l, "No run selected",
              "SM, L1, L2 and DRAM are drawn here, and what one product moves between them: bytes, GB/s and hit "
              "rates, one run or two beside each other.",
              s.can_run() ? "Run" + keys_behind(s, ui.commands, "run.start") : std::string()))
        ui.out(StartRun{});
      return;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    heading(
        l, "Memory chart",
        "One product. Loads come from the right, stores go there. Filled: measured, outlined: modelled. A hit rate is "
        "that of the level at the start of the arrow. Rest the mouse on an arrow for its numbers; a click selects its "
        "run.");
    beside(s, ui, ImVec2(at.x, at.y + l.u(26)), room.x);
    const float top = l.u(64);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + top));
    // The figure is about 300 high per run, since more height would be empty.
    const float most =
        l.u(60 + 320 * static_cast<float>(std::max<std::size_t>(1, s.memory_chart->diagram->headings.size())));
    const ImVec2 least(l.u(460), most * 0.6f);
    with_room("whole chart", ImVec2(room.x, std::min(most, room.y - top)), least, [&](ImVec2 size) {
      const auto hit = draw_figure(ui, *s.memory_chart, size, "memory");
      if (hit && s.run(hit->id)) ui.out(SelectRun{hit->id});
    });
  }

 private:
  static void beside(const AppState& s, Ui& ui, ImVec2 at, float width) {
    const Look& l = ui.look;
    const float left = text_width(l, Face::ui, 13, "Beside it") + l.u(12);
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(6)), Face::ui, 13, l.palette->muted, "Beside it");
    std::vector<Choice> choices = {{"the same kernel measured, or on another device", "chosen by itself", true, ""}};
    std::vector<std::uint64_t> ids = {0};
    int chosen = 0;
    const auto selected = s.run(s.selected_run);
    for (auto it = s.runs.all().rbegin(); it != s.runs.all().rend(); ++it) {
      const RunRecord& r = **it;
      if (r.status != RunStatus::ok || s.on_trail(r.id) || r.id == s.selected_run) continue;
      if (r.id == s.beside_run) chosen = static_cast<int>(ids.size());
      ids.push_back(r.id);
      const std::string differ = selected ? matrices_differ(*selected, r) : "";
      choices.push_back({"#" + run_title(r) + "  " + r.kernel_label + " on " + r.matrix_name,
                         (differ.empty() ? "" : "another matrix, ") + r.device_name + ", " +
                             warpspy::name_of(r.request.precision) + ", " + params_text(s, r),
                         true, differ});
    }
    ImGui::SetCursorScreenPos(ImVec2(at.x + left, at.y));
    ImGui::BeginChild("beside", ImVec2(std::min(l.u(460), width - left), l.u(34)), false, ImGuiWindowFlags_NoScrollbar);
    const int picked = choose(l, "beside", choices, chosen);
    end_child();
    const auto other = s.run(s.beside_run);
    if (selected && other && !matrices_differ(*selected, *other).empty()) {
      const float x = left + std::min(l.u(460), width - left) + l.u(12);
      draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x + x, at.y + l.u(6)), Face::ui, 13, l.palette->warning,
                "! another matrix", width - x);
      show_text(l, "! another matrix");
    }
    if (picked >= 0) ui.out(choose("run beside", ids[static_cast<std::size_t>(picked)]));
  }
};

}  // namespace

extern const ViewRow memory_tab = {
    .id = "memory",
    .label = "Memory",
    .place = Place::tab,
    .group = Topic::performance,
    .help = "SM, L1, L2 and DRAM of the selected run, and what flows between them.",
    .make = make<MemoryTab>,
};

}  // namespace warpspy::ui
