// What arrives within one frame: nothing of it is lost, and its order stays, in every version of Dear ImGui.
#include <cctype>
#include <string>
#include <vector>

#include "tests/ui/hands.hpp"
#include "ui/platform/hands.hpp"
#include "ui/views/view.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

using What = HandEvent::What;

// A window whose hands are quicker than its frames.
class ManyEvents : public ::testing::Test {
 protected:
  void key_down_and_up(Chord c) {
    const Modifiers held{c.ctrl, c.shift};
    if (c.ctrl || c.shift) hands.push({.what = What::modifiers, .held = held});
    hands.push({.what = What::press, .key = c.key, .held = held});
    hands.push({.what = What::release, .key = c.key, .held = held});
    if (c.ctrl || c.shift) hands.push({.what = What::modifiers});
  }
  void words(const std::string& text) {
    for (const char c : text) {
      const Key k = c == ' ' ? Key::space : key(static_cast<char>(std::toupper(c)));
      hands.push({.what = What::press, .key = k});
      hands.push({.what = What::letter, .letter = static_cast<unsigned char>(c)});
      hands.push({.what = What::release, .key = k});
    }
  }
  void click(const Shown& at) {
    hands.push({.what = What::move, .x = at.x + at.w / 2, .y = at.y + at.h / 2});
    hands.push({.what = What::button, .button = 0, .down = true});
    hands.push({.what = What::button, .button = 0, .down = false});
  }
  Shown tab(const ViewRow& row) const {
    for (const Shown& s : h.items(row.label))
      if (s.y > 36 && s.y < 76) return s;  // menus have such words too
    ADD_FAILURE() << row.label;
    return {};
  }
  // What is rendered next, after all that it took to hand the events on.
  std::vector<Action> next_picture() {
    std::vector<Action> all;
    h.shown.clear();
    h.shell->frames(hands, NullBackend::prepare, &all);
    h.backend.end_frame();
    return all;
  }

  Harness h;
  Hands hands;
};

TEST_F(ManyEvents, AHundredKeysAndClicks) {
  h.open("gen:laplace5?nx=9");
  h.frames(3);
  std::vector<const ViewRow*> tabs;
  for (const ViewRow* row : view_rows())
    if (row->place == Place::tab) tabs.push_back(row);
  std::vector<std::string> wanted, taken;
  // A group of one tab, which has its name.
  const ViewRow& alone = *view_row("matrices");
  for (std::size_t k = 0; k < 50; ++k) {
    const std::size_t other = k % 9;
    click(tab(alone));
    key_down_and_up({key(static_cast<char>('1' + other)), true});
    wanted.push_back(alone.id);
    wanted.push_back(tabs[other]->id);
  }
  for (int picture = 0; picture < 2; ++picture)
    for (const Action& a : next_picture())
      if (const auto* to = a.as<ShowTab>()) taken.push_back(to->id);
  EXPECT_TRUE(hands.empty());
  EXPECT_EQ(taken, wanted);
}

// A key, a field that it leads to, words with corrections, and the key that ends them.
TEST_F(ManyEvents, WordsAreInTheFieldThatTheKeysLedTo) {
  h.open("gen:laplace5?nx=60&ny=60");
  key_down_and_up({key('G'), true});
  words("99999");
  for (int k = 0; k < 5; ++k) key_down_and_up({Key::backspace});
  words("12, 8");
  key_down_and_up({Key::backspace});
  words("345");
  key_down_and_up({Key::left});
  words("6");
  key_down_and_up({Key::enter});
  const auto actions = next_picture();
  EXPECT_TRUE(hands.empty());
  EXPECT_EQ(h.state().dialog, "");
  const auto* camera = find_action<SetCamera>(actions);
  ASSERT_TRUE(camera);
  EXPECT_EQ(camera->camera.row, 11.5);
  EXPECT_EQ(camera->camera.col, 3464.5) << "12, 3465: of 8 and 345 with a 6 before the 5";
}

TEST_F(ManyEvents, APathIsTypedAtOnce) {
  key_down_and_up({key('O'), true});
  const std::string path = "/tmp/a folder/that is not there/with a long name/and another one.mtx";
  words(path);
  next_picture();
  h.settle();  // the folder is listed meanwhile
  key_down_and_up({Key::enter});
  const auto actions = next_picture();
  const auto* open = find_action<GoTo>(actions);
  ASSERT_TRUE(open);
  EXPECT_EQ(open->place, path);
}

// A key that is pressed twice, as by a hand that is quicker than the frames.
TEST_F(ManyEvents, TwoPressesAreTwo) {
  three_runs(h);
  h.session.apply(ShowDialog{"goto"});
  h.frames(4);
  words("4444");
  for (int k = 0; k < 2; ++k) key_down_and_up({Key::backspace});
  key_down_and_up({Key::enter});
  const auto actions = next_picture();
  EXPECT_TRUE(hands.empty());
  const auto* camera = find_action<SetCamera>(actions);
  ASSERT_TRUE(camera);
  EXPECT_EQ(camera->camera.row, 43.5);
}

}  // namespace
