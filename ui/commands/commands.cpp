#include "ui/commands/commands.hpp"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

namespace warpspy::ui {

namespace {

bool has_matrix(const AppState& s) { return s.has_matrix(); }
std::string why_no_run(const AppState& s) { return has_matrix(s) ? s.why_not() : needs_matrix(s); }
bool has_runs(const AppState& s) { return !s.runs.all().empty(); }
bool has_desk(const AppState& s) { return !s.matrices.empty() || has_runs(s); }
bool has_selection(const AppState& s) { return s.current() != nullptr; }

// The newest good runs of the list that fit into one comparison, oldest first.
std::vector<std::uint64_t> comparable(const AppState& s) {
  std::vector<std::uint64_t> ids;
  for (const auto& k : s.list.rows)
    if (k.record->status == RunStatus::ok && ids.size() < kMostCompared) ids.insert(ids.begin(), k.record->id);
  return ids;
}

bool has_warp(const AppState& s) { return s.warp.trace != nullptr; }
// In the emulator, whatever the device.
std::string why_no_warp(const AppState& s) {
  if (!has_matrix(s)) return needs_matrix(s);
  return s.kernel() && s.kernel()->library.empty() && !s.kernel()->format.empty()
             ? ""
             : "Choose a kernel of ours that reads a matrix.";
}
WarpWanted warp_of_mark(const AppState& s) {
  WarpWanted wanted;
  wanted.by = WarpWanted::By::worst;
  if (!s.highlight || s.highlight->first >= s.highlight->past) return wanted;
  wanted.by = WarpWanted::By::row;
  wanted.row = s.highlight->first;
  return wanted;
}

template <Shading S>
void shading(const AppState& s, ActionSink& out) {
  auto next = s.spy;
  next.style.shading = S;
  out(SetSpy{next});
}
template <Colormap M>
void colormap(const AppState& s, ActionSink& out) {
  auto next = s.spy;
  next.style.map = M;
  out(SetSpy{next});
}
template <Aspect A>
void aspect(const AppState& s, ActionSink& out) {
  auto next = s.spy;
  next.aspect = A;
  out(SetSpy{next});
}
template <Shading S>
bool is_shading(const AppState& s) {
  return s.spy.style.shading == S;
}
template <Colormap M>
bool is_colormap(const AppState& s) {
  return s.spy.style.map == M;
}
template <Aspect A>
bool is_aspect(const AppState& s) {
  return s.spy.aspect == A;
}
template <ThemeId T>
void theme(const AppState&, ActionSink& out) {
  out(SetTheme{T});
}
template <ThemeId T>
bool is_theme(const AppState& s) {
  return s.theme == T;
}

template <BatchRun::Phase P>
bool is_batch(const AppState& s) {
  return s.batch && s.batch->phase == P;
}
template <SteerBatch::To T>
void steer_batch(const AppState&, ActionSink& out) {
  out(SteerBatch{T});
}

using ColorBy = plot::RooflineStyle::ColorBy;
template <RooflineSettings::Runs R>
void roofline_runs_of(const AppState& s, ActionSink& out) {
  auto next = s.roofline_settings;
  next.runs = R;
  out(SetRoofline{next});
}
template <RooflineSettings::Runs R>
bool shows_runs_of(const AppState& s) {
  return s.roofline_settings.runs == R;
}
template <ColorBy C>
void roofline_color(const AppState& s, ActionSink& out) {
  auto next = s.roofline_settings;
  next.color = C;
  out(SetRoofline{next});
}
template <ColorBy C>
bool is_roofline_color(const AppState& s) {
  return s.roofline_settings.color == C;
}
void show_whole_roofline(const AppState& s, ActionSink& out) {
  auto next = s.roofline_settings;
  next.view.reset();
  out(SetRoofline{next});
}
// Matrices that were put side by side, or runs.
bool compares(const AppState& s) { return s.left != 0 || s.comparison != nullptr || s.tab == "compare"; }

void zoom(const AppState& s, ActionSink& out, double factor) {
  // Around the middle of the view: the view's size does not matter there.
  Camera c = s.current()->camera;
  c.row_px *= factor;
  c.col_px *= factor;
  out(SetCamera{s.selected, c});
}

// Those that follow from no other table, in the order of their menus.
const Command list[] = {
    {"file.open",
     "File",
     "Open matrices...",
     {key('O'), true},
     "Files, several at once: in the system's dialog where there is one.",
     nullptr,
     [](const AppState&, ActionSink& out) { out(AskForFiles{}); }},
    {"file.generate",
     "File",
     "Generate a matrix...",
     {key('G'), true, true},
     "Stencils, graphs, stand-ins of well-known matrices: without a file.",
     nullptr,
     [](const AppState&, ActionSink& out) { out(ShowOpen{OpenWay::generate}); }},
    {"file.save_session",
     "File",
     "Save the session",
     {key('S'), true},
     "What is open, how it is looked at, and every run, in one file to keep or to share.",
     only_if(has_desk, "There is nothing to save yet: open a matrix first."),
     [](const AppState& s, ActionSink& out) {
       if (s.session.empty())
         out(ShowDialog{"save_session"});
       else
         out(SaveSession{s.session});
     },
     nullptr,
     true},
    {"file.bring_back",
     "File",
     "Bring back the desk of before",
     {},
     "What lay on the desk before a crash, a fresh start, or a session that was opened in its place.",
     only_if([](const AppState& s) { return s.offer.has_value(); }, "No desk waits: this one follows the last."),
     [](const AppState&, ActionSink& out) { out(BringBack{}); }},
    {"file.close",
     "File",
     "Close the matrix",
     {key('W'), true},
     "Removes it from the workspace; its runs stay.",
     only_if(has_selection, "No matrix is open."),
     [](const AppState& s, ActionSink& out) { out(CloseMatrix{s.selected}); },
     nullptr,
     false,
     {},
     false,
     {},
     true},
    {"file.quit",
     "File",
     "Quit",
     {key('Q'), true},
     "Closes the window.",
     nullptr,
     [](const AppState&, ActionSink& out) { out(Quit{}); },
     nullptr,
     true},

    {"edit.undo",
     "Edit",
     "Undo",
     {key('Z'), true},
     "Takes back parameters, changes of the view and closed matrices. Runs stay.",
     only_if([](const AppState& s) { return !s.undo.empty(); }, "Nothing was changed yet."),
     [](const AppState&, ActionSink& out) { out(Undo{}); },
     nullptr,
     false,
     {},
     true,
     [](const AppState& s) { return s.undo.empty() ? "Undo" : "Undo: " + s.undo; },
     true},
    {"edit.redo",
     "Edit",
     "Redo",
     {key('Z'), true, true},
     "Does again what was undone.",
     only_if([](const AppState& s) { return !s.redo.empty(); }, "Nothing was undone."),
     [](const AppState&, ActionSink& out) { out(Redo{}); },
     nullptr,
     false,
     {key('Y'), true},
     true,
     [](const AppState& s) { return s.redo.empty() ? "Redo" : "Redo: " + s.redo; },
     true},

    {"matrix.fit",
     "Matrix",
     "Show the whole matrix",
     {key('F')},
     "Fits it into the view.",
     needs_matrix,
     [](const AppState& s, ActionSink& out) { out(SetCamera{s.selected, Camera{}}); }},
    {"matrix.one_to_one",
     "Matrix",
     "One entry per pixel",
     {key('1')},
     "1:1 around the middle of the view.",
     needs_matrix,
     [](const AppState& s, ActionSink& out) { out(SetCamera{s.selected, one_to_one(s.current()->camera)}); }},
    {"matrix.zoom_in",
     "Matrix",
     "Zoom in",
     {key('=')},
     "Around the middle; the wheel zooms at the mouse.",
     only_if([](const AppState& s) { return has_matrix(s) && !s.current()->camera.fit; },
             "Zoom with the wheel, or with these keys in the pattern, first."),
     [](const AppState& s, ActionSink& out) { zoom(s, out, 1.25); }},
    {"matrix.zoom_out",
     "Matrix",
     "Zoom out",
     {key('-')},
     "Around the middle.",
     only_if([](const AppState& s) { return has_matrix(s) && !s.current()->camera.fit; },
             "Zoom with the wheel, or with these keys in the pattern, first."),
     [](const AppState& s, ActionSink& out) { zoom(s, out, 0.8); }},
    {"matrix.next_marked",
     "Matrix",
     "Next marked row",
     {key('N')},
     "Brings the next marked row into view; after the last comes the first.",
     only_if([](const AppState& s) { return s.highlight && s.highlight->rows && s.highlight->rows->size() > 0; },
             "No rows are marked: click a bar of the row lengths."),
     [](const AppState&, ActionSink& out) {
       out(ShowTab{"matrix"});
       out(ShowMarked{});
     }},
    {"warp.show",
     "Matrix",
     "Show the warp",
     {key('W')},
     "Of the first marked row, else the worst by sectors per request: what its lanes ask for, step by step.",
     why_no_warp,
     [](const AppState& s, ActionSink& out) { out(ShowWarp{warp_of_mark(s)}); }},
    {"warp.next",
     "Matrix",
     "Warp: next step",
     {key('.')},
     "On by an access, a source line, an iteration or a barrier, as chosen.",
     only_if(has_warp, "No warp is shown: mark a row and show its warp."),
     [](const AppState&, ActionSink& out) { out(StepWarp{true}); },
     nullptr,
     false,
     {},
     false,
     {},
     false,
     true},
    {"warp.back",
     "Matrix",
     "Warp: step back",
     {key(',')},
     "Back by an access, a source line, an iteration or a barrier, as chosen.",
     only_if(has_warp, "No warp is shown: mark a row and show its warp."),
     [](const AppState&, ActionSink& out) { out(StepWarp{false}); },
     nullptr,
     false,
     {},
     false,
     {},
     false,
     true},
    {"warp.play",
     "Matrix",
     "Warp: play",
     {key('P')},
     "Goes on by itself, and stops.",
     only_if(has_warp, "No warp is shown: mark a row and show its warp."),
     [](const AppState& s, ActionSink& out) { out(PlayWarp{!s.warp.playing}); }},
    {"matrix.unmark",
     "Matrix",
     "Clear marked rows",
     {},
     "Rows that were picked are no longer marked.",
     only_if([](const AppState& s) { return s.highlight.has_value(); }, "No rows are marked."),
     [](const AppState&, ActionSink& out) { out(SetHighlight{}); }},
    {"shade.linear",
     "Matrix",
     "Shading: linear",
     {},
     "Colour proportional to the count.",
     nullptr,
     shading<Shading::linear>,
     is_shading<Shading::linear>,
     true},
    {"shade.log",
     "Matrix",
     "Shading: logarithmic",
     {},
     "Colour by the logarithm of the count.",
     nullptr,
     shading<Shading::log>,
     is_shading<Shading::log>},
    {"shade.binary",
     "Matrix",
     "Shading: binary",
     {},
     "Empty or not.",
     nullptr,
     shading<Shading::binary>,
     is_shading<Shading::binary>},
    {"map.cividis",
     "Matrix",
     "Colours: cividis",
     {},
     "Even in lightness; safe for colour-blind eyes.",
     nullptr,
     colormap<Colormap::cividis>,
     is_colormap<Colormap::cividis>,
     true},
    {"map.viridis",
     "Matrix",
     "Colours: viridis",
     {},
     "Even in lightness.",
     nullptr,
     colormap<Colormap::viridis>,
     is_colormap<Colormap::viridis>},
    {"map.grey",
     "Matrix",
     "Colours: grey",
     {},
     "For print.",
     nullptr,
     colormap<Colormap::grey>,
     is_colormap<Colormap::grey>},
    {"aspect.auto",
     "Matrix",
     "Cells: automatic",
     {},
     "Square, unless one side is more than four times the other.",
     nullptr,
     aspect<Aspect::automatic>,
     is_aspect<Aspect::automatic>,
     true},
    {"aspect.square",
     "Matrix",
     "Cells: square",
     {},
     "Rows and columns at one scale.",
     nullptr,
     aspect<Aspect::square>,
     is_aspect<Aspect::square>},
    {"aspect.stretch",
     "Matrix",
     "Cells: stretched",
     {},
     "The matrix fills the view.",
     nullptr,
     aspect<Aspect::stretch>,
     is_aspect<Aspect::stretch>},

    {"format.build",
     "Run",
     "Build the format",
     {key('B'), true, true},
     "Converts the matrix to the format chosen in the table of formats, timed and compared entry by entry.",
     [](const AppState& s) {
       return !has_matrix(s) ? needs_matrix(s) : s.current()->building.empty() ? "" : "A format is being built.";
     },
     [](const AppState& s, ActionSink& out) { out(BuildFormat{s.knobs.format}); },
     nullptr,
     true},
    {"run.start",
     "Run",
     "Run the kernel",
     {Key::f5},
     "Runs the chosen kernel on the chosen device.",
     why_no_run,
     [](const AppState&, ActionSink& out) { out(StartRun{}); },
     nullptr,
     false,
     {},
     false,
     {},
     true},
    {"run.roofs",
     "Run",
     "Measure the roofs",
     {},
     "What the chosen GPU reaches at most in DRAM, L2, L1 and arithmetic; kept for later sessions.",
     only_if([](const AppState& s) { return s.device() && !s.device()->simulated && s.device()->available; },
             "The chosen device is simulated: its roofs are those of its data sheet."),
     [](const AppState&, ActionSink& out) { out(MeasureRoofs{}); }},
    {"run.live",
     "Run",
     "Live",
     {key('L'), true},
     "Runs again, briefly, while a parameter is dragged.",
     nullptr,
     [](const AppState& s, ActionSink& out) { out(SetLive{!s.knobs.live}); },
     [](const AppState& s) { return s.knobs.live; }},
    {"run.cancel",
     "Run",
     "Cancel the run",
     {key('.'), true},
     "Stops the run in progress.",
     only_if([](const AppState& s) { return s.run_job != nullptr; }, "No kernel is running."),
     [](const AppState& s, ActionSink& out) { out(CancelJob{s.run_job->id}); }},
    {"tune.start",
     "Run",
     "Tune the kernel",
     {Key::f5, false, true},
     "Searches for good parameters of the chosen kernel and shows how.",
     [](const AppState& s) {
       return s.tuning && s.tuning->job ? std::string("A search is under way.") : why_no_run(s);
     },
     [](const AppState&, ActionSink& out) {
       out(ShowTab{"tune"});
       out(StartTuning{});
     },
     nullptr,
     false,
     {},
     false,
     {},
     true},
    {"tune.cancel",
     "Run",
     "Cancel the search",
     {},
     "Stops tuning; what was found stays.",
     only_if([](const AppState& s) { return s.tuning && s.tuning->job; }, "No search is under way."),
     [](const AppState& s, ActionSink& out) { out(CancelJob{s.tuning->job->id}); }},
    {"batch.pause",
     "Run",
     "Pause the batch",
     {},
     "The product under way still ends.",
     only_if(is_batch<BatchRun::Phase::running>, "No batch is running."),
     steer_batch<SteerBatch::To::pause>},
    {"batch.resume",
     "Run",
     "Resume the batch",
     {},
     "Goes on with what has not run yet.",
     only_if(
         [](const AppState& s) {
           return is_batch<BatchRun::Phase::paused>(s) || is_batch<BatchRun::Phase::stopped>(s);
         },
         "No batch was left undone."),
     steer_batch<SteerBatch::To::resume>},
    {"batch.stop",
     "Run",
     "Stop the batch",
     {},
     "Ends it now. What has run stays; the rest can be resumed.",
     only_if(
         [](const AppState& s) {
           return is_batch<BatchRun::Phase::running>(s) || is_batch<BatchRun::Phase::paused>(s);
         },
         "No batch is under way."),
     steer_batch<SteerBatch::To::stop>},
    {"runs.all",
     "Run",
     "List all runs ever made",
     {},
     "In the table of runs, instead of this session's.",
     nullptr,
     [](const AppState& s, ActionSink& out) { out(ListRuns{!s.list.all, s.list.query}); },
     [](const AppState& s) { return s.list.all; },
     true},
    {"runs.compare",
     "Run",
     "Compare the listed runs",
     {},
     "The newest of them, against the oldest of these: arrows on the roofline, and a table of differences.",
     only_if([](const AppState& s) { return comparable(s).size() > 1; }, "Two good runs are needed: run a kernel."),
     [](const AppState& s, ActionSink& out) { out(CompareRuns{comparable(s)}); }},
    {"runs.stop",
     "Run",
     "Stop comparing",
     {},
     "The roofline shows all runs again.",
     only_if([](const AppState& s) { return s.comparison != nullptr; }, "No runs are compared."),
     [](const AppState&, ActionSink& out) { out(CompareRuns{}); }},
    {"run.repeat",
     "Run",
     "Repeat the selected run",
     {Key::f5, true},
     "Exactly what it was, on its own matrix and device; then the two are compared.",
     only_if([](const AppState& s) { return s.run(s.selected_run) != nullptr; }, "No run is selected."),
     [](const AppState& s, ActionSink& out) { out(RepeatRun{s.selected_run}); },
     nullptr,
     false,
     {},
     false,
     {},
     true},
    {"analysis.start",
     "Run",
     "Run the analysis",
     {},
     "Executes the runs that the analysis chosen in its tab needs.",
     [](const AppState& s) {
       return !has_matrix(s)                          ? needs_matrix(s)
              : !s.device() || !s.device()->available ? "The chosen device is not available."
                                                      : "";
     },
     [](const AppState&, ActionSink& out) {
       out(ShowTab{"analyses"});
       out(StartAnalysis{});
     }},
    {"roofline.flops",
     "Run",
     "Count executed flops",
     {},
     "The roofline counts 2 flops per stored slot, padding included, instead of 2 per entry.",
     nullptr,
     [](const AppState& s, ActionSink& out) {
       out(SetFlops{s.flops == FlopCount::useful ? FlopCount::executed : FlopCount::useful});
     },
     [](const AppState& s) { return s.flops == FlopCount::executed; }},
    {"roofline.of_matrix",
     "Run",
     "Roofline: runs of this matrix",
     {},
     "Runs of the matrix that is shown.",
     nullptr,
     roofline_runs_of<RooflineSettings::Runs::of_matrix>,
     shows_runs_of<RooflineSettings::Runs::of_matrix>,
     true},
    {"roofline.selected",
     "Run",
     "Roofline: the selected runs",
     {},
     "The selected or compared ones, and those of every matrix chosen in the table of matrices.",
     nullptr,
     roofline_runs_of<RooflineSettings::Runs::selected>,
     shows_runs_of<RooflineSettings::Runs::selected>},
    {"roofline.all",
     "Run",
     "Roofline: runs of all matrices",
     {},
     "All of this session, on the device shown.",
     nullptr,
     roofline_runs_of<RooflineSettings::Runs::all>,
     shows_runs_of<RooflineSettings::Runs::all>},
    {"roofline.by_level",
     "Run",
     "Roofline: colour by level",
     {},
     "A mark for each memory level.",
     nullptr,
     roofline_color<ColorBy::level>,
     is_roofline_color<ColorBy::level>,
     true},
    {"roofline.by_matrix",
     "Run",
     "Roofline: colour by matrix",
     {},
     "One mark for each run.",
     nullptr,
     roofline_color<ColorBy::matrix>,
     is_roofline_color<ColorBy::matrix>},
    {"roofline.by_kernel",
     "Run",
     "Roofline: colour by kernel",
     {},
     "One mark for each run.",
     nullptr,
     roofline_color<ColorBy::kernel>,
     is_roofline_color<ColorBy::kernel>},
    {"roofline.by_device",
     "Run",
     "Roofline: colour by device",
     {},
     "One mark for each run.",
     nullptr,
     roofline_color<ColorBy::device>,
     is_roofline_color<ColorBy::device>},
    {"roofline.whole",
     "Run",
     "Roofline: show everything",
     {},
     "Zooms out again.",
     only_if([](const AppState& s) { return s.roofline_settings.view.has_value(); }, "It is all shown."),
     [](const AppState& s, ActionSink& out) { show_whole_roofline(s, out); }},
    {"run.clear",
     "Run",
     "Clear all runs",
     {},
     "Takes every run off the list and the roofline; they stay among all runs.",
     only_if(has_runs, "There are no runs."),
     [](const AppState&, ActionSink& out) { out(ClearRuns{}); },
     nullptr,
     true},
    {"view.back",
     "View",
     "Back",
     {Key::escape},
     "Ends the comparison; else zooms the roofline out; else takes the marks off the rows; else lets go of the "
     "control that has the keys.",
     nullptr,
     [](const AppState& s, ActionSink& out) {
       if (compares(s)) return out(LeaveComparison{});
       if (s.roofline_settings.view) return show_whole_roofline(s, out);
       if (!s.highlight && s.array.empty() && s.line.empty()) return out(MoveFocus{FocusTo::none});
       out(SetHighlight{});
       out(SelectPart{});
     },
     nullptr,
     true},
    {"theme.paper",
     "View",
     "Light theme (paper)",
     {},
     "For projectors and papers.",
     nullptr,
     theme<ThemeId::paper>,
     is_theme<ThemeId::paper>,
     true},
    {"theme.dark", "View", "Dark theme", {}, "For work.", nullptr, theme<ThemeId::dark>, is_theme<ThemeId::dark>},
    {"view.workspace",
     "View",
     "Workspace panel",
     {key('B'), true},
     "The open matrices, on the left.",
     nullptr,
     [](const AppState& s, ActionSink& out) {
       Panes next = s.panes;
       next.workspace = !next.workspace;
       out(SetPanes{next});
     },
     [](const AppState& s) { return s.panes.workspace; },
     true},
    {"view.controls",
     "View",
     "Run panel",
     {key('R'), true},
     "Device, kernel and parameters, on the right.",
     nullptr,
     [](const AppState& s, ActionSink& out) {
       Panes next = s.panes;
       next.controls = !next.controls;
       out(SetPanes{next});
     },
     [](const AppState& s) { return s.panes.controls; }},
    {"help.help",
     "Help",
     "Shortcuts and marks",
     {},
     "Every shortcut; what solid, half and hollow marks mean.",
     nullptr,
     [](const AppState&, ActionSink& out) { out(ShowTab{"help"}); }},
};

const std::vector<Command>& all() {
  static const std::vector<Command> every = [] {
    std::vector<Command> out(std::begin(list), std::end(list));
    add_place_commands(out);
    add_table_commands(out);
    return out;
  }();
  return every;
}

}  // namespace

std::span<const Command> commands() { return all(); }

const Command* command(const std::string& id) {
  for (const auto& c : all())
    if (id == c.id) return &c;
  return nullptr;
}

bool perform(const std::string& id, const AppState& s, ActionSink& out) {
  const Command* c = command(id);
  if (!c || !why_not(s, *c).empty()) return false;
  c->perform(s, out);
  return true;
}

void perform_shortcuts(const AppState& s, ActionSink& out, const Keyboard& keyboard) {
  const bool typing = ImGui::GetIO().WantTextInput;
  for (const auto& c : all()) {
    const Chord keys = keys_of(s, c);
    const bool plain = !keys.ctrl && static_cast<int>(keys.key) < 256;
    const bool sign = keys.key == key('=') || keys.key == key('-');
    if (plain && (typing || keyboard.covered || keyboard.letters || (sign && keyboard.signs))) continue;
    if ((keys.key == Key::escape || c.of_desk) && keyboard.covered) continue;
    if (typing && (c.of_text || keys.key == Key::escape)) continue;
    const Chord also = has_own_keys(s, c) ? Chord{} : c.also;
    const auto is_down = [&](Chord chord) { return chord.key != Key::none && keyboard.pressed(chord, c.repeats); };
    if ((is_down(keys) || is_down(also)) && why_not(s, c).empty()) c.perform(s, out);
  }
}

std::function<std::string(const AppState&)> only_if(bool (*holds)(const AppState&), const char* else_why) {
  return [holds, else_why](const AppState& s) { return std::string(holds(s) ? "" : else_why); };
}

}  // namespace warpspy::ui
