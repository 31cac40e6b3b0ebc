#include "ui/views/format_panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "core/catalog/alignment.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

KindBytes kind_bytes(const FormatInfo& info, const Estimate& e, index_t cols, Precision precision) {
  using Kind = ArraySize::Kind;
  KindBytes b{static_cast<double>(e.bytes(Kind::values)), static_cast<double>(e.bytes(Kind::indices)),
              static_cast<double>(e.bytes(Kind::pointers)), 0};
  const auto padding = static_cast<double>(e.padding);
  const double in_values = std::min(b.values, padding * bytes_of(precision));
  using Index = FormatInfo::PaddingIndex;
  const double each = info.padding_index == Index::column     ? static_cast<double>(IndexArray::width(cols))
                      : info.padding_index == Index::pair16   ? 4
                      : info.padding_index == Index::offset16 ? 2
                      : info.padding_index == Index::offset8  ? 1
                                                              : 0;
  const double in_indices = std::min(b.indices, padding * each);
  b.values -= in_values, b.indices -= in_indices;
  b.padding = in_values + in_indices;
  return b;
}

namespace {

void line(const Look& l, const std::string& name, const std::string& value, std::optional<Color> chip,
          const std::string& help) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float w = ImGui::GetContentRegionAvail().x;
  auto* list = ImGui::GetWindowDrawList();
  float x = at.x;
  if (chip) {
    list->AddRectFilled(ImVec2(x, at.y + l.u(4)), ImVec2(x + l.u(8), at.y + l.u(12)), u32(*chip), l.u(2));
    x += l.u(14);
  }
  const float number = text_width(l, Face::mono, 12, value);
  draw_text(l, list, ImVec2(x, at.y), Face::ui, 13, l.palette->muted, name, w - (x - at.x) - number - l.u(8));
  draw_text(l, list, ImVec2(at.x + w - number, at.y + l.u(1)), Face::mono, 12, l.palette->ink, value);
  ImGui::Dummy(ImVec2(w, l.u(14)));
  tip(l, help);
}

void sliders(const AppState& s, Ui& ui, const FormatRow& row) {
  const auto* m = s.current();
  const index_t longest = m && m->facts ? m->facts->rows.max : 0;
  ImGui::PushID("sliders");
  ImGui::PushItemWidth(-1);
  for (ParamSpec spec : row.info.params) {
    double value = shown_param(s, row.info, spec);
    // A cut beyond the longest row has no further effect, so the slider ends there.
    if ((spec.id == "k" || spec.id == "boundary") && longest > 0)
      spec.max = std::max({spec.min + 1, std::min(spec.max, static_cast<double>(longest)), value});
    if (knob(ui.look, spec, value)) ui.out(SetFormatParam{row.info.id, spec.id, value});
    gap(ui.look, 6);
  }
  ImGui::PopItemWidth();
  ImGui::PopID();
}

void roles(const Look& l, const FormatCost& cost, index_t cols, Precision precision) {
  const KindBytes b = kind_bytes(format_row(cost.format).info, *cost.estimate, cols, precision);
  const plot::Theme theme = l.figure();
  const double all = std::max(1.0, b.values + b.indices + b.pointers + b.padding);
  const Color ink = l.palette->ink, ground = l.palette->ground;
  const auto grey = [&](double t) {
    const auto mix = [&](std::uint8_t a, std::uint8_t c) {
      return static_cast<std::uint8_t>(std::lround(a + t * (c - a)));
    };
    return Color{mix(ground.r, ink.r), mix(ground.g, ink.g), mix(ground.b, ink.b), 255};
  };
  struct Part {
    const char* name;
    double bytes;
    Color color;
    const char* help;
  };
  const Part parts[] = {
      {"values", b.values, theme.dark ? plot::rgb(0x56B4E9) : plot::rgb(0x41A4DC), "The values of entries."},
      {"indices", b.indices, plot::rgb(0xB8860B), "Rows, columns or diagonals of entries."},
      {"pointers", b.pointers, grey(0.55), "Where rows, slices, parts begin; permutations."},
      {"padding", b.padding, grey(0.2), "Values and indices of slots that hold no entry."}};
  heading(l, "Bytes", "Of the arrays, by what they hold. Exact, and known before they are built.");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float w = ImGui::GetContentRegionAvail().x, h = l.u(10);
  auto* list = ImGui::GetWindowDrawList();
  double so_far = 0;
  for (const auto& p : parts) {
    const float x0 = at.x + w * static_cast<float>(so_far / all);
    so_far += p.bytes;
    const float x1 = at.x + w * static_cast<float>(so_far / all);
    if (x1 - x0 >= 0.5f) list->AddRectFilled(ImVec2(x0, at.y), ImVec2(x1, at.y + h), u32(p.color));
  }
  ImGui::Dummy(ImVec2(w, h));
  gap(l, 4);
  for (const auto& p : parts)
    line(l, p.name, p.bytes > 0 ? bytes_text(p.bytes) + "  " + percent_text(p.bytes / all) : "0 B", p.color, p.help);
}

}  // namespace

void FormatPanel::draw(const AppState& s, Ui& ui) {
  const Look& l = ui.look;
  const FormatRow& row = format_row(s.knobs.format);
  const auto* m = s.current();
  const FormatCost* cost = m && m->costs ? m->costs->of(s.knobs.format) : nullptr;
  heading(l, row.info.label, row.info.help + (row.info.source.empty() ? "" : "\n" + row.info.source));
  caption(l, row.info.source.empty() ? row.info.help : row.info.source);
  gap(l, 8);
  sliders(s, ui, row);
  if (row.info.params.empty()) caption(l, "It has no parameters.");
  if (!cost || !m->matrix) return;
  gap(l, 8);
  if (!cost->problem.empty()) return paragraph(l, l.palette->warning, "! " + cost->problem);
  if (!cost->estimate) return caption(l, "Its size is being computed\xE2\x80\xA6");
  if (!cost->fits) paragraph(l, l.palette->warning, "! It " + cost->reason + ".");
  roles(l, *cost, m->matrix->csr->cols(), m->costs->precision);
  ParamSet chosen;
  for (const ParamSpec& spec : row.info.params) chosen[spec.id] = param_value(s.knobs.format_params, row.info.id, spec);
  if (const std::string note = alignment_note(row.info, chosen, m->matrix->csr->rows()); !note.empty())
    caption(l, note + ". With an alignment of 1 there are none.");
  if (cost->estimate->facts.empty()) return;
  gap(l, 10);
  heading(l, "Facts", "What these parameters make of this matrix.");
  for (const auto& f : cost->estimate->facts) {
    const FactText text = fact_text(row.info, f);
    line(l, text.name, text.value, {}, f.name);
  }
}

}  // namespace warpspy::ui
