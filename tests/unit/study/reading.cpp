// Files of studies that are wrong, and what is said of them.
#include <gtest/gtest.h>

#include "core/study/quantity.hpp"
#include "samples.hpp"

namespace warpspy {
namespace {

using testing::made_up;
using testing::study_text;

void expect_refused(const std::string& text, const std::string& says) {
  try {
    study_from_json(text, "made-up.json");
    ADD_FAILURE() << "taken: " << says;
  } catch (const Error& e) {
    EXPECT_EQ(e.where, "made-up.json");
    EXPECT_FALSE(e.remedy.empty()) << e.what();
    EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what();
  }
}
void expect_claim_refused(const std::string& claim, const std::string& says) {
  expect_refused(study_text("\"claims\": [{\"name\": \"c\", " + claim + "}]"), says);
}

TEST(StudyFiles, WhatIsWrongIsSaidWithItsPlace) {
  expect_refused("{", "no JSON");
  expect_refused(std::string(200, '[') + std::string(200, ']'), "nested deeper");
  expect_refused(R"({"schema": "warpspy-study-9"})", "warpspy-study-9");
  expect_refused(R"({"schem": 1})", "unknown field \"schem\"");
  expect_refused(study_text("\"claims\": []"), "no cells");
  expect_refused(
      study_text(R"("tables": [{"columns": [{"name": "x"}], "rows": [{"name": "r", "cells": ["1", "2"]}]}])"),
      "row \"r\": it has 2 cells, and the table 1 columns");
  const std::string good = R"("printed": "1", "quantity": "run.gflops", "setup": "scalar", "matrix": "A")";
  EXPECT_EQ(made_up("\"claims\": [{\"name\": \"c\", " + good + "}]").cells.size(), 1u);
  expect_claim_refused(R"("printed": "1")", "it has no quantity");
  expect_claim_refused(R"("quantity": "matrix.nnz", "matrix": "A")", "nothing is printed");
  expect_claim_refused(R"("printed": "ten", "quantity": "matrix.nnz", "matrix": "A")", "\"ten\" is no number");
  expect_claim_refused(R"("printed": "1", "value": 2, "quantity": "matrix.nnz", "matrix": "A")", "two numbers");
  expect_claim_refused(R"("printed": "1", "gap": "lost")", "printed and a gap");
  expect_claim_refused(R"("printed": "1", "quantity": "matrix.weight", "matrix": "A")", "known: rows");
  expect_claim_refused(R"("printed": "1", "quantity": "nothing")", "no quantity \"nothing\"");
  expect_claim_refused(R"("printed": "1", "quantity": "analysis.latency.z", "setup": "scalar", "matrix": "A")",
                       "known: x");
  expect_claim_refused(R"("printed": "1", "quantity": "matrix.nnz", "matrix": "C")", "known: A, B");
  expect_claim_refused(R"("printed": "1", "quantity": "matrix.nnz")", "is of a matrix");
  expect_claim_refused(R"("printed": "1", "quantity": "run.time", "matrix": "A")", "is of a setup");
  expect_claim_refused(good + R"(, "within": 0.5)", "it is a factor");
  expect_claim_refused(good + R"(, "claim": "maybe")", "known: exact, rate");
  expect_claim_refused(good + R"(, "setups": "scalar")", "unknown field \"setups\"");
  expect_claim_refused(R"("claim": "winner", "printed": "ell", "quantity": "run.gflops", "matrix": "A",
                          "among": ["scalar", "vector"])",
                       "does not compete");
  expect_claim_refused(R"("claim": "order", "quantity": "run.gflops", "matrix": "A", "setup": "scalar")",
                       "comes behind");
  expect_claim_refused(R"("printed": "1", "quantity": "run.gflops", "setup": "scalar", "aggregate": "mean")",
                       "over no matrices");
  expect_claim_refused(R"("printed": "1", "quantity": "run.gflops", "setup": "scalar", "aggregate": "mean",
                          "matrices": ["A", "B"], "over": {"matrices": ["B"]})",
                       "over 1 matrices, and of 2");
}

TEST(StudyFiles, ManyCellsAreRefused) {
  std::string columns, cells;
  for (int k = 0; k < 1000; ++k) {
    columns += std::string(k ? "," : "") + R"({"name": "c"})";
    cells += std::string(k ? "," : "") + "\"1\"";
  }
  std::string rows;
  for (int k = 0; k < 101; ++k) rows += std::string(k ? "," : "") + R"({"name": "r", "cells": [)" + cells + "]}";
  expect_refused(study_text(R"("defaults": {"missing": "made up"}, "tables": [{"columns": [)" + columns +
                            "], \"rows\": [" + rows + "]}]"),
                 "more than 100000 cells");
}

TEST(StudyFiles, FieldsComeFromDefaultsColumnRowAndCell) {
  const Study s = made_up(R"("defaults": {"claim": "rate", "unit": "ms", "quantity": "run.time", "setup": "vector"},
    "tables": [{"columns": [{"name": "coop 2", "with": {"coop": 2}}],
                "rows": [{"name": "r", "matrix": "A", "with": {"precision": "f64"}, "cells": [{"printed": "16.0", "unit": "s"}]}]}])");
  const StudyCell& c = s.cells.front();
  EXPECT_EQ(c.unit, "s");
  EXPECT_EQ(c.decimals, 1);
  EXPECT_DOUBLE_EQ(c.half_digit, 0.05);
  ASSERT_EQ(c.side.setups.size(), 1u);
  const StudySetup& changed = s.setup(c.side.setups.front());
  EXPECT_EQ(changed.params.at("coop"), "2");
  EXPECT_EQ(changed.options.at("precision"), "f64");
  EXPECT_EQ(s.setup("vector").params.at("coop"), "4");
}

TEST(StudyFiles, AFileTakesThePlaceOfAStandIn) {
  Study s = made_up(testing::kRates);
  s.replace("B", "b.mtx");
  EXPECT_EQ(s.matrix("B").source, "b.mtx");
  EXPECT_EQ(s.matrix("B").kind, StudyMatrix::Kind::file);
  EXPECT_THROW(s.replace("C", "b.mtx"), Error);
}

}  // namespace
}  // namespace warpspy
