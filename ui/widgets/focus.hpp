// Which control the keys mean. Tab follows the order in which controls are drawn, F6 the panels. The order is our own:
// Dear ImGui's differs between its versions and knows no panels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/look/look.hpp"
#include "ui/platform/input.hpp"

struct ImVec2;

namespace warpspy::ui {

class Focus {
 public:
  // Around all that is drawn in a frame.
  void begin_frame();
  void end_frame();
  // What the window heard since the last frame; never called: ImGui is asked.
  void hear(Heard heard) { heard_ = std::move(heard); }
  // Down since the last frame, held keys included when asked.
  bool pressed(Chord c, bool again = false) const;
  bool any_pressed() const;

  // The controls that follow are those of a panel; F6 goes by where the name is empty.
  void panel(const std::string& name) { panel_ = name; }
  // Between the two only the controls of a dialog or a menu are drawn. While it is open, the keys mean no others.
  void begin_layer();
  void end_layer();
  // It is open in this frame or was in the last: plain keys are not for commands.
  bool covered() const { return top_ > 0; }

  // What is drawn now lies over everything else.
  bool on_top() const { return layer_ >= top_; }

  // The controls of the next frame tell where it goes to.
  void move(FocusTo to) { wanted_ = to; }
  // A view waits for any keys: no control hears them.
  void mute(bool on) { muted_ = on; }

  // What a control does with keys of its own.
  enum class Takes : std::uint8_t {
    keys,     // arrows, pages, Home and End
    press,    // Enter alone: arrows go on to its neighbours
    along,    // left and right alone
    signs,    // plus and minus besides
    letters,  // a list that opens and filters
    text,
  };
  // An area of the screen, in pixels.
  struct Area {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  };
  // Takes a control down, in the order of Tab.
  void add(std::uint32_t id, Takes takes, Area area);
  bool at(std::uint32_t id) const { return layer_ == top_ && id != 0 && id == current(); }
  // It came there in the last frame, by a key.
  bool arrived(std::uint32_t id) const { return arrived_ && at(id); }
  // The mouse or the program chose it: it is where Tab goes on, without a ring.
  void take(std::uint32_t id);
  void use_keys() { by_keys_ = true; }
  // Keys were used last: the ring shows, and the mouse that rests on a control means nothing.
  bool by_keys() const { return by_keys_; }
  // The control that has the keys reads letters: no command hears them.
  bool takes_letters() const { return by_keys_ && takes_ == Takes::letters; }
  // It has a use for the arrows, whichever.
  bool takes_arrows() const { return by_keys_ && (takes_ == Takes::keys || takes_ == Takes::signs); }
  // It zooms by plus and minus: they are no commands.
  bool takes_signs() const { return by_keys_ && takes_ == Takes::signs; }
  // Arrows and Enter are not a control's own: lists and dialogs around a text field may have them.
  bool free() const { return !by_keys_ || current() == 0 || takes_ == Takes::text; }
  // No control has a use for PgUp, PgDn, Home and End; nor, with `arrows`, for up and down.
  bool spare(bool arrows) const;
  // The panel of the control that has the keys; "" where none has.
  std::string panel_now() const;
  // In this frame: if the control that had the keys is gone, or none had them, they go on from the first of a panel.
  void else_from(const std::string& panel) { otherwise_ = panel; }

 private:
  struct Stop {
    std::uint32_t id = 0;
    std::size_t layer = 0;
    std::string panel;
    Takes takes = Takes::keys;
    Area area;
  };
  // Of a layer: the control that has the keys, and its place, for when it goes away.
  struct Place {
    std::uint32_t id = 0;
    std::size_t index = 0;
    std::string panel;
  };
  std::uint32_t current() const { return top_ < places_.size() ? places_[top_].id : 0; }
  void go(const std::vector<Stop>& stops, std::size_t to);
  std::optional<std::size_t> next_in(const std::vector<Stop>& stops, const Place& from) const;
  void fall_back();
  void go_to_panel(const std::vector<Stop>& stops, const std::string& name);
  void go_by_panel(const std::vector<Stop>& stops, bool on);
  void go_by_arrows(const std::vector<Stop>& stops);

  std::vector<Stop> stops_;
  std::vector<Place> places_ = {{}};
  std::string panel_, otherwise_;
  std::size_t layer_ = 0, top_ = 0, seen_ = 0;  // now drawn; the topmost, of the last frame; of this one
  std::optional<FocusTo> wanted_;
  std::optional<Heard> heard_;
  Takes takes_ = Takes::keys;
  bool arrived_ = false, by_keys_ = false, muted_ = false;
};

// What the keys do with the control that was drawn last.
struct Keys {
  bool has = false;      // it has the keys
  bool pressed = false;  // Enter or Space
  int along = 0;         // arrows: -1 to the left, 1 to the right
  int down = 0;          // -1 up, 1 down
};
// Takes the last item down, by the label it was made with; draws the ring around it where it has the keys.
Keys key_stop(const Look& l, const char* label, Focus::Takes takes = Focus::Takes::keys);
// The same for an area of the screen, and what stands for the label.
Keys key_stop(const Look& l, std::uint32_t id, ImVec2 from, ImVec2 to, Focus::Takes takes = Focus::Takes::keys);
// The field that was drawn last is typed into from the next frame on. Fields are asked behind themselves: Dear
// ImGui 1.90.1 (Debian 13) forgets SetKeyboardFocusHere() before one where another window was in front.
void type_here();
// For a text field, right behind it: it is typed into once the keys come there, or at once with `now`.
void text_stop(const Look& l, const char* label, bool now = false);
// Whether a key of a control is to be listened to while the mouse rests on it: only if nothing else has the keys.
bool mouse_has_keys(const Look& l);
// Down since the last frame, as Focus hears it.
bool key_pressed(const Look& l, Chord c, bool again = false);

}  // namespace warpspy::ui
