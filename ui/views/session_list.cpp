#include "ui/views/session_list.hpp"

#include <imgui.h>

#include "core/session/desk.hpp"
#include "ui/platform/compat.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

std::string above(const std::string& folder) {
  const auto slash = folder.find_last_of('/');
  return slash == std::string::npos || slash == 0 ? "/" : folder.substr(0, slash);
}

// A line with name and size; returns true when it is clicked.
bool entry(const Look& l, const FolderEntry& e) {
  bool clicked = ImGui::Selectable("##entry", false, 0, ImVec2(0, l.u(20)));
  if (key_stop(l, "##entry", Focus::Takes::press).pressed) clicked = true;
  show_item(l, e.name);
  const ImVec2 from = ImGui::GetItemRectMin();
  const float right = ImGui::GetItemRectMax().x;
  auto* draw = ImGui::GetWindowDrawList();
  const std::string size = e.is_folder ? "" : bytes_text(static_cast<double>(e.bytes));
  draw_text(l, draw, ImVec2(from.x + l.u(4), from.y + l.u(4)), Face::ui, 13,
            e.is_folder ? l.palette->muted : l.palette->ink, e.name + (e.is_folder ? "/" : ""),
            right - from.x - l.u(90));
  draw_text(l, draw, ImVec2(right - l.u(4) - text_width(l, Face::mono, 13, size), from.y + l.u(4)), Face::mono, 13,
            l.palette->muted, size);
  return clicked;
}

}  // namespace

std::string path_in(const std::string& folder, const std::string& name) {
  return folder.empty() || folder.back() == '/' ? folder + name : folder + "/" + name;
}

std::optional<std::string> session_list(const AppState& s, Ui& ui, float height) {
  const Look& l = ui.look;
  const Listing& list = s.listing;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (button(l, "Up", Weight::quiet)) ui.out(BrowseFolder{above(list.folder)});
  tip(l, "The folder above.");
  draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x + l.u(44), at.y + l.u(5)), Face::ui, 13, l.palette->muted,
            list.folder, ImGui::GetContentRegionAvail().x - l.u(48));
  hairline(l);
  std::optional<std::string> picked;
  ImGui::BeginChild("sessions", ImVec2(0, l.u(height)), false);
  if (!list.problem.empty()) paragraph(l, l.palette->error, "\xE2\x9C\x97 " + list.problem);
  bool any = false;
  for (const bool folders : {false, true}) {
    for (std::size_t k = 0; k < list.entries.size(); ++k) {
      const auto& e = list.entries[k];
      if (e.is_folder != folders || (!folders && !is_desk_name(e.name))) continue;
      any = true;
      ImGui::PushID(static_cast<int>(k));
      const bool clicked = entry(l, e);
      ImGui::PopID();
      if (clicked && folders) ui.out(BrowseFolder{path_in(list.folder, e.name)});
      if (clicked && !folders) picked = path_in(list.folder, e.name);
    }
  }
  if (!any && list.problem.empty()) caption(l, "No sessions and no folders here.");
  end_child();
  return picked;
}

}  // namespace warpspy::ui
