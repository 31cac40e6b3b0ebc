// Opening: several files at once, folders, our dialog by keyboard alone, the system's dialog.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/paths.hpp"
#include "tests/ui/support.hpp"
#include "ui/platform/system_dialog.hpp"
#include "ui/services/desk/preferences.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

namespace fs = std::filesystem;

constexpr const char* kGood = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 2\n3 3 1\n";

// Ten files, of which three are broken, and a folder beside them.
class Opening : public ::testing::Test {
 protected:
  void SetUp() override {
    root = fs::path(::testing::TempDir()) / ("warpspy_open_" + std::to_string(getpid()));
    fs::remove_all(root);
    fs::create_directories(root / "inner");
    for (int k = 0; k < 10; ++k)
      put("m" + std::to_string(k) + ".mtx",
          k % 4 == 0 ? "%%MatrixMarket matrix coordinate real general\n3 3 2\n" : kGood);
    put("inner/deep.mtx", kGood);
  }
  void TearDown() override { fs::remove_all(root); }
  void put(const std::string& name, const std::string& text) const { std::ofstream(root / name) << text; }
  std::string path(const std::string& name) const { return (root / name).string(); }

  static int ready(const Harness& h) {
    int n = 0;
    for (const OpenMatrix& m : h.state().matrices) n += m.status == OpenMatrix::Status::ready;
    return n;
  }
  static int said(const Harness& h, Message::Kind kind) {
    int n = 0;
    for (const Message& m : h.state().messages) n += m.kind == kind;
    return n;
  }

  fs::path root;
};

TEST_F(Opening, OfTenFilesSevenOpenAndThreeSayWhy) {
  Harness h;
  h.session.apply(OpenSources{{root}});
  h.settle();
  ASSERT_EQ(h.state().matrices.size(), 10u);
  EXPECT_EQ(ready(h), 7);
  EXPECT_EQ(said(h, Message::Kind::error), 3);
  const std::string last = h.state().messages.back().text;
  EXPECT_EQ(last, "7 of 10 opened; not m0.mtx, m4.mtx, m8.mtx.");
  ASSERT_TRUE(h.state().current());
  EXPECT_EQ(h.state().current()->status, OpenMatrix::Status::ready) << "what opened is shown";
  for (const OpenMatrix& m : h.state().matrices)
    EXPECT_EQ(m.status == OpenMatrix::Status::failed, !m.failure.reason.empty()) << m.name;
}

// As in its runs and on the command line: the name of the file without its endings, whether it opened or not.
TEST_F(Opening, AMatrixHasOneName) {
  fs::copy_file(WARPSPY_SOURCE_DIR "/tests/data/valid/packed.mtx.gz", path("packed.mtx.gz"));
  Harness h;
  for (const char* name : {"m0.mtx", "m1.mtx", "packed.mtx.gz"}) h.session.apply(OpenSource{path(name)});
  const auto names = [&] {
    std::vector<std::string> all;
    for (const OpenMatrix& m : h.state().matrices) all.push_back(m.name);
    return all;
  };
  const std::vector<std::string> wanted = {"m0", "m1", "packed"};
  EXPECT_EQ(names(), wanted) << "while they are read";
  h.settle();
  EXPECT_EQ(ready(h), 2);
  EXPECT_EQ(names(), wanted);
}

TEST_F(Opening, WhatIsOpenedDoesNotLieBehindHelp) {
  Harness h;
  h.session.apply(ShowTab{"help"});
  h.settle();
  h.session.apply(OpenSource{"gen:laplace5?nx=5&ny=5"});
  h.settle();
  EXPECT_EQ(h.state().tab, "matrix");
}

TEST_F(Opening, FilesAndFoldersMayBeMixed) {
  Harness h;
  h.session.apply(OpenSources{{path("m1.mtx"), path("inner"), "gen:laplace5?nx=5&ny=5", path("m1.mtx")}});
  h.settle();
  EXPECT_EQ(ready(h), 3);
  EXPECT_EQ(h.state().current()->name, "m1") << "the first is shown";
  EXPECT_EQ(h.state().messages.back().text, "3 of 3 matrices are open.");
}

TEST_F(Opening, AFolderWithoutMatricesIsRefused) {
  Harness h;
  fs::remove(root / "inner/deep.mtx");
  h.session.apply(OpenSources{{path("inner")}});
  h.settle();
  EXPECT_TRUE(h.state().matrices.empty());
  ASSERT_EQ(said(h, Message::Kind::error), 1);
  EXPECT_NE(h.state().messages.back().remedy.find("Matrix Market"), std::string::npos);
}

TEST_F(Opening, OnlyOneOfManyRunsByItself) {
  SessionOptions o;
  o.run_on_open = true;
  Harness h(1280, 800, 1, o);
  h.session.apply(OpenSources{{path("m1.mtx"), path("m2.mtx"), path("m3.mtx")}});
  h.settle();
  EXPECT_EQ(h.engine.runs, 1);
}

// Our dialog, by keyboard.
class OwnDialog : public Opening {
 protected:
  void SetUp() override {
    Opening::SetUp();
    h.session.apply(ShowOpen{OpenWay::file});
    h.settle();
    h.session.apply(BrowseFolder{root});
    h.settle();
  }
  void press(Chord c) {
    feed_chord(c, true);
    h.frames(2);
    feed_chord(c, false);
    h.settle();
  }
  void type(const std::string& words) {
    ImGui::GetIO().AddInputCharactersUTF8(words.c_str());
    h.settle();
  }
  Harness h;
};

TEST_F(OwnDialog, ListsFoldersAndFilesWithTheirSizes) {
  EXPECT_EQ(h.state().listing.entries.size(), 11u);
  EXPECT_TRUE(h.shows("inner/"));
  EXPECT_TRUE(h.shows("m0.mtx"));
  EXPECT_TRUE(h.shows("B"));
}

TEST_F(OwnDialog, EntersFoldersAndLeavesThem) {
  press({Key::enter});  // the folder is the first
  EXPECT_EQ(h.state().listing.folder, fs::weakly_canonical(root / "inner").string());
  EXPECT_EQ(h.state().dialog, "open");
  press({Key::backspace});
  EXPECT_EQ(h.state().listing.folder, fs::weakly_canonical(root).string());
}

TEST_F(OwnDialog, ATypedFolderIsEnteredNotRefused) {
  type(path("inner"));
  press({Key::enter});
  EXPECT_EQ(h.state().listing.folder, fs::weakly_canonical(root / "inner").string());
  EXPECT_EQ(said(h, Message::Kind::error), 0);
  type("/no/such/place");
  press({Key::enter});
  EXPECT_EQ(h.state().dialog, "open");
  EXPECT_TRUE(h.shows("There is no file and no folder /no/such/place"));
}

TEST_F(OwnDialog, AFilterEndsWithItsFolder) {
  type("inn");
  press({Key::enter});
  EXPECT_TRUE(h.shows("deep.mtx"));
  type("nothing");
  EXPECT_FALSE(h.shows("deep.mtx")) << "the field has the keyboard again";
}

TEST_F(OwnDialog, TypingFiltersAndEnterOpens) {
  type("M7");
  EXPECT_FALSE(h.shows("m1.mtx"));
  EXPECT_TRUE(h.shows("m7.mtx"));
  press({Key::enter});
  ASSERT_EQ(ready(h), 1);
  EXPECT_EQ(h.state().current()->name, "m7");
  EXPECT_EQ(h.state().dialog, "");
}

TEST_F(OwnDialog, ShiftAndArrowsTakeSeveral) {
  press({Key::down});
  press({Key::down});
  press({Key::down, false, true});
  press({Key::down, false, true});
  EXPECT_TRUE(h.shows("Open 3"));
  press({Key::enter});
  EXPECT_EQ(ready(h), 3);
}

TEST_F(OwnDialog, KeepsItsPlace) {
  press({Key::enter});
  press({Key::escape});
  EXPECT_EQ(h.state().dialog, "");
  h.session.apply(ShowOpen{OpenWay::file});
  h.settle();
  EXPECT_TRUE(h.shows("deep.mtx"));
}

TEST_F(Opening, TheFolderIsRememberedForTheNextStart) {
  SessionOptions o = Harness::quiet();
  o.preferences = path("preferences.json");
  {
    Harness first(1280, 800, 1, o);
    first.session.apply(BrowseFolder{path("inner")});
    first.settle();
  }
  EXPECT_EQ(load_preferences(o.preferences).folder, fs::weakly_canonical(root / "inner").string());
}

TEST_F(OwnDialog, EveryGeneratorSaysWhatItIsGoodFor) {
  press({Key::page_down, true});
  press({Key::page_down, true});
  ASSERT_EQ(h.state().open_way, OpenWay::generate);
  for (const GeneratorInfo& g : generators()) {
    SCOPED_TRACE(g.id);
    EXPECT_TRUE(h.shows(g.good_for));
    EXPECT_TRUE(h.shows("gen:" + g.id));
    press({Key::down});
  }
}

TEST_F(OwnDialog, GeneratesByKeyboard) {
  h.session.apply(ShowOpen{OpenWay::generate});
  h.settle();
  type("gen:diagonal?n=9");
  press({Key::enter});
  ASSERT_EQ(ready(h), 1);
  EXPECT_EQ(h.state().current()->matrix->csr->rows(), 9);
}

TEST_F(OwnDialog, KnobsSayWhatWasTyped) {
  h.session.apply(ShowOpen{OpenWay::generate});
  h.settle();
  type("gen:laplace5?nx=77");
  EXPECT_TRUE(h.shows("77")) << "the knob beside the field";
  EXPECT_TRUE(h.shows("gen:laplace5?nx=77"));
  type("&nz=3");
  EXPECT_TRUE(h.shows("nz")) << "why it is none";
  EXPECT_TRUE(h.shows("gen:laplace5?nx=77&nz=3")) << "and it stays as it was typed";
}

// The system's dialog, as the session sees it.
struct Asked {
  std::string folder;
  SessionOptions::Answered answered;
  bool takes = true;
};
SessionOptions asking(Asked& asked) {
  SessionOptions o = Harness::quiet();
  o.system_dialog = "fake";
  o.ask_files = [&asked](const std::string& folder, SessionOptions::Answered answered) {
    asked.folder = folder;
    asked.answered = std::move(answered);
    return asked.takes;
  };
  return o;
}

TEST_F(Opening, TheSystemsDialogIsAskedWhereThereIsOne) {
  Asked asked;
  Harness h(1280, 800, 1, asking(asked));
  perform("file.open", h.state(), h.sink);
  for (const auto& a : h.sink.take()) h.session.apply(a);
  ASSERT_TRUE(asked.answered);
  EXPECT_EQ(h.state().dialog, "") << "the window goes on";
  asked.answered({path("m1.mtx"), path("m2.mtx")}, "");
  h.settle();
  EXPECT_EQ(ready(h), 2);
  EXPECT_EQ(h.state().listing.folder, root.string());
}

TEST_F(Opening, CancelIsNothing) {
  Asked asked;
  Harness h(1280, 800, 1, asking(asked));
  h.session.apply(AskForFiles{});
  asked.answered({}, "");
  h.settle();
  EXPECT_TRUE(h.state().matrices.empty());
  EXPECT_EQ(h.state().dialog, "");
}

TEST_F(Opening, WhereItCannotAskOursDoes) {
  {
    Asked asked;
    Harness h(1280, 800, 1, asking(asked));
    h.session.apply(AskForFiles{});
    asked.answered({}, "zenity could not ask (status 255)");
    h.settle();
    EXPECT_EQ(h.state().dialog, "open");
    EXPECT_NE(h.state().messages.back().text.find("status 255"), std::string::npos);
  }
  Harness none;
  none.session.apply(AskForFiles{});
  EXPECT_EQ(none.state().dialog, "open");
}

TEST_F(Opening, OneIsOpenAtATime) {
  Asked asked;
  asked.takes = false;
  Harness h(1280, 800, 1, asking(asked));
  h.session.apply(AskForFiles{});
  EXPECT_EQ(h.state().dialog, "");
  EXPECT_EQ(h.state().messages.back().text, "The dialog for files is open already.");
}

// The child process: a script plays zenity.
class Dialogs : public Opening {
 protected:
  void SetUp() override {
    Opening::SetUp();
    for (const char* name : kVariables) before.push_back(std::getenv(name) ? std::getenv(name) : "");
    ::setenv("PATH", (root.string() + ":" + before[0]).c_str(), 1);
    ::setenv("DISPLAY", ":0", 1);
    for (const char* name : {"SSH_CONNECTION", "SSH_TTY", "WARPSPY_DIALOG"}) ::unsetenv(name);
    ::setenv("XDG_DATA_DIRS", root.c_str(), 1);  // no portal
  }
  void TearDown() override {
    for (std::size_t k = 0; k < before.size(); ++k)
      before[k].empty() ? (void)::unsetenv(kVariables[k]) : (void)::setenv(kVariables[k], before[k].c_str(), 1);
    Opening::TearDown();
  }
  void zenity(const std::string& script) const {
    put("zenity", "#!/bin/sh\n" + script + "\n");
    fs::permissions(root / "zenity", fs::perms::owner_all);
  }
  FileAnswer ask() const {
    FileAnswer got;
    std::atomic<bool> done = false;
    SystemDialog dialog(*find_dialog_tool());
    EXPECT_TRUE(dialog.ask({root, "Open", {"*.mtx"}}, [&](FileAnswer a) {
      got = std::move(a);
      done = true;
    }));
    while (!done) std::this_thread::yield();
    return got;
  }

  static constexpr const char* kVariables[] = {"PATH",    "DISPLAY",        "SSH_CONNECTION",
                                               "SSH_TTY", "WARPSPY_DIALOG", "WAYLAND_DISPLAY"};
  std::vector<std::string> before;
};

TEST_F(Dialogs, TellEveryPath) {
  zenity("printf '/a/b c.mtx\\n/d.mtx\\n'");
  EXPECT_EQ(ask().paths, (std::vector<std::string>{"/a/b c.mtx", "/d.mtx"}));
}

TEST_F(Dialogs, HearWhereToBeginAndWhatToShow) {
  zenity("for a in \"$@\"; do echo \"$a\" | tr '\\n' '/'; echo; done");
  const auto words = ask().paths;
  const auto has = [&](const std::string& w) { return std::find(words.begin(), words.end(), w) != words.end(); };
  EXPECT_TRUE(has("--filename=" + root.string() + "//"));
  EXPECT_TRUE(has("--file-filter=Matrices | *.mtx/"));
  EXPECT_TRUE(has("--multiple/"));
}

TEST_F(Dialogs, CancelIsNoProblemAndAnythingElseIs) {
  zenity("exit 1");
  EXPECT_EQ(ask().paths.size(), 0u);
  EXPECT_EQ(ask().problem, "");
  zenity("exit 255");
  EXPECT_EQ(ask().problem, "zenity could not ask (status 255)");
  zenity("kill -9 $$");
  EXPECT_EQ(ask().problem, "zenity could not ask (signal 9)");
}

TEST_F(Dialogs, GoWithTheWindow) {
  zenity("exec sleep 1000");
  std::atomic<int> answers = 0;
  {
    SystemDialog dialog(*find_dialog_tool());
    EXPECT_TRUE(dialog.ask({root, "Open", {}}, [&](FileAnswer) { ++answers; }));
    EXPECT_FALSE(dialog.ask({root, "Open", {}}, [&](FileAnswer) { ++answers; })) << "one at a time";
  }
  EXPECT_EQ(answers, 0);
}

TEST_F(Dialogs, AreNotUsedOverSshOrWithoutAScreen) {
  zenity("exit 0");
  ASSERT_NE(find_dialog_tool(), nullptr);
  ::setenv("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22", 1);
  EXPECT_EQ(find_dialog_tool(), nullptr);
  ::setenv("WARPSPY_DIALOG", "zenity", 1);
  EXPECT_NE(find_dialog_tool(), nullptr) << "asked for by name";
  ::unsetenv("SSH_CONNECTION");
  ::setenv("WARPSPY_DIALOG", "own", 1);
  EXPECT_EQ(find_dialog_tool(), nullptr);
  ::unsetenv("WARPSPY_DIALOG");
  ::unsetenv("DISPLAY");
  ::unsetenv("WAYLAND_DISPLAY");
  EXPECT_EQ(find_dialog_tool(), nullptr);
}

}  // namespace
