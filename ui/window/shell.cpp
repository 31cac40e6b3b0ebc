#include "ui/window/shell.hpp"

#include <imgui.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ui/commands/commands.hpp"
#include "ui/platform/compat.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr float kTop = 36, kBottom = 26, kTabs = 40, kLeft = 208, kRight = 248;

// A pane without a frame at a place of the screen.
template <class F>
void pane(const char* id, ImVec2 at, ImVec2 size, ImVec2 padding, bool scrolls, F&& content) {
  ImGui::SetCursorScreenPos(at);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  const ImGuiWindowFlags flags = scrolls ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  const bool visible = begin_padded_child(id, ImVec2(std::max(1.f, size.x), std::max(1.f, size.y)), flags);
  ImGui::PopStyleVar();
  if (visible) content();
  ImGui::EndChild();
}

}  // namespace

Shell::Shell(Session& session, TextureStore& textures)
    : session_(session), tiles_(textures, session.workers()), images_(textures) {
  look_.fonts = &fonts_;
}

Shell::~Shell() = default;

void Shell::set_scale(float ui_scale, float pixel_scale) {
  look_.scale = ui_scale;
  fonts_.load(ui_scale, pixel_scale);
  styled_.reset();
}

View& Shell::view(const ViewRow& row) {
  auto& v = views_[&row];
  if (!v) v = row.make();
  return *v;
}

void Shell::frame(std::vector<Action>* applied) {
  session_.update();
  const AppState& s = session_.state();
  if (styled_ != s.theme) {
    apply_style(palette_of(s.theme), look_.scale);
    styled_ = s.theme;
  }
  look_.palette = &palette_of(s.theme);
  Ui ui{look_, sink_, tiles_, images_, spy_window_, commands(), takes_keys_};
  const FontScope font(fonts_, Face::ui, 15);
  rest();
  if (!takes_keys_) perform_shortcuts(s, sink_, heard_);
  draw(ui);
  tiles_.end_frame();
  images_.end_frame();
  session_.next_frame();
  const auto actions = sink_.take();
  if (!actions.empty()) last_step_ = ImGui::GetTime();
  for (const auto& a : actions) {
    session_.apply(a);
    if (applied) applied->push_back(a);
  }
  forget_tiles();
}

// A drag is one step, and so are the notches of a wheel and a key that is held; a new press begins another.
void Shell::rest() {
  constexpr double kPause = 0.6;
  const ImGuiIO& io = ImGui::GetIO();
  const bool held = io.MouseDown[0] || io.MouseDown[1] || io.MouseDown[2];
  const bool pressed_now = ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1) || ImGui::IsMouseClicked(2);
  if (pressed_now || (!held && ImGui::GetTime() - last_step_ > kPause)) session_.end_step();
}

void Shell::forget_tiles() {
  std::set<MatrixId> now;
  for (const auto& m : session_.state().matrices) now.insert(m.id);
  for (const MatrixId id : open_)
    if (!now.contains(id)) tiles_.forget(id);
  open_ = std::move(now);
}

void Shell::draw(Ui& ui) {
  const AppState& s = session_.state();
  const Look& l = look_;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(screen);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::Begin("Warpspy", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  const float top = l.u(kTop), bottom = screen.y - l.u(kBottom);
  // Panels give way, the left one first, where the window is narrow.
  const float left = s.show_workspace && screen.x >= l.u(900) ? l.u(kLeft) : 0;
  const float right = s.show_controls && screen.x >= l.u(600) ? l.u(kRight) : 0;
  rules(left, right);
  struct At {
    ImVec2 at, size, padding;
  };
  const std::map<Place, At> places = {
      {Place::top, {ImVec2(0, 0), ImVec2(screen.x, top - 1), ImVec2(l.u(8), l.u(5))}},
      {Place::left, {ImVec2(0, top), ImVec2(left - 1, bottom - top), ImVec2(l.u(16), l.u(14))}},
      {Place::right, {ImVec2(screen.x - right + 1, top), ImVec2(right - 1, bottom - top), ImVec2(l.u(16), l.u(14))}},
      {Place::bottom, {ImVec2(0, bottom + 1), ImVec2(screen.x, l.u(kBottom) - 1), ImVec2(l.u(16), l.u(3))}}};
  for (const ViewRow* row : view_rows()) {
    const auto place = places.find(row->place);
    if (place == places.end() || place->second.size.x < 0) continue;
    const auto& [at, size, padding] = place->second;
    pane(row->id, at, size, padding, row->scrolls, [&] { view(*row).draw(s, ui); });
  }
  tab(ui, left, right);
  if (const ViewRow* dialog = view_row(s.dialog); dialog && dialog->place == Place::overlay) view(*dialog).draw(s, ui);
  ImGui::End();
}

void Shell::rules(float left, float right) const {
  const Look& l = look_;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float top = l.u(kTop), bottom = screen.y - l.u(kBottom), thin = std::max(1.f, std::floor(l.scale));
  auto* list = ImGui::GetWindowDrawList();
  const auto rule = [&](float x0, float y0, float x1, float y1) {
    list->AddLine(ImVec2(x0, y0), ImVec2(x1, y1), u32(l.palette->hairline), thin);
  };
  rule(0, top - 0.5f, screen.x, top - 0.5f);
  rule(0, bottom + 0.5f, screen.x, bottom + 0.5f);
  if (left > 0) rule(left - 0.5f, top, left - 0.5f, bottom);
  if (right > 0) rule(screen.x - right + 0.5f, top, screen.x - right + 0.5f, bottom);
}

// The words of all tabs, and below them the one that is open.
void Shell::tab(Ui& ui, float left, float right) {
  const AppState& s = session_.state();
  const Look& l = look_;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float top = l.u(kTop), bottom = screen.y - l.u(kBottom), middle = screen.x - left - right;
  std::vector<std::string> words;
  std::vector<const ViewRow*> rows;
  int open = 0;
  for (const ViewRow* row : view_rows()) {
    if (row->place != Place::tab) continue;
    if (s.tab == row->id) open = static_cast<int>(rows.size());
    words.push_back(row->label);
    rows.push_back(row);
  }
  pane("tabs", ImVec2(left, top), ImVec2(middle, l.u(kTabs)), ImVec2(l.u(8), l.u(4)), false, [&] {
    const int k = tabs(l, "tabs", words, open);
    if (k >= 0) sink_(ShowTab{rows[static_cast<std::size_t>(k)]->id});
  });
  const ViewRow& row = *rows[static_cast<std::size_t>(open)];
  pane(row.id, ImVec2(left, top + l.u(kTabs)), ImVec2(middle, bottom - top - l.u(kTabs)), ImVec2(l.u(16), l.u(8)),
       row.scrolls, [&] { view(row).draw(s, ui); });
}

}  // namespace warpspy::ui
