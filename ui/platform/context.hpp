// Owns a context of Dear ImGui, with or without a window behind it.
#pragma once

struct ImFontAtlas;

namespace warpspy::ui {

class ImGuiSession {
 public:
  // fonts: a shared atlas, which must outlive the session; without one the session makes its own.
  explicit ImGuiSession(ImFontAtlas* fonts = nullptr);
  ~ImGuiSession();
  ImGuiSession(const ImGuiSession&) = delete;
  ImGuiSession& operator=(const ImGuiSession&) = delete;
};

// Makes frames without a window and a renderer, for tests. Events are fed (platform/input.hpp), and nothing is drawn.
class NullBackend {
 public:
  NullBackend(float width, float height);
  static void prepare();  // does what a backend does before ImGui's new frame
  void begin_frame();
  void end_frame();

 private:
  ImGuiSession imgui_;
};

}  // namespace warpspy::ui
