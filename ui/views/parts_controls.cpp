#include "ui/views/parts_controls.hpp"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ui/state/choice_rows.hpp"
#include "ui/state/parts.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

const std::vector<std::string> kSplitWords = {"rows", "entries", "METIS"};
const std::vector<std::string> kSplitHelps = {
    "Blocks of equally many rows.", "Blocks of about equally many entries.",
    "Parts of about equally many entries with few entries between them, found by METIS. For square matrices only."};

namespace {

// A line that looks like the knob and cannot be turned.
void not_possible(const Look& l, const std::string& why) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float w = ImGui::GetContentRegionAvail().x;
  auto* list = ImGui::GetWindowDrawList();
  draw_text(l, list, at, Face::ui, 13, l.palette->muted, "GPUs");
  draw_text(l, list, ImVec2(at.x + w - text_width(l, Face::mono, 13, "1"), at.y), Face::mono, 13, l.palette->muted,
            "1");
  ImGui::Dummy(ImVec2(w, l.u(18)));
  tip(l, why);
}

void division(const AppState& s, Ui& ui) {
  const Look& l = ui.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float w = ImGui::GetContentRegionAvail().x, wide = segments_width(l, kSplitWords);
  const float name = text_width(l, Face::ui, 13, "Divided by");
  draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(2)), Face::ui, 13, l.palette->ink, "Divided by");
  const bool beside = name + l.u(8) + wide <= w;
  ImGui::SetCursorScreenPos(beside ? ImVec2(at.x + w - wide, at.y) : ImVec2(at.x, at.y + l.u(20)));
  const int k = segments(l, "split", kSplitWords, static_cast<int>(s.knobs.split), kSplitHelps);
  if (k >= 0) ui.out(choose("split", static_cast<Split>(k)));
}

}  // namespace

void draw_parts_controls(const AppState& s, Ui& ui) {
  const Look& l = ui.look;
  if (const std::string why = why_no_parts(s); !why.empty()) return not_possible(l, why);
  const ParamSpec spec{"parts", "GPUs", kOverGpus, ParamSpec::Type::integer, 1, static_cast<double>(kMostParts), 1};
  double value = static_cast<double>(s.knobs.parts);
  if (knob(l, spec, value)) ui.out(choose("parts", static_cast<std::uint64_t>(value)));
  if (s.knobs.parts == 1) return;
  gap(l, 4);
  division(s, ui);
  const std::string why = why_not_divided(s);
  if (why.empty()) return;
  gap(l, 4);
  const FontScope font(*l.fonts, Face::ui, 13);
  paragraph(l, l.palette->error, "\xE2\x9C\x97 " + why);
}

}  // namespace warpspy::ui
