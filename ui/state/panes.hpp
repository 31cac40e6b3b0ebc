// How the window is divided, as plain data.
#pragma once

#include <map>
#include <string>

namespace warpspy::ui {

struct Panes {
  bool workspace = true, controls = true;   // the panels on the left and on the right
  double left = 208, right = 248;           // their widths at 100 %
  std::string beside = {};                  // id of the tab that is shown beside the open one; empty: none
  std::map<std::string, double> cuts = {};  // where splitters stand that were moved, by name: share of the room before
  bool operator==(const Panes&) const = default;
};

// Least and greatest width of a panel, and share that a splitter leaves on either side.
inline constexpr double kLeastPanel = 140, kMostPanel = 640, kLeastCut = 0.12;
// The cut between two tabs.
inline constexpr const char* kTabsCut = "tabs";

// Where a splitter stands: as it was moved, else `otherwise`.
double cut_of(const Panes& panes, const std::string& name, double otherwise);

// A share moved by another; nothing on either side may become less than kLeastCut.
double moved_cut(double share, double by);

// "workspace controls left 208 right 248 cut tabs 0.5 beside roofline", and back: what is not understood is left out,
// what is out of range is brought into it.
std::string to_text(const Panes& panes);
Panes panes_of(const std::string& text);

// A division of the window that has a name, with the tab that is open in it.
struct Layout {
  std::string name, tab;
  Panes panes = {};
  bool operator==(const Layout&) const = default;
};

}  // namespace warpspy::ui
