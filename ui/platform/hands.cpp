#include "ui/platform/hands.hpp"

#include <imgui.h>

#include <cfloat>

namespace warpspy::ui {

namespace {

using What = HandEvent::What;

// How many frames later the effect of a key is there: the focus on another control, or a dialog with a text field.
constexpr int kControlThere = 2, kFieldThere = 4;

// Whether a key types a character, as far as the key alone shows.
bool writes(const HandEvent& e) {
  const auto c = static_cast<int>(e.key);
  return ((c > 32 && c < 127) || e.key == Key::space) && !e.held.ctrl && !e.held.alt;
}

}  // namespace

// What the next frame has taken so far.
struct Hands::Taken {
  bool field = false;  // words are typed into one
  bool moved = false, clicked = false, wheeled = false, pressed = false, typed = false;
  bool mouse() const { return moved || clicked || wheeled; }
  bool any() const { return mouse() || pressed || typed; }
};

bool Hands::fits(const HandEvent& e, const Taken& t) const {
  const bool word = writes(e) && t.field;
  switch (e.what) {
    case What::move:
    case What::leave:
      return !t.clicked && !t.wheeled && !t.pressed && !t.typed;
    case What::button:
      return !t.any() && (!e.down || since_ >= kControlThere);
    case What::wheel:
      return !t.moved && !t.clicked && !t.pressed && !t.typed;
    case What::press:
    case What::again:
      if (word && t.typed) return true;
      return !t.any() && since_ >= (writes(e) ? kFieldThere : kControlThere);
    case What::letter:  // usually directly after its key
      return t.typed || (!t.any() && since_ >= kFieldThere);
    case What::release:
      return word ? !t.mouse() : !t.any();
    case What::modifiers:
      return !t.any() || (t.typed && t.field && e.held.ctrl == held_.ctrl && e.held.alt == held_.alt);
    case What::focus:
      return !t.any();
  }
  return true;
}

void Hands::give(const HandEvent& e, Taken& t, Heard& heard) {
  const Chord chord{e.key, e.held.ctrl, e.held.shift};
  switch (e.what) {
    case What::move:
    case What::leave:
      t.moved = known_ = true;
      inside_ = e.what == What::move;
      x_ = e.x, y_ = e.y;
      return;
    case What::wheel:
      t.wheeled = true;
      feed_wheel(e.y, e.x);
      return;
    case What::letter:
      t.typed = true;
      ImGui::GetIO().AddInputCharacter(e.letter);
      return;
    case What::focus:
      ImGui::GetIO().AddFocusEvent(e.down);
      return;
    case What::button:
      t.clicked = true;
      if (e.button >= 0 && e.button < static_cast<int>(buttons_.size()))
        buttons_[static_cast<std::size_t>(e.button)] = e.down;
      break;
    case What::press:
    case What::again:
      // Chords with Alt belong to other programs.
      if (!e.held.alt && e.key != Key::none) (e.what == What::press ? heard.pressed : heard.again).push_back(chord);
      t.typed = t.typed || writes(e);
      t.pressed = t.pressed || !writes(e);
      // In a text field the characters count, so a whole word can be entered in one frame.
      if (e.what == What::press && !(t.field && writes(e))) feed_key(e.key, true);
      break;
    case What::release:
      feed_key(e.key, false);
      break;
    case What::modifiers:
      break;
  }
  held_ = e.held;
}

Heard Hands::hand_on() {
  Heard heard;
  Taken taken;
  taken.field = ImGui::GetIO().WantTextInput;
  for (; !waiting_.empty() && fits(waiting_.front(), taken); waiting_.pop_front()) give(waiting_.front(), taken, heard);
  // All modifiers each time: the backend asks for the present position of the mouse, not for that of the event.
  feed_modifiers(held_);
  if (known_) feed_mouse(inside_ ? x_ : -FLT_MAX, inside_ ? y_ : -FLT_MAX);
  for (std::size_t k = 0; k < buttons_.size(); ++k) feed_button(static_cast<int>(k), buttons_[k]);
  const bool leads = taken.clicked || taken.pressed || (taken.typed && !taken.field);
  since_ = leads ? 1 : since_ + (since_ < kFieldThere);
  return heard;
}

}  // namespace warpspy::ui
