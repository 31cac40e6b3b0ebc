// Keys and fed events under one name, for every supported version of Dear ImGui (key handling changed in 1.87).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpspy::ui {

// Printable keys by their unshifted US character; the others below.
enum class Key : std::uint16_t {
  none = 0,
  f1 = 256,
  f2,
  f3,
  f4,
  f5,
  f6,
  f7,
  f8,
  f9,
  f10,
  f11,
  f12,
  escape,
  enter,
  tab,
  space,
  menu,  // the key of context menus
  backspace,
  del,
  left,
  right,
  up,
  down,
  home,
  end,
  page_up,
  page_down,
};
constexpr Key key(char c) { return static_cast<Key>(c); }

struct Chord {
  Key key = Key::none;
  bool ctrl = false, shift = false;
  bool operator==(const Chord&) const = default;
};
std::string label_of(Chord c);  // "Ctrl+Shift+P"; empty for none
// The chord of such a label; Key::none for any other text.
Chord chord_from_text(const std::string& label);

// A key press as GLFW tells it (key and modifier bits); Key::none for keys without a name here and with Alt held.
Chord chord_of(int glfw_key, int glfw_modifiers);

// True in the frame in which the chord went down (auto-repeat included when asked), with exactly these modifiers.
bool pressed(Chord c, bool repeat = false);

// Where the keys go: from control to control, from panel to panel, to the menus, nowhere.
enum class FocusTo : std::uint8_t { next, previous, next_panel, previous_panel, menu, none };

// What a window heard since the last frame. ImGui looks once per frame, so a quick press on a slow machine would be
// lost.
struct Heard {
  std::vector<Chord> pressed, again;  // again: held down, and repeated by the system
};

// The chord that went down in this frame, whichever it is; Key::none for none.
Chord any_pressed();

// Events into ImGui, as a window would send them. For tests and scripted runs.
void feed_mouse(float x, float y);
void feed_button(int button, bool down);
void feed_wheel(float steps);
void feed_chord(Chord c, bool down);

}  // namespace warpspy::ui
