#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "ui/platform/compat.hpp"
#include "ui/views/collection_panel.hpp"
#include "ui/views/dialog.hpp"
#include "ui/views/files_panel.hpp"
#include "ui/views/list_keys.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr float kLine = 24;  // of a list
constexpr int kWays = 4;     // to open

std::string spec_of(const GeneratorInfo& g, const ParamSet& values) {
  std::string spec = "gen:" + g.id;
  const char* separator = "?";
  for (const ParamSpec& p : g.params) {
    const auto v = values.find(p.id);
    if (v == values.end() || v->second == p.def) continue;
    char number[40];
    std::snprintf(number, sizeof number, p.type == ParamSpec::Type::real ? "%.9g" : "%.0f", v->second);
    spec += separator + p.id + "=" + (p.type == ParamSpec::Type::choice ? value_text(p, v->second) : number);
    separator = "&";
  }
  return spec;
}

class OpenDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Open matrices", ImVec2(720, 560))) return;
    const bool appearing = ImGui::IsWindowAppearing();
    if (appearing) ui.out(BrowseFolder{s.listing.folder});
    int way = static_cast<int>(s.open_way);
    const int clicked = segments(l, "way", {"File", "Recent", "Generate", "Collection"}, way);
    tip(l, "Ctrl+PgUp and Ctrl+PgDn go from one to the next.");
    if (clicked >= 0) way = clicked;
    if (key_pressed(l, {Key::page_down, true})) way = (way + 1) % kWays;
    if (key_pressed(l, {Key::page_up, true})) way = (way + kWays - 1) % kWays;
    const bool changed = way != static_cast<int>(s.open_way);
    if (changed) ui.out(ShowOpen{static_cast<OpenWay>(way)});
    const bool fresh = appearing || std::exchange(changed_, changed);
    gap(l, 12);
    switch (s.open_way) {
      case OpenWay::file:
        files_.draw(s, ui, fresh);
        break;
      case OpenWay::recent:
        recent(s, ui);
        break;
      case OpenWay::generate:
        generate(s, ui, fresh);
        break;
      case OpenWay::collection:
        collection_.draw(s, ui, fresh);
        break;
    }
    end_dialog(ui);
  }

 private:
  void recent(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    if (s.recent.empty()) return caption(l, "What you open is listed here, the newest first.");
    const bool own = list_stop(l, "recent");
    recent_.take(l, static_cast<int>(s.recent.size()), 10, own);
    if (own ? key_pressed(l, {Key::enter}) : entered(l))
      ui.out(OpenSource{s.recent[static_cast<std::size_t>(recent_.at())]});
    ImGui::BeginChild("recent", ImVec2(0, 0), false);
    for (std::size_t k = 0; k < s.recent.size(); ++k)
      if (line(l, static_cast<int>(k), s.recent[k], static_cast<int>(k) == recent_.at()))
        ui.out(OpenSource{s.recent[k]});
    recent_.follow(l.u(kLine));
    end_child();
  }

  void generate(const AppState& s, Ui& ui, bool fresh) {
    const Look& l = ui.look;
    const auto& all = generators();
    if (std::exchange(shown_, s.open_generator) != s.open_generator || (fresh && !s.open_generator.empty()))
      for (std::size_t k = 0; k < all.size(); ++k)
        if (all[k].id == s.open_generator) generator_.put(static_cast<int>(k));
    follow_typed();
    const bool own = list_stop(l, "generators", l.u(216));
    ImGui::BeginChild("generators", ImVec2(l.u(216), 0), false);
    gap(l, 3);  // a marked line is higher than the line
    generator_.take(l, static_cast<int>(all.size()), 10, own);
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (line(l, static_cast<int>(k), all[k].label, static_cast<int>(k) == generator_.at()))
        generator_.put(static_cast<int>(k));
      tip(l, all[k].good_for);
    }
    generator_.follow(l.u(kLine));
    end_child();
    ImGui::SameLine(0, l.u(24));
    ImGui::BeginChild("form", ImVec2(0, 0), false);
    form(ui, all[static_cast<std::size_t>(generator_.at())], fresh);
    end_child();
  }

  // The sliders follow the typed text as soon as it is valid.
  void follow_typed() {
    if (typed_ == followed_) return;
    followed_ = typed_;
    try {
      const GeneratorText read = read_generator(typed_);
      const GeneratorInfo& g = generators()[read.generator];
      generator_.put(static_cast<int>(read.generator));
      values_[g.id] = read.params;
      made_ = spec_of(g, read.params);
      wrong_.clear();
    } catch (const Error& e) {
      wrong_ = e.what();
    }
  }

  void form(Ui& ui, const GeneratorInfo& g, bool fresh) {
    const Look& l = ui.look;
    label(l, Face::bold, 15, l.palette->ink, g.label);
    paragraph(l, l.palette->ink, g.good_for);
    gap(l, 4);
    caption(l, g.help + (g.source.empty() ? "" : "\n" + g.source));
    gap(l, 12);
    auto& values = values_[g.id];
    for (const auto& p : g.params) {
      double v = values.contains(p.id) ? values[p.id] : p.def;
      if (knob(l, p, v)) values[p.id] = v;
      gap(l, 6);
    }
    gap(l, 6);
    // The typed text stays until a slider or another generator changes it.
    if (const std::string made = spec_of(g, values); made != made_) {
      typed_ = made_ = followed_ = made, fresh = true;
      wrong_.clear();
      ++field_;
    }
    bool enter = false;
    {
      const FontScope font(*l.fonts, Face::mono, 13);
      ImGui::SetNextItemWidth(-l.u(112));
      // ImGui keeps the text of a field that is being edited. So each new text has another field.
      ImGui::PushID(field_);
      enter =
          ImGui::InputText("##spec", &typed_, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
      // Not while a slider or the list has the keys.
      text_stop(l, "##spec", fresh && !ImGui::IsMouseDown(0) && (!l.focus || l.focus->free()));
      show_text(l, typed_);
      ImGui::PopID();
    }
    tip(l, "The same text opens the same matrix on the command line. It can be edited.");
    ImGui::SameLine();
    if (button(l, "Generate", Weight::primary, l.u(104), !typed_.empty()) || enter) ui.out(OpenSource{typed_});
    if (wrong_.empty()) return;
    gap(l, 6);
    paragraph(l, l.palette->warning, "! " + wrong_);
  }

  // Makes the list that follows one stop of Tab. Returns whether it has the keys.
  static bool list_stop(const Look& l, const char* id, float width = 0) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const ImVec2 to(at.x + (width > 0 ? width : room.x), at.y + room.y);
    return key_stop(l, ImGui::GetID(id), at, to).has;
  }
  // A line that can be clicked.
  static bool line(const Look& l, int id, const std::string& words, bool at) {
    ImGui::PushID(id);
    const bool clicked = ImGui::Selectable("##line", at, 0, ImVec2(0, l.u(kLine) - ImGui::GetStyle().ItemSpacing.y));
    show_item(l, words);
    const ImVec2 from = ImGui::GetItemRectMin();
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(from.x + l.u(4), from.y + l.u(4)), Face::ui, 13, l.palette->ink,
              words, ImGui::GetItemRectSize().x - l.u(8));
    ImGui::PopID();
    return clicked;
  }

  FilesPanel files_;
  CollectionPanel collection_;
  ListKeys recent_, generator_;
  bool changed_ = false;              // another way was chosen in the frame before
  std::string typed_, made_, shown_;  // shown_: the last generator that was requested
  std::string followed_, wrong_;      // the text that the sliders follow; why they do not
  int field_ = 0;                     // changes for each text that was not typed
  std::map<std::string, ParamSet> values_;
};

}  // namespace

extern const ViewRow open_dialog = {
    .id = "open",
    .label = "Open",
    .place = Place::overlay,
    .help = "Warpspy's own dialog: folders, recent files, generated matrices, the SuiteSparse collection by name.",
    .keys = {key('O'), true, true},
    .opener = {"file.browse", "File", "Browse, recent, generate...", "file.save_session"},
    .make = make<OpenDialog>,
};

}  // namespace warpspy::ui
