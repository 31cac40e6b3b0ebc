#include "ui/platform/context.hpp"

#include <imgui.h>

#include "ui/platform/compat.hpp"

namespace warpspy::ui {

namespace {
// All tests of a program share one atlas, since making it takes longer than most tests.
ImFontAtlas* fonts_of_tests() {
#if IMGUI_VERSION_NUM >= 19200
  return nullptr;  // a dynamic atlas cannot be shared
#else
  static ImFontAtlas atlas;
  atlas.Locked = false;  // a test that failed within a frame leaves it locked
  return &atlas;
#endif
}
}  // namespace

ImGuiSession::ImGuiSession(ImFontAtlas* fonts) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext(fonts);
  ImGuiIO& io = ImGui::GetIO();
  // The code decides the layout, and no file beside the program.
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  take_events_at_once();
}

ImGuiSession::~ImGuiSession() { ImGui::DestroyContext(); }

NullBackend::NullBackend(float width, float height) : imgui_(fonts_of_tests()) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(width, height);
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
#if IMGUI_VERSION_NUM >= 19200
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#endif
#if IMGUI_VERSION_NUM < 18700
  // As the GLFW backend maps them.
  io.KeyMap[ImGuiKey_LeftArrow] = 263;
  io.KeyMap[ImGuiKey_RightArrow] = 262;
  io.KeyMap[ImGuiKey_UpArrow] = 265;
  io.KeyMap[ImGuiKey_DownArrow] = 264;
  io.KeyMap[ImGuiKey_Backspace] = 259;
  io.KeyMap[ImGuiKey_Enter] = 257;
  io.KeyMap[ImGuiKey_Escape] = 256;
  io.KeyMap[ImGuiKey_A] = 'A';
#endif
}

void NullBackend::prepare() { ImGui::GetIO().DeltaTime = 1.f / 60; }

void NullBackend::begin_frame() {
  prepare();
  ImGui::NewFrame();
}

void NullBackend::end_frame() {
  ImGui::Render();
#if IMGUI_VERSION_NUM >= 19200
  if (const ImDrawData* data = ImGui::GetDrawData(); data->Textures)
    for (ImTextureData* t : *data->Textures) {
      const bool gone = t->Status == ImTextureStatus_WantDestroy;
      if (gone) t->SetTexID(ImTextureID_Invalid);
      if (t->Status == ImTextureStatus_WantCreate) t->SetTexID(1);
      t->SetStatus(gone ? ImTextureStatus_Destroyed : ImTextureStatus_OK);
    }
#endif
}

}  // namespace warpspy::ui
