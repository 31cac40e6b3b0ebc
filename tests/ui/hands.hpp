// What hands do: keys pressed, words typed, places clicked.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/ui/support.hpp"

namespace warpspy::ui {

// A press, and its actions.
inline std::vector<Action> press(Harness& h, Chord c) {
  feed_chord(c, true);
  auto all = h.frames(1);
  feed_chord(c, false);
  const auto rest = h.frames(3);
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}
// Presses a chord until the screen says so; false when it never does.
inline bool press_until(Harness& h, Chord c, const std::function<bool()>& there) {
  for (int k = 0; k < 80; ++k) {
    if (there()) return true;
    press(h, c);
  }
  return false;
}
// The same, once a control has the keys that has a use for arrows: on a button they go elsewhere.
inline bool tab_until(Harness& h, const std::function<bool()>& there) {
  return press_until(h, {Key::tab}, [&] { return h.shell->focus().takes_arrows() && there(); });
}
// To the first control of a panel.
inline bool to_panel(Harness& h, const std::string& name) {
  return press_until(h, {Key::f6}, [&] { return h.shell->focus().panel_now() == name; });
}
inline void type(Harness& h, const std::string& words) {
  for (const char c : words) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
    h.frames(2);
  }
}

// Runs on the table, to go through by keys.
inline void three_runs(Harness& h) {
  h.open("gen:laplace5?nx=20&ny=20");
  for (const char* kernel : {"csr_scalar", "csr_vector", "csr_scalar"}) {
    h.session.apply(SetKernel{kernel});
    h.session.apply(StartRun{});
    h.settle();
  }
}

// A rectangle of the screen in pixels.
struct Area {
  float x0, y0, x1, y1;
};
// Inside a figure, off its edge.
inline Area of_figure(Harness& h, const std::string& figure) {
  const Shown f = h.find("figure " + figure);
  return {f.x + 4, f.y + 4, f.x + f.w, f.y + f.h};
}
inline void click_on(Harness& h, const std::string& item) {
  click_at(h.find(item), [&] { h.frames(1); });
}
// Clicks every `step` pixels of an area until it is so; false when it never is.
inline bool click_until(Harness& h, const Area& area, float step, const std::function<bool()>& so) {
  for (float y = area.y0; y < area.y1; y += step)
    for (float x = area.x0; x < area.x1; x += step) {
      feed_mouse(x, y);
      h.frames(1);
      feed_button(0, true);
      h.frames(1);
      feed_button(0, false);
      h.frames(1);
      if (so()) return true;
    }
  return false;
}

}  // namespace warpspy::ui
