#include "ui/views/collection_panel.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <utility>

#include "core/base/numbers.hpp"
#include "ui/platform/compat.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr float kCollectionLine = 24;

// "sparse.tamu.edu", or the folder.
std::string place_text(const std::string& from) {
  const auto at = from.find("://");
  return at == std::string::npos ? from : from.substr(at + 3);
}
bool is_far(const std::string& from) { return from.find("://") != std::string::npos; }

}  // namespace

void CollectionPanel::draw(const AppState& s, Ui& ui, bool appearing) {
  if (appearing) ui.out(AskCollection{});
  field(s, ui, appearing);
  gap(ui.look, 10);
  hairline(ui.look);
  gap(ui.look, 6);
  s.collection.index ? list(s, ui) : no_list(s, ui);
  foot(s, ui);
}

void CollectionPanel::filter(const CollectionShown& c) {
  if (index_ == c.index && filtered_by_ == typed_) return;
  if (std::exchange(filtered_by_, typed_) != typed_ || index_ != c.index) keys_.put(0);
  index_ = c.index;
  shown_ = index_ ? matching(*index_, typed_, index_->entries.size()) : std::vector<const CollectionEntry*>();
}

std::string CollectionPanel::chosen() const {
  const auto at = static_cast<std::size_t>(keys_.at());
  return at < shown_.size() ? shown_[at]->full() : typed_;
}

void CollectionPanel::field(const AppState& s, Ui& ui, bool appearing) {
  const Look& l = ui.look;
  bool enter = false;
  {
    const FontScope font(*l.fonts, Face::mono, 13);
    ImGui::SetNextItemWidth(-l.u(92));
    const bool came = s.collection.index && !index_;  // when the list has arrived, the user will search for a name next
    enter = ImGui::InputTextWithHint("##name", "a name, such as cant, or GROUP/NAME", &typed_,
                                     ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    text_stop(l, "##name", appearing || came);
    show_item(l, "name");
  }
  filter(s.collection);
  keys_.take(l, static_cast<int>(shown_.size()), 10);
  const std::string name = chosen();
  const bool here = s.collection.here.contains(name) || !is_far(s.collection.from);
  ImGui::SameLine();
  if ((button(l, here ? "Open" : "Fetch", Weight::primary, l.u(84), !name.empty()) || enter) && !name.empty())
    ui.out(FetchMatrix{name});
}

void CollectionPanel::no_list(const AppState& s, Ui& ui) {
  const Look& l = ui.look;
  const CollectionShown& c = s.collection;
  ImGui::BeginChild("no list", ImVec2(0, -l.u(34)), false);
  if (c.asking) {
    caption(l, "The list of the collection is on its way.");
  } else if (!is_far(c.from)) {
    caption(l, c.from.empty() ? "There is no collection here."
                              : "The folder " + c.from + " has no list (files/ssstats.csv): type GROUP/NAME.");
  } else {
    paragraph(
        l, l.palette->ink,
        "The SuiteSparse Matrix Collection has nearly 3 000 matrices of real problems. Its list (about 300 kB) and "
        "its matrices come from " +
            place_text(c.from) + " when you ask for them, never by themselves.");
    gap(l, 8);
    if (button(l, "Get the list", Weight::primary)) ui.out(AskCollection{true});
    gap(l, 8);
    caption(l, "Who knows group and name needs no list: Williams/cant.");
  }
  if (!c.problem.empty()) {
    gap(l, 8);
    paragraph(l, l.palette->error, "\xE2\x9C\x97 " + c.problem);
  }
  end_child();
}

void CollectionPanel::list(const AppState& s, Ui& ui) {
  const Look& l = ui.look;
  ImGui::BeginChild("matrices", ImVec2(0, -l.u(34)), false);
  gap(l, 3);  // a marked line is higher than the line
  if (!s.collection.problem.empty()) paragraph(l, l.palette->error, "\xE2\x9C\x97 " + s.collection.problem);
  if (shown_.empty()) caption(l, "The list has no such name. What is newer than the list is fetched by GROUP/NAME.");
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(shown_.size()), l.u(kCollectionLine));
  while (clipper.Step())
    for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) entry(s, ui, k);
  keys_.follow(l.u(kCollectionLine));
  end_child();
}

void CollectionPanel::entry(const AppState& s, Ui& ui, int k) {
  const Look& l = ui.look;
  const CollectionEntry& e = *shown_[static_cast<std::size_t>(k)];
  const std::string name = e.full();
  ImGui::PushID(k);
  if (ImGui::Selectable("##entry", k == keys_.at(), ImGuiSelectableFlags_AllowDoubleClick,
                        ImVec2(0, l.u(kCollectionLine) - ImGui::GetStyle().ItemSpacing.y))) {
    // Fetching may take long: one click only chooses.
    if (ImGui::IsMouseDoubleClicked(0)) ui.out(FetchMatrix{name});
    keys_.put(k);
  }
  show_item(l, name);
  const ImVec2 from = ImGui::GetItemRectMin();
  const float right = ImGui::GetItemRectMax().x, y = from.y + l.u(4);
  auto* list = ImGui::GetWindowDrawList();
  if (s.collection.here.contains(name))
    draw_text(l, list, ImVec2(from.x + l.u(4), y), Face::bold, 13, l.palette->accent, "\xE2\x9C\x93");
  const auto at_right = [&](float end, const std::string& words) {
    draw_text(l, list, ImVec2(end - text_width(l, Face::mono, 13, words), y), Face::mono, 13, l.palette->muted, words);
  };
  const float kind = right - l.u(196), entries = kind - l.u(12), size = entries - l.u(112);
  draw_text(l, list, ImVec2(from.x + l.u(20), y), Face::ui, 13, l.palette->ink, name,
            size - l.u(172) - from.x - l.u(20));
  at_right(size, grouped(e.rows) + " \xC3\x97 " + grouped(e.cols));
  at_right(entries, grouped(e.nnz));
  draw_text(l, list, ImVec2(kind, y), Face::ui, 13, l.palette->muted, e.kind, right - kind - l.u(4));
  ImGui::PopID();
}

void CollectionPanel::foot(const AppState& s, Ui& ui) {
  const Look& l = ui.look;
  const CollectionShown& c = s.collection;
  if (!c.index) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float right = at.x + ImGui::GetContentRegionAvail().x;
  if (is_far(c.from) && !c.asking) {
    right -= text_width(l, Face::ui, 13, "Renew the list") + l.u(18);
    ImGui::SetCursorScreenPos(ImVec2(right, at.y + l.u(2)));
    if (button(l, "Renew the list", Weight::quiet)) ui.out(AskCollection{true});
  }
  const std::string words = counted(static_cast<index_t>(shown_.size()), "matrix", "matrices") +
                            ": name, size, entries, kind. List of " + c.index->dated + ", from " + place_text(c.from) +
                            (c.here.empty() ? "" : ". \xE2\x9C\x93 is on this machine.");
  draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(8)), Face::ui, 12, l.palette->muted, words,
            right - at.x - l.u(8));
  show_text(l, words);
}

}  // namespace warpspy::ui
