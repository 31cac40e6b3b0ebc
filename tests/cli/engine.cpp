// `warpspy engine` and what comes to it: it answers or says why not, and ends.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"

namespace warpspy::testing {
namespace {

// Not with the address sanitizer, which takes address space of its own.
#if !WARPSPY_SANITIZED
TEST(EngineCommand, ABodyLargerThanItsMemoryEndsItWithAnAnswer) {
  std::signal(SIGPIPE, SIG_IGN);
  const std::string out = scratch("out"), err = scratch("err");
  const std::string line = "ulimit -v 700000; WARPSPY_RUNS=off timeout 60 '" + std::string(WARPSPY_PROGRAM) +
                           "' engine >'" + out + "' 2>'" + err + "'";
  std::FILE* const in = ::popen(line.c_str(), "w");
  ASSERT_NE(in, nullptr);
  constexpr std::size_t size = 900'000'000, piece = 1'000'000;
  // Of a reply of 900,000,000 bytes (profiling/remote/README.md).
  const std::string header("\xF5wse\5\0\x10\0\1\0\0\0\0\0\0\0\x00\xE9\xA4\x35", 20), zeros(piece, '\0');
  std::fwrite(header.data(), 1, header.size(), in);
  for (std::size_t sent = 0; sent < size && std::fwrite(zeros.data(), 1, piece, in) == piece;) sent += piece;
  const int status = ::pclose(in);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
  EXPECT_TRUE(has(content_of(out), "a message from the other end needs 900 MB of memory, ")) << content_of(err);
  EXPECT_TRUE(has(content_of(out), " are free")) << content_of(err);
  std::remove(out.c_str());
  std::remove(err.c_str());
}
#endif

// This program again, as that of another machine: its host is called like its file.
std::string other_machine() { return " --engine-command \"'" + std::string(WARPSPY_PROGRAM) + "' engine\""; }

TEST(OtherMachine, IsThereForEveryCommandThatHasToDoWithDevices) {
  std::vector<std::string> commands = {
      "run",         "roofline", "tune",    "sweep",     "analyse",         "memory",
      "warp",        "spy",      "devices", "roofs",     "validate",        "best",
      "heatmap",     "profile",  "line",    "draw runs", "draw comparison", "runs repeat",
      "runs compare"};
  if (!has(warpspy("report a -o b").err, "this build has no window")) commands.emplace_back("report");
  for (const std::string& command : commands)
    EXPECT_TRUE(has(warpspy(command + " --help").out, "--engine-command")) << command;
}

// What is drawn of saved runs has the roofs of their devices.
TEST(OtherMachine, HasTheRoofsOfRunsThatWereMadeThere) {
  const std::string history = scratch("there.sqlite"), keep = "WARPSPY_RUNS='" + history + "'";
  const std::string kernels = "run 'gen:random?rows=300' --kernel csr_scalar,ell --device sim:h200";
  ASSERT_EQ(warpspy(kernels + "@warpspy" + other_machine(), keep).code, 0);
  const auto row_of_best = [&](const std::string& options) {
    const Ran r = warpspy("best --json" + options, keep);
    EXPECT_EQ(r.code, 0) << r.err;
    return nlohmann::json::parse(r.out).at(0);
  };
  EXPECT_TRUE(row_of_best("").at("share_of_roof").is_null());
  EXPECT_GT(row_of_best(other_machine()).at("share_of_roof").get<double>(), 0);

  const std::string drawn = scratch("there.svg");
  const Ran alone = warpspy("heatmap --measure roof --csv", keep),
            there = warpspy("heatmap --measure roof --csv" + other_machine(), keep);
  EXPECT_EQ(there.code, 0) << there.err;
  EXPECT_NE(alone.out, there.out);
  std::string compare = "runs compare -o '" + drawn + "'";
  for (const auto& run : nlohmann::json::parse(warpspy("runs --json", keep).out))
    compare += " " + std::to_string(run.at("id").get<int>());
  EXPECT_EQ(warpspy(compare + other_machine(), keep).code, 0);
  EXPECT_TRUE(has(content_of(drawn), "H200 SXM on warpspy")) << content_of(drawn).substr(0, 2000);
  std::remove(drawn.c_str());
  for (const char* part : {"", "-wal", "-shm"}) std::remove((history + part).c_str());
}

TEST(OtherMachine, RunsAndAnswersAsThisOneDoes) {
  const std::string run = "run 'gen:random?rows=300' --kernel ell --json --device sim:h200";
  const Ran here = warpspy(run), there = warpspy(run + "@warpspy" + other_machine());
  ASSERT_EQ(here.code, 0) << here.err;
  ASSERT_EQ(there.code, 0) << there.err;
  const auto a = nlohmann::json::parse(here.out).at("runs").at(0),
             b = nlohmann::json::parse(there.out).at("runs").at(0);
  EXPECT_EQ(b.at("device"), "sim:h200@warpspy");
  EXPECT_EQ(a.at("time_us"), b.at("time_us"));
  EXPECT_EQ(a.at("findings"), b.at("findings"));
}

TEST(OtherMachine, HasItsDevicesInTheListAndIsRunOnByEveryKindOfCommand) {
  const std::string out = scratch("memory.csv"), folder = scratch("sweep");
  EXPECT_TRUE(has(warpspy("devices" + other_machine()).out, "sim:h200@warpspy"));
  for (const std::string& line : std::vector<std::string>{
           "warp gen:diagonal --row 3 --device sim:h200@warpspy", "tune gen:diagonal --device sim:h200@warpspy",
           "memory gen:diagonal --device sim:h200,sim:h200@warpspy -o '" + out + "'",
           "sweep --matrix gen:diagonal --kernel ell --device sim:h200@warpspy -o '" + folder + "'"}) {
    const Ran r = warpspy(line + other_machine());
    EXPECT_EQ(r.code, 0) << line << ": " << r.err;
  }
  EXPECT_TRUE(has(content_of(out), " on warpspy")) << content_of(out);
  std::system(("rm -rf '" + out + "' '" + folder + "'").c_str());
}

TEST(OtherMachine, ThatDoesNotAnswerIsOneLine) {
  struct Case {
    const char *option, *says;
  };
  for (const Case& c : {Case{" --engine-command '/nowhere/warpspy engine'", "/nowhere/warpspy"},
                        Case{" --engine-command ''", "the command of an engine is empty"},
                        Case{" --engine-command 'false engine' --engine-command 'false engine'", "two engines"},
                        Case{"", "--engine-command"}}) {
    const Ran r = warpspy("run gen:diagonal --device sim:h200@warpspy" + std::string(c.option));
    EXPECT_EQ(r.code, 1) << c.option;
    EXPECT_TRUE(has(r.err, c.says) && !has(r.err, "next try")) << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
}

}  // namespace
}  // namespace warpspy::testing
