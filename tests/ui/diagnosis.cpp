// What limits a run, in the window: said, tried, and held against what it gave.
#include "tests/ui/support.hpp"
#include "ui/state/search.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

void run_scalar(Harness& h) {
  h.engine.tells_bounds = true;
  h.open("gen:laplace5?nx=60&ny=60");
  h.session.apply(SetKernel{"csr_scalar"});
  h.session.apply(StartRun{});
  h.settle();
}

TEST(Diagnosis, StandsWhereTheLimitIsToldAndLeadsToTheTab) {
  Harness h;
  run_scalar(h);
  EXPECT_TRUE(h.shows("Limit: Latency"));
  click_at(h.find("Why"), [&] { h.frames(); });
  h.settle();
  EXPECT_EQ(h.state().tab, "diagnosis");
  EXPECT_TRUE(h.shows("Latency limits"));
  EXPECT_TRUE(h.shows("What the time is made of"));
  EXPECT_TRUE(h.shows("CSR vector"));
}

TEST(Diagnosis, OfWhatASearchFoundIsLookedFor) {
  Harness h;
  h.engine.tells_bounds = true;
  h.open("gen:laplace5?nx=60&ny=60");
  h.session.apply(StartTuning{});
  h.settle();
  const auto best = h.state().run(h.state().selected_run);
  ASSERT_TRUE(best);
  EXPECT_EQ(best->purpose, Purpose::final);
  EXPECT_FALSE(best->findings.empty());
  h.session.apply(ShowTab{"diagnosis"});
  h.settle();
  EXPECT_TRUE(h.shows("Latency limits"));
}

TEST(Diagnosis, TryingComparesAndTheResultStaysBesideThePrediction) {
  Harness h;
  run_scalar(h);
  const std::uint64_t first = h.state().selected_run;
  h.session.apply(ShowTab{"diagnosis"});
  h.settle();
  const auto buttons = h.items("Try it");
  ASSERT_FALSE(buttons.empty());
  click_at(buttons.front(), [&] { h.frames(); });
  h.settle();
  ASSERT_EQ(h.state().comparing.size(), 2u);
  EXPECT_EQ(h.state().comparing.back()->request.kernel, "csr_vector");
  EXPECT_TRUE(h.shows("Why one is faster"));
  EXPECT_TRUE(h.shows("Run " + std::to_string(first) + " ") && h.shows("predicted"))
      << "on the page of the run that answers";
  EXPECT_TRUE(h.shows("as said"));
  h.session.apply(SelectRun{first});
  h.settle();
  EXPECT_TRUE(h.shows("Tried, run"));
  EXPECT_TRUE(h.shows("as said"));
}

TEST(Diagnosis, AFindingShowsTheWarpInWhichItIsSeen) {
  Harness h;
  run_scalar(h);
  h.session.apply(ShowTab{"diagnosis"});
  h.settle();
  const auto buttons = h.items("Show the warp");
  ASSERT_FALSE(buttons.empty());
  click_at(buttons.front(), [&] { h.frames(); });
  h.settle();
  EXPECT_EQ(h.state().tab, "warp");
  EXPECT_EQ(h.state().warp.wanted.by, WarpWanted::By::worst);
  EXPECT_EQ(h.state().warp.wanted.measure, WarpMeasure::time) << "of waiting";
  EXPECT_EQ(h.state().warp.request.kernel, "csr_scalar");
  EXPECT_EQ(h.state().warp.view, WarpView::axis) << "waiting is seen beside the other warps";
}

// What is known without the model does not wait for it, and stays when somebody has waited enough.
TEST(Diagnosis, IsToldBeforeTheModelHasAnsweredAndStaysWhenItIsCancelled) {
  Harness h;
  h.engine.tells_bounds = true;
  h.open("gen:laplace5?nx=60&ny=60");
  h.session.apply(SetKernel{"csr_scalar"});
  h.session.apply(ShowTab{"diagnosis"});
  h.engine.answers = h.engine.runs + 1;  // the run itself; what the model is asked waits
  h.session.apply(StartRun{});
  const auto known = [&] {
    const auto r = h.state().run(h.state().selected_run);
    return r && !r->findings.empty();
  };
  while (!known()) h.frames(1);
  h.frames(2);
  ASSERT_TRUE(h.state().run_job);
  EXPECT_TRUE(h.shows("Latency limits"));
  EXPECT_TRUE(h.shows("up to about"));
  EXPECT_TRUE(h.shows("until it answers, gains are estimates"));
  h.session.apply(CancelJob{h.state().run_job->id});
  h.settle();
  EXPECT_TRUE(known());
  EXPECT_TRUE(h.shows("Latency limits"));
  EXPECT_FALSE(h.shows("until it answers"));
  EXPECT_FALSE(h.shows("nobody has looked"));
}

// A sweep asks the model of nothing; whoever looks at one of its runs can.
TEST(Diagnosis, OfASweepHasBoundsUntilTheModelIsAsked) {
  Harness h;
  h.engine.tells_bounds = true;
  h.open("gen:laplace5?nx=60&ny=60");
  h.session.apply(StartSweep{{h.state().selected}, {"csr_scalar"}, {Precision::f32}, {"sim:toy"}});
  h.settle();
  ASSERT_FALSE(h.state().runs.all().empty());
  const std::uint64_t run = h.state().runs.all().back()->id;
  h.session.apply(SelectRun{run});
  h.session.apply(ShowTab{"diagnosis"});
  h.settle();
  EXPECT_TRUE(h.shows("Latency limits"));
  EXPECT_TRUE(h.shows("up to about"));
  click_at(h.find("Ask the model"), [&] { h.frames(); });
  h.settle();
  EXPECT_EQ(h.state().run(run)->findings.front().gain->from, Gain::From::model);
  EXPECT_TRUE(h.shows("(model)"));
  EXPECT_TRUE(h.items("Ask the model").empty());
}

// Where a slider rests, what limits the run is looked for as if it had been asked for with Run.
TEST(Diagnosis, OfALiveRunThatRestsIsThatOfTheSameRunWhenAskedFor) {
  Harness h;
  run_scalar(h);
  const auto asked = h.state().run(h.state().selected_run);
  ASSERT_FALSE(asked->findings.empty());
  h.session.apply(ShowTab{"diagnosis"});
  h.session.apply(choose("live", true));
  h.settle();
  const auto live = h.state().run(h.state().selected_run);
  ASSERT_NE(live->id, asked->id);
  EXPECT_EQ(live->findings, asked->findings);
  EXPECT_FALSE(h.shows("nobody has looked"));
  EXPECT_TRUE(h.shows("(model)"));
}

TEST(Diagnosis, OfARunWithoutFindingsSaysSo) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(StartRun{});
  h.settle();
  h.session.apply(ShowTab{"diagnosis"});
  h.settle();
  EXPECT_TRUE(h.shows("Not known: nobody has looked yet"));
  EXPECT_TRUE(h.shows("Limit: "));
  EXPECT_TRUE(h.items("Try it").empty());
}

TEST(Diagnosis, TryingOnAClosedMatrixSaysWhatToDo) {
  Harness h;
  run_scalar(h);
  const std::uint64_t run = h.state().selected_run;
  h.session.apply(CloseMatrix{h.state().matrices.front().id});
  h.session.apply(TryFinding{run, 0});
  h.settle();
  ASSERT_FALSE(h.state().messages.empty());
  EXPECT_NE(h.state().messages.back().text.find("not open"), std::string::npos);
}

TEST(Diagnosis, HelpExplainsTheWords) {
  Harness h(1280, 4000);
  h.session.apply(ShowTab{"help"});
  h.settle();
  for (const char* word : {"Warp", "Sector", "Coalesced", "Occupancy", "Divergence"})
    EXPECT_TRUE(h.shows(word)) << word;
}

// A word lies far below the top of Help.
TEST(Diagnosis, AWordThatWasLookedUpIsInView) {
  Harness h;
  const char* const sentence = "Atomics on one address take turns";
  h.session.apply(ShowTab{"help"});
  h.settle();
  EXPECT_FALSE(h.shows(sentence));
  for (const SearchHit& hit : search(h.state(), commands(), "atomic"))
    if (hit.kind == "Word") hit.perform(h.state(), h.sink);
  for (const auto& a : h.sink.take()) h.session.apply(a);
  h.settle();
  EXPECT_EQ(h.state().tab, "help");
  EXPECT_EQ(h.state().word, "atomic");
  EXPECT_TRUE(h.shows(sentence));
  h.session.apply(ShowTab{"facts"});
  EXPECT_TRUE(h.state().word.empty());
}

}  // namespace
