// The search for parameters, watched: empty, under way, finished, failed, cancelled; what can be done with it.
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <tuple>

#include "tests/ui/support.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

constexpr const char* laplace = "gen:laplace5?nx=30&ny=30";

// Frames until the condition holds; the search it waits for always comes to that point.
void until(Harness& h, const std::function<bool()>& holds) {
  while (!holds()) {
    h.frames(1);
    std::this_thread::yield();
  }
}

enum class Situation { empty, running, finished, failed, cancelled };
class TuneTab : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(TuneTab, DrawsInEverySituation) {
  const auto [which, small] = GetParam();
  const auto situation = static_cast<Situation>(which);
  Harness h(small ? 640 : 1280, small ? 400 : 800);
  h.open(laplace);
  h.session.apply(ShowTab{"tune"});
  h.settle();
  if (situation != Situation::empty) {
    h.engine.fails = situation == Situation::failed;
    h.engine.holds = situation == Situation::running || situation == Situation::cancelled;
    h.session.apply(StartTuning{});
    if (h.engine.holds) until(h, [&] { return h.state().tuning->record->steps.size() == 7; });
    if (situation == Situation::cancelled) h.session.apply(CancelJob{h.state().tuning->job->id});
    if (situation != Situation::running) h.settle();
    ASSERT_TRUE(h.state().tuning);
    EXPECT_NE(h.state().tuning->plane, nullptr);
    EXPECT_EQ(h.state().tuning->job != nullptr, situation == Situation::running);
  }
  sweep(h, 16, 12);
  const char* says[] = {"Nothing was tuned yet", "7 products", "Done: ", "Failed: ", "Cancelled after 7 products"};
  EXPECT_TRUE(small || h.shows(says[which])) << says[which];
  for (const ThemeId theme : {ThemeId::dark, ThemeId::paper}) {
    h.session.apply(choose("theme", theme));
    h.frames(3);
  }
  if (situation == Situation::running) {
    h.session.apply(CancelJob{h.state().tuning->job->id});
    h.settle();
    EXPECT_EQ(h.state().tuning->record->status, RunStatus::cancelled);
  }
}
INSTANTIATE_TEST_SUITE_P(Situations, TuneTab, testing::Combine(testing::Range(0, 5), testing::Bool()));

TEST(Tuning, StepsStreamInWhileItRuns) {
  Harness h;
  h.open(laplace);
  h.engine.holds = true;
  h.session.apply(StartTuning{});
  until(h, [&] { return h.state().tuning->record->steps.size() == 7; });
  const auto& t = *h.state().tuning;
  EXPECT_NE(t.job, nullptr);
  EXPECT_TRUE(t.record->outcomes.empty());
  EXPECT_EQ(tune_path(h.state()), "run_time") << "the strategy at work";
  EXPECT_EQ(t.plane->rows.size(), 7u);
  EXPECT_GE(h.state().trail.size(), 5u) << "the same points are a trail on the roofline";
  h.session.apply(StartTuning{});
  EXPECT_EQ(h.state().messages.back().kind, Message::Kind::note) << "one search at a time";
  h.engine.holds = false;
  h.settle();
  EXPECT_EQ(h.state().tuning->record->status, RunStatus::ok);
  EXPECT_EQ(h.state().tuning->record->steps.size(), 13u) << "no step is lost, none comes twice";
}

TEST(Tuning, ItsParametersCanBeUsed) {
  Harness h;
  h.open(laplace);
  h.session.apply(StartTuning{});
  h.settle();
  const auto* o = h.state().tuning->record->outcome(tune_path(h.state()));
  ASSERT_NE(o, nullptr);
  h.session.apply(SetKernel{"csr_scalar"});
  h.session.apply(UseParams{o->kernel, o->params});
  EXPECT_EQ(h.state().knobs.kernel, "csr_vector");
  h.session.apply(StartRun{});
  h.settle();
  EXPECT_EQ(h.state().runs.all().back()->request.params.at("coop"), 16);
  h.session.apply(UseParams{"no_such_kernel", {{"coop", 2}}});
  EXPECT_EQ(h.state().knobs.kernel, "csr_vector");
}

TEST(Tuning, FailureIsSaidOnceWithItsReason) {
  Harness h;
  h.open(laplace);
  h.engine.fails = true;
  h.session.apply(StartTuning{});
  h.settle();
  int errors = 0;
  for (const auto& m : h.state().messages) errors += m.kind == Message::Kind::error;
  EXPECT_EQ(errors, 1) << "not once for every product";
  EXPECT_NE(h.state().messages.back().text.find("csr_vector.hpp:41"), std::string::npos);
  h.engine.fails = false;
  h.session.apply(StartTuning{});
  h.settle();
  EXPECT_EQ(h.state().tuning->record->status, RunStatus::ok) << "the next search works";
}

TEST(Tuning, AsksForWhatThePanelsSay) {
  Harness h;
  h.open(laplace);
  h.session.apply(choose("precision", Precision::f64));
  h.session.apply(SetParam{SetParam::Of::kernel, "coop", 4});
  h.session.apply(choose("strategy", "exhaustive"));
  h.session.apply(StartTuning{});
  h.settle();
  const auto& r = h.state().tuning->record->request;
  EXPECT_EQ(r.strategies, std::vector<std::string>{"exhaustive"});
  EXPECT_EQ(r.run.precision, Precision::f64);
  EXPECT_EQ(r.run.device, "sim:toy");
  EXPECT_TRUE(r.run.params.empty()) << "what is to be turned is not held";
  EXPECT_EQ(tune_path(h.state()), "exhaustive");
}

TEST(Tuning, WithoutAMatrixSaysWhatToDo) {
  Harness h;
  h.session.apply(StartTuning{});
  h.settle();
  EXPECT_FALSE(h.state().tuning);
  EXPECT_NE(h.state().messages.back().text.find("Open a matrix"), std::string::npos);
}

TEST(Tuning, AStrategyIsPickedInTheTable) {
  Harness h;
  h.open(laplace);
  h.session.apply(ShowTab{"tune"});
  h.session.apply(StartTuning{});
  h.settle();
  for (const char* id : {"exhaustive", "run_time"}) {
    click_at(h.find("##" + std::string(id)), [&] { h.frames(1); }, 0.2f);
    EXPECT_EQ(tune_path(h.state()), id);
  }
}

// As the run panel has it; nothing where it was never set.
std::optional<double> coop_of(const Harness& h) {
  const auto& sets = h.state().knobs.kernel_params;
  const auto set = sets.find(h.state().knobs.kernel);
  if (set == sets.end() || !set->second.contains("coop")) return std::nullopt;
  return set->second.at("coop");
}

TEST(Tuning, BestForThisMatrixIsOneClick) {
  Harness h;
  h.open(laplace);
  h.frames(2);
  ASSERT_NE(coop_of(h), 16);
  click_at(h.find("Best for this matrix"), [&] { h.frames(1); });
  h.settle();
  EXPECT_EQ(h.state().tuning->record->request.strategies, std::vector<std::string>{"predict"});
  EXPECT_EQ(coop_of(h), 16);
  h.frames(2);
  EXPECT_TRUE(h.shows("1.1 times as fast as")) << "the verdict stands below the button";

  // It is told of the matrix that it was searched for, not of another.
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(Notify{{Message::Kind::note, "in place of the message", "", 0}});
  h.frames(2);
  EXPECT_FALSE(h.shows("1.1 times as fast as"));
}

TEST(Tuning, BestIsNotSetForAnotherMatrixNorAfterAFailure) {
  Harness h;
  h.open(laplace);
  h.engine.holds = true;
  h.session.apply(StartTuning{.best = true});
  until(h, [&] { return h.state().tuning->record->steps.size() == 7; });
  h.frames(2);
  EXPECT_TRUE(h.shows("Cancel the search"));
  h.session.apply(OpenSource{"gen:laplace5?nx=20&ny=20"});
  until(h, [&] {
    return h.state().matrices.size() == 2 && h.state().current()->source.find("nx=20") != std::string::npos;
  });
  h.engine.holds = false;
  h.settle();
  EXPECT_NE(coop_of(h), 16);

  h.engine.fails = true;
  h.session.apply(StartTuning{.best = true});
  h.settle();
  EXPECT_NE(coop_of(h), 16);
  EXPECT_TRUE(h.shows("Tuning failed: "));
}

TEST(Tuning, PlaneIsExported) {
  Harness h;
  h.open(laplace);
  h.session.apply(StartTuning{});
  h.settle();
  for (const char* ending : {"svg", "csv"}) {
    const std::string path = testing::TempDir() + "/warpspy_tune_" + std::to_string(getpid()) + "." + ending;
    h.session.apply(ExportFigure{.what = "tuning", .path = path, .overwrite = true});
    h.settle();
    EXPECT_TRUE(std::filesystem::exists(path) && std::filesystem::file_size(path) > 50) << path;
    std::filesystem::remove(path);
  }
}

}  // namespace
