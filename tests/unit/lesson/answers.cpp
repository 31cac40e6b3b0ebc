// Answer files: there and back, cut at every place, of other versions, and edited.
#include "core/lesson/answers.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/base/types.hpp"
#include "core/lesson/answers_page.hpp"
#include "core/lesson/marks.hpp"
#include "samples.hpp"

namespace warpspy {
namespace {

Lesson lesson() { return lesson_from_markdown(testing::good_lesson(), "l.md"); }
LessonTruths truths() { return {{"one", {{20}, {}, {}, 0.04}}, {"two", {{1}, {}, {}, 0.33}}}; }

LessonAnswers answers(const std::string& name = "Zoë, née \"Ω\"") {
  return {name, "l", lesson().hash, 1, {{"one", "five rows", {{"19", 31.5}, {"20", 12}}}, {"two", "so", {{"3", 2}}}}};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string reason(const std::string& text) {
  try {
    answers_from_json(text);
  } catch (const Error& e) {
    return e.reason;
  }
  return {};
}

TEST(AnswerFiles, GoThereAndBack) {
  EXPECT_EQ(answers_from_json(to_json(answers())), answers());
  EXPECT_EQ(to_json(answers_from_json(to_json(answers()))), to_json(answers()));
}

TEST(AnswerFiles, CutAnywhereAreRefused) {
  const std::string whole = to_json(answers());
  for (std::size_t n = 0; n + 2 < whole.size(); ++n) EXPECT_NE(reason(whole.substr(0, n)), "") << n;
}

TEST(AnswerFiles, OfOtherKindsAreNamed) {
  const std::string good = to_json(answers());
  EXPECT_NE(reason(replaced(good, "answers-1", "answers-7")).find("of another version"), std::string::npos);
  EXPECT_NE(reason(replaced(good, "warpspy-lesson-answers-1", "warpspy-runs-1")).find("no answer file"),
            std::string::npos);
  EXPECT_NE(reason(std::string(100000, '[')).find("nested"), std::string::npos);
  EXPECT_NE(reason(replaced(good, "\"seed\": 1", "\"seed\": -1")), "");
  EXPECT_NE(reason(replaced(good, "\"seed\": 1", "\"seed\": 2000000")), "");
  EXPECT_NE(reason(replaced(good, "\"two\"", "\"one\"")).find("answered twice"), std::string::npos);
  EXPECT_NE(reason(replaced(good, "\"answers\": [", "\"left\": [{\"question\": 3}], \"answers\": [")), "");
  EXPECT_NE(reason(replaced(good, "\"answers\": [", "\"left\": 1, \"answers\": [")), "");
  EXPECT_NE(reason(replaced(good, "31.5", "\"long\"")).find("does not fit together"), std::string::npos);
  EXPECT_EQ(reason(replaced(good, "\"seal\"", "\"sael\"")),
            "this answer file does not fit together: it has no \"seal\"");
}

TEST(AnswerFiles, TellWhenTheyWereEdited) {
  const std::string good = to_json(answers());
  EXPECT_FALSE(answers_from_json(good).edited);
  EXPECT_TRUE(answers_from_json(replaced(good, "\"19\"", "\"21\"")).edited);
  EXPECT_TRUE(answers_from_json(replaced(good, "31.5", "1.5")).edited);
  const StudentMarks s =
      marks_of(lesson(), truths(), answers_from_json(replaced(good, "\"name\"", "\"mark\": 1,\n  \"name\"")));
  EXPECT_EQ(s.marks.at(1).mark, 0) << "a mark that stands in the file is not read";
}

TEST(Marks, AreOfThePredictionAlone) {
  const StudentMarks s = marks_of(lesson(), truths(), answers());
  ASSERT_EQ(s.marks.size(), 2u);
  EXPECT_EQ(s.marks[0], (QuestionMark{"one", "19", "five rows", 1, 2, 1, 31.5, ""}));
  EXPECT_EQ(s.marks[1].mark, 0);
  EXPECT_DOUBLE_EQ(s.mean(), 0.5);
  EXPECT_TRUE(s.notes.empty());
}

TEST(Marks, TellWhichTryWasRight) {
  LessonAnswers a = answers();
  a.answers[0].tries = {{"5", 3}, {"many", 2}, {"20", 4}};
  const StudentMarks s = marks_of(lesson(), truths(), a);
  EXPECT_EQ(s.marks[0], (QuestionMark{"one", "5", "five rows", 0, 3, 3, 3, ""})) << "the first try alone is marked";
  EXPECT_EQ(s.marks[1].right_at, 0u);
  EXPECT_NE(marks_csv({s}).find(",one,5,0,3,3,3,five rows,"), std::string::npos) << marks_csv({s});
}

TEST(Marks, SayWhatWasAnsweredAfterLeaving) {
  LessonAnswers a = answers();
  a.left = {{"two", 1}};
  a.answers[1].after_leaving = true;
  EXPECT_EQ(answers_from_json(to_json(a)), a);
  const StudentMarks s = marks_of(lesson(), truths(), a);
  EXPECT_EQ(s.notes, std::vector<std::string>{"left 1 time before its end, first with 1 answered"});
  EXPECT_EQ(s.marks[0].note, "");
  EXPECT_EQ(s.marks[1].note, "answered after the lesson had been left");
  EXPECT_NE(answers_html(lesson(), a, truths()).find("Answered after the lesson had been left."), std::string::npos);
}

TEST(Marks, OfWhatIsNoAnswerSayWhy) {
  LessonAnswers a = answers();
  a.answers[0].tries[0].answer = "many";
  a.answers.pop_back();
  a.answers.push_back({"three", "", {}});
  const StudentMarks s = marks_of(lesson(), truths(), a);
  EXPECT_EQ(s.marks.at(0).note, "\"many\" is no number");
  EXPECT_EQ(s.marks.at(1).note, "not answered");
  EXPECT_EQ(s.notes, std::vector<std::string>{"the lesson has no question three"});
}

TEST(Marks, AreNotGivenForOtherLessons) {
  LessonAnswers other = answers(), older = answers(), seeded = answers();
  other.lesson = "m", older.hash = "0", seeded.seed = 5;
  for (const LessonAnswers& a : {other, older, seeded}) {
    const StudentMarks s = marks_of(lesson(), truths(), a);
    EXPECT_TRUE(s.marks.empty());
    EXPECT_EQ(s.notes.size(), 1u);
  }
}

TEST(Marks, OfOneNameOrSeedAreNoted) {
  std::vector<StudentMarks> all(3);
  const char* names[] = {"Ada", "Bo", "Ada"};
  for (std::size_t k = 0; k < 3; ++k)
    all[k].file = std::to_string(k) + ".json", all[k].name = names[k], all[k].lesson = "l", all[k].seed = k < 2 ? 7 : 8;
  compare_students(all, {"l"});
  EXPECT_EQ(all[0].notes, (std::vector<std::string>{"the same name as in 2.json", "the same seed as in 1.json"}));
  EXPECT_EQ(all[1].notes, std::vector<std::string>{"the same seed as in 0.json"});
  EXPECT_EQ(all[2].notes, std::vector<std::string>{"the same name as in 0.json"});
}

TEST(Marks, AsATableHoldAnyName) {
  StudentMarks s = marks_of(lesson(), truths(), answers());
  s.file = "a.json";
  StudentMarks formula = s;
  formula.name = "=HYPERLINK(1)";
  const std::string csv = marks_csv({s, formula});
  EXPECT_NE(csv.find("a.json,\"Zoë, née \"\"Ω\"\"\",l,1,one,19,1,2,1,31.5,five rows,\r\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("a.json,'=HYPERLINK(1),l,1,two,3,0,1,,2,so,\r\n"), std::string::npos) << csv;
}

TEST(Marks, AsAHistogramCountPredictions) {
  std::vector<StudentMarks> all(3, marks_of(lesson(), truths(), answers()));
  all[2].marks[0].prediction = "40", all[2].marks[0].mark = 0;
  const std::string text = predictions_text(all);
  EXPECT_NE(
      text.find("l, one\n  right ######################################## 2  19\n        #################### 1  40\n"),
      std::string::npos)
      << text;
}

TEST(Seeds, FollowFromTheName) {
  EXPECT_EQ(seed_of_name("Ada"), seed_of_name("Ada"));
  EXPECT_NE(seed_of_name("Ada"), seed_of_name("Bo"));
  EXPECT_GE(seed_of_name(""), 1u);
  EXPECT_LE(seed_of_name(""), kMostLessonSeed);
}

TEST(AnswersPage, ShowsAllOfItAsText) {
  LessonAnswers a = answers("<script>alert(1)</script>");
  a.answers[0].reason = "a < b & \"c\"";
  const std::string page = answers_html(lesson(), a, truths());
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(1)"), std::string::npos);
  EXPECT_NE(page.find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
  EXPECT_NE(page.find("<dd>19 sectors</dd>"), std::string::npos) << "the first try, with its unit";
  EXPECT_NE(page.find("<dd>20 sectors</dd>"), std::string::npos) << "the truth";
  EXPECT_NE(page.find("<dd>Third</dd>"), std::string::npos) << "an option by its text";
  EXPECT_NE(page.find("100 of 100"), std::string::npos);
  EXPECT_EQ(answers_html(lesson(), a, {}).find("It is</dt>"), std::string::npos) << "no truth that is not known";
  Lesson again = lesson();
  again.steps[0].question.tries = 3;
  EXPECT_EQ(answers_html(again, a, {}).find("It is so."), std::string::npos) << "tries are left";
  a.answers[0].shown = true;
  EXPECT_NE(answers_html(again, a, {}).find("It is so."), std::string::npos);
}

}  // namespace
}  // namespace warpspy
