// Verdicts over results that are made up.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/study/report.hpp"
#include "core/study/verdict.hpp"
#include "samples.hpp"

namespace warpspy {
namespace {

using testing::made_up;

// Of run.gflops: A scalar, A vector, B scalar, B vector.
Readings rates(std::array<double, 4> v) {
  const char* const names[4][2] = {{"A", "scalar"}, {"A", "vector"}, {"B", "scalar"}, {"B", "vector"}};
  Readings all;
  for (std::size_t k = 0; k < 4; ++k) all[{names[k][0], names[k][1], "run.gflops"}] = {v[k]};
  return all;
}
std::vector<CellVerdict> verdicts(const Study& s, const Readings& r, bool papers_gpu = true) {
  std::vector<CellVerdict> all;
  for (const Judged& j : judge(s, r, papers_gpu)) all.push_back(j.verdict);
  return all;
}
Judged one(const std::string& claim, const Readings& r, bool papers_gpu = true) {
  return judge(made_up("\"claims\": [" + claim + "]"), r, papers_gpu).front();
}

using V = CellVerdict;

TEST(StudyVerdicts, ARateAgreesBySizeElseByOrder) {
  const Study s = made_up(testing::kRates);
  EXPECT_EQ(verdicts(s, rates({2.2, 3.5, 3, 3})), (std::vector{V::agrees, V::agrees, V::agrees, V::agrees}));
  // Ten times as fast, both: the order is the printed one. B prints a tie, so nothing is said of its order.
  EXPECT_EQ(verdicts(s, rates({20, 40, 30, 10})),
            (std::vector{V::order_agrees, V::order_agrees, V::differs, V::differs}));
  EXPECT_EQ(verdicts(s, rates({40, 20, 3, 3})), (std::vector{V::differs, V::differs, V::agrees, V::agrees}));
}

TEST(StudyVerdicts, OnAnotherGpuOrdersAloneCount) {
  const Study s = made_up(testing::kRates);
  const auto judged = judge(s, rates({2, 4, 3, 3}), false);
  EXPECT_EQ(judged[0].verdict, V::order_agrees);
  EXPECT_EQ(judged[2].verdict, V::not_comparable) << judged[2].reason;
  EXPECT_EQ(verdicts(s, rates({4, 2, 3, 3}), false),
            (std::vector{V::differs, V::differs, V::not_comparable, V::not_comparable}));
}

TEST(StudyVerdicts, AStandInIsNamed) {
  const Study s = made_up(testing::kRates);
  const auto judged = judge(s, rates({2, 4, 30, 30}), true);
  EXPECT_FALSE(judged[0].stand_in);
  EXPECT_TRUE(judged[2].stand_in);
  EXPECT_NE(judged[2].reason.find("stand-in"), std::string::npos) << judged[2].reason;
  const StudySummary sum = summarise(s, judged);
  EXPECT_EQ(sum.own.verdicts[0], 2);
  EXPECT_EQ(sum.stand_ins.verdicts[0], 0);
  EXPECT_EQ(sum.stand_ins.verdicts[2], 2);
}

TEST(StudyVerdicts, TheSummaryCountsEachPairOnce) {
  const Study s = made_up(testing::kRates);
  const StudySummary right = summarise(s, judge(s, rates({2, 4, 3, 3}), true));
  EXPECT_EQ(right.own.pairs, 1);
  EXPECT_EQ(right.own.pairs_right, 1);
  EXPECT_EQ(right.stand_ins.pairs, 0) << "3.00 and 3.05 are a tie";
  EXPECT_DOUBLE_EQ(*right.tau, 1);
  EXPECT_DOUBLE_EQ(*right.share_within(2), 1);
  const StudySummary wrong = summarise(s, judge(s, rates({8, 4, 3, 3}), true));
  EXPECT_DOUBLE_EQ(*wrong.tau, -1);
  EXPECT_DOUBLE_EQ(*wrong.share_within(2), 0.75);
  EXPECT_FALSE(summarise(s, judge(s, {}, true)).tau);
}

TEST(StudyVerdicts, WhatHasNotBeenRunIsMissing) {
  const auto judged = judge(made_up(testing::kRates), {}, true);
  for (const Judged& j : judged) {
    EXPECT_EQ(j.verdict, V::missing);
    EXPECT_EQ(j.reason, "it has not been run");
  }
}

TEST(StudyVerdicts, CountsHaveThePrintedDigitsRoundedOrCutOff) {
  const auto mean = [](double value, const std::string& printed) {
    return one(R"({"name": "mean", "claim": "exact", "quantity": "matrix.mean_row", "matrix": "A", "printed": ")" +
                   printed + "\"}",
               {{{"A", "", "matrix.mean_row"}, {value}}})
        .verdict;
  };
  EXPECT_EQ(mean(64.168, "64.1"), V::agrees);
  EXPECT_EQ(mean(64.168, "64.2"), V::agrees);
  EXPECT_EQ(mean(64.168, "64.0"), V::differs);
  EXPECT_EQ(mean(64.168, "64.3"), V::differs);
  EXPECT_EQ(mean(2999998, "2,999,998"), V::agrees);
  EXPECT_EQ(mean(2999997, "2,999,998"), V::differs);
  EXPECT_EQ(mean(64.168, "64"), V::agrees);
}

TEST(StudyVerdicts, ARatioIsOfTwoSetupsOnAnyGpu) {
  const std::string ratio =
      R"({"name": "r", "claim": "ratio", "quantity": "run.gflops", "matrix": "A", "setup": "vector",
                                "over": {"setup": "scalar"}, )";
  for (const bool papers : {true, false}) {
    EXPECT_EQ(one(ratio + R"("printed": "2.0"})", rates({2, 4.1, 0, 0}), papers).verdict, V::agrees);
    EXPECT_EQ(one(ratio + R"("printed": "3.0"})", rates({2, 4.1, 0, 0}), papers).verdict, V::differs);
  }
  const auto form = [&](const std::string& f) {
    return *one(ratio + R"("unit": "%", "form": ")" + f + R"(", "printed": "50"})", rates({2, 3, 0, 0})).here.value;
  };
  EXPECT_DOUBLE_EQ(form("percent"), 150);
  EXPECT_DOUBLE_EQ(form("gain"), 50);
  EXPECT_DOUBLE_EQ(form("loss"), -50);
}

TEST(StudyVerdicts, AnIntervalAgreesFromItsEdgeOn) {
  const std::string least =
      R"({"name": "r", "claim": "rate", "unit": "GFLOP/s", "quantity": "run.gflops", "setup": "scalar",
                                "matrix": "A", "printed": "12.5", "least": 12.5})";
  EXPECT_EQ(one(least, rates({90, 0, 0, 0})).verdict, V::agrees);
  EXPECT_EQ(one(least, rates({12.4, 0, 0, 0})).verdict, V::differs);
}

TEST(StudyVerdicts, AnAggregateIsOverItsMatricesOrSaysWhichLacks) {
  const auto over = [](const std::string& how, const Readings& r) {
    return one(R"({"name": "m", "claim": "rate", "unit": "GFLOP/s", "quantity": "run.gflops", "setup": "scalar",
                   "printed": "2", "matrices": ["A", "B"], "aggregate": ")" +
                   how + "\"}",
               r);
  };
  const Readings r = rates({2, 0, 4, 0});
  EXPECT_DOUBLE_EQ(*over("min", r).here.value, 2);
  EXPECT_DOUBLE_EQ(*over("max", r).here.value, 4);
  EXPECT_DOUBLE_EQ(*over("mean", r).here.value, 3);
  EXPECT_DOUBLE_EQ(*over("median", r).here.value, 3);
  EXPECT_TRUE(over("mean", r).stand_in);
  Readings half = r;
  half[{"B", "scalar", "run.gflops"}] = {std::nullopt, "it failed"};
  EXPECT_EQ(over("mean", half).verdict, V::missing);
  EXPECT_EQ(over("mean", half).reason, "B: it failed");
}

// Each matrix beside itself in another order: the first over the first, and so on.
TEST(StudyVerdicts, AnAggregateMayBeOverOtherMatrices) {
  const std::string gain = R"({"name": "m", "claim": "ratio", "form": "gain", "unit": "%", "quantity": "run.gflops",
                               "setup": "scalar", "printed": "5", "aggregate": "mean", "matrices": ["A", "B"], )";
  const Judged j = one(gain + R"("over": {"matrices": ["B", "A"]}})", rates({2, 0, 4, 0}));
  EXPECT_DOUBLE_EQ(*j.here.value, (-50.0 + 100) / 2);
  EXPECT_TRUE(j.stand_in);
  EXPECT_DOUBLE_EQ(*one(gain + R"("over": {"setup": "vector"}})", rates({2, 1, 4, 8})).here.value, (100.0 - 50) / 2);
}

TEST(StudyVerdicts, AWinnerIsTheLargestAndATieIsNone) {
  const std::string winner = R"({"name": "w", "claim": "winner", "quantity": "run.gflops", "matrix": "A",
                                 "among": ["scalar", "vector"], "printed": "vector"})";
  EXPECT_EQ(one(winner, rates({2, 4, 0, 0})).verdict, V::agrees);
  EXPECT_EQ(one(winner, rates({4, 2, 0, 0})).verdict, V::differs);
  EXPECT_EQ(one(winner, rates({4, 2, 0, 0})).winner, "scalar");
  EXPECT_EQ(one(winner, rates({4.1, 4, 0, 0})).verdict, V::not_comparable);
}

TEST(StudyVerdicts, OrdersAreACellForEachPair) {
  const Study s = made_up(R"("claims": [{"name": "o", "claim": "order", "quantity": "run.gflops", "setup": "vector",
                                        "than": ["scalar"], "matrices": ["A", "B"]}])");
  ASSERT_EQ(s.cells.size(), 2u);
  EXPECT_EQ(verdicts(s, rates({2, 4, 4, 2})), (std::vector{V::agrees, V::differs}));
  const Study of_matrices = made_up(R"("claims": [{"name": "o", "claim": "order", "quantity": "run.gflops",
                                        "setup": "vector", "matrix": "A", "than_matrices": ["B"]}])");
  EXPECT_EQ(verdicts(of_matrices, rates({0, 4, 0, 2})), (std::vector{V::agrees}));
}

TEST(StudyVerdicts, GapsFootnotesAndWhatCannotBeHaveReasons) {
  const Study s = made_up(R"json("claims": [
    {"name": "gap", "gap": "lost in the text", "quantity": "run.gflops", "setup": "scalar", "matrix": "A"},
    {"name": "cpu", "printed": "3.2", "not_comparable": "a CPU"},
    {"name": "solve", "printed": "(8.4)", "footnote": "inferred", "missing": "needs a solver"}])json");
  const auto judged = judge(s, rates({1, 1, 1, 1}), true);
  EXPECT_EQ(judged[0].verdict, V::missing);
  EXPECT_EQ(judged[0].reason, "lost in the text");
  EXPECT_EQ(judged[1].verdict, V::not_comparable);
  EXPECT_EQ(judged[2].verdict, V::missing);
  EXPECT_DOUBLE_EQ(*s.cells[2].value, 8.4);
  const std::string text = to_text({std::make_shared<const Study>(s), judged, {}, "", ""});
  EXPECT_NE(text.find("(8.4)*"), std::string::npos) << text;
  EXPECT_NE(text.find("inferred"), std::string::npos) << text;
}

TEST(StudyVerdicts, ReportsHaveEveryCell) {
  const Study s = made_up(testing::kRates);
  const StudyReport r{std::make_shared<const Study>(s), judge(s, rates({9, 2, 3, 3}), true),
                      judge(s, rates({1, 2, 3, 4}), false), "A_B & C", "test"};
  const std::string csv = to_csv(r), tex = to_latex(r), json = to_json(r), deviations = deviations_of(r);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  EXPECT_NE(tex.find("A\\_B \\& C"), std::string::npos);
  for (const char* rule : {"\\toprule", "\\midrule", "\\bottomrule"}) EXPECT_NE(tex.find(rule), std::string::npos);
  EXPECT_NE(json.find("\"warpspy-study-result-1\""), std::string::npos);
  EXPECT_NE(deviations.find("A, vector: printed 4.0 GFLOP/s, here 2 GFLOP/s"), std::string::npos) << deviations;
  EXPECT_NE(deviations.find("Unexplained"), std::string::npos) << deviations;
}

}  // namespace
}  // namespace warpspy
