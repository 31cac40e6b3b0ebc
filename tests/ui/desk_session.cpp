// Sessions go to files and come from them; nothing is lost on the way.
#include "tests/ui/kept_desk.hpp"

namespace warpspy::ui {
namespace {

TEST_F(KeptDesk, ASessionGoesElsewhere) {
  fs::create_directories(at("here/sessions"));
  write_matrix("here/a.mtx", 5);
  {
    Harness h(1280, 800, 1, options());
    arrange(h, at("here/a.mtx"));
    h.session.apply(SaveSession{at("here/sessions/work")});
    h.settle();
    EXPECT_EQ(h.state().session, at("here/sessions/work.warpspy"));
    EXPECT_TRUE(says(h, "Saved: " + at("here/sessions/work.warpspy")));
  }
  fs::rename(at("here"), at("there"));
  SessionOptions elsewhere = options();
  elsewhere.desk = at("other-desk"), elsewhere.history = at("other.sqlite"), elsewhere.preferences = at("other.json");
  Harness h(1280, 800, 1, elsewhere);
  h.settle();
  h.open("gen:laplace5?nx=9&ny=9");
  h.open(at("there/sessions/work.warpspy"));
  h.settle();
  ASSERT_EQ(h.state().matrices.size(), 3u) << "in the place of what was open";
  EXPECT_EQ(h.state().matrices[0].source, at("there/a.mtx")) << "found where it lies now";
  EXPECT_EQ(h.state().matrices[0].status, OpenMatrix::Status::ready);
  ASSERT_GE(h.state().runs.all().size(), 2u);
  EXPECT_GE(h.state().runs.all()[0]->id, kUnsaved) << "a run of another machine";
  EXPECT_EQ(h.state().notes.at(h.state().runs.all()[0]->id), "the good one");
  EXPECT_EQ(h.state().comparing.size(), 2u);
  EXPECT_TRUE(h.state().tuning);
  EXPECT_EQ(warnings(h), 0) << h.state().messages.back().text;
  ASSERT_FALSE(h.state().recent.empty());
  EXPECT_EQ(h.state().recent[0], at("there/sessions/work.warpspy"));
  // What was open before can be brought back.
  ASSERT_FALSE(h.state().offers.empty());
  h.session.apply(BringBack{});
  h.settle();
  EXPECT_EQ(h.state().matrices.size(), 4u);
}

// What lay on the desk before has nothing to do with what comes.
TEST_F(KeptDesk, ASessionOpenedOverAnotherHasAllItsRuns) {
  const auto runs = [](Harness& h, int n) {
    h.open("gen:laplace5?nx=9&ny=9");
    for (int k = 0; k < n; ++k) {
      h.session.apply(SetParam{SetParam::Of::kernel, "coop", static_cast<double>(1 << k)});
      h.session.apply(StartRun{});
      h.settle();
    }
  };
  std::vector<std::string> names;
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    runs(h, 5);
    for (const auto& r : h.state().runs.all()) names.push_back(run_name(*r));
    h.session.apply(SaveSession{at("five")});
    h.settle();
    h.session.apply(ClearRuns{});
    runs(h, 2);
    h.session.apply(SaveSession{at("two")});
    h.settle();
  }
  ASSERT_EQ(names.size(), 5u);
  const auto same_names = [&](const Harness& h) {
    std::vector<std::string> now;
    for (const auto& r : h.state().runs.all()) now.push_back(run_name(*r));
    return now == names;
  };
  SessionOptions elsewhere = options();
  elsewhere.desk = at("other-desk"), elsewhere.history = at("other.sqlite"), elsewhere.preferences = at("other.json");
  for (const SessionOptions& o : {options(), elsewhere}) {
    Harness h(1280, 800, 1, o);
    h.settle();
    h.session.apply(ListRuns{true, {}});  // all that were ever made
    h.settle();
    for (const char* name : {"five.warpspy", "two.warpspy", "five.warpspy", "five.warpspy"}) {
      h.open(at(name));
      h.settle();
    }
    EXPECT_TRUE(same_names(h)) << h.state().runs.all().size() << " runs";
    h.session.apply(SaveSession{at("five")});
    h.settle();
    EXPECT_EQ(load_desk(at("five.warpspy")).desk.runs.size(), 5u) << "saved as it was";
  }
}

TEST_F(KeptDesk, ASessionThatCannotBeReadLeavesEverythingAsItIs) {
  Harness h(1280, 800, 1, options());
  h.settle();
  h.open(at("a.mtx"));
  write_file(at("half.warpspy"), to_json(Desk{}).substr(0, 40));
  write_file(at("newer.warpspy"), "{\"warpspy_session\": 12}");
  int said = 0;
  for (const char* name : {"half.warpspy", "newer.warpspy", "none.warpspy"}) {
    h.session.apply(OpenSession{at(name)});
    h.settle();
    EXPECT_EQ(warnings(h), ++said) << name;
    EXPECT_NE(h.state().messages.back().text.find(name), std::string::npos);
    EXPECT_EQ(h.state().matrices.size(), 1u);
    EXPECT_EQ(h.state().session, "");
  }
}

TEST_F(KeptDesk, AFullDiskOrAReadOnlyFolderKeepsTheOldFile) {
  Harness h(1280, 800, 1, options());
  h.settle();
  h.open(at("a.mtx"));
  h.session.apply(SaveSession{at("work.warpspy")});
  h.settle();
  const auto bytes = fs::file_size(at("work.warpspy"));
  fs::create_symlink("/dev/full", at("full.warpspy"));
  for (const std::string& path : {at("full.warpspy"), at("no/such/folder.warpspy")}) {
    h.session.apply(SaveSession{path});
    h.settle();
    EXPECT_EQ(h.state().messages.back().kind, Message::Kind::error) << path;
    EXPECT_NE(h.state().messages.back().remedy, "");
    EXPECT_EQ(h.state().session, at("work.warpspy"));
  }
  EXPECT_EQ(fs::file_size(at("work.warpspy")), bytes);
}

TEST_F(KeptDesk, SaveAsksForANameOnceAndShowsTheFolder) {
  Harness h(1280, 800, 1, options());
  h.settle();
  h.open(at("a.mtx"));
  feed_chord({key('S'), true}, true);
  h.frames(1);
  feed_chord({key('S'), true}, false);
  h.settle();
  EXPECT_EQ(h.state().dialog, "save_session");
  write_file(at("other.warpspy"), to_json(Desk{}));
  h.session.apply(BrowseFolder{folder_.string()});
  h.settle();
  EXPECT_TRUE(h.shows("other.warpspy", Shown::Kind::item));
  h.session.apply(SaveSession{at("work.warpspy")});
  h.settle();
  EXPECT_EQ(h.state().dialog, "");
  h.session.apply(ShowTab{"rows"});
  ActionSink out;
  ASSERT_TRUE(perform("file.save_session", h.state(), out));
  const auto actions = out.take();
  ASSERT_NE(find_action<SaveSession>(actions), nullptr) << "it has a name by now";
  h.session.apply(ShowDialog{"open_session"});
  h.settle();
  click_at(h.find("other.warpspy"), [&] { h.frames(1); });
  h.settle();
  EXPECT_EQ(h.state().session, at("other.warpspy"));
  EXPECT_TRUE(h.state().matrices.empty());
}

TEST_F(KeptDesk, ASessionThatAnotherWindowSavedIsNotWrittenOver) {
  const std::string file = at("both.warpspy");
  const auto bytes = [&] { return fs::file_size(file); };
  Harness h(1280, 800, 1, options());
  h.settle();
  h.open("gen:laplace5?nx=9&ny=9");
  h.session.apply(SaveSession{file});
  h.settle();
  h.session.apply(ShowTab{"rows"});
  h.session.apply(SaveSession{file});  // its own, again
  h.settle();
  EXPECT_EQ(warnings(h), 0);
  write_file(file, to_json(Desk{}));  // as another window does
  const auto other = bytes();
  h.session.apply(SaveSession{file});
  h.settle();
  EXPECT_TRUE(says(h, "somebody else saved this session"));
  EXPECT_EQ(bytes(), other);
  h.session.apply(SaveSession{file, true});  // the dialog, which says that it replaces
  h.settle();
  EXPECT_NE(bytes(), other);
  h.session.apply(SaveSession{file});
  h.settle();
  EXPECT_EQ(warnings(h), 1);
}

}  // namespace
}  // namespace warpspy::ui
