#include <imgui.h>

#include <algorithm>

#include "ui/platform/input.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/menu.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// The status bar: jobs with progress and a button to stop them, messages, and the zoom.
class StatusBar final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float right = at.x + width - zoom(s, ui, at, width);
    if (!s.jobs.empty())
      job(s, ui, at, right);
    else
      message(s, ui, at, right);
    popup(s, ui);
  }

 private:
  // A sentence keeps its begin.
  static std::string cut_at_end(const Look& l, const std::string& s, float width) {
    if (text_width(l, Face::ui, 12, s) <= width) return s;
    std::string out = s;
    while (!out.empty() && text_width(l, Face::ui, 12, out + " \xE2\x80\xA6") > width)
      out.resize(out.find_last_of(' ') == std::string::npos ? 0 : out.find_last_of(' '));
    return out + " \xE2\x80\xA6";
  }

  static std::string zoom_text(const AppState& s) {
    const auto* m = s.current();
    if (!m || !m->matrix) return "";
    if (m->camera.fit) return "whole matrix";
    const double px = m->camera.col_px;
    return px >= 1 ? real_text(px, 3) + " px per entry" : plot::short_number(1 / px) + " entries per px";
  }

  static float zoom(const AppState& s, Ui& ui, ImVec2 at, float width) {
    const Look& l = ui.look;
    const std::string text = zoom_text(s);
    if (text.empty() || width < l.u(420)) return 0;
    const float w = text_width(l, Face::ui, 12, text);
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x + width - w, at.y + l.u(2)), Face::ui, 12, l.palette->muted,
              text);
    return w + l.u(16);
  }

  void job(const AppState& s, Ui& ui, ImVec2 at, float right) {
    const Look& l = ui.look;
    const Job& j = *s.jobs.front();
    float x = at.x;
    auto* list = ImGui::GetWindowDrawList();
    const auto say = [&](const std::string& t, Face face, Color c) {
      if (t.empty() || x >= right) return;
      x += draw_text(l, list, ImVec2(x, at.y + l.u(2)), face, 12, c, t, right - x) + l.u(10);
    };
    say(j.title, Face::ui, l.palette->ink);
    const double done = j.progress.fraction();
    if (right - x > l.u(150)) {
      ImGui::SetCursorScreenPos(ImVec2(x, at.y + l.u(1)));
      progress_bar(l, l.u(120), done);
      x += l.u(130);
    }
    // Left of the text that changes during the job, so that the button does not move.
    ImGui::SetCursorScreenPos(ImVec2(x, at.y + l.u(1)));
    if (cross_button(l, "cancel", "Cancel: " + j.title)) ui.out(CancelJob{j.id});
    x += l.u(24);
    if (done > 0) say(real_text(std::floor(done * 100), 3) + " %", Face::mono, l.palette->muted);
    if (const auto eta = j.eta_s()) say(seconds_text(*eta) + " left", Face::ui, l.palette->muted);
    say(j.progress.stage(), Face::ui, l.palette->muted);
    if (s.jobs.size() > 1) say("and " + std::to_string(s.jobs.size() - 1) + " more", Face::ui, l.palette->muted);
  }

  void message(const AppState& s, Ui& ui, ImVec2 at, float right) {
    const Look& l = ui.look;
    const Palette& p = *l.palette;
    if (s.messages.empty()) {
      draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(2)), Face::ui, 12, p.muted,
                s.matrices.empty()
                    ? "Ready. Open a matrix" + keys_behind(s, ui.commands, "file.open") + ", or drop one here."
                    : std::string("Ready"),
                right - at.x);
      return;
    }
    const Message& m = s.messages.back();
    const bool fresh = s.unread > 0;
    const std::string count = std::to_string(s.messages.size()) + (s.messages.size() == 1 ? " message" : " messages");
    const bool quiet = !fresh && m.kind == Message::Kind::note;
    const std::string sign = m.kind == Message::Kind::error     ? "\xE2\x9C\x97 Error: "
                             : m.kind == Message::Kind::warning ? "! Warning: "
                                                                : "";
    // A message that was seen stays, quieter.
    const std::string said =
        quiet || !fresh ? count + (s.messages.size() == 1 ? ": " : ", the last: ") + m.text : sign + m.text;
    const std::string text = cut_at_end(l, said, right - at.x);
    const Color c = !fresh                             ? p.muted
                    : m.kind == Message::Kind::error   ? p.error
                    : m.kind == Message::Kind::warning ? p.warning
                                                       : p.ink;
    const float w = std::min(right - at.x, text_width(l, Face::ui, 12, text));
    ImGui::SetCursorScreenPos(at);
    const bool clicked = ImGui::InvisibleButton("messages", ImVec2(std::max(1.f, w), l.u(18)));
    if (key_stop(l, "messages").pressed || clicked) {
      ImGui::OpenPopup("messages");
      ui.out(ReadMessages{});
    }
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(2)), Face::ui, 12, c, text, right - at.x);
    tip(l, m.text + (m.remedy.empty() ? "" : "\n" + m.remedy) + "\nClick to read all.");
  }

  void popup(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    const Palette& p = *l.palette;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(l.u(8), screen.y - l.u(32)), ImGuiCond_Always, ImVec2(0, 1));
    ImGui::SetNextWindowSizeConstraints(ImVec2(l.u(280), 0),
                                        ImVec2(std::min(l.u(620), screen.x - l.u(16)), screen.y * 0.6f));
    if (!begin_menu(l, "messages")) return;
    ImGui::PushTextWrapPos(std::min(l.u(600), screen.x - l.u(32)));
    for (std::size_t k = s.messages.size(); k-- > 0;) {
      const Message& m = s.messages[k];
      ImGui::PushID(static_cast<int>(k));
      const Color c = m.kind == Message::Kind::error ? p.error : m.kind == Message::Kind::warning ? p.warning : p.ink;
      const std::string sign = m.kind == Message::Kind::error     ? "\xE2\x9C\x97 Error: "
                               : m.kind == Message::Kind::warning ? "! Warning: "
                                                                  : "";
      ImGui::PushStyleColor(ImGuiCol_Text, u32(c));
      ImGui::TextUnformatted((sign + m.text).c_str());
      ImGui::PopStyleColor();
      if (ImGui::IsItemClicked()) ui.out(CopyText{m.text + (m.remedy.empty() ? "" : "\n" + m.remedy)});
      tip(l, "Click copies this message.");
      if (!m.remedy.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, u32(p.muted));
        ImGui::TextUnformatted(m.remedy.c_str());
        ImGui::PopStyleColor();
      }
      gap(l, 8);
      ImGui::PopID();
    }
    ImGui::PopTextWrapPos();
    if (button(l, "Clear", Weight::quiet)) {
      ui.out(ClearMessages{});
      ImGui::CloseCurrentPopup();
    }
    end_menu(l);
  }
};

}  // namespace

extern const ViewRow status_bar = {
    .id = "status",
    .label = "Status",
    .place = Place::bottom,
    .help = "Jobs and messages.",
    .make = make<StatusBar>,
};

}  // namespace warpspy::ui
