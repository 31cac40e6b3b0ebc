// A product over several GPUs: what can be chosen, what is asked of the engine, and what is shown of the answer.
#include "ui/state/parts.hpp"

#include <algorithm>

#include "tests/ui/hands.hpp"
#include "ui/look/numbers.hpp"
#include "ui/spy/owners.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/state/search.hpp"

namespace warpspy::ui {
namespace {

constexpr const char* grid = "gen:laplace5?nx=20&ny=20";

void choose_parts(Harness& h, std::uint64_t parts, Split split = Split::rows) {
  h.session.apply(choose("parts", parts));
  h.session.apply(choose("split", split));
}

std::shared_ptr<const RunRecord> run_over(Harness& h, std::uint64_t parts, Split split = Split::rows) {
  choose_parts(h, parts, split);
  h.session.apply(StartRun{});
  h.settle();
  return h.state().runs.all().empty() ? nullptr : h.state().runs.all().back();
}

TEST(Parts, ARunGoesOverTheChosenGpus) {
  Harness h;
  h.open(grid);
  h.frames(2);
  EXPECT_TRUE(h.shows("GPUs", Shown::Kind::item));
  EXPECT_FALSE(h.shows("METIS")) << "one GPU needs no division";
  const auto run = run_over(h, 4, Split::metis);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->request.parts, 4u);
  EXPECT_EQ(run->request.split, Split::metis);
  EXPECT_EQ(run->parts.size(), 4u);
  EXPECT_TRUE(h.shows("METIS"));
}

TEST(Parts, OneGpuIsAskedForInOneWay) {
  Harness h;
  h.open(grid);
  const auto run = run_over(h, 1, Split::entries);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->request.split, Split::rows);
  EXPECT_TRUE(run->parts.empty());
}

TEST(Parts, SearchesRunOnOneGpu) {
  Harness h;
  h.open(grid);
  choose_parts(h, 4);
  h.session.apply(StartTuning{});
  h.settle();
  EXPECT_EQ(h.state().tuning->record->request.run.parts, 1u);
}

TEST(Parts, OnlySimulatedGpusAndProductsAreDivided) {
  Harness h;
  h.open(grid);
  choose_parts(h, 4);
  const RunRequest& asked = request_of(h.state(), *h.state().current());
  EXPECT_EQ(asked.parts, 4u);
  h.catalog.devices[0].simulated = false;
  h.frames(2);
  EXPECT_EQ(request_of(h.state(), *h.state().current()).parts, 1u);
  EXPECT_FALSE(h.shows("GPUs", Shown::Kind::item));
  EXPECT_NE(why_no_parts(h.state()).find("One real GPU has no other beside it"), std::string::npos);
  h.catalog.devices[0].simulated = true;
  for (KernelInfo& k : h.catalog.kernels) k.format.clear();
  EXPECT_NE(why_no_parts(h.state()).find("computes no A x"), std::string::npos);
}

TEST(Parts, WhatAMatrixCannotHaveIsSaidWhereItIsChosen) {
  Harness h;
  h.open("gen:random?rows=30&cols=20&per_row=4");
  choose_parts(h, 3, Split::metis);
  h.frames(2);
  EXPECT_TRUE(h.shows("METIS divides square matrices only, and this one has 30 rows and 20 columns"));
  const int runs = h.engine.runs;
  h.session.apply(StartRun{});
  h.settle();
  EXPECT_EQ(h.engine.runs, runs);
  EXPECT_NE(h.state().messages.back().text.find("METIS divides square matrices only"), std::string::npos);
  choose_parts(h, 31, Split::rows);
  h.frames(2);
  EXPECT_TRUE(h.shows("This matrix has 30 rows for 31 GPUs: choose fewer."));
  choose_parts(h, 30);
  EXPECT_EQ(why_not_divided(h.state()), "");
  h.frames(2);
  EXPECT_FALSE(h.shows("choose fewer"));
}

TEST(Parts, TheyAreChosenByHand) {
  Harness h;
  h.open(grid);
  h.frames(2);
  const auto frame = [&] { h.frames(1); };
  click_at(h.find("GPUs"), frame, 0.5f);
  EXPECT_GT(h.state().knobs.parts, 20u) << "the middle of the track";
  choose_parts(h, 4);
  h.frames(2);
  click_at(h.find("METIS"), frame);
  EXPECT_EQ(h.state().knobs.split, Split::metis);
}

TEST(Parts, TheChoicesCanBeUndoneAndAreSearched) {
  Harness h;
  h.open(grid);
  h.session.apply(choose("parts", std::uint64_t{8}));
  EXPECT_EQ(h.state().undo, "number of GPUs");
  h.session.apply(Undo{});
  EXPECT_EQ(h.state().knobs.parts, 1u);
  for (const char* wrong : {"0", "65", "many"}) h.session.apply(SetChoice{"parts", wrong});
  h.session.apply(SetChoice{"split", "colours"});
  EXPECT_EQ(h.state().knobs.parts, 1u);
  EXPECT_EQ(h.state().knobs.split, Split::rows);
  const auto hits = search(h.state(), commands(), "gpus 8");
  ASSERT_FALSE(hits.empty());
  EXPECT_EQ(hits.front().title, "GPUs: 8");
  EXPECT_EQ(hits.front().why_not, "");
  h.catalog.devices[0].simulated = false;
  EXPECT_NE(search(h.state(), commands(), "gpus 8").front().why_not, "");
}

TEST(PartsTab, OffersARunAndTellsItsParts) {
  Harness h;
  h.open(grid);
  h.session.apply(ShowTab{"parts"});
  h.frames(2);
  EXPECT_TRUE(h.shows("No run over several GPUs yet"));
  const auto frame = [&] { h.frames(1); };
  click_at(h.find("Run over 4 GPUs"), frame);
  h.settle();
  const auto run = told_parts(h.state());
  ASSERT_TRUE(run);
  EXPECT_EQ(run->parts.size(), 4u);
  EXPECT_TRUE(h.shows("over 4 GPUs, divided by rows"));
  EXPECT_TRUE(h.shows("Imbalance 1"));
  EXPECT_TRUE(h.shows("All halos: "));
  ASSERT_FALSE(run->findings.empty());
  EXPECT_TRUE(h.shows(run->findings.front().limit));
  for (const char* column : {"boundary", "halo in", "messages", "local (\xC2\xB5s)", "all (\xC2\xB5s)"})
    EXPECT_TRUE(h.shows(column)) << column;
  EXPECT_TRUE(h.shows("figure parts", Shown::Kind::item));
  EXPECT_TRUE(h.shows("Run the same on one GPU to see the speed-up."));
}

TEST(PartsTab, TheSpeedUpIsAgainstOneGpu) {
  Harness h;
  h.open(grid);
  h.session.apply(ShowTab{"parts"});
  const auto one = run_over(h, 1), four = run_over(h, 4), metis = run_over(h, 4, Split::metis);
  ASSERT_TRUE(h.state().parts.speed_up);
  EXPECT_TRUE(h.shows("figure speedup", Shown::Kind::item));
  EXPECT_EQ(h.state().parts.speed_ups.curves.size(), 2u);
  const auto times = h.state().parts.speed_ups.of(*metis);
  ASSERT_TRUE(times);
  EXPECT_DOUBLE_EQ(*times, one->time.value / metis->time.value);
  EXPECT_TRUE(h.shows("Speed-up " + real_text(*times, 3)));
  EXPECT_EQ(told_parts(h.state()), metis);
  h.session.apply(SelectRun{four->id});
  h.settle();
  EXPECT_EQ(told_parts(h.state()), four);
  EXPECT_EQ(h.state().parts.lanes->y.categories.size(), 4u);
  h.session.apply(CompareRuns{{four->id, metis->id}});
  h.settle();
  EXPECT_EQ(h.state().parts.lanes->y.categories.size(), 10u) << "both, each with its name";
}

TEST(PartsTab, ASavedRunOnOneGpuIsTheBaseToo) {
  Harness h;
  h.open(grid);
  const auto one = run_over(h, 1);
  h.session.apply(ClearRuns{});
  run_over(h, 4);
  h.session.apply(ShowTab{"parts"});
  h.settle();
  EXPECT_EQ(h.state().parts.speed_ups.curves.size(), 1u);
}

// The parts of the pattern's rows, counted here once more.
TEST(PartsShading, ShowsTheOwnerOfMostRows) {
  Harness h;
  h.open(grid);
  h.frames(2);
  EXPECT_EQ(h.state().parts.owners, nullptr);
  EXPECT_FALSE(h.shows("rows of"));
  choose_parts(h, 4);
  h.settle();
  const auto owners = h.state().parts.owners;
  ASSERT_TRUE(owners);
  EXPECT_EQ(shown_owners(h.state(), *h.state().current()), owners.get());
  EXPECT_TRUE(h.shows("rows of 4 GPUs by rows"));
  for (index_t row = 0; row < 400; ++row) EXPECT_EQ(most_rows_of(*owners, row, row + 1), row / 100) << row;
  EXPECT_EQ(most_rows_of(*owners, 60, 180), 1);
  EXPECT_EQ(most_rows_of(*owners, 0, 150), 0);
  choose_parts(h, 3, Split::metis);
  h.settle();
  EXPECT_TRUE(h.shows("rows of 3 GPUs by metis"));
  const RowOwners& metis = *h.state().parts.owners;
  for (index_t row = 0; row + 20 <= 400; row += 20) {
    int count[3] = {};
    for (index_t k = row; k < row + 20; ++k) ++count[metis.of_row[static_cast<std::size_t>(k)]];
    const std::int32_t most = most_rows_of(metis, row, row + 20);
    EXPECT_EQ(count[most], *std::max_element(count, count + 3)) << row;
  }
  choose_parts(h, 1);
  h.settle();
  EXPECT_FALSE(h.shows("rows of"));
}

TEST(PartsShading, ARunHasItsPartsWhenOneGpuIsChosen) {
  Harness h;
  h.open(grid);
  const auto four = run_over(h, 4);
  run_over(h, 1);
  EXPECT_FALSE(h.shows("rows of"));
  h.session.apply(SelectRun{four->id});
  h.settle();
  EXPECT_TRUE(h.shows("rows of 4 GPUs by rows"));
}

}  // namespace
}  // namespace warpspy::ui
