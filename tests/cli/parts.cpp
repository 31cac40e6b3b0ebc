// A matrix over several simulated GPUs, as a user types it.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace {

using warpspy::testing::content_of;
using warpspy::testing::has;
using warpspy::testing::scratch;
using warpspy::testing::warpspy;

const std::string small = "'gen:laplace5?nx=24&ny=24' --device sim:k20x";

TEST(Parts, AreATableAndASentence) {
  const auto r = warpspy("run " + small + " --parts 3 --split metis --kernel ell");
  ASSERT_EQ(r.code, 0) << r.err;
  for (const char* word :
       {"halo in", "halo out", "messages", "waits [us]", "modelled", "most entries of a part", "latency of a message",
        "17.6 us", "PCI Express 2.0", "576 rows", "passed", "What limits it"})
    EXPECT_TRUE(has(r.out, word)) << word << "\n" << r.out;
  EXPECT_TRUE(has(r.out, "time pass while messages begin")) << r.out;
}

TEST(Parts, AreInTheJson) {
  const auto r = warpspy("run " + small + " --parts 4 --json");
  ASSERT_EQ(r.code, 0) << r.err;
  const auto run = nlohmann::json::parse(r.out).at("runs").at(0);
  ASSERT_EQ(run.at("parts").size(), 4u);
  EXPECT_EQ(run.at("parts").at(1).at("rows"), 144);
  EXPECT_EQ(run.at("parts").at(1).at("halo_in"), 48);
  EXPECT_EQ(run.at("parts").at(1).at("messages"), 2);
  EXPECT_EQ(run.at("request").at("parts"), 4);
  EXPECT_FALSE(run.at("request").contains("split")) << "it has its default";
  EXPECT_EQ(run.at("provenance"), "modelled");
  const auto one = warpspy("run " + small + " --parts 1 --split metis --json");
  EXPECT_FALSE(nlohmann::json::parse(one.out).at("runs").at(0).contains("parts"));
}

TEST(Parts, AreAnAxisOfASweep) {
  const std::string folder = scratch("parts");
  const auto r = warpspy(
      "sweep --matrix 'gen:laplace5?nx=24&ny=24' --kernel csr_vector --device sim:h200 "
      "--parts 1,2,4 --split rows,entries -o '" +
      folder + "'");
  EXPECT_EQ(r.code, 0) << r.err;
  std::string table;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".csv") table += content_of(file.path());
  EXPECT_TRUE(has(table, ",parts,split")) << table;
  for (const char* words : {",1,rows", ",2,entries", ",4,rows"}) EXPECT_TRUE(has(table, words)) << words << table;
  std::filesystem::remove_all(folder);
}

TEST(Parts, OfASolveAreTwoTables) {
  const auto r = warpspy("solve " + small + " --parts 4 --split entries --precond jacobi");
  ASSERT_EQ(r.code, 0) << r.err;
  for (const char* word : {"halo in", "vectors [us]", "waits in sums [us]", "modelled", "iteration: exchanges of sums",
                           "iteration: waiting", "converged", "PCI Express 2.0", "while sums travel between the GPUs"})
    EXPECT_TRUE(has(r.out, word)) << word << "\n" << r.out;
}

TEST(Parts, OfASolveAreInTheJson) {
  const auto r = warpspy("solve " + small + " --parts 2 --solver pipelined_cg --json");
  ASSERT_EQ(r.code, 0) << r.err;
  const auto run = nlohmann::json::parse(r.out).at("runs").at(0);
  ASSERT_EQ(run.at("parts").size(), 2u);
  for (const auto& part : run.at("parts")) {
    double sum = 0;
    for (const char* id : {"local_us", "waiting_us", "halo_us", "vectors_us"}) sum += part.at(id).get<double>();
    sum += part.value("dots_us", 0.0) + part.value("dots_waiting_us", 0.0);
    EXPECT_NEAR(part.at("time_us").get<double>(), sum, 1e-6 * sum);
    EXPECT_NEAR(part.at("time_us").get<double>(), run.at("time_us").get<double>(), 1e-6 * sum);
  }
  EXPECT_EQ(run.at("quantities").at("exchanges").at("value"), 1);
}

TEST(Parts, OfSolvesAreAnAxisOfASweep) {
  const std::string folder = scratch("parts_solves");
  const auto r = warpspy(
      "sweep --matrix 'gen:laplace5?nx=24&ny=24' --kernel csr_vector --device sim:h200 --precision f64 "
      "--solver cg,pipelined_cg --parts 1,2,4 -o '" +
      folder + "'");
  EXPECT_EQ(r.code, 0) << r.err;
  std::string table;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".csv") table += content_of(file.path());
  for (const char* words : {"pipelined_cg", ",parts", ",4"}) EXPECT_TRUE(has(table, words)) << words << table;
  std::filesystem::remove_all(folder);
}

TEST(Parts, BadInputOfSolvesSaysWhatToDo) {
  const struct {
    const char *options, *says;
  } cases[] = {{"--parts 600", "600 parts are more than the 576 rows of the matrix; use at most as many parts as rows"},
               {"--parts 2 --precond block_jacobi", "choose Jacobi (--precond jacobi)"},
               {"--parts 2 --precision f32 --refine", "--parts 1"},
               {"--parts 2 --kernel lma", "part 1 of 2"}};
  for (const auto& c : cases) {
    const auto r = warpspy("solve " + small + " " + c.options);
    EXPECT_NE(r.code, 0) << c.options;
    EXPECT_TRUE(has(r.err, c.says)) << c.options << "\n" << r.err;
  }
}

TEST(Parts, BadInputSaysWhatToDo) {
  const struct {
    const char *options, *says;
  } cases[] = {{"--parts 600", "600 parts are more than the 576 rows of the matrix; use at most as many parts as rows"},
               {"--parts 0", "use --parts 1 or more"},
               {"--parts 2 --kernel csr_transposed", "computes no A x"},
               {"--parts 2 --split thirds", "thirds"},
               {"--parts 2 --kernel lma", "part 1 of 2"},
               {"--parts -2", "--parts"}};
  for (const auto& c : cases) {
    const auto r = warpspy("run " + small + " " + c.options);
    EXPECT_NE(r.code, 0) << c.options;
    EXPECT_TRUE(has(r.err, c.says)) << c.options << "\n" << r.err;
  }
  EXPECT_TRUE(has(warpspy("run --help").out, "cuda:0+cuda:1"));
}

}  // namespace
