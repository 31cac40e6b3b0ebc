// Everything by keys: the order of controls, panels, tabs, matrices, lists, tables, menus.
#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/ui/hands.hpp"
#include "ui/state/search.hpp"
#include "ui/widgets/choose.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/table.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

// A list, a knob and a field, one below the other, with the keys of their own.
struct Bench {
  Harness h{420, 500};
  Focus focus;
  Look look;
  int picked = -1, chosen = 0, pressed = 0, segment = 0;
  double value = 8;
  std::string text;
  const ParamSpec spec{"coop", "Threads per row", "help", ParamSpec::Type::power_of_two, 1, 32, 8};
  const std::vector<Choice> choices = {{"ELL", "", true, "", "ELL"},
                                       {"CSR scalar", "", true, "", "CSR"},
                                       {"HYB", "", false, "", "HYB"},
                                       {"CSR vector", "", true, "", "CSR"},
                                       {"COO", "sorted", true, "", "COO"}};

  void frame() {
    h.shown.clear();
    const Look::OpenList list = look.list;
    look = h.shell->look();
    look.list = list;
    look.focus = &focus;
    look.shown = &h.shown;
    look.palette = &palette_of(ThemeId::paper);
    h.backend.begin_frame();
    focus.begin_frame();
    if (ui::pressed({Key::tab})) focus.move(FocusTo::next);
    if (ui::pressed({Key::tab, false, true})) focus.move(FocusTo::previous);
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("bench", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    if (button(look, "First")) ++pressed;
    if (const int k = choose(look, "list", choices, chosen); k >= 0) picked = chosen = k;
    knob(look, spec, value);
    if (const int k = segments(look, "words", {"a", "b", "c"}, segment); k >= 0) segment = k;
    ImGui::End();
    focus.end_frame();
    h.backend.end_frame();
  }
  void key(Chord c) {
    feed_chord(c, true);
    frame();
    feed_chord(c, false);
    frame(), frame();
  }
  void letters(const std::string& words) {
    for (const char c : words) ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
    frame(), frame();
  }
};

TEST(Keyboard, TabGoesFromControlToControlAndBack) {
  Bench b;
  b.frame();
  b.key({Key::tab});
  b.key({Key::enter});
  EXPECT_EQ(b.pressed, 1);
  b.key({Key::space});
  EXPECT_EQ(b.pressed, 2);
  b.key({Key::tab}), b.key({Key::tab});  // the knob
  b.key({Key::right});
  EXPECT_EQ(b.value, 16);
  b.key({Key::home});
  EXPECT_EQ(b.value, 1);
  b.key({Key::end});
  EXPECT_EQ(b.value, 32);
  b.key({Key::tab});
  b.key({Key::right});
  EXPECT_EQ(b.segment, 1);
  b.key({Key::tab});  // round to the first
  b.key({Key::enter});
  EXPECT_EQ(b.pressed, 3);
  b.key({Key::tab, false, true});  // and back to the last
  b.key({Key::left});
  EXPECT_EQ(b.segment, 0);
}

TEST(Keyboard, AKnobIsTypedAfterEnter) {
  Bench b;
  b.frame();
  for (int k = 0; k < 3; ++k) b.key({Key::tab});
  b.key({Key::enter});
  b.frame();
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  b.letters("4");
  b.key({Key::enter});
  EXPECT_EQ(b.value, 4);
}

TEST(Keyboard, AListOpensWithDownAndEnterChooses) {
  Bench b;
  b.frame();
  b.key({Key::tab}), b.key({Key::tab});
  b.key({Key::down});
  EXPECT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
  b.key({Key::down});  // from ELL to CSR scalar
  b.key({Key::down});  // to CSR vector, of the same group
  b.key({Key::enter});
  EXPECT_EQ(b.picked, 3);
  b.key({Key::escape});
  b.picked = -1;
  b.key({Key::down});
  b.key({Key::escape});
  EXPECT_EQ(b.picked, -1) << "Esc leaves it as it is";
  EXPECT_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
}

TEST(Keyboard, LettersOpenAListAndFilterIt) {
  Bench b;
  b.frame();
  b.key({Key::tab}), b.key({Key::tab});
  b.letters("vec");
  EXPECT_FALSE(b.h.items("CSR vector").empty());
  EXPECT_TRUE(b.h.items("COO").empty()) << "what does not hold the letters is not listed";
  b.key({Key::enter});
  EXPECT_EQ(b.picked, 3);
}

TEST(Keyboard, ArrowsChangeAClosedListAndGoByWhatCannotBeChosen) {
  Bench b;
  b.chosen = 3;
  b.frame();
  b.key({Key::tab}), b.key({Key::tab});
  b.key({Key::right});
  EXPECT_EQ(b.picked, 4) << "HYB is not to be had";
  b.key({Key::left});
  EXPECT_EQ(b.picked, 3);
}

TEST(Keyboard, TabLeavesAnOpenList) {
  Bench b;
  b.frame();
  b.key({Key::tab}), b.key({Key::tab});
  b.key({Key::down});
  b.key({Key::tab});
  b.key({Key::right});
  EXPECT_EQ(b.picked, -1);
  EXPECT_EQ(b.value, 16);
}

TEST(Choices, AreFilteredByEveryWordAndStandByGroup) {
  const Bench b;
  EXPECT_EQ(filtered(b.choices, ""), (std::vector<int>{0, 1, 3, 2, 4}));
  EXPECT_EQ(filtered(b.choices, "csr SCA"), (std::vector<int>{1}));
  EXPECT_EQ(filtered(b.choices, "sorted"), (std::vector<int>{4})) << "the note counts";
  EXPECT_TRUE(filtered(b.choices, "csr coo").empty());
}

TEST(Keyboard, F6GoesThroughEveryPanel) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  std::vector<std::string> seen;
  for (int k = 0; k < 20; ++k) {
    press(h, {Key::f6});
    const std::string now = h.shell->focus().panel_now();
    if (!seen.empty() && now == seen.front()) break;
    seen.push_back(now);
  }
  for (const char* panel : {"top", "workspace", "tabs", "spy", "rows", "roofline", "runs", "controls"})
    EXPECT_NE(std::find(seen.begin(), seen.end(), panel), seen.end()) << panel;
  press(h, {Key::f6, false, true});
  EXPECT_NE(h.shell->focus().panel_now(), seen.front());
}

TEST(Keyboard, TabsFollowTheirOrder) {
  Harness h;
  h.frames(2);
  for (const ViewRow* row : tab_rows()) {
    EXPECT_EQ(h.state().tab, row->id);
    press(h, {Key::page_down, true});
  }
  EXPECT_EQ(h.state().tab, tab_rows().front()->id) << "after the last comes the first";
  press(h, {Key::page_up, true});
  EXPECT_EQ(h.state().tab, tab_rows().back()->id) << "before the first comes the last";
  // Numbers that people know: new tabs and other groups change none of them.
  const char* numbered[] = {"matrix", "rows", "formats", "roofline", "runs", "tune", "facts", "traffic", "diagnosis"};
  for (int k = 0; k < 9; ++k) {
    press(h, {key(static_cast<char>('1' + k)), true});
    EXPECT_EQ(h.state().tab, numbered[k]) << k;
  }
}

TEST(Keyboard, CtrlTabGoesThroughTheMatrices) {
  Harness h;
  for (const char* n : {"10", "11", "12"}) h.open("gen:laplace5?nx=10&ny=" + std::string(n));
  const auto at = [&] { return h.state().current()->source; };
  const std::string last = at();
  press(h, {Key::tab, true});
  EXPECT_EQ(at(), h.state().matrices[0].source);
  press(h, {Key::tab, true, true});
  EXPECT_EQ(at(), last);
}

TEST(Keyboard, CtrlWithPlusMinusAndZeroScales) {
  Harness h;
  h.frames(2);
  press(h, {key('='), true});
  EXPECT_EQ(h.state().settings.scale, 1.25);
  h.shell->set_scale(1.25f, 1);
  press(h, {key('='), true, true});
  EXPECT_EQ(h.state().settings.scale, 1.5);
  press(h, {key('-'), true});
  EXPECT_EQ(h.state().settings.scale, 1);
  press(h, {key('0'), true});
  EXPECT_EQ(h.state().settings.scale, 0) << "the monitor's";
}

TEST(Keyboard, EscLeavesOneThingAfterAnother) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.open("gen:laplace5?nx=21&ny=21");
  h.session.apply(CompareMatrices{h.state().matrices[0].id, h.state().matrices[1].id});
  h.session.apply(ShowDialog{"about"});
  h.settle();
  press(h, {Key::escape});
  EXPECT_EQ(h.state().dialog, "") << "the dialog first";
  EXPECT_EQ(h.state().tab, "compare");
  press(h, {Key::tab});
  ASSERT_TRUE(h.shell->focus().by_keys());
  press(h, {Key::escape});
  EXPECT_EQ(h.state().tab, "matrix") << "then the comparison";
  EXPECT_TRUE(h.shell->focus().by_keys());
  press(h, {Key::escape});
  EXPECT_FALSE(h.shell->focus().by_keys()) << "then what has the keys";
}

TEST(Keyboard, EscClosesAListBeforeItsDialog) {
  Harness h;
  h.session.apply(ShowDialog{"settings"});
  h.frames(4);
  ASSERT_TRUE(press_until(h, {Key::tab}, [&] {
    press(h, {Key::down});
    return h.shows("150 %");
  }));
  press(h, {Key::escape});
  EXPECT_FALSE(h.shows("150 %"));
  EXPECT_EQ(h.state().dialog, "settings");
  press(h, {Key::escape});
  EXPECT_EQ(h.state().dialog, "");
}

TEST(Keyboard, ADialogKeepsTheKeysAndGivesThemBack) {
  Harness h;
  h.frames(2);
  press(h, {Key::f6});
  ASSERT_EQ(h.shell->focus().panel_now(), "top");
  press(h, {key(','), true});
  ASSERT_EQ(h.state().dialog, "settings");
  for (int k = 0; k < 25; ++k) {
    press(h, {Key::tab});
    EXPECT_EQ(h.shell->focus().panel_now(), "Settings");
  }
  press(h, {Key::page_down, true});
  EXPECT_EQ(h.state().tab, "matrix") << "what is below stays as it is";
  press(h, {Key::escape});
  EXPECT_EQ(h.shell->focus().panel_now(), "top");
}

TEST(Keyboard, PlainKeysOfAControlAreNoCommands) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(SetCamera{h.state().selected, go_to(Camera{}, 5, 5, 20)});
  ASSERT_TRUE(to_panel(h, "controls"));
  const auto actions = press(h, {key('F')});  // the first control there is the list of devices
  EXPECT_EQ(find_action<SetCamera>(actions), nullptr);
  press(h, {Key::escape}), press(h, {Key::escape});
  EXPECT_NE(find_action<SetCamera>(press(h, {key('F')})), nullptr);
}

TEST(Keyboard, MenusOpenByArrows) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  press(h, {Key::f10});
  press(h, {Key::right});
  press(h, {Key::down});
  EXPECT_FALSE(h.items("Redo").empty()) << "Edit is the second menu";
  press(h, {Key::right});
  EXPECT_FALSE(h.items("Next marked row").empty()) << "beside it is Matrix";
  press(h, {Key::escape});
  EXPECT_TRUE(h.items("Next marked row").empty());
  press(h, {Key::f10});
  press(h, {Key::down});
  press(h, {Key::down});  // the second item
  press(h, {Key::enter});
  EXPECT_EQ(h.state().dialog, "open");
  EXPECT_EQ(h.state().open_way, OpenWay::generate);
}

TEST(Keyboard, EveryKeyOfHelpIsACommandThatCanBeChanged) {
  Harness h;
  for (const char* id : {"focus.next", "focus.previous", "focus.next_panel", "focus.previous_panel", "focus.menu",
                         "tab.next", "tab.previous", "matrix.next", "matrix.previous", "scale.up", "scale.down",
                         "scale.reset", "view.beside", "view.layouts", "view.back", "file.open_session"}) {
    ASSERT_TRUE(command(id)) << id;
    EXPECT_NE(command(id)->keys.key, Key::none) << id;
  }
  Settings next = h.state().settings;
  next.keys["focus.next_panel"] = "Ctrl+K";
  h.session.apply(SetSettings{next});
  press(h, {Key::f6});
  EXPECT_EQ(h.shell->focus().panel_now(), "");
  press(h, {key('K'), true});
  EXPECT_EQ(h.shell->focus().panel_now(), "top");
}

TEST(Keyboard, ArrowsGoThroughTheRowsOfATable) {
  Harness h;
  three_runs(h);
  h.session.apply(ShowTab{"runs"});
  h.settle();
  const auto newest = h.state().selected_run;
  const auto goes_up = [&] {
    press(h, {Key::down});
    return h.state().selected_run != newest;
  };
  ASSERT_TRUE(to_panel(h, "runs"));
  ASSERT_TRUE(tab_until(h, goes_up)) << "no stop is the table";
  const auto second = h.state().selected_run;
  press(h, {Key::up});
  EXPECT_EQ(h.state().selected_run, newest);
  press(h, {Key::down});
  EXPECT_EQ(h.state().selected_run, second);
  press(h, {Key::f10, false, true});
  EXPECT_FALSE(h.items("Copy as JSON").empty()) << "Shift+F10 opens the row's menu";
  press(h, {Key::escape});
  const auto copied = press(h, {key('C'), true});
  const auto* text = find_action<CopyText>(copied);
  ASSERT_TRUE(text);
  EXPECT_EQ(std::count(text->text.begin(), text->text.end(), '\n'), 4) << "the names and three rows";
  EXPECT_NE(text->text.find("Kernel\t"), std::string::npos);
  EXPECT_NE(text->text.find("CSR scalar"), std::string::npos);
}

TEST(Keyboard, ShiftAndArrowsCompareRuns) {
  Harness h;
  three_runs(h);
  ASSERT_TRUE(to_panel(h, "runs"));
  const auto at_the_second = [&] {
    press(h, {Key::down});
    return h.state().selected_run == 2;
  };
  ASSERT_TRUE(tab_until(h, at_the_second));
  press(h, {Key::down, false, true});
  ASSERT_EQ(h.state().comparing.size(), 2u);
  EXPECT_EQ(h.state().comparing[0]->id, 2u) << "where it began is the baseline";
  EXPECT_EQ(h.state().comparing[1]->id, 1u);
  press(h, {Key::escape});
  EXPECT_TRUE(h.state().comparing.empty());
}

TEST(Keyboard, WhatIsBelowADialogHearsNoKeys) {
  Harness h;
  three_runs(h);
  const auto runs = h.state().runs.all().size();
  for (const char* dialog : {"commands", "open", "sweep", "settings"}) {
    h.session.apply(ShowDialog{dialog});
    h.frames(4);
    for (const Chord c : {Chord{key('W'), true}, Chord{Key::f5}, Chord{Key::f5, true}}) press(h, c);
    h.settle();
    EXPECT_EQ(h.state().matrices.size(), 1u) << dialog;
    EXPECT_EQ(h.state().runs.all().size(), runs) << dialog;
    h.session.apply(ShowDialog{});
    h.frames(2);
  }
}

TEST(Keyboard, NamesOfColumnsSort) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(ShowTab{"formats"});
  h.settle();
  const auto order = [&] { return std::pair(h.state().sort_formats, h.state().sort_descending); };
  const auto before = order();
  const auto sorts = [&] {
    press(h, {Key::home});
    press(h, {Key::up});  // to the names
    press(h, {Key::right});
    press(h, {Key::enter});
    return order() != before;
  };
  ASSERT_TRUE(to_panel(h, "formats"));
  EXPECT_TRUE(press_until(h, {Key::tab}, sorts));
}

}  // namespace
