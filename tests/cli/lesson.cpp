// warpspy lesson, as a student and a lecturer type it.
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/lesson/answers.hpp"
#include "program.hpp"

namespace warpspy::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Lessons : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(dir_);
    fs::create_directories(dir_ + "/answers");
    write("own.md", lesson_);
  }
  void TearDown() override { fs::remove_all(dir_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(dir_ + "/" + name) << text; }
  std::string at(const std::string& name) const { return "'" + dir_ + "/" + name + "'"; }
  std::string with(const std::string& from, const std::string& to) const {
    std::string text = lesson_;
    return text.replace(text.find(from), from.size(), to);
  }
  LessonAnswers answers(const std::string& name, std::uint64_t seed, const std::string& prediction) const {
    return {name, "own", read_lesson(dir_ + "/own.md").hash, seed, {{"entries", "I counted", {{prediction, 3}}}}};
  }

  const std::string dir_ = scratch("lesson");
  const std::string lesson_ = R"(# Own

```recipe a
matrix: gen:random?rows=64&cols=64&per_row=4&seed=$seed
kernel: csr_scalar
device: h200
depth: quick
```

## Entries

```question entries
kind: number
ask: How many entries?
truth: matrix.nnz
unit: entries
within: exactly
range: 0 to 1000
wrong: 64
```

> Four in each of 64 rows.
)";
};

TEST_F(Lessons, AreListedAndShownWithoutTheirAnswers) {
  const Json j = Json::parse(warpspy("lesson list --json").out);
  EXPECT_EQ(j.at("schema"), "warpspy-lessons-1");
  EXPECT_EQ(j.at("lessons").size(), 12u);
  const Ran shown = warpspy("lesson show " + at("own.md"));
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_TRUE(has(shown.out, "How many entries?")) << shown.out;
  EXPECT_FALSE(has(shown.out, "matrix.nnz")) << shown.out;
  EXPECT_FALSE(has(shown.out, "Four in each")) << shown.out;
}

TEST_F(Lessons, ThatComeWithTheProgramPassTheirCheck) {
  const Json list = Json::parse(warpspy("lesson list --json").out);
  for (const Json& l : list.at("lessons")) {
    const std::string id = l.at("id");
    const Ran check = warpspy("lesson check " + id);
    EXPECT_EQ(check.code, 0) << id << ": " << check.err;
    EXPECT_GE(l.at("steps").get<int>(), 3) << id;
    EXPECT_LE(l.at("steps").get<int>(), 5) << id;
  }
}

TEST_F(Lessons, SayTheSameWithOneThread) {
  const std::string args = "lesson check 02-thread-per-row --json";
  EXPECT_EQ(warpspy(args).out, warpspy(args, "WARPSPY_RUNS=off taskset -c 0").out);
}

TEST_F(Lessons, ThatAreWeakFailTheirCheck) {
  EXPECT_EQ(warpspy("lesson check " + at("own.md")).code, 0);
  write("weak.md", with("wrong: 64", "wrong: 256"));
  const Ran weak = warpspy("lesson check " + at("weak.md"));
  EXPECT_EQ(weak.code, 4) << weak.err;
  EXPECT_TRUE(has(weak.err, "weak.md:13: the wrong answer 256 passes")) << weak.err;
  write("gone.md", with("csr_scalar", "csr_gone"));
  const Ran gone = warpspy("lesson check " + at("gone.md"));
  EXPECT_EQ(gone.code, 1) << gone.err;
  EXPECT_TRUE(has(gone.err, "gone.md:5")) << gone.err;
  EXPECT_TRUE(has(warpspy("lesson check nothing").err, "there is no lesson called nothing"));
}

TEST_F(Lessons, OfAClassAreMarked) {
  write("answers/a.json", to_json(answers("Zoë, née Ω", 7, "256")));
  write("answers/b.json", to_json(answers("Bo", 7, "64")));
  std::string edited = to_json(answers("Cy", 8, "64"));
  edited.replace(edited.find("\"64\""), 4, "\"256\"");
  write("answers/c.json", edited);
  const std::string whole = to_json(answers("Di", 9, "256"));
  write("answers/d.json", whole.substr(0, whole.size() / 2));
  LessonAnswers other = answers("Ed", 10, "256");
  other.hash = "0";
  write("answers/e.json", to_json(other));
  const Ran ran = warpspy("lesson collect " + at("answers") + " -o " + at("marks.csv") + " --lesson " + at("own.md"));
  EXPECT_EQ(ran.code, 1) << "two have no marks";
  for (const char* part : {"a.json: the same seed as in b.json", "b.json: the same seed as in a.json",
                           "c.json: edited by hand", "d.json: this is no answer file, or only a part of one",
                           "e.json: it answers another version of the lesson own"})
    EXPECT_TRUE(has(ran.err, part)) << part << "\n" << ran.err;
  const std::string csv = content_of(dir_ + "/marks.csv");
  EXPECT_TRUE(has(csv, "a.json,\"Zoë, née Ω\",own,7,entries,256,1,1,1,3,I counted,")) << csv;
  EXPECT_TRUE(has(csv, "b.json,Bo,own,7,entries,64,0,")) << csv;
  EXPECT_TRUE(has(csv, "c.json,Cy,own,8,entries,256,1,1,1,3,I counted,edited by hand")) << csv;
  EXPECT_TRUE(has(ran.out, "5 answer files, 2 of them without marks")) << ran.out;
  EXPECT_TRUE(has(ran.out, "own, entries\n")) << ran.out;
}

TEST_F(Lessons, OfAHundredAreMarkedWithinAMinute) {
  for (int k = 0; k < 100; ++k)
    write("answers/" + std::to_string(k) + ".json", to_json(answers("Student " + std::to_string(k), 7, "256")));
  const auto begin = std::chrono::steady_clock::now();
  const Ran ran = warpspy("lesson collect " + at("answers") + " -o " + at("marks.csv") + " --lesson " + at("own.md"));
  EXPECT_EQ(ran.code, 0) << ran.err.substr(0, 500);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(1));
  EXPECT_TRUE(has(ran.out, " 100  256")) << ran.out;
}

TEST_F(Lessons, CollectRefusesAFolderWithoutAnswers) {
  const Ran none = warpspy("lesson collect " + at("answers") + " -o " + at("marks.csv"));
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(has(none.err, "there are no answer files here")) << none.err;
  EXPECT_FALSE(fs::exists(dir_ + "/marks.csv"));
}

}  // namespace
}  // namespace warpspy::testing
