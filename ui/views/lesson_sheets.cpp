#include "ui/views/lesson_sheets.hpp"

#include <imgui.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "ui/views/histogram_panel.hpp"
#include "ui/views/lesson_controls.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/pick_grid.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

std::string lane_sheet(const AppState& s, Ui& ui, ImVec2 size) {
  return lane_boxes(ui.look, std::min(size.x, ui.look.u(520)), s.lesson.answer);
}

std::string array_sheet(const AppState& s, Ui& ui, ImVec2 size) {
  return array_rows(s, ui, std::min(size.x, ui.look.u(520)));
}

std::string finding_sheet(const AppState& s, Ui& ui, ImVec2 size) {
  return order_list(s, ui, std::min(size.x, ui.look.u(560)));
}

std::string cell_sheet(const AppState& s, Ui& ui, ImVec2 size) {
  return cell_boxes(s, ui, "cells of the sheet", std::min(size.x, ui.look.u(640)), size.y);
}

// The list of sheets by kind of question (core/lesson/question.hpp). answered_on() says on which tab a sheet is shown.
struct Sheet {
  const char *kind, *title, *hint;
  std::string (*draw)(const AppState& s, Ui& ui, ImVec2 size);
};
constexpr Sheet kSheets[] = {
    {"lanes", "Warp", "Click on lanes, or drag over them. What they ask for is covered.", lane_sheet},
    {"sectors", "Warp",
     "Each line has four sectors of 32 bytes. Click on those that the step touches, or drag over them.", sector_sheet},
    {"alone", "SM over time", "Drag the line to where one warp of the SM is left. When each of them ends is covered.",
     alone_sheet},
    {"array", "Arrays", "Click on an array. What its requests touch is covered.", array_sheet},
    {"padding", "Arrays", "Click on each array from which padding is read. What the arrays hold is covered.",
     padding_sheet},
    {"hyb_k", "HYB", "Drag K over the row lengths: what is longer goes on in COO.", k_sheet},
    {"point", "Roofline",
     "Drop the point where the run will stand under the DRAM roof: click, drag, or use the arrows.", point_sheet},
    {"roof", "Roofline", "Click on a roof, or choose one that is no line here.", roof_sheet},
    {"findings", "Findings", "Put them in order: what costs most stands first.", finding_sheet},
    {"cell", "Tune", "Click on the cell that you take for the fastest.", cell_sheet},
};

const Sheet* sheet_of(const LessonQuestion& q) {
  for (const Sheet& sheet : kSheets)
    if (q.kind == sheet.kind) return &sheet;
  return nullptr;
}

}  // namespace

bool draw_sheet(const AppState& s, Ui& ui, const std::string& tab) {
  const Sheet* sheet = s.lesson.step() ? sheet_of(s.lesson.step()->question) : nullptr;
  const AnsweredOn* tabs = sheet ? answered_on(sheet->kind) : nullptr;
  if (!tabs || !tabs->on(tab)) return false;
  const Look& l = ui.look;
  heading(l, sheet->title, "The lesson asks here. What would tell the answer is covered until you predict.");
  gap(l, 4);
  {
    const FontScope font(*l.fonts, Face::ui, 13);
    paragraph(l, l.palette->ink, s.lesson.step()->question.ask);
  }
  caption(l, sheet->hint);
  gap(l, 8);
  if (!s.lesson.ready) return caption(l, "Its run is being made\xE2\x80\xA6"), true;
  const std::string answer = sheet->draw(s, ui, ImGui::GetContentRegionAvail());
  if (answer != s.lesson.answer) ui.out(DraftAnswer{answer, s.lesson.reason});
  return true;
}

std::string array_rows(const AppState& s, Ui& ui, float width) {
  const bool several = s.lesson.step()->question.kind == "padding";
  return offered_names(s, ui, width, several);
}

std::string k_sheet(const AppState& s, Ui& ui, ImVec2 size) {
  HistogramPanel panel;
  panel.draw(s, ui, ImVec2(size.x, std::min(size.y, ui.look.u(420))));
  return s.lesson.answer;  // the panel takes it
}

namespace {

// "Threads per row", as the kernel calls it.
std::string label_of(const AppState& s, const std::string& param) {
  if (const KernelInfo* kernel = s.catalog->kernel(s.knobs.kernel))
    for (const ParamSpec& p : kernel->params)
      if (p.id == param && !p.label.empty()) return p.label;
  return param;
}

}  // namespace

std::string cell_boxes(const AppState& s, Ui& ui, const char* id, float width, float most_height) {
  const Look& l = ui.look;
  const Palette& p = *l.palette;
  const std::vector<LessonAxis>& plane = s.lesson.step()->question.plane;
  const std::size_t nx = plane[0].values.size(), ny = plane[1].values.size();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  auto* list = ImGui::GetWindowDrawList();
  float left = 0;
  for (const std::string& v : plane[1].values) left = std::max(left, text_width(l, Face::mono, 12, v));
  left += l.u(8);
  const float top = l.u(18), foot = l.u(20), space = l.u(3);
  const float w = std::max(l.u(14), (width - left) / static_cast<float>(nx)),
              h = std::clamp((most_height - top - foot) / static_cast<float>(ny), l.u(20), l.u(56));
  draw_text(l, list, at, Face::ui, 12, p.muted, label_of(s, plane[1].param) + " upwards", width);
  const auto box = [&](std::size_t k) {
    const float x = at.x + left + static_cast<float>(k % nx) * w,
                y = at.y + top + static_cast<float>(ny - 1 - k / nx) * h;
    return Focus::Area{x, y, x + w - space, y + h - space};
  };
  const auto name = [&](std::size_t k) { return plane[0].values[k % nx] + " " + plane[1].values[k / nx]; };
  for (std::size_t k = 0; k < nx * ny; ++k) {
    const Focus::Area a = box(k);
    const bool on = s.lesson.answer == name(k);
    list->AddRectFilled(ImVec2(a.x0, a.y0), ImVec2(a.x1, a.y1), u32(on ? p.accent : p.control), l.u(3));
    if (on) draw_text(l, list, ImVec2(a.x0 + l.u(4), a.y0 + l.u(2)), Face::ui, 12, p.on_accent, "you", a.x1 - a.x0);
    if (k % nx == 0)
      draw_text(l, list, ImVec2(at.x, a.y0 + (h - l.u(18)) / 2), Face::mono, 12, p.muted,
                name(k).substr(name(k).find(' ') + 1));
    if (k < nx) draw_text(l, list, ImVec2(a.x0, a.y1 + l.u(5)), Face::mono, 12, p.muted, plane[0].values[k], w);
  }
  const float bottom = at.y + top + static_cast<float>(ny) * h;
  const auto turned = pick_grid(l, id, {at.x + left, at.y + top, at.x + left + static_cast<float>(nx) * w, bottom},
                                {.count = nx * ny,
                                 .across = nx,
                                 .upwards = true,
                                 .drags = false,
                                 .box = box,
                                 .name = [&](std::size_t k) { return "cell " + name(k); },
                                 .on = [&](std::size_t k) { return s.lesson.answer == name(k); }});
  ImGui::SetCursorScreenPos(ImVec2(at.x, bottom + foot));
  caption(l, label_of(s, plane[0].param) + " to the right");
  return turned.empty() ? s.lesson.answer : name(turned.back());
}

}  // namespace warpspy::ui
