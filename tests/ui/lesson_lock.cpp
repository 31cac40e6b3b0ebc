// The lock of a lesson, attacked: other tabs, the search, commands, undo, Live, a desk that comes back.
#include <set>

#include "tests/ui/lesson_folder.hpp"
#include "ui/state/lesson_cover.hpp"
#include "ui/state/search.hpp"
#include "ui/views/view.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

// A run of what the lesson asks for was made before it was opened.
void run_before(Harness& h) {
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(SetKernel{"csr_scalar"});
  h.session.apply(StartRun{});
  h.settle();
  h.session.apply(ShowWarp{{.by = WarpWanted::By::row, .row = 5}});
  h.settle();
}

// What a result is shown as.
bool gives_away(const Harness& h) {
  for (const char* words :
       {"GFLOP/s", "sectors of at least", "Limit:", "step 1 of 4", "ended", "\xC2\xB5s", "bytes per"})
    if (h.shows(words) || h.shows(words, Shown::Kind::tip)) return true;
  return false;
}

TEST(LessonLock, CoversEveryTabThatTells) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  run_before(h);
  EXPECT_TRUE(gives_away(h));
  begin_lesson(h, f);
  // A new tab is in one of the two lists: what tells of runs is covered.
  const std::set<std::string> plain = {"matrix", "rows", "help", "guide", "lessons"};
  for (const ViewRow* row : tab_rows()) {
    EXPECT_NE(covered_tab(h.state(), row->id), plain.contains(row->id)) << row->id;
    if (plain.contains(row->id) && row->id != std::string("matrix") && row->id != std::string("rows")) continue;
    h.session.apply(ShowTab{row->id});
    h.settle();
    EXPECT_FALSE(gives_away(h)) << row->id;
    sweep(h, 8, 6);
    EXPECT_FALSE(gives_away(h)) << row->id << ", pointed at";
  }
  h.session.apply(ShowTab{"matrix"});
  Panes beside = h.state().panes;
  beside.beside = "runs";
  h.session.apply(SetPanes{beside});
  h.settle();
  EXPECT_FALSE(gives_away(h)) << "two tabs";
}

TEST(LessonLock, FactsAreCoveredWhereTheyAreAskedFor) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  begin_lesson(h, f);
  EXPECT_TRUE(covered(h.state(), Covered::facts)) << "the entries are asked for";
  predict(h, "460");
  EXPECT_FALSE(covered(h.state(), Covered::facts));
  h.session.apply(ShowLessonStep{1});
  h.settle();
  EXPECT_FALSE(covered(h.state(), Covered::facts)) << "lanes are no fact of the matrix";
  EXPECT_TRUE(covered(h.state(), Covered::sectors));
}

TEST(LessonLock, NothingRunsBeforeThePrediction) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  begin_lesson(h, f);
  h.settle();
  const int runs = h.engine.runs, warps = h.engine.warps, traces = h.engine.traces;
  h.session.apply(StartRun{});
  h.session.apply(StartTuning{.best = true});
  h.session.apply(SearchBest{});
  h.session.apply(StartSweep{{h.state().selected}, {"csr_scalar"}, {Precision::f32}, {"sim:toy"}});
  h.session.apply(StartAnalysis{});
  h.session.apply(ShowWarp{{.by = WarpWanted::By::worst}});
  h.session.apply(choose("live", true));
  h.session.apply(choose("pattern shows", "sectors"));
  h.session.apply(ExportAll{f.at("out")});
  h.session.apply(Project{true});
  press(h, {Key::f5});
  h.settle();
  EXPECT_EQ(h.engine.runs, runs);
  EXPECT_EQ(h.engine.warps, warps);
  EXPECT_EQ(h.engine.traces, traces);
  EXPECT_TRUE(h.state().runs.all().empty());
  EXPECT_FALSE(h.state().knobs.live);
  EXPECT_FALSE(h.state().lecture.projects);
  EXPECT_FALSE(std::filesystem::exists(f.at("out")));
  EXPECT_EQ(h.state().messages.back().text, std::string(kCovered) + ".");
}

TEST(LessonLock, LiveEndsWhereALessonBegins) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  run_before(h);
  h.session.apply(choose("live", true));
  h.settle();
  begin_lesson(h, f);
  EXPECT_FALSE(h.state().knobs.live);
  const auto before = h.state().runs.all().size();
  h.session.apply(SetKernel{"csr_vector"});
  h.session.apply(SetParam{SetParam::Of::kernel, "coop", 4});
  h.settle();
  EXPECT_EQ(h.state().runs.all().size(), before);
}

TEST(LessonLock, TheSearchAndTheMenusSayWhy) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  run_before(h);
  begin_lesson(h, f);
  for (const char* words : {"Diagnosis", "Traffic", "Roofline", "Tune", "Warp", "Best for this matrix"}) {
    const auto found = search(h.state(), commands(), words);
    ASSERT_FALSE(found.empty()) << words;
    for (const SearchHit& hit : found) {
      if (hit.title != words || hit.kind == "Word") continue;
      EXPECT_EQ(hit.why_not, std::string(kCovered) + ".") << words << ", " << hit.kind;
    }
  }
  for (const SearchHit& hit : search(h.state(), commands(), "")) {
    if (!hit.why_not.empty() || !hit.perform) continue;
    EXPECT_FALSE(leads_to_covered(h.state(), hit.perform)) << hit.title;
  }
  predict(h, "460");
  EXPECT_FALSE(leads_to_covered(h.state(), command("tab.diagnosis")->perform));
}

TEST(LessonLock, UndoAndOtherDesksDoNotGetRoundIt) {
  const LessonFolder f;
  Harness h(1280, 800, 1, f.options());
  run_before(h);
  h.session.apply(ShowTab{"runs"});
  h.session.apply(ShowTab{"matrix"});
  h.settle();
  h.session.apply(SaveSession{f.at("desk.warpspy")});
  h.settle();
  begin_lesson(h, f);
  for (int k = 0; k < 6; ++k) {
    h.session.apply(Undo{});
    h.settle();
    EXPECT_FALSE(gives_away(h)) << k << " steps back, on " << h.state().tab;
  }
  h.session.apply(OpenSession{f.at("desk.warpspy")});
  h.settle();
  EXPECT_FALSE(h.state().runs.all().empty()) << "the desk is there";
  EXPECT_TRUE(covered(h.state(), Covered::result));
  EXPECT_FALSE(gives_away(h));
  predict(h, "460");
  ASSERT_TRUE(h.state().lesson.revealed);
  EXPECT_EQ(h.state().current()->source, "gen:laplace5?nx=10&ny=10");
  EXPECT_TRUE(gives_away(h)) << "then all of it shows again";
}

}  // namespace
