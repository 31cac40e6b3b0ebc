#include "ui/views/roofline_panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ui/platform/compat.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/state/desk_words.hpp"
#include "ui/state/zoom.hpp"
#include "ui/views/figure_view.hpp"
#include "ui/views/lesson_ghosts.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/menu.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

const char* name_of(Level level) {
  constexpr const char* names[] = {"", "DRAM", "L2", "L1", "shared", "compute"};
  return names[static_cast<int>(level)];
}

Color color_of(Level level) {
  constexpr Color colors[] = {plot::kCompute, plot::kDram, plot::kL2, plot::kL1, plot::kShared, plot::kCompute};
  return colors[static_cast<int>(level)];
}

std::string point_text(const RooflinePoint& p) {
  return std::string(name_of(p.level)) + "\tintensity " + real_text(p.intensity) + " flop/B\t" + real_text(p.gflops) +
         " GFLOP/s\t" + real_text(p.gbs) + " GB/s\t" +
         (p.roof_gflops > 0 ? percent_text(p.gflops / p.roof_gflops) + " of the roof" : "no roof") + "\t" +
         name_of(p.provenance) + "\t" + p.limit;
}

void RooflinePanel::draw(const AppState& s, Ui& ui, ImVec2 size) {
  const Look& l = ui.look;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  layout_ = {};
  const float full = size.x;
  heading(l, "Roofline",
          "Speed (GFLOP/s) against arithmetic intensity (flop per byte moved). A slope is the bandwidth of a memory "
          "level, the "
          "flat line the peak of the arithmetic units: a run cannot lie above the roof of its level.\n"
          "One mark per run and memory level: filled = measured, half = derived, hollow = modelled. Solid roofs were "
          "measured on this device (Run > Measure the roofs), dashed ones are those of its data sheet.\n"
          "Small triangles: the bytes that the papers' formulas give for the selected run, beside what was counted.\n"
          "Wheel: zoom. Drag: move. Double click: everything again.");
  const auto* d = s.roofline_device;
  const std::vector<std::string> words = {"useful", "executed"};
  const float choice = segments_width(l, words), after_heading = text_width(l, Face::bold, 13, "Roofline") + l.u(10);
  if (size.x > after_heading + choice + l.u(160)) {
    ImGui::SetCursorScreenPos(ImVec2(origin.x + size.x - choice, origin.y - l.u(2)));
    const int picked = segments(l, "flops", words, static_cast<int>(s.flops));
    tip(l,
        "What counts as work.\nUseful: 2 flops per entry of the matrix.\nExecuted: 2 flops per slot that the format "
        "stores, padding included.");
    if (picked >= 0) ui.out(choose("flops", static_cast<FlopCount>(picked)));
    size.x -= choice + l.u(10);
  }
  if (d) {
    const float left = after_heading;
    const MeasuredRoofs* measured = s.measured_roofs_of(d->id);
    const std::string roofs = measured       ? "; roofs " + measured->origin()
                              : d->simulated ? ""
                                             : "; roofs of its data sheet";
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(origin.x + left, origin.y + l.u(1)), Face::ui, 12, l.palette->muted,
              d->name + (d->simulated ? ", simulated" : "") + ", " + warpspy::name_of(s.roofline_precision) + roofs +
                  (s.roofline_settings.view ? "; zoomed" : ""),
              size.x - left);
  }
  size.x = full;
  const float top = origin.y + l.u(24);
  ImGui::SetCursorScreenPos(ImVec2(origin.x, top));
  if (!s.roofline || s.roofs.empty()) {
    empty_state(l, "No roofline yet", "The roofs of the chosen device appear here, and a point for every run.");
    return;
  }
  const plot::Rect frame{origin.x, top, size.x, std::max(1.f, size.y - l.u(24))};
  ImGui::InvisibleButton("roofline", ImVec2(std::max(1.f, size.x), static_cast<float>(frame.h)));
  keep_wheel();
  const bool on_it = ImGui::IsItemHovered();
  layout_ = paint_figure(ui, *s.roofline, frame);
  draw_ghost(s, l, "roofline", layout_);
  const Keys keys = figure_stop(ui, *s.roofline, "roofline", Focus::Takes::signs, [&] { run_items(s, ui); });
  if (keys.has) step(s, ui, keys.along);
  if (on_it || panning_) zoom(s, ui);
  if (on_it && !panning_) mouse(s, ui, *s.roofline);
  // A right click on a mark selects its run before the menu opens.
  const auto hit = layout_.hit({ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y}, l.u(12));
  if (on_it && ImGui::IsMouseClicked(1) && hit && s.run(hit->id)) ui.out(SelectRun{hit->id});
}

void RooflinePanel::run_items(const AppState& s, Ui& ui) {
  const Look& l = ui.look;
  const auto run = s.run(s.selected_run);
  if (!run) return;
  label(l, Face::ui, 12, l.palette->muted, "Run " + run_title(*run) + ", " + run->kernel_label);
  if (menu_item(l, "Show its traffic")) ui.out(ShowTab{"traffic"});
  if (menu_item(l, "Repeat it")) ui.out(RepeatRun{run->id});
  if (menu_item(l, "Copy its numbers")) {
    std::string text;
    if (const auto points = s.points->find(run->id); points != s.points->end())
      for (const RooflinePoint& p : points->second) text += point_text(p) + "\n";
    ui.out(CopyText{text});
  }
  ImGui::Separator();
  if (menu_item(l, "Show everything", {.enabled = s.roofline_settings.view.has_value()}))
    ui.out(choose("roofline zoom", ""));
}

// The arrow keys move from run to run, from left to right; plus and minus zoom around the middle.
void RooflinePanel::step(const AppState& s, Ui& ui, int along) {
  const auto zoomed = [&](double factor) {
    const auto& a = layout_.area;
    const std::optional<RoofView> view = zoom_at(layout_, {a.x + a.w / 2, a.y + a.h / 2}, factor);
    ui.out(choose("roofline zoom", to_text(view)));
  };
  if (key_pressed(ui.look, {key('=')}, true)) zoomed(1.25);
  if (key_pressed(ui.look, {key('-')}, true)) zoomed(0.8);
  if (along == 0) return;
  std::vector<std::pair<double, std::uint64_t>> runs;  // sorted by the position of their first mark
  for (const plot::Hit& m : layout_.marks) {
    const auto known = std::find_if(runs.begin(), runs.end(), [&](const auto& r) { return r.second == m.id; });
    if (m.id == 0 || !s.run(m.id)) continue;
    if (known == runs.end())
      runs.emplace_back(m.at.x, m.id);
    else
      known->first = std::min(known->first, m.at.x);
  }
  if (runs.empty()) return;
  std::sort(runs.begin(), runs.end());
  const auto now = std::find_if(runs.begin(), runs.end(), [&](const auto& r) { return r.second == s.selected_run; });
  const int n = static_cast<int>(runs.size()), at = static_cast<int>(now - runs.begin());
  const int to = now == runs.end() ? (along > 0 ? 0 : n - 1) : std::clamp(at + along, 0, n - 1);
  ui.out(SelectRun{runs[static_cast<std::size_t>(to)].second});
}

// The wheel zooms around the mouse, a drag beside the marks moves, a double click shows everything.
void RooflinePanel::zoom(const AppState& s, Ui& ui) {
  const ImGuiIO& io = ImGui::GetIO();
  const plot::Point p{io.MousePos.x, io.MousePos.y};
  const auto show = [&](std::optional<RoofView> view) {
    if (view != s.roofline_settings.view) ui.out(choose("roofline zoom", to_text(view)));
  };
  if (panning_) {
    panning_ = ImGui::IsMouseDown(0);
    if (panning_ && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0))
      show(pan(layout_, io.MouseDelta.x, io.MouseDelta.y));
    return;
  }
  if (!layout_.area.contains(p)) return;
  if (io.MouseWheel != 0) show(zoom_at(layout_, p, std::pow(1.2, static_cast<double>(io.MouseWheel))));
  if (ImGui::IsMouseDoubleClicked(0)) return show(std::nullopt);
  panning_ = ImGui::IsMouseClicked(0) && !layout_.hit(p, ui.look.u(12));
}

void RooflinePanel::mouse(const AppState& s, Ui& ui, const plot::Plot& figure) {
  const Look& l = ui.look;
  const plot::Point p{ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y};
  if (!layout_.area.contains(p)) return;
  auto* list = ImGui::GetWindowDrawList();
  const auto& a = layout_.area;
  const auto hit = layout_.hit(p, l.u(12));
  const auto* point = hit ? s.point(hit->id, static_cast<Level>(hit->part)) : nullptr;
  const plot::Point at = hit ? hit->at : p;
  const ImU32 line = u32(l.palette->ink, 0.28f);
  const auto x = static_cast<float>(at.x), y = static_cast<float>(at.y);
  list->AddLine(ImVec2(static_cast<float>(a.x), y), ImVec2(static_cast<float>(a.right()), y), line);
  list->AddLine(ImVec2(x, static_cast<float>(a.y)), ImVec2(x, static_cast<float>(a.bottom())), line);
  // The papers' byte counts belong to no level of the run, so their tooltips explain them.
  if (hit && !point && hit->point < figure.series[hit->series].tooltips.size())
    return text_tooltip(l, figure.series[hit->series].tooltips[hit->point]);
  if (!point) {
    tooltip(l, "",
            {{"intensity", real_text(layout_.x_of(p.x), 3) + " flop/B", {}},
             {"speed", real_text(layout_.y_of(p.y), 3) + " GFLOP/s", {}}});
    return;
  }
  const auto run = s.run(hit->id);
  const std::string title = run ? "#" + run_title(*run) + "  " + run->kernel_label + ", " + run->matrix_name : "";
  std::vector<TooltipRow> rows = {{name_of(point->level), warpspy::name_of(point->provenance), color_of(point->level)},
                                  {"intensity", real_text(point->intensity) + " flop/B", {}},
                                  {"speed", real_text(point->gflops) + " GFLOP/s", {}},
                                  {"traffic", real_text(point->gbs) + " GB/s", {}}};
  if (point->roof_gflops > 0) rows.push_back({"of the roof", percent_text(point->gflops / point->roof_gflops), {}});
  tooltip(l, title, rows, "Limit: " + point->limit + "\nClick selects the run; Ctrl+click copies these numbers.");
  if (!ImGui::IsMouseClicked(0)) return;
  if (ImGui::GetIO().KeyCtrl) ui.out(CopyText{title + "\t" + point_text(*point)});
  ui.out(SelectRun{hit->id});
}

}  // namespace warpspy::ui
