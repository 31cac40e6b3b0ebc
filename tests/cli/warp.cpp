// warp from the command line: text, JSON, pictures, refusals.
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace warpspy::testing {
namespace {

using nlohmann::json;

constexpr const char* matrix = "'gen:laplace5?nx=40&ny=40'";
std::string command(const std::string& args) {
  return std::string("warp ") + matrix + " --device sim:h200 --cold " + args;
}

TEST(WarpCommand, TellsTheWarpOfARow) {
  const Ran r = warpspy(command("--kernel csr_scalar --row 333"));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "warp 2 of block 2: reads row 333, lane 13")) << r.out;
  EXPECT_TRUE(has(r.out, "values")) << r.out;
  const Ran step = warpspy(command("--kernel csr_scalar --row 333 --step 2"));
  EXPECT_EQ(step.code, 0) << step.err;
  EXPECT_TRUE(has(step.out, "lane 31")) << step.out;
  EXPECT_TRUE(has(step.out, "entry (333, ")) << step.out;
}

TEST(WarpCommand, JsonOfOneAndOfTwo) {
  const Ran one = warpspy(command("--kernel csr_scalar --worst sectors --json"));
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_GT(json::parse(one.out).at("steps").size(), 3u);
  const Ran two = warpspy(command("--kernel csr_scalar,ell --entry 333,333 --step 1 --json"));
  ASSERT_EQ(two.code, 0) << two.err;
  const json list = json::parse(two.out);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[1].at("kernel"), "ell");
  EXPECT_EQ(list[1].at("steps").size(), 1u);
}

TEST(WarpCommand, PicturesAndNumbers) {
  for (const char* ending : {"svg", "pdf", "png", "csv", "json"}) {
    const std::string out = scratch(std::string("warp.") + ending);
    const Ran r = warpspy(command("--kernel csr_scalar,csr_vector --row 333 -o '" + out + "'"));
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_FALSE(content_of(out).empty());
    std::remove(out.c_str());
  }
}

// A figure counts rows as the window does, the command line from 0; neither leaves that open.
TEST(WarpCommand, FiguresCountRowsFromOne) {
  const std::string out = scratch("rows.svg");
  const Ran r = warpspy(command("--kernel csr_scalar --row 333 --step 2 -o '" + out + "'"));
  EXPECT_EQ(r.code, 0) << r.err;
  const std::string picture = content_of(out);
  EXPECT_TRUE(has(picture, "reads row 334"));
  EXPECT_TRUE(has(picture, "(334, ")) << "an entry of it";
  EXPECT_FALSE(has(picture, "row 333"));
  std::remove(out.c_str());
  EXPECT_TRUE(has(warpspy("warp --help").out, "counted from 0"));
  const Ran none = warpspy(command("--kernel csr_scalar --row 9000 -o '" + out + "'"));
  EXPECT_NE(none.code, 0);
  EXPECT_TRUE(has(none.err, "there is no row 9001")) << none.err;
  EXPECT_TRUE(has(none.err, "(counted from 1)")) << none.err;
}

// Each launch of a product has blocks of its own.
TEST(WarpCommand, AWarpOfAnyLaunch) {
  const Ran second = warpspy(command("--kernel coo_segmented --warp 1,0,0"));
  ASSERT_EQ(second.code, 0) << second.err;
  EXPECT_TRUE(has(second.out, "of block 0 of launch 1")) << second.out;
  const Ran none = warpspy(command("--kernel coo_segmented --warp 9,0,0"));
  EXPECT_NE(none.code, 0);
  EXPECT_TRUE(has(none.err, "launch")) << none.err;
}

TEST(WarpCommand, TheAxisOfItsSmAndAWarpAlone) {
  const std::string out = scratch("axis.svg");
  const Ran axis = warpspy(command("--kernel csr_scalar --row 333 --axis -o '" + out + "'"));
  EXPECT_EQ(axis.code, 0) << axis.err;
  EXPECT_TRUE(has(content_of(out), "time model"));
  std::remove(out.c_str());
  const std::string table = scratch("axis.csv");
  ASSERT_EQ(warpspy(command("--kernel csr_scalar --row 333 --axis -o '" + table + "'")).code, 0);
  EXPECT_TRUE(has(content_of(table), "waits_for"));
  std::remove(table.c_str());
  const Ran alone = warpspy(command("--kernel csr_scalar --row 333 --alone"));
  EXPECT_EQ(alone.code, 0) << alone.err;
  EXPECT_TRUE(has(alone.out, "alone in empty caches")) << alone.out;
  EXPECT_TRUE(has(alone.out, "note: alone, as was asked")) << alone.out;
  const Ran step = warpspy(command("--kernel csr_scalar --row 333 --step 2"));
  EXPECT_TRUE(has(step.out, "L1: first touch")) << step.out;
}

TEST(WarpCommand, RefusesWhatIsNotThere) {
  const auto refused = [](const std::string& args, const std::string& why) {
    const Ran r = warpspy(command(args));
    EXPECT_NE(r.code, 0) << args;
    EXPECT_TRUE(has(r.err, why)) << args << ": " << r.err;
  };
  refused("--kernel csr_scalar", "Exactly 1 option from [--row");
  refused("--kernel csr_scalar --row 9000", "there is no row 9000");
  refused("--kernel csr_scalar --entry 3", "--entry 3 is not understood");
  refused("--kernel csr_scalar --entry 3,3,", "is not understood");
  refused("--kernel csr_scalar --entry 0,900", "there is no entry (0, 900)");
  refused("--kernel csr_scalar --warp 0,9000,0", "there is no warp 0 of block 9000");
  refused("--kernel csr_scalar --row 3 --step 100000", "there is no step 100000");
  refused("--kernel csr_scalar --row 3 --axis", "--axis makes a figure");
  refused("--kernel csr_scalar --worst speed", "are not measured by 'speed'");
  refused("--kernel axpy --row 3", "reads no matrix");
}

}  // namespace
}  // namespace warpspy::testing
