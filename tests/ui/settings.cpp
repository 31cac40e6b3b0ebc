// Settings are kept and followed; keys can be changed; a first start is met.
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "core/base/target.hpp"
#include "core/run/examples.hpp"
#include "tests/ui/hands.hpp"
#include "tests/ui/support.hpp"
#include "ui/services/desk/preferences.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

std::string temp(const std::string& name) {
  return testing::TempDir() + "/warpspy_settings_" + std::to_string(getpid()) + name;
}
void show_keys(Harness& h) {
  h.session.apply(ShowDialog{"settings"});
  h.frames(3);
  click_at(h.find("Keys"), [&] { h.frames(1); });
}

TEST(Chords, GoThroughTheirText) {
  for (const Chord c : {Chord{key('K'), true}, Chord{Key::f5, false, true}, Chord{key(','), true, true},
                        Chord{Key::page_down, true}, Chord{key('1')}, Chord{Key::escape}, Chord{key('-'), true}})
    EXPECT_EQ(chord_from_text(label_of(c)), c) << label_of(c);
  for (const char* text : {"", "Ctrl+", "Hyper+K", "Ctrl+Shift+", "KK"})
    EXPECT_EQ(chord_from_text(text).key, Key::none) << text;
}

TEST(Settings, AreKept) {
  const std::string path = temp("/preferences.json");
  std::filesystem::remove_all(temp(""));
  SessionOptions o = Harness::quiet();
  o.preferences = path;
  EXPECT_TRUE(is_first_start(path, ""));
  Settings set;
  set.scale = 1.5, set.system_dialogs = false;
  set.usual = {{"device", "sim:toy"}, {"cache state", "cold"}};
  set.keys = {{"run.start", "Ctrl+K"}, {"run.live", ""}};
  {
    Harness h(1280, 800, 1, o);
    h.session.apply(SetSettings{set});
    h.session.apply(choose("colours", Colormap::grey));
    h.settle();
  }
  EXPECT_FALSE(is_first_start(path, ""));
  Harness h(1280, 800, 1, o);
  EXPECT_EQ(h.state().settings, set);
  EXPECT_EQ(h.state().spy.style.map, Colormap::grey);
  EXPECT_EQ(h.state().knobs.cache_state, CacheState::cold);
  EXPECT_EQ(h.state().knobs.device, "sim:toy");
  std::filesystem::remove_all(temp(""));
}

TEST(Settings, ThatCannotBeWrittenAreSaidOnce) {
  const std::string blocked = temp("_blocked");
  write_file(blocked, "a file where the folder should be");
  SessionOptions o = Harness::quiet();
  o.preferences = blocked + "/preferences.json";
  Harness h(1280, 800, 1, o);
  for (const ThemeId theme : {ThemeId::dark, ThemeId::paper, ThemeId::dark}) {
    h.session.apply(choose("theme", theme));
    h.settle();
  }
  const auto& all = h.state().messages;
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const Message& m) { return m.kind == Message::Kind::error; }), 1);
  std::filesystem::remove(blocked);
}

TEST(Settings, TheDialogChangesThem) {
  Harness h;
  h.session.apply(ShowDialog{"settings"});
  h.frames(3);
  EXPECT_TRUE(h.shows("Scale"));
  click_at(h.find("Keep the desk"), [&] { h.frames(1); });
  EXPECT_FALSE(h.state().settings.keep_desk);
  click_at(h.find("The system's file dialogs"), [&] { h.frames(1); });
  EXPECT_FALSE(h.state().settings.system_dialogs);
}

TEST(Keys, AreChangedByPressingThem) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  show_keys(h);
  const auto frame = [&] { h.frames(1); };
  click_at(h.find("Keys of Bring back a desk of before"), frame);
  EXPECT_TRUE(h.shows("press the keys"));
  press(h, {key('K'), true});
  EXPECT_EQ(h.state().settings.keys, (std::map<std::string, std::string>{{"file.bring_back", "Ctrl+K"}}));
  EXPECT_FALSE(h.shows("press the keys"));
  h.session.apply(ShowDialog{});
  h.frames(2);
  const auto* c = command("file.bring_back");
  EXPECT_EQ(label_of(keys_of(h.state(), *c)), "Ctrl+K");
}

TEST(Keys, WhileTheyAreAskedForNoCommandHearsThem) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  show_keys(h);
  click_at(h.find("Keys of Bring back a desk of before"), [&] { h.frames(1); });
  const auto actions = press(h, {key('W'), true});
  EXPECT_EQ(find_action<CloseMatrix>(actions), nullptr);
  EXPECT_TRUE(h.state().settings.keys.empty()) << "another command has it: that is said first";
  EXPECT_TRUE(h.shows("Ctrl+W belongs to \"Close the matrix\""));
  click_at(h.find("Take it for \"Bring back a desk of before\""), [&] { h.frames(1); });
  EXPECT_EQ(h.state().settings.keys.at("file.bring_back"), "Ctrl+W");
  EXPECT_EQ(h.state().settings.keys.at("file.close"), "");
  // Esc keeps the dialog while it listens.
  click_at(h.find("Keys of Close the matrix"), [&] { h.frames(1); });
  press(h, {Key::escape});
  EXPECT_EQ(h.state().dialog, "settings");
  press(h, {Key::escape});
  EXPECT_EQ(h.state().dialog, "");
}

TEST(Keys, OfTheUserWorkAndTheOldOnesDoNot) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  Settings set;
  set.keys = {{"run.start", "Ctrl+K"}, {"edit.redo", "Ctrl+J"}, {"run.live", "no such key"}};
  h.session.apply(SetSettings{set});
  h.frames(1);
  EXPECT_EQ(find_action<StartRun>(press(h, {Key::f5})), nullptr);
  EXPECT_NE(find_action<StartRun>(press(h, {key('K'), true})), nullptr);
  h.settle();
  h.session.apply(SetParam{SetParam::Of::kernel, "coop", 16});
  h.session.apply(Undo{});
  EXPECT_EQ(find_action<Redo>(press(h, {key('Y'), true})), nullptr) << "the second chord goes with the first";
  EXPECT_NE(find_action<Redo>(press(h, {key('J'), true})), nullptr);
  EXPECT_EQ(label_of(keys_of(h.state(), *command("run.live"))), "Ctrl+L") << "what is no key is not set";
}

TEST(Keys, FollowInMenusHelpAndSearch) {
  Harness h;
  Settings set;
  set.keys = {{"file.open", "Ctrl+K"}, {"view.commands", "Ctrl+J"}};
  h.session.apply(SetSettings{set});
  h.session.apply(ClearMessages{});
  h.frames(2);
  EXPECT_TRUE(h.shows("Ctrl+J")) << "the search box in the top bar";
  EXPECT_TRUE(h.shows("(Ctrl+K)")) << "the status bar";
  h.session.apply(ShowTab{"help"});
  h.frames(2);
  EXPECT_TRUE(h.shows("Ctrl+K"));
  EXPECT_TRUE(h.shows("Ctrl+Shift+Z or Ctrl+Y"));
  h.session.apply(ShowDialog{"commands"});
  h.frames(4);
  EXPECT_TRUE(h.shows("Ctrl+K"));
}

TEST(Keys, AreReset) {
  Harness h;
  Settings set;
  set.keys = {{"run.start", "Ctrl+K"}};
  h.session.apply(SetSettings{set});
  show_keys(h);
  click_at(h.find("Reset all"), [&] { h.frames(1); });
  EXPECT_TRUE(h.state().settings.keys.empty());
}

TEST(Welcome, OffersExamplesAFileAndTheGuide) {
  for (const char* example : {"A grid", "A web graph", "An arrow"}) {
    Harness h;
    h.session.apply(ShowDialog{"welcome"});
    h.frames(3);
    click_at(h.find(example), [&] { h.frames(1); });
    h.settle();
    ASSERT_EQ(h.state().matrices.size(), 1u) << example;
    EXPECT_EQ(h.state().matrices[0].status, OpenMatrix::Status::ready) << example;
    EXPECT_EQ(h.state().dialog, "");
    const auto shown = std::find_if(examples().begin(), examples().end(),
                                    [&](const Example& e) { return e.name == std::string(example); });
    EXPECT_EQ(h.state().knobs.cache_state, shown->caches) << example;
  }
  Harness h;
  h.session.apply(ShowDialog{"welcome"});
  h.frames(3);
  click_at(h.find("Read the guide"), [&] { h.frames(1); });
  EXPECT_EQ(h.state().tab, "guide");
  h.frames(3);
  EXPECT_TRUE(h.shows("A sparse matrix times a vector"));
  h.session.apply(ShowDialog{"welcome"});
  h.frames(3);
  click_at(h.find("Open a file..."), [&] { h.frames(1); });
  EXPECT_EQ(h.state().dialog, "open");
}

TEST(Welcome, IsForThoseWhoHaveDoneNothingYet) {
  const std::string preferences = temp("_p.json"), history = temp("_h.sqlite");
  EXPECT_TRUE(is_first_start(preferences, history));
  write_file(history, "x");
  EXPECT_FALSE(is_first_start(preferences, history));
  std::filesystem::remove(history);
  write_file(preferences, "{}");
  EXPECT_FALSE(is_first_start(preferences, history));
  std::filesystem::remove(preferences);
}

}  // namespace
