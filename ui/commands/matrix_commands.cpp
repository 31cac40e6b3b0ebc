// Commands of the pattern: which part is shown and how. Commands of the warp.
#include <iterator>

#include "core/plot/pattern_shades.hpp"
#include "ui/commands/choices.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

namespace {

bool can_zoom(const AppState& s) { return s.has_matrix() && !s.current()->camera.fit; }
void zoom(const AppState& s, ActionSink& out, double factor) {
  // Zooms around the middle of the view, which does not depend on its size.
  Camera c = s.current()->camera;
  c.row_px *= factor;
  c.col_px *= factor;
  out(SetCamera{s.selected, c});
}

bool has_warp(const AppState& s) { return s.warp.trace != nullptr; }
WarpWanted warp_of_mark(const AppState& s) {
  WarpWanted wanted;
  wanted.by = WarpWanted::By::worst;
  if (!s.highlight || s.highlight->first >= s.highlight->past) return wanted;
  wanted.by = WarpWanted::By::row;
  wanted.row = s.highlight->first;
  return wanted;
}

const Command of_the_matrix[] = {
    {.id = "matrix.fit",
     .menu = "Matrix",
     .label = "Show the whole matrix",
     .keys = {key('F')},
     .help = "Fits it into the view.",
     .why_not = needs_matrix,
     .perform = [](const AppState& s, ActionSink& out) { out(SetCamera{s.selected, Camera{}}); }},
    {.id = "matrix.one_to_one",
     .menu = "Matrix",
     .label = "One entry per pixel",
     .keys = {key('1')},
     .help = "1:1 around the middle of the view.",
     .why_not = needs_matrix,
     .perform =
         [](const AppState& s, ActionSink& out) {
           const Csr& a = *s.current()->matrix->csr;
           out(SetCamera{s.selected, one_to_one(s.current()->camera, {a.rows(), a.cols()})});
         }},
    {.id = "matrix.zoom_in",
     .menu = "Matrix",
     .label = "Zoom in",
     .keys = {key('=')},
     .help = "Around the middle; the wheel zooms at the mouse.",
     .why_not = only_if(can_zoom, "Zoom with the wheel, or with these keys in the pattern, first."),
     .perform = [](const AppState& s, ActionSink& out) { zoom(s, out, 1.25); }},
    {.id = "matrix.zoom_out",
     .menu = "Matrix",
     .label = "Zoom out",
     .keys = {key('-')},
     .help = "Around the middle.",
     .why_not = only_if(can_zoom, "Zoom with the wheel, or with these keys in the pattern, first."),
     .perform = [](const AppState& s, ActionSink& out) { zoom(s, out, 0.8); }},
    {.id = "matrix.next_marked",
     .menu = "Matrix",
     .label = "Next marked row",
     .keys = {key('N')},
     .help = "Brings the next marked row into view; after the last comes the first.",
     .why_not =
         only_if([](const AppState& s) { return s.highlight && s.highlight->rows && s.highlight->rows->size() > 0; },
                 "No rows are marked: click a bar of the row lengths."),
     .perform =
         [](const AppState&, ActionSink& out) {
           out(ShowTab{"matrix"});
           out(ShowMarked{});
         }},
    {.id = "warp.show",
     .menu = "Matrix",
     .label = "Show the warp",
     .keys = {key('W')},
     .help = "Of the first marked row, else the worst by sectors per request: what its lanes ask for, step by step.",
     .why_not = why_no_warp,
     .perform = [](const AppState& s, ActionSink& out) { out(ShowWarp{warp_of_mark(s)}); }},
    {.id = "warp.next",
     .menu = "Matrix",
     .label = "Warp: next step",
     .keys = {key('.')},
     .help = "On by an access, a source line, an iteration or a barrier, as chosen.",
     .why_not = only_if(has_warp, "No warp is shown: mark a row and show its warp."),
     .perform = [](const AppState&, ActionSink& out) { out(StepWarp{true}); },
     .repeats = true},
    {.id = "warp.back",
     .menu = "Matrix",
     .label = "Warp: step back",
     .keys = {key(',')},
     .help = "Back by an access, a source line, an iteration or a barrier, as chosen.",
     .why_not = only_if(has_warp, "No warp is shown: mark a row and show its warp."),
     .perform = [](const AppState&, ActionSink& out) { out(StepWarp{false}); },
     .repeats = true},
    {.id = "warp.play",
     .menu = "Matrix",
     .label = "Warp: play",
     .keys = {key('P')},
     .help = "Goes on by itself, and stops.",
     .why_not = only_if(has_warp, "No warp is shown: mark a row and show its warp."),
     .perform = [](const AppState& s, ActionSink& out) { out(PlayWarp{!s.warp.playing}); }},
    {.id = "matrix.unmark",
     .menu = "Matrix",
     .label = "Clear marked rows",
     .help = "Rows that were picked are no longer marked.",
     .why_not = only_if([](const AppState& s) { return s.highlight.has_value(); }, "No rows are marked."),
     .perform = [](const AppState&, ActionSink& out) { out(SetHighlight{}); }},
};

void add_looks(std::vector<Command>& all) {
  add_choices(all, {.choice = "pattern shading", .menu = "Matrix"},
              {{"shade.linear", "Shading: linear", "Colour proportional to the count.", "linear"},
               {"shade.log", "Shading: logarithmic", "Colour by the logarithm of the count.", "log"},
               {"shade.binary", "Shading: binary", "Empty or not.", "binary"}});
  add_choices(all, {.choice = "colours", .menu = "Matrix"},
              {{"map.cividis", "Colours: cividis", "Even in lightness; safe for colour-blind eyes.", "cividis"},
               {"map.viridis", "Colours: viridis", "Even in lightness.", "viridis"},
               {"map.grey", "Colours: grey", "For print.", "grey"}});
  add_choices(
      all, {.choice = "pattern cells", .menu = "Matrix"},
      {{"aspect.auto", "Cells: automatic", "Square, unless one side is more than four times the other.", "automatic"},
       {"aspect.square", "Cells: square", "Rows and columns at one scale.", "square cells"},
       {"aspect.stretch", "Cells: stretched", "The matrix fills the view.", "stretched"}});
}

// What colours the pattern; the first choice is no run.
void add_pattern_shades(std::vector<Command>& all) {
  std::vector<OneOf> choices = {
      {"pattern.entries", "Pattern shows: entries", "How many entries there are, or their values.", ""}};
  for (const plot::PatternShade& s : plot::pattern_shades())
    choices.push_back({std::string("pattern.") + s.id, std::string("Pattern shows: ") + s.label, s.help, s.id});
  add_choices(all, {.choice = "pattern shows", .tab = "matrix", .why_not = needs_matrix}, choices);
}

// The faces of the tab Matrices.
void add_faces(std::vector<Command>& all) {
  add_choices(
      all, {.choice = "matrices show", .tab = "matrices"},
      {{"matrices.table", "Matrices: table", "All open matrices, a row each.", "table"},
       {"matrices.sweep", "Matrices: sweep", "The products of the sweep: done, failed and why.", "sweep"},
       {"matrices.heat_map", "Matrices: heat map", "Every kernel on every matrix, by colour.", "heat map"},
       {"matrices.profile", "Matrices: performance profile",
        "How often a kernel is within a factor of the best (Dolan & More).", "profile"},
       {"matrices.lines", "Matrices: line chart", "Speed over a parameter that took several values.", "line chart"},
       {"matrices.best", "Matrices: best of each", "The fastest kernel of each matrix, the second, and why.", "best"}});
}

}  // namespace

void add_matrix_commands(std::vector<Command>& all) {
  all.insert(all.end(), std::begin(of_the_matrix), std::end(of_the_matrix));
  add_looks(all);
  add_pattern_shades(all);
  add_faces(all);
}

}  // namespace warpspy::ui
