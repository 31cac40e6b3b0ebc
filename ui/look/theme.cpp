#include "ui/look/theme.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace warpspy::ui {

using plot::rgb;

namespace {

constexpr Palette paper{
    .ground = rgb(0xF6F4EF),
    .panel = rgb(0xFDFCFA),
    .raised = rgb(0xFFFFFF),
    .ink = rgb(0x1F1E1B),
    .muted = rgb(0x605D56),
    .hairline = rgb(0xDCD8CE),
    .outline = rgb(0x8C887E),
    .control = rgb(0xEAE7DF),
    .control_hot = rgb(0xE1DDD3),
    .control_active = rgb(0xD5D0C4),
    .select = rgb(0xE6E2D8),
    .accent = rgb(0x2B2A27),
    .on_accent = rgb(0xFBFAF7),
    .highlight = rgb(0xC2187A),
    .warning = rgb(0x8A5A00),
    .error = rgb(0xB3261E),
    .dark = false,
};

constexpr Palette dark{
    .ground = rgb(0x191A1C),
    .panel = rgb(0x1F2023),
    .raised = rgb(0x292B2F),
    .ink = rgb(0xE9E7E2),
    .muted = rgb(0xA5A39C),
    .hairline = rgb(0x36383C),
    .outline = rgb(0x7A7C80),
    .control = rgb(0x2A2C30),
    .control_hot = rgb(0x34373C),
    .control_active = rgb(0x40434A),
    .select = rgb(0x303338),
    .accent = rgb(0xE9E7E2),
    .on_accent = rgb(0x191A1C),
    .highlight = rgb(0xFF5FB0),
    .warning = rgb(0xF0B95A),
    .error = rgb(0xFF8A80),
    .dark = true,
};

double luminance(Color c) {
  const auto linear = [](std::uint8_t v) {
    const double s = v / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

ImVec4 vec(Color c) { return {c.r / 255.f, c.g / 255.f, c.b / 255.f, c.a / 255.f}; }
Color fade(Color c, std::uint8_t alpha) { return {c.r, c.g, c.b, alpha}; }

}  // namespace

const Palette& palette_of(ThemeId t) { return t == ThemeId::paper ? paper : dark; }

plot::Theme plot_theme(const Palette& p, double text_size) {
  plot::Theme t = p.dark ? plot::dark_theme() : plot::light_theme();
  t.ground = p.panel;
  t.panel = p.panel;
  t.ink = p.ink;
  t.muted = p.muted;
  t.hairline = p.hairline;
  t.grid = p.dark ? rgb(0x2C2E32) : rgb(0xECE9E1);
  t.text_size = text_size;
  t.dark = p.dark;
  return t;
}

double contrast(Color a, Color b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

void apply_style(const Palette& p, float scale) {
  ImGuiStyle s;
  s.WindowPadding = ImVec2(8, 8);
  s.FramePadding = ImVec2(8, 4);
  s.ItemSpacing = ImVec2(8, 6);
  s.ItemInnerSpacing = ImVec2(6, 4);
  s.CellPadding = ImVec2(6, 3);
  s.IndentSpacing = 16;
  s.ScrollbarSize = 10;
  s.GrabMinSize = 10;
  s.WindowRounding = 0;
  s.ChildRounding = 0;
  s.FrameRounding = 4;
  s.PopupRounding = 6;
  s.ScrollbarRounding = 5;
  s.GrabRounding = 4;
  s.WindowBorderSize = 0;
  s.ChildBorderSize = 0;
  s.FrameBorderSize = 0;
  s.PopupBorderSize = 1;
  s.DisplaySafeAreaPadding = ImVec2(0, 0);
  s.ScaleAllSizes(scale);
  s.PopupBorderSize = std::max(1.f, std::floor(scale));

  const Color clear{0, 0, 0, 0};
  struct Row {
    ImGuiCol slot;
    Color color;
  };
  const Row rows[] = {
      {ImGuiCol_Text, p.ink},
      {ImGuiCol_TextDisabled, p.muted},
      {ImGuiCol_WindowBg, p.ground},
      {ImGuiCol_ChildBg, clear},
      {ImGuiCol_PopupBg, p.raised},
      {ImGuiCol_Border, p.hairline},
      {ImGuiCol_BorderShadow, clear},
      {ImGuiCol_FrameBg, p.control},
      {ImGuiCol_FrameBgHovered, p.control_hot},
      {ImGuiCol_FrameBgActive, p.control_active},
      {ImGuiCol_TitleBg, p.raised},
      {ImGuiCol_TitleBgActive, p.raised},
      {ImGuiCol_TitleBgCollapsed, p.raised},
      {ImGuiCol_MenuBarBg, p.ground},
      {ImGuiCol_ScrollbarBg, clear},
      {ImGuiCol_ScrollbarGrab, fade(p.outline, 90)},
      {ImGuiCol_ScrollbarGrabHovered, fade(p.outline, 150)},
      {ImGuiCol_ScrollbarGrabActive, p.outline},
      {ImGuiCol_CheckMark, p.ink},
      {ImGuiCol_SliderGrab, p.ink},
      {ImGuiCol_SliderGrabActive, p.ink},
      {ImGuiCol_Button, p.control},
      {ImGuiCol_ButtonHovered, p.control_hot},
      {ImGuiCol_ButtonActive, p.control_active},
      {ImGuiCol_Header, p.select},
      {ImGuiCol_HeaderHovered, p.control_hot},
      {ImGuiCol_HeaderActive, p.control_active},
      {ImGuiCol_Separator, p.hairline},
      {ImGuiCol_SeparatorHovered, p.outline},
      {ImGuiCol_SeparatorActive, p.ink},
      {ImGuiCol_ResizeGrip, clear},
      {ImGuiCol_ResizeGripHovered, p.control_hot},
      {ImGuiCol_ResizeGripActive, p.control_active},
      {ImGuiCol_TableHeaderBg, clear},
      {ImGuiCol_TableBorderStrong, p.hairline},
      {ImGuiCol_TableBorderLight, p.hairline},
      {ImGuiCol_TableRowBg, clear},
      {ImGuiCol_TableRowBgAlt, clear},
      {ImGuiCol_TextSelectedBg, fade(p.outline, 90)},
      {ImGuiCol_DragDropTarget, p.ink},
#if IMGUI_VERSION_NUM >= 19140
      {ImGuiCol_NavCursor, p.outline},
#else
      {ImGuiCol_NavHighlight, p.outline},
#endif
      {ImGuiCol_ModalWindowDimBg, clear},
  };
  for (const auto& [slot, color] : rows) s.Colors[slot] = vec(color);
  ImGui::GetStyle() = s;
}

}  // namespace warpspy::ui
