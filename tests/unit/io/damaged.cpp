// Damaged files, and valid ones that did harm: each gives what the table beside them says. Skipped where the folder is
// absent.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "open_helper.hpp"
#include "tests/shared.hpp"

namespace warpspy {
namespace {

TEST(Damaged, EveryFileGivesWhatIsExpected) {
  const std::string folder = test::kSharedMatrices + "damaged/";
  if (!std::filesystem::exists(folder + "EXPECT.tsv")) GTEST_SKIP() << test::needs_shared(folder);
  const auto rows = test::table(folder + "EXPECT.tsv");
  ASSERT_FALSE(rows.empty());
  ::testing::internal::CaptureStderr();
  for (const auto& row : rows) {
    if (!row[0].ends_with(".mat")) continue;
    SCOPED_TRACE(row[0] + ": " + row.at(2));
    try {
      test::open(folder + row[0]);
      EXPECT_EQ(row.at(1), "accept");
    } catch (const Error& e) {
      EXPECT_EQ(row.at(1), "reject") << e.what();
      EXPECT_TRUE(e.where.starts_with(folder + row[0])) << e.where;
      EXPECT_FALSE(e.remedy.empty());
      const std::string line = e.what();
      EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; })) << line;
    }
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace warpspy
