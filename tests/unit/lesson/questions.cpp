// Each kind of question against facts that are made up: its truth, its marks, and what is no answer.
#include <gtest/gtest.h>

#include "core/base/types.hpp"
#include "core/lesson/question.hpp"
#include "core/lesson/run.hpp"
#include "samples.hpp"

namespace warpspy {
namespace {

// Row lengths 1, 5, 1, 1, 1, 1, 1, 1; quantities are told by their first digit: "run.7" is 7.
LessonFacts made_up() {
  LessonFacts f;
  f.value = [](const std::string& quantity, const std::string&) { return std::stod(quantity.substr(4)); };
  f.record = [](const std::string&) {
    auto r = std::make_shared<RunRecord>();
    const auto array = [](const char* name, double sectors, double padding) {
      Traffic t;
      t.name = name, t.requests = 10, t.sectors = sectors, t.bytes_padding = padding;
      return t;
    };
    r->arrays = {array("columns", 40, 8), array("values", 40, 8), array("x", 200, 0), array("y", 10, 0)};
    return std::shared_ptr<const RunRecord>(r);
  };
  f.trace = [](const std::string&) {
    auto w = std::make_shared<WarpTrace>();
    w->array_places = {{3200, 4}};
    WarpStep s;
    s.array = 0, s.active = 0xfffffff0U, s.lines = 1;
    w->steps = {s};
    WarpLine line;
    line.line = 25, line.sectors = 0b0110;  // 25 x 128 is 3200: the first line of the array
    w->requested = {line};
    const auto warp = [](float end) {
      SmWarp one;
      one.spans = {{0, 1, end, 1, SmWait::l2}};
      return one;
    };
    w->axis.warps = {warp(40), warp(100), warp(60)};
    w->axis.end_ns = 100;
    return std::shared_ptr<const WarpTrace>(w);
  };
  f.step = [](const std::string&) { return std::size_t{0}; };
  f.row_lengths = [](const std::string&) { return std::vector<index_t>{1, 5, 1, 1, 1, 1, 1, 1}; };
  f.bytes_by_k = [](const std::string&) { return std::vector<double>{200, 100, 150, 190, 220}; };
  f.roofs = [](const std::string&) { return std::vector<LessonRoof>{{"dram", 1}, {"l2", 0.5}, {"l1", 0.2}}; };
  f.point = [](const std::string&) {
    RooflinePoint p;
    p.intensity = 0.2, p.gflops = 30, p.roof_gflops = 100;
    return p;
  };
  f.findings = [](const std::string&) {
    std::vector<Finding> all(4);
    const char* rules[] = {"padding", "latency", "atomics", "cannot_tell"};
    for (std::size_t k = 0; k < all.size(); ++k)
      all[k].rule = rules[k], all[k].title = std::string("It is ") + rules[k];
    all[3].kind = Finding::Kind::cannot_tell;
    return all;
  };
  f.cells = [](const LessonQuestion&, const std::string&) { return std::vector<double>{9, 4, 5, 8, 3, 6}; };
  return f;
}

LessonQuestion question(const std::string& kind, const std::vector<std::string>& options = {},
                        const std::string& truth = "run.20") {
  LessonQuestion q;
  q.id = "q", q.kind = kind, q.unit = "sectors", q.least = 0, q.most = 100, q.within_percent = 10;
  q.truth = lesson_expression(truth);
  if (kind == "point") q.within_factor = 2;
  if (kind == "cell") q.plane = {{"coop", {"1", "2", "4"}}, {"block_size", {"64", "128"}}};
  for (const std::string& o : options) q.options.push_back({"option", lesson_expression(o), 1});
  return q;
}

struct Marked {
  const char* kind;
  std::vector<std::string> options;
  std::string right;
  std::string wrong;  // is an answer, and fails
  std::string none;   // is no answer
};
const std::vector<Marked> kMarked = {
    {"choice", {"run.1 > run.2", "run.2 > run.1", "run.1 = run.2"}, "2", "3", "4"},
    {"number", {}, "21.9", "22.1", "many"},
    {"ranking", {"run.1", "run.3", "run.2"}, "2 3 1", "2 1 3", "2 3"},
    {"lanes", {}, "0 1 2 3", "0 1 2", "0 one"},
    {"sectors", {}, "1 2", "1 2 3", "x"},
    {"row", {}, "1", "0", "first"},
    {"array", {}, "x", "values", "z"},
    {"hyb_k", {}, "1", "2", "5"},
    {"roof", {}, "dram", "l2", "gold"},
    {"padding", {}, "values columns", "values", "values z"},
    {"alone", {}, "69", "71", "101"},
    {"point", {}, "0.15 50", "0.15 10", "0.2"},
    {"findings", {}, "padding latency atomics", "latency padding atomics", "padding latency"},
    {"cell", {}, "2 128", "4 128", "8 128"},
};

TEST(Questions, OfEveryKindAreMarked) {
  EXPECT_EQ(kMarked.size(), question_kinds().size()) << "a kind is not tried";
  for (const Marked& m : kMarked) {
    const LessonQuestion q = question(m.kind, m.options);
    const QuestionKind& kind = question_kind(m.kind);
    EXPECT_NO_THROW(kind.complete(q)) << m.kind;
    const LessonTruth t = kind.truth(q, "r", made_up());
    EXPECT_EQ(kind.mark(q, t, m.right), 1) << m.kind;
    EXPECT_LT(kind.mark(q, t, m.wrong), 1) << m.kind;
    EXPECT_GE(kind.mark(q, t, m.wrong), 0) << m.kind;
    EXPECT_THROW(kind.mark(q, t, m.none), Error) << m.kind;
    EXPECT_GT(t.chance, 0) << m.kind;
    EXPECT_LT(t.chance, 0.34) << m.kind;
    for (const std::string& other : kind.others(q, t)) EXPECT_LT(kind.mark(q, t, other), 1) << m.kind << " " << other;
  }
}

TEST(Questions, ThatNobodyCanAnswerAreRefused) {
  const LessonFacts facts = made_up();
  const auto refused = [&](const LessonQuestion& q, const LessonFacts& f) {
    EXPECT_THROW(question_kind(q.kind).truth(q, "r", f), Error) << q.kind;
  };
  refused(question("choice", {"run.1 > run.2", "run.1 > run.3", "run.1 = run.2"}), facts);  // none is right
  refused(question("choice", {"run.1 < run.2", "run.1 < run.3", "run.1 = run.2"}), facts);  // two are
  refused(question("number", {}, "run.200"), facts);                                        // out of its range
  refused(question("ranking", {"run.1", "run.2", "run.2"}), facts);                         // two are alike
  LessonFacts even = facts;
  even.row_lengths = [](const std::string&) { return std::vector<index_t>{2, 2, 2, 2}; };
  even.bytes_by_k = [](const std::string&) { return std::vector<double>{100, 100, 100}; };
  even.roofs = [](const std::string&) { return std::vector<LessonRoof>{{"dram", 1}, {"l2", 0.95}, {"l1", 0.2}}; };
  refused(question("row"), even);
  refused(question("hyb_k"), even);
  refused(question("roof"), even);
  even.point = [](const std::string&) { return RooflinePoint(); };
  even.findings = [](const std::string&) { return std::vector<Finding>(1); };
  even.cells = [](const LessonQuestion&, const std::string&) { return std::vector<double>(6, 4.0); };
  even.trace = [trace = facts.trace](const std::string& r) {
    auto w = std::make_shared<WarpTrace>(*trace(r));
    w->requested.push_back(w->requested[0]), w->steps[0].lines = 2;
    w->requested[1].line += 64;  // 256 sectors on
    return std::shared_ptr<const WarpTrace>(w);
  };
  for (const char* kind : {"point", "findings", "cell", "sectors"}) refused(question(kind), even);
}

TEST(Questions, ThatLackWhatTheyNeedAreIncomplete) {
  LessonQuestion point = question("point"), cell = question("cell");
  point.within_factor = 1, cell.plane.clear();
  for (const LessonQuestion& q : {point, cell}) EXPECT_THROW(question_kind(q.kind).complete(q), Error) << q.kind;
}

TEST(Questions, OfferWhatCanBePickedWithoutTheAnswer) {
  const LessonFacts f = made_up();
  const auto offer = [&](const std::string& kind) {
    const LessonQuestion q = question(kind);
    return question_kind(kind).truth(q, "r", f).offer;
  };
  EXPECT_EQ(offer("sectors").from, 0u);
  EXPECT_EQ(offer("sectors").past, 64u);
  EXPECT_EQ(offer("sectors").each, 8);
  EXPECT_EQ(offer("hyb_k").past, 5u);
  EXPECT_EQ(offer("alone").past, 3u) << "warps of the SM";
  EXPECT_EQ(offer("findings").names, (std::vector<std::string>{"atomics", "latency", "padding"})) << "not as told";
  EXPECT_EQ(offer("cell").names.size(), 6u);
  EXPECT_EQ(offer("roof").words.at(0), "DRAM bandwidth");
}

TEST(Questions, TellAnswersInWords) {
  const LessonFacts f = made_up();
  const auto words = [&](const std::string& kind, const std::string& answer) {
    const LessonQuestion q = question(kind);
    const LessonTruth t = question_kind(kind).truth(q, "r", f);
    return std::pair(truth_text(q, t), answer_in_words(q, answer, t.offer));
  };
  using Two = std::pair<std::string, std::string>;
  EXPECT_EQ(words("padding", "values x"), Two("columns and values", "values, x"));
  EXPECT_EQ(words("findings", "latency padding atomics"), Two("It is padding, then It is latency, then It is atomics",
                                                              "It is latency, It is padding, It is atomics"));
  EXPECT_EQ(words("point", "0.5 90").second, "0.5 flop/B, 90 % of the roof");
  EXPECT_EQ(words("cell", "4 64"), Two("coop 2, block_size 128", "coop 4, block_size 64"));
  EXPECT_EQ(words("roof", "l2"), Two("DRAM bandwidth", "L2 bandwidth"));
}

TEST(Questions, GivePartOfTheMark) {
  const LessonFacts f = made_up();
  const auto mark = [&](const LessonQuestion& q, const std::string& answer) {
    const QuestionKind& kind = question_kind(q.kind);
    return kind.mark(q, kind.truth(q, "r", f), answer);
  };
  EXPECT_DOUBLE_EQ(mark(question("lanes"), "0 1"), 0.25) << "half of the set, and a set is at most half";
  EXPECT_DOUBLE_EQ(mark(question("hyb_k"), "0"), 0.25) << "twice the bytes";
  EXPECT_EQ(mark(question("lanes"), ""), 0);
  EXPECT_DOUBLE_EQ(mark(question("point"), "0.2 2"), 0.5) << "the intensity alone";
  EXPECT_DOUBLE_EQ(mark(question("cell"), "4 128"), 0.5) << "twice the time of the best";
  EXPECT_DOUBLE_EQ(mark(question("findings"), "latency padding atomics"), 1.0 / 3) << "two pairs of three";
}

TEST(Lessons, WithWeakQuestionsAreNamed) {
  const Lesson lesson = lesson_from_markdown(testing::with("wrong: 2", "wrong: 1"), "l.md");
  LessonTruths truths;
  for (const LessonStep& s : lesson.steps)
    truths[s.question.id] =
        s.question.kind == "number" ? LessonTruth{{20}, {}, {}, 0.5} : LessonTruth{{1}, {}, {}, 0.3};
  const auto weak = weaknesses(lesson, truths);
  ASSERT_EQ(weak.size(), 2u);
  EXPECT_EQ(weak[0], "l.md:21: a guess passes 50 times of 100");
  EXPECT_EQ(weak[1], "l.md:36: the wrong answer 1 passes");
}

}  // namespace
}  // namespace warpspy
