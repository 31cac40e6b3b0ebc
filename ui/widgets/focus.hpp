// The control that has the focus gets the keys. Tab follows the order in which controls are drawn, F6 the panels. Dear
// ImGui's own order is not used, since it differs between versions and has no panels.
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
  // These two surround all drawing of a frame.
  void begin_frame();
  void end_frame();
  // The keys since the last frame. If this is never called, ImGui is asked for keys.
  void hear(Heard heard) { heard_ = std::move(heard); }
  // Whether the chord was pressed since the last frame; with `again`, held keys count too.
  bool pressed(Chord c, bool again = false) const;
  bool any_pressed() const;

  // The following controls belong to this panel; F6 skips a panel with an empty name.
  void panel(const std::string& name) { panel_ = name; }
  // Between these two calls only controls of a dialog or a menu are drawn. While it is open, no other control gets
  // keys.
  void begin_layer();
  void end_layer();
  // Whether a dialog or menu is open in this frame or was in the last: plain keys then perform no commands.
  bool covered() const { return top_ > 0; }

  // Whether the current layer is above all others.
  bool on_top() const { return layer_ >= top_; }

  // Moves the focus; the controls of the next frame decide where it goes.
  void move(FocusTo to) { wanted_ = to; }
  // A view waits for any keys: no control gets them.
  void mute(bool on) { muted_ = on; }

  // Tells which keys a control uses.
  enum class Takes : std::uint8_t {
    keys,     // arrows, pages, Home and End
    press,    // only Enter; arrow keys move to its neighbours
    along,    // only the keys left and right
    signs,    // plus and minus too
    letters,  // a list that opens and filters
    text,
  };
  // An area of the screen, in pixels.
  struct Area {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  };
  // Adds a control, in the order of Tab.
  void add(std::uint32_t id, Takes takes, Area area);
  bool at(std::uint32_t id) const { return layer_ == top_ && id != 0 && id == current(); }
  // Whether a key moved the focus to this control in the last frame.
  bool arrived(std::uint32_t id) const { return arrived_ && at(id); }
  // Call this when the mouse or the program chose this control: Tab continues from it, but it gets no ring.
  void take(std::uint32_t id);
  void use_keys() { by_keys_ = true; }
  // Whether keys were used last: then the ring is shown, and a resting mouse has no effect.
  bool by_keys() const { return by_keys_; }
  // Whether the focused control reads letters, so that they perform no commands.
  bool takes_letters() const { return by_keys_ && takes_ == Takes::letters; }
  // Whether the focused control uses arrows.
  bool takes_arrows() const { return by_keys_ && (takes_ == Takes::keys || takes_ == Takes::signs); }
  // Whether the focused control zooms by plus and minus, so that they perform no commands.
  bool takes_signs() const { return by_keys_ && takes_ == Takes::signs; }
  // Whether no control uses arrows and Enter, so that lists and dialogs around a text field may use them.
  bool free() const { return !by_keys_ || current() == 0 || takes_ == Takes::text; }
  // Whether no control uses PgUp, PgDn, Home and End, and, with `arrows`, up and down.
  bool spare(bool arrows) const;
  // The panel of the focused control; "" if there is none.
  std::string panel_now() const;
  // For this frame: if the focused control is gone, or none had the focus, it goes to the first control of this panel.
  void else_from(const std::string& panel) { otherwise_ = panel; }

 private:
  struct Stop {
    std::uint32_t id = 0;
    std::size_t layer = 0;
    std::string panel;
    Takes takes = Takes::keys;
    Area area;
  };
  // The focused control of a layer, and its place, in case the control disappears.
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

// Holds what the keys do with the control that was drawn last.
struct Keys {
  bool has = false;      // whether it has the keys
  bool pressed = false;  // Enter or Space
  int along = 0;         // arrows: -1 to the left, 1 to the right
  int down = 0;          // -1 up, 1 down
};
// Takes the last item down, by the label it was made with; draws the ring around it where it has the keys.
Keys key_stop(const Look& l, const char* label, Focus::Takes takes = Focus::Takes::keys);
// Registers an area of the screen in the same way; `id` identifies it.
Keys key_stop(const Look& l, std::uint32_t id, ImVec2 from, ImVec2 to, Focus::Takes takes = Focus::Takes::keys);
// From the next frame on, the user types into the field that was drawn last. Call this after the field: Dear ImGui
// 1.90.1 (Debian 13) ignores SetKeyboardFocusHere() before a field if another window was in front.
void type_here();
// Call this right after a text field. The user types into it when the keys reach it, or at once with `now`.
void text_stop(const Look& l, const char* label, bool now = false);
// Whether a key of a control is to be listened to while the mouse rests on it: only if nothing else has the keys.
bool mouse_has_keys(const Look& l);
// Down since the last frame, as Focus hears it.
bool key_pressed(const Look& l, Chord c, bool again = false);

}  // namespace warpspy::ui
