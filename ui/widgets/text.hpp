// Draws words and marks in the window's style.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "ui/look/look.hpp"
#include "ui/look/numbers.hpp"

struct ImVec2;
struct ImDrawList;

namespace warpspy::ui {

std::uint32_t u32(Color c);
std::uint32_t u32(Color c, float alpha);

// Records what was drawn (Look::shown), for tests: the last item, or a text.
void show_item(const Look& l, const std::string& name);
void show_text(const Look& l, const std::string& words);

// Lines of at most `width`, broken only at spaces. Dear ImGui also breaks after a point or a comma, as within "1.36".
std::string broken_at_spaces(const std::string& s, float width,
                             const std::function<float(const char* from, const char* to)>& width_of);
// Breaks lines in the present font; width 0: up to the edge of the window or child.
std::string broken_at_spaces(const std::string& s, float width = 0);

// A line of text at the cursor in a face, size and colour.
void label(const Look& l, Face face, float size, Color c, const std::string& s);
void caption(const Look& l, const std::string& s);  // small, muted
// Wrapped body text; width 0: to the edge.
void paragraph(const Look& l, Color c, const std::string& s, float width = 0);
// Small capitals-like heading of a panel, with its explanation as a tooltip.
void heading(const Look& l, const std::string& s, const std::string& help = {});
// Drawn at a position, clipped with an ellipsis when wider than `width`. Returns its width.
float draw_text(const Look& l, ImDrawList* list, ImVec2 at, Face face, float size, Color c, const std::string& s,
                float width = 1e9f);
float text_width(const Look& l, Face face, float size, const std::string& s);
// Cuts the middle out of a long text, so that it fits.
std::string fit_text(const Look& l, Face face, float size, const std::string& s, float width);

// Shows a wrapped explanation of the last item, after the mouse has rested on it. beside: next to its window.
void tip(const Look& l, const std::string& s, bool beside = false);
// Shows a tooltip that `draw` draws; `s` is its text for tests.
void tip(const Look& l, const std::string& s, const std::function<void()>& draw, bool beside = false);
// Shows a tooltip at once, whatever the mouse points at.
void open_tip(const Look& l, const std::string& s, const std::function<void()>& draw, bool beside = false);
// The tooltip that follows the mouse: a title and pairs of name and value.
struct TooltipRow {
  std::string name, value;
  std::optional<Color> chip;
};
void tooltip(const Look& l, const std::string& title, const std::vector<TooltipRow>& rows,
             const std::string& foot = {});

// Solid, half or hollow disc: where a number comes from. `size` at 100 %.
void draw_provenance(const Look& l, ImDrawList* list, ImVec2 centre, float radius, Provenance p, Color c);
// The ring around the item of a picture that the arrow keys have reached; it is visible on any background.
void draw_cursor(const Look& l, ImDrawList* list, ImVec2 from, ImVec2 to);
void hairline(const Look& l);
// Adds empty space; its size is given at 100 %.
void gap(const Look& l, float height);

}  // namespace warpspy::ui
