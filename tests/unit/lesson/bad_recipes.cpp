// Recipes that do not run: each is refused before anything is made, with its file and line.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/base/types.hpp"
#include "core/lesson/run.hpp"
#include "samples.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

Catalog catalog() {
  using Type = ParamSpec::Type;
  Catalog c;
  c.formats = {{"csr", "CSR", "", ""}};
  c.kernels = {{"csr_scalar", "CSR scalar", "", "", "csr"},
               {"csr_vector", "CSR vector", "", "", "csr", {{"coop", "Threads", "", Type::power_of_two, 1, 32, 8}}}};
  c.devices = {{"sim:h200", "Toy", true, true, "", "", {}}};
  return c;
}

struct Bad {
  const char* what;
  const char *from, *to;
  const char* line;
  const char* reason;
};
const Bad kBad[] = {
    {"no such kernel", "kernel: csr_scalar", "kernel: csr_gone", "7", "no kernel csr_gone"},
    {"no such GPU", "device: h200", "device: h900", "8", "no simulated GPU called h900"},
    {"a real GPU", "device: h200", "device: cuda:0", "8", "no simulated GPU called cuda:0"},
    {"a billion rows", "gen:laplace5?nx=8&ny=8", "gen:laplace3?nx=1000000000", "6", "at most 4 million"},
    {"a hundred million entries", "gen:laplace5?nx=8&ny=8", "gen:dense?rows=10000&cols=10000", "6",
     "at most 4 million"},
    {"long rows", "gen:laplace5?nx=8&ny=8", "gen:band?rows=100000&half=1000", "6", "at most 4 million"},
    {"high degrees", "gen:laplace5?nx=8&ny=8", "gen:fem_quad?degree=4&nx=200&ny=200", "6", "at most 4 million"},
    {"a stand-in", "gen:laplace5?nx=8&ny=8", "gen:like?name=cage14", "6", "makes no stand-ins"},
    {"no such generator", "gen:laplace5?nx=8&ny=8", "gen:lapalce5", "6", "generator"},
    {"an absolute path", "gen:laplace5?nx=8&ny=8", "/etc/passwd", "6", "outside the folder"},
    {"a path upwards", "gen:laplace5?nx=8&ny=8", "../m.mtx", "6", "outside the folder"},
    {"a link outwards", "gen:laplace5?nx=8&ny=8", "link.mtx", "6", "outside the folder"},
    {"a matrix that is gone", "gen:laplace5?nx=8&ny=8", "gone.mtx", "6", "no matrix gone.mtx"},
    {"the network", "gen:laplace5?nx=8&ny=8", "collection:HB/1138_bus", "6", "generator or its own folder"},
    {"unknown field", "device: h200", "device: h200\nbudget: 5", "9", "has no field budget"},
    {"unknown parameter", "device: h200", "device: h200\nparam.width: 5", "9", "has a parameter width"},
    {"no depth ends", "device: h200", "device: h200\ndepth: whole", "9", "quick, medium or full"},
    {"no such depth", "device: h200", "device: h200\ndepth: deep", "9", "unknown value"},
    {"a warp of words", "device: h200", "device: h200\nwarp: best", "9", "the warp \"best\""},
    {"no such tab", "device: h200", "device: h200\ntab: layout", "9", "has no tab layout"},
    {"a measured run upwards", "device: h200", "device: h200\nmeasured: ../run.json", "9", "outside the folder"},
    {"a measured run that is gone", "device: h200", "device: h200\nmeasured: gone.json", "9",
     "no measured run gone.json"},
    {"a measured run of words", "device: h200", "device: h200\nmeasured: words.json", "9", "not the JSON"},
    {"a modelled one", "device: h200", "device: h200\nmeasured: modelled.json", "9", "not measured"},
    {"one of another kernel", "device: h200", "device: h200\nmeasured: vector.json", "9", "of the kernel csr_vector"},
    {"one with warm caches", "device: h200", "device: h200\ncache_state: cold\nmeasured: run.json", "10",
     "with caches warm"},
    {"a row before the first", "device: h200", "device: h200\nwarp: 0", "9", "the warp \"0\""},
    {"a kernel beside that is gone", "device: h200", "device: h200\nwarp: 7\nbeside: csr_gone", "10",
     "no kernel csr_gone"},
    {"the kernel beside itself", "device: h200", "device: h200\nwarp: 7\nbeside: csr_scalar", "10",
     "cannot stand beside"},
    {"a kernel beside no warp", "device: h200", "device: h200\nbeside: csr_vector", "9", "no warp is chosen"},
    {"a step before the first", "device: h200", "device: h200\nstep: 0", "9", "no whole number from 1"},
    {"a step of words", "device: h200", "device: h200\nstep: last", "9", "no whole number"},
};

class BadRecipes : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    fs::create_directories(root_ + "/inside");
    std::ofstream(root_ + "/outside.mtx") << "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n";
    fs::create_symlink("../outside.mtx", root_ + "/inside/link.mtx");
    RunRecord r;
    r.status = RunStatus::ok, r.provenance = Provenance::measured;
    r.request.matrix = "gen:laplace5?nx=8&ny=8", r.request.kernel = "csr_scalar", r.request.device = "cuda:0";
    r.counters = {{"dram_bytes", 7680.0, "B", Provenance::measured, "", ""}};
    put("run", r);
    r.provenance = Provenance::modelled;
    put("modelled", r);
    r.provenance = Provenance::measured, r.request.kernel = "csr_vector";
    put("vector", r);
    std::ofstream(root_ + "/inside/words.json") << "words";
  }
  void TearDown() override { fs::remove_all(root_); }
  void put(const std::string& name, const RunRecord& r) const {
    std::ofstream(root_ + "/inside/" + name + ".json")
        << R"({"schema": "warpspy-runs-1", "runs": [)" << to_json(r) << "]}";
  }
  LessonRun run(const std::string& text, std::uint64_t seed = 1) const {
    const Lesson l = lesson_from_markdown(text, root_ + "/inside/l.md");
    return lesson_run(l, l.recipes.at("a"), catalog(), seed);
  }
  const std::string root_ = ::testing::TempDir() + "warpspy_recipes_" + std::to_string(::getpid());
};

TEST_F(BadRecipes, TakeARunThatAGpuMadeBefore) {
  const LessonRun made = run(testing::with("device: h200", "device: h200\nmeasured: run.json"));
  ASSERT_NE(made.measured, nullptr);
  EXPECT_EQ(made.measured->counter("dram_bytes")->value, 7680);
  EXPECT_EQ(run(testing::good_lesson()).measured, nullptr);
}

TEST_F(BadRecipes, SayFileAndLine) {
  for (const Bad& b : kBad) {
    try {
      run(testing::with(b.from, b.to));
      ADD_FAILURE() << b.what << ": it is taken";
    } catch (const Error& e) {
      EXPECT_EQ(e.where, root_ + "/inside/l.md:" + b.line) << b.what << ": " << e.what();
      EXPECT_NE(e.reason.find(b.reason), std::string::npos) << b.what << ": " << e.what();
    }
  }
}

TEST_F(BadRecipes, GoodOnesBecomeRequests) {
  const LessonRun r =
      run(testing::with("device: h200", "device: h200\nwarp: 7\nstep: 3\nbeside: csr_vector\nprecision: f64"));
  EXPECT_EQ(r.request.device, "sim:h200");
  EXPECT_EQ(r.request.depth, Depth::medium);
  EXPECT_EQ(r.request.precision, Precision::f64);
  EXPECT_EQ(r.warp.row, 6) << "a recipe counts from 1, as the window does";
  EXPECT_EQ(r.step, 2u);
  EXPECT_TRUE(r.has_warp);
  EXPECT_EQ(r.beside, "csr_vector");
}

TEST_F(BadRecipes, SeedsStandInTheMatrix) {
  const std::string text = testing::with("gen:laplace5?nx=8&ny=8", "gen:random?rows=64&cols=64&per_row=4&seed=$seed");
  EXPECT_EQ(run(text, 42).request.matrix, "gen:random?rows=64&cols=64&per_row=4&seed=42");
}

}  // namespace
}  // namespace warpspy
