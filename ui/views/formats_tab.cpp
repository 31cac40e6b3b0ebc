#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ui/platform/compat.hpp"
#include "ui/views/format_panel.hpp"
#include "ui/views/histogram_panel.hpp"
#include "ui/views/layout_panel.hpp"
#include "ui/views/memory_fields.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr const char* kDash = "\xE2\x80\x93";
constexpr float kRow = 19;  // the content of a row

struct Column {
  const char *name, *unit, *help;
  float width;  // 0: stretches
};
// In the order of FormatColumn.
constexpr Column columns[kFormatColumns] = {
    {"Format", "", "Storage formats of the papers. Click one to see its parameters and its arrays.", 0},
    {"Bytes", "", "Of all arrays, exact, before anything is built.", 72},
    {"B/nnz", "", "Bytes per entry of the matrix.", 58},
    {"Padding", "%", "Slots that hold no entry, of all slots.", 66},
    {"Minimum", "", "Bytes that one product must move at least: every array, x and y once (Reguly & Giles eq. 4).", 72},
    {"flop/B", "", "2 nnz / minimum bytes: the arithmetic intensity that no run of the format can exceed (modelled).",
     56},
    {"State", "",
     "Click Build to convert the matrix. Every entry is compared with the matrix afterwards (row, column and "
     "value, by a 64-bit sum over all of them); that is not part of the time.",
     86},
    {"Convert", "ms", "Time of the conversion from CSR on this machine's processor, measured.", 72},
    {"Break-even", "",
     "Products after which the conversion is paid back: t_convert / (t_csr - t_format), against the best "
     "CSR run (Reguly & Giles, figure 16).",
     78},
};

float table_height(const Look& l) {
  return (static_cast<float>(formats().size()) + 1) * (l.u(kRow) + 2 * l.u(1)) + l.u(4);
}

void cell(const Look& l, const std::string& text, Color ink, const std::string& help, Face face = Face::mono) {
  const float room = ImGui::GetContentRegionAvail().x, w = text_width(l, face, 13, text);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x + std::max(0.f, room - w), at.y + l.u(1)), face, 13, ink, text,
            room);
  ImGui::Dummy(ImVec2(room, l.u(kRow)));
  if (!help.empty()) tip(l, help);
}

// Costs of the formats of the current matrix; below it the one that is looked at.
class FormatsTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const auto* m = s.current();
    if (!m || !m->matrix) {
      if (empty_state(
              l, "No matrix yet",
              "What every storage format of the papers costs is listed here: bytes, padding and intensity, exact "
              "and before anything is built.",
              "Open a matrix"))
        ui.out(ShowDialog{"open"});
      return;
    }
    memory_.draw(s, ui, ImGui::GetContentRegionAvail().x);
    gap(l, 4);
    const ImVec2 room = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
    const float lowest = l.u(200);
    const bool both = room.y >= l.u(340);
    const float upper = both ? std::min(table_height(l), std::max(l.u(120), room.y - lowest - l.u(24))) : room.y;
    table(s, ui, *m, ImVec2(room.x, upper));
    if (!both) return;
    const float y = at.y + upper + l.u(20), h = at.y + room.y - y;
    auto* list = ImGui::GetWindowDrawList();
    const ImU32 rule = u32(l.palette->hairline);
    list->AddLine(ImVec2(at.x, y - l.u(10)), ImVec2(at.x + room.x, y - l.u(10)), rule);
    const float gutter = l.u(24), side = std::min(room.x, l.u(212));
    const auto place = [&](const char* id, float x, float w, ImGuiWindowFlags flags, auto&& draw) {
      if (w < l.u(60)) return;
      ImGui::SetCursorScreenPos(ImVec2(x, y));
      ImGui::BeginChild(id, ImVec2(w, h), false, flags);
      draw(ImVec2(w, h));
      ImGui::EndChild();
    };
    const auto fixed = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    place("format", at.x, side, 0, [&](ImVec2) { format_.draw(s, ui); });
    const float rest = room.x - side - gutter;
    // Printed arrays need width more than the histogram of a small matrix does.
    const bool printed = s.layout && !s.layout->tables.empty();
    const bool two = rest > l.u(printed ? 700 : 440);
    const float each = two ? std::floor((rest - gutter) * (printed ? 0.66f : 0.5f)) : rest;
    place("layout", at.x + side + gutter, each, fixed, [&](ImVec2 size) { layout_.draw(s, ui, size); });
    list->AddLine(ImVec2(at.x + side + gutter / 2, y), ImVec2(at.x + side + gutter / 2, y + h), rule);
    if (!two) return;
    place("rows", at.x + side + 2 * gutter + each, rest - gutter - each, fixed,
          [&](ImVec2 size) { histogram_.draw(s, ui, size); });
    list->AddLine(ImVec2(at.x + side + gutter * 1.5f + each, y), ImVec2(at.x + side + gutter * 1.5f + each, y + h),
                  rule);
  }

 private:
  static void header(const AppState& s, Ui& ui, int k) {
    const Look& l = ui.look;
    const Column& c = columns[k];
    const auto by = static_cast<FormatColumn>(k);
    const bool sorted = s.sort_formats == by;
    ImGui::TableNextColumn();
    ImGui::PushID(k);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = std::max(1.f, ImGui::GetContentRegionAvail().x);
    if (ImGui::InvisibleButton("sort", ImVec2(room, l.u(18))))
      ui.out(SortFormats{by, sorted ? !s.sort_descending : false});
    const bool hot = ImGui::IsItemHovered();
    auto* list = ImGui::GetWindowDrawList();
    const std::string text = *c.unit ? std::string(c.name) + " " + c.unit : c.name;
    const float w = text_width(l, Face::ui, 12, text), arrow = sorted ? l.u(10) : 0;
    const float x = k == 0 ? at.x : at.x + std::max(0.f, room - w - arrow);
    const Color ink = sorted || hot ? l.palette->ink : l.palette->muted;
    draw_text(l, list, ImVec2(x, at.y), Face::ui, 12, ink, text, room - arrow);
    if (sorted) {
      const float ax = std::min(x + w, at.x + room - arrow) + l.u(3), ay = at.y + l.u(5), d = l.u(6);
      if (s.sort_descending)
        list->AddTriangleFilled(ImVec2(ax, ay), ImVec2(ax + d, ay), ImVec2(ax + d / 2, ay + d), u32(ink));
      else
        list->AddTriangleFilled(ImVec2(ax + d / 2, ay), ImVec2(ax + d, ay + d), ImVec2(ax, ay + d), u32(ink));
    }
    tip(l, std::string(c.help) + "\nClick sorts.");
    ImGui::PopID();
  }

  void table(const AppState& s, Ui& ui, const OpenMatrix& m, ImVec2 size) {
    const Look& l = ui.look;
    const auto order = sorted_formats(s, m, s.sort_formats, s.sort_descending);
    // Where there is no room for all, the last columns give way.
    int shown = kFormatColumns;
    float need = l.u(90);
    for (const auto& c : columns) need += l.u(c.width) + l.u(8);
    for (; shown > 2 && need > size.x; --shown)
      if (columns[shown - 1].width > 0) need -= l.u(columns[shown - 1].width) + l.u(8);
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(l.u(4), l.u(1)));
    const auto flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoPadOuterX;
    if (ImGui::BeginTable("formats", shown, flags, size)) {
      ImGui::TableSetupScrollFreeze(0, 1);
      for (int k = 0; k < shown; ++k)
        ImGui::TableSetupColumn(
            columns[k].name,
            columns[k].width > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch,
            columns[k].width > 0 ? l.u(columns[k].width) : 1.f);
      ImGui::TableNextRow();
      for (int k = 0; k < shown; ++k) header(s, ui, k);
      for (const std::size_t k : order) row(s, ui, m, formats()[k], shown);
      ImGui::EndTable();
    }
    ImGui::PopStyleVar();
  }

  static void row(const AppState& s, Ui& ui, const OpenMatrix& m, const FormatRow& f, int shown) {
    const Look& l = ui.look;
    const Palette& p = *l.palette;
    const std::string& id = f.info.id;
    const FormatCost* cost = m.costs ? m.costs->of(id) : nullptr;
    const Estimate* e = cost && cost->estimate ? &*cost->estimate : nullptr;
    const bool possible = e && cost->fits;
    const Color ink = possible ? p.ink : p.muted;
    const auto nnz = static_cast<double>(m.matrix->csr->nnz());
    ImGui::PushID(id.c_str());
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    if (id == s.knobs.format) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, u32(p.select));
    const ImVec2 start = ImGui::GetCursorPos(), at = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable("##row", false, ImGuiSelectableFlags_SpanAllColumns | kSelectableOverlap,
                          ImVec2(0, l.u(kRow))))
      ui.out(SetFormat{id});
    const float room = ImGui::GetContentRegionAvail().x;
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x + l.u(4), at.y + l.u(1)), Face::ui, 13, ink, f.info.label,
              room - l.u(4));
    ImGui::SetCursorPos(start);
    ImGui::Dummy(ImVec2(room, l.u(kRow)));
    tip(l, f.info.help + (f.info.source.empty() ? "" : "\n" + f.info.source));
    const std::string none = cost && cost->waiting ? "\xE2\x80\xA6" : kDash;
    const std::string why = !cost           ? "Being computed."
                            : cost->waiting ? "Computed when the sliders rest: it takes a while."
                            : !e            ? cost->problem
                            : !cost->fits   ? "It " + cost->reason + "."
                                            : "";
    for (int k = 1; k < shown; ++k) {
      ImGui::TableNextColumn();
      switch (static_cast<FormatColumn>(k)) {
        case FormatColumn::format:
          break;
        case FormatColumn::bytes:
          cell(l, e ? bytes_text(static_cast<double>(e->bytes())) : none, ink,
               e ? count_text(static_cast<index_t>(std::min<std::size_t>(e->bytes(), INT64_MAX))) + " bytes" : why);
          break;
        case FormatColumn::per_nnz:
          cell(l, e && nnz > 0 ? per_entry(static_cast<double>(e->bytes()) / nnz) : none, ink, why);
          break;
        case FormatColumn::padding:
          cell(l, e ? padding_text(e->padding_ratio()) : none, ink,
               e ? count_text(e->padding) + " of " + count_text(e->stored) + " slots" : why);
          break;
        case FormatColumn::minimum:
          cell(l, e ? bytes_text(static_cast<double>(cost->minimum_bytes)) : none, ink, why);
          break;
        case FormatColumn::intensity:
          cell(l, e && nnz > 0 ? real_text(minimum_intensity(m.matrix->csr->nnz(), cost->minimum_bytes), 3) : none, ink,
               why);
          break;
        case FormatColumn::built:
          state(s, ui, m, id, cost, why);
          break;
        case FormatColumn::time:
          time(s, ui, m, id);
          break;
        case FormatColumn::even:
          even(s, ui, m, id);
          break;
      }
    }
    ImGui::PopID();
  }

  static std::string per_entry(double bytes) {
    return bytes >= 999.5 ? count_text(std::llround(bytes)) : real_text(bytes, 3);
  }
  static std::string padding_text(double share) {
    if (share == 0) return "0";
    if (share > 0.9994) return "> 99.9";
    char text[24];
    std::snprintf(text, sizeof text, share < 0.00995 ? "%.2g" : "%.1f", 100 * share);
    return text;
  }

  // "Build", or how far it is, or that it is built; and the way back.
  static void state(const AppState& s, Ui& ui, const OpenMatrix& m, const std::string& id, const FormatCost* cost,
                    const std::string& why) {
    const Look& l = ui.look;
    const Palette& p = *l.palette;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    auto* list = ImGui::GetWindowDrawList();
    const auto right = [&](const std::string& text, Color c, float less) {
      draw_text(l, list, ImVec2(at.x + std::max(0.f, room - less - text_width(l, Face::ui, 13, text)), at.y + l.u(1)),
                Face::ui, 13, c, text, room - less);
    };
    const auto cross_at = ImVec2(at.x + room - l.u(16), at.y + l.u(1));
    if (const auto job = m.building.find(id); job != m.building.end()) {
      const double share = job->second->progress.fraction();
      right(share > 0 && share < 1 ? percent_text(share) : job->second->progress.stage(), p.ink, l.u(20));
      list->AddRectFilled(
          ImVec2(at.x, at.y + l.u(kRow) - 1),
          ImVec2(at.x + (room - l.u(20)) * static_cast<float>(std::clamp(share, 0.0, 1.0)), at.y + l.u(kRow)),
          u32(p.ink));
      ImGui::SetCursorScreenPos(cross_at);
      if (cross_button(l, "cancel", "Cancel the conversion.")) ui.out(CancelJob{job->second->id});
      return;
    }
    if (const BuiltFormat* built = built_of(s, m, id)) {
      ImGui::Dummy(ImVec2(std::max(1.f, room - l.u(18)), l.u(kRow)));
      tip(l, "Built and kept: " + bytes_text(static_cast<double>(built->arrays->size().bytes())) +
                 (format_row(id).from_elements
                      ? ". Its contributions add up to every entry of the matrix, within rounding."
                      : ". Every entry was compared with the matrix."));
      right("built", p.ink, l.u(20));
      ImGui::SetCursorScreenPos(cross_at);
      if (cross_button(l, "release", "Release its memory.")) ui.out(ReleaseFormat{id});
      return;
    }
    if (!cost || cost->waiting || !cost->estimate || !cost->fits) {
      const bool warn = cost && !cost->waiting && cost->estimate;
      cell(l,
           !cost || cost->waiting ? "\xE2\x80\xA6"
           : warn                 ? "! too large"
                                  : "not possible",
           warn ? p.warning : p.muted, warn ? why + alternatives(m) : why, Face::ui);
      return;
    }
    // As tall as its row, not as a button elsewhere.
    const float w = text_width(l, Face::ui, 13, "Build") + l.u(16);
    const ImVec2 from(at.x + room - w, at.y), to(at.x + room, at.y + l.u(kRow));
    ImGui::SetCursorScreenPos(from);
    if (ImGui::InvisibleButton("build", ImVec2(w, l.u(kRow)))) ui.out(BuildFormat{id}), ui.out(SetFormat{id});
    if (ImGui::IsItemHovered()) list->AddRectFilled(from, to, u32(p.control_hot), l.u(4));
    draw_text(l, list, ImVec2(from.x + l.u(8), at.y + l.u(1)), Face::ui, 13, p.ink, "Build");
    tip(l, m.any_built(id) ? "Builds it again with these parameters; what is kept of the former ones is released."
                           : "Converts the matrix, in the background.");
  }

  // The formats that would fit instead, smallest first.
  static std::string alternatives(const OpenMatrix& m) {
    std::vector<const FormatCost*> fit;
    for (const auto& c : m.costs->rows)
      if (c.estimate && c.fits) fit.push_back(&c);
    std::sort(fit.begin(), fit.end(), [](auto* a, auto* b) { return a->estimate->bytes() < b->estimate->bytes(); });
    std::string text;
    for (const auto* c : fit)
      text += (text.empty() ? "\nThese fit: " : ", ") + format_row(c->format).info.label + " (" +
              bytes_text(static_cast<double>(c->estimate->bytes())) + ")";
    return text.empty() ? "\nNo format fits: raise the memory budget, close other programs or use a smaller matrix."
                        : text;
  }

  static void time(const AppState& s, Ui& ui, const OpenMatrix& m, const std::string& id) {
    const Look& l = ui.look;
    const BuiltFormat* built = built_of(s, m, id);
    if (!built) return cell(l, kDash, l.palette->muted, "Not measured: build it.");
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    const std::string text = real_text(built->seconds * 1e3, 3);
    auto* list = ImGui::GetWindowDrawList();
    draw_text(l, list, ImVec2(at.x + room - l.u(12) - text_width(l, Face::mono, 13, text), at.y + l.u(1)), Face::mono,
              13, l.palette->ink, text);
    draw_provenance(l, list, ImVec2(at.x + room - l.u(4), at.y + l.u(9)), l.u(3.5f), Provenance::measured,
                    l.palette->muted);
    ImGui::Dummy(ImVec2(room, l.u(kRow)));
    tip(l, "Measured: one conversion from CSR, " +
               real_text(static_cast<double>(m.matrix->csr->nnz()) / 1e6 / std::max(1e-9, built->seconds), 3) +
               " million entries a second.");
  }

  static void even(const AppState& s, Ui& ui, const OpenMatrix& m, const std::string& id) {
    const Look& l = ui.look;
    const BreakEven b = break_even_of(s, m, id);
    const std::string text = b.products ? count_text(static_cast<index_t>(std::ceil(*b.products)))
                             : b.never  ? "never"
                                        : kDash;
    cell(l, text, b.products ? l.palette->ink : l.palette->muted, b.why);
  }

  MemoryFields memory_;
  FormatPanel format_;
  LayoutPanel layout_;
  HistogramPanel histogram_;
};

}  // namespace

extern const ViewRow formats_tab = {
    .id = "formats",
    .label = "Formats",
    .place = Place::tab,
    .help = "What every storage format costs, before it is built.",
    .keys = {key('3'), true},
    .make = make<FormatsTab>,
};

}  // namespace warpspy::ui
