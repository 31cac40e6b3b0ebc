// Controls in the window's own look.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "ui/look/look.hpp"
#include "ui/widgets/choose.hpp"

namespace warpspy::ui {

enum class Weight : std::uint8_t { plain, primary, quiet };  // quiet: no ground until hovered
// Width 0: as wide as its label needs; < 0: fills up to that distance from the right edge.
bool button(const Look& l, const std::string& label, Weight weight = Weight::plain, float width = 0,
            bool enabled = true);

// Draws a few words in a row (segments), of which one is chosen; returns the clicked index, or -1. `helps` explains
// each word; without it, a following tip() explains all.
int segments(const Look& l, const char* id, const std::vector<std::string>& words, int chosen,
             const std::vector<std::string>& helps = {});
float segments_width(const Look& l, const std::vector<std::string>& words);
// Draws a word that can be switched on and off.
bool toggle(const Look& l, const std::string& label, bool on, bool enabled = true);
float toggle_width(const Look& l, const std::string& label);
// The result of a row of words, and the pixels from and to which each word is drawn.
struct WordRow {
  int picked = -1;   // clicked, or chosen by keys
  int hovered = -1;  // the mouse is on it
  std::vector<float> left, right;
};
// Names of groups of tabs; the open group is underlined. They stand closer if `room` is short. `pointed`: the group
// that looks hovered.
WordRow tab_groups_row(const Look& l, const char* id, const std::vector<std::string>& words, int chosen, int pointed,
                       float room);
// Returns the least width that the groups need.
float tab_groups_width(const Look& l, const std::vector<std::string>& words);
// Tabs of a group, smaller; the open one has a ground. `helps`: what each shows.
WordRow tabs(const Look& l, const char* id, const std::vector<std::string>& words, int chosen,
             const std::vector<std::string>& helps = {});
float tabs_width(const Look& l, const std::vector<std::string>& words);

// A number on a track, made from its specification: drag, click, mouse wheel with Ctrl, arrow keys while hovered;
// a double click types. Returns true when the value changed. A choice becomes a drop-down.
bool knob(const Look& l, const ParamSpec& spec, double& value);
// Position 0..1 on the track, and back, snapped to what the type allows.
double to_track(const ParamSpec& spec, double value);
double from_track(const ParamSpec& spec, double t);
std::string value_text(const ParamSpec& spec, double value);

// The parameters of `set` in words, in the order of `specs`: "threads per row 8, block size 128". Cache policies at
// their default are left out.
std::string params_words(const std::vector<ParamSpec>& specs, const ParamSet& set);

// Draws a thin progress bar, 0..1.
void progress_bar(const Look& l, float width, double share);
// Small cross; true when clicked. by_keys: Tab reaches it; false if Esc does the same.
bool cross_button(const Look& l, const char* id, const std::string& help, bool by_keys = true);

// Drawn by a view without data: what it will show, and a button for that. Returns true when clicked.
bool empty_state(const Look& l, const std::string& title, const std::string& text, const std::string& action = {});

}  // namespace warpspy::ui
