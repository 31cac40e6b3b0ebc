#include "ui/window/shell.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "ui/commands/commands.hpp"
#include "ui/platform/compat.hpp"
#include "ui/views/cover.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/scroll_keys.hpp"
#include "ui/widgets/splitter.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr float kTop = 36, kBottom = 26, kSplitter = 8, kRail = 24;
// Widths of a lesson's column; in a narrow window it is a strip of four lines and buttons.
constexpr float kLesson = 300, kLessonLeast = 1100, kLessonStrip = 136;

// Draws a pane without a frame at a place of the screen.
template <class F>
void pane(const char* id, ImVec2 at, ImVec2 size, ImVec2 padding, bool scrolls, F&& content) {
  ImGui::SetCursorScreenPos(at);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  const ImGuiWindowFlags flags = scrolls ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  const bool visible = begin_padded_child(id, ImVec2(std::max(1.f, size.x), std::max(1.f, size.y)), flags);
  ImGui::PopStyleVar();
  if (visible) content();
  end_child();
}

}  // namespace

Shell::Shell(Session& session, TextureStore& textures)
    : session_(session), tiles_(textures, session.workers()), images_(textures) {
  look_.fonts = &fonts_;
  look_.focus = &focus_;
}

Shell::~Shell() = default;

void Shell::set_scale(float ui_scale, float pixel_scale) {
  look_.scale = ui_scale;
  fonts_.load(ui_scale, pixel_scale);
  session_.tell_scale(ui_scale);
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
  begin_own_tabbing();
  focus_.begin_frame();
  if (!takes_keys_)
    perform_shortcuts(s, sink_,
                      {.pressed = [this](Chord c, bool again) { return focus_.pressed(c, again); },
                       .covered = focus_.covered() || !s.dialog.empty(),
                       .letters = focus_.takes_letters(),
                       .signs = focus_.takes_signs()});
  focus_.mute(takes_keys_);
  if (const std::string before = std::exchange(tab_, s.tab); !before.empty() && before != s.tab)
    focus_.else_from("tabs");
  mouse_.begin_frame(focus_);
  draw(ui);
  mouse_.end_frame();
  const auto actions = take_actions();
  focus_.end_frame();
  end_own_tabbing();
  tiles_.end_frame();
  images_.end_frame();
  session_.next_frame();
  if (!actions.empty()) last_step_ = ImGui::GetTime();
  for (const auto& a : actions) {
    session_.apply(a);
    if (applied) applied->push_back(a);
  }
  forget_tiles();
}

void Shell::frames(Hands& hands, const std::function<void()>& prepare, std::vector<Action>* applied) {
  for (;;) {
    prepare();
    focus_.hear(hands.hand_on());
    ImGui::NewFrame();
    frame(applied);
    if (hands.empty()) return;
    ImGui::EndFrame();
  }
}

// The window itself moves the focus; text that a table copied becomes an action.
std::vector<Action> Shell::take_actions() {
  if (!look_.copied.empty()) {
    const auto lines = std::count(look_.copied.begin(), look_.copied.end(), '\n') - 1;
    sink_(CopyText{std::exchange(look_.copied, "")});
    sink_(Notify{{Message::Kind::note, "Copied: " + std::to_string(lines) + (lines == 1 ? " row" : " rows"), "", 0}});
  }
  auto actions = sink_.take();
  for (const auto& a : actions)
    if (const auto* to = a.as<MoveFocus>()) focus_.move(to->to);
  return actions;
}

// A drag is one step of undo; so are the notches of a wheel and a key that is held. A new press begins another step.
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
               // Clearing the frame paints the background; otherwise every pixel would be painted twice.
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse |
                   ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  if (s.lecture.projects) {
    projection_.draw(s, ui);
    end_window();
    return;
  }
  const bool lesson = s.lesson.lesson != nullptr, strip = lesson && screen.x < l.u(kLessonLeast);
  const float below = strip ? l.u(kLessonStrip) : 0;
  const float top = l.u(kTop), foot = screen.y - l.u(kBottom), bottom = foot - below;
  // In a narrow window panels are hidden, the left one first.
  const auto width = [&](bool shown, double wanted, float least) {
    if (!shown || screen.x < l.u(least)) return 0.f;
    return std::min(l.u(static_cast<float>(wanted)), std::floor(screen.x * 0.4f));
  };
  const float right = width(s.panes.controls, s.panes.right, 600);
  float left = lesson ? (strip ? 0 : l.u(kLesson)) : width(s.panes.workspace, s.panes.left, right > 0 ? 900 : 600);
  rules(bottom);
  const bool waits = !lesson && s.panes.workspace && left == 0 && right > 0;
  if (waits) left = l.u(kRail);
  // In the order in which Tab visits them.
  const Place first = lesson ? Place::lesson : Place::left;
  for (const Place place : {Place::top, first, Place::tab, Place::right, Place::bottom}) {
    if (place == Place::tab) tabs_of(ui, {left, top, screen.x - left - right, bottom - top});
    for (const ViewRow* row : view_rows()) {
      if (row->place != place || place == Place::tab) continue;
      if (place == Place::top) side(ui, *row, {0, 0, screen.x, top - 1}, 8, 5);
      if (place == Place::left && waits) workspace_waits(ui, {0, top, left - 1, bottom - top});
      if (place == Place::left && !waits) side(ui, *row, {0, top, left - 1, bottom - top}, 16, 14);
      if (place == Place::lesson)
        side(ui, *row, strip ? Room{0, bottom + 1, screen.x, below - 1} : Room{0, top, left - 1, bottom - top}, 16,
             strip ? 8 : 14);
      if (place == Place::right) side(ui, *row, {screen.x - right + 1, top, right - 1, bottom - top}, 16, 14);
      if (place == Place::bottom) side(ui, *row, {0, foot + 1, screen.x, l.u(kBottom) - 1}, 16, 3);
    }
  }
  splitters(waits || lesson ? 0 : left, right, bottom);
  if (const ViewRow* dialog = view_row(s.dialog); dialog && dialog->place == Place::overlay) view(*dialog).draw(s, ui);
  end_window();
}

void Shell::side(Ui& ui, const ViewRow& row, Room room, float pad_x, float pad_y) {
  if (room.w < 0) return;
  focus_.panel(row.id);
  pane(row.id, ImVec2(room.x, room.y), ImVec2(room.w, room.h), ImVec2(look_.u(pad_x), look_.u(pad_y)), row.scrolls,
       [&] { view(row).draw(session_.state(), ui); });
}

// The list of matrices, if there is no room for it beside the run panel: it can replace that panel.
void Shell::workspace_waits(Ui& ui, Room room) {
  const Look& l = look_;
  focus_.panel("workspace");
  pane("workspace", ImVec2(room.x, room.y), ImVec2(room.w, room.h), ImVec2(l.u(3), l.u(10)), false, [&] {
    const AppState& s = session_.state();
    const bool clicked = button(l, "\xC2\xBB", Weight::quiet, room.w - l.u(6));
    show_item(l, "Open matrices");
    tip(l,
        "The open matrices: the window has no room for them beside the run panel. They take its place, until it is "
        "wanted again" +
            keys_behind(s, ui.commands, "view.controls") + ".");
    if (!clicked) return;
    Panes next = s.panes;
    next.controls = false;
    sink_(SetPanes{next});
  });
}

void Shell::rules(float below) const {
  const Look& l = look_;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float top = l.u(kTop), bottom = screen.y - l.u(kBottom), thin = std::max(1.f, std::floor(l.scale));
  auto* list = ImGui::GetWindowDrawList();
  const auto rule = [&](float x0, float y0, float x1, float y1) {
    list->AddLine(ImVec2(x0, y0), ImVec2(x1, y1), u32(l.palette->hairline), thin);
  };
  rule(0, top - 0.5f, screen.x, top - 0.5f);
  rule(0, bottom + 0.5f, screen.x, bottom + 0.5f);
  if (below < bottom) rule(0, below + 0.5f, screen.x, below + 0.5f);
}

// Drawn over the edges of the panels. A panel that is made too narrow is folded.
void Shell::splitters(float left, float right, float bottom) {
  const Look& l = look_;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float top = l.u(kTop), height = bottom - top, thick = l.u(kSplitter);
  const Panes first;
  const auto edge = [&](const char* id, float x, float width, float sign, double Panes::* size, bool Panes::* shown) {
    if (width <= 0) return;
    focus_.panel("");  // F6 skips these panels
    pane(id, ImVec2(x - thick / 2, top), ImVec2(thick, height), ImVec2(0, 0), false, [&] {
      const SplitterMove move = splitter(l, id, ImVec2(x - thick / 2, top), ImVec2(thick, height), true);
      if (!move.reset && move.by == 0) return;
      Panes next = session_.state().panes;
      const double wanted = next.*size + static_cast<double>(sign * move.by / l.scale);
      next.*size = move.reset ? first.*size : std::clamp(wanted, kLeastPanel, kMostPanel);
      // Dragged well below the least width, the panel is hidden; its command shows it again.
      const float mouse = sign > 0 ? ImGui::GetIO().MousePos.x : screen.x - ImGui::GetIO().MousePos.x;
      if (ImGui::IsMouseDown(0) && mouse < l.u(static_cast<float>(kLeastPanel) / 2)) next.*shown = false;
      sink_(SetPanes{next});
    });
  };
  edge("left edge", left, left, 1, &Panes::left, &Panes::workspace);
  edge("right edge", screen.x - right, right, -1, &Panes::right, &Panes::controls);
}

// One tab, or two side by side.
void Shell::tabs_of(Ui& ui, Room room) {
  const AppState& s = session_.state();
  const Look& l = look_;
  const ViewRow* open = view_row(s.tab);
  if (!open || open->place != Place::tab) open = tab_rows().front();
  const ViewRow* beside = view_row(s.panes.beside);
  const float gutter = l.u(kSplitter);
  if (!beside || beside->place != Place::tab || beside == open) return tab(ui, *open, room, false);
  constexpr double otherwise = 0.5;
  const double cut = cut_of(s.panes, kTabsCut, otherwise);
  const bool upright = room.w >= l.u(560);  // otherwise one tab is below the other
  const float all = upright ? room.w : room.h, first = std::floor((all - gutter) * static_cast<float>(cut));
  const float second = first + gutter;
  const Room one{room.x, room.y, upright ? first : room.w, upright ? room.h : first};
  const Room two = upright ? Room{room.x + second, room.y, room.w - second, room.h}
                           : Room{room.x, room.y + second, room.w, room.h - second};
  tab(ui, *open, one, false);
  focus_.panel("");
  const ImVec2 from(room.x + (upright ? first : 0), room.y + (upright ? 0 : first));
  const ImVec2 thick(upright ? gutter : room.w, upright ? room.h : gutter);
  pane("tabs edge", from, thick, ImVec2(0, 0), false, [&] {
    const SplitterMove move = splitter(l, "tabs edge", from, thick, upright);
    if (!move.reset && move.by == 0) return;
    Panes next = s.panes;
    next.cuts[kTabsCut] = move.reset ? otherwise : moved_cut(cut, static_cast<double>(move.by / all));
    sink_(SetPanes{next});
  });
  tab(ui, *beside, two, true);
}

// Draws the names above a tab. Returns their height.
float Shell::strip(Ui& ui, const ViewRow& open, Room room, bool beside) {
  const AppState& s = session_.state();
  const Look& l = look_;
  const char* id = beside ? "tabs beside" : "tabs";
  TabStrip& names = beside ? names_beside_ : names_;
  const float cross = beside ? l.u(28) : 0, height = names.height(l, ImVec2(room.w, room.h), cross);
  focus_.panel(id);
  const auto show = [&](const ViewRow& row) {
    if (!beside) return sink_(ShowTab{row.id});
    if (row.id == s.tab) return sink_(ShowTab{s.panes.beside});  // the two change places
    Panes next = s.panes;
    next.beside = row.id;
    sink_(SetPanes{next});
  };
  pane(id, ImVec2(room.x, room.y), ImVec2(room.w, height), ImVec2(l.u(8), l.u(4)), false, [&] {
    if (const ViewRow* wanted = names.draw(s, ui, open, ImVec2(room.w, room.h), cross)) show(*wanted);
    if (!beside) return;
    ImGui::SetCursorScreenPos(ImVec2(room.x + room.w - l.u(28), room.y + l.u(12)));
    if (!cross_button(l, "one tab", "One tab again" + keys_behind(s, ui.commands, "view.beside"))) return;
    Panes next = s.panes;
    next.beside.clear();
    sink_(SetPanes{next});
  });
  return height;
}

// A tab below its names.
void Shell::tab(Ui& ui, const ViewRow& row, Room room, bool beside) {
  const float top = strip(ui, row, room, beside);
  focus_.panel(row.id);
  pane(row.id, ImVec2(room.x, room.y + top), ImVec2(room.w, room.h - top), ImVec2(look_.u(16), look_.u(8)), row.scrolls,
       [&] {
         if (covered_tab(session_.state(), row.id)) return draw_covered_tab(session_.state(), ui, row.id);
         view(row).draw(session_.state(), ui);
         if (row.scrolls) scroll_by_keys(look_, row.id, beside ? "tabs beside" : "tabs");
       });
}

}  // namespace warpspy::ui
