// What is taken back, what is not, and how many changes are one step.
#include <algorithm>
#include <random>

#include "tests/ui/hands.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

double coop(const Harness& h) {
  return param_value(h.state().knobs.kernel_params, "csr_vector", h.catalog.kernels[1].params[0]);
}
// The hand rests: what follows is another step.
void rest(Harness& h) { h.frames(45); }
void param(Harness& h, double value) {
  h.session.next_frame();
  h.session.apply(SetParam{SetParam::Of::kernel, "coop", value});
}

TEST(Undo, AParameterAndBackByTheKeyboard) {
  Harness h;
  param(h, 16);
  EXPECT_EQ(h.state().undo, "Threads per row");
  press(h, {key('Z'), true});
  EXPECT_EQ(coop(h), 8);
  EXPECT_EQ(h.state().undo, "");
  EXPECT_EQ(h.state().redo, "Threads per row");
  press(h, {key('Z'), true, true});
  EXPECT_EQ(coop(h), 16);
  press(h, {key('Z'), true});
  press(h, {key('Y'), true});
  EXPECT_EQ(coop(h), 16);
}

TEST(Undo, ADragIsOneStep) {
  Harness h(300, 700);
  h.open("gen:laplace5?nx=10&ny=10");
  const auto view = view_row("controls")->make();
  const auto frame = [&] {
    h.session.next_frame();
    h.panel([&](Ui& ui) { view->draw(h.state(), ui); });
  };
  frame(), frame();
  const Shown track = h.find("Threads per row");
  point_at(track, 0.5f);
  frame(), frame();
  feed_button(0, true);
  frame();
  for (const float along : {0.6f, 0.7f, 0.9f, 1.f, 0.05f}) {
    point_at(track, along);
    frame();
  }
  feed_button(0, false);
  frame();
  ASSERT_NE(coop(h), 8);
  h.session.apply(Undo{});
  EXPECT_EQ(coop(h), 8);
  EXPECT_EQ(h.state().undo, "");
}

TEST(Undo, AfterARestItIsAnotherStep) {
  Harness h;
  param(h, 16);
  param(h, 32);
  rest(h);
  param(h, 4);
  h.session.apply(Undo{});
  EXPECT_EQ(coop(h), 32);
  h.session.apply(Undo{});
  EXPECT_EQ(coop(h), 8);
}

TEST(Undo, AllActionsOfAFrameAreOneStep) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  rest(h);
  h.session.next_frame();
  h.session.apply(SetCamera{h.state().selected, go_to(Camera{}, 5, 5, 20)});
  h.session.apply(ShowTab{"rows"});
  EXPECT_EQ(h.state().undo, "zoom");
  h.session.apply(Undo{});
  EXPECT_EQ(h.state().tab, "matrix");
  EXPECT_TRUE(h.state().current()->camera.fit);
}

TEST(Undo, ViewsComparisonAndMarkedRows) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  for (int k = 0; k < 2; ++k) {
    h.session.apply(StartRun{});
    h.settle();
  }
  const auto& all = h.state().runs.all();
  const auto step = [&](const Action& a) {
    rest(h);
    h.session.next_frame();
    h.session.apply(a);
  };
  step(SetHighlight{4, 6});
  step(CompareRuns{{all[0]->id, all[1]->id}});
  step(ShowTab{"runs"});
  step(CompareRuns{});
  h.settle();
  h.session.apply(Undo{});
  ASSERT_EQ(h.state().comparing.size(), 2u);
  EXPECT_NE(h.state().comparison, nullptr);
  h.session.apply(Undo{});
  EXPECT_EQ(h.state().tab, "matrix");
  h.session.apply(Undo{});
  EXPECT_TRUE(h.state().comparing.empty());
  EXPECT_TRUE(h.state().highlight);
  h.session.apply(Undo{});
  EXPECT_FALSE(h.state().highlight);
  for (int k = 0; k < 3; ++k) h.session.apply(Redo{});
  h.settle();
  EXPECT_EQ(h.state().tab, "runs");
  EXPECT_EQ(h.state().comparing.size(), 2u);
  ASSERT_TRUE(h.state().highlight && h.state().highlight->rows);
  EXPECT_GT(h.state().highlight->rows->size(), 0);
}

TEST(Undo, TheLookOfTheRooflineAndRowsThatWerePicked) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  rest(h);
  h.session.next_frame();
  h.session.apply(choose("roofline zoom", "0.1 10 1 100"));
  rest(h);
  h.session.next_frame();
  h.session.apply(SetHighlight{.first = 7, .past = 9});
  h.settle();
  h.session.apply(Undo{});
  EXPECT_FALSE(h.state().highlight);
  h.session.apply(Redo{});
  h.settle();
  ASSERT_TRUE(h.state().highlight && h.state().highlight->rows);
  EXPECT_EQ(h.state().highlight->rows->size(), 2);
  h.session.apply(Undo{});
  EXPECT_EQ(h.state().undo, "look of the roofline");
  h.session.apply(Undo{});
  EXPECT_FALSE(h.state().roofline_settings.view);
}

// The second, which is shown all the time, is gone since: its reading was cancelled.
TEST(Undo, AMatrixIsShownThoughTheOneShownThenIsGone) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  std::atomic<bool> read{false};
  for (int k = 0; k < 2; ++k)  // nothing else is read meanwhile
    h.session.workers().submit(
        JobQueue::load, "Something else",
        [&](Progress& p) {
          while (!read) p.check(), doze();
        },
        [] {});
  h.session.apply(OpenSource{"gen:laplace5?nx=11&ny=11"});
  ASSERT_EQ(h.state().matrices.size(), 2u);
  const MatrixId first = h.state().matrices[0].id;
  ASSERT_NE(h.state().selected, first);
  rest(h);
  h.session.next_frame();
  h.session.apply(CloseMatrix{first});
  h.state().current()->job->cancel();
  read = true;
  h.settle();
  ASSERT_TRUE(h.state().matrices.empty());
  h.session.apply(Undo{});
  h.settle();
  ASSERT_EQ(h.state().matrices.size(), 1u);
  EXPECT_EQ(h.state().selected, first);
}

TEST(Undo, AClosedMatrixComesBackAtItsPlaceAndNothingRuns) {
  SessionOptions o;  // a fresh matrix gets a run
  Harness h(1280, 800, 1, o);
  h.open("gen:laplace5?nx=10&ny=10");
  h.open("gen:laplace5?nx=11&ny=11");
  h.session.apply(SelectMatrix{h.state().matrices[0].id});
  h.session.apply(SetCamera{h.state().selected, go_to(Camera{}, 5, 5, 20)});
  const MatrixId id = h.state().selected;
  const int runs = h.engine.runs;
  rest(h);
  h.session.next_frame();
  h.session.apply(CloseMatrix{id});
  EXPECT_EQ(h.state().undo, "closing laplace5?nx=10&ny=10");
  h.settle();
  ASSERT_EQ(h.state().matrices.size(), 1u);
  h.session.apply(Undo{});
  h.settle();
  ASSERT_EQ(h.state().matrices.size(), 2u);
  EXPECT_EQ(h.state().matrices[0].id, id);
  EXPECT_EQ(h.state().selected, id);
  EXPECT_EQ(h.state().matrices[0].status, OpenMatrix::Status::ready);
  EXPECT_FALSE(h.state().current()->camera.fit);
  EXPECT_EQ(h.engine.runs, runs) << "nothing runs again";
  h.session.apply(Redo{});
  h.settle();
  ASSERT_EQ(h.state().matrices.size(), 1u);
}

// It has the id that it had. What jobs of the earlier opening find, and their being cancelled, is not about it.
TEST(Undo, AMatrixClosedWhileItIsReadAgainComesBack) {
  Harness h;
  h.open("gen:laplace5?nx=120&ny=120");
  const MatrixId id = h.state().selected;
  for (int time = 0; time < 3; ++time) {
    rest(h);
    h.session.next_frame();
    h.session.apply(CloseMatrix{id});
    h.session.apply(Undo{});
    ASSERT_EQ(h.state().matrices.size(), 1u);
    h.frames(time);  // jobs of the earlier opening end in one of these, or later
    EXPECT_EQ(h.state().matrices[0].id, id);
  }
  h.settle();
  ASSERT_EQ(h.state().matrices.size(), 1u);
  const OpenMatrix& m = h.state().matrices[0];
  EXPECT_EQ(m.status, OpenMatrix::Status::ready);
  EXPECT_TRUE(m.matrix && m.facts && m.pyramid && m.thumbnail);
}

TEST(Undo, AReorderedMatrixAndItsOriginalComeBackTogether) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(Reorder{"rcm", {}, {}});
  h.settle();
  ASSERT_EQ(h.state().matrices.size(), 2u);
  const std::string source = h.state().matrices[1].source;
  rest(h);
  h.session.next_frame();
  h.session.apply(CloseMatrix{h.state().matrices[1].id});
  h.session.apply(CloseMatrix{h.state().matrices[0].id});
  h.settle();
  ASSERT_TRUE(h.state().matrices.empty());
  h.session.apply(Undo{});
  h.settle();
  ASSERT_EQ(h.state().matrices.size(), 2u);
  EXPECT_EQ(h.state().matrices[1].source, source);
  EXPECT_EQ(h.state().matrices[1].status, OpenMatrix::Status::ready);
  EXPECT_EQ(h.state().matrices[1].original, h.state().matrices[0].id);
  EXPECT_TRUE(h.state().matrices[1].after);
}

TEST(Undo, WhatCameSinceStays) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  rest(h);
  param(h, 16);
  h.open("gen:laplace5?nx=11&ny=11");
  const MatrixId opened = h.state().selected;
  h.session.apply(StartRun{});
  h.settle();
  h.session.apply(Undo{});
  EXPECT_EQ(coop(h), 8);
  EXPECT_EQ(h.state().selected, opened);
  EXPECT_EQ(h.state().matrices.size(), 2u);
  EXPECT_EQ(h.state().runs.all().size(), 1u);
}

TEST(Undo, ANewStepForgetsWhatWasUndone) {
  Harness h;
  param(h, 16);
  h.session.apply(Undo{});
  h.session.next_frame();
  h.session.apply(ShowTab{"rows"});
  EXPECT_EQ(h.state().redo, "");
  h.session.apply(Redo{});
  EXPECT_EQ(coop(h), 8);
  // What changes nothing is no step.
  rest(h);
  h.session.next_frame();
  h.session.apply(ShowTab{"rows"});
  EXPECT_EQ(h.state().undo, "tab");
}

TEST(Undo, ManyStepsAreForgottenFromTheOldest) {
  UndoStack stack;
  UndoState a, b;
  for (std::size_t k = 0; k < kMostSteps + 50; ++k) {
    a.choices["tab"] = std::to_string(k), b.choices["tab"] = std::to_string(k + 1);
    stack.next_frame();
    stack.end_step();
    stack.record({"tab", "tab"}, a, b);
  }
  std::size_t steps = 0;
  std::string oldest;
  while (const auto move = stack.undo()) ++steps, oldest = move->to.choices.at("tab");
  EXPECT_EQ(steps, kMostSteps);
  EXPECT_EQ(oldest, "50");
}

TEST(Undo, TheMenuSaysWhat) {
  Harness h;
  param(h, 16);
  const auto frame = [&] { h.frames(1); };
  frame();
  click_at(h.find("Edit"), frame);
  EXPECT_TRUE(h.shows("Undo: Threads per row", Shown::Kind::item));
}

TEST(Undo, TextFieldsKeepTheirOwn) {
  Harness h;
  param(h, 16);
  h.session.apply(ShowDialog{"commands"});
  h.frames(4);
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  press(h, {key('Z'), true});
  EXPECT_EQ(coop(h), 16);
}

// Anything, taken back to the beginning and done again, is what it was.
TEST(Undo, ThereAndBackFromAnyState) {
  Harness h(900, 600);
  h.open("gen:laplace5?nx=10&ny=10");
  h.open("gen:laplace5?nx=12&ny=12");
  const std::vector<MatrixId> ids = {h.state().matrices[0].id, h.state().matrices[1].id};
  const std::vector<Action> actions = {SetParam{SetParam::Of::kernel, "coop", 2},
                                       SetParam{SetParam::Of::kernel, "block", 64},
                                       SetKernel{"csr_scalar"},
                                       SetKernel{"csr_vector"},
                                       choose("precision", Precision::f64),
                                       choose("cache state", CacheState::cold),
                                       SelectMatrix{ids[0]},
                                       SelectMatrix{ids[1]},
                                       SetCamera{ids[0], go_to(Camera{}, 3, 3, 12)},
                                       SetHighlight{5, 6},
                                       ShowTab{"facts"},
                                       ShowTab{"rows"},
                                       SetPanes{{.workspace = false}},
                                       choose("flops", FlopCount::executed),
                                       CloseMatrix{ids[0]},
                                       choose("format", "ell"),
                                       choose("formats by", order_text(FormatColumn::padding, true))};
  std::minstd_rand random(11);
  for (int round = 0; round < 5; ++round) {
    h.settle();
    while (!h.state().undo.empty()) h.session.apply(Undo{});
    h.settle();
    const UndoState first = undo_state(h.state());
    for (int k = 0; k < 30; ++k) {
      h.session.next_frame();
      h.session.end_step();
      h.session.apply(actions[random() % actions.size()]);
    }
    h.settle();
    const UndoState last = undo_state(h.state());
    while (!h.state().undo.empty()) h.session.apply(Undo{});
    h.settle();
    EXPECT_TRUE(first == undo_state(h.state())) << round;
    while (!h.state().redo.empty()) h.session.apply(Redo{});
    h.settle();
    EXPECT_TRUE(last == undo_state(h.state())) << round;
  }
}

}  // namespace
