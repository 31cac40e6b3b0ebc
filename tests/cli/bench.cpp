// bench from the command line: what is refused, how, and with which exit code. Needs no GPU.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/run/plan_file.hpp"
#include "program.hpp"

namespace warpspy::testing {
namespace {

using nlohmann::json;

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

// What is searched is modelled, and there is no library beside it.
TEST(BenchCommand, RunsOnAModelledDevice) {
  const std::string path = scratch("bench.json");
  const Ran r = warpspy(
      "bench 'gen:laplace5?nx=20&ny=20' --device sim:h200 --kernels csr_scalar,csr_vector --precision f32 "
      "--budget 0.1 --forget -o '" +
      path + "'");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "modelled")) << r.out;
  const json j = json::parse(content_of(path));
  ASSERT_EQ(j.at("rows").size(), 1u);
  EXPECT_EQ(j.at("rows")[0].at("own").at("quantities").at("time").at("provenance"), "modelled");
  EXPECT_TRUE(j.at("rows")[0].at("library").is_null());
  std::filesystem::remove(path);
}

TEST(PlanCommand, RunsWhatAFileAsksFor) {
  const std::string path = scratch("plan.json"), out = scratch("plan-out.json");
  const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
  const std::string head = R"("matrices": ["gen:laplace5?nx=20&ny=20"], "device": "sim:h200")";
  write(R"({"plan": "bench", )" + head +
        R"(, "kernels": ["csr_scalar", "csr_vector"], "precision": ["f32"], "budget": 0.1, "forget": true})");
  const Ran bench = warpspy("plan '" + path + "' -o '" + out + "'");
  EXPECT_EQ(bench.code, 0) << bench.err;
  EXPECT_EQ(json::parse(content_of(out)).at("rows").size(), 1u);
  const Ran other = warpspy("plan '" + path + "' --precision f64 -o '" + out + "'");
  EXPECT_EQ(other.code, 0) << other.err;
  EXPECT_EQ(json::parse(content_of(out)).at("rows")[0].at("precision"), "f64") << "what is typed stands";
  write(R"({"plan": "tune", )" + head + R"(, "kernel": "csr_vector", "strategy": "fixed_rule", "json": true})");
  const Ran tune = warpspy("plan '" + path + "'");
  ASSERT_EQ(tune.code, 0) << tune.err;
  EXPECT_TRUE(has(tune.out, "fixed_rule"));
  const std::string svg = scratch("plan-out.svg");
  write(R"({"plan": "analyse", )" + head + R"(, "analysis": "throughput", "kernel": ["csr_scalar", "csr_vector"]})");
  const Ran analyse = warpspy("plan '" + path + "' -o '" + svg + "'");
  EXPECT_EQ(analyse.code, 0) << analyse.err;
  EXPECT_TRUE(has(content_of(svg), "<svg"));
  write(R"({"plan": "validate", )" + head + R"(, "findings": true, "kernels": "csr_scalar", "precision": "f32"})");
  const Ran validate = warpspy("plan '" + path + "' -o '" + out + "'");
  EXPECT_EQ(validate.code, 0) << validate.err;
  EXPECT_FALSE(json::parse(content_of(out)).empty());
  write(R"({"plan": "bench", )" + head + R"(, "colour": "red"})");
  const Ran unknown = warpspy("plan '" + path + "'");
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(has(unknown.err, "unknown field \"colour\"") && has(unknown.err, "most-memory")) << unknown.err;
  write(R"({"plan": "bench", )" + head + R"(, "both": "perhaps"})");
  EXPECT_TRUE(has(warpspy("plan '" + path + "'").err, "true or false"));
  EXPECT_EQ(warpspy("plan").code, 2);
  for (const std::string& file : {path, out, svg}) std::filesystem::remove(file);
}

TEST(PlanCommand, KnowsTheOptionsOfEachCommandOfAPlan) {
  const std::string path = scratch("plan.json");
  for (const std::string& command : plan_commands()) {
    std::ofstream(path) << R"({"plan": ")" + command + R"(", "matrices": "gen:laplace5?nx=9&ny=9", "colour": "red"})";
    const Ran r = warpspy("plan '" + path + "'");
    EXPECT_EQ(r.code, 1) << command;
    EXPECT_TRUE(has(r.err, "unknown field") && has(r.err, "known: ")) << command << ": " << r.err;
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace warpspy::testing
