// A matrix and its orders in one line: read back as they were written, and errors that name what there is.
#include "core/reorder/recipe.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/base/types.hpp"
#include "core/reorder/reorder.hpp"

namespace warpspy {
namespace {

TEST(MatrixRecipe, OfEveryOrderIsReadBack) {
  for (const ReorderRow& row : reorderings()) {
    ReorderStep step = {row.info.id};
    for (const ParamSpec& p : row.info.params) step.params[p.id] = p.max;
    if (row.info.takes_file) step.file = "some orders/of mine.txt";
    EXPECT_EQ(step_of(step.text()), step) << step.text();
    const MatrixRecipe recipe = {"gen:laplace5?nx=3&ny=3", {step, {"rcm"}}};
    EXPECT_EQ(recipe_of(recipe.text()), recipe) << recipe.text();
  }
}

TEST(MatrixRecipe, AChoiceMayStandByItsWord) {
  EXPECT_EQ(step_of("length order=shortest").params.at("order"), 1);
  EXPECT_EQ(in_order("a.mtx", "none"), "a.mtx");
  EXPECT_EQ(in_order("a.mtx | rcm", "metis  parts=4"), "a.mtx | rcm | metis parts=4");
  EXPECT_EQ(name_in_order("a", recipe_of("a.mtx | rcm | file b.txt").steps), "a (RCM) (permuted)");
}

TEST(MatrixRecipe, WhatItDoesNotKnowIsNamed) {
  struct Case {
    const char *text, *told;
  };
  constexpr Case cases[] = {
      {"a.mtx | rmc", "known: rcm, amd"},          {"a.mtx | rcm parts=4", "it has none"},
      {"a.mtx | metis party=4", "known: parts"},   {"a.mtx | metis parts=four", "'four' is no value"},
      {"a.mtx | metis parts", "known: parts, as"}, {"a.mtx | ", "known: rcm"}};
  for (const Case& c : cases) {
    try {
      recipe_of(c.text);
      ADD_FAILURE() << c.text << " was taken";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(c.told), std::string::npos) << e.what();
    }
  }
}

TEST(MatrixRecipe, AFileOfThatVeryNameIsThatFile) {
  namespace fs = std::filesystem;
  const std::string name = fs::path(::testing::TempDir()) / ("warpspy " + std::to_string(getpid()) + " | rcm");
  std::ofstream(name) << "x";
  EXPECT_EQ(recipe_of(name), (MatrixRecipe{name, {}}));
  fs::remove(name);
  EXPECT_EQ(recipe_of(name).steps.size(), 1u);
}

}  // namespace
}  // namespace warpspy
