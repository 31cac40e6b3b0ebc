// Hides the few names that changed between Dear ImGui 1.86 and 1.92.
#pragma once

#include <imgui.h>
#include <imgui_internal.h>

#include <cstdint>

namespace warpspy::ui {

#if IMGUI_VERSION_NUM >= 18970
inline constexpr int kSelectableOverlap = ImGuiSelectableFlags_AllowOverlap;
#else
inline constexpr int kSelectableOverlap = ImGuiSelectableFlags_AllowItemOverlap;
#endif

// All fed events arrive in the next frame, in every version (ui/platform/hands.hpp).
inline void take_events_at_once() {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().ConfigInputTrickleEventQueue = false;
#endif
}

// The texture with the glyphs; plain areas use one of its white pixels.
inline std::uint64_t glyph_texture() {
#if IMGUI_VERSION_NUM >= 19200
  return (std::uint64_t)(std::uintptr_t)ImGui::GetIO().Fonts->TexRef.GetTexID();
#else
  return (std::uint64_t)(std::uintptr_t)ImGui::GetIO().Fonts->TexID;
#endif
}

// The Tab key is handled by ui/widgets/focus.hpp, since ImGui's own way visits only text fields.
inline void begin_own_tabbing() {
#if IMGUI_VERSION_NUM >= 19140
  ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, true);
#elif IMGUI_VERSION_NUM >= 18940
  ImGui::PushTabStop(false);
#elif IMGUI_VERSION_NUM >= 18700
  ImGui::PushAllowKeyboardFocus(false);
#else
  ImGui::GetIO().KeyMap[ImGuiKey_Tab] = -1;
#endif
}
inline void end_own_tabbing() {
#if IMGUI_VERSION_NUM >= 19140
  ImGui::PopItemFlag();
#elif IMGUI_VERSION_NUM >= 18940
  ImGui::PopTabStop();
#elif IMGUI_VERSION_NUM >= 18700
  ImGui::PopAllowKeyboardFocus();
#endif
}

// The last item keeps the mouse wheel: the area around it does not scroll.
inline void keep_wheel() {
#if IMGUI_VERSION_NUM >= 18900
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
#else
  ImGui::SetItemUsingMouseWheel();
#endif
}

// Makes the surrounding area reach to a cursor that was moved. Since 1.89 that needs an item of size 0; without it,
// builds without old names end the program.
inline void grow_to_cursor() {
#if IMGUI_VERSION_NUM >= 18900
  if (ImGui::GetCurrentWindow()->DC.IsSetPos) ImGui::Dummy(ImVec2(0, 0));
#endif
}
inline void end_child() { grow_to_cursor(), ImGui::EndChild(); }
inline void end_group() { grow_to_cursor(), ImGui::EndGroup(); }
inline void end_popup() { grow_to_cursor(), ImGui::EndPopup(); }
inline void end_table() { grow_to_cursor(), ImGui::EndTable(); }
inline void end_tooltip() { grow_to_cursor(), ImGui::EndTooltip(); }
inline void end_window() { grow_to_cursor(), ImGui::End(); }

// Begins a child window without a frame that keeps the window padding.
inline bool begin_padded_child(const char* id, ImVec2 size, ImGuiWindowFlags flags) {
#if IMGUI_VERSION_NUM >= 19000
  return ImGui::BeginChild(id, size, ImGuiChildFlags_AlwaysUseWindowPadding, flags);
#else
  return ImGui::BeginChild(id, size, false, flags | ImGuiWindowFlags_AlwaysUseWindowPadding);
#endif
}

}  // namespace warpspy::ui
