// The table of commands with their keys, each of which can be set.
#pragma once

#include <string>

#include "ui/views/ui.hpp"

namespace warpspy::ui {

class ShortcutsPanel {
 public:
  // `size` of the room in pixels.
  void draw(const AppState& s, Ui& ui, float height);
  // Ends the wait for keys.
  void leave(Ui& ui);

 private:
  void row(const AppState& s, Ui& ui, const Command& c);
  void listen(const AppState& s, Ui& ui);
  void conflict(const AppState& s, Ui& ui);
  void set(const AppState& s, Ui& ui, Chord chord) const;

  std::string filter_, waits_;  // waits_: the command that gets the next chord; empty: none
  std::string taken_from_;      // the command that has the chord already
  Chord wanted_;
};

}  // namespace warpspy::ui
