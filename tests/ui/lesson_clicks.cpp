// Questions that are answered by clicks on the views: a click is the answer, the prediction stays there as a ghost.
#include <algorithm>

#include "core/formats/hyb.hpp"
#include "tests/ui/lesson_folder.hpp"
#include "ui/state/lesson_cover.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

const std::string kRecipe = R"(# Clicks

```recipe toy
matrix: gen:arrow?n=60
kernel: csr_vector
device: toy
warp: 6
step: 2
```

## Here

```question q
recipe: toy
ask: Where?
)";

// A lesson of one question, in a window; its run is made.
struct Asked {
  explicit Asked(const std::string& fields, float width = 1280, float height = 800)
      : h(width, height, 1, folder.options()) {
    h.catalog.formats.push_back(hyb_info());
    h.engine.tells_bounds = true, h.engine.tells_more = true;
    std::ofstream(folder.at("lessons/clicks.md")) << kRecipe << fields << "\n```\n\n> So it is.\n";
    h.session.apply(OpenLesson{folder.at("lessons/clicks.md")});
    h.settle();
    h.session.apply(BeginLesson{"Ada"});
    h.settle();
    EXPECT_TRUE(h.state().lesson.ready) << h.state().lesson.problem;
  }
  std::string answer() const { return h.state().lesson.answer; }
  void predict_it() {
    predict(h, answer());
    ASSERT_TRUE(h.state().lesson.revealed) << h.state().lesson.refused;
  }
  double mark() const { return h.state().lesson.revealed->mark; }
  // Where something stands beside the column of the lesson.
  Shown beside(const std::string& name) {
    for (const Shown& s : h.items(name))
      if (s.x > 300) return s;
    ADD_FAILURE() << name << " is not on the view";
    return {};
  }
  void click(const std::string& name) {
    click_at(beside(name), [&] { h.frames(1); });
    h.settle();
  }
  // A place of an area, by its shares.
  void click(const std::string& name, float along, float down) {
    const Shown all = beside(name);
    click_at({Shown::Kind::item, name, all.x + along * all.w, all.y + down * all.h, 0, 0}, [&] { h.frames(1); });
    h.settle();
  }
  // To the control on the view, by keys alone.
  void go_to(const std::string& at) {
    ASSERT_TRUE(press_until(h, {Key::tab}, [&] { return h.shows(at); })) << at;
  }

  const LessonFolder folder;
  Harness h;
};

TEST(LessonClicks, OnSectorsOfTheWarp) {
  Asked a("kind: sectors");
  EXPECT_EQ(a.h.state().tab, "warp");
  EXPECT_TRUE(a.h.shows("values, 8 elements in each sector"));
  EXPECT_TRUE(covered(a.h.state(), Covered::sectors));
  a.click("sector 4");
  a.click("sector 9");
  EXPECT_EQ(a.answer(), "4 9");
  a.click("sector 9");
  a.click("sector 6");
  EXPECT_EQ(a.answer(), "4 6");
  a.predict_it();
  EXPECT_LT(a.mark(), 1);
  EXPECT_EQ(a.h.state().lesson.revealed->text, "4 5");
  EXPECT_EQ(a.h.state().tab, "warp");
  EXPECT_TRUE(a.h.shows("_ you predicted 2"));
}

TEST(LessonClicks, OnSectorsByKeys) {
  Asked a("kind: sectors");
  a.go_to("at sector 0");
  press(a.h, {Key::down});
  EXPECT_TRUE(a.h.shows("at sector 4"));
  press(a.h, {Key::enter});
  press(a.h, {Key::right});
  press(a.h, {Key::enter});
  EXPECT_EQ(a.answer(), "4 5");
  a.predict_it();
  EXPECT_EQ(a.mark(), 1);
}

TEST(LessonClicks, OnTheTimeOfTheSm) {
  Asked a("kind: alone\nwithin: 10 percent");
  EXPECT_TRUE(a.h.shows("2 warps of the SM"));
  EXPECT_FALSE(a.h.shows("issues")) << "who waits is covered";
  a.click("moment", 0.4f, 0.5f);
  EXPECT_EQ(a.answer(), "40");
  a.predict_it();
  EXPECT_EQ(a.mark(), 0);
  EXPECT_EQ(a.h.state().warp.view, WarpView::axis);
  EXPECT_TRUE(a.h.shows("you 40 %"));
  EXPECT_TRUE(a.h.shows("alone from 67 %"));
}

TEST(LessonClicks, OnArrays) {
  Asked a("kind: array");
  EXPECT_EQ(a.h.state().tab, "traffic");
  EXPECT_FALSE(a.h.shows("sectors/request"));
  a.click("values");
  EXPECT_EQ(a.answer(), "values");
  a.predict_it();
  EXPECT_EQ(a.mark(), 0);
  EXPECT_TRUE(a.h.shows("values (you)"));
  EXPECT_TRUE(a.h.shows("x (it is)"));
}

TEST(LessonClicks, OnThePaddingAmongArrays) {
  Asked a("kind: padding");
  EXPECT_EQ(a.h.state().tab, "traffic");
  a.click("x");
  a.click("values");
  EXPECT_EQ(a.answer(), "x values");
  a.predict_it();
  EXPECT_LT(a.mark(), 1);
  EXPECT_TRUE(a.h.shows("values (you, it is)"));
  EXPECT_TRUE(a.h.shows("columns (it is)"));
  EXPECT_TRUE(a.h.shows("x (you)"));
}

// The arrays of a small matrix are printed without what they hold, and clicked on themselves.
TEST(LessonClicks, OnPrintedArrays) {
  Asked a("kind: padding");
  a.h.session.apply(ShowTab{"formats"});
  a.h.settle();
  EXPECT_FALSE(a.h.shows("B/nnz")) << "bytes are covered";
  EXPECT_EQ(a.h.state().knobs.format, "csr") << "the kernel's";
  a.click("array columns");
  a.click("array values");
  EXPECT_EQ(a.answer(), "columns values");
  a.click("array values");
  a.click("x");
  EXPECT_EQ(a.answer(), "columns x");
  EXPECT_TRUE(a.h.items("array x").empty()) << "x is no array of the format";
  a.predict_it();
  EXPECT_TRUE(a.h.shows("you")) << "the prediction stays on the arrays";
}

TEST(LessonClicks, OnTheRowLengthsForK) {
  Asked a("kind: hyb_k");
  EXPECT_EQ(a.h.state().tab, "rows");
  a.click("figure histogram", 0.5f, 0.5f);
  ASSERT_NE(a.answer(), "");
  const int k = std::stoi(a.answer());
  EXPECT_GT(k, 0);
  EXPECT_LT(k, 60);
  press(a.h, {Key::right});
  EXPECT_FALSE(a.h.state().highlight) << "rows are not marked meanwhile";
  a.h.session.apply(ShowTab{"formats"});
  a.h.settle();
  EXPECT_FALSE(a.h.shows("B/nnz")) << "bytes are covered";
  EXPECT_TRUE(a.h.shows("K " + a.answer())) << "and K can be dragged there too";
  a.predict_it();
  EXPECT_TRUE(a.h.shows("you: K " + std::to_string(k)));
  const std::vector<double> bytes = a.h.state().lesson.revealed->truth.cost;
  const auto best = std::min_element(bytes.begin(), bytes.end()) - bytes.begin();
  EXPECT_TRUE(a.h.shows("least bytes: K " + std::to_string(best)));
}

TEST(LessonClicks, DropAPointOnTheRoofline) {
  const std::string fields = "kind: point\nwithin: a factor of 2";
  LessonTruth truth;
  {
    Asked a(fields);
    EXPECT_EQ(a.h.state().tab, "roofline");
    a.click("roofs", 0.5f, 0.5f);
    ASSERT_NE(a.answer(), "");
    a.predict_it();
    truth = a.h.state().lesson.revealed->truth;
    EXPECT_EQ(a.h.state().tab, "roofline");
    EXPECT_TRUE(a.h.shows("you"));
    EXPECT_TRUE(a.h.shows("it is"));
  }
  Asked again(fields);
  again.h.session.apply(DraftAnswer{std::to_string(truth.right[0]) + " " + std::to_string(truth.right[1]), ""});
  again.h.settle();
  again.predict_it();
  EXPECT_EQ(again.mark(), 1);
}

// The arrows move it: to the right for more work for each byte, down for less of the roof.
TEST(LessonClicks, MoveThePointByKeys) {
  Asked a("kind: point\nwithin: a factor of 2");
  a.h.session.apply(DraftAnswer{"1 50", ""});
  a.h.frames(2);
  ASSERT_TRUE(press_until(a.h, {Key::tab}, [&] {
    press(a.h, {Key::right});
    return a.answer() != "1 50";
  }));
  EXPECT_EQ(a.answer(), "1.1 50");
  press(a.h, {Key::down});
  EXPECT_EQ(a.answer(), "1.1 45.5");
}

TEST(LessonClicks, ChooseTheRoof) {
  Asked a("kind: roof");
  EXPECT_EQ(a.h.state().tab, "roofline");
  a.click("L2 bandwidth");
  EXPECT_EQ(a.answer(), "l2");
  a.predict_it();
  EXPECT_EQ(a.mark(), 0);
  EXPECT_TRUE(a.h.shows("you"));
  EXPECT_TRUE(a.h.shows("it is: waiting for loads (latency), no line here"));
}

TEST(LessonClicks, OnARoofItself) {
  Asked a("kind: roof");
  const Shown all = a.beside("roofs");
  std::set<std::string> hit;
  for (float down = 0.02f; down < 1; down += 0.02f) {
    a.click("roofs", 0.3f, down);
    hit.insert(a.answer());
  }
  EXPECT_TRUE(hit.contains("dram"));
  EXPECT_TRUE(hit.contains("l2"));
  EXPECT_GT(all.h, 150);
}

TEST(LessonClicks, PutFindingsInOrder) {
  Asked a("kind: findings");
  EXPECT_EQ(a.h.state().tab, "diagnosis");
  const LessonOffer offer = a.h.state().lesson.offer;
  ASSERT_GE(offer.words.size(), 2u);
  a.click(offer.words[1] + " up");
  EXPECT_EQ(a.answer().substr(0, offer.names[1].size()), offer.names[1]);
  a.predict_it();
  EXPECT_TRUE(a.h.shows("you: place 1"));
}

TEST(LessonClicks, OnTheBestCellOfAPlane) {
  Asked a("kind: cell\nplane: coop=2,4,8,16 block=64,128");
  EXPECT_EQ(a.h.state().tab, "tune");
  EXPECT_FALSE(a.h.state().tuning);
  a.click("cell 8 128");
  EXPECT_EQ(a.answer(), "8 128");
  a.predict_it();
  EXPECT_DOUBLE_EQ(a.mark(), 0.5) << "it takes twice the time of the best";
  ASSERT_TRUE(a.h.state().tuning);
  EXPECT_EQ(a.h.state().tuning->record->steps.size(), 8u);
  EXPECT_TRUE(a.h.shows("you")) << "around the cell";
}

TEST(LessonClicks, OnTheBestCellByKeys) {
  Asked a("kind: cell\nplane: coop=2,4,8,16 block=64,128");
  a.go_to("at cell 2 64");
  for (const Key k : {Key::right, Key::right, Key::right, Key::up}) press(a.h, {k});
  EXPECT_TRUE(a.h.shows("at cell 16 128"));
  press(a.h, {Key::enter});
  EXPECT_EQ(a.answer(), "16 128");
  a.predict_it();
  EXPECT_EQ(a.mark(), 1);
}

// Each kind once more where the window is small: nothing throws, and the lock holds wherever the mouse goes.
TEST(LessonClicks, GiveNothingAwayBefore) {
  const char* kinds[] = {"kind: sectors",
                         "kind: alone\nwithin: 10 percent",
                         "kind: array",
                         "kind: padding",
                         "kind: hyb_k",
                         "kind: point\nwithin: a factor of 2",
                         "kind: roof",
                         "kind: findings",
                         "kind: cell\nplane: coop=2,4,8,16 block=64,128"};
  for (const char* fields : kinds) {
    Asked a(fields, 1024, 768);
    sweep(a.h, 10, 8);
    for (const char* words :
         {"GFLOP/s\t", "sectors of at least", "Limit:", "it is", "you predicted", "\xC2\xB5s", "of the time;"}) {
      EXPECT_FALSE(a.h.shows(words)) << fields << ": " << words;
      EXPECT_FALSE(a.h.shows(words, Shown::Kind::tip)) << fields << ": " << words;
    }
    EXPECT_TRUE(a.h.state().runs.all().empty()) << fields;
  }
}

}  // namespace
