#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tuple>
#include <vector>

#include "ui/platform/compat.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/views/figure_view.hpp"
#include "ui/views/format_panel.hpp"
#include "ui/views/histogram_panel.hpp"
#include "ui/views/layout_panel.hpp"
#include "ui/views/memory_fields.hpp"
#include "ui/views/view.hpp"
#include "ui/views/waiting.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/menu.hpp"
#include "ui/widgets/table.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr float kRow = 19;  // the content of a row

// In the order of FormatColumn.
std::vector<TableColumn> columns() {
  return {
      {.name = "Format",
       .help = "Storage formats of the papers. Click one to see its parameters and its arrays.",
       .inset = 4},
      {.name = "Bytes", .help = "Of all arrays, exact, before anything is built.", .width = 72, .right = true},
      {.name = "B/nnz", .help = "Bytes per entry of the matrix.", .width = 58, .right = true},
      {.name = "Padding %", .help = "Slots that hold no entry, of all slots.", .width = 66, .right = true},
      {.name = "Minimum",
       .help = "Bytes that one product must move at least: every array, x and y once (Reguly & Giles eq. 4).",
       .width = 72,
       .right = true},
      {.name = "flop/B",
       .help = "2 nnz / minimum bytes: the arithmetic intensity that no run of the format can exceed (modelled).",
       .width = 56,
       .right = true},
      {.name = "State",
       .help = "Click Build to convert the matrix. Every entry is compared with the matrix afterwards (row, column "
               "and value, by a 64-bit sum over all of them); that is not part of the time.",
       .width = 86,
       .right = true},
      {.name = "Convert ms",
       .help = "Time of the conversion from CSR on this machine's processor, measured.",
       .width = 72,
       .right = true},
      {.name = "Break-even",
       .help = "Products after which the preparation is paid back: (t_prepare - that of CSR) / (t_csr - t_format), "
               "against the best CSR run (Reguly & Giles, figure 16).",
       .width = 78,
       .right = true},
      {.name = "Prepared",
       .help = "What the fastest run of the format spends before its first product, conversion and setup, in products "
               "of the best CSR run. The copy to the device is not part of it.",
       .width = 60,
       .right = true}};
}
constexpr TableStyle kStyle{.pad_x = 4, .pad_y = 1, .row = kRow, .head = 12};

float table_height(const Look& l) {
  return (static_cast<float>(formats().size()) + 1) * (l.u(kRow) + 2 * l.u(kStyle.pad_y)) + l.u(4);
}

// The order of rows. It changes when another is asked for; and when a number changes, once all are known, but never
// under the pointer.
class SteadyOrder {
 public:
  const std::vector<std::size_t>& of(const AppState& s, const OpenMatrix& m, bool pointed_at) {
    const Asked asked{m.id, s.sort_formats, s.sort_descending};
    if (asked != asked_ || rows_.empty() || (all_known(m) && !pointed_at)) {
      asked_ = asked;
      rows_ = sorted_formats(s, m, s.sort_formats, s.sort_descending);
    }
    return rows_;
  }

 private:
  using Asked = std::tuple<MatrixId, FormatColumn, bool>;
  static bool all_known(const OpenMatrix& m) {
    return m.costs && std::none_of(m.costs->rows.begin(), m.costs->rows.end(), [](const auto& c) { return c.waiting; });
  }

  Asked asked_;
  std::vector<std::size_t> rows_;
};

// Costs of the formats of the current matrix; below it the one that is looked at.
class FormatsTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const auto* m = s.current();
    if (waits_for_matrix(ui, m)) return;
    if (!m) {
      if (empty_state(
              l, "No matrix yet",
              "What every storage format of the papers costs is listed here: bytes, padding and intensity, exact "
              "and before anything is built.",
              "Open a matrix"))
        ui.out(AskForFiles{});
      return;
    }
    memory_.draw(s, ui, ImGui::GetContentRegionAvail().x);
    gap(l, 4);
    const ImVec2 room = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
    // The tab scrolls if there is no room for both.
    const float lowest = l.u(200), tall = std::max(room.y, l.u(360));
    const float upper = std::min(table_height(l), std::max(l.u(120), tall - lowest - l.u(24)));
    table(s, ui, *m, ImVec2(room.x, upper));
    const float y = at.y + upper + l.u(20), h = at.y + tall - y;
    auto* list = ImGui::GetWindowDrawList();
    const ImU32 rule = u32(l.palette->hairline);
    list->AddLine(ImVec2(at.x, y - l.u(10)), ImVec2(at.x + room.x, y - l.u(10)), rule);
    const float gutter = l.u(24), side = std::min(room.x, l.u(212));
    const auto place = [&](const char* id, float x, float w, ImGuiWindowFlags flags, auto&& draw) {
      ImGui::SetCursorScreenPos(ImVec2(x, y));
      ImGui::BeginChild(id, ImVec2(w, h), false, flags);
      draw(ImVec2(w, h));
      end_child();
    };
    const auto fixed = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    place("format", at.x, side, 0, [&](ImVec2) { format_.draw(s, ui); });
    const float rest = room.x - side - gutter;
    // Printed arrays need more width than the histogram of a small matrix.
    const bool printed = s.layout && !s.layout->tables.empty();
    const bool two = rest > l.u(printed ? 700 : 440);
    const float each = two ? std::floor((rest - gutter) * (printed ? 0.66f : 0.5f)) : rest;
    // Arrays that are printed are whole tables.
    const ImVec2 least(l.u(printed ? 420 : 220), l.u(printed ? 300 : 150));
    place("layout", at.x + side + gutter, std::max(each, l.u(60)), fixed, [&](ImVec2 size) {
      with_room("whole layout", size, least, [&](ImVec2 whole) { layout_.draw(s, ui, whole); });
    });
    list->AddLine(ImVec2(at.x + side + gutter / 2, y), ImVec2(at.x + side + gutter / 2, y + h), rule);
    if (!two) {  // below it: the tab scrolls
      ImGui::SetCursorScreenPos(ImVec2(at.x, y + h + gutter));
      const ImVec2 below(room.x, l.u(220));
      ImGui::BeginChild("rows", below, false, fixed);
      histogram_.draw(s, ui, below);
      return end_child();
    }
    place("rows", at.x + side + 2 * gutter + each, rest - gutter - each, fixed,
          [&](ImVec2 size) { histogram_.draw(s, ui, size); });
    list->AddLine(ImVec2(at.x + side + gutter * 1.5f + each, y), ImVec2(at.x + side + gutter * 1.5f + each, y + h),
                  rule);
  }

 private:
  void table(const AppState& s, Ui& ui, const OpenMatrix& m, ImVec2 size) {
    const Look& l = ui.look;
    // Without room for all columns, the last ones are left out and named. The column for building always stays.
    const auto all = columns();
    std::string left_out;
    std::vector<FormatColumn> shown;
    float need = l.u(90);
    for (std::size_t k = 0; k < all.size(); ++k) {
      shown.push_back(static_cast<FormatColumn>(k));
      need += l.u(all[k].width) + l.u(8);
    }
    while (shown.size() > 3 && need > size.x) {
      const auto last = shown.back() == FormatColumn::built ? shown.end() - 2 : shown.end() - 1;
      const TableColumn& column = all[static_cast<std::size_t>(*last)];
      need -= l.u(column.width) + l.u(8);
      left_out = column.name + (left_out.empty() ? "" : ", " + left_out);
      shown.erase(last);
    }
    if (!left_out.empty()) {
      size.y -= l.u(18);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + size.y + l.u(2)), Face::ui, 12, l.palette->muted,
                "No room for: " + left_out, size.x);
    }
    std::vector<TableColumn> looks;
    int sorted = -1;
    for (const FormatColumn c : shown) {
      if (c == s.sort_formats) sorted = static_cast<int>(looks.size());
      looks.push_back(all[static_cast<std::size_t>(c)]);
    }
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const bool pointed_at = ImGui::IsMouseHoveringRect(from, ImVec2(from.x + size.x, from.y + size.y));
    Table table(l, "formats", std::move(looks), size, kStyle);
    if (!table) return;
    const int by = table.sortable_head(sorted, s.sort_descending);
    if (by >= 0) {
      const FormatColumn column = shown[static_cast<std::size_t>(by)];
      ui.out(choose("formats by", order_text(column, s.sort_formats == column && !s.sort_descending)));
    }
    for (const std::size_t k : order_.of(s, m, pointed_at)) {
      ImGui::PushID(formats()[k].info.id.c_str());
      row(s, ui, m, table, formats()[k], shown);
      ImGui::PopID();
    }
  }

  static void row(const AppState& s, Ui& ui, const OpenMatrix& m, Table& table, const FormatRow& f,
                  const std::vector<FormatColumn>& shown) {
    const Look& l = ui.look;
    const Palette& p = *l.palette;
    const std::string& id = f.info.id;
    const FormatCost* cost = m.costs ? m.costs->of(id) : nullptr;
    const Estimate* e = cost && cost->estimate ? &*cost->estimate : nullptr;
    const Color ink = e && cost->fits ? p.ink : p.muted;
    const auto nnz = static_cast<double>(m.matrix->csr->nnz());
    table.row(id == s.knobs.format);
    if (table.pick()) ui.out(choose("format", id));
    const bool can_build = e && cost->fits && !m.building.contains(id) && !built_of(s, m, id);
    if (table.row_keys().pressed && can_build) ui.out(BuildFormat{id});
    menu(s, ui, m, table, id, can_build);
    table.text(f.info.label, ink, Face::ui, f.info.help + (f.info.source.empty() ? "" : "\n" + f.info.source));
    const std::string why = why_not(cost);
    const auto number = [&](bool known, const auto& text, const std::string& help) {
      table.text(known ? text() : cost && cost->waiting ? "\xE2\x80\xA6" : kDash, ink, Face::mono, help);
    };
    for (const FormatColumn column : shown) {
      switch (column) {
        case FormatColumn::format:
          break;
        case FormatColumn::bytes:
          number(
              e, [&] { return bytes_text(static_cast<double>(e->bytes())); },
              e ? count_text(static_cast<index_t>(std::min<std::size_t>(e->bytes(), INT64_MAX))) + " bytes" : why);
          break;
        case FormatColumn::per_nnz:
          number(e && nnz > 0, [&] { return per_entry(static_cast<double>(e->bytes()) / nnz); }, why);
          break;
        case FormatColumn::padding:
          number(
              e, [&] { return padding_text(e->padding_ratio()); },
              e ? count_text(e->padding) + " of " + count_text(e->stored) + " slots" : why);
          break;
        case FormatColumn::minimum:
          number(e, [&] { return bytes_text(static_cast<double>(cost->minimum_bytes)); }, why);
          break;
        case FormatColumn::intensity:
          number(
              e && nnz > 0, [&] { return real_text(minimum_intensity(m.matrix->csr->nnz(), cost->minimum_bytes), 3); },
              why);
          break;
        case FormatColumn::built:
          state(s, ui, m, table, id, cost, why);
          break;
        case FormatColumn::time:
          time(s, ui, m, table, id);
          break;
        case FormatColumn::even:
          even(s, ui, m, table, id);
          break;
        case FormatColumn::preparation:
          preparation(s, ui, m, table, id);
          break;
      }
    }
  }

  static void menu(const AppState& s, Ui& ui, const OpenMatrix& m, Table& table, const std::string& id,
                   bool can_build) {
    const Look& l = ui.look;
    bool opened = false;
    const bool open = begin_context_menu(l, "menu", table.row_keys(), &opened);
    if (opened) ui.out(choose("format", id));
    if (!open) return;
    if (menu_item(l, "Build",
                  {.keys = "Enter", .enabled = can_build, .help = "Converts the matrix, in the background."}))
      ui.out(BuildFormat{id});
    const bool built = built_of(s, m, id) != nullptr;
    if (menu_item(l, "Release its memory", {.enabled = built})) ui.out(ReleaseFormat{id});
    if (menu_item(l, "Copy the table", {.keys = "Ctrl+C"})) table.copy();
    end_menu(l);
  }

  // Why there are no numbers, or why the format cannot be built.
  static std::string why_not(const FormatCost* cost) {
    if (!cost) return "Being computed.";
    if (cost->waiting) return "Computed when the sliders rest: it takes a while.";
    if (!cost->estimate) return cost->problem;
    return cost->fits ? "" : "It " + cost->reason + ".";
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

  // "Build", the progress, or that it is built; and a button to free it.
  static void state(const AppState& s, Ui& ui, const OpenMatrix& m, Table& table, const std::string& id,
                    const FormatCost* cost, const std::string& why) {
    const Look& l = ui.look;
    const Palette& p = *l.palette;
    const auto job = m.building.find(id);
    const BuiltFormat* built = built_of(s, m, id);
    if (job == m.building.end() && !built && (!cost || cost->waiting || !cost->estimate || !cost->fits)) {
      const bool warn = cost && !cost->waiting && cost->estimate;
      const char* text = !cost || cost->waiting ? "\xE2\x80\xA6" : warn ? "! too large" : "not possible";
      return table.text(text, warn ? p.warning : p.muted, Face::ui, warn ? why + alternatives(m) : why);
    }
    const float room = table.next();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    auto* list = ImGui::GetWindowDrawList();
    const auto right = [&](const std::string& text, Color c, float less) {
      draw_text(l, list, ImVec2(at.x + std::max(0.f, room - less - text_width(l, Face::ui, 13, text)), at.y + l.u(1)),
                Face::ui, 13, c, text, room - less);
    };
    const auto cross_at = ImVec2(at.x + room - l.u(16), at.y + l.u(1));
    if (job != m.building.end()) {
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
    if (built) {
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
    // As high as its row, unlike other buttons.
    const float w = text_width(l, Face::ui, 13, "Build") + l.u(16);
    const ImVec2 from(at.x + room - w, at.y), to(at.x + room, at.y + l.u(kRow));
    ImGui::SetCursorScreenPos(from);
    // Not a stop of Tab, which would need a dozen presses: a command builds the format of the current row.
    if (ImGui::InvisibleButton("build", ImVec2(w, l.u(kRow)))) ui.out(BuildFormat{id}), ui.out(choose("format", id));
    show_item(l, "Build");
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

  static void time(const AppState& s, Ui& ui, const OpenMatrix& m, Table& table, const std::string& id) {
    const Palette& p = *ui.look.palette;
    const BuiltFormat* built = built_of(s, m, id);
    if (!built) return table.text(kDash, p.muted, Face::mono, "Not measured: build it.");
    const double entries_us = static_cast<double>(m.matrix->csr->nnz()) / 1e6 / std::max(1e-9, built->seconds);
    table.cell({.text = real_text(built->seconds * 1e3, 3),
                .ink = p.ink,
                .help = "Measured: one conversion from CSR, " + real_text(entries_us, 3) + " million entries a second.",
                .from = Provenance::measured});
  }

  static void even(const AppState& s, Ui& ui, const OpenMatrix& m, Table& table, const std::string& id) {
    const Palette& p = *ui.look.palette;
    const BreakEven b = break_even_of(s, m, id);
    const std::string text = b.products ? count_text(static_cast<index_t>(std::ceil(*b.products)))
                             : b.never  ? "never"
                                        : kDash;
    table.text(text, b.products ? p.ink : p.muted, Face::mono, b.why);
  }

  static void preparation(const AppState& s, Ui& ui, const OpenMatrix& m, Table& table, const std::string& id) {
    const Palette& p = *ui.look.palette;
    const BreakEven b = break_even_of(s, m, id);
    if (!b.preparation) return table.text(kDash, p.muted, Face::mono, b.why_unprepared);
    const double n = *b.preparation;
    table.cell({.text = n < 100 ? real_text(n, 3) : count_text(std::llround(n)),
                .ink = p.ink,
                .help = b.why_unprepared,
                .from = b.provenance});
  }

  SteadyOrder order_;
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
    .group = Topic::matrix,
    .help = "What every storage format costs, before it is built.",
    .scrolls = true,
    .make = make<FormatsTab>,
};

}  // namespace warpspy::ui
