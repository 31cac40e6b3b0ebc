// Lists the engines of other machines that are used, with their state, and a field to add one.
#pragma once

#include <string>

#include "ui/views/ui.hpp"

namespace warpspy::ui {

class EnginesPanel {
 public:
  // `height` of the room in pixels.
  void draw(const AppState& s, Ui& ui, float height);

 private:
  static void row(const AppState& s, Ui& ui, const std::string& command);
  void add(const AppState& s, Ui& ui);

  std::string command_;  // the command that is being typed
};

}  // namespace warpspy::ui
