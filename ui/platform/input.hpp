// Keys and fed events with the same names for every supported version of Dear ImGui (key handling changed in 1.87).
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
  insert,
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
// The chord with such a label; Key::none for any other text.
Chord chord_from_text(const std::string& label);

struct Modifiers {
  bool ctrl = false, shift = false, alt = false;
  bool operator==(const Modifiers&) const = default;
};
// Converts GLFW's bits of modifiers.
Modifiers modifiers_of(int glfw_modifiers);

// Converts GLFW's number of a key; Key::none for keys without a name here.
Key key_of(int glfw_key);

// True in the frame in which the chord went down (auto-repeat included when asked), with exactly these modifiers.
bool pressed(Chord c, bool repeat = false);

// Tells where the focus moves: to the next or previous control or panel, to the menus, nowhere.
enum class FocusTo : std::uint8_t { next, previous, next_panel, previous_panel, menu, none };

// The keys of one frame (ui/platform/hands.hpp).
struct Heard {
  std::vector<Chord> pressed, again;  // again: keys that are held down, repeated by the system
};

// Returns a chord that was pressed in this frame; Key::none if there is none.
Chord any_pressed();

// Feeds events into ImGui, which takes all of them in the next frame.
void feed_mouse(float x, float y);
void feed_button(int button, bool down);
void feed_wheel(float steps, float along = 0);
void feed_key(Key key, bool down);
void feed_modifiers(const Modifiers& held);
void feed_chord(Chord c, bool down);

}  // namespace warpspy::ui
