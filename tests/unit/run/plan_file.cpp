// Plans as files: what is read, and what is said of what is none.
#include "core/run/plan_file.hpp"

#include <gtest/gtest.h>

#include "core/base/types.hpp"

namespace warpspy {
namespace {

Error refused(const std::string& text) {
  try {
    plan_file_from_json(text, "studies/a.json");
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << "not refused: " << text;
  return Error("");
}

TEST(PlanFile, NamesItsCommandMatricesAndOptions) {
  const PlanFile p = plan_file_from_json(
      R"({"warpspy_plan": 1, "plan": "bench", "matrices": ["a.mtx", "/b.mtx", "gen:laplace5"],
          "precision": ["f32", "f64"], "budget": 0.5, "both": true})",
      "studies/a.json");
  EXPECT_EQ(p.command, "bench");
  EXPECT_EQ(p.matrices, (std::vector<std::string>{"studies/a.mtx", "/b.mtx", "gen:laplace5"}));
  const std::vector<PlanFile::Field> fields = {{"precision", {"f32", "f64"}}, {"budget", {"0.5"}}, {"both", {"on"}}};
  EXPECT_EQ(p.fields, fields);
}

TEST(PlanFile, WithoutACommandItIsASweep) {
  EXPECT_EQ(plan_file_from_json(R"({"matrices": ["a.mtx"], "kernels": ["ell"]})", "a.json").command, "sweep");
  EXPECT_EQ(plan_file_from_json(R"({"plan": "sweep"})", "a.json").command, "sweep");
}

TEST(PlanFile, WhatIsNoneSaysWhereAndWhatToDo) {
  for (const auto& [text, said] :
       {std::pair{"[]", "no JSON object"},
        {R"({"plan": "dance", "matrices": "a"})", "no plan \"dance\""},
        {R"({"plan": "bench"})", "names no matrix"},
        {R"({"plan": "bench", "matrices": []})", "empty list"},
        {R"({"plan": "bench", "matrices": "a", "budget": {}})", "neither a text nor a number"},
        {R"({"plan": 7, "matrices": "a"})", "another kind than expected"},
        {R"({"warpspy_plan": 2, "plan": "bench", "matrices": "a"})", "newer Warpspy"},
        {"{\n\"plan\"\n", "no JSON from line 3 on"}}) {
    const Error e = refused(text);
    EXPECT_NE(e.reason.find(said), std::string::npos) << text << ": " << e.reason;
    EXPECT_EQ(e.where, "studies/a.json") << text;
    EXPECT_FALSE(e.remedy.empty()) << text;
  }
}

}  // namespace
}  // namespace warpspy
