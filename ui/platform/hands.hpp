// Keeps the events of mouse and keyboard in their order until frames have taken them.
//
// Dear ImGui reads its input once per frame. It can tell two presses of a key, a press and its release, or two
// positions of the mouse apart only in different frames. Its own queue (since 1.87) spreads events over many frames,
// and keys and letters lose their order. So here each frame gets only events that it can tell apart, in every version
// alike.
#pragma once

#include <array>
#include <cstddef>
#include <deque>

#include "ui/platform/input.hpp"

namespace warpspy::ui {

struct HandEvent {
  enum class What : std::uint8_t { move, leave, button, wheel, press, again, release, modifiers, letter, focus };
  What what = What::move;
  float x = 0, y = 0;   // move: the new position in the window; wheel: steps
  int button = 0;       // of the mouse
  bool down = false;    // button; focus: gained
  Key key = Key::none;  // press, again (held down), release
  Modifiers held = {};  // for press, again, release, modifiers and button: the modifiers that are down
  unsigned letter = 0;  // a code point of Unicode
};

class Hands {
 public:
  void push(const HandEvent& e) { waiting_.push_back(e); }
  bool empty() const { return waiting_.empty(); }
  // Gives ImGui the events of one frame. Call it between the backend's new frame and ImGui's, with a context. Returns
  // the pressed keys.
  Heard hand_on();

 private:
  struct Taken;
  bool fits(const HandEvent& e, const Taken& taken) const;
  void give(const HandEvent& e, Taken& taken, Heard& heard);

  std::deque<HandEvent> waiting_;
  bool known_ = false, inside_ = false;  // the mouse was seen; it is in the window
  float x_ = 0, y_ = 0;
  std::array<bool, 3> buttons_{};
  Modifiers held_;
  int since_ = 8;  // frames since a press that may have opened or moved something
};

}  // namespace warpspy::ui
