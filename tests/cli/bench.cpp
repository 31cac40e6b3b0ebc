// bench from the command line: what is refused, how, and with which exit code. Needs no GPU.
#include "program.hpp"

namespace warpspy::testing {
namespace {

struct Refused {
  const char* args;
  int code;
  const char* said;
};

TEST(BenchCommand, WrongArgumentsAreRefused) {
  const Refused cases[] = {{"", 2, "FILE is required"},
                           {"gen:laplace3 --precision f16", 2, "--precision"},
                           {"gen:laplace3 --warm --cold", 2, "excludes"},
                           {"gen:laplace3 --both --cold", 2, "excludes"},
                           {"gen:laplace3 --budget 0", 2, "--budget"},
                           {"gen:laplace3 --against magma", 1, "known: cusparse"},
                           {"gen:laplace3 --kernels csr_magic", 1, "unknown kernel csr_magic"},
                           {"gen:laplace3 --kernels csr_vector,cusparse_coo", 1, "library's own"}};
  for (const Refused& c : cases) {
    const Ran r = warpspy(std::string("bench ") + c.args);
    EXPECT_EQ(r.code, c.code) << c.args;
    EXPECT_TRUE(has(r.err, c.said)) << c.args << ": " << r.err;
  }
}

TEST(BenchCommand, WithoutADeviceItSaysSo) {
  if (!has(warpspy("devices").out, "no NVIDIA driver") && !has(warpspy("devices").out, "built without CUDA"))
    GTEST_SKIP() << "it would go on and measure";
  const Ran r = warpspy("bench gen:laplace3 --precision f32,f64 --both");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "the benchmark needs a CUDA device")) << r.err;
}

}  // namespace
}  // namespace warpspy::testing
