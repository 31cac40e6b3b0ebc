// The tab Studies: the list, a study run, stopped and gone on with, the way from a cell to its run and its warp, files
// in the place of stand-ins, what goes out.
#include <algorithm>

#include "core/study/files.hpp"
#include "core/sweep/folder.hpp"
#include "tests/ui/hands.hpp"
#include "tests/ui/study_folder.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

class StudiesTab : public testing::Test {
 protected:
  void open(Harness& h, const char* id = "made-up") const {
    h.session.apply(ShowTab{"studies"});
    h.settle();
    h.session.apply(choose("study", id));
    h.settle();
  }
  void run(Harness& h) const {
    h.session.apply(SteerStudy{});
    h.settle();
  }
  static const OpenStudy& shown(const Harness& h) { return *h.state().studies.shown(); }
  static CellVerdict verdict(const Harness& h, std::size_t cell) { return shown(h).report->modelled.at(cell).verdict; }
  static std::string last(const Harness& h) { return h.state().messages.empty() ? "" : h.state().messages.back().text; }

  const StudyFolder folder_;
};

TEST_F(StudiesTab, ListsThemByPaperAndOpensOneByAClick) {
  Harness h(1280, 800, 1, folder_.options());
  h.session.apply(ShowTab{"studies"});
  h.settle();
  for (const char* words : {"Nobody 2026", "Table 1", "Two kernels on two grids", "set aside", "2 agrees"})
    EXPECT_TRUE(h.shows(words)) << words;
  click_at(h.find("Two kernels on two grids"), [&] { h.frames(); });
  h.settle();
  EXPECT_EQ(h.state().studies.open, "made-up");
  for (const char* words : {"All studies", "page 7", "3 products, about 3 min on 16 cores", "1 stand-in:"})
    EXPECT_TRUE(h.shows(words)) << words;
  EXPECT_EQ(h.engine.runs, 0);
}

TEST_F(StudiesTab, EachCellHasItsVerdictAndItsReason) {
  Harness h(1280, 800, 1, folder_.options());
  open(h);
  run(h);
  EXPECT_EQ(h.engine.runs, 3);  // a gap asks for nothing, and neither does a kernel that is gone
  ASSERT_EQ(shown(h).report->modelled.size(), 6u);
  EXPECT_EQ(verdict(h, 1), CellVerdict::agrees) << shown(h).report->modelled[1].reason;
  EXPECT_EQ(verdict(h, 2), CellVerdict::differs);
  EXPECT_EQ(verdict(h, 3), CellVerdict::missing);
  EXPECT_EQ(verdict(h, 4), CellVerdict::missing);
  EXPECT_EQ(verdict(h, 5), CellVerdict::agrees);
  for (const char* words : {"lost in the print", "no kernel no_such_kernel any more", "differs (stand-in)", "90*"})
    EXPECT_TRUE(h.shows(words)) << words;
  EXPECT_TRUE(h.shows(verdicts_text(shown(h).report->modelled)));
  EXPECT_NE(h.state().studies.figure, nullptr);
}

// One that is far down is scrolled to.
TEST_F(StudiesTab, TheCellThatIsLookedAtIsSeen) {
  Harness h(900, 520, 1, folder_.options());
  open(h);
  run(h);
  const auto entries = [&] {
    return std::any_of(h.shown.begin(), h.shown.end(), [](const Shown& s) { return s.words == "460"; });
  };
  h.session.apply(choose("study cell", std::uint64_t{1}));
  h.settle();
  EXPECT_FALSE(entries()) << "there is room for all of them";
  h.session.apply(choose("study cell", std::uint64_t{6}));
  h.settle();
  h.frames(2);
  EXPECT_TRUE(entries());
}

TEST_F(StudiesTab, ACellLeadsToItsRunItsWarpAndWhatLimitsIt) {
  Harness h(1280, 800, 1, folder_.options());
  open(h);
  run(h);
  EXPECT_TRUE(h.state().matrices.empty()) << "a study opens none beside what is looked at";
  h.session.apply(choose("study cell", std::uint64_t{3}));
  h.settle();
  EXPECT_TRUE(h.shows("the matrix is a stand-in"));
  h.session.apply(FollowStudyCell{StudyWay::run});
  h.settle();
  EXPECT_EQ(h.state().tab, "runs");
  ASSERT_TRUE(h.state().current());
  EXPECT_EQ(h.state().current()->source, "gen:laplace5?nx=20&ny=10");
  const auto selected = h.state().run(h.state().selected_run);
  ASSERT_TRUE(selected);
  EXPECT_EQ(selected->request.kernel, "csr_scalar");
  EXPECT_EQ(h.engine.runs, 3) << "nothing ran for it";
  h.session.apply(FollowStudyCell{StudyWay::warp});
  h.settle();
  EXPECT_EQ(h.state().tab, "warp");
  EXPECT_EQ(h.state().warp.run, selected->id);
  h.session.apply(FollowStudyCell{StudyWay::why});
  h.settle();
  EXPECT_EQ(h.state().tab, "diagnosis");
  EXPECT_EQ(h.state().runs.all().size(), 1u) << "the same run is listed once";
  h.session.apply(choose("study cell", std::uint64_t{4}));
  h.session.apply(FollowStudyCell{StudyWay::run});
  EXPECT_NE(last(h).find("No run is behind this number: lost in the print"), std::string::npos) << last(h);
}

TEST_F(StudiesTab, WhatWasStoppedIsKeptAndGoesOn) {
  {
    Harness h(1280, 800, 1, folder_.options());
    open(h);
    h.engine.answers = 2;
    h.session.apply(SteerStudy{});
    while (h.engine.runs < 3) h.frames();
    EXPECT_TRUE(h.shows("Stop"));
    h.session.apply(SteerStudy{SteerStudy::To::stop});
    h.settle();
    EXPECT_EQ(h.state().studies.running, "");
    EXPECT_TRUE(h.shows("Run goes on there"));
    EXPECT_EQ(shown(h).done, 2u);
  }
  Harness h(1280, 800, 1, folder_.options());
  open(h);
  EXPECT_EQ(shown(h).done, 2u) << "as it was left";
  EXPECT_TRUE(h.shows("Go on"));
  EXPECT_EQ(h.engine.runs, 0);
  run(h);
  EXPECT_EQ(h.engine.runs, 1) << "the others were not run again";
  EXPECT_EQ(shown(h).done, 3u);
}

TEST_F(StudiesTab, WhileAnotherProgramRunsItItIsRefused) {
  Harness h(1280, 800, 1, folder_.options());
  open(h);
  const SweepFolder held(kept_study_folder(folder_.at("runs.sqlite"), "0.1 (test)", "made-up"),
                         SweepFolder::For::running);
  run(h);
  EXPECT_EQ(h.engine.runs, 0);
  EXPECT_EQ(h.state().studies.running, "");
  EXPECT_FALSE(h.state().studies.said.empty());
}

TEST_F(StudiesTab, ARealFileTakesThePlaceOfTheStandIn) {
  Harness h(1280, 800, 1, folder_.options());
  open(h);
  folder_.write("b.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n");
  h.session.apply(DropFiles{{folder_.at("b.mtx")}});
  h.settle();
  EXPECT_NE(last(h).find("another matrix than the paper's B: it has 2 rows"), std::string::npos) << last(h);
  EXPECT_TRUE(shown(h).files.empty());
  EXPECT_TRUE(h.state().matrices.empty()) << "it was meant for the study";
  std::string text = "%%MatrixMarket matrix coordinate real general\n200 200 940\n";
  for (int k = 0; k < 940; ++k)
    text += std::to_string(k % 200 + 1) + " " + std::to_string((k % 200 + k / 200) % 200 + 1) + " 1\n";
  folder_.write("paper.mtx", text);
  h.session.apply(DropFiles{{folder_.at("paper.mtx")}});
  h.settle();
  ASSERT_EQ(shown(h).files.size(), 1u) << last(h);
  EXPECT_EQ(shown(h).files.at("B"), folder_.at("paper.mtx")) << "known by its size";
  run(h);
  EXPECT_FALSE(shown(h).report->modelled[2].stand_in);
  EXPECT_TRUE(h.shows("B is " + folder_.at("paper.mtx")));
}

TEST_F(StudiesTab, GoesOutAsTableFigureAndBundle) {
  std::string copied;
  SessionOptions options = folder_.options();
  options.clipboard = [&](const std::string& text) { copied = text; };
  Harness h(1280, 800, 1, options);
  open(h);
  run(h);
  const std::pair<const char*, const char*> ways[] = {
      {"Copy CSV", "study,row,column"}, {"LaTeX", "\\toprule"}, {"Deviations", "# Deviations of made-up"}};
  for (const auto& [label, words] : ways) {
    click_at(h.find(label), [&] { h.frames(); });
    h.settle();
    EXPECT_NE(copied.find(words), std::string::npos) << label;
  }
  h.session.apply(SaveStudy{folder_.at("bundle")});
  h.settle();
  for (const char* file : {"README.md", "claims.csv", "study.json", "study.tex", "deviations.md"})
    EXPECT_TRUE(std::filesystem::exists(folder_.at(std::string("bundle/") + file))) << file;
  h.session.apply(SaveStudy{folder_.at("bundle")});
  h.settle();
  EXPECT_NE(last(h).find("not empty"), std::string::npos) << last(h);
  for (const char* ending : {"svg", "pdf", "csv"}) {
    h.session.apply(ExportFigure{.what = "study", .path = folder_.at(std::string("f.") + ending)});
    h.settle();
    EXPECT_TRUE(std::filesystem::exists(folder_.at(std::string("f.") + ending))) << ending << ": " << last(h);
  }
}

TEST_F(StudiesTab, ASimulatedGpuSaysHowFarItWasHeld) {
  for (const bool known : {true, false}) {
    Harness h(1280, 800, 1, known ? folder_.options() : Harness::quiet());
    h.settle();
    EXPECT_EQ(h.shows("Model held against 61 printed numbers: size or order right for 54, rates within 1.3 times"),
              known);
  }
}

TEST_F(StudiesTab, AFileOfAStudyIsOpenedAsOne) {
  Harness h(1280, 800, 1, folder_.options());
  h.session.apply(OpenSources{{folder_.at("studies/made-up.json")}});
  h.settle();
  EXPECT_EQ(h.state().tab, "studies");
  EXPECT_EQ(h.state().studies.open, "made-up");
  EXPECT_TRUE(h.state().matrices.empty());
  folder_.write("broken.json", R"({"schema": "warpspy-study-1", "id": "x", "nothing": 1})");
  h.session.apply(OpenSources{{folder_.at("broken.json")}});
  h.settle();
  EXPECT_NE(last(h).find("nothing"), std::string::npos) << last(h);
}

TEST_F(StudiesTab, RunsOnTheChosenDeviceToo) {
  Harness h(1280, 800, 1, folder_.options());
  open(h);
  h.session.apply(choose("study here", true));
  run(h);
  ASSERT_EQ(shown(h).report->here.size(), 6u);
  EXPECT_EQ(shown(h).report->device, "Toy GPU");
  EXPECT_EQ(shown(h).report->here[1].verdict, CellVerdict::agrees) << "it is the paper's own";
  EXPECT_TRUE(h.shows("; here: agrees"));
}

TEST_F(StudiesTab, StandsInSmallWindows) {
  for (const float width : {1024.f, 640.f}) {
    Harness h(width, width * 0.75f, 1, folder_.options());
    open(h);
    run(h);
    h.session.apply(choose("study cell", std::uint64_t{3}));
    h.settle();
    EXPECT_TRUE(h.shows("All studies")) << width;
    if (width > 1000) {
      EXPECT_TRUE(h.shows("differs (stand-in)"));  // the smaller one scrolls
    }
  }
}

}  // namespace
