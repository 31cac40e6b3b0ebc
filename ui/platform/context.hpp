// ImGui's context as an object, with or without a window behind it.
#pragma once

struct ImFontAtlas;

namespace warpspy::ui {

class ImGuiSession {
 public:
  // fonts: another's atlas, which goes after the session; without one the session has its own.
  explicit ImGuiSession(ImFontAtlas* fonts = nullptr);
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
