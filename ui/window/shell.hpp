// Draws one frame of the whole window: it places the views, handles shortcuts, and hands the frame's actions to the
// session.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ui/canvas/imgui_canvas.hpp"
#include "ui/platform/hands.hpp"
#include "ui/services/session.hpp"
#include "ui/spy/tiles.hpp"
#include "ui/views/projection.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/idle_mouse.hpp"
#include "ui/window/tab_strip.hpp"

namespace warpspy::ui {

class Shell {
 public:
  // ImGui's context exists; `textures` and `session` outlive this.
  Shell(Session& session, TextureStore& textures);
  ~Shell();

  // Loads fonts and style for a scale of the interface (1 = 100 %) and of the pixels below it.
  void set_scale(float ui_scale, float pixel_scale);
  // Between ImGui::NewFrame and ImGui::Render. `applied`, if given, receives the frame's actions (for tests).
  void frame(std::vector<Action>* applied = nullptr);
  // Draws frames until all events of mouse and keyboard are used; only the last frame must be rendered. `prepare` does
  // what a backend does before ImGui's new frame.
  void frames(Hands& hands, const std::function<void()>& prepare, std::vector<Action>* applied = nullptr);
  void set_tip_delay(double seconds) { look_.tip_delay = seconds; }
  // All drawn words and items are recorded there too, for tests.
  void take_down(std::vector<Shown>* shown) { look_.shown = shown; }
  const Look& look() const { return look_; }
  const Focus& focus() const { return focus_; }
  TileCache& tiles() { return tiles_; }

 private:
  View& view(const ViewRow& row);
  void draw(Ui& ui);
  // The room between the panels: from the left, from the top, width and height.
  struct Room {
    float x = 0, y = 0, w = 0, h = 0;
  };
  void rules(float below) const;  // draws lines between the panels, and one above the part below the tabs
  void side(Ui& ui, const ViewRow& row, Room room, float pad_x, float pad_y);
  void workspace_waits(Ui& ui, Room room);
  void tabs_of(Ui& ui, Room room);
  float strip(Ui& ui, const ViewRow& open, Room room, bool beside);
  void tab(Ui& ui, const ViewRow& row, Room room, bool beside);
  void splitters(float left, float right, float bottom);
  std::vector<Action> take_actions();
  void rest();          // decides whether the next action begins a new step of undo
  void forget_tiles();  // forgets tiles of closed matrices

  Session& session_;
  FontSet fonts_;
  Look look_;
  std::optional<ThemeId> styled_;
  ActionSink sink_;
  Focus focus_;
  IdleMouse mouse_;
  std::string tab_;  // the open tab in the last frame
  TileCache tiles_;
  ImageCache images_;
  std::optional<Window> spy_window_;
  Projection projection_;
  TabStrip names_{"tabs"}, names_beside_{"tabs beside"};
  std::map<const ViewRow*, std::unique_ptr<View>> views_;
  std::set<MatrixId> open_;  // the open matrices in the last frame
  bool takes_keys_ = false;  // a view waits for a chord, which performs no command
  double last_step_ = -1;    // ImGui's time of the last action
};

}  // namespace warpspy::ui
