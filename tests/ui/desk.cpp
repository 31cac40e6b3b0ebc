// The desk comes back; sessions go to files and come from them; nothing is lost on the way.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/target.hpp"
#include "tests/ui/support.hpp"
#include "ui/session/desk_state.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

namespace fs = std::filesystem;

class KeptDesk : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("warpspy_ui_desk_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    write_matrix("a.mtx", 5);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::permissions(folder_ / "desk", fs::perms::owner_all, ignored);
    fs::remove_all(folder_);
  }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  // A diagonal of n, of value 1.
  void write_matrix(const std::string& name, int n) const {
    std::string text = "%%MatrixMarket matrix coordinate real general\n" + std::to_string(n) + " " + std::to_string(n) +
                       " " + std::to_string(n) + "\n";
    for (int k = 1; k <= n; ++k) text += std::to_string(k) + " " + std::to_string(k) + " 1\n";
    write_file(at(name), text);
  }
  SessionOptions options(bool fresh = false) const {
    SessionOptions o = Harness::quiet();
    o.desk = at("desk");
    o.history = at("runs.sqlite");
    o.preferences = at("preferences.json");
    o.autosave_s = 0;
    o.fresh = fresh;
    return o;
  }
  static int warnings(const Harness& h) {
    return static_cast<int>(std::count_if(h.state().messages.begin(), h.state().messages.end(),
                                          [](const Message& m) { return m.kind != Message::Kind::note; }));
  }
  static bool says(const Harness& h, const std::string& words) {
    return std::any_of(h.state().messages.begin(), h.state().messages.end(),
                       [&](const Message& m) { return m.text.find(words) != std::string::npos; });
  }
  // Two matrices and one made of the second, two runs, and a view that is not the first one.
  static void arrange(Harness& h, const std::string& file) {
    h.settle();
    h.open(file);
    h.open("gen:laplace5?nx=20&ny=20");
    h.session.apply(Reorder{"rcm", {}, {}});
    h.settle();
    h.session.apply(SelectMatrix{h.state().matrices[1].id});
    h.session.apply(SetParam{SetParam::Of::kernel, "coop", 16});
    h.session.apply(SetPrecision{Precision::f64});
    for (int k = 0; k < 2; ++k) {
      h.session.apply(StartRun{});
      h.settle();
    }
    h.session.apply(CompareRuns{{h.state().runs.all()[0]->id, h.state().runs.all()[1]->id}});
    h.session.apply(SetNote{h.state().runs.all()[0]->id, "the good one"});
    h.session.apply(SetCamera{h.state().selected, go_to(Camera{}, 7, 8, 20)});
    h.session.apply(SetHighlight{4, 6});
    h.session.apply(StartTuning{});
    h.settle();
    h.session.apply(StartAnalysis{});
    h.settle();
    h.session.apply(ShowTab{"runs"});
    h.settle();
  }
  fs::path folder_;
};

TEST_F(KeptDesk, ComesBackAsItWas) {
  std::string before;
  {
    Harness h(1280, 800, 1, options());
    arrange(h, at("a.mtx"));
    before = to_json(desk_of(h.state()));
  }
  Harness h(1280, 800, 1, options());
  h.settle();
  const AppState& s = h.state();
  ASSERT_EQ(s.matrices.size(), 3u);
  for (const OpenMatrix& m : s.matrices) EXPECT_EQ(m.status, OpenMatrix::Status::ready) << m.source;
  EXPECT_EQ(s.matrices[0].source, at("a.mtx"));
  EXPECT_EQ(s.matrices[2].original, s.matrices[1].id);
  EXPECT_EQ(s.selected, s.matrices[1].id);
  EXPECT_EQ(s.tab, "runs");
  EXPECT_EQ(s.knobs.precision, Precision::f64);
  EXPECT_EQ(param_value(s.knobs.kernel_params, "csr_vector", h.catalog.kernels[1].params[0]), 16);
  EXPECT_FALSE(s.current()->camera.fit);
  EXPECT_NEAR(s.current()->camera.row, 7.5, 1);
  EXPECT_EQ(s.comparing.size(), 2u);
  EXPECT_GE(s.runs.all().size(), 2u);
  EXPECT_EQ(s.notes.at(s.runs.all()[0]->id), "the good one");
  ASSERT_TRUE(s.highlight && s.highlight->rows);
  EXPECT_EQ(s.highlight->lo, 4);
  ASSERT_TRUE(s.tuning);
  EXPECT_FALSE(s.tuning->record.steps.empty());
  EXPECT_NE(s.tuning->plane, nullptr);
  ASSERT_TRUE(s.analyses.contains("throughput"));
  EXPECT_NE(s.analyses.at("throughput").figure, nullptr);
  EXPECT_FALSE(s.analyses.at("throughput").result->values.empty());
  EXPECT_EQ(to_json(desk_of(s)), before);
  EXPECT_EQ(h.engine.runs, 0) << "nothing runs by itself";
  EXPECT_EQ(warnings(h), 0) << s.messages.back().text;
}

TEST_F(KeptDesk, EachMatrixKeepsItsKnobsAndTheShownOneItsMarkedRows) {
  const auto coop = [](const Harness& h) {
    return param_value(h.state().knobs.kernel_params, "csr_vector", h.catalog.kernels[1].params[0]);
  };
  {
    Harness h(1280, 800, 1, options());
    h.open("gen:laplace5?nx=20&ny=20");
    h.session.apply(SetParam{SetParam::Of::kernel, "coop", 16});
    h.open("gen:laplace5?nx=21&ny=21");
    h.session.apply(SetKernel{"csr_scalar"});
    h.session.apply(SetHighlight{.first = 3, .past = 5});
    h.settle();
  }
  Harness h(1280, 800, 1, options());
  h.settle();
  EXPECT_EQ(h.state().knobs.kernel, "csr_scalar");
  ASSERT_TRUE(h.state().highlight && h.state().highlight->rows);
  EXPECT_EQ(h.state().highlight->first, 3);
  EXPECT_EQ(h.state().highlight->rows->size(), 2);
  h.session.apply(SelectMatrix{h.state().matrices[0].id});
  EXPECT_EQ(h.state().knobs.kernel, "csr_vector");
  EXPECT_EQ(coop(h), 16);
  EXPECT_EQ(h.state().knobs_from, "") << "its own, not carried over";
}

TEST_F(KeptDesk, WhatIsMissingOrChangedIsSaidOnceAndTheRestComesBack) {
  write_matrix("b.mtx", 6);
  write_matrix("c.mtx", 7);
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    for (const char* name : {"a.mtx", "b.mtx", "c.mtx"}) h.open(at(name));
  }
  fs::remove(at("b.mtx"));
  write_matrix("c.mtx", 8);
  fs::last_write_time(at("a.mtx"), fs::last_write_time(at("a.mtx")) + std::chrono::hours(1));  // touched, not changed
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    ASSERT_EQ(h.state().matrices.size(), 3u);
    EXPECT_EQ(h.state().matrices[0].status, OpenMatrix::Status::ready);
    EXPECT_EQ(h.state().matrices[1].status, OpenMatrix::Status::failed);
    EXPECT_EQ(warnings(h), 1);
    EXPECT_TRUE(says(h, "Missing: b.mtx"));
    EXPECT_TRUE(says(h, "Changed since: c."));
    EXPECT_FALSE(says(h, "a.mtx")) << "its contents are the same";
  }
  write_matrix("b.mtx", 6);
  Harness h(1280, 800, 1, options());
  h.settle();
  EXPECT_EQ(h.state().matrices[1].status, OpenMatrix::Status::ready) << "put back, it is there again";
}

TEST_F(KeptDesk, FreshBeginsEmptyAndTheOldOneIsKept) {
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    h.open(at("a.mtx"));
  }
  {
    Harness looked(1280, 800, 1, options(true));
  }  // nothing was done: nothing changes
  {
    Harness h(1280, 800, 1, options(true));
    h.settle();
    EXPECT_TRUE(h.state().matrices.empty());
    ASSERT_FALSE(h.state().offers.empty());
    EXPECT_FALSE(h.state().offers[0].crashed);
    EXPECT_EQ(h.state().dialog, "");
    h.open("gen:laplace5?nx=9&ny=9");
    h.session.apply(BringBack{});
    h.settle();
    ASSERT_EQ(h.state().matrices.size(), 2u) << "beside what was opened";
    EXPECT_EQ(h.state().matrices[1].source, at("a.mtx"));
    EXPECT_EQ(h.state().current()->source, "gen:laplace5?nx=9&ny=9") << "what was opened stays in sight";
  }
}

TEST_F(KeptDesk, FilesOpenBesideItAndAreShown) {
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    h.open(at("a.mtx"));
  }
  Harness h(1280, 800, 1, options());
  h.session.apply(OpenSource{"gen:laplace5?nx=9&ny=9"});  // as from the command line
  h.session.apply(OpenSource{at("a.mtx")});
  h.session.apply(SelectMatrix{h.state().matrices[0].id});
  h.settle();
  ASSERT_EQ(h.state().matrices.size(), 2u) << "a.mtx is there once";
  EXPECT_EQ(h.state().current()->source, "gen:laplace5?nx=9&ny=9");
}

// What was compared before is of another matrix.
TEST_F(KeptDesk, AFileIsShownThoughRunsOfAnotherMatrixWereCompared) {
  {
    Harness h(1280, 800, 1, options());
    arrange(h, at("a.mtx"));
    ASSERT_EQ(h.state().comparing.size(), 2u);
  }
  Harness h(1280, 800, 1, options());
  h.session.apply(OpenSource{"gen:laplace5?nx=9&ny=9"});
  h.settle();
  EXPECT_EQ(h.state().current()->source, "gen:laplace5?nx=9&ny=9");
}

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

TEST_F(KeptDesk, ADamagedOrNewerOneIsSaidAndNotLost) {
  for (const char* text : {"{\"warpspy_session\": 99}", "{\"warpspy_session\": 1, \"matr"}) {
    fs::create_directories(at("desk"));
    write_file(at("desk/desk.json"), text);
    Harness h(1280, 800, 1, options());
    h.settle();
    EXPECT_EQ(warnings(h), 1) << text;
    h.open(at("a.mtx"));
    std::ifstream in(at("desk/desk.before.json"));
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), text);
    EXPECT_EQ(load_desk(at("desk/desk.json")).desk.matrices.size(), 1u);
  }
}

TEST_F(KeptDesk, WhereItCannotBeKeptItIsSaidOnce) {
  write_file(at("desk"), "a file where the folder should be");
  Harness h(1280, 800, 1, options());
  h.open(at("a.mtx"));
  h.session.apply(ShowTab{"rows"});
  h.settle();
  EXPECT_EQ(warnings(h), 1);
  EXPECT_TRUE(says(h, "the desk cannot be kept"));
  fs::remove(at("desk"));
}

TEST_F(KeptDesk, SwitchedOffNothingIsKept) {
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    Settings off;
    off.keep_desk = false;
    h.session.apply(SetSettings{off});
    h.open(at("a.mtx"));
  }
  Harness h(1280, 800, 1, options());
  h.settle();
  EXPECT_TRUE(h.state().matrices.empty());
  EXPECT_FALSE(h.state().settings.keep_desk);
}

TEST_F(KeptDesk, ChoicesOfALaterProgramStay) {
  fs::create_directories(at("desk"));
  Desk d;
  d.matrices = {{{"gen:laplace5?nx=9&ny=9", {}}, "laplace5", std::nullopt, 0, 0, 0, {}}};
  d.choices = {{"tab", "rows"}, {"of a later program", "kept"}, {"kernel", "none such"}};
  save_desk(at("desk/desk.json"), d);
  {
    Harness h(1280, 800, 1, options());
    h.settle();
    EXPECT_EQ(h.state().tab, "rows");
    EXPECT_EQ(h.state().knobs.kernel, "csr_vector");
    h.session.apply(ShowTab{"facts"});
    h.settle();
  }
  const Desk kept = load_desk(at("desk/desk.json")).desk;
  EXPECT_EQ(kept.choices.at("of a later program"), "kept");
  EXPECT_EQ(kept.choices.at("tab"), "facts");
}

TEST_F(KeptDesk, EveryChoiceGoesThroughItsWord) {
  Harness h;
  AppState s = h.state();
  auto choices = choices_of(s);
  for (auto& [id, text] : choices) {
    if (text == "yes")
      text = "no";
    else if (text == "no")
      text = "yes";
  }
  choices["precision"] = "f64", choices["pattern shading"] = "binary", choices["pattern cells"] = "stretched";
  choices["row lengths"] = "chosen log_x", choices["formats by"] = "3 down", choices["flops"] = "executed";
  choices["cache state"] = "cold", choices["kernel"] = "csr_scalar", choices["tab"] = "runs";
  choices["roofline shows"] = "all", choices["roofline colours"] = "kernel";
  choices["roofline zoom"] = "0.01 10 1 1000.5", choices["matrices show"] = "line chart";
  choices["matrices by"] = "3 down", choices["heat map of"] = "share of roof", choices["line chart over"] = "coop";
  set_choices(s, choices);
  EXPECT_EQ(choices_of(s), choices);
  for (auto& [id, text] : choices) text = "no such thing";
  AppState other = s;
  set_choices(other, choices);
  EXPECT_EQ(other.knobs, s.knobs) << "what is not understood changes nothing";
  EXPECT_EQ(other.roofline_settings, s.roofline_settings);
}

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
  EXPECT_GE(h.state().runs.all()[0]->id, kUnkept) << "a run of another machine";
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

}  // namespace
