// Reports of the benchmark as a grid: what the performance profile of ours and the library's is made of.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/base/types.hpp"
#include "profiling/bench/grid.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

// A report with the cases that stand in `rows`.
std::string report_of(const std::string& name, const std::string& rows) {
  const std::string path = (fs::path(::testing::TempDir()) / name).string();
  std::ofstream(path) << R"({"device": "Toy GPU", "against": "cuSPARSE", "library_version": "1.2", "rows": [)" << rows
                      << "]}";
  return path;
}
// Ours overlaps unless it takes as long where each product waits.
std::string row(const std::string& matrix, double own, double waiting, double library) {
  const auto side = [](double us, bool overlap) {
    return R"({"time_us": )" + std::to_string(us) + R"(, "params": {"overlap": )" + (overlap ? "1" : "0") + "}}";
  };
  return R"({"matrix": ")" + matrix +
         R"(", "nnz": 1000, "operation": "product", "cache_state": "warm", "precision": "f32", "own": )" +
         side(own, own != waiting) + R"(, "in_order": )" + (own != waiting ? side(waiting, false) : "null") +
         R"(, "library": )" + (library > 0 ? side(library, false) : "null") + "}";
}

TEST(BenchGrid, OursAndTheLibrarysOfEachMatrix) {
  const std::string first = report_of("first.json", row("a", 4, 5, 8) + "," + row("b", 6, 6, 0));
  const std::string later = report_of("later.json", row("a", 2, 3, 8));
  BenchGridOptions options;
  const RunGrid grid = grid_of_bench({first, later}, options);
  EXPECT_EQ(grid.matrices, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(grid.columns.size(), 2u);
  EXPECT_NE(grid.columns[1].find("cuSPARSE 1.2"), std::string::npos);
  EXPECT_EQ(grid.at(0, 0).us, 2);  // the later report's
  EXPECT_EQ(grid.at(0, 0).gflops, 2 * 1000 / 2.0 * 1e-3);
  EXPECT_EQ(grid.at(0, 0).provenance, Provenance::measured);
  EXPECT_EQ(grid.at(0, 1).us, 8);
  EXPECT_EQ(grid.at(1, 1).is, RunGrid::Is::failed);
  EXPECT_NE(grid.conditions.find("Toy GPU"), std::string::npos);

  options.in_order = true;
  const RunGrid waiting = grid_of_bench({first}, options);
  EXPECT_EQ(waiting.at(0, 0).us, 5);
  EXPECT_EQ(waiting.at(1, 0).us, 6) << "what does not overlap waits anyway";

  options.precision = Precision::f64;
  EXPECT_TRUE(grid_of_bench({first}, options).empty());
}

TEST(BenchGrid, WhatIsNoReportIsRefused) {
  for (const std::string text : {"", "{}", "[1]", R"({"rows": [{}]})"}) {
    const std::string path = (fs::path(::testing::TempDir()) / "other.json").string();
    std::ofstream(path) << text;
    try {
      grid_of_bench({path}, {});
      FAIL() << text;
    } catch (const Error& e) {
      EXPECT_EQ(e.where, path);
      EXPECT_NE(e.remedy.find("warpspy bench"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace warpspy
