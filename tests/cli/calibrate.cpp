// calibrate from the command line: a plan that is stopped by its time goes on, and what is refused. Needs no GPU: a
// simulated one stands in for it.
#include <filesystem>

#include "program.hpp"

namespace warpspy::testing {
namespace {

TEST(CalibrateCommand, MeasuresAPlanAndGoesOn) {
  const std::string list = scratch("list.txt"), folder = scratch("kept");
  std::ofstream(list) << "# a comment\ngen:laplace5?nx=20&ny=20\n\ngen:wheel?n=300\n";
  const std::string command = "calibrate sim:h100 --measure '" + list + "' --device sim:h100 --keep '" + folder +
                              "' --kernels csr_scalar,csr_transposed";
  // The first product that ends is beyond a time this short.
  const Ran first = warpspy(command + " --for 0.001s");
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(has(first.out, "1 of 16 products, 0 of them from an earlier call")) << first.out;
  EXPECT_TRUE(has(first.out, "the same command goes on")) << first.out;
  const Ran rest = warpspy(command + " --for 10min");
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_TRUE(has(rest.out, "16 of 16 products, 1 of them from an earlier call; 0 could not run\n")) << rest.out;
  const Ran samples = warpspy("calibrate sim:h100 --from '" + folder + "' -o '" + scratch("samples.json") + "'");
  EXPECT_EQ(samples.code, 1) << "what a simulated GPU took is no measured time";
  EXPECT_TRUE(has(samples.err, "no saved run was measured")) << samples.err;
  const Ran judged = warpspy("validate --measured '" + folder + "'");
  EXPECT_EQ(judged.code, 1) << judged.out;
  EXPECT_TRUE(has(judged.err, "no run of this folder was measured on a GPU")) << judged.err;
  std::filesystem::remove_all(folder);
  std::remove(list.c_str());
}

TEST(CalibrateCommand, WrongArgumentsAreRefused) {
  const std::string list = scratch("empty.txt");
  std::ofstream(list) << "# nothing\n";
  const struct {
    std::string args;
    int code;
    const char* said;
  } cases[] = {{"calibrate sim:h100", 1, "no file is named"},
               {"calibrate cuda -o x.json", 1, "is none"},
               {"calibrate sim:h100 --for 8min -o x.json", 2, "--for"},
               {"calibrate sim:h100 --measure no/such.txt", 2, "--measure"},
               {"calibrate sim:h100 --measure '" + list + "' --device sim:h100", 1, "names no matrix"},
               {"calibrate sim:h100 --measure '" + list + "' --device sim:none", 1, "no such GPU"},
               {"calibrate sim:h100 --measure '" + list + "' -o x.json", 2, "excludes"}};
  for (const auto& c : cases) {
    const Ran r = warpspy(c.args);
    EXPECT_EQ(r.code, c.code) << c.args;
    EXPECT_TRUE(has(r.err, c.said)) << c.args << ": " << r.err;
  }
  std::remove(list.c_str());
}

TEST(ValidateCommand, CountsWhatIntervalsHold) {
  const Ran r = warpspy("validate --intervals sim:h100");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "\"each matrix, by all other matrices\"")) << r.out;
  const Ran none = warpspy("validate --intervals sim:gtx280");
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(has(none.err, "no times of products were measured")) << none.err;
}

}  // namespace
}  // namespace warpspy::testing
