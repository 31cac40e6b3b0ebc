// Files and sessions, undo, panels, themes, help.
#include <iterator>

#include "ui/commands/choices.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

namespace {

bool has_desk(const AppState& s) { return !s.matrices.empty() || !s.runs.all().empty(); }
bool has_selection(const AppState& s) { return s.current() != nullptr; }
void whole_roofline(const AppState&, ActionSink& out) { out(choose("roofline zoom", "")); }
// Whether two matrices, or runs, are compared.
bool compares(const AppState& s) { return s.left != 0 || s.comparison != nullptr || s.tab == "compare"; }

const Command of_the_desk[] = {
    {.id = "file.open",
     .menu = "File",
     .label = "Open matrices...",
     .keys = {key('O'), true},
     .help = "Files, several at once: in the system's dialog where there is one.",
     .perform = [](const AppState&, ActionSink& out) { out(AskForFiles{}); }},
    {.id = "file.generate",
     .menu = "File",
     .label = "Generate a matrix...",
     .keys = {key('G'), true, true},
     .help = "Stencils, graphs, stand-ins of well-known matrices: without a file.",
     .perform = [](const AppState&, ActionSink& out) { out(ShowOpen{OpenWay::generate}); }},
    {.id = "file.collection",
     .menu = "File",
     .label = "Fetch from the collection...",
     .help = "A matrix of the SuiteSparse Matrix Collection by its name.",
     .perform = [](const AppState&, ActionSink& out) { out(ShowOpen{OpenWay::collection}); }},
    {.id = "file.save_session",
     .menu = "File",
     .label = "Save the session",
     .keys = {key('S'), true},
     .help = "What is open, how it is looked at, and every run, in one file to keep or to share.",
     .why_not = only_if(has_desk, "There is nothing to save yet: open a matrix first."),
     .perform =
         [](const AppState& s, ActionSink& out) {
           if (s.session.empty())
             out(ShowDialog{"save_session"});
           else
             out(SaveSession{s.session});
         },
     .line_above = true},
    {.id = "file.bring_back",
     .menu = "File",
     .label = "Bring back a desk of before",
     .help =
         "What lay on a desk before a crash, a fresh start, or a session that was opened in its place, or in another "
         "window.",
     .why_not =
         only_if([](const AppState& s) { return !s.offers.empty(); }, "No desk waits: this one follows the last."),
     .perform =
         [](const AppState& s, ActionSink& out) {
           if (s.offers.size() > 1)
             out(ShowDialog{"recover"});
           else
             out(BringBack{});
         }},
    {.id = "file.close",
     .menu = "File",
     .label = "Close the matrix",
     .keys = {key('W'), true},
     .help = "Removes it from the workspace; its runs stay.",
     .why_not = only_if(has_selection, "No matrix is open."),
     .perform = [](const AppState& s, ActionSink& out) { out(CloseMatrix{s.selected}); },
     .of_desk = true},
    {.id = "file.quit",
     .menu = "File",
     .label = "Quit",
     .keys = {key('Q'), true},
     .help = "Closes the window.",
     .perform = [](const AppState&, ActionSink& out) { out(Quit{}); },
     .line_above = true},
    {.id = "edit.undo",
     .menu = "Edit",
     .label = "Undo",
     .keys = {key('Z'), true},
     .help = "Takes back parameters, changes of the view and closed matrices. Runs stay.",
     .why_not = only_if([](const AppState& s) { return !s.undo.empty(); }, "Nothing was changed yet."),
     .perform = [](const AppState&, ActionSink& out) { out(Undo{}); },
     .of_text = true,
     .title = [](const AppState& s) { return s.undo.empty() ? "Undo" : "Undo: " + s.undo; },
     .of_desk = true},
    {.id = "edit.redo",
     .menu = "Edit",
     .label = "Redo",
     .keys = {key('Z'), true, true},
     .help = "Does again what was undone.",
     .why_not = only_if([](const AppState& s) { return !s.redo.empty(); }, "Nothing was undone."),
     .perform = [](const AppState&, ActionSink& out) { out(Redo{}); },
     .also = {key('Y'), true},
     .of_text = true,
     .title = [](const AppState& s) { return s.redo.empty() ? "Redo" : "Redo: " + s.redo; },
     .of_desk = true},
    {.id = "view.back",
     .menu = "View",
     .label = "Back",
     .keys = {Key::escape},
     .help = "Ends the comparison; else zooms the roofline out; else takes the marks off the rows; else lets go of the "
             "control that has the keys.",
     .perform =
         [](const AppState& s, ActionSink& out) {
           if (s.lecture.projects) return out(Project{false});
           if (compares(s)) return out(LeaveComparison{});
           if (s.roofline_settings.view) return whole_roofline(s, out);
           if (!s.highlight && s.array.empty() && s.line.empty()) return out(MoveFocus{FocusTo::none});
           out(SetHighlight{});
           out(SelectPart{});
         },
     .line_above = true},
    {.id = "view.workspace",
     .menu = "View",
     .label = "Workspace panel",
     .keys = {key('B'), true},
     .help = "The open matrices, on the left.",
     .perform =
         [](const AppState& s, ActionSink& out) {
           Panes next = s.panes;
           next.workspace = !next.workspace;
           out(SetPanes{next});
         },
     .checked = [](const AppState& s) { return s.panes.workspace; },
     .line_above = true},
    {.id = "view.controls",
     .menu = "View",
     .label = "Run panel",
     .keys = {key('R'), true},
     .help = "Device, kernel and parameters, on the right.",
     .perform =
         [](const AppState& s, ActionSink& out) {
           Panes next = s.panes;
           next.controls = !next.controls;
           out(SetPanes{next});
         },
     .checked = [](const AppState& s) { return s.panes.controls; }},
    {.id = "lecture.add",
     .menu = "File",
     .label = "Add a slide",
     .keys = {Key::f8},
     .help = "The desk as it is, as the next slide of the lecture; without one, of a new file beside the session.",
     .perform = [](const AppState&, ActionSink& out) { out(AddSlide{}); },
     .line_above = true},
    {.id = "lecture.remove",
     .menu = "File",
     .label = "Remove this slide",
     .help = "The slide that is shown leaves the lecture and its file.",
     .why_not = only_if([](const AppState& s) { return !s.lecture.titles.empty(); }, "No lecture is open."),
     .perform = [](const AppState&, ActionSink& out) { out(RemoveSlide{}); }},
    {.id = "lecture.project",
     .menu = "View",
     .label = "Projector",
     .keys = {Key::f11},
     .help = "The figure, its sentence and the number on the whole window, in large letters. Esc leads back.",
     .perform = [](const AppState& s, ActionSink& out) { out(Project{!s.lecture.projects}); },
     .checked = [](const AppState& s) { return s.lecture.projects; },
     .line_above = true},
    {.id = "lecture.next",
     .menu = "View",
     .label = "Next slide",
     .keys = {Key::page_down},
     .help = "Of the lecture that is projected; presenters' keys do the same.",
     .why_not =
         only_if([](const AppState& s) { return s.lecture.projects && s.lecture.at + 1 < s.lecture.titles.size(); },
                 "There is none, or the projector is off (F11)."),
     .perform = [](const AppState& s, ActionSink& out) { out(ShowSlide{s.lecture.at + 1}); }},
    {.id = "lecture.previous",
     .menu = "View",
     .label = "Previous slide",
     .keys = {Key::page_up},
     .help = "Of the lecture that is projected.",
     .why_not =
         only_if([](const AppState& s) { return s.lecture.projects && s.lecture.at > 0 && !s.lecture.titles.empty(); },
                 "There is none, or the projector is off (F11)."),
     .perform = [](const AppState& s, ActionSink& out) { out(ShowSlide{s.lecture.at - 1}); }},
    {.id = "help.guide",
     .menu = "Help",
     .label = "Guide for newcomers",
     .help = "What a sparse product, its formats, warps, sectors and the roofline are.",
     .perform = [](const AppState&, ActionSink& out) { out(ShowTab{"guide"}); }},
    {.id = "help.help",
     .menu = "Help",
     .label = "Shortcuts and marks",
     .help = "Every shortcut; what solid, half and hollow marks mean.",
     .perform = [](const AppState&, ActionSink& out) { out(ShowTab{"help"}); }},
};

}  // namespace

void add_desk_commands(std::vector<Command>& all) {
  all.insert(all.end(), std::begin(of_the_desk), std::end(of_the_desk));
  add_choices(all, {.choice = "theme", .menu = "View"},
              {{"theme.paper", "Light theme (paper)", "For projectors and papers.", "paper"},
               {"theme.dark", "Dark theme", "For work.", "dark"}});
}

}  // namespace warpspy::ui
