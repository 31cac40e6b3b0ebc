// What comes out of files of others: nothing of it steers a terminal, and nothing of a library's own words is told.
#include <filesystem>

#include "program.hpp"

namespace warpspy::testing {
namespace {

namespace fs = std::filesystem;

// A title, colours, a line written over, letters turned round, and an eight-bit escape.
const std::string kSteering =
    "\x1b]0;x\x07\x1b[31m\r\xE2\x80\xAE\xC2\x9B"
    "2J";
bool steers(const std::string& text) {
  for (const char* part : {"\x1b", "\x07", "\r", "\xE2\x80\xAE", "\xC2\x9B"})
    if (has(text, part)) return true;
  return false;
}

class ForeignText : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(dir_);
    fs::create_directories(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(dir_ + "/" + name) << text; }
  // In the folder, so that names need no path.
  Ran in_folder(const std::string& args, const std::string& program = WARPSPY_PROGRAM) const {
    const std::string line = "cd '" + dir_ + "' && WARPSPY_CACHE=off WARPSPY_RUNS=runs.sqlite '" + program + "' " +
                             args + " >out 2>err </dev/null";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(dir_ + "/out"), content_of(dir_ + "/err")};
  }
  const std::string dir_ = scratch("foreign");
  const std::string matrix_ = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 3\n2 2 1\n";
};

TEST_F(ForeignText, SteersNoTerminal) {
  const std::string name = "a" + kSteering + ".mtx";
  write(name, matrix_);
  write("bad" + name, "%%MatrixMarket matrix " + kSteering + "\n");
  write("sweep.json",
        R"({"matrices": ["gen:diagonal"], "kernels": ["csr)" + std::string("\\u001b[31m\xE2\x80\xAE") + R"("]})");
  const std::string quoted = "'" + name + "'";
  const std::string run = "run " + quoted + " --device sim:h200 --depth quick";
  const std::string lines[] = {
      "info " + quoted,
      "info " + quoted + " --json",
      "info 'bad" + name + "'",
      "info 'bad" + name + "' --json",
      "info 'gone" + name + "'",
      "formats " + quoted,
      run,
      run + " --json",
      run + " --kernel csr_scalar,ell",
      "runs note 1 '" + kSteering + "'",
      "runs",
      "runs show 1",
      "runs --json",
      "runs compare 1 2",
      "sweep sweep.json",
      "sweep --matrix " + quoted + " --kernel csr_scalar --device sim:h200 --depth quick -o s",
      "sweep s --status",
      "spy " + quoted + " -o a.svg",
      "figure a.svg",
      "'" + kSteering + "'",
  };
  for (const std::string& line : lines) {
    const Ran r = in_folder(line);
    EXPECT_FALSE(steers(r.out)) << line << r.out;
    EXPECT_FALSE(steers(r.err)) << line << r.err;
    EXPECT_FALSE(r.out.empty() && r.err.empty() && !line.starts_with("spy") && !line.starts_with("runs note")) << line;
  }
  EXPECT_TRUE(has(in_folder("info " + quoted).out, "\\u001b[31m")) << "but it is shown";
}

// A recipe's command, pasted, is the command that was typed.
TEST_F(ForeignText, CommandsOfRecipesCanBePasted) {
  const std::string name = "$(touch pwned);'#&.mtx";
  write(name, matrix_);
  write("echo", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
  fs::permissions(dir_ + "/echo", fs::perms::owner_all);
  EXPECT_EQ(in_folder("spy \"\\$(touch pwned);'#&.mtx\" -o a.svg").code, 0) << content_of(dir_ + "/err");
  std::string command = in_folder("figure a.svg").out;
  command = command.substr(command.find("command") + 7);
  command = command.substr(command.find("warpspy") + 7, command.find('\n') - command.find("warpspy") - 7);
  const Ran pasted = in_folder(command, "./echo");
  EXPECT_EQ(pasted.out, "spy\n" + dir_ + "/" + name + "\n") << command;
  EXPECT_FALSE(fs::exists(dir_ + "/pwned"));
}

TEST_F(ForeignText, TheJsonLibraryIsNotQuoted) {
  struct Case {
    const char *text, *args;
  };
  const Case cases[] = {
      {R"({"matrices": 5})", "sweep x.json"},
      {R"({"matrices": [{"source": 3}], "kernels": ["ell"]})", "sweep x.json"},
      {R"({"params": {"coop": {}}})", "sweep x.json"},
      {R"({"repetitions": "many"})", "sweep x.json"},
      {"{", "sweep x.json"},
      {"{}", "validate --measured x.json"},
      {R"({"device": 3})", "validate --measured x.json"},
      {"{}", "profile --bench x.json -o a.svg"},
      {R"({"matrices": {}})", "profile --bench x.json -o a.svg"},
      {"[", "profile --bench x.json -o a.svg"},
      {R"({"version": []})", "figure x.json"},
      {R"({"warpspy_session": "x"})", "report x.json -o ."},
  };
  for (const Case& c : cases) {
    write("x.json", c.text);
    const Ran r = in_folder(c.args);
    EXPECT_NE(r.code, 0) << c.args << " " << c.text;
    EXPECT_FALSE(has(r.err, "json.exception")) << r.err;
    EXPECT_FALSE(r.err.empty()) << c.args;
  }
}

}  // namespace
}  // namespace warpspy::testing
