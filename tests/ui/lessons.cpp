// A lesson in the window: followed with wrong and right answers, and taken up again after a crash.
#include "core/base/regular_file.hpp"
#include "core/base/target.hpp"
#include "core/lesson/marks.hpp"
#include "tests/ui/kept_desk.hpp"
#include "tests/ui/lesson_folder.hpp"
#include "ui/state/search.hpp"
#include "ui/views/view.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

// In the column: a warp has its own Next and Back.
void click_in_column(Harness& h, const std::string& name) {
  for (const Shown& s : h.items(name))
    if (s.x < 300) {
      click_at(s, [&] { h.frames(1); });
      return h.settle();
    }
  ADD_FAILURE() << "there is no " << name;
}
void next(Harness& h) { click_in_column(h, "Next"); }

TEST(Lessons, AreFollowedStepByStep) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  h.open(f.lesson());
  EXPECT_TRUE(h.shows("Toy lesson"));
  click_on(h, "Name");
  type(h, "Ada");
  click_on(h, "Begin");
  h.settle();
  EXPECT_EQ(h.state().lesson.answers.name, "Ada");
  EXPECT_TRUE(h.shows("Toy lesson, step 1 of 5"));
  EXPECT_TRUE(h.shows("How many entries does it have?"));
  EXPECT_EQ(h.state().current()->source, "gen:laplace5?nx=10&ny=10");
  EXPECT_EQ(h.state().knobs.kernel, "csr_scalar");
  EXPECT_EQ(h.state().knobs.device, "sim:toy");
  EXPECT_TRUE(h.state().runs.all().empty()) << "nothing is run before it is predicted";

  click_on(h, "Answer");
  type(h, "5");
  click_on(h, "Reason");
  type(h, "five per row");
  click_on(h, "Predict");
  h.settle();
  EXPECT_TRUE(h.shows("Not right"));
  EXPECT_TRUE(h.shows("you 5"));
  EXPECT_TRUE(h.shows("it is 460"));
  EXPECT_TRUE(h.shows("Five in a row, but at the edges."));
  EXPECT_TRUE(h.shows("You wrote: five per row"));
  ASSERT_EQ(h.state().runs.all().size(), 1u) << "its run was made";
  EXPECT_EQ(h.state().tab, "warp");
  ASSERT_TRUE(h.state().warp.trace);
  EXPECT_EQ(h.state().warp.step, 1u);
  EXPECT_TRUE(h.shows("step 2 of 4")) << "the warp is shown";

  next(h);
  EXPECT_TRUE(h.shows("Which lanes idle"));
  EXPECT_FALSE(h.shows("step 2 of 4")) << "it is covered again";
  for (int lane = 16; lane < 32; ++lane) click_on(h, "lane " + std::to_string(lane));
  h.session.apply(DraftAnswer{h.state().lesson.answer, "they have ended"});
  click_on(h, "Predict");
  h.settle();
  ASSERT_TRUE(h.state().lesson.revealed);
  EXPECT_EQ(h.state().lesson.revealed->mark, 1);
  EXPECT_TRUE(h.shows("Right"));

  next(h);
  click_on(h, "It has some");
  click_on(h, "Reason");
  type(h, "counted");
  press(h, {Key::enter});
  h.settle();
  ASSERT_TRUE(h.state().lesson.revealed) << "Enter predicts";
  EXPECT_EQ(h.state().lesson.revealed->mark, 1);

  next(h);
  click_on(h, "Nines up");
  click_on(h, "Fours up");
  EXPECT_EQ(h.state().lesson.answer, "2 3 1");
  predict(h, h.state().lesson.answer);
  EXPECT_EQ(h.state().lesson.revealed->mark, 1);

  next(h);
  EXPECT_EQ(h.state().current()->source, "gen:arrow?n=60");
  EXPECT_EQ(h.state().knobs.kernel_params.at("csr_vector").at("coop"), 16);
  EXPECT_EQ(h.state().knobs.precision, Precision::f64);
  predict(h, "0");
  EXPECT_EQ(h.state().lesson.revealed->mark, 0);
  next(h);
  EXPECT_TRUE(h.state().lesson.at_end());
  EXPECT_TRUE(h.shows("of 5 predictions were right"));
}

// The warp of the other kernel that the author names stands beside that of the recipe, once it is predicted.
TEST(Lessons, ShowAnotherKernelBesideTheWarp) {
  const LessonFolder f;
  std::string text = kToyLesson;
  const std::string like = "like: grid\n", step = "step: 2\n";
  text.replace(text.find(like), like.size(), "device: toy\n");
  text.replace(text.find(step), step.size(), step + "beside: csr_vector\n");
  std::ofstream(f.lesson()) << text;
  Harness h(1280, 800, 1, f.options());
  begin_lesson(h, f);
  EXPECT_EQ(h.state().warp.beside, "");
  predict(h, "460");
  EXPECT_EQ(h.state().warp.beside, "csr_vector");
  ASSERT_EQ(h.state().warp.seen.size(), 2u);
  EXPECT_EQ(h.state().warp.seen[1].trace->kernel_label, "CSR vector");
  EXPECT_EQ(h.state().warp.step, 1u);
}

// Its run was made on a GPU before, and lies beside the lesson: after the prediction it is there, and nothing runs.
TEST(Lessons, BringRunsOfAGpu) {
  const LessonFolder f;
  std::string text = kToyLesson;
  const std::string tab = "tab: warp\nwarp: 6\nstep: 2\n";
  text.replace(text.find(tab), tab.size(), "measured: counted.json\n");
  std::ofstream(f.lesson()) << text;
  RunRecord r;
  r.started = "2026-11-29T09:05:56.451Z", r.status = RunStatus::ok, r.provenance = Provenance::measured;
  r.matrix_name = "laplace5?nx=10&ny=10", r.kernel_label = "CSR scalar", r.device_name = "NVIDIA H200";
  r.request.matrix = "gen:laplace5?nx=10&ny=10", r.request.kernel = "csr_scalar", r.request.device = "cuda:0";
  std::ofstream(f.at("lessons/counted.json")) << R"({"schema": "warpspy-runs-1", "runs": [)" << to_json(r) << "]}";
  Harness h(1280, 800, 1, f.options());
  for (int times = 0; times < 2; ++times) {
    begin_lesson(h, f);
    EXPECT_EQ(h.state().runs.all().size(), static_cast<std::size_t>(times)) << "nothing before it is predicted";
    predict(h, "460");
    ASSERT_EQ(h.state().runs.all().size(), 1u) << "once";
    const auto run = h.state().run(h.state().selected_run);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->device_name, "NVIDIA H200");
    EXPECT_EQ(run->provenance, Provenance::measured);
    h.session.apply(CloseLesson{});
    h.settle();
    std::filesystem::remove_all(f.at("answers"));
  }
}

TEST(Lessons, APredictionHasAnAnswerAndAReason) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  begin_lesson(h, f);
  const auto refused = [&](const std::string& answer, const std::string& reason, const std::string& why) {
    predict(h, answer, reason);
    EXPECT_NE(h.state().lesson.refused.find(why), std::string::npos) << h.state().lesson.refused;
    EXPECT_TRUE(h.shows(h.state().lesson.refused));
    EXPECT_FALSE(h.state().lesson.revealed);
    EXPECT_TRUE(h.state().lesson.answers.answers.empty());
  };
  refused("", "because", "Answer the question");
  refused("460", "  ", "why");
  refused("many", "because", "no number");
  h.session.apply(ShowLessonStep{4});
  EXPECT_EQ(h.state().lesson.at, 0u) << "nobody goes by";
  predict(h, "460");
  EXPECT_EQ(h.state().lesson.revealed->mark, 1);
  predict(h, "1");
  EXPECT_EQ(h.state().lesson.given()->tries.size(), 1u) << "the first one stands";
  EXPECT_EQ(h.state().lesson.given()->tries.front().answer, "460");
}

TEST(Lessons, ARowIsPickedInTheRowLengths) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  begin_lesson(h, f);
  for (const char* answer : {"460", "16", "2", "2 3 1"}) {
    predict(h, answer);
    h.session.apply(ShowLessonStep{h.state().lesson.at + 1});
    h.settle();
  }
  EXPECT_EQ(h.state().lesson.step()->question.id, "row");
  EXPECT_EQ(h.state().lesson.answer, "");
  h.session.apply(SetHighlight{.first = 3, .past = 4});
  h.settle();
  EXPECT_EQ(h.state().lesson.answer, "3");
  h.session.apply(SetHighlight{.lo = 50, .hi = 70});  // a bar of the histogram
  h.settle();
  EXPECT_EQ(h.state().lesson.answer, "59");
  predict(h, h.state().lesson.answer);
  EXPECT_EQ(h.state().lesson.revealed->mark, 1);
}

TEST(Lessons, AreTakenUpAgainWhereTheyEnded) {
  const LessonFolder f;
  std::string kept;
  LessonAnswers before;
  {
    Harness h(1280, 800, 1, f.options());
    begin_lesson(h, f);
    predict(h, "450", "about five each");
    kept = h.state().lesson.kept;
    before = h.state().lesson.answers;
    EXPECT_EQ(read_answers(kept), before) << "kept at once, not at the end";
  }
  {
    Harness h(1280, 800, 1, f.options());
    h.session.apply(OpenLesson{f.lesson()});
    h.settle();
    before.left = {{"idle", 1}};  // this window began without it
    EXPECT_EQ(h.state().lesson.answers, before);
    EXPECT_EQ(h.state().lesson.at, 1u);
    EXPECT_TRUE(covered(h.state(), Covered::result));
    click_in_column(h, "Back");
    ASSERT_TRUE(h.state().lesson.revealed) << "the truth is found again";
    EXPECT_EQ(h.state().lesson.revealed->mark, 1);
    EXPECT_TRUE(h.shows("You wrote: about five each"));
  }
  write_file(kept, "{\"schema\": \"warpspy-less");
  Harness h(1280, 800, 1, f.options());
  h.session.apply(OpenLesson{f.lesson()});
  h.settle();
  EXPECT_FALSE(h.state().lesson.begun);
  EXPECT_NE(h.state().messages.back().text.find("not taken up"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(kept + ".aside")) << "nothing is written over";
}

TEST(Lessons, LeftAndOpenedAtOnceAreAsTheyWere) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  begin_lesson(h, f);
  h.session.apply(DraftAnswer{"450", "about five each"});
  h.session.apply(Predict{});
  LessonAnswers before = h.state().lesson.answers;
  h.session.apply(OpenLesson{f.lesson()});  // it is open
  EXPECT_TRUE(h.state().lesson.revealed);
  h.session.apply(CloseLesson{});
  h.session.apply(OpenLesson{f.lesson()});
  h.settle();
  before.left = {{"idle", 1}};
  EXPECT_EQ(h.state().lesson.answers, before);
  EXPECT_EQ(h.state().lesson.at, 1u);
}

// Where nothing is covered any more, an answer says so; and nobody leaves by a slip of the mouse.
TEST(Lessons, ThatAreLeftSaySoInTheAnswers) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  begin_lesson(h, f);
  predict(h, "460");
  click_on(h, "close lesson");
  h.settle();
  EXPECT_TRUE(h.state().lesson.lesson) << "it is asked first";
  click_on(h, "Stay");
  h.settle();
  EXPECT_TRUE(h.state().lesson.answers.left.empty());
  click_on(h, "close lesson");
  h.settle();
  const std::string kept = h.state().lesson.kept;
  click_on(h, "Leave the lesson");
  h.settle();
  EXPECT_FALSE(h.state().lesson.lesson);
  EXPECT_NE(h.state().messages.back().text.find("with 1 of 5 questions answered"), std::string::npos);
  EXPECT_EQ(read_answers(kept).left, (std::vector<LessonLeft>{{"idle", 1}}));
  h.session.apply(OpenLesson{f.lesson()});
  h.settle();
  EXPECT_TRUE(covered(h.state(), Covered::result)) << "the lock is there again";
  predict(h, "16");
  const LessonAnswers a = h.state().lesson.answers;
  EXPECT_FALSE(a.answers[0].after_leaving);
  EXPECT_TRUE(a.answers[1].after_leaving);
  h.session.apply(ShowDialog{"hand_in"});
  h.settle();
  EXPECT_TRUE(h.shows("you left the lesson 1 time before its end"));
  h.session.apply(HandIn{f.at("ada.json"), "Ada"});
  h.settle();
  EXPECT_EQ(read_answers(f.at("ada.json")).left.size(), 1u);
}

TEST(Lessons, AtTheirEndAreLeftAtOnce) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  begin_lesson(h, f);
  for (const char* answer : {"460", "16", "2", "2 3 1", "59"}) {
    predict(h, answer);
    h.session.apply(ShowLessonStep{h.state().lesson.at + 1});
    h.settle();
  }
  const std::string kept = h.state().lesson.kept;
  click_on(h, "close lesson");
  h.settle();
  EXPECT_FALSE(h.state().lesson.lesson);
  EXPECT_TRUE(read_answers(kept).left.empty());
}

// A lesson of one question that may be tried three times.
std::string lesson_of_tries() {
  std::string text = kToyLesson;
  const std::string field = "range: 0 to 1000\n";
  return text.insert(text.find(field), "tries: 3\n");
}

TEST(Lessons, AllowSeveralTriesWhereTheAuthorDoes) {
  const LessonFolder f;
  std::ofstream(f.lesson()) << lesson_of_tries();
  Harness h(1280, 800, 1, f.options());
  begin_lesson(h, f);
  EXPECT_TRUE(h.shows("3 tries; the first one counts"));
  predict(h, "5", "a guess");
  EXPECT_TRUE(h.shows("Not right: 2 tries left."));
  EXPECT_FALSE(h.state().lesson.revealed);
  EXPECT_TRUE(covered(h.state(), Covered::result)) << "the lock stays";
  EXPECT_FALSE(h.shows("460"));
  EXPECT_FALSE(h.shows("Five in a row")) << "and so does the reveal";
  h.session.apply(ShowLessonStep{1});
  h.settle();
  EXPECT_EQ(h.state().lesson.at, 0u) << "nobody goes by";
  h.session.apply(DraftAnswer{"450", ""});
  h.settle();
  click_on(h, "Try again");
  h.settle();
  ASSERT_TRUE(h.state().lesson.revealed);
  EXPECT_EQ(h.state().lesson.revealed->mark, 0) << "the prediction is marked";
  EXPECT_TRUE(h.shows("then right at try 2"));
  const LessonAnswer& a = *h.state().lesson.given();
  ASSERT_EQ(a.tries.size(), 2u);
  EXPECT_EQ(a.tries[1].answer, "450");
  EXPECT_EQ(a.reason, "a guess");
  predict(h, "460");
  EXPECT_EQ(h.state().lesson.given()->tries.size(), 2u) << "it is closed";
}

TEST(Lessons, ShowTheTruthBeforeTheLastTryWhereAsked) {
  const LessonFolder f;
  std::ofstream(f.lesson()) << lesson_of_tries();
  {
    Harness h(1280, 800, 1, f.options());
    begin_lesson(h, f);
    predict(h, "5");
  }
  Harness h(1280, 800, 1, f.options());
  h.session.apply(OpenLesson{f.lesson()});
  h.settle();
  EXPECT_EQ(h.state().lesson.at, 0u) << "it goes on with the tries that are left";
  EXPECT_TRUE(covered(h.state(), Covered::result));
  EXPECT_TRUE(h.shows("2 tries left"));
  click_on(h, "Show me");
  h.settle();
  EXPECT_TRUE(h.state().lesson.revealed);
  EXPECT_TRUE(h.state().lesson.given()->shown);
  EXPECT_FALSE(covered(h.state(), Covered::result));
}

class KeptLessons : public KeptDesk {};

// The desk of a window that was killed brings its lesson back, and the lock with it.
TEST_F(KeptLessons, ComeBackWithTheDesk) {
  const LessonFolder f;
  SessionOptions o = options();
  o.lessons = f.at("lessons"), o.answers = f.at("answers");
  {
    Harness h(1280, 800, 1, o);
    begin_lesson(h, f);
    predict(h, "460");
  }
  Harness h(1280, 800, 1, o);
  h.settle();
  ASSERT_TRUE(h.state().lesson.lesson);
  EXPECT_EQ(h.state().lesson.at, 1u);
  EXPECT_TRUE(covered(h.state(), Covered::result));
  EXPECT_FALSE(h.shows("GFLOP/s"));
  h.session.apply(CloseLesson{});
  h.settle();
  EXPECT_FALSE(h.state().lesson.lesson);
}

TEST(Lessons, AreHandedInAsAFileOfTheStudents) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  begin_lesson(h, f);
  predict(h, "460");
  h.session.apply(ShowDialog{"hand_in"});
  h.settle();
  EXPECT_TRUE(h.shows("for each of 1 question of 5 your prediction"));
  EXPECT_TRUE(h.shows("Nothing is sent."));
  h.session.apply(HandIn{f.at("ada.json"), "Ada L"});
  h.settle();
  const LessonAnswers a = read_answers(f.at("ada.json"));
  EXPECT_EQ(a.name, "Ada L");
  EXPECT_FALSE(a.edited);
  EXPECT_EQ(misfit(*h.state().lesson.lesson, a), "");
  h.session.apply(HandIn{f.at("ada.json"), "Somebody"});
  h.settle();
  EXPECT_EQ(read_answers(f.at("ada.json")).name, "Ada L") << "not written over unasked";
  h.session.apply(HandIn{f.at("ada.json"), "Somebody", true});
  h.settle();
  EXPECT_EQ(read_answers(f.at("ada.json")).name, "Somebody");
  h.session.apply(HandIn{f.at("ada.html"), "Ada L"});
  h.settle();
  const std::string page = read_file(f.at("ada.html"), 1 << 20, {"page"});
  EXPECT_NE(page.find("<dd>460 entries</dd>"), std::string::npos);
  EXPECT_NE(page.find("Not answered."), std::string::npos);
}

TEST(Lessons, StandInAStripWhereTheWindowIsNarrow) {
  const LessonFolder f;
  Harness h(1024, 768, 1, f.options());
  begin_lesson(h, f);
  EXPECT_TRUE(h.shows("How many entries does it have?"));
  const Shown button = h.find("Predict"), field = h.find("Answer"), reason = h.find("Reason");
  EXPECT_GT(field.y, 768 - 170);
  EXPECT_LE(button.y + button.h, 768 - 26);
  EXPECT_LE(field.y + field.h, button.y) << "nothing lies over another";
  EXPECT_LE(reason.x + reason.w, button.x) << "they stand side by side";
  EXPECT_FALSE(h.shows("Workspace"));
  EXPECT_FALSE(h.items("Run (F5)").empty()) << "the knobs stay";
  predict(h, "460");
  EXPECT_TRUE(h.shows("it is 460"));
  EXPECT_FALSE(h.items("Next").empty());
  sweep(h, 12, 12);
}

TEST(Lessons, AreOfferedByAnEmptyStartAndTheSearch) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  h.settle();
  EXPECT_FALSE(h.items("Toy lesson").empty()) << "below the workspace";
  h.session.apply(ShowDialog{"welcome"});
  h.settle();
  EXPECT_TRUE(h.shows("Follow a lesson"));
  h.session.apply(ShowDialog{});
  const auto found = search(h.state(), commands(), "lesson toy");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().title, "Lesson: Toy lesson");
  ActionSink out;
  found.front().perform(h.state(), out);
  for (const Action& a : out.take()) h.session.apply(a);
  h.settle();
  ASSERT_TRUE(h.state().lesson.lesson);
  click_on(h, "Begin");
  h.settle();
  h.session.apply(CloseLesson{});
  h.settle();
  EXPECT_FALSE(h.state().lesson.lesson);
  EXPECT_EQ(h.state().lesson.list.size(), 1u);
  EXPECT_TRUE(h.shows("Workspace"));
}

TEST(Lessons, WhoseRunsFailDoNotHoldUpTheRest) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  h.engine.fails = true;  // it traces no warp: the lanes have no truth
  begin_lesson(h, f);
  predict(h, "460");
  h.session.apply(ShowLessonStep{1});
  h.settle();
  EXPECT_TRUE(h.shows("This step cannot be run"));
  next(h);
  EXPECT_EQ(h.state().lesson.at, 2u);
}

TEST(Lessons, NameTabsThatThereAre) {
  for (const std::string& tab : lesson_tabs()) {
    const ViewRow* row = view_row(tab);
    ASSERT_TRUE(row) << tab;
    EXPECT_EQ(row->place, Place::tab) << tab;
  }
}

}  // namespace
