// Ways through a lesson: to another one, back to a step, around the range, and what is told of runs of one's own.
#include <filesystem>
#include <fstream>

#include "tests/ui/lesson_folder.hpp"
#include "ui/state/lesson.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

std::string other_lesson(const LessonFolder& f) {
  std::string text = kToyLesson;
  text.replace(text.find("Toy lesson"), 10, "Other lesson");
  std::ofstream(f.at("lessons/other.md")) << text;
  return f.at("lessons/other.md");
}

TEST(LessonWays, AnotherLessonAsksFirst) {
  const LessonFolder f;
  const std::string other = other_lesson(f);
  Harness h(1280, 800, 1, f.options());
  begin_lesson(h, f);
  predict(h, "460");
  const std::string kept = h.state().lesson.kept;
  h.session.apply(OpenLesson{other});
  h.settle();
  EXPECT_EQ(h.state().lesson.lesson->title, "Toy lesson");
  click_on(h, "Stay");
  h.settle();
  EXPECT_EQ(h.state().lesson.next, "");
  EXPECT_TRUE(h.state().lesson.answers.left.empty());
  h.session.apply(OpenLesson{other});
  h.settle();
  click_on(h, "Leave the lesson");
  h.settle();
  EXPECT_EQ(h.state().lesson.lesson->title, "Other lesson");
  EXPECT_EQ(read_answers(kept).left.size(), 1u);
}

TEST(LessonWays, NumbersOutOfTheRangeAreRefused) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  begin_lesson(h, f);
  predict(h, "5000");
  EXPECT_TRUE(h.shows("The answer is from 0 to 1000."));
  EXPECT_FALSE(h.state().lesson.given()) << "it is no try";
  predict(h, "1,000");
  ASSERT_TRUE(h.state().lesson.given()) << "commas between thousands are read";
  EXPECT_EQ(h.state().lesson.given()->tries[0].answer, "1000");
}

TEST(LessonWays, RowsAreCountedAsTheWindowDoes) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  begin_lesson(h, f);
  for (const char* answer : {"460", "16", "2", "2 3 1"}) {
    predict(h, answer);
    h.session.apply(ShowLessonStep{h.state().lesson.at + 1});
    h.settle();
  }
  predict(h, "58");  // kept from 0
  ASSERT_TRUE(h.state().lesson.revealed);
  EXPECT_EQ(h.state().lesson.revealed->text, "row 60");
  EXPECT_TRUE(h.shows("row 59"));
  h.session.apply(ShowLessonStep{5});
  h.settle();
  EXPECT_TRUE(h.shows("of 5 predictions were right")) << "the end says how many";
}

TEST(LessonWays, AStepOfBeforeShowsItsRunAgain) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  begin_lesson(h, f);
  predict(h, "460");
  const std::uint64_t first = h.state().selected_run;
  ASSERT_NE(first, 0u);
  h.session.apply(ShowLessonStep{1});
  h.settle();
  predict(h, "16");
  EXPECT_NE(h.state().selected_run, first);
  h.session.apply(ShowLessonStep{0});
  h.settle();
  EXPECT_EQ(h.state().selected_run, first);
  EXPECT_TRUE(h.state().warp.trace) << "and its warp";
}

TEST(LessonWays, RunsOfOnesOwnAreToldWithTheNextAnswer) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  begin_lesson(h, f);
  predict(h, "460");
  h.session.apply(SetKernel{"csr_vector"});
  h.session.apply(StartRun{});
  h.settle();
  h.session.apply(ShowLessonStep{1});
  h.settle();
  predict(h, "16");
  h.session.apply(ShowLessonStep{2});
  h.settle();
  predict(h, "2");
  const LessonAnswers& a = h.state().lesson.answers;
  ASSERT_EQ(a.answers.size(), 3u);
  EXPECT_EQ(a.answers[0].own_runs, 0u) << "the lesson's runs do not count";
  EXPECT_EQ(a.answers[1].own_runs, 1u);
  EXPECT_EQ(a.answers[2].own_runs, 0u);
  EXPECT_EQ(answers_from_json(to_json(a)), a);
}

// A question with tries left, which was answered rightly, is closed before its run has been made again.
TEST(LessonWays, AnsweredQuestionsAreNotAskedAgain) {
  const LessonFolder f;
  std::string text = kToyLesson;
  const std::string field = "range: 0 to 1000\n";
  std::ofstream(f.lesson()) << text.insert(text.find(field), "tries: 3\n");
  {
    Harness h(1280, 800, 1, f.options());
    begin_lesson(h, f);
    predict(h, "460");
    h.session.apply(ShowLessonStep{1});
    h.settle();
    predict(h, "16");
  }
  Harness h(1280, 800, 1, f.options());
  h.session.apply(OpenLesson{f.lesson()});
  h.settle();
  EXPECT_EQ(h.state().lesson.at, 2u);
}

// A program that is killed leaves a lesson uncovered for the next one, if that begins without it.
TEST(LessonWays, AWindowThatBeganWithoutTheLessonLeftIt) {
  const LessonFolder f;
  {
    Harness h(1280, 800, 1, f.options());
    begin_lesson(h, f);
    predict(h, "460");
  }
  Harness h(1280, 800, 1, f.options());
  h.session.apply(OpenLesson{f.lesson()});
  h.settle();
  EXPECT_EQ(h.state().lesson.answers.left, (std::vector<LessonLeft>{{"idle", 1}}));
  EXPECT_EQ(h.state().lesson.name, "Ada") << "the name of before is known";
  predict(h, "16");
  EXPECT_TRUE(h.state().lesson.answers.answers[1].after_leaving);
}

}  // namespace
