// What goes out of a study, and what comes with the program: the bundle, single cells, files in the place of
// stand-ins, how far a GPU was held.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/generate/generate.hpp"
#include "core/study/files.hpp"
#include "core/study/held.hpp"
#include "core/study/report.hpp"
#include "samples.hpp"

namespace warpspy {
namespace {

using testing::made_up;

StudyReport report_of(const Study& s, std::initializer_list<double> gflops) {
  Readings readings;
  const char* const places[][2] = {{"A", "scalar"}, {"A", "vector"}, {"B", "scalar"}, {"B", "vector"}};
  std::size_t k = 0;
  for (const double v : gflops) {
    readings[{places[k][0], places[k][1], "run.gflops"}] = {v, {}, Provenance::modelled};
    ++k;
  }
  return {std::make_shared<const Study>(s), judge(s, readings, true), {}, "", "Warpspy 1"};
}

TEST(StudyOutcomes, ABundleHasACommandForEachClaim) {
  const StudyReport r = report_of(made_up(testing::kRates), {9, 2, 3, 3});
  const auto files = bundle_of(r, "{the study}");
  std::map<std::string, std::string> by_name(files.begin(), files.end());
  EXPECT_EQ(by_name.at("study.json"), "{the study}");
  const std::string& claims = by_name.at("claims.csv");
  EXPECT_EQ(std::count(claims.begin(), claims.end(), '\n'), 5);
  EXPECT_NE(claims.find("warpspy study run study.json --cell 'A, scalar'"), std::string::npos) << claims;
  EXPECT_NE(claims.find("to a factor of 1.3"), std::string::npos);
  EXPECT_NE(by_name.at("README.md").find("gen:laplace5?nx=20&ny=10"), std::string::npos) << "the stand-in is named";
  for (const char* name : {"study.txt", "study.csv", "study.result.json", "study.tex", "deviations.md"})
    EXPECT_FALSE(by_name.at(name).empty()) << name;
}

TEST(StudyOutcomes, ASingleCellKeepsThoseThatItsOrderNeeds) {
  const Study s = made_up(testing::kRates);
  const Study one = only_cells(s, {"A, scalar"});
  ASSERT_EQ(one.cells.size(), 2u);
  EXPECT_EQ(one.cells[1].name(), "A, vector");
  EXPECT_THROW(only_cells(s, {"A, nothing"}), Error);
}

TEST(StudyOutcomes, AllOfThemSayWhyACellDiffers) {
  Study s = made_up(testing::kRates);
  s.cells[0].known = "a misprint";
  const StudyReport r = report_of(s, {9, 2, 30, 3});
  EXPECT_EQ(explanation_of(s.cells[0], r.modelled[0]), "a misprint");
  EXPECT_EQ(explanation_of(s.cells[1], r.modelled[1]), "unexplained");
  EXPECT_EQ(explanation_of(s.cells[2], r.modelled[2]), "unexplained, on a stand-in");
  EXPECT_EQ(gpu_of(s, s.cells[0]), "gtx280");
}

class StudyFilesGiven : public ::testing::Test {
 protected:
  std::string of(const std::string& path, const std::string& spec) {
    Progress progress;
    return matrix_of_file(study_, path, generate(spec, progress));
  }
  void SetUp() override {
    study_.matrices["B"].source = "gen:like?name=cant&seed=1";
    study_.matrices["B"].rows = 200, study_.matrices["B"].columns = 200, study_.matrices["B"].nnz = 940;
  }
  Study study_ = made_up(testing::kRates);
};

TEST_F(StudyFilesGiven, AreKnownByNameOrBySize) {
  EXPECT_EQ(of("/home/a/cant.mtx.gz", "laplace5?nx=20&ny=10"), "B");
  EXPECT_EQ(of("/home/a/B.mtx", "laplace5?nx=20&ny=10"), "B");
  EXPECT_EQ(of("/home/a/renamed.mtx", "laplace5?nx=20&ny=10"), "B");
}

TEST_F(StudyFilesGiven, OthersAreRefusedWithTheReason) {
  const struct {
    const char *path, *spec, *says;
  } bad[] = {{"cant.mtx", "laplace5?nx=10&ny=10", "another matrix than the paper's B: it has 100 rows"},
             {"renamed.mtx", "laplace5?nx=10&ny=10", "none is called so, and none has 100 rows"}};
  for (const auto& b : bad) try {
      of(b.path, b.spec);
      ADD_FAILURE() << b.path << " was taken";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(b.says), std::string::npos) << e.what();
    }
  study_.matrices["B"].hash = "0123456789abcdef";
  EXPECT_THROW(of("cant.mtx", "laplace5?nx=20&ny=10"), Error) << "of the same size, with other numbers";
}

TEST(StudyOutcomes, ProductsAreKeptByBuild) {
  EXPECT_EQ(kept_study_folder("/data/runs.sqlite", "0.1.0 (f0ec16a8)", "hr-table7"),
            "/data/studies/0.1.0-f0ec16a8/hr-table7");
  EXPECT_EQ(kept_study_folder("", "0.1.0", "hr-table7"), "");
}

constexpr const char* kResults = R"({"schema": "warpspy-study-results-1", "made_by": "Warpspy 1", "date": "2026-11-28",
  "gpus": {"gtx280": {"numbers": 61, "right": 54, "rates": 40, "median_factor": 1.31, "source": "docs/studies.md"},
           "h200": {"numbers": 0, "right": 0, "rates": 0, "median_factor": null, "measured": "412 measured products", "source": "docs/validation.md"}},
  "studies": {"a": {"seconds": 184, "verdicts": {"agrees": 2, "order agrees": 0, "differs": 1, "not comparable": 0, "missing": 0}}}})";

TEST(StudyResultsKept, SayHowFarAGpuWasHeld) {
  const StudyResults r = study_results_from_json(kResults);
  EXPECT_EQ(held_text(r, "gtx280"),
            "held against 61 printed numbers: size or order right for 54, rates within 1.3 times");
  EXPECT_EQ(held_text(r, "h200"), "held against 412 measured products");
  EXPECT_EQ(held_text(r, "v100"), "not held against anything");
  EXPECT_NE(held_help(r, "gtx280").find("docs/studies.md"), std::string::npos);
  EXPECT_EQ(cost_text(r, "a", 12), "12 products, about 3 min");
  EXPECT_EQ(cost_text(r, "b", 12), "12 products; how long they take is not known");
  EXPECT_EQ(cost_text(r, "b", 0), "counts alone");
}

TEST(StudyResultsKept, EditedByHandAreRefused) {
  for (const char* text :
       {"", "[]", "{}", R"({"schema": "warpspy-study-results-2"})",
        R"({"schema": "warpspy-study-results-1", "made_by": 3, "date": "", "gpus": {}, "studies": {}})",
        R"({"schema": "warpspy-study-results-1", "made_by": "", "date": "", "gpus": {"a": {}}, "studies": {}})"})
    EXPECT_THROW(study_results_from_json(text, "results.json"), Error) << text;
}

}  // namespace
}  // namespace warpspy
