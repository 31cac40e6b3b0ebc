// What does not fit is refused before memory runs out, on every way in, and several kernels on one matrix.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "tests/cli/program.hpp"
#include "tests/paths.hpp"

namespace warpspy::testing {
namespace {

// 10 million entries: 124 MB, which take as much again in f64.
constexpr const char* kMatrix = "'gen:band?rows=1000000&half=5'";
constexpr const char* kKept = "WARPSPY_RUNS=off ";

void expect_refused(const Ran& r, const std::string& what) {
  EXPECT_EQ(r.code, 1) << r.err;
  for (const std::string& part : {what, std::string("needs "), std::string("WARPSPY_MEMORY leaves ")})
    EXPECT_TRUE(has(r.err, part)) << part << " in " << r.err;
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
}

TEST(Memory, AGeneratedMatrixThatDoesNotFitIsRefused) {
  for (const char* command : {"info", "formats", "run --device sim:h200", "spy -o /dev/null"})
    expect_refused(warpspy(std::string(command) + " " + kMatrix, std::string(kKept) + "WARPSPY_MEMORY=100MB"),
                   "the matrix");
  // More than there is anywhere.
  const Ran r = warpspy("info 'gen:dense?rows=1000000&cols=1000000'");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "the matrix needs 12.0 TB of memory")) << r.err;
}

TEST(Memory, MoreThanTheSystemShowsIsAWarning) {
  const Ran r = warpspy("info gen:laplace5", std::string(kKept) + "WARPSPY_MEMORY=1EB");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.err, "WARPSPY_MEMORY allows 1.0 EB, and this machine shows ")) << r.err;
  EXPECT_EQ(warpspy("info gen:laplace5 --json", std::string(kKept) + "WARPSPY_MEMORY=1EB").err, "");
  const Ran bad = warpspy("info gen:laplace5", std::string(kKept) + "WARPSPY_MEMORY=plenty");
  EXPECT_EQ(bad.code, 1);
  EXPECT_TRUE(has(bad.err, "WARPSPY_MEMORY 'plenty' is not understood")) << bad.err;
}

// Not with the address sanitizer, which takes memory and address space of its own.
#if !WARPSPY_SANITIZED

// The matrix fits, and what the command makes of it does not.
TEST(Memory, WhatACommandMakesOfAMatrixIsRefusedToo) {
  const std::string limit = std::string(kKept) + "WARPSPY_MEMORY=200MB";
  EXPECT_EQ(warpspy(std::string("info ") + kMatrix, limit).code, 0);
  const Ran run = warpspy(std::string("run --device sim:h200 --precision f64 ") + kMatrix, limit);
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(has(run.err, "format csr needs 136 MB and the host's limit is ")) << run.err;
  const Ran convert = warpspy(std::string("convert --precision f64 --to csr -o /dev/null ") + kMatrix, limit);
  EXPECT_EQ(convert.code, 1);
  EXPECT_TRUE(has(convert.err, "format csr needs 136 MB and the host's limit is ")) << convert.err;
}

// A limit of the system's own: the program asks for it too.
TEST(Memory, TheLimitOfTheAddressSpaceIsKept) {
  const Ran r = warpspy("info 'gen:laplace27?nx=400&ny=400&nz=400'", "; ulimit -v 8000000; WARPSPY_RUNS=off");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "the matrix needs 21.2 GB of memory, ")) << r.err;
  EXPECT_TRUE(has(r.err, " are free")) << r.err;
}

// That script takes minutes, and says only then that a command has no row.
TEST(Memory, EveryCommandHasItsRowInTheScript) {
  const std::string script = content_of(WARPSPY_SOURCE_DIR "/scripts/memory-check"), help = warpspy("--help").out;
  const std::regex command(R"(\n  warpspy ([a-z]+) \.\.\.)");
  std::size_t found = 0;
  for (std::sregex_iterator at(help.begin(), help.end(), command), end; at != end; ++at, ++found)
    EXPECT_TRUE(has(script, '"' + (*at)[1].str() + "\": [[")) << (*at)[1];
  EXPECT_GT(found, 30u);
}

// An answer or clear lines, and no signal. A sample: scripts/memory-check tries every command under forty limits.
TEST(Memory, WhereItRunsOutACommandEndsWithALine) {
  const std::string picture = scratch("spy.svg");
  ASSERT_EQ(warpspy("spy 'gen:laplace5?nx=30&ny=30' -o '" + picture + "'").code, 0);
  for (const std::string& command :
       {std::string("run 'gen:laplace5?nx=60&ny=60' --device sim:h200 --kernel csr_stream --json"),
        std::string("tune 'gen:laplace5?nx=9&ny=9' --device sim:h200 --kernel csr_vector"),
        "figure '" + picture + "' -o '" + scratch("again.svg") + "'",
        "report 'gen:laplace5?nx=30&ny=30' -o '" + scratch("report") + "'"})
    for (const char* limit : {"160000", "240000", "380000", "600000"}) {
      const Ran r = warpspy(command, std::string("; ulimit -v ") + limit + "; " + kKept);
      EXPECT_LT(r.code, 128) << command << " within " << limit << " KiB: " << r.err;
      if (r.code == 0) continue;
      const bool told = has(r.err, "warpspy: ") || has(r.err, "{\"error\":") || has(r.err, "loading shared libraries");
      EXPECT_TRUE(told && !has(r.err, "terminate called") && !has(r.err, "pthread"))
          << command << " within " << limit << " KiB: " << r.err;
    }
  std::remove(picture.c_str());
  std::remove(scratch("again.svg").c_str());
  std::filesystem::remove_all(scratch("report"));
}
#endif

TEST(Run, SeveralKernelsRunOnOneMatrixWithATableAtTheEnd) {
  const std::string args =
      "run 'gen:laplace5?nx=200&ny=200' --device sim:h200 --kernel csr_scalar,csr_vector,csr_merge --param coop=4";
  const Ran r = warpspy(args);
  EXPECT_EQ(r.code, 0) << r.err;
  for (const char* part : {"entries", "opened in", "\ncsr_scalar ", "\ncsr_vector ", "\ncsr_merge "})
    EXPECT_TRUE(has(r.out, part)) << part;
  const auto list = nlohmann::json::parse(warpspy(args + " --json").out).at("runs");
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[1].at("request").at("params").at("coop"), 4);
  EXPECT_FALSE(list[0].at("request").at("params").contains("coop"));
  // One that cannot run does not end the others; a parameter of none of them does.
  const Ran some = warpspy("run 'gen:laplace5?nx=200&ny=200' --device sim:h200 --kernel csr_vector,cusparse_csr_alg1");
  EXPECT_EQ(some.code, 1);
  EXPECT_TRUE(has(some.out, "\ncusparse_csr_alg1      failed")) << some.out;
  EXPECT_TRUE(has(some.err, "whose code cannot be emulated")) << some.err;
  const Ran none =
      warpspy("run 'gen:laplace5?nx=200&ny=200' --device sim:h200 --kernel csr_scalar,csr_merge --param coop=4");
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(has(none.err, "coop")) << none.err;
}

}  // namespace
}  // namespace warpspy::testing
