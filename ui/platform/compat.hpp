// The few names that changed between Dear ImGui 1.86 and 1.92.
#pragma once

#include <imgui.h>

namespace warpspy::ui {

#if IMGUI_VERSION_NUM >= 18970
inline constexpr int kSelectableOverlap = ImGuiSelectableFlags_AllowOverlap;
#else
inline constexpr int kSelectableOverlap = ImGuiSelectableFlags_AllowItemOverlap;
#endif

// A child without a frame that keeps the window padding.
inline bool begin_padded_child(const char* id, ImVec2 size, ImGuiWindowFlags flags) {
#if IMGUI_VERSION_NUM >= 19000
  return ImGui::BeginChild(id, size, ImGuiChildFlags_AlwaysUseWindowPadding, flags);
#else
  return ImGui::BeginChild(id, size, false, flags | ImGuiWindowFlags_AlwaysUseWindowPadding);
#endif
}

}  // namespace warpspy::ui
