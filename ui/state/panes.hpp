// Tells how the window is divided into panels, as plain data.
#pragma once

#include <map>
#include <string>

namespace warpspy::ui {

struct Panes {
  bool workspace = true, controls = true;   // the panels on the left and on the right
  double left = 208, right = 248;           // their widths at 100 %
  std::string beside = {};                  // id of the tab that is shown beside the open one; empty: none
  std::map<std::string, double> cuts = {};  // positions of moved splitters, by name: the share of the room before the
                                            // splitter
  bool operator==(const Panes&) const = default;
};

// Least and greatest width of a panel, and share that a splitter leaves on either side.
inline constexpr double kLeastPanel = 140, kMostPanel = 640, kLeastCut = 0.12;
// The cut between two tabs.
inline constexpr const char* kTabsCut = "tabs";

// Returns the position of a splitter: where the user moved it, or `otherwise`.
double cut_of(const Panes& panes, const std::string& name, double otherwise);

// Returns a share changed by `by`; each side keeps at least kLeastCut.
double moved_cut(double share, double by);

// "workspace controls left 208 right 248 cut tabs 0.5 beside roofline", and back: unknown words are ignored, and
// numbers out of range are limited to it.
std::string to_text(const Panes& panes);
Panes panes_of(const std::string& text);

// A division of the window that has a name, with the tab that is open in it.
struct Layout {
  std::string name, tab;
  Panes panes = {};
  bool operator==(const Layout&) const = default;
};

}  // namespace warpspy::ui
