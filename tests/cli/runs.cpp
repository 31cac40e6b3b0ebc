// The history of runs from the command line: kept, listed, compared, noted, repeated, removed.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace warpspy::testing {
namespace {

using nlohmann::json;

// The program with a history of its own.
struct Program {
  std::string file = scratch("runs.sqlite");
  Program() { clear(); }
  ~Program() { clear(); }
  void clear() const {
    for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(file + part);
  }
  Ran operator()(const std::string& args) const { return warpspy(args, "WARPSPY_RUNS='" + file + "'"); }
};

constexpr const char* laplace = "'gen:laplace5?nx=50&ny=50' --device sim:h200";
// No machine is that slow: all blocks run, and the model says the same every time.
constexpr const char* whole = " --depth whole";

TEST(GridCommands, DrawWhatIsKept) {
  const Program warpspy;
  const Ran none = warpspy("heatmap --json");
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(has(none.err, "no saved run answers this")) << none.err;
  for (const char* matrix : {"'gen:laplace5?nx=20&ny=20'", "'gen:diagonal?n=60'"})
    for (const char* kernel : {"csr_scalar", "csr_vector"})
      ASSERT_EQ(warpspy(std::string("run ") + matrix + " --device sim:h200 --depth quick --kernel " + kernel).code, 0);
  const json cells = json::parse(warpspy("heatmap --json").out).at("rows");
  ASSERT_EQ(cells.size(), 4u);
  EXPECT_GT(cells[0].at("gflops").get<double>(), 0);
  EXPECT_GT(cells[0].at("share_of_roof").get<double>(), 0);
  EXPECT_EQ(json::parse(warpspy("heatmap --kernel csr_scalar --json").out).at("rows").size(), 2u);
  EXPECT_TRUE(has(warpspy("profile --csv").out, "time_over_best"));
  for (const char* what : {"heatmap --measure best", "heatmap --measure roof", "profile"})
    for (const char* ending : {".svg", ".png", ".pdf", ".csv"}) {
      const std::string path = scratch(std::string("grid") + ending);
      const Ran r = warpspy(what + (" -o '" + path + "'"));
      EXPECT_EQ(r.code, 0) << what << ": " << r.err;
      EXPECT_FALSE(content_of(path).empty());
      std::filesystem::remove(path);
    }
  EXPECT_EQ(warpspy("profile").code, 1) << "where to is not said";
  EXPECT_EQ(warpspy("heatmap --json --matrix nosuch").code, 1);
  EXPECT_EQ(warpspy("heatmap --json --measure speed").code, 2);
}

// Of the run that a search leaves, as of any other.
TEST(Runs, WhatASearchFoundSaysWhatLimitsIt) {
  const Program warpspy;
  const Ran searched = warpspy("tune " + std::string(laplace) + " --kernel csr_vector --strategy fixed_rule");
  ASSERT_EQ(searched.code, 0) << searched.err;
  const json kept = json::parse(warpspy("runs --json").out);
  ASSERT_EQ(kept.size(), 1u);
  const Ran shown = warpspy("runs show " + std::to_string(kept[0].at("id").get<int>()) + " --json");
  EXPECT_FALSE(json::parse(shown.out).at("findings").empty()) << shown.out;
}

TEST(BestCommand, TellsTheBestOfEachMatrixAndWhy) {
  const Program warpspy;
  EXPECT_EQ(warpspy("best").code, 1);
  for (const char* matrix : {"'gen:laplace5?nx=20&ny=20'", "'gen:diagonal?n=600'"})
    for (const char* kernel : {"csr_scalar", "csr_vector", "ell"})
      ASSERT_EQ(warpspy(std::string("run ") + matrix + " --device sim:h200 --kernel " + kernel).code, 0);
  const json rows = json::parse(warpspy("best --json").out);
  ASSERT_EQ(rows.size(), 2u);
  for (const json& row : rows) {
    EXPECT_EQ(row.at("kernels"), 3);
    EXPECT_GE(row.at("times_as_fast").get<double>(), 1);
    EXPECT_FALSE(row.at("why").get<std::string>().empty());
    EXPECT_GT(row.at("share_of_roof").get<double>(), 0);
    EXPECT_TRUE(has(warpspy("best").out, row.at("kernel").get<std::string>()));
  }
  EXPECT_EQ(json::parse(warpspy("best --matrix diagonal --json").out).size(), 1u);
  const std::string path = scratch("best.csv");
  ASSERT_EQ(warpspy("best -o '" + path + "'").code, 0);
  EXPECT_EQ(content_of(path), warpspy("best --csv").out);
  std::filesystem::remove(path);
  EXPECT_EQ(warpspy("best -o best.svg").code, 1) << "a table is no picture";
}

// A solve tries up to seven kernels; the trials are kept.
TEST(BestCommand, ASolveTriesWhatMayBeBest) {
  const Program warpspy;
  const std::string matrix = "'gen:laplace5?nx=100&ny=100' --device sim:h200 ";
  for (const char* kernel : {"csr_scalar", "csr_vector --param coop=32"})
    ASSERT_EQ(warpspy("run " + matrix + "--precision f64 --kernel " + kernel).code, 0);
  const auto trials = [&] { return json::parse(warpspy("runs --trials --json").out).size(); };
  const auto solved = [&] {
    const Ran r = warpspy("solve " + matrix + "--kernel best --max-iterations 50 --json");
    EXPECT_EQ(r.code, 0) << r.err;
    return json::parse(r.out).at("runs").at(0);
  };
  const std::size_t before = trials();
  const json run = solved();
  const std::size_t after = trials();
  EXPECT_GE(after, before + 3) << "csr_scalar, csr_vector, and csr_vector with its defaults";
  EXPECT_LE(after, before + 8);
  EXPECT_EQ(run.at("solve").at("iterations"), 50);
  // Never the one that reads rows of five entries by 32 threads.
  const json& request = run.at("request");
  EXPECT_FALSE(request.at("kernel") == "csr_vector" && request.at("params").at("coop") == 32) << request;
  solved();
  EXPECT_EQ(trials(), after) << "nothing is tried again";
}

TEST(BestCommand, IsForANumberOfProducts) {
  const Program warpspy;
  for (const char* kernel : {"csr_scalar", "csr_vector", "ell"})
    ASSERT_EQ(warpspy(std::string("run 'gen:laplace5?nx=20&ny=20' --device sim:h200 --kernel ") + kernel).code, 0);
  double before = 0;
  for (const char* products : {"1", "100", "10000", "ever"}) {
    SCOPED_TRACE(products);
    const std::string asked = std::string("best --products ") + products;
    const json row = json::parse(warpspy(asked + " --json").out).at(0);
    EXPECT_EQ(row.at("products"), products);
    EXPECT_GE(row.at("preparation_us").get<double>(), 0);
    EXPECT_EQ(row.at("preparation_provenance"), "measured");
    EXPECT_GE(row.at("preparation_products").get<double>(), 0);
    const double total = row.at("total_us").get<double>();
    const bool ever = std::string(products) == "ever";
    if (!ever) {
      EXPECT_GT(total, before) << "more products take longer";
      EXPECT_NEAR(total, row.at("preparation_us").get<double>() + std::stod(products) * row.at("time_us").get<double>(),
                  1e-6 * total);
    }
    before = total;
    const std::string text = warpspy(asked).out;
    EXPECT_TRUE(has(text, row.at("crossings").get<std::string>())) << text;
    EXPECT_TRUE(has(text, " takes least: ")) << text;
  }
  for (const char* wrong : {"0", "-3", "many", "1.5"}) {
    const Ran refused = warpspy(std::string("best --products=") + wrong);
    EXPECT_EQ(refused.code, 1) << wrong;
    EXPECT_TRUE(has(refused.err, "whole number")) << refused.err;
  }
  for (const char* ending : {"svg", "pdf", "png", "pgf", "csv", "json"}) {
    const std::string path = scratch(std::string("cost.") + ending);
    const Ran drawn = warpspy("draw cost --products 100 -o '" + path + "'");
    ASSERT_EQ(drawn.code, 0) << drawn.err;
    EXPECT_FALSE(content_of(path).empty());
    std::filesystem::remove(path);
  }
  ASSERT_EQ(warpspy("run 'gen:diagonal?n=600' --device sim:h200 --kernel ell").code, 0);
  const Ran several = warpspy("draw cost --csv");
  EXPECT_EQ(several.code, 1);
  EXPECT_TRUE(has(several.err, "only one can be drawn")) << several.err;
  EXPECT_EQ(warpspy("draw cost --csv --matrix laplace5").code, 0);
}

TEST(BestCommand, AsksAFolderOfCellsAsItAsksTheHistory) {
  const Program warpspy;
  const std::string folder = scratch("best.sweep");
  std::filesystem::remove_all(folder);
  const Ran sweep = warpspy(
      "sweep --matrix 'gen:laplace5?nx=20&ny=20' --kernel csr_scalar,csr_vector --device sim:h200 -o '" + folder + "'");
  ASSERT_EQ(sweep.code, 0) << sweep.err;
  const json kept = json::parse(warpspy("best --json").out),
             cells = json::parse(warpspy("best --from '" + folder + "' --json").out);
  ASSERT_EQ(kept.size(), 1u);
  ASSERT_EQ(cells.size(), 1u);
  for (const char* key : {"kernel", "time_us", "second_kernel", "why", "kernels"})
    EXPECT_EQ(kept[0].at(key), cells[0].at(key)) << key;
  EXPECT_EQ(warpspy("heatmap --csv --from '" + folder + "'").out, warpspy("heatmap --csv").out);
  EXPECT_EQ(json::parse(warpspy("runs --json --from '" + folder + "'").out).size(), 2u);
  EXPECT_EQ(warpspy("best --from '" + scratch("nothing") + "'").code, 1);
  std::filesystem::remove_all(folder);
}

// A search keeps trials alone: they are what its folder answers with.
TEST(BestCommand, AsksTheFolderOfASearchToo) {
  const Program warpspy;
  const std::string folder = scratch("best.tune");
  std::filesystem::remove_all(folder);
  const Ran tune = warpspy(
      "tune 'gen:laplace5?nx=20&ny=20' --kernel csr_vector --strategy run_time --device sim:h200 --json --keep '" +
      folder + "'");
  ASSERT_EQ(tune.code, 0) << tune.err;
  const json rows = json::parse(warpspy("best --from '" + folder + "' --json").out);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].at("kernel"), "csr_vector");
  const json runs = json::parse(warpspy("runs --json --from '" + folder + "'").out);
  EXPECT_GT(runs.size(), 1u);
  EXPECT_EQ(runs, json::parse(warpspy("runs --json --trials --from '" + folder + "'").out));
  std::filesystem::remove_all(folder);
}

TEST(BestCommand, SearchesEachMatrixFirst) {
  const Program warpspy;
  EXPECT_EQ(warpspy("best --search 0.1").code, 1) << "of what?";
  const Ran r = warpspy("best 'gen:laplace5?nx=20&ny=20' --search 0.1 --device sim:h200 --precision f32 --json");
  ASSERT_EQ(r.code, 0) << r.err;
  const json rows = json::parse(r.out);
  ASSERT_EQ(rows.size(), 2u) << "the product and the transposed one";
  for (const json& row : rows) {
    EXPECT_GE(row.at("kernels"), 2) << "the best, and the second that it is held against";
    EXPECT_FALSE(row.at("second_kernel").is_null());
    EXPECT_EQ(row.at("provenance"), "modelled");
  }
  EXPECT_EQ(warpspy("best 'gen:diagonal?n=9' --json").code, 1) << "nothing of it is kept";
  EXPECT_EQ(json::parse(warpspy("draw best --json").out).size(), 2u);
}

TEST(RunsCommand, FromTheFirstRunToTheLast) {
  const Program warpspy;
  for (const char* kernel : {"csr_scalar", "csr_vector"}) {
    const Ran r = warpspy(std::string("run ") + laplace + whole + " --kernel " + kernel);
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_TRUE(has(r.out, "kept as")) << r.out;
  }
  const json list = json::parse(warpspy("runs --json").out);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].at("id"), 2);
  EXPECT_EQ(list[0].at("kernel"), "csr_vector");
  EXPECT_GT(list[0].at("time_us").get<double>(), 0);
  EXPECT_TRUE(has(warpspy("runs --kernel csr_scalar --csv").out, "csr_scalar"));
  EXPECT_EQ(json::parse(warpspy("runs --kernel csr_scalar --json").out).size(), 1u);
  EXPECT_TRUE(json::parse(warpspy("runs --matrix nosuch --json").out).empty());

  ASSERT_EQ(warpspy("runs note 1 'one thread a row'").code, 0);
  EXPECT_TRUE(has(warpspy("runs").out, "one thread a row"));
  EXPECT_TRUE(has(warpspy("runs show 1").out, "one thread a row"));
  EXPECT_EQ(json::parse(warpspy("runs show 1 --json").out).at("note"), "one thread a row");

  const Ran compared = warpspy("runs compare 1 2");
  EXPECT_EQ(compared.code, 0) << compared.err;
  for (const char* part : {"Kernel", "csr_scalar", "Time", "noise", "beyond noise"})
    EXPECT_TRUE(has(compared.out, part)) << part << " not in\n" << compared.out;
  const json delta = json::parse(warpspy("runs compare 1 2 --json").out);
  EXPECT_EQ(delta.at("baseline"), 1);
  for (const char* ending : {".svg", ".csv", ".json"}) {
    const std::string path = scratch(std::string("delta") + ending);
    const Ran r = warpspy("runs compare 2 1 -o '" + path + "'");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_TRUE(has(content_of(path), std::string(ending) == ".svg" ? "%</text>" : "beyond noise")) << ending;
    std::filesystem::remove(path);
  }

  const Ran again = warpspy("runs repeat 2 --json");
  ASSERT_EQ(again.code, 0) << again.err;
  const json record = json::parse(again.out), first = json::parse(warpspy("runs show 2 --json").out);
  EXPECT_EQ(record.at("id"), 3);
  EXPECT_EQ(record.at("request"), first.at("request"));
  EXPECT_EQ(record.at("time_us"), first.at("time_us")) << "a model that ran whole gives the same again";

  ASSERT_EQ(warpspy("runs remove 1 3").code, 0);
  EXPECT_EQ(json::parse(warpspy("runs --json").out).size(), 1u);
}

TEST(RunsCommand, RepeatsFromAnotherFolderAndSaysWhatChanged) {
  const Program warpspy;
  const std::string matrix = scratch("small.mtx");
  const auto write = [&](const char* text) {
    std::ofstream(matrix) << "%%MatrixMarket matrix coordinate real general\n" << text;
  };
  write("2 2 2\n1 1 1\n2 2 1\n");
  ASSERT_EQ(warpspy("run '" + matrix + "' --device sim:h200").code, 0);
  EXPECT_EQ(warpspy("runs repeat 1").code, 0);
  write("2 2 3\n1 1 1\n1 2 1\n2 2 1\n");
  const Ran other = warpspy("runs repeat 1");
  EXPECT_EQ(other.code, 1);
  EXPECT_TRUE(has(other.err, "the matrix is now 2 x 2 with 3 entries")) << other.err;
  std::filesystem::remove(matrix);
  const Ran gone = warpspy("runs repeat 1");
  EXPECT_EQ(gone.code, 1);
  EXPECT_TRUE(has(gone.err, "cannot be repeated")) << gone.err;
}

TEST(RunsCommand, TuneKeepsItsBest) {
  const Program warpspy;
  ASSERT_EQ(warpspy(std::string("tune ") + laplace + " --strategy fixed_rule --budget 0.01").code, 0);
  EXPECT_EQ(json::parse(warpspy("runs --json").out).size(), 1u);
}

TEST(RunsCommand, WrongArgumentsAreRefused) {
  const Program warpspy;
  struct Refused {
    const char* args;
    int code;
    const char* said;
  };
  const Refused cases[] = {{"runs show 5", 1, "there is no run 5"},       {"runs compare 1", 2, ""},
                           {"runs note 5 x", 1, "there is no run 5"},     {"runs remove 5", 1, "there is no run 5"},
                           {"runs show five", 1, "there is no run five"}, {"runs --precision f16", 2, "--precision"}};
  for (const Refused& c : cases) {
    const Ran r = warpspy(c.args);
    EXPECT_EQ(r.code, c.code) << c.args << ": " << r.err;
    EXPECT_TRUE(has(r.err, c.said)) << c.args << ": " << r.err;
  }
}

TEST(RunsCommand, OffMeansOff) {
  const Ran ran = warpspy(std::string("run ") + laplace);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_FALSE(has(ran.out, "kept as"));
  const Ran r = warpspy("runs");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "off")) << r.err;
}

}  // namespace
}  // namespace warpspy::testing
