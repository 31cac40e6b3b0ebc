// A matrix in another order: written, its permutation read back, named behind a matrix in any command, swept over.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "program.hpp"

namespace warpspy::testing {
namespace {

using nlohmann::json;

// Far from a band.
constexpr const char* kMatrix = "gen:random?rows=60&cols=60&per_row=2&seed=1";

TEST(Reorder, WritesTheMatrixAndItsPermutation) {
  const std::string folder = scratch("reorder"), made = folder + "/rcm.mtx", order = folder + "/order.txt";
  std::filesystem::create_directories(folder);
  const Ran r =
      warpspy("reorder '" + std::string(kMatrix) + "' --by rcm -o '" + made + "' --permutation '" + order + "' --json");
  ASSERT_EQ(r.code, 0) << r.err;
  const json told = json::parse(r.out);
  EXPECT_LT(told.at("after").at("profile"), told.at("before").at("profile"));
  const json read = json::parse(warpspy("info '" + made + "' --json").out);
  EXPECT_EQ(read.at("nnz"), told.at("nnz"));
  EXPECT_EQ(read.at("bandwidth"), told.at("after").at("bandwidth"));
  // The order that was written makes the same matrix of the original.
  const std::string again = folder + "/again.mtx";
  ASSERT_EQ(warpspy("reorder '" + std::string(kMatrix) + "' --by 'file " + order + "' -o '" + again + "'").code, 0);
  const auto entries = [](const std::string& path) {
    const std::string text = content_of(path);
    return text.substr(text.find("\n60 "));  // behind the comment, which names the order
  };
  EXPECT_EQ(entries(again), entries(made));
  // Two orders are one permutation.
  const std::string twice = folder + "/twice.txt", by_both = folder + "/both.mtx", by_one = folder + "/one.mtx";
  ASSERT_EQ(warpspy("reorder '" + std::string(kMatrix) + "' --by rcm --by length -o '" + by_both + "' --permutation '" +
                    twice + "'")
                .code,
            0);
  ASSERT_EQ(warpspy("reorder '" + std::string(kMatrix) + "' --by 'file " + twice + "' -o '" + by_one + "'").code, 0);
  EXPECT_EQ(entries(by_one), entries(by_both));
  std::filesystem::remove_all(folder);
}

TEST(Reorder, StandsBehindTheNameOfAMatrix) {
  const json plain = json::parse(warpspy("info '" + std::string(kMatrix) + "' --json").out);
  const Ran r = warpspy("info '" + std::string(kMatrix) + " | rcm' --json");
  ASSERT_EQ(r.code, 0) << r.err;
  const json ordered = json::parse(r.out);
  EXPECT_EQ(ordered.at("nnz"), plain.at("nnz"));
  EXPECT_NE(ordered.at("bandwidth"), plain.at("bandwidth"));
  const Ran run = warpspy("run '" + std::string(kMatrix) + " | rcm' --kernel csr_vector --device sim:h200 --json");
  ASSERT_EQ(run.code, 0) << run.err;
  const Ran wrong = warpspy("info '" + std::string(kMatrix) + " | rmc'");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_TRUE(has(wrong.err, "known: rcm")) << wrong.err;
}

TEST(Reorder, IsAnAxisOfSweeps) {
  const std::string folder = scratch("orders");
  const Ran r =
      warpspy("sweep --matrix '" + std::string(kMatrix) +
              "' --order none --order rcm --kernel csr_vector,ell --device sim:h200 --json -o '" + folder + "'");
  ASSERT_EQ(r.code, 0) << r.err;
  const std::string table = content_of(folder + "/table.csv");
  EXPECT_TRUE(has(table, "per_row=2&seed=1,")) << table;
  EXPECT_TRUE(has(table, "per_row=2&seed=1 (RCM),")) << table;
  const Ran again = warpspy("sweep '" + folder + "' --status");
  EXPECT_EQ(again.code, 0) << again.err;
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace warpspy::testing
