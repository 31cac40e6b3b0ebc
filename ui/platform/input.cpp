#include "ui/platform/input.hpp"

#include <imgui.h>

#include <cctype>

namespace warpspy::ui {

namespace {

struct Special {
  Key key;
  const char* label;
  int glfw;  // the number that the GLFW backend of 1.86 stores in KeysDown
#if IMGUI_VERSION_NUM >= 18700
  ImGuiKey imgui;
#endif
};
#if IMGUI_VERSION_NUM >= 18700
#define WARPSPY_KEY(key, label, glfw, imgui) {Key::key, label, glfw, ImGuiKey_##imgui}
#else
#define WARPSPY_KEY(key, label, glfw, imgui) {Key::key, label, glfw}
#endif
constexpr Special specials[] = {
    WARPSPY_KEY(f1, "F1", 290, F1),
    WARPSPY_KEY(f2, "F2", 291, F2),
    WARPSPY_KEY(f3, "F3", 292, F3),
    WARPSPY_KEY(f4, "F4", 293, F4),
    WARPSPY_KEY(f5, "F5", 294, F5),
    WARPSPY_KEY(f6, "F6", 295, F6),
    WARPSPY_KEY(f7, "F7", 296, F7),
    WARPSPY_KEY(f8, "F8", 297, F8),
    WARPSPY_KEY(f9, "F9", 298, F9),
    WARPSPY_KEY(f10, "F10", 299, F10),
    WARPSPY_KEY(f11, "F11", 300, F11),
    WARPSPY_KEY(f12, "F12", 301, F12),
    WARPSPY_KEY(escape, "Esc", 256, Escape),
    WARPSPY_KEY(enter, "Enter", 257, Enter),
    WARPSPY_KEY(tab, "Tab", 258, Tab),
    WARPSPY_KEY(space, "Space", 32, Space),
    WARPSPY_KEY(menu, "Menu", 348, Menu),
    WARPSPY_KEY(backspace, "Backspace", 259, Backspace),
    WARPSPY_KEY(insert, "Insert", 260, Insert),
    WARPSPY_KEY(del, "Delete", 261, Delete),
    WARPSPY_KEY(right, "Right", 262, RightArrow),
    WARPSPY_KEY(left, "Left", 263, LeftArrow),
    WARPSPY_KEY(down, "Down", 264, DownArrow),
    WARPSPY_KEY(up, "Up", 265, UpArrow),
    WARPSPY_KEY(page_up, "PgUp", 266, PageUp),
    WARPSPY_KEY(page_down, "PgDn", 267, PageDown),
    WARPSPY_KEY(home, "Home", 268, Home),
    WARPSPY_KEY(end, "End", 269, End),
};
#undef WARPSPY_KEY

const Special* special(Key k) {
  for (const auto& s : specials)
    if (s.key == k) return &s;
  return nullptr;
}

#if IMGUI_VERSION_NUM >= 18700
ImGuiKey native(Key k) {
  if (const auto* s = special(k)) return s->imgui;
  const int c = static_cast<int>(k);
  if (c >= 'A' && c <= 'Z') return static_cast<ImGuiKey>(ImGuiKey_A + (c - 'A'));
  if (c >= '0' && c <= '9') return static_cast<ImGuiKey>(ImGuiKey_0 + (c - '0'));
  switch (c) {
    case '=':
      return ImGuiKey_Equal;
    case '-':
      return ImGuiKey_Minus;
    case ',':
      return ImGuiKey_Comma;
    case '.':
      return ImGuiKey_Period;
    case '/':
      return ImGuiKey_Slash;
    case '\\':
      return ImGuiKey_Backslash;
    default:
      return ImGuiKey_None;
  }
}
#else
int native(Key k) {
  const auto* s = special(k);
  return s ? s->glfw : static_cast<int>(k);
}
#endif

}  // namespace

std::string label_of(Chord c) {
  if (c.key == Key::none) return {};
  std::string text = c.ctrl ? "Ctrl+" : "";
  if (c.shift) text += "Shift+";
  if (const auto* s = special(c.key)) return text + s->label;
  return text + static_cast<char>(c.key);
}

Chord chord_from_text(const std::string& label) {
  Chord c;
  std::string rest = label;
  const auto take = [&](const char* modifier) {
    const std::string text = modifier;
    if (!rest.starts_with(text) || rest.size() == text.size()) return false;
    rest.erase(0, text.size());
    return true;
  };
  c.ctrl = take("Ctrl+");
  c.shift = take("Shift+");
  for (const auto& s : specials)
    if (rest == s.label) c.key = s.key;
  if (c.key == Key::none && rest.size() == 1 && rest[0] > 32 && rest[0] < 127) c.key = key(rest[0]);
  return c;
}

Modifiers modifiers_of(int glfw_modifiers) {
  constexpr int shift = 1, ctrl = 2, alt = 4;  // GLFW_MOD_*
  return {(glfw_modifiers & ctrl) != 0, (glfw_modifiers & shift) != 0, (glfw_modifiers & alt) != 0};
}

Key key_of(int glfw_key) {
  // The number pad says the same.
  constexpr int pad_0 = 320, pad_9 = 329, pad_minus = 333, pad_plus = 334, pad_enter = 335;  // GLFW_KEY_KP_*
  if (glfw_key >= pad_0 && glfw_key <= pad_9) return static_cast<Key>('0' + (glfw_key - pad_0));
  if (glfw_key == pad_minus) return key('-');
  if (glfw_key == pad_plus) return key('=');
  if (glfw_key == pad_enter) return Key::enter;
  for (const auto& s : specials)
    if (s.glfw == glfw_key) return s.key;
  return glfw_key > 32 && glfw_key < 127 ? static_cast<Key>(glfw_key) : Key::none;
}

bool pressed(Chord c, bool repeat) {
  if (c.key == Key::none) return false;
  const ImGuiIO& io = ImGui::GetIO();
  return io.KeyCtrl == c.ctrl && io.KeyShift == c.shift && !io.KeyAlt && ImGui::IsKeyPressed(native(c.key), repeat);
}

Chord any_pressed() {
  const ImGuiIO& io = ImGui::GetIO();
  const auto heard = [&](Key k) {
    const Chord c{k, io.KeyCtrl, io.KeyShift};
    return pressed(c) ? c : Chord{};
  };
  for (const auto& s : specials)
    if (const Chord c = heard(s.key); c.key != Key::none) return c;
  for (const char* k = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=-,./\\"; *k != 0; ++k)
    if (const Chord c = heard(key(*k)); c.key != Key::none) return c;
  return {};
}

#if IMGUI_VERSION_NUM >= 18700
void feed_mouse(float x, float y) { ImGui::GetIO().AddMousePosEvent(x, y); }
void feed_button(int button, bool down) { ImGui::GetIO().AddMouseButtonEvent(button, down); }
void feed_wheel(float steps, float along) { ImGui::GetIO().AddMouseWheelEvent(along, steps); }
void feed_key(Key key, bool down) {
  if (const ImGuiKey k = native(key); k != ImGuiKey_None) ImGui::GetIO().AddKeyEvent(k, down);
}
void feed_modifiers(const Modifiers& held) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18900
  io.AddKeyEvent(ImGuiMod_Ctrl, held.ctrl);
  io.AddKeyEvent(ImGuiMod_Shift, held.shift);
  io.AddKeyEvent(ImGuiMod_Alt, held.alt);
#else
  io.AddKeyEvent(ImGuiKey_ModCtrl, held.ctrl);
  io.AddKeyEvent(ImGuiKey_ModShift, held.shift);
  io.AddKeyEvent(ImGuiKey_ModAlt, held.alt);
#endif
}
#else
void feed_mouse(float x, float y) { ImGui::GetIO().MousePos = ImVec2(x, y); }
void feed_button(int button, bool down) { ImGui::GetIO().MouseDown[button] = down; }
void feed_wheel(float steps, float along) {
  ImGui::GetIO().MouseWheel += steps;
  ImGui::GetIO().MouseWheelH += along;
}
void feed_key(Key key, bool down) {
  if (key != Key::none) ImGui::GetIO().KeysDown[native(key)] = down;
}
void feed_modifiers(const Modifiers& held) {
  ImGuiIO& io = ImGui::GetIO();
  io.KeyCtrl = held.ctrl, io.KeyShift = held.shift, io.KeyAlt = held.alt;
}
#endif

void feed_chord(Chord c, bool down) {
  feed_modifiers({c.ctrl && down, c.shift && down});
  feed_key(c.key, down);
}

}  // namespace warpspy::ui
