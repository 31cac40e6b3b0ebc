// roofs and validate from the command line: what is refused, how, and with which exit code. Needs no GPU.
#include "program.hpp"

namespace warpspy {
namespace {

using testing::has;
using testing::Ran;
using testing::warpspy;

struct Refused {
  const char* args;
  int code;
  const char* said;
};

TEST(ValidateCommand, WrongArgumentsAreRefused) {
  const Refused cases[] = {{"validate", 1, "no matrix is given"},
                           {"validate gen:laplace3 --precision f16", 2, "--precision"},
                           {"validate gen:laplace3 --budget 0", 2, "--budget"},
                           {"validate gen:laplace3 --kernels csr_magic", 1, "unknown kernel csr_magic"},
                           {"validate gen:laplace3 --kernels cusparse_csr_alg1", 1, "cannot be emulated"},
                           {"validate gen:laplace3 --device sim:h200", 1, "sim:h200 is none"},
                           {"roofs --device sim:h200", 1, "measured on a CUDA device"},
                           {"roofs --size 10", 1, "size '10'"}};
  for (const Refused& c : cases) {
    const Ran r = warpspy(c.args);
    EXPECT_EQ(r.code, c.code) << c.args;
    EXPECT_TRUE(has(r.err, c.said)) << c.args << ": " << r.err;
  }
}

TEST(ValidateCommand, WithoutADeviceBothSaySo) {
  if (!has(warpspy("devices").out, "no NVIDIA driver") && !has(warpspy("devices").out, "built without CUDA"))
    GTEST_SKIP() << "they would go on and measure";
  const Ran roofs = warpspy("roofs");
  EXPECT_EQ(roofs.code, 1);
  EXPECT_TRUE(has(roofs.err, "roofs are measured on a CUDA device")) << roofs.err;
  const Ran validate = warpspy("validate gen:laplace3?nx=100");
  EXPECT_EQ(validate.code, 1);
  EXPECT_TRUE(has(validate.err, "no real GPU to hold the model against")) << validate.err;
  EXPECT_TRUE(has(validate.err, "--memory-system")) << validate.err;
}

}  // namespace
}  // namespace warpspy
