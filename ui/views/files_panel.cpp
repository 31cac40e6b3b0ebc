#include "ui/views/files_panel.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "ui/platform/compat.hpp"
#include "ui/platform/input.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr float kEntry = 24;

std::string join(const std::string& folder, const std::string& name) {
  return folder.empty() || folder.back() == '/' ? folder + name : folder + "/" + name;
}
std::string parent(const std::string& folder) {
  const auto slash = folder.find_last_of('/');
  return slash == std::string::npos || slash == 0 ? "/" : folder.substr(0, slash);
}
std::string lower(std::string s) {
  std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return s;
}

}  // namespace

bool FilesPanel::is_place() const {
  return typed_.find('/') != std::string::npos || typed_.rfind("gen:", 0) == 0 || typed_.rfind('~', 0) == 0;
}

void FilesPanel::settle(const Listing& l) {
  if (l.folder == folder_) return;
  const std::string from = folder_;
  folder_ = l.folder;
  marked_.clear();
  keys_.put(0);
  if (from.empty()) return;  // the first folder that is listed; keep what the user has typed meanwhile
  typed_.clear();
  focus_ = true;
  ++field_;
  // One folder up: the cursor is on the folder from which the user came.
  for (std::size_t k = 0; k < l.entries.size(); ++k)
    if (join(l.folder, l.entries[k].name) == from) keys_.put(static_cast<int>(k));
}

void FilesPanel::filter(const Listing& l) {
  const std::string words = is_place() ? "" : lower(typed_);
  shown_.clear();
  for (const FolderEntry& e : l.entries)
    if (words.empty() || lower(e.name).find(words) != std::string::npos) shown_.push_back(&e);
  if (std::exchange(filtered_by_, words) != words && !words.empty()) keys_.put(0);
}

void FilesPanel::draw(const AppState& s, Ui& ui, bool appearing) {
  settle(s.listing);
  field(s, ui, appearing);
  gap(ui.look, 10);
  way_up(s, ui);
  hairline(ui.look);
  gap(ui.look, 6);
  list(s, ui);
  foot(s, ui);
}

void FilesPanel::open(const AppState& s, Ui& ui) {
  const std::string& folder = s.listing.folder;
  if (!marked_.empty()) {
    OpenSources all;
    for (const std::string& name : marked_) all.sources.push_back(join(folder, name));
    return ui.out(all);
  }
  const auto at = static_cast<std::size_t>(keys_.at());
  if (is_place() || at >= shown_.size()) return ui.out(GoTo{typed_});
  const FolderEntry& e = *shown_[at];
  e.is_folder ? ui.out(BrowseFolder{join(folder, e.name)}) : ui.out(OpenSource{join(folder, e.name)});
}

void FilesPanel::field(const AppState& s, Ui& ui, bool appearing) {
  const Look& l = ui.look;
  const bool was_empty = typed_.empty();
  const std::string words = marked_.size() > 1 ? "Open " + std::to_string(marked_.size()) : "Open";
  bool enter = false;
  {
    const FontScope font(*l.fonts, Face::mono, 13);
    ImGui::SetNextItemWidth(-l.u(92));
    // ImGui keeps the text of a field that is being edited. So each folder has another field.
    ImGui::PushID(field_);
    enter = ImGui::InputTextWithHint("##path", "type to filter, or a path, or gen:NAME", &typed_,
                                     ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    text_stop(l, "##path", std::exchange(focus_, false) || appearing);
    show_item(l, "path");
    ImGui::PopID();
  }
  filter(s.listing);
  ImGui::SameLine();
  const bool any = !marked_.empty() || !shown_.empty() || !typed_.empty();
  if (button(l, words + "##open", Weight::primary, l.u(84), any) || enter) {
    open(s, ui);
    focus_ = true;  // the dialog stays open
  }
  if (was_empty && pressed({Key::backspace}) && !s.listing.folder.empty()) ui.out(BrowseFolder{parent(folder_)});
  const int before = keys_.at();
  keys_.take(ui.look, static_cast<int>(shown_.size()), 10);
  if (!keys_.extends() || keys_.at() == before || shown_.empty()) return;
  // Shift with an arrow key selects all lines that it passes, both ends included.
  marked_.insert(shown_[static_cast<std::size_t>(std::min(before, static_cast<int>(shown_.size()) - 1))]->name);
  marked_.insert(shown_[static_cast<std::size_t>(keys_.at())]->name);
}

void FilesPanel::way_up(const AppState& s, Ui& ui) {
  const Look& l = ui.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (button(l, "Up", Weight::quiet)) ui.out(BrowseFolder{parent(s.listing.folder)});
  tip(l, "The folder above (Backspace in the empty field).");
  draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x + l.u(44), at.y + l.u(5)), Face::ui, 13, l.palette->muted,
            s.listing.folder, ImGui::GetContentRegionAvail().x - l.u(48));
}

void FilesPanel::list(const AppState& s, Ui& ui) {
  const Look& l = ui.look;
  ImGui::BeginChild("entries", ImVec2(0, -l.u(34)), false);
  gap(l, 3);  // a marked line is higher than the line
  if (!s.listing.problem.empty()) paragraph(l, l.palette->error, "\xE2\x9C\x97 " + s.listing.problem);
  if (s.listing.problem.empty() && s.listing.entries.empty())
    caption(l, "No folders here, and no files of a kind that can be read.");
  else if (shown_.empty() && !s.listing.entries.empty())
    caption(l, "Nothing here is called so.");
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(shown_.size()), l.u(kEntry));
  while (clipper.Step())
    for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) entry(s, ui, k);
  keys_.follow(l.u(kEntry));
  end_child();
}

void FilesPanel::entry(const AppState& s, Ui& ui, int k) {
  const Look& l = ui.look;
  const FolderEntry& e = *shown_[static_cast<std::size_t>(k)];
  const std::string full = join(s.listing.folder, e.name);
  ImGui::PushID(k);
  const float height = l.u(kEntry) - ImGui::GetStyle().ItemSpacing.y;
  if (ImGui::Selectable("##entry", k == keys_.at() || marked_.contains(e.name), ImGuiSelectableFlags_AllowDoubleClick,
                        ImVec2(0, height))) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl) {
      mark(e.name);
      focus_ = true;  // Enter opens what is marked
    } else if (io.KeyShift) {
      const auto [lo, hi] = std::minmax({k, std::min(keys_.at(), static_cast<int>(shown_.size()) - 1)});
      for (int j = lo; j <= hi; ++j) marked_.insert(shown_[static_cast<std::size_t>(j)]->name);
    } else {
      e.is_folder ? ui.out(BrowseFolder{full}) : ui.out(OpenSource{full});
    }
    keys_.put(k);
  }
  const ImVec2 from = ImGui::GetItemRectMin();
  const float right = ImGui::GetItemRectMax().x;
  show_item(l, e.name);
  auto* list = ImGui::GetWindowDrawList();
  if (marked_.contains(e.name))
    draw_text(l, list, ImVec2(from.x + l.u(4), from.y + l.u(4)), Face::bold, 13, l.palette->accent, "\xE2\x9C\x93");
  const std::string size = e.is_folder ? "folder" : bytes_text(static_cast<double>(e.bytes));
  draw_text(l, list, ImVec2(from.x + l.u(20), from.y + l.u(4)), e.is_folder ? Face::bold : Face::ui, 13, l.palette->ink,
            e.name + (e.is_folder ? "/" : ""), right - from.x - l.u(116));
  draw_text(l, list, ImVec2(right - l.u(4) - text_width(l, Face::mono, 13, size), from.y + l.u(4)), Face::mono, 13,
            l.palette->muted, size);
  ImGui::PopID();
}

void FilesPanel::foot(const AppState& s, Ui& ui) {
  const Look& l = ui.look;
  const auto files = std::count_if(s.listing.entries.begin(), s.listing.entries.end(),
                                   [](const FolderEntry& e) { return !e.is_folder; });
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float right = at.x + ImGui::GetContentRegionAvail().x;
  const auto at_right = [&](const std::string& words) {
    right -= text_width(l, Face::ui, 13, words) + l.u(18);
    ImGui::SetCursorScreenPos(ImVec2(right, at.y + l.u(2)));
    return button(l, words, Weight::quiet);
  };
  if (!s.system_dialog.empty() && at_right("System dialog")) {
    ui.out(ShowDialog{});
    ui.out(AskForFiles{});
  }
  if (files > 1 && at_right("Open this folder")) ui.out(OpenSources{{s.listing.folder}});
  draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(8)), Face::ui, 12, l.palette->muted,
            "Arrows choose, Enter opens; Shift+arrows or Ctrl+click take several.", right - at.x - l.u(8));
}

}  // namespace warpspy::ui
