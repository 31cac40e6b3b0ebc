// What is printed, and whether it arrived; words that are no command; numbers that are none.
#include <sstream>
#include <vector>

#include "program.hpp"

namespace warpspy::testing {
namespace {

// The commands as the program lists them: "  warpspy NAME ...".
std::vector<std::string> commands() {
  std::vector<std::string> names;
  std::istringstream lines(warpspy("--help").out);
  for (std::string line, program, name, dots; std::getline(lines, line);)
    if (std::istringstream words(line); words >> program >> name >> dots && program == "warpspy" && dots == "...")
      names.push_back(name);
  return names;
}

// Through a shell, with standard output where `to` says.
Ran printed(const std::string& args, const std::string& to) {
  const std::string err = scratch("err");
  const std::string line = "WARPSPY_CACHE=off WARPSPY_RUNS=off '" + std::string(WARPSPY_PROGRAM) + "' " + args +
                           " 2>'" + err + "' </dev/null " + to;
  const int status = std::system(("bash -c \"" + line + "\"").c_str());
  const Ran r{WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", content_of(err)};
  std::remove(err.c_str());
  return r;
}

TEST(Output, ThatCannotBeWrittenIsSaidByEveryCommand) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "there is no /dev/full";
  std::vector<std::string> lines = {"--help",         "--version",      "describe man",        "info gen:diagonal",
                                    "devices --json", "metrics --json", "formats gen:diagonal"};
  ASSERT_GT(commands().size(), 20u);
  for (const std::string& name : commands()) lines.push_back(name + " --help");
  for (const std::string& line : lines) {
    const Ran r = printed(line, ">/dev/full");
    EXPECT_EQ(r.code, 1) << line;
    EXPECT_TRUE(has(r.err, "No space left on device")) << line << ": " << r.err;
  }
  EXPECT_TRUE(has(printed("info gen:diagonal --json", ">/dev/full").err, "\"reason\""))
      << "in JSON, where that was asked for";
}

// Also where the shell, or a script, let the program ignore SIGPIPE.
TEST(Output, ThatNobodyReadsAnyMoreEndsQuietly) {
  for (const char* ignore : {"", "trap '' PIPE; "}) {
    const std::string err = scratch("err");
    const std::string line = std::string("bash -c \"") + ignore + "'" + WARPSPY_PROGRAM + "' metrics --json 2>'" + err +
                             "' | head -c 10 >/dev/null\"";
    EXPECT_EQ(std::system(line.c_str()), 0);
    EXPECT_EQ(content_of(err), "");
    std::remove(err.c_str());
  }
}

// The end of each number stands below the end of its title, however long the names before it are.
TEST(Output, TablesStandInColumns) {
  struct Table {
    const char *args, *title;
  };
  for (const Table& t : {Table{"formats 'gen:laplace5?nx=9&ny=9'", "bytes"}}) {
    std::istringstream lines(warpspy(t.args).out);
    std::string head, line;
    std::getline(lines, head);
    const std::size_t end = head.find(std::string(" ") + t.title) + 1 + std::string(t.title).size();
    ASSERT_LT(end, head.size()) << head;
    int rows = 0;
    for (; std::getline(lines, line); ++rows) {
      ASSERT_GT(line.size(), end) << line;
      EXPECT_TRUE(line[end - 1] != ' ' && line[end] == ' ') << line;
    }
    EXPECT_GT(rows, 10) << t.args;
  }
}

// An option of the window that is none, too.
TEST(Words, OfOptionsThatAreNoneLeadToTheHelp) {
  EXPECT_TRUE(has(warpspy("--no-such-option").err, "see warpspy --help\n"));
  EXPECT_TRUE(has(warpspy("info --no-such-option").err, "see warpspy info --help\n"));
}

TEST(Words, ThatAreNoCommandNameTheNearest) {
  struct Case {
    const char *args, *says;
  };
  const Case cases[] = {
      {"infoo x.mtx", "warpspy info"},     {"rnu gen:diagonal", "warpspy run"}, {"rooflin x.mtx", "warpspy roofline"},
      {"sweeps", "warpspy sweep"},         {"Info x.mtx", "warpspy info"},      {"gone.mtx", "warpspy --help"},
      {"quite-another", "warpspy --help"},
  };
  for (const Case& c : cases) {
    const Ran r = warpspy(c.args);
    EXPECT_EQ(r.code, 2) << c.args;
    EXPECT_TRUE(has(r.err, "no command and no file")) << r.err;
    EXPECT_TRUE(has(r.err, c.says)) << r.err;
  }
}

TEST(Numbers, AreOnesAsAWhole) {
  const char* const cases[] = {
      "run gen:diagonal --seed -1",
      "run gen:diagonal --seed 18446744073709551616",
      "run gen:diagonal --seed 1.5",
      "run gen:diagonal --seed 0x10",
      "run gen:diagonal --alpha nan",
      "run gen:diagonal --beta inf",
      "run gen:diagonal --budget nan",
      "run gen:diagonal --param block_size=nan",
      "run gen:diagonal --param block_size=0x40",
      "info gen:laplace5?nx=nan",
      "info gen:laplace5?nx=1e999",
      "spy gen:diagonal -o never.svg --font nan",
      "spy gen:diagonal -o never.svg --width nan",
      "spy gen:diagonal -o never.svg --size 0x400x300",
      "spy gen:diagonal -o never.svg --size nanx300",
      "runs --limit 1e3",
      "tune gen:diagonal --most 1e3",
      "sweep --matrix gen:diagonal --kernel csr_scalar --seed -1 -o never",
      "sweep --matrix gen:diagonal --kernel csr_scalar --alpha nan -o never",
      "sweep --matrix gen:diagonal --kernel csr_scalar --repetitions 2.5 -o never",
  };
  for (const char* line : cases) {
    const Ran r = warpspy(line);
    EXPECT_TRUE(r.code == 1 || r.code == 2) << line << " ended with " << r.code;
    EXPECT_FALSE(r.err.empty()) << line;
    EXPECT_NE(::access("never", F_OK), 0) << line;
    EXPECT_NE(::access("never.svg", F_OK), 0) << line;
  }
}

}  // namespace
}  // namespace warpspy::testing
