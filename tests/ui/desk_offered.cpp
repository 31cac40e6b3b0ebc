// Desks that were not closed: after a crash, of a second window, given up for a session.
#include "tests/ui/kept_desk.hpp"

namespace warpspy::ui {
namespace {

TEST_F(KeptDesk, AfterACrashItIsOffered) {
  {
    Harness h(1280, 800, 1, options());
    arrange(h, at("a.mtx"));
  }
  // As kill -9 leaves it: the lock's file was not emptied.
  write_file(at("desk/desk.lock"), "4711\n");
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    EXPECT_TRUE(h.state().matrices.empty()) << "it may be what crashed";
    ASSERT_FALSE(h.state().offers.empty());
    EXPECT_TRUE(h.state().offers[0].crashed);
    EXPECT_EQ(h.state().dialog, "recover");
    EXPECT_TRUE(h.shows("3 matrices and"));
  }
  {
    Harness h(1280, 800, 1, options());  // closed without an answer: asked again
    h.settle();
    ASSERT_EQ(h.state().dialog, "recover");
    click_at(h.find("Bring it back"), [&] { h.frames(1); });
    h.settle();
    EXPECT_EQ(h.state().dialog, "");
    EXPECT_EQ(h.state().matrices.size(), 3u);
  }
  Harness h(1280, 800, 1, options());
  h.settle();
  EXPECT_EQ(h.state().dialog, "");
  EXPECT_EQ(h.state().matrices.size(), 3u);
}

TEST_F(KeptDesk, ADeclinedOneMakesRoom) {
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    h.open(at("a.mtx"));
  }
  write_file(at("desk/desk.lock"), "4711\n");
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    h.session.apply(ShowDialog{});
    h.open("gen:laplace5?nx=9&ny=9");
    EXPECT_TRUE(fs::exists(at("desk/desk.before.json")));
    h.session.apply(BringBack{});
    h.settle();
    EXPECT_EQ(h.state().matrices.size(), 2u);
  }
}

TEST_F(KeptDesk, ASessionOpenedInsteadOfADeskLosesNone) {
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    h.open(at("a.mtx"));
  }
  write_file(at("desk/desk.lock"), "4711\n");
  Desk other;
  other.matrices = {{{"gen:laplace5?nx=9&ny=9", {}}, "laplace5", std::nullopt, 0, 0, 0, {}}};
  save_desk(at("other.warpspy"), other);
  Harness h(1280, 800, 1, options());
  h.session.apply(OpenSource{at("other.warpspy")});  // as from the command line
  h.settle();
  ASSERT_EQ(h.state().matrices.size(), 1u);
  EXPECT_EQ(h.state().session, at("other.warpspy"));
  EXPECT_EQ(h.state().undo, "");
  ASSERT_FALSE(h.state().offers.empty()) << "the desk that crashed";
  h.session.apply(ShowTab{"rows"});
  h.settle();
  h.session.apply(BringBack{});
  h.settle();
  ASSERT_EQ(h.state().matrices.size(), 2u);
  EXPECT_EQ(h.state().matrices[1].source, at("a.mtx"));
}

TEST_F(KeptDesk, ASecondWindowHasItsOwn) {
  Harness first(1280, 800, 1, options());
  first.settle();
  first.session.apply(OpenSource{at("a.mtx")});
  // The harness has one ImGui context: the second window is a session without one.
  TestEngine engine;
  Session second(first.catalog, engine, options());
  const auto settle = [&] {
    do {
      second.update();
      std::this_thread::yield();
    } while (!second.idle());
  };
  settle();
  EXPECT_TRUE(second.state().matrices.empty());
  EXPECT_EQ(second.state().dialog, "") << "the first one runs: it did not crash";
  second.apply(OpenSource{"gen:laplace5?nx=9&ny=9"});
  settle();
  first.settle();
  EXPECT_EQ(load_desk(at("desk/desk.json")).desk.matrices.at(0).recipe.source, at("a.mtx"));
  EXPECT_EQ(load_desk(at("desk/desk-2.json")).desk.matrices.at(0).recipe.source, "gen:laplace5?nx=9&ny=9");
}

// Two windows ran. Whichever ends how, at the next start nothing is out of reach, and the newest is first.
TEST_F(KeptDesk, OfTwoWindowsNoDeskIsOutOfReach) {
  struct Case {
    const char* what;
    bool first_crashed, second_crashed, first_is_newer;
  };
  for (const Case& c :
       {Case{"both were closed, the second later", false, false, false},
        Case{"both were closed, the first later", false, false, true}, Case{"the second crashed", false, true, false},
        Case{"the first crashed", true, false, false}, Case{"both crashed", true, true, true}}) {
    SCOPED_TRACE(c.what);
    fs::remove_all(at("desk"));
    fs::create_directories(at("desk"));
    Desk one, two;
    one.matrices = {{{"gen:laplace5?nx=9&ny=9", {}}, "one", std::nullopt, 0, 0, 0, {}}};
    two.matrices = {{{"gen:laplace5?nx=8&ny=8", {}}, "two", std::nullopt, 0, 0, 0, {}}};
    one.saved = c.first_is_newer ? "2026-11-27T11:00:00Z" : "2026-11-27T10:00:00Z";
    two.saved = "2026-11-27T10:30:00Z";
    save_desk(at("desk/desk.json"), one);
    save_desk(at("desk/desk-2.json"), two);
    const auto now = fs::file_time_type::clock::now();
    fs::last_write_time(at("desk/desk-2.json"), now - std::chrono::minutes(30));
    fs::last_write_time(at("desk/desk.json"), now - std::chrono::minutes(c.first_is_newer ? 10 : 50));
    write_file(at("desk/desk.lock"), c.first_crashed ? "4711\n" : "");
    write_file(at("desk/desk-2.lock"), c.second_crashed ? "4712\n" : "");
    const std::string first = "gen:laplace5?nx=9&ny=9", second = "gen:laplace5?nx=8&ny=8";
    const std::string &newest = c.first_is_newer ? first : second, &other = c.first_is_newer ? second : first;
    const bool crashed = c.first_crashed || c.second_crashed;
    {
      Harness h(1280, 800, 1, options());
      h.settle();
      EXPECT_EQ(h.state().dialog, crashed ? "recover" : "");
      ASSERT_EQ(h.state().offers.size(), crashed ? 2u : 1u);
      if (crashed) {
        EXPECT_TRUE(h.state().matrices.empty());
        EXPECT_GT(h.state().offers[0].saved, h.state().offers[1].saved);
        h.session.apply(BringBack{});
        h.settle();
      }
      ASSERT_EQ(h.state().matrices.size(), 1u);
      EXPECT_EQ(h.state().matrices[0].source, newest);
      ASSERT_EQ(h.state().offers.size(), 1u);
      h.session.apply(ShowTab{"rows"});
      h.settle();
    }
    // What was brought back is this window's; the other one still waits.
    Harness h(1280, 800, 1, options());
    h.settle();
    if (h.state().matrices.empty())
      h.session.apply(BringBack{});  // the other one's crash is asked about until it is answered
    h.settle();
    ASSERT_EQ(h.state().matrices.size(), 1u);
    EXPECT_EQ(h.state().matrices[0].source, newest);
    ASSERT_EQ(h.state().offers.size(), 1u);
    h.session.apply(BringBack{});
    h.settle();
    ASSERT_EQ(h.state().matrices.size(), 2u);
    EXPECT_EQ(h.state().matrices[1].source, other);
    EXPECT_EQ(warnings(h), 0);
  }
}

}  // namespace
}  // namespace warpspy::ui
