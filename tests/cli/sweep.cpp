// warpspy sweep, as a user types it.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace warpspy::testing {
namespace {

namespace fs = std::filesystem;

class Sweeps : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(dir_);
    fs::create_directories(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(dir_ + "/" + name) << text; }
  std::string at(const std::string& name) const { return "'" + dir_ + "/" + name + "'"; }
  bool there(const std::string& name) const { return fs::exists(dir_ + "/" + name); }
  std::string text(const std::string& name) const { return content_of(dir_ + "/" + name); }

  const std::string dir_ = scratch("sweep");
  const std::string study_ = R"({
  "matrices": ["gen:laplace5?nx=8:16:4&ny=8"],
  "kernels": ["csr_scalar", "csr_vector"],
  "params": {"coop": "2:8"},
  "device": "sim:h200",
  "depth": "quick"
})";
};

TEST_F(Sweeps, MakeATableAndFiguresAndGoOn) {
  write("study.json", study_);
  const Ran first = warpspy("sweep " + at("study.json"));
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(has(first.out, "12 of 12 done")) << first.out;
  for (const char* file : {"table.csv", "line.svg", "heatmap.svg", "profile.svg", "roofline.svg", "sweep.json"})
    EXPECT_TRUE(there(std::string("study.sweep/") + file)) << file;
  const std::string table = text("study.sweep/table.csv");
  EXPECT_TRUE(has(table, "time [us]")) << table;
  // Nothing is missing: nothing runs, and the table is the same to the last byte.
  const Ran again = warpspy("sweep " + at("study.json"));
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(has(again.err, "12 of 12 products have run before")) << again.err;
  EXPECT_EQ(text("study.sweep/table.csv"), table);
  // One more value: three more products.
  const Ran more = warpspy("sweep " + at("study.json") + " --param coop=2:16");
  EXPECT_TRUE(has(more.out, "15 of 15 done")) << more.out << more.err;
  EXPECT_TRUE(has(more.err, "12 of 15 products have run before")) << more.err;
}

TEST_F(Sweeps, AreTheSameAsOptions) {
  const std::string options =
      "--matrix gen:laplace5?nx=8 --kernel csr_scalar,csr_vector --device sim:h200 --depth quick "
      "--precision f32,f64 --caches warm,cold";
  const Ran run = warpspy("sweep " + options + " -o " + at("s"));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(has(run.out, "8 of 8 done")) << run.out;
  const Ran saved = warpspy("sweep " + options + " --save " + at("s.json"));
  EXPECT_EQ(saved.code, 0) << saved.err;
  const Ran same = warpspy("sweep " + at("s.json") + " -o " + at("s"));
  EXPECT_TRUE(has(same.err, "8 of 8 products have run before")) << same.err;
}

TEST_F(Sweeps, StatusAndFiguresNeedNoRun) {
  write("study.json", study_);
  warpspy("sweep " + at("study.json"));
  fs::remove(dir_ + "/study.sweep/line.svg");
  const Ran status = warpspy("sweep " + at("study.sweep") + " --status");
  EXPECT_TRUE(has(status.out, "12 of 12 done")) << status.out << status.err;
  EXPECT_FALSE(there("study.sweep/line.svg"));
  const Ran drawn = warpspy("sweep " + at("study.sweep") + " --draw --preset column --as pdf --x nnz");
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_TRUE(there("study.sweep/line.pdf"));
  const Ran wrong = warpspy("sweep " + at("study.sweep") + " --draw --x block_size");
  EXPECT_TRUE(has(wrong.err, "known: coop")) << wrong.err;
}

// Where all is done, where some failed, where some have yet to run: scripts need not read the words.
TEST_F(Sweeps, StatusIsACodeAndJson) {
  write("study.json", study_);
  warpspy("sweep " + at("study.json"));
  const auto status = [&](const std::string& more) {
    const Ran r = warpspy("sweep " + at("study.sweep") + " --status --json" + more);
    nlohmann::json j = nlohmann::json::parse(r.out);
    EXPECT_EQ(j.at("schema"), "warpspy-sweep-1");
    j["code"] = r.code;
    return j;
  };
  nlohmann::json j = status("");
  EXPECT_EQ(j.at("code"), 0);
  EXPECT_EQ(j.at("products"), 12);
  EXPECT_EQ(j.at("done"), 12);
  EXPECT_EQ(j.at("cells").size(), 12u);
  j = status(" --param coop=2:16");
  EXPECT_EQ(j.at("code"), 3);
  EXPECT_EQ(j.at("waiting"), 3);
  EXPECT_EQ(j.at("cells").at(0).at("state"), "done");
}

TEST_F(Sweeps, AFailedProductKeepsItsReasonAndTheRestGoesOn) {
  write("bad.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n");
  const Ran run =
      warpspy("sweep --matrix " + at("bad.mtx") + " --matrix " + at("gone.mtx") +
              " --matrix gen:laplace5?nx=8 --kernel csr_vector,cusparse_csr_alg1 --device sim:h200 --depth quick -o " +
              at("s"));
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(has(run.out, "1 of 6 done, 2 failed, 3 skipped")) << run.out << run.err;
  EXPECT_TRUE(has(run.out, "bad.mtx")) << run.out;
  EXPECT_TRUE(has(run.out, "gone.mtx")) << run.out;
  EXPECT_TRUE(has(run.err, "3 products cannot run: cuSPARSE's code cannot be emulated")) << run.err;
  EXPECT_TRUE(has(text("s/table.csv"), ",failed,")) << text("s/table.csv");
}

TEST_F(Sweeps, BadInputIsSaid) {
  write("wrong.json", R"({"matrices": ["a.mtx"], "kernel": ["ell"]})");
  write("cut.json", R"({"matrices": ["a.mtx")");
  struct Case {
    const char* args;
    const char* says;
  };
  const Case cases[] = {
      {"sweep wrong.json", "unknown field \"kernel\""},
      {"sweep cut.json", "no JSON from line 1"},
      {"sweep none.json", "cannot be read"},
      {"sweep --kernel ell --matrix gen:laplace5", "-o FOLDER"},
      {"sweep --matrix gen:laplace5 -o s", "no kernels"},
      {"sweep --kernel ell -o s", "no matrices"},
      {"sweep --kernel ell --matrix gen:laplace5 --param width=4 -o s", "none of the kernels has a parameter width"},
      {"sweep --kernel ell --matrix gen:laplace5 --param coop -o s", "write NAME=VALUES"},
      {"sweep --kernel cusparse_csr_alg1 --matrix gen:laplace5 --device sim:h200 -o s",
       "none of the 1 products can run"},
      {"sweep --kernel ell --matrix gen:laplace5 -o .", "other files in it"},
      {"sweep --kernel ell --matrix '*.zip' -o s", "no file fits this pattern"},
      {"sweep s --status --draw", "--draw"},
  };
  for (const Case& c : cases) {
    const std::string line =
        "cd '" + dir_ + "' && WARPSPY_CACHE=off WARPSPY_RUNS=off '" + WARPSPY_PROGRAM + "' " + c.args + " 2>err >out";
    EXPECT_NE(std::system(line.c_str()), 0) << c.args;
    EXPECT_TRUE(has(text("err"), c.says)) << c.args << "\n" << text("err");
  }
}

TEST_F(Sweeps, AFolderThatCannotBeWrittenIsSaid) {
  if (::getuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::create_directories(dir_ + "/locked");
  fs::permissions(dir_ + "/locked", fs::perms::owner_read | fs::perms::owner_exec);
  const Ran run = warpspy("sweep --matrix gen:laplace5?nx=8 --kernel ell -o " + at("locked/s"));
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(has(run.err, "cannot be made")) << run.err;
}

// What is full later: what has run stays, and the same command goes on.
TEST_F(Sweeps, AFullDiskLosesNothing) {
  write("study.json", study_);
  const std::string run = "ulimit -f 8; WARPSPY_CACHE=off WARPSPY_RUNS=off '" + std::string(WARPSPY_PROGRAM) +
                          "' sweep " + at("study.json") + " >'" + dir_ + "/out' 2>'" + dir_ + "/err'";
  EXPECT_NE(std::system(("bash -c \"" + run + "\"").c_str()), 0);
  EXPECT_TRUE(has(text("err"), "the same command goes on")) << text("err");
  const Ran again = warpspy("sweep " + at("study.json"));
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(has(again.out, "12 of 12 done")) << again.out;
}

// A stranger's folder: what is drawn takes the place of links, and is not written through them.
TEST_F(Sweeps, DrawThroughNoLink) {
  write("study.json", study_);
  warpspy("sweep " + at("study.json"));
  write("profile", "mine\n");
  const auto files = {"table.csv", "line.svg", "heatmap.svg", "profile.svg", "roofline.svg"};
  for (const char* file : files) {
    fs::remove(dir_ + "/study.sweep/" + file);
    fs::create_symlink(dir_ + "/profile", dir_ + "/study.sweep/" + file);
  }
  const Ran drawn = warpspy("sweep " + at("study.sweep") + " --draw");
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_EQ(text("profile"), "mine\n");
  for (const char* file : files) EXPECT_FALSE(fs::is_symlink(dir_ + "/study.sweep/" + file)) << file;
}

// One that has no room ends none of the others, and what is left out is said.
TEST_F(Sweeps, DrawAllFiguresThatHaveRoom) {
  write("study.json", study_);
  warpspy("sweep " + at("study.json"));
  const auto files = {"line", "heatmap", "profile", "roofline"};
  const Ran drawn = warpspy("sweep " + at("study.sweep") + " --draw --preset column --width 40 --font 14 --as pdf");
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  int there_are = 0, left_out = 0;
  for (const std::string name : files) {
    const bool drawn_it = there("study.sweep/" + name + ".pdf"),
               said = has(drawn.err, name + ".pdf is left out: the figure has no room on this page");
    EXPECT_NE(drawn_it, said) << name << "\n" << drawn.err;
    EXPECT_EQ(has(drawn.out, name + ".pdf"), drawn_it) << drawn.out;
    there_are += drawn_it, left_out += said;
  }
  EXPECT_GT(there_are, 0) << drawn.err;
  EXPECT_GT(left_out, 0) << drawn.out;
}

// Of runs that were made elsewhere the roofs are not known.
TEST_F(Sweeps, SayWhichRooflineIsLeftOutForItsDevice) {
  const std::string engine = " --engine-command \"'" + std::string(WARPSPY_PROGRAM) + "' engine\"";
  const Ran made = warpspy("sweep --matrix gen:diagonal --kernel ell --depth quick --device sim:h200@warpspy -o " +
                           at("s") + engine);
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(has(made.out, "roofline.svg")) << made.out;
  const Ran drawn = warpspy("sweep " + at("s") + " --draw");
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_FALSE(has(drawn.out, "roofline.svg")) << drawn.out;
  EXPECT_TRUE(has(drawn.err, "roofline.svg is left out: the device sim:h200@warpspy is not here")) << drawn.err;
}

TEST_F(Sweeps, ReplaceNoTableOfTheUsers) {
  fs::create_directories(dir_ + "/results/cells");
  write("results/table.csv", "mine\n");
  const Ran run = warpspy("sweep --matrix gen:laplace5?nx=8 --kernel csr_scalar --device sim:h200 --depth quick -o " +
                          at("results"));
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(has(run.err, "other files in it")) << run.err;
  EXPECT_EQ(text("results/table.csv"), "mine\n");
}

// The folder of a search is one of a sweep, too.
TEST_F(Sweeps, OfASearchSaysWhatWasAskedFor) {
  const std::string search =
      "tune gen:laplace5?nx=8 --kernel csr_vector --param block_size=128 --strategy exhaustive --device sim:h200 "
      "--precision f32 --keep " +
      at("s");
  const Ran first = warpspy(search);
  EXPECT_EQ(first.code, 0) << first.err;
  const Ran again = warpspy(search);
  EXPECT_TRUE(has(again.out, "had been run before")) << again.out << again.err;
  const Ran status = warpspy("sweep " + at("s") + " --status");
  EXPECT_TRUE(has(status.out, "of 1 done")) << status.out << status.err;
}

}  // namespace
}  // namespace warpspy::testing
