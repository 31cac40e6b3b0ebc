#include "ui/views/runs_panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ui/platform/compat.hpp"
#include "ui/views/roofline_panel.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

const RooflinePoint* point_of(const AppState& s, std::uint64_t run, Level level) {
  const auto found = s.points.find(run);
  if (found == s.points.end()) return nullptr;
  for (const auto& p : found->second)
    if (p.level == level) return &p;
  return nullptr;
}

// A number with its provenance mark, right-aligned in the cell.
void number(const Look& l, const std::string& text, std::optional<Provenance> from, Color ink) {
  const float mark = from ? l.u(12) : 0, w = text_width(l, Face::mono, 13, text);
  const float room = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  auto* list = ImGui::GetWindowDrawList();
  draw_text(l, list, ImVec2(at.x + room - mark - w, at.y), Face::mono, 13, ink, text);
  if (from) draw_provenance(l, list, ImVec2(at.x + room - l.u(4), at.y + l.u(8)), l.u(3.5f), *from, l.palette->muted);
  ImGui::Dummy(ImVec2(room, l.u(17)));
  if (from)
    tip(l, std::string(warpspy::name_of(*from)) +
               (*from == Provenance::measured  ? ": read from a timer or a hardware counter."
                : *from == Provenance::derived ? ": computed from measured numbers."
                                               : ": from the emulator or a formula, not measured."));
}

void header_cell(const Look& l, const char* name, const char* unit, const char* help, bool right) {
  ImGui::TableNextColumn();
  const std::string text = *unit ? std::string(name) + " " + unit : name;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  const float w = text_width(l, Face::ui, 12, text);
  draw_text(l, ImGui::GetWindowDrawList(), ImVec2(right ? at.x + std::max(0.f, room - w) : at.x, at.y), Face::ui, 12,
            l.palette->muted, text, room);
  ImGui::Dummy(ImVec2(room, l.u(16)));
  tip(l, help);
}

}  // namespace

std::string params_text(const AppState& s, const RunRecord& r) {
  std::string text;
  const auto add = [&](const std::vector<ParamSpec>& specs, const ParamSet& set) {
    for (const auto& p : specs) {
      const auto v = set.find(p.id);
      if (v == set.end()) continue;
      text += (text.empty() ? "" : ", ") + p.id + " " + value_text(p, v->second);
    }
  };
  if (const auto* k = s.catalog->kernel(r.request.kernel)) add(k->params, r.request.params);
  if (const auto* f = s.catalog->format(r.format)) add(f->params, r.request.format_params);
  return text;
}

void RunsPanel::draw(const AppState& s, Ui& ui, ImVec2 size) {
  const Look& l = ui.look;
  const Palette& p = *l.palette;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  heading(l, "Runs",
          "Every run of this session. Click one to see its traffic; runs on the chosen device are on the roofline.");
  std::size_t listed = 0;
  for (const auto& r : s.runs.all()) listed += !s.on_trail(r->id);
  if (listed > 0) {
    const float w = text_width(l, Face::ui, 13, "Clear") + l.u(16);
    ImGui::SetCursorScreenPos(ImVec2(origin.x + size.x - w, origin.y - l.u(6)));
    if (button(l, "Clear##runs", Weight::quiet)) ui.out(ClearRuns{});
    tip(l, "Removes every run from the list and the roofline.");
  }
  ImGui::SetCursorScreenPos(ImVec2(origin.x, origin.y + l.u(24)));
  if (listed == 0) {
    if (empty_state(l, "No runs yet",
                    "Run a kernel on the matrix: its time, speed and share of each roof are listed here.",
                    s.can_run() ? "Run (F5)" : ""))
      ui.out(StartRun{});
    return;
  }
  struct Column {
    const char *name, *unit, *help;
    float width;  // 0: stretches
    bool right;
  };
  static constexpr Column columns[] = {
      {"#", "", "The run's number, also in exports.", 18, true},
      {"Kernel", "", "Kernel, precision and parameters; then the matrix.", 0, false},
      {"Time", "\xC2\xB5s", "One product y = A x.", 62, true},
      {"GFLOP/s", "", "2 nnz / time: one multiplication and one addition per entry.", 62, true},
      {"L1", "%", "Share of the L1 roof: GFLOP/s over min(intensity x bandwidth, peak) at that level.", 30, true},
      {"L2", "%", "Share of the L2 roof.", 30, true},
      {"DRAM", "%", "Share of the DRAM roof.", 48, true},
      {"", "", "", 16, true},
  };
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(l.u(3), l.u(3)));
  const auto flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoPadOuterX;
  if (ImGui::BeginTable("runs", static_cast<int>(std::size(columns)), flags,
                        ImVec2(size.x, std::max(l.u(40), size.y - l.u(24))))) {
    ImGui::TableSetupScrollFreeze(0, 1);
    for (const auto& c : columns)
      ImGui::TableSetupColumn(c.name,
                              c.width > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch,
                              c.width > 0 ? l.u(c.width) : 1.f);
    ImGui::TableNextRow();
    for (const auto& c : columns) header_cell(l, c.name, c.unit, c.help, c.right);
    for (auto it = s.runs.all().rbegin(); it != s.runs.all().rend(); ++it) {
      const RunRecord& r = **it;
      if (s.on_trail(r.id)) continue;
      ImGui::PushID(static_cast<int>(r.id));
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      if (r.id == s.selected_run) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, u32(p.select));
      const ImVec2 start = ImGui::GetCursorPos();
      if (ImGui::Selectable("##row", false, ImGuiSelectableFlags_SpanAllColumns | kSelectableOverlap,
                            ImVec2(0, l.u(33))))
        ui.out(SelectRun{r.id});
      if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(1)) ui.out(SelectRun{r.id}), ImGui::OpenPopup("menu");
      if (ImGui::BeginPopup("menu")) {
        if (ImGui::MenuItem("Copy as JSON")) ui.out(CopyText{to_json(r)});
        if (ImGui::MenuItem("Copy as CSV")) ui.out(CopyText{to_csv({r})});
        if (ImGui::MenuItem("Show traffic")) ui.out(ShowTab{"traffic"});
        if (ImGui::MenuItem("Remove")) ui.out(RemoveRun{r.id});
        ImGui::EndPopup();
      }
      ImGui::SetCursorPos(start);
      number(l, std::to_string(r.id), {}, p.muted);
      ImGui::TableNextColumn();
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float room = ImGui::GetContentRegionAvail().x;
      auto* list = ImGui::GetWindowDrawList();
      const std::string name = r.kernel_label.empty() ? r.request.kernel : r.kernel_label;
      draw_text(l, list, at, Face::ui, 13, p.ink, name, room);
      const std::string params = params_text(s, r);
      // The second line runs below the numbers, across their columns.
      list->PushClipRect(origin, ImVec2(origin.x + size.x, origin.y + size.y), false);
      draw_text(l, list, ImVec2(at.x, at.y + l.u(17)), Face::ui, 12, p.muted,
                r.matrix_name + ": " + warpspy::name_of(r.request.precision) + (params.empty() ? "" : ", " + params),
                origin.x + size.x - at.x - l.u(24));
      list->PopClipRect();
      ImGui::Dummy(ImVec2(room, l.u(33)));
      const auto details = [&] {
        std::string text = name + "\n" + params + "\n" + r.matrix_name + " on " + r.device_name + "\n" + r.time_how;
        if (r.sampled_share < 1) text += "\nEmulated " + percent_text(r.sampled_share) + " of the blocks.";
        if (r.check)
          text += std::string("\nResult ") + (r.check->passed ? "correct" : "WRONG") + ": largest error " +
                  real_text(r.check->max_of_bound, 3) + " of the bound.";
        for (const auto& n : r.notes) text += "\n" + n;
        return text;
      };
      tip(l, details());
      ImGui::TableNextColumn();
      if (r.status != RunStatus::ok) {
        const ImVec2 from = ImGui::GetCursorScreenPos();
        draw_text(l, list, from, Face::bold, 13, p.error, "\xE2\x9C\x97 failed");
        ImGui::Dummy(ImVec2(ImGui::GetContentRegionAvail().x, l.u(17)));
        tip(l, r.error);
        for (int k = 0; k < 4; ++k) ImGui::TableNextColumn();
      } else {
        number(l, real_text(r.time.value), r.time.provenance, p.ink);
        tip(l, r.time_how);
        ImGui::TableNextColumn();
        number(l, real_text(r.gflops.value), r.gflops.provenance, p.ink);
        for (Level level : {Level::l1, Level::l2, Level::dram}) {
          ImGui::TableNextColumn();
          const auto* point = point_of(s, r.id, level);
          if (!point || point->roof_gflops <= 0) {
            number(l, "\xE2\x80\x93", {}, p.muted);
            tip(l, point ? "This device has no such roof." : "The run does not know its bytes at this level.");
            continue;
          }
          const double share = 100 * point->gflops / point->roof_gflops;
          number(l, real_text(share, 2), {}, p.ink);
          tip(l, std::string(name_of(level)) + ": " + real_text(point->gbs) + " GB/s, " + real_text(point->intensity) +
                     " flop/B, " + warpspy::name_of(point->provenance) + ".\nLimit: " + point->limit);
        }
      }
      ImGui::TableNextColumn();
      if (cross_button(l, "remove", "Remove this run")) ui.out(RemoveRun{r.id});
      ImGui::PopID();
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
}

}  // namespace warpspy::ui
