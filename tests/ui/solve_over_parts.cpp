// A solve over several GPUs: what the tab Solve asks of the engine, what it refuses before that, and where it leads.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/run/over_parts.hpp"
#include "tests/ui/hands.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/state/parts.hpp"

namespace warpspy::ui {
namespace {

constexpr const char* grid = "gen:laplace5?nx=20&ny=20";

// The tab Solve with that matrix and so many GPUs.
void look_at(Harness& h, std::uint64_t parts, const char* source = grid) {
  h.open(source);
  h.session.apply(ShowTab{"solve"});
  h.session.apply(choose("parts", parts));
  h.settle();
}
// Words that stand by themselves, such as those of a row of choices, from the top.
std::vector<Shown> words_of(const Harness& h, const std::string& words) {
  std::vector<Shown> found;
  for (const Shown& s : h.shown)
    if (s.kind == Shown::Kind::text && s.words == words) found.push_back(s);
  std::stable_sort(found.begin(), found.end(), [](const Shown& a, const Shown& b) { return a.y < b.y; });
  return found;
}
// The word of that row of choices which ends with another word; an empty place where there is none.
Shown in_row_of(const Harness& h, const std::string& words, const std::string& last) {
  const std::vector<Shown> ends = words_of(h, last);
  for (const Shown& s : words_of(h, words))
    if (!ends.empty() && std::abs(s.y - ends.front().y) < 2) return s;
  ADD_FAILURE() << "no row with " << words << " and " << last;
  return {};
}
std::shared_ptr<const RunRecord> solve(Harness& h) {
  h.session.apply(StartSolve{});
  h.settle();
  return h.state().runs.all().empty() ? nullptr : h.state().runs.all().back();
}

TEST(SolveOverParts, GoesOverTheGpusThatAreChosenByHand) {
  Harness h;
  look_at(h, 1);
  const auto frame = [&] { h.frames(1); };
  EXPECT_FALSE(h.shows("METIS")) << "one GPU needs no division";
  click_at(in_row_of(h, "4", "16"), frame);
  EXPECT_EQ(h.state().knobs.parts, 4u);
  EXPECT_EQ(h.state().undo, "number of GPUs");
  ASSERT_EQ(words_of(h, "METIS").size(), 2u) << "the run panel has the same choice";
  click_at(words_of(h, "METIS").front(), frame);
  EXPECT_EQ(h.state().knobs.split, Split::metis);
  h.frames(2);
  EXPECT_TRUE(h.shows("on 4 GPUs like Toy GPU"));
  click_at(h.items("Solve").back(), frame);  // below the tab of that name
  h.settle();
  const auto run = told_solve(h.state());
  ASSERT_TRUE(run);
  EXPECT_EQ(run->request.solver, Solver::cg);
  EXPECT_EQ(run->request.parts, 4u);
  EXPECT_EQ(run->request.split, Split::metis);
  EXPECT_EQ(run->parts.size(), 4u);
}

TEST(SolveOverParts, TheRequestHasTheChoicesOfProducts) {
  Harness h;
  look_at(h, 4);
  h.session.apply(choose("split", Split::entries));
  const OpenMatrix& m = *h.state().current();
  for (const RunRequest& r : {request_of(h.state(), m), solve_request_of(h.state(), m)}) {
    EXPECT_EQ(r.parts, 4u);
    EXPECT_EQ(r.split, Split::entries);
  }
  h.session.apply(choose("parts", std::uint64_t{1}));
  EXPECT_EQ(solve_request_of(h.state(), m).parts, 1u);
  EXPECT_EQ(solve_request_of(h.state(), m).split, Split::rows) << "one part has one way to be asked for";
}

TEST(SolveOverParts, ANumberFromTheRunPanelIsShown) {
  Harness h;
  look_at(h, 3);
  in_row_of(h, "3", "16");
  h.session.apply(choose("parts", std::uint64_t{64}));
  h.frames(2);
  in_row_of(h, "16", "64");
}

TEST(SolveOverParts, LeadsToTheGpus) {
  Harness h;
  look_at(h, 2);
  const auto run = solve(h);
  ASSERT_TRUE(run && run->solve);
  EXPECT_TRUE(h.shows("Over 2 GPUs, divided by rows."));
  const auto limit = std::find_if(run->findings.begin(), run->findings.end(),
                                  [](const auto& f) { return f.rule.starts_with("parts_"); });
  ASSERT_NE(limit, run->findings.end());
  EXPECT_TRUE(h.shows(limit->limit));
  h.session.apply(StartRun{});  // a product is selected now, and the tab Solve still tells of the solve
  h.settle();
  EXPECT_NE(told_parts(h.state()), run);
  click_at(h.find("Show each GPU"), [&] { h.frames(1); });
  h.settle();
  EXPECT_EQ(h.state().tab, "parts");
  EXPECT_EQ(told_parts(h.state()), run);
  EXPECT_TRUE(h.shows("A solve over several GPUs"));
}

TEST(SolveOverParts, OnOneGpuLeadsNowhere) {
  Harness h;
  look_at(h, 1);
  ASSERT_TRUE(solve(h));
  EXPECT_FALSE(h.shows("Show each GPU"));
  EXPECT_FALSE(h.shows("divided by rows"));
}

TEST(SolveOverParts, IsHeldAgainstTheSameSolveOnOneGpu) {
  Harness h;
  look_at(h, 1);
  const auto one = solve(h);
  h.session.apply(choose("parts", std::uint64_t{4}));
  const auto four = solve(h);
  h.session.apply(ShowTab{"parts"});
  h.settle();
  const auto times = h.state().parts.speed_ups.of(*four);
  ASSERT_TRUE(times);
  EXPECT_DOUBLE_EQ(*times, one->time.value / four->time.value);
}

struct Refused {
  const char* name;
  const char* says;  // as the engine does
  void (*choose_it)(Harness& h);
};
const Refused kRefused[] = {
    {"block Jacobi", "Block Jacobi needs neighbouring rows together",
     [](Harness& h) { h.session.apply(choose("preconditioner", Preconditioner::block_jacobi)); }},
    {"refinement", "The steps of a refinement in f64 are not run over parts yet",
     [](Harness& h) {
       h.session.apply(choose("precision", Precision::f32));
       h.session.apply(choose("refine", true));
     }},
    {"more GPUs than rows", "This matrix has 16 rows for 17 GPUs",
     [](Harness& h) {
       h.open("gen:laplace5?nx=4&ny=4");
       h.session.apply(choose("parts", std::uint64_t{17}));
     }},
};

TEST(SolveOverParts, WhatIsRefusedIsSaidBefore) {
  for (const Refused& c : kRefused) {
    SCOPED_TRACE(c.name);
    Harness h;
    look_at(h, 4);
    c.choose_it(h);
    h.settle();
    const std::string in_the_tab = std::string("\xE2\x9C\x97 ") + c.says;
    EXPECT_TRUE(h.shows(in_the_tab));
    const int runs = h.engine.runs;
    EXPECT_TRUE(solve(h) == nullptr);
    EXPECT_EQ(h.engine.runs, runs) << "nothing was asked of the engine";
    EXPECT_NE(h.state().messages.back().text.find(c.says), std::string::npos);
    const auto command =
        std::find_if(commands().begin(), commands().end(), [](const Command& k) { return k.id == "run.solve"; });
    ASSERT_NE(command, commands().end());
    EXPECT_NE(command->why_not(h.state()).find(c.says), std::string::npos);
    h.session.apply(choose("parts", std::uint64_t{1}));
    h.settle();
    EXPECT_FALSE(h.shows(in_the_tab)) << "one GPU can";
    EXPECT_EQ(command->why_not(h.state()), "");
    EXPECT_TRUE(solve(h) != nullptr);
  }
}

TEST(SolveOverParts, TheReasonIsTheEnginesOwn) {
  Harness h;
  look_at(h, 4);
  h.session.apply(choose("preconditioner", Preconditioner::block_jacobi));
  const RunRequest request = solve_request_of(h.state(), *h.state().current());
  const auto refused = refused_over_parts(request, *h.state().kernel(), *h.state().device());
  ASSERT_TRUE(refused);
  for (const std::string& part : {refused->reason, refused->remedy})
    EXPECT_NE(why_no_solve(h.state()).find(part.substr(1) + "."), std::string::npos) << why_no_solve(h.state());
  h.session.apply(StartRun{});
  h.settle();
  EXPECT_EQ(h.state().runs.all().back()->parts.size(), 4u) << "a product has no preconditioner";
}

TEST(SolveOverParts, ARealGpuSolvesAlone) {
  Harness h;
  look_at(h, 4);
  h.catalog.devices[0].simulated = false;
  h.frames(2);
  EXPECT_TRUE(h.shows("One GPU, and not the chosen 4: One real GPU has no other beside it"));
  EXPECT_EQ(solve_request_of(h.state(), *h.state().current()).parts, 1u);
  const auto run = solve(h);
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->parts.empty());
}

TEST(SolveOverParts, NewtonsMethodToo) {
  Harness h;
  look_at(h, 3, "gen:bratu?n=6");
  const auto run = solve(h);
  ASSERT_TRUE(run && run->newton);
  EXPECT_EQ(run->parts.size(), 3u);
  for (const char* text : {"Newton's method", "Over 3 GPUs, divided by rows."}) EXPECT_TRUE(h.shows(text)) << text;
}

}  // namespace
}  // namespace warpspy::ui
