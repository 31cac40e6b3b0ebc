// What hands did, in the order in which they did it, until frames have taken it.
//
// Dear ImGui looks once per frame. Two presses of a key, a press and its release, a place and the next one are told
// apart only by different frames; what it queues itself (since 1.87) it hands on over many frames, and keys and words
// lose their order. So each frame is given here what it can tell apart, alike in every version.
#pragma once

#include <array>
#include <cstddef>
#include <deque>

#include "ui/platform/input.hpp"

namespace warpspy::ui {

struct HandEvent {
  enum class What : std::uint8_t { move, leave, button, wheel, press, again, release, modifiers, letter, focus };
  What what = What::move;
  float x = 0, y = 0;   // move: where to, in the window; wheel: steps
  int button = 0;       // of the mouse
  bool down = false;    // button; focus: gained
  Key key = Key::none;  // press, again (held down), release
  Modifiers held = {};  // with press, again, release, modifiers and button: those that are down then
  unsigned letter = 0;  // a code point of Unicode
};

class Hands {
 public:
  void push(const HandEvent& e) { waiting_.push_back(e); }
  bool empty() const { return waiting_.empty(); }
  // Gives ImGui what one frame tells apart; between the backend's new frame and ImGui's, which has a context. Returns
  // what went down.
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
  int since_ = 8;  // frames since something was pressed that may lead elsewhere
};

}  // namespace warpspy::ui
