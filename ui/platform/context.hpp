// ImGui's context as an object, with or without a window behind it.
#pragma once

namespace warpspy::ui {

class ImGuiSession {
 public:
  ImGuiSession();
  ~ImGuiSession();
  ImGuiSession(const ImGuiSession&) = delete;
  ImGuiSession& operator=(const ImGuiSession&) = delete;
};

// Frames without a window and without a renderer, for tests: events are fed (platform/input.hpp), nothing is drawn.
class NullBackend {
 public:
  NullBackend(float width, float height);
  static void prepare();  // what a backend does before ImGui's new frame
  void begin_frame();
  void end_frame();

 private:
  ImGuiSession imgui_;
};

}  // namespace warpspy::ui
