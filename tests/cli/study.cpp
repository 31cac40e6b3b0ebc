// warpspy study, as a user types it.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace warpspy::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Studies : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(dir_);
    fs::create_directories(dir_);
    write("small.json", study_);
  }
  void TearDown() override { fs::remove_all(dir_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(dir_ + "/" + name) << text; }
  std::string at(const std::string& name) const { return "'" + dir_ + "/" + name + "'"; }

  const std::string dir_ = scratch("study");
  const std::string study_ = R"({"schema": "warpspy-study-1", "id": "small", "title": "Small & made up",
    "source": {"paper": "Nobody 2026", "place": "Table 1"},
    "matrices": {"grid": {"source": "gen:laplace5?nx=32&ny=32", "kind": "stand-in", "rows": 1024}},
    "setups": {"ELL": {"kernel": "ell", "precision": "f32", "device": "gtx280", "depth": "quick"},
               "scalar": {"kernel": "csr_scalar", "precision": "f32", "device": "gtx280", "depth": "quick"}},
    "defaults": {"matrix": "grid"},
    "claims": [{"name": "rows", "claim": "exact", "printed": "1,024", "quantity": "matrix.rows"},
               {"name": "order", "claim": "order", "quantity": "run.gflops", "setup": "ELL", "than": ["scalar"]},
               {"name": "rate", "claim": "rate", "unit": "GFLOP/s", "printed": "9999", "quantity": "run.gflops", "setup": "ELL"}]})";
};

TEST_F(Studies, AreListedAndShown) {
  const Ran list = warpspy("study list");
  EXPECT_EQ(list.code, 0) << list.err;
  EXPECT_TRUE(has(list.out, "bg-table3")) << list.out;
  const Json j = Json::parse(warpspy("study list --json").out);
  EXPECT_EQ(j.at("schema"), "warpspy-studies-1");
  EXPECT_GT(j.at("studies").size(), 20u);
  const Ran shown = warpspy("study show bg-table3");
  EXPECT_TRUE(has(shown.out, "Laplace 27pt, Nonzeros: 26,463,592")) << shown.out << shown.err;
}

TEST_F(Studies, OfOurFilesRunWithoutAnything) {
  const Ran run = warpspy("study run bg-table1");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(has(run.out, "14 agrees")) << run.out;
}

TEST_F(Studies, RunIntoAFolderAndGoOn) {
  const Ran stopped = warpspy("study run " + at("small.json") + " --budget 0.000001s -o " + at("out"));
  EXPECT_EQ(stopped.code, 3) << stopped.err;
  EXPECT_TRUE(has(stopped.err, "the same command goes on")) << stopped.err;
  const Ran run = warpspy("study run " + at("small.json") + " --device sim:h200 --json -o " + at("out"));
  EXPECT_EQ(run.code, 0) << run.err;
  const Json j = Json::parse(run.out);
  EXPECT_EQ(j.at("schema"), "warpspy-study-result-1");
  ASSERT_EQ(j.at("cells").size(), 3u);
  EXPECT_EQ(j["cells"][0]["modelled"]["verdict"], "agrees");
  EXPECT_EQ(j["cells"][0]["stand_in"], true);
  EXPECT_EQ(j["cells"][1]["modelled"]["verdict"], "agrees");
  EXPECT_EQ(j["cells"][2]["modelled"]["verdict"], "differs");
  EXPECT_EQ(j["cells"][2]["here"]["verdict"], "not comparable");
  EXPECT_EQ(j["cells"][2]["here"]["provenance"], "modelled");
  for (const char* file : {"study.txt", "study.csv", "study.result.json", "study.tex", "deviations.md", "sweep.json",
                           "README.md", "claims.csv", "study.json"})
    EXPECT_TRUE(fs::exists(dir_ + "/out/" + file)) << file;
  EXPECT_TRUE(has(content_of(dir_ + "/out/study.tex"), "Small \\& made up"));
  EXPECT_TRUE(has(content_of(dir_ + "/out/deviations.md"), "printed 9999"));
  EXPECT_EQ(std::distance(fs::directory_iterator(dir_ + "/out/cells"), fs::directory_iterator()), 4);
}

TEST_F(Studies, TryASingleClaimAsTheirBundleSays) {
  const Ran rate = warpspy("study run " + at("small.json") + " --cell rate --json");
  EXPECT_EQ(rate.code, 4) << rate.err << "9999 GFLOP/s are not reached";
  EXPECT_EQ(Json::parse(rate.out).at("cells").size(), 1u);
  EXPECT_EQ(warpspy("study run " + at("small.json") + " --cell rows").code, 0);
  const Ran none = warpspy("study run " + at("small.json") + " --cell nothing");
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(has(none.err, "no cell called nothing")) << none.err;
}

TEST_F(Studies, AreDrawn) {
  const Ran drawn = warpspy("draw study bg-table1 -o " + at("t.svg"));
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_TRUE(has(content_of(dir_ + "/t.svg"), "as printed"));
}

TEST_F(Studies, TakeARealFileInThePlaceOfAStandIn) {
  write("other.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n");
  const Ran run = warpspy("study run " + at("small.json") + " --matrix grid=" + at("other.mtx"));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(has(run.out, "another matrix than the paper's grid: it has 2 rows")) << run.out;
  EXPECT_TRUE(has(warpspy("study run " + at("small.json") + " --matrix mesh=a.mtx").err, "known: grid"));
}

TEST_F(Studies, BadInputIsSaid) {
  write("cut.json", study_.substr(0, 100));
  struct Case {
    std::string args, says;
  };
  const Case cases[] = {{"study", "subcommand"},
                        {"study run nothing", "there is no study called nothing"},
                        {"study run lot", "there is no study called lot"},
                        {"study run " + at("none.json"), "cannot be read"},
                        {"study run " + at("cut.json"), "no JSON"},
                        {"study run bg-table4", "set aside"},
                        {"study run bg-table1 --budget soon", "write 10min"},
                        {"study run bg-table1 --json --csv", "--csv"},
                        {"study run bg-table1 --matrix A", "NAME=FILE"}};
  for (const Case& c : cases) {
    const Ran run = warpspy(c.args);
    EXPECT_NE(run.code, 0) << c.args;
    EXPECT_TRUE(has(run.err, c.says)) << c.args << "\n" << run.err;
  }
}

}  // namespace
}  // namespace warpspy::testing
