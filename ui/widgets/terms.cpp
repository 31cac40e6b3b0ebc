#include "ui/widgets/terms.hpp"

#include <imgui.h>

#include <algorithm>
#include <string_view>

#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr std::size_t kMost = 2;  // terms in one explanation

std::uint32_t ink_of(const Look& l, char cell) {
  switch (cell) {
    case '#':
      return u32(plot::kL2);
    case 'o':
      return u32(plot::kDram, 0.55f);
    case 'x':
      return u32(l.palette->muted, 0.6f);
    default:
      return u32(l.palette->control_active);
  }
}

// Returns its height.
float draw_picture(const Look& l, ImVec2 at, std::string_view picture, float width) {
  std::size_t longest = 1, row = 0, column = 0;
  for (std::size_t from = 0; from <= picture.size();) {
    const auto end = std::min(picture.find('/', from), picture.size());
    longest = std::max(longest, end - from);
    from = end + 1;
  }
  const float cell = std::min(l.u(8), width / static_cast<float>(longest)), high = l.u(8), gap_ = l.u(1);
  auto* list = ImGui::GetWindowDrawList();
  for (const char c : picture) {
    if (c == '/') {
      ++row, column = 0;
      continue;
    }
    const float x = at.x + static_cast<float>(column++) * cell, y = at.y + static_cast<float>(row) * (high + gap_);
    if (c != ' ') list->AddRectFilled(ImVec2(x, y), ImVec2(x + cell - gap_, y + high), ink_of(l, c));
  }
  return static_cast<float>(row + 1) * (high + gap_);
}

}  // namespace

void show_cells(const Look& l, const char* picture, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy(ImVec2(width, draw_picture(l, at, picture, width)));
}

void show_term(const Look& l, const Term& t, float width) {
  label(l, Face::bold, 13, l.palette->ink, title_of(t));
  show_cells(l, t.picture, width);
  const FontScope font(*l.fonts, Face::ui, 13);
  paragraph(l, l.palette->ink, t.text, width);
}

void explain(const Look& l, const std::string& words, const std::string& help) {
  auto found = terms_in(words);
  if (found.size() > kMost) found.resize(kMost);
  if (found.empty()) return tip(l, help);
  std::string all = help;
  for (const Term* t : found) all += (all.empty() ? "" : "\n") + title_of(*t) + "\n\n\n" + t->text;
  tip(l, all, [&] {
    const std::string lines = broken_at_spaces(help, l.u(300));
    if (!help.empty()) ImGui::TextUnformatted(lines.data(), lines.data() + lines.size());
    for (const Term* t : found) {
      if (!help.empty() || t != found.front()) gap(l, 4);
      show_term(l, *t, l.u(300));
    }
  });
}

void term_row(const Look& l, const std::string& text) {
  const auto found = terms_in(text);
  if (found.empty()) return;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  label(l, Face::ui, 12, l.palette->muted, "Words:");
  for (const Term* t : found) {
    const std::string name = title_of(*t);
    const float w = text_width(l, Face::ui, 12, name);
    ImGui::SameLine(0, l.u(10));
    if (ImGui::GetCursorScreenPos().x + w > right) ImGui::NewLine();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    label(l, Face::ui, 12, l.palette->ink, name);
    ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, at.y + l.u(15)), ImVec2(at.x + w, at.y + l.u(15)),
                                        u32(l.palette->outline, 0.6f));
    explain(l, name, {});
    // A stop of Tab, so that the explanation can be read without a mouse.
    ImGui::PushID(t);
    if (key_stop(l, "word", Focus::Takes::press).has)
      open_tip(l, name + "\n" + t->text, [&] { show_term(l, *t, l.u(300)); });
    ImGui::PopID();
  }
}

}  // namespace warpspy::ui
