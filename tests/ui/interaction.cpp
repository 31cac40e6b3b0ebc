// From an event to an action to the state.
#include <algorithm>
#include <set>

#include "tests/ui/support.hpp"
#include "tests/ui/working_folder.hpp"
#include "ui/commands/commands.hpp"
#include "ui/views/histogram_panel.hpp"
#include "ui/views/roofline_panel.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

TEST(Shortcut, F5StartsARun) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  feed_chord({Key::f5}, true);
  const auto actions = h.frames(1);
  feed_chord({Key::f5}, false);
  EXPECT_NE(find_action<StartRun>(actions), nullptr);
  h.settle();
  ASSERT_EQ(h.state().runs.all().size(), 1u);
  EXPECT_EQ(h.state().runs.all()[0]->status, RunStatus::ok);
  EXPECT_EQ(h.engine.runs, 1);
  ASSERT_NE(h.state().roofline, nullptr);
  EXPECT_FALSE(h.state().points->begin()->second.empty());
}

TEST(Shortcut, PlainKeysAreLeftToTextFields) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(SetCamera{h.state().selected, go_to(Camera{}, 5, 5, 20)});
  h.session.apply(ShowDialog{"commands"});
  h.frames(4);
  feed_chord({key('F')}, true);
  const auto actions = h.frames(1);
  feed_chord({key('F')}, false);
  EXPECT_EQ(find_action<SetCamera>(actions), nullptr);
}

TEST(Shortcut, EscapeClosesADialog) {
  Harness h;
  h.session.apply(ShowDialog{"about"});
  h.frames(4);
  feed_chord({Key::escape}, true);
  h.frames(1);
  feed_chord({Key::escape}, false);
  h.frames(2);
  EXPECT_EQ(h.state().dialog, "");
}

TEST(Commands, IdsAndShortcutsAreUnique) {
  std::set<std::string> ids, keys;
  for (const auto& c : commands()) {
    EXPECT_TRUE(ids.insert(c.id).second) << c.id;
    EXPECT_NE(std::string(c.help), "") << c.id;
    if (c.keys.key == Key::none) continue;
    EXPECT_TRUE(keys.insert(label_of(c.keys)).second) << c.id;
  }
}

TEST(Commands, EveryReorderingAndEveryFormatHasOne) {
  for (const auto& row : reorderings()) EXPECT_TRUE(command("reorder." + row.info.id)) << row.info.id;
  for (const auto& row : formats()) EXPECT_TRUE(command("format." + row.info.id)) << row.info.id;
}

TEST(Commands, AllCanBePerformedInAnyState) {
  const WorkingFolder working("commands");
  for (const bool loaded : {false, true}) {
    for (const auto& c : commands()) {
      SCOPED_TRACE(c.id);
      Harness h(900, 600);
      if (loaded) h.open("gen:laplace5?nx=10&ny=10");
      ActionSink out;
      perform(c.id, h.state(), out);
      for (const auto& a : out.take()) h.session.apply(a);
      h.settle();
    }
  }
}

TEST(Menus, EveryItemShowsItsExplanation) {
  Harness h(900, 1000);
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(Notify{{Message::Kind::warning, "something", "do this"}});
  const auto frame = [&] { h.frames(1); };
  frame();
  std::set<std::string> menus;
  for (const auto& c : commands()) menus.insert(c.menu);
  menus.erase("");
  for (const std::string& menu : menus) {
    SCOPED_TRACE(menu);
    click_at(h.find(menu), frame);
    ASSERT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId));
    for (const auto& c : commands()) {
      if (c.menu != menu) continue;
      // A button behind the menu may have the same name.
      const auto explained = [&](const Shown& item) {
        point_at(item);
        h.frames(2);
        return h.shows(c.help, Shown::Kind::tip);
      };
      const auto items = h.items(c.label);
      EXPECT_TRUE(std::any_of(items.begin(), items.end(), explained)) << c.label;
    }
    feed_chord({Key::escape}, true);
    h.frames(1);
    feed_chord({Key::escape}, false);
    h.frames(2);
  }
  // The messages, from the status bar.
  click_at(h.find("something"), frame);
  EXPECT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId));
  EXPECT_EQ(h.state().unread, 0u);
}

TEST(Knob, DragChangesTheValue) {
  Harness h(300, 200);
  ParamSpec spec{"coop", "Threads per row", "help", ParamSpec::Type::power_of_two, 1, 32, 8};
  double value = 8;
  int changes = 0;
  const auto frame = [&] { h.panel([&](Ui& ui) { changes += knob(ui.look, spec, value); }); };
  frame();
  const Shown track = h.find("Threads per row");
  const auto drag_to = [&](float along) {
    point_at(track, along);
    frame(), frame();
  };
  drag_to(0.5f);
  feed_button(0, true);
  frame();
  drag_to(1);
  EXPECT_EQ(value, 32);
  drag_to(0);
  EXPECT_EQ(value, 1);
  feed_button(0, false);
  frame();
  EXPECT_GE(changes, 2);
}

TEST(Knob, TrackAndValueAgree) {
  const ParamSpec specs[] = {{"a", "", "", ParamSpec::Type::power_of_two, 1, 1024, 4},
                             {"b", "", "", ParamSpec::Type::integer, 3, 40, 5},
                             {"c", "", "", ParamSpec::Type::integer, 0, 1000000, 5},
                             {"d", "", "", ParamSpec::Type::power_of_two, 32, 1024, 128},
                             {"e", "", "", ParamSpec::Type::multiple, 32, 1024, 128}};
  const auto next = [](const ParamSpec& s, double v) {
    if (s.type == ParamSpec::Type::power_of_two) return 2 * v;
    return v + (s.type == ParamSpec::Type::multiple ? s.min : std::max(1.0, v / 9));
  };
  for (const auto& s : specs)
    for (double v = s.min; v <= s.max; v = next(s, v)) {
      const double whole = std::floor(v);
      EXPECT_EQ(from_track(s, to_track(s, whole)), whole) << s.id;
    }
}

TEST(Controls, ArrowOnAParameterEmitsIt) {
  Harness h(300, 700);
  h.open("gen:laplace5?nx=10&ny=10");
  const auto view = view_row("controls")->make();
  const auto frame = [&] { return h.panel([&](Ui& ui) { view->draw(h.state(), ui); }); };
  frame();
  std::set<std::string> found;
  for (const ParamSpec& spec : h.state().kernel()->params) {
    if (spec.type == ParamSpec::Type::choice) continue;
    point_at(h.find(spec.label));
    frame();
    feed_chord({Key::right}, true);
    for (int k = 0; k < 2; ++k) {
      const auto actions = frame();
      if (const auto* p = find_action<SetParam>(actions)) found.insert(p->id);
    }
    feed_chord({Key::right}, false);
    frame();
  }
  EXPECT_EQ(found, (std::set<std::string>{"coop", "block"})) << "every number of the kernel has a knob";
}

TEST(Histogram, ClickingABarMarksItsRows) {
  Harness h;
  h.open("gen:laplace5?nx=30&ny=30");
  HistogramPanel panel;
  const auto frame = [&] {
    return h.panel([&](Ui& ui) { panel.draw(h.state(), ui, ImGui::GetContentRegionAvail()); });
  };
  frame();
  frame();
  ASSERT_FALSE(panel.layout().bars.empty());
  const auto& [rect, index] = panel.layout().bars.back();
  feed_mouse(static_cast<float>(rect.x + rect.w / 2), static_cast<float>(panel.layout().area.bottom() - 3));
  frame();
  feed_button(0, true);
  const auto actions = frame();
  feed_button(0, false);
  frame();
  const auto* mark = find_action<SetHighlight>(actions);
  ASSERT_NE(mark, nullptr);
  h.settle();
  ASSERT_TRUE(h.state().highlight && h.state().highlight->rows);
  const Csr& a = *h.state().current()->matrix->csr;
  index_t rows = 0;
  for (index_t r = 0; r < a.rows(); ++r) rows += a.row_length(r) >= mark->lo && a.row_length(r) < mark->hi;
  EXPECT_GT(rows, 0);
  EXPECT_EQ(h.state().highlight->rows->size(), rows);
}

TEST(Roofline, ClickSelectsTheRun) {
  Harness h;
  h.open("gen:laplace5?nx=30&ny=30");
  for (int k = 0; k < 2; ++k) {
    h.session.apply(choose("precision", static_cast<Precision>(k)));
    h.session.apply(StartRun{});
    h.settle();
  }
  RooflinePanel panel;
  const auto frame = [&] {
    return h.panel([&](Ui& ui) { panel.draw(h.state(), ui, ImGui::GetContentRegionAvail()); });
  };
  frame();
  ASSERT_FALSE(panel.layout().marks.empty());
  // A mark is found by what it is, not by where it lies.
  for (const plot::Hit& m : panel.layout().marks) {
    if (m.id == 0) continue;  // a byte count of the papers
    const RooflinePoint* point = h.state().point(m.id, static_cast<Level>(m.part));
    ASSERT_NE(point, nullptr);
    EXPECT_EQ(point->intensity, h.state().roofline->series[m.series].x[m.point]);
  }
  const auto mark = panel.layout().marks.front();
  feed_mouse(static_cast<float>(mark.at.x), static_cast<float>(mark.at.y));
  frame();
  feed_button(0, true);
  const auto actions = frame();
  feed_button(0, false);
  frame();
  const auto* selected = find_action<SelectRun>(actions);
  ASSERT_NE(selected, nullptr);
  EXPECT_NE(h.state().run(selected->id), nullptr);
  EXPECT_EQ(h.state().selected_run, selected->id);
}

// "1.36" is one word: a line ends at a space alone.
TEST(Text, IsBrokenAtSpacesAlone) {
  const auto in_letters = [](const char* from, const char* to) { return static_cast<float>(to - from); };
  EXPECT_EQ(broken_at_spaces("explain 1.36 times of it", 11, in_letters), "explain\n1.36 times\nof it");
  EXPECT_EQ(broken_at_spaces("short", 11, in_letters), "short");
  EXPECT_EQ(broken_at_spaces("a\nbb cc", 4, in_letters), "a\nbb\ncc");
  EXPECT_EQ(broken_at_spaces("averyveryverylongword is kept", 8, in_letters), "averyveryverylongword\nis kept");
  EXPECT_EQ(broken_at_spaces("", 8, in_letters), "");
}

}  // namespace
