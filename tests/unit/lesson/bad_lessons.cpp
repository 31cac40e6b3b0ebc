// Lessons that are refused, each with its file and line. Refusals of the text come before anything runs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "core/lesson/lesson.hpp"
#include "core/lesson/markdown.hpp"
#include "core/lesson/question.hpp"
#include "samples.hpp"

namespace warpspy {
namespace {

using testing::good_lesson;
using testing::with;

struct Bad {
  const char* what;
  const char *from, *to;  // what is written instead in the good lesson
  const char* where;      // FILE:LINE
  const char* reason;     // a part of it
};

const Bad kBad[] = {
    {"no title", "# Small\n", "Small\n", "l.md:1", "begins with its title"},
    {"two titles", "About it.", "# Again", "l.md:3", "has one title"},
    {"no step", testing::kStepsOnly, "", "l.md:1", "one step at least"},
    {"unknown block", "```recipe a", "```recipes a", "l.md:6", "is not known"},
    {"unnamed recipe", "```recipe a", "```recipe", "l.md:6", "has no name"},
    {"line without a field", "matrix: gen:laplace5?nx=8&ny=8", "matrix", "l.md:6", "is no field"},
    {"empty field", "kernel: csr_scalar", "kernel:", "l.md:7", "is empty"},
    {"field twice", "device: h200", "kernel: csr_vector", "l.md:8", "stands here twice"},
    {"no device", "device: h200\n", "\n", "l.md:6", "names no device"},
    {"like of none", "like: a", "like: c", "l.md:12", "there is no recipe c before"},
    {"like is last", "like: a\nkernel: csr_vector", "kernel: csr_vector\nlike: a", "l.md:13", "stands first"},
    {"recipe twice", "```recipe b", "```recipe a", "l.md:12", "two recipes called a"},
    {"question before a step", "## First\n", "\n", "l.md:21", "stands in a step"},
    {"question twice", "```question two", "```question one", "l.md:36", "two questions called one"},
    {"two in a step", "## Second", "Second", "l.md:36", "a step has one question"},
    {"no ask", "ask: How many?", "unit: sectors", "l.md:21", "asks nothing"},
    {"no kind", "kind: number\n", "\n", "l.md:21", "has no kind"},
    {"unknown kind", "kind: number", "kind: essay", "l.md:21", "no kind of question \"essay\""},
    {"unknown field", "unit: sectors", "answer: 4", "l.md:24", "a question has no field answer"},
    {"no unit", "unit: sectors\n", "\n", "l.md:21", "has a unit"},
    {"no range", "range: 0 to 99\n", "\n", "l.md:21", "has a range"},
    {"range upside down", "range: 0 to 99", "range: 9 to 1", "l.md:26", "the range"},
    {"huge tolerance", "within: 10 percent", "within: 90 percent", "l.md:25", "is not understood"},
    {"no tolerance", "within: 10 percent", "within: about", "l.md:25", "is not understood"},
    {"truth typed in words", "truth: run.sectors", "truth: many", "l.md:23", "neither a number nor a quantity"},
    {"truth cut", "truth: run.sectors", "truth: run.sectors /", "l.md:23", "something is missing"},
    {"truth without an operator", "truth: run.sectors", "truth: run.sectors run.x", "l.md:23", "is no operator"},
    {"a time", "truth: run.sectors", "truth: run.time", "l.md:23", "not graded by itself"},
    {"a rate", "truth: run.sectors", "truth: run.gflops", "l.md:23", "not graded by itself"},
    {"a bound is a time", "truth: run.sectors", "truth: run.bound_dram", "l.md:23", "not graded by itself"},
    {"truth of no recipe", "truth: run.sectors", "truth: run.sectors@c", "l.md:21", "there is no recipe c"},
    {"two options", "option: Third | 1 = 2\n", "\n", "l.md:36", "3 to 8 options"},
    {"option without a truth", "option: Third | 1 = 2", "option: Third", "l.md:41", "says not when it is right"},
    {"option that compares nothing", "option: Third | 1 = 2", "option: Third | 1", "l.md:36", "says not when"},
    {"option of no recipe", "option: Third | 1 = 2", "option: Third | run.x@c = 2", "l.md:36", "there is no recipe c"},
    {"step of no recipe", "recipe: b", "recipe: c", "l.md:31", "no recipe \"c\""},
    {"a plane of one side", "unit: sectors", "plane: coop=1,2", "l.md:24", "is none"},
    {"a plane of one value", "unit: sectors", "plane: coop=1 block_size=64,128", "l.md:24", "is none"},
    {"a plane with a value twice", "unit: sectors", "plane: coop=1,1 block_size=64,128", "l.md:24", "is none"},
    {"a large plane", "unit: sectors", "plane: a=1,2,3,4,5,6,7,8,9 b=1,2,3,4,5,6,7,8", "l.md:24", "72 cells"},
    {"no try", "unit: sectors", "tries: 0", "l.md:24", "1 to 9 tries"},
    {"no reveal", "> It is so.\n", "\n", "l.md:16", "reveals nothing"},
    {"a step without a question", "## Second", "## Empty\n\n> Nothing.\n\n## Second", "l.md:31", "asks nothing"},
};

TEST(BadLessons, SayFileAndLine) {
  EXPECT_NO_THROW(lesson_from_markdown(good_lesson(), "l.md"));
  for (const Bad& b : kBad) {
    try {
      lesson_from_markdown(with(b.from, b.to), "l.md");
      ADD_FAILURE() << b.what << ": it is taken";
    } catch (const Error& e) {
      EXPECT_EQ(e.where, b.where) << b.what << ": " << e.what();
      EXPECT_NE(e.reason.find(b.reason), std::string::npos) << b.what << ": " << e.what();
    }
  }
}

TEST(BadLessons, AStepIsShort) {
  std::string words;
  for (int k = 0; k < 61; ++k) words += "word ";
  try {
    lesson_from_markdown(with("Text.", words), "l.md");
    FAIL() << "61 words are taken";
  } catch (const Error& e) {
    EXPECT_EQ(e.where, "l.md:16");
  }
}

TEST(BadLessons, AreNotLarge) {
  std::string steps = good_lesson();
  for (int k = 0; k < 32; ++k)
    steps += "\n## S\n\n```question q" + std::to_string(k) + "\nkind: lanes\nask: Which?\n```\n\n> So.\n";
  EXPECT_THROW(lesson_from_markdown(steps, "l.md"), Error);
}

// What a lecture hall sees is text, whatever the file holds.
TEST(LessonText, HasNeitherHtmlNorLinks) {
  const Lesson l = lesson_from_markdown(
      with("Text.", "<script>alert(1)</script> [here](javascript:alert) ![p](http://x/y.png)"), "l.md");
  EXPECT_EQ(l.steps[0].text, "<script>alert(1)</script> here p");
}

TEST(LessonText, BlocksKnowTheirLines) {
  const auto blocks = markdown_blocks("# A\n\nb\nc\n\n> d\n\n```x y\ne\n```\n");
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(blocks[1].text, "b c");
  EXPECT_EQ(blocks[2].kind, MarkdownBlock::Kind::quote);
  EXPECT_EQ(blocks[3].info, "x y");
  EXPECT_EQ(blocks[0].line, 1);
  EXPECT_EQ(blocks[1].line, 3);
  EXPECT_EQ(blocks[2].line, 6);
  EXPECT_EQ(blocks[3].line, 9);
}

TEST(LessonSeeds, ArePerStudentWhereALessonSaysSo) {
  EXPECT_FALSE(lesson_from_markdown(good_lesson(), "l.md").seeded());
  EXPECT_TRUE(
      lesson_from_markdown(with("gen:laplace5?nx=8&ny=8", "gen:random?rows=64&cols=64&per_row=4&seed=$seed"), "l.md")
          .seeded());
}

}  // namespace
}  // namespace warpspy
