// Tabs in groups: each is reached by keys, by the search, and by one click; a group comes back to where one was.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/ui/hands.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/state/search.hpp"
#include "ui/views/view.hpp"
#include "ui/window/tab_strip.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

constexpr std::size_t kMostGroups = 7;

// The names of tabs and groups lie between the menus and the views.
std::optional<Shown> in_strip(const Harness& h, const std::string& words) {
  const float scale = h.shell->look().scale;
  for (const Shown& s : h.items(words))
    if (s.y >= 36 * scale && s.y < 98 * scale) return s;
  return std::nullopt;
}

bool point(Harness& h, const std::string& words) {
  const auto found = in_strip(h, words);
  if (!found) return false;
  point_at(*found);
  h.frames(2);
  return true;
}

bool click(Harness& h, const std::string& words) {
  if (!point(h, words)) return false;
  feed_button(0, true);
  h.frames(1);
  feed_button(0, false);
  h.frames(2);
  return true;
}

std::vector<const ViewRow*> tabs_in(Topic group) {
  std::vector<const ViewRow*> rows;
  for (const ViewRow* row : tab_rows())
    if (row->group == group) rows.push_back(row);
  return rows;
}

TEST(Tabs, EveryOneStandsInAGroup) {
  std::set<std::string> names;
  std::size_t tabs = 0;
  for (const TabGroup& group : tab_groups()) {
    EXPECT_TRUE(names.insert(group.label).second) << group.label;
    EXPECT_FALSE(tabs_in(group.id).empty()) << group.label;
    EXPECT_EQ(&tab_group(group.id), &group);
    tabs += tabs_in(group.id).size();
  }
  EXPECT_LE(names.size(), kMostGroups);
  std::size_t listed = 0;
  for (const ViewRow* row : view_rows()) {
    EXPECT_EQ(row->place == Place::tab, row->group != Topic::none) << row->id;
    listed += row->place == Place::tab;
  }
  EXPECT_EQ(tabs, listed);
  EXPECT_EQ(tab_rows().size(), listed);
}

struct Size {
  float width, height;
};
class TabsAt : public testing::TestWithParam<Size> {};

// As many as before there were groups: pointing at a group shows its tabs.
TEST_P(TabsAt, EveryOneIsOneClickAway) {
  const Size size = GetParam();
  Harness h(size.width, size.height);
  h.open("gen:laplace5?nx=20&ny=20");
  for (const ViewRow* from : {view_row("matrix"), view_row("memory"), view_row("help")})
    for (const ViewRow* to : tab_rows()) {
      SCOPED_TRACE(std::string(from->id) + " to " + to->id);
      h.session.apply(ShowTab{from->id});
      feed_mouse(size.width / 2, size.height / 2);
      h.settle();
      const bool alone = tabs_in(to->group).size() == 1;
      ASSERT_TRUE(point(h, tab_group(to->group).label));
      EXPECT_EQ(h.state().tab, from->id) << "pointing opens nothing";
      if (alone) {
        EXPECT_TRUE(h.shows(to->help)) << "what it shows is said";
      }
      ASSERT_TRUE(click(h, alone ? tab_group(to->group).label : to->label));
      EXPECT_EQ(h.state().tab, to->id);
    }
}
INSTANTIATE_TEST_SUITE_P(Sizes, TabsAt,
                         testing::Values(Size{800, 600}, Size{1024, 768}, Size{1280, 800}, Size{1920, 1080}));

// Where names have no room a list has them all: two clicks, as before.
TEST(Tabs, WithoutRoomThereIsAList) {
  for (const ViewRow* to : tab_rows()) {
    SCOPED_TRACE(to->id);
    Harness h(480, 320);
    h.session.apply(ShowTab{to == view_row("rows") ? "facts" : "rows"});
    h.frames(3);
    EXPECT_FALSE(in_strip(h, "Performance"));
    ASSERT_TRUE(click(h, view_row(h.state().tab)->label));
    type(h, to->label);
    press(h, {Key::enter});
    EXPECT_EQ(h.state().tab, to->id);
  }
}

TEST(Tabs, AGroupComesBackToTheTabThatWasOpenLast) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  for (const char* id : {"memory", "facts", "analyses"}) {
    h.session.apply(ShowTab{id});
    h.frames(2);
  }
  ASSERT_TRUE(click(h, "Performance"));
  EXPECT_EQ(h.state().tab, "memory");
  ASSERT_TRUE(click(h, "Matrix"));
  EXPECT_EQ(h.state().tab, "facts");
  ASSERT_TRUE(click(h, "Why"));
  EXPECT_EQ(h.state().tab, "analyses");
  ASSERT_TRUE(click(h, "Why"));
  EXPECT_EQ(h.state().tab, "analyses") << "it is open already";
}

TEST(Tabs, WhatWasOpenLastIsKeptWithTheDesk) {
  Harness h;
  h.session.apply(ShowTab{"traffic"});
  h.frames(2);
  h.session.apply(ShowTab{"help"});
  h.frames(2);
  const auto choices = saved_choices(h.state(), ChoiceRow::Saved::desk);
  AppState later;
  later.catalog = h.state().catalog;
  set_saved_choices(later, ChoiceRow::Saved::desk, choices);
  EXPECT_EQ(last_of(later, Topic::performance).id, std::string("traffic"));
  EXPECT_EQ(last_of(later, Topic::why).id, std::string("diagnosis")) << "the first of those that were not open";
  set_saved_choices(later, ChoiceRow::Saved::desk, {{"tabs seen", "nothing workspace runs"}});
  EXPECT_EQ(last_of(later, Topic::performance).id, std::string("runs")) << "what is no tab is passed over";
}

TEST(Tabs, OfTheGroupPointedAtAreGoneWithTheMouse) {
  Harness h;
  h.frames(3);
  ASSERT_TRUE(in_strip(h, "Rows"));
  ASSERT_TRUE(point(h, "Performance"));
  EXPECT_TRUE(in_strip(h, "Warp"));
  EXPECT_FALSE(in_strip(h, "Rows"));
  const Shown warp = *in_strip(h, "Warp");
  feed_mouse(warp.x + warp.w + 200, warp.y + warp.h / 2);
  h.frames(2);
  EXPECT_TRUE(in_strip(h, "Warp")) << "beside them they stay";
  feed_mouse(640, 500);
  h.frames(2);
  EXPECT_FALSE(in_strip(h, "Warp"));
  EXPECT_TRUE(in_strip(h, "Rows"));
}

TEST(Tabs, ArrowsGoThroughGroupsAndTheirTabs) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  ASSERT_TRUE(to_panel(h, "tabs groups"));
  press(h, {Key::right});
  EXPECT_EQ(view_row(h.state().tab)->group, Topic::performance);
  const std::string first = h.state().tab;
  press(h, {Key::tab});
  press(h, {Key::right});
  EXPECT_NE(h.state().tab, first);
  EXPECT_EQ(view_row(h.state().tab)->group, Topic::performance);
}

TEST(Tabs, TheSearchFindsThemByTheirNamesAndByTheirGroups) {
  const Harness h;
  for (const ViewRow* row : tab_rows())
    for (const std::string words : {row->label, tab_group(row->group).label}) {
      SCOPED_TRACE(words);
      bool found = false;
      for (const SearchHit& hit : search(h.state(), commands(), words)) {
        if (hit.kind != "View" || hit.title != row->label) continue;
        ActionSink out;
        hit.perform(h.state(), out);
        for (const Action& a : out.take())
          if (const auto* shown = a.as<ShowTab>()) found |= shown->id == row->id;
      }
      EXPECT_TRUE(found) << row->id;
    }
}

TEST(Tabs, BesideEachOtherEachHasItsNames) {
  Harness h(1920, 1080);
  h.open("gen:laplace5?nx=20&ny=20");
  Panes two = h.state().panes;
  two.beside = "roofline";
  h.session.apply(SetPanes{two});
  h.settle();
  const auto both = [&](const std::string& words) {
    std::vector<Shown> found;
    for (const Shown& s : h.items(words))
      if (s.y >= 36 && s.y < 98) found.push_back(s);
    std::sort(found.begin(), found.end(), [](const Shown& a, const Shown& b) { return a.x < b.x; });
    return found;
  };
  ASSERT_EQ(both("Why").size(), 2u);
  click_at(both("Why").back(), [&] { h.frames(1); });
  h.settle();
  EXPECT_EQ(h.state().tab, "matrix");
  EXPECT_EQ(h.state().panes.beside, "diagnosis");
  click_at(both("Performance").front(), [&] { h.frames(1); });
  h.settle();
  EXPECT_EQ(h.state().tab, "roofline");
  EXPECT_EQ(h.state().panes.beside, "diagnosis");
}

// One that is pointed at says what it shows, and so does each mode of the warp's view.
TEST(Tabs, SayWhatTheyShow) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  for (const char* tab : {"Rows", "Formats", "Facts"}) {
    ASSERT_TRUE(point(h, tab));
    h.frames(2);
    bool told = false;
    for (const ViewRow* row : tab_rows())
      if (row->label == std::string(tab)) told = h.shows(row->help, Shown::Kind::tip);
    EXPECT_TRUE(told) << tab;
  }
}

}  // namespace
