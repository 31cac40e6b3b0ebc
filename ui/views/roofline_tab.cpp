#include <imgui.h>

#include <algorithm>
#include <vector>

#include "ui/platform/compat.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/views/roofline_panel.hpp"
#include "ui/views/runs_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/flow.hpp"
#include "ui/widgets/panel.hpp"
#include "ui/widgets/table.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

class RooflineTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const ImVec2 room = room_at_least(l, 580), at = ImGui::GetCursorScreenPos();
    const float table = l.u(220), head = settings(s, ui) + l.u(6);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + head));
    ImGui::BeginChild("plot", ImVec2(room.x, room.y - table - head), false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    roofline_.draw(s, ui, ImVec2(room.x, room.y - table - head - l.u(12)));
    end_child();
    const float y = at.y + room.y - table;
    ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, y), ImVec2(at.x + room.x, y), u32(l.palette->hairline));
    ImGui::SetCursorScreenPos(ImVec2(at.x, y + l.u(10)));
    ImGui::BeginChild("points", ImVec2(room.x, table - l.u(10)), false);
    points(s, ui);
    end_child();
  }

 private:
  // The choices of runs and of colours. Returns the height that they take.
  static float settings(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    Flow flow(ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail().x, l.u(26));
    const auto row = [&](const char* name, const std::vector<std::string>& words, int now, const char* help) {
      const float words_x = text_width(l, Face::ui, 13, name) + l.u(8);
      const ImVec2 at = flow.next(words_x + segments_width(l, words), l.u(24));
      draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(2)), Face::ui, 13, l.palette->muted, name);
      ImGui::SetCursorScreenPos(ImVec2(at.x + words_x, at.y));
      const int k = segments(l, name, words, now);
      tip(l, help);
      return k;
    };
    const RooflineSettings& now = s.roofline_settings;
    const int runs = row("Runs of", {"this matrix", "the selection", "all matrices"}, static_cast<int>(now.runs),
                         "Runs of the matrix that is shown; the selected and compared runs and those of the matrices "
                         "chosen in the table of matrices; or all of this session.");
    const int color =
        row("Colour by", {"level", "matrix", "kernel", "device"}, static_cast<int>(now.color),
            "What the colour of a mark means. Coloured by anything but the memory level, a run is one mark: "
            "at DRAM, or at the outermost level that is known.");
    if (runs >= 0) ui.out(choose("roofline shows", static_cast<RooflineSettings::Runs>(runs)));
    if (color >= 0) ui.out(choose("roofline colours", static_cast<plot::RooflineStyle::ColorBy>(color)));
    if (now.view) {
      const ImVec2 at = flow.next(text_width(l, Face::ui, 13, "Show everything") + l.u(16), 0);
      ImGui::SetCursorScreenPos(ImVec2(at.x, at.y - l.u(3)));
      if (button(l, "Show everything", Weight::quiet)) ui.out(choose("roofline zoom", ""));
      tip(l, "Zooms out again (double click, or Esc).");
    }
    return flow.height();
  }

  void points(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    heading(l, "Points", "Every point of the roofline, by run and memory level. Click one to copy its numbers.");
    const bool narrow = ImGui::GetContentRegionAvail().x < l.u(760);  // a wider table would scroll sideways
    Table table(l, "points",
                {{.name = "#", .width = 26, .right = true},
                 {.name = "matrix", .width = 92},
                 {.name = "kernel", .width = 92},
                 {.name = "parameters", .width = narrow ? 120.f : 0},
                 {.name = "level", .width = 62},
                 {.name = "flop/B", .width = 62, .right = true},
                 {.name = "GFLOP/s", .width = 64, .right = true},
                 {.name = "GB/s", .width = 60, .right = true},
                 {.name = "of roof", .width = 56, .right = true},
                 {.name = "limit", .width = narrow ? 200.f : 0, .share = 1.5f}},
                ImVec2(0, 0), {.pad_x = 4, .frozen = narrow ? 1 : -1, .follows = false});
    if (!table) return;
    sort_.head(table);
    std::vector<Point> all;
    const auto runs = roofline_runs(s, false);
    for (auto it = runs.rbegin(); it != runs.rend(); ++it) {
      const RunRecord& r = **it;
      const auto found = s.points->find(r.id);
      if (found == s.points->end()) continue;
      for (const auto& point : found->second) all.push_back({&r, &point});
    }
    for (const std::size_t k : sort_.order(all.size(), [&](std::size_t row, int by) { return key(s, all[row], by); })) {
      ImGui::PushID(static_cast<int>(k));
      row(s, ui, table, *all[k].run, *all[k].point);
      ImGui::PopID();
    }
  }

  struct Point {
    const RunRecord* run;
    const RooflinePoint* point;
  };
  static SortKey key(const AppState& s, const Point& p, int column) {
    const double share = p.point->roof_gflops > 0 ? p.point->gflops / p.point->roof_gflops : -1;
    const SortKey keys[] = {{static_cast<double>(p.run->id), ""},
                            {0, p.run->matrix_name},
                            {0, p.run->kernel_label},
                            {0, params_text(s, *p.run)},
                            {static_cast<double>(p.point->level), ""},
                            {p.point->intensity, ""},
                            {p.point->gflops, ""},
                            {p.point->gbs, ""},
                            {share, ""},
                            {0, p.point->limit}};
    return keys[column];
  }

  static void row(const AppState& s, Ui& ui, Table& table, const RunRecord& r, const RooflinePoint& point) {
    const Look& l = ui.look;
    const Palette& p = *l.palette;
    table.row(r.id == s.selected_run);
    if (table.pick()) {
      ui.out(SelectRun{r.id});
      ui.out(CopyText{r.kernel_label + "\t" + params_text(s, r) + "\t" + point_text(point)});
    }
    tip(l, std::string(warpspy::name_of(point.provenance)) + "; click copies this row.\nLimit: " + point.limit);
    table.text(run_number(r), p.muted);
    table.text(r.matrix_name, p.ink, Face::ui, r.request.matrix);
    table.text(r.kernel_label, p.ink, Face::ui);
    table.text(params_text(s, r), p.muted, Face::ui);
    table.next(name_of(point.level));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    auto* list = ImGui::GetWindowDrawList();
    draw_provenance(l, list, ImVec2(at.x + l.u(5), at.y + l.u(9)), l.u(4.5f), point.provenance, color_of(point.level));
    draw_text(l, list, ImVec2(at.x + l.u(14), at.y), Face::ui, 13, p.ink, name_of(point.level));
    table.text(real_text(point.intensity), p.ink);
    table.text(real_text(point.gflops), p.ink);
    table.text(real_text(point.gbs), p.ink);
    table.text(point.roof_gflops > 0 ? percent_text(point.gflops / point.roof_gflops) : kDash, p.ink);
    const std::string limit = r.findings.empty() ? point.limit : r.findings.front().title + "; " + point.limit;
    table.text(limit, p.ink, Face::ui, limit);
  }

  RooflinePanel roofline_;
  TableSort sort_;  // by default the newest run is first
};

}  // namespace

extern const ViewRow roofline_tab = {
    .id = "roofline",
    .label = "Roofline",
    .place = Place::tab,
    .group = Topic::performance,
    .help = "The roofline in full, and a table of its points.",
    .scrolls = true,
    .make = make<RooflineTab>,
};

}  // namespace warpspy::ui
