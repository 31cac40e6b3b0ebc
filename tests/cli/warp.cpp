// warp from the command line: text, JSON, pictures, refusals.
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace warpspy {
namespace {

using nlohmann::json;
using testing::content_of;
using testing::has;
using testing::Ran;
using testing::scratch;
using testing::warpspy;

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
  refused("--kernel csr_scalar --worst speed", "are not measured by 'speed'");
  refused("--kernel axpy --row 3", "reads no matrix");
}

}  // namespace
}  // namespace warpspy
