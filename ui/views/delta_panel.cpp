#include "ui/views/delta_panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

struct Text {
  std::string text, help;
  Color ink;
  Face face = Face::mono;
  bool right = true;
  std::optional<Provenance> from = {};
};

void cell(const Look& l, const Text& t) {
  ImGui::TableNextColumn();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x, mark = t.from ? l.u(12) : 0;
  const float w = std::min(text_width(l, t.face, 13, t.text), std::max(0.f, room - mark));
  auto* list = ImGui::GetWindowDrawList();
  draw_text(l, list, ImVec2(t.right ? at.x + room - mark - w : at.x, at.y), t.face, 13, t.ink, t.text,
            std::max(0.f, room - mark) + 1);
  if (t.from)
    draw_provenance(l, list, ImVec2(at.x + room - l.u(4), at.y + l.u(8)), l.u(3.5f), *t.from, l.palette->muted);
  ImGui::Dummy(ImVec2(std::max(1.f, room), l.u(17)));
  if (!t.help.empty()) tip(l, t.help);
}

// A difference that is real is in ink, one that is not is quiet; direction is in the sign.
Text change(const Look& l, const Delta& d, const std::string& unit) {
  const Palette& p = *l.palette;
  if (!d.absolute) return {"\xE2\x80\x93", d.reason, p.muted};
  const bool real = d.verdict == Verdict::beyond_noise;
  std::string help = (*d.absolute >= 0 ? "+" : "\xE2\x88\x92") + real_text(std::fabs(*d.absolute)) + " " + unit;
  const std::string text = change_text(d, unit);
  if (text.empty()) help += "; the baseline is 0, so there is no percentage";
  return {text.empty() ? "\xE2\x80\x93" : text, help, real ? p.ink : p.muted, real ? Face::bold : Face::mono};
}

Text verdict(const Look& l, const Delta& d) {
  const Palette& p = *l.palette;
  static constexpr const char* helps[] = {
      "The others are compared with this.",
      "The two numbers are equal.",
      "The difference is not larger than the noise of both runs added up: another pair of runs might differ as much.",
      "The difference is larger than the noise of both runs added up.",
      "The noise of one of the two was not recorded, so nothing is said about this difference.",
      "One of the two runs has no such number."};
  const std::string help =
      d.verdict == Verdict::unavailable && !d.reason.empty() ? d.reason : helps[static_cast<int>(d.verdict)];
  return {warpspy::name_of(d.verdict), help, d.verdict == Verdict::beyond_noise ? p.ink : p.muted, Face::ui, false};
}

// Bytes with their prefix and long counts in groups, as everywhere in the window.
std::string amount_text(double v, const std::string& unit) {
  if (unit == "B") return bytes_text(v);
  const bool count = std::fabs(v) >= 1e4 && std::fabs(v) < 1e15 && v == std::floor(v);
  return count ? count_text(static_cast<index_t>(v)) : real_text(v, 5);
}

Text value(const Look& l, const Delta& d, const std::string& unit) {
  const Palette& p = *l.palette;
  if (!d.value) return {"unavailable", d.reason, p.muted, Face::ui};
  return {amount_text(*d.value, unit),
          std::string(warpspy::name_of(d.provenance)) + ", " + real_text(*d.value, 9),
          p.ink,
          Face::mono,
          true,
          d.provenance};
}

Text noise(const Look& l, const Delta& d) {
  const std::string help =
      "Median absolute deviation of the timed samples, in percent of the median. A model that ran "
      "whole has none.";
  return {d.noise ? (*d.noise == 0 ? "none" : "\xC2\xB1" + real_text(*d.noise, 2)) : "unknown", help, l.palette->muted};
}

void quiet(const Look& l, const std::string& text, bool right = false) {
  cell(l, {text, "", l.palette->muted, Face::ui, right});
}

}  // namespace

void DeltaPanel::draw(const AppState& s, Ui& ui, ImVec2 size) {
  const Look& l = ui.look;
  const Palette& p = *l.palette;
  if (!s.comparison) return;
  const RunComparison& c = *s.comparison;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  heading(l, "Comparison",
          "Each quantity of the other runs against the first one selected. A difference counts when it is larger than "
          "the noise of both runs added up.");
  const float left = text_width(l, Face::bold, 13, "Comparison") + l.u(10);
  draw_text(l, ImGui::GetWindowDrawList(), ImVec2(origin.x + left, origin.y + l.u(1)), Face::ui, 12, p.muted,
            "against run " + number_text(c.ids[0]), size.x - left);
  float x = origin.x + size.x;
  const auto at_right = [&](const char* words) {
    x -= text_width(l, Face::ui, 13, words) + l.u(16);
    ImGui::SetCursorScreenPos(ImVec2(x, origin.y - l.u(6)));
  };
  at_right("Stop");
  if (button(l, "Stop##comparing", Weight::quiet)) ui.out(CompareRuns{});
  tip(l, "Stops comparing: the roofline shows all runs again.");
  at_right("Export\xE2\x80\xA6");
  if (button(l, "Export\xE2\x80\xA6##comparison", Weight::quiet)) ui.out(ShowExport{"comparison"});
  tip(l, "Writes this table as CSV or JSON; the picture with its arrows is the roofline's export.");
  at_right("Copy");
  if (button(l, "Copy##comparison", Weight::quiet)) ui.out(CopyText{to_csv(c)});
  tip(l, "Copies this table as CSV.");

  float top = origin.y + l.u(24);
  for (const std::string& w : c.warnings) {
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(origin.x, top), Face::ui, 12, p.warning, w, size.x);
    top += l.u(18);
  }
  ImGui::SetCursorScreenPos(ImVec2(origin.x, top));
  const int others = static_cast<int>(c.ids.size()) - 1;
  // Words take room: with many runs the weight of the type says it, and the tip. What still does not fit scrolls.
  constexpr float name_w = 128, unit_w = 54, value_w = 84, change_w = 62, verdict_w = 88, pad = 10;
  const auto width = [&](bool words) {
    const float each = value_w + change_w + (words ? verdict_w + pad : 0) + 2 * pad;
    return l.u(name_w + unit_w + value_w + 3 * pad + static_cast<float>(others) * each + 16);
  };
  const bool in_words = width(true) <= size.x, fits = width(in_words) <= size.x;
  const int columns = 3 + others * (in_words ? 3 : 2);
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(l.u(pad / 2), l.u(2)));
  const auto flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoPadOuterX |
                     (fits ? 0 : ImGuiTableFlags_ScrollX);
  if (!ImGui::BeginTable("deltas", columns, flags, ImVec2(size.x, std::max(l.u(40), origin.y + size.y - top)))) {
    ImGui::PopStyleVar();
    return;
  }
  ImGui::TableSetupScrollFreeze(fits ? 0 : 2, 1);
  const auto fixed = [&](float w) { ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, l.u(w)); };
  // Where there is room to spare, names and numbers share it.
  const auto wide = [&](float w) {
    if (fits)
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, w);
    else
      fixed(w);
  };
  wide(name_w);
  fixed(unit_w);
  wide(value_w);
  for (int k = 0; k < others; ++k) {
    wide(value_w);
    fixed(change_w);
    if (in_words) fixed(verdict_w);
  }
  const auto rest = [&](int empty) {
    for (int k = 0; k < empty; ++k) quiet(l, "");
  };
  ImGui::TableNextRow();
  rest(2);
  for (std::size_t k = 0; k < c.ids.size(); ++k) {
    cell(l, {"#" + number_text(c.ids[k]) + (k == 0 ? " base" : ""), c.names[k], p.ink, Face::bold, true});
    if (k > 0) rest(in_words ? 2 : 1);
  }
  for (const Difference& d : c.differences) {
    ImGui::TableNextRow();
    quiet(l, d.label);
    rest(1);
    for (std::size_t k = 0; k < c.ids.size(); ++k) {
      const std::string& text = d.runs[k];
      cell(l, {text.empty() ? "\xE2\x80\x93" : text, text, p.ink, Face::ui});
      if (k > 0) rest(in_words ? 2 : 1);
    }
  }
  for (const DeltaRow& row : c.rows) {
    ImGui::TableNextRow();
    const auto* metric = s.catalog->metric(row.id);
    cell(l, {row.label, metric ? metric->help : row.label, p.ink, Face::ui, false});
    quiet(l, row.unit == "us" ? "\xC2\xB5s" : row.unit == "1" || row.unit == "B" ? "" : row.unit);
    for (std::size_t k = 0; k < row.runs.size(); ++k) {
      cell(l, value(l, row.runs[k], row.unit));
      if (k == 0) continue;
      Text t = change(l, row.runs[k], row.unit);
      if (!in_words) t.help += std::string("\n") + warpspy::name_of(row.runs[k].verdict);
      cell(l, t);
      if (in_words) cell(l, verdict(l, row.runs[k]));
    }
    if (row.id != "time") continue;
    ImGui::TableNextRow();
    quiet(l, "   noise");
    quiet(l, "%");
    for (std::size_t k = 0; k < row.runs.size(); ++k) {
      cell(l, noise(l, row.runs[k]));
      if (k > 0) rest(in_words ? 2 : 1);
    }
  }
  ImGui::EndTable();
  ImGui::PopStyleVar();
}

}  // namespace warpspy::ui
