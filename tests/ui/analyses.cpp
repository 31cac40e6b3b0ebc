// The tabs Analyses and Memory, and the choice of flops: empty, made, failed, cancelled, redrawn.
#include "tests/ui/support.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

constexpr const char* laplace = "gen:laplace5?nx=30&ny=30";

void choose(Harness& h, const std::string& id) {
  auto next = h.state().analysis;
  next.id = id;
  h.session.apply(SetAnalysis{next});
}

class EveryAnalysis : public testing::TestWithParam<bool> {};

TEST_P(EveryAnalysis, DrawsBeforeAndAfter) {
  const bool small = GetParam();
  Harness h(small ? 640 : 1500, small ? 400 : 950);
  h.open(laplace);
  h.session.apply(ShowTab{"analyses"});
  for (const AnalysisRow& row : analyses()) {
    SCOPED_TRACE(row.info.id);
    choose(h, row.info.id);
    h.frames(2);
    h.session.apply(StartAnalysis{});
    h.settle();
    const Analysing& a = h.state().analyses.at(row.info.id);
    EXPECT_EQ(a.job, nullptr);
    // The kernels of this catalog have neither cache policies nor axpy: that is said, not drawn.
    EXPECT_EQ(a.figure == nullptr, !a.problem.empty()) << a.problem;
    const std::string says = a.figure ? row.info.formula : a.problem;
    EXPECT_TRUE(small || h.shows(says)) << says;
    sweep(h);
  }
  EXPECT_NE(h.state().analyses.at("throughput").figure, nullptr);
  EXPECT_NE(h.state().analyses.at("coop").figure, nullptr);
  EXPECT_NE(h.state().analyses.at("times").problem, "");
  for (const ThemeId theme : {ThemeId::dark, ThemeId::paper}) {
    h.session.apply(ui::choose("theme", theme));
    h.frames(3);
  }
}
INSTANTIATE_TEST_SUITE_P(Sizes, EveryAnalysis, testing::Bool());

TEST(Analysing, NeedsAMatrix) {
  Harness h;
  h.session.apply(StartAnalysis{});
  EXPECT_TRUE(h.state().analyses.empty());
  EXPECT_EQ(h.state().messages.back().kind, Message::Kind::note);
}

TEST(Analysing, TakesTheKernelsOfTheRuns) {
  Harness h;
  h.open(laplace);
  for (const char* kernel : {"csr_scalar", "csr_vector"}) {
    h.session.apply(SetKernel{kernel});
    h.session.apply(StartRun{});
    h.settle();
  }
  auto next = h.state().analysis;
  next.kernels = AnalysisSettings::Kernels::of_runs;
  h.session.apply(SetAnalysis{next});
  h.session.apply(StartAnalysis{});
  h.settle();
  EXPECT_EQ(h.state().analyses.at("throughput").result->subjects.size(), 2u);
}

TEST(Analysing, OtherParametersMakeNoRun) {
  Harness h;
  h.open(laplace);
  choose(h, "attainable");
  h.session.apply(StartAnalysis{});
  h.settle();
  const auto before = h.state().analyses.at("attainable").figure;
  const int runs = h.engine.runs;
  auto next = h.state().analysis;
  next.params["attainable"]["bandwidth"] = 500;
  h.session.apply(SetAnalysis{next});
  h.settle();
  EXPECT_NE(h.state().analyses.at("attainable").figure, before);
  EXPECT_EQ(h.engine.runs, runs);
}

TEST(MemoryTab, ShowsTheSelectedRunAndOneBesideIt) {
  Harness h(1500, 950);
  h.session.apply(ShowTab{"memory"});
  h.open(laplace);
  sweep(h);
  EXPECT_EQ(h.state().memory_chart, nullptr);
  h.session.apply(StartRun{});
  h.settle();
  ASSERT_NE(h.state().memory_chart, nullptr);
  EXPECT_EQ(h.state().memory_chart->diagram->headings.size(), 1u);
  h.session.apply(StartRun{});
  h.settle();
  EXPECT_EQ(memory_runs(h.state()).size(), 1u) << "the same device again tells nothing new by itself";
  h.session.apply(ui::choose("run beside", h.state().runs.all().front()->id));
  h.settle();
  EXPECT_EQ(h.state().memory_chart->diagram->headings.size(), 2u);
  sweep(h);
  h.session.apply(RemoveRun{h.state().runs.all().front()->id});
  h.settle();
  EXPECT_EQ(h.state().memory_chart->diagram->headings.size(), 1u);
}

TEST(Roofline, CountsExecutedFlopsOnDemand) {
  Harness h;
  h.open(laplace);
  h.session.apply(StartRun{});
  h.settle();
  const auto id = h.state().runs.all().front()->id;
  EXPECT_FALSE(h.state().points->at(id).empty());
  h.session.apply(ui::choose("flops", FlopCount::executed));
  h.settle();
  EXPECT_TRUE(h.state().points->at(id).empty()) << "this engine does not say how many slots it stored";
  EXPECT_NE(h.state().roofline->x.label.find("executed"), std::string::npos);
  h.session.apply(ui::choose("flops", FlopCount::useful));
  h.settle();
  EXPECT_FALSE(h.state().points->at(id).empty());
}

}  // namespace
