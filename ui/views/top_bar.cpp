#include <imgui.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "core/sweep/matrices.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/menu.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// The top bar: menus, the action search, and on the right where the numbers will come from.
class TopBar final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const Palette& p = *l.palette;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, h = l.u(26);
    float x = at.x;
    const int wanted = std::exchange(wanted_, -1);
    bool on_menus = false;
    for (int k = 0; k < static_cast<int>(std::size(kMenus)); ++k) {
      const char* menu = kMenus[k];
      ImGui::SetCursorScreenPos(ImVec2(x, at.y));
      const bool pressed = button(l, menu, Weight::quiet);
      const ImGuiID id = ImGui::GetID(menu);
      const bool at_it = l.focus && l.focus->by_keys() && l.focus->at(id);
      const bool down = at_it && l.focus->pressed({Key::down});
      on_menus = on_menus || at_it;
      if (pressed || down || wanted == k || (any_open_ && mouse_has_keys(l) && ImGui::IsItemHovered()))
        ImGui::OpenPopup(menu);
      const float w = ImGui::GetItemRectSize().x;
      ImGui::SetNextWindowPos(ImVec2(x, at.y + h + l.u(2)));
      items(s, ui, k);
      x += w;
    }
    if (on_menus && !any_open_) {
      if (l.focus->pressed({Key::right})) l.focus->move(FocusTo::next);
      if (l.focus->pressed({Key::left})) l.focus->move(FocusTo::previous);
    }
    any_open_ = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);

    // Without room for all, the source of the counters is left out (the device's tooltip has it). Then the keys in the
    // search field go, and then the field becomes narrower.
    std::string traffic_source = traffic_source_text(s);
    const auto* d = s.device();
    const std::string device = d ? d->name : "no device";
    const float dot = l.u(14), gap_ = l.u(10);
    float right = at.x + width;
    const std::string search = "Search actions";
    const float least = text_width(l, Face::ui, 13, search) + l.u(20);
    float source_w = text_width(l, Face::ui, 12, traffic_source) + gap_;
    const float device_w = text_width(l, Face::bold, 13, device);
    const auto left_over = [&] { return right - source_w - device_w - dot - x - l.u(28); };
    if (left_over() < least) traffic_source.clear(), source_w = 0;
    auto* list = ImGui::GetWindowDrawList();
    const float name_w = std::min(device_w, std::max(l.u(40), device_w + left_over() - least));
    if (!traffic_source.empty())
      draw_text(l, list, ImVec2(right - source_w + gap_, at.y + l.u(6)), Face::ui, 12, p.muted, traffic_source);
    right -= source_w + name_w;
    draw_text(l, list, ImVec2(right, at.y + l.u(5)), Face::bold, 13, p.ink, device, name_w);
    right -= dot;
    if (d)
      draw_provenance(l, list, ImVec2(right + l.u(4), at.y + h / 2), l.u(4.5f),
                      d->simulated ? Provenance::modelled : Provenance::measured, p.ink);
    ImGui::SetCursorScreenPos(ImVec2(right, at.y));
    ImGui::InvisibleButton("device", ImVec2(at.x + width - right, h));
    if (d) tip(l, d->name + (d->simulated ? " (simulated)" : "") + "\n" + d->counters);
    std::string keys;
    for (const Command& c : ui.commands)
      if (c.id == "view.commands") keys = label_of(keys_of(s, c));
    const float box = std::clamp(right - x - l.u(28), least, l.u(230));
    const float from = x + std::max(l.u(16), (right - x - box) / 2);
    if (box < least + text_width(l, Face::mono, 11, keys) + l.u(12)) keys.clear();
    ImGui::SetCursorScreenPos(ImVec2(from, at.y + l.u(1)));
    const bool clicked = ImGui::InvisibleButton("search", ImVec2(box, l.u(24)));
    show_item(l, search);
    if (key_stop(l, "search").pressed || clicked) ui.out(ShowDialog{"commands"});
    const bool hot = ImGui::IsItemHovered();
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    list->AddRectFilled(a, b, u32(hot ? p.control_hot : p.control), l.u(5));
    draw_text(l, list, ImVec2(a.x + l.u(10), a.y + l.u(4)), Face::ui, 13, p.muted, search);
    draw_text(l, list, ImVec2(b.x - l.u(10) - text_width(l, Face::mono, 11, keys), a.y + l.u(6)), Face::mono, 11,
              p.muted, keys);
    tip(l, "Every command of every menu, found by a few letters.");
  }

 private:
  static std::string traffic_source_text(const AppState& s) {
    const auto* d = s.device();
    if (!d) return "";
    if (d->simulated) return "counters: emulator (modelled)";
    return "counters: " + d->counters.substr(0, std::min(d->counters.find_first_of(";.("), std::size_t{36}));
  }

  void items(const AppState& s, Ui& ui, int which) {
    const Look& l = ui.look;
    const std::string menu = kMenus[which];
    if (!begin_menu(l, kMenus[which])) return;
    for (const Command& c : ui.commands) {
      if (c.menu != menu) continue;
      if (c.line_above) ImGui::Separator();
      const std::string why = why_not(s, c);
      if (menu_item(l, title_of(s, c),
                    {.keys = label_of(keys_of(s, c)),
                     .checked = c.checked && c.checked(s),
                     .enabled = why.empty(),
                     .help = c.help + (why.empty() ? "" : "\nNot now: " + why)}))
        c.perform(s, ui.out);
    }
    if (menu == "File") recent(s, ui);
    // To the menu beside.
    const int by = static_cast<int>(key_pressed(l, {Key::right})) - static_cast<int>(key_pressed(l, {Key::left}));
    if (by != 0) {
      const int n = static_cast<int>(std::size(kMenus));
      wanted_ = (which + by + n) % n;
      ImGui::CloseCurrentPopup();
    }
    end_menu(l);
  }

  // The most recent files; the dialog Open lists all.
  static void recent(const AppState& s, Ui& ui) {
    constexpr std::size_t most = 8;
    if (!s.recent.empty()) ImGui::Separator();
    for (std::size_t k = 0; k < std::min(most, s.recent.size()); ++k) {
      ImGui::PushID(static_cast<int>(k));
      const std::string& source = s.recent[k];
      if (menu_item(ui.look, "Open " + fit_text(ui.look, Face::ui, 13, short_name(source), ui.look.u(300)),
                    {.help = source}))
        ui.out(OpenSource{source});
      ImGui::PopID();
    }
  }

  static constexpr const char* kMenus[] = {"File", "Edit", "Matrix", "Reorder", "Run", "View", "Help"};
  int wanted_ = -1;  // the menu that the arrow keys went to
  bool any_open_ = false;
};

}  // namespace

extern const ViewRow top_bar = {
    .id = "top",
    .label = "Menu",
    .place = Place::top,
    .help = "Menus, action search, device.",
    .make = make<TopBar>,
};

}  // namespace warpspy::ui
