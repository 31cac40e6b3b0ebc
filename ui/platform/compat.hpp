// The few names that changed between Dear ImGui 1.86 and 1.92.
#pragma once

#include <imgui.h>

namespace warpspy::ui {

#if IMGUI_VERSION_NUM >= 18970
inline constexpr int kSelectableOverlap = ImGuiSelectableFlags_AllowOverlap;
#else
inline constexpr int kSelectableOverlap = ImGuiSelectableFlags_AllowItemOverlap;
#endif

}  // namespace warpspy::ui
