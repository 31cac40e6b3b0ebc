// roofs and validate from the command line: what is refused, how, and with which exit code. Needs no GPU.
#include "program.hpp"

namespace warpspy::testing {
namespace {

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
                           {"validate --measured no/such.json", 2, "--measured"},
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

TEST(ValidateCommand, AReportIsHeldAgainstTheModelWithoutADevice) {
  const std::string report = scratch("report.json");
  const std::string head = R"({"device": "a GPU", "simulated": "NVIDIA H200 SXM", "date": "2026-01-01", "runs": [)";
  const std::string request =
      R"({"matrix": "gen:laplace5?nx=20&ny=20", "kernel": "csr_scalar", "params": {}, "format_params": {},
          "precision": "f32", "view": "real", "device": "sim:h200", "budget_s": 1, "seed": 1, "alpha": 1, "beta": 0,
          "host_memory_bytes": null, "device_memory_bytes": null, "cache_state": "warm", "counters": "full"})";
  const auto write = [&](const std::string& text) { std::ofstream(report) << text; };
  write(head + R"({"matrix": "m", "request": )" + request +
        R"(, "rows": [{"id": "requests", "unit": "1", "measured": 1, "modelled": null, "error": null}]}]})");
  const Ran r = warpspy("validate --measured " + report);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "csr_scalar")) << r.out;
  EXPECT_TRUE(has(r.out, "a GPU against its model")) << r.out;
  EXPECT_TRUE(has(r.out, "within 1 %: 0 of 1 runs")) << r.out;
  write("{}");
  const Ran none = warpspy("validate --measured " + report);
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(has(none.err, "no report of validate")) << none.err;
  std::string other = head + "]}";
  other.replace(other.find("NVIDIA H200 SXM"), 15, "some other GPU");
  write(other);
  const Ran unknown = warpspy("validate --measured " + report);
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(has(unknown.err, "no simulated GPU is called some other GPU")) << unknown.err;
  std::remove(report.c_str());
}

TEST(ValidateCommand, FindingsAreHeldAgainstWhatTheirChangesGive) {
  const std::string out = scratch("findings.json");
  const Ran r = warpspy(
      "validate 'gen:laplace27?nx=30&ny=30&nz=30' --findings --device sim:h200 --kernels csr_scalar --precision f32 "
      "--cold --depth medium -o " +
      out);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "csr_scalar")) << r.out;
  EXPECT_TRUE(has(r.out, "kept aside") || has(r.out, "tuned")) << r.out;
  EXPECT_TRUE(has(content_of(out), "\"after_us\""));
  std::remove(out.c_str());
}

TEST(RunCommand, TellsWhatLimitsInTextAndJson) {
  const std::string run = "run 'gen:laplace27?nx=30&ny=30&nz=30' --kernel csr_scalar --device sim:h200 --cold";
  const Ran text = warpspy(run);
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* part : {"What limits it:", "Evidence: ", "Try: ", "Such as: ", "Gives: "})
    EXPECT_TRUE(has(text.out, part)) << part << " not in\n" << text.out;
  const Ran json = warpspy(run + " --json");
  for (const char* part : {"\"findings\"", "\"rule\"", "\"gain\"", "\"least_us\""})
    EXPECT_TRUE(has(json.out, part)) << part;
}

}  // namespace
}  // namespace warpspy::testing
