// A whole report of what others wrote: names, notes, devices and labels of a session that came from somewhere. Nothing
// of it marks up the README, runs in a browser, steers a terminal or, pasted, a shell.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "program.hpp"

namespace warpspy::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// A title of the window, colours, letters turned round; scripts, pictures and links in HTML and Markdown; a shell.
const std::string kWords =
    "\x1b]0;x\x07\x1b[31m\xE2\x80\xAE<script>alert(1)</script><img src=x onerror=y> [go](javascript:x) "
    "![p](http://evil.example/p.png) http://evil.example/auto www.evil.example a@evil.example `code` **bold** &lt; | "
    "$(touch pwned);'\"#\n# heading\n- item";
const std::string kFile = "$(touch pwned);'#&<b>[l](x)`c`*b*|\x1b[31m\xE2\x80\xAE.mtx";

class Report : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(dir_);
    fs::create_directories(dir_);
    std::ofstream(dir_ + "/" + kFile) << "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 3\n2 2 1\n";
    std::ofstream(dir_ + "/a.mtx") << "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 3\n2 2 1\n";
  }
  void TearDown() override { fs::remove_all(dir_); }
  // A session whose words are all foreign; its run was made by this program, so that it is whole.
  void write_session(Ran& ran) const {
    ran = warpspy("run '" + dir_ + "/a.mtx' --device sim:h200 --depth quick --json");
    if (ran.code != 0) return;
    Json record = Json::parse(ran.out).at("runs").at(0);
    record["matrix"]["name"] = record["device_name"] = record["kernel_label"] = record["source"] = kWords;
    record["notes"] = {kWords};
    record["request"]["matrix"] = dir_ + "/" + kFile;
    const auto run = [&](int id) { return Json{{"id", id}, {"note", kWords}, {"record", record}}; };
    const Json session = {{"warpspy_session", 1},
                          {"folder", dir_},
                          {"active", 0},
                          {"matrices", Json::array({{{"source", dir_ + "/" + kFile}, {"name", kWords}}})},
                          {"runs", Json::array({run(1), run(2)})},
                          {"selected_run", 1},
                          {"compared", {1, 2}}};
    std::ofstream(dir_ + "/foreign.warpspy") << session.dump();
  }
  void write_report() const {
    Ran ran;
    write_session(ran);
    ASSERT_EQ(ran.code, 0) << ran.err;
    ran = warpspy("report '" + dir_ + "/foreign.warpspy' -o '" + dir_ + "'");
    if (has(ran.err, "this build has no window")) GTEST_SKIP() << ran.err;
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  std::string text_of(const std::string& name) const { return content_of(dir_ + "/warpspy-figures/" + name); }
  const std::string dir_ = scratch("whole_report");
};

std::string without(const std::string& text, const char* pattern) {
  return std::regex_replace(text, std::regex(pattern), "");
}

TEST_F(Report, OfForeignWordsMarksNothingUpAndSteersNothing) {
  ASSERT_NO_FATAL_FAILURE(write_report());
  if (IsSkipped()) return;

  int texts = 0;
  for (const auto& file : fs::directory_iterator(dir_ + "/warpspy-figures")) {
    const std::string name = file.path().filename().string(), ending = file.path().extension().string();
    if (ending != ".svg" && ending != ".html" && ending != ".md") continue;
    const std::string text = text_of(name);
    for (const char* part : {"\x1b", "\x07", "\xE2\x80\xAE"}) EXPECT_FALSE(has(text, part)) << name << " has " << part;
    for (const char* part : {"<script", "<img"})
      EXPECT_FALSE(ending != ".md" && has(text, part)) << name << " has " << part;
    EXPECT_TRUE(ending == ".svg" || has(text, "script")) << name << " shows them all the same";
    ++texts;
  }
  EXPECT_GT(texts, 4);

  // What is left of the README without what is escaped and what the program itself writes.
  std::string readme = without(text_of("README.md"), R"(\\.)");
  readme = without(readme, R"(!\[[a-z ,]+\]\([A-Za-z0-9_.-]+\.svg\))");
  readme = without(readme, R"(`warpspy figure FILE`)");
  readme = without(readme, R"(\n`[A-Za-z0-9_.-]+`)");
  EXPECT_EQ(readme.find_first_of("<>[]`*_|$@"), std::string::npos) << readme;
  for (const char* part : {"://", "www."}) EXPECT_FALSE(has(readme, part)) << readme;
  EXPECT_FALSE(std::regex_search(readme, std::regex("\n(-|\\+|[0-9]+\\.) "))) << readme;
  const std::string headings = without(readme, "\n##? [A-Z\\w;'.]");
  EXPECT_FALSE(has(headings, "\n#")) << headings;
}

// The command of a recipe, in a shell: its words are words, and nothing else happens.
TEST_F(Report, CommandsOfItsFiguresCanBePasted) {
  ASSERT_NO_FATAL_FAILURE(write_report());
  if (IsSkipped()) return;
  int figures = 0;
  for (const auto& file : fs::directory_iterator(dir_ + "/warpspy-figures")) {
    if (file.path().extension() != ".svg") continue;
    ++figures;
    const Ran told = warpspy("figure '" + file.path().string() + "'");
    EXPECT_EQ(told.code, 0) << told.err;
    std::smatch command;
    if (!std::regex_search(told.out, command, std::regex("\ncommand +warpspy([^\n]*)"))) continue;
    // What a shell makes of it: each word on a line of its own.
    std::ofstream(dir_ + "/pasted.sh") << "cd '" << dir_ << "' && printf '%s\\n'" << command[1].str() << "\n";
    EXPECT_EQ(std::system(("sh '" + dir_ + "/pasted.sh' >'" + dir_ + "/words' 2>&1").c_str()), 0) << command[1];
  }
  EXPECT_GT(figures, 3);
  EXPECT_FALSE(fs::exists(dir_ + "/pwned"));
}

}  // namespace
}  // namespace warpspy::testing
