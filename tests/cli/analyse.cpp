// analyse, memory and roofline --flops from the command line: figures, numbers, refusals.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/model/analyses.hpp"
#include "program.hpp"

namespace warpspy::testing {
namespace {

using nlohmann::json;

constexpr const char* matrix = "'gen:laplace5?nx=40&ny=40'";

json numbers(const std::string& args) {
  const std::string out = scratch("numbers.json");
  const Ran r = warpspy(args + " -o '" + out + "'");
  EXPECT_EQ(r.code, 0) << args << ": " << r.err;
  if (r.code != 0) return json::object();
  const json j = json::parse(content_of(out));
  std::remove(out.c_str());
  return j;
}

TEST(AnalyseCommand, SaysWhyThereIsNothing) {
  const Ran r = warpspy("analyse 'gen:laplace5?nx=30' --analysis balance --kernel csr_vector --device sim:h200 -o '" +
                        scratch("none.svg") + "'");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "take cold caches")) << r.err;
  EXPECT_FALSE(has(r.err, "try another device")) << r.err;
}

TEST(AnalyseCommand, EveryAnalysisOnAModelledGpu) {
  for (const AnalysisRow& row : analyses()) {
    SCOPED_TRACE(row.info.id);
    const json j = numbers(std::string("analyse ") + matrix + " --analysis " + row.info.id +
                           " --device sim:k20x --cold --param x_cache=read-only --depth quick");
    int known = 0;
    for (const json& v : j.at("rows")) {
      if (v.at("value").is_null()) {
        EXPECT_EQ(v.at("provenance"), "unavailable");
        EXPECT_FALSE(v.at("reason").is_null());
        continue;
      }
      ++known;
      EXPECT_EQ(v.at("provenance"), "modelled");
      EXPECT_FALSE(v.at("worked").is_null());
    }
    EXPECT_GT(known, 0);
  }
}

TEST(AnalyseCommand, PicturesAndSeveralKernels) {
  for (const char* ending : {"svg", "pdf", "png", "csv"}) {
    const std::string out = scratch(std::string("figure.") + ending);
    const Ran r = warpspy(std::string("analyse ") + matrix + " --analysis balance --kernel csr_scalar,csr_vector,ell " +
                          "--device sim:h200 --cold -o '" + out + "'");
    EXPECT_EQ(r.code, 0) << r.err;
    const std::string text = content_of(out);
    EXPECT_FALSE(text.empty());
    if (std::string(ending) == "svg") {
      EXPECT_TRUE(has(text, "alpha") && has(text, "CSR scalar") && has(text, "ELL"));
    }
    std::remove(out.c_str());
  }
}

TEST(AnalyseCommand, ListAndRefusals) {
  const Ran list = warpspy("analyse --list");
  EXPECT_EQ(list.code, 0);
  for (const AnalysisRow& row : analyses()) EXPECT_TRUE(has(list.out, row.info.id)) << row.info.id;
  const std::string m = matrix;
  const struct {
    std::string args;
    int code;
    const char* says;
  } refused[] = {
      {"analyse " + m + " --analysis nothing -o x.svg", 1, "known: throughput"},
      {"analyse " + m + " -o x.svg", 2, "--analysis"},
      {"analyse --analysis balance -o x.svg", 2, "FILE"},
      {"analyse " + m + " --analysis balance", 2, "--output"},
      {"analyse " + m + " --analysis balance --kernel none -o x.svg", 1, "unknown kernel none"},
      {"analyse " + m + " --analysis coop --kernel csr_scalar --device sim:h200 -o x.svg", 1, "no parameter coop"},
      {"analyse " + m + " --analysis latency --param c_dram=-5 --device sim:h200 -o x.svg", 1, "c_dram"},
      {"memory " + m + " --kernel csr_vector,ell --device sim:h200,sim:k20x -o x.svg", 1, "three runs"},
      {"roofline " + m + " --flops some -o x.svg", 2, "--flops"},
  };
  for (const auto& r : refused) {
    const Ran ran = warpspy(r.args);
    EXPECT_EQ(ran.code, r.code) << r.args << ": " << ran.err;
    EXPECT_TRUE(has(ran.err, r.says)) << r.args << ": " << ran.err;
  }
}

// What the chart says of a run is what the run's counters say.
TEST(MemoryCommand, SaysTheCounters) {
  const Ran ran = warpspy(std::string("run ") + matrix + " --kernel csr_vector --device sim:h200 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json counters = json::parse(ran.out).at("runs").at(0).at("counters");
  const json chart = numbers(std::string("memory ") + matrix + " --kernel csr_vector --device sim:h200");
  const std::map<std::string, std::string> flows = {{"L1 loads", "l1_load_bytes"},
                                                    {"L2 loads for L1", "l2_load_bytes"},
                                                    {"stores", "l2_store_bytes"},
                                                    {"DRAM reads", "dram_read_bytes"},
                                                    {"DRAM writes", "dram_write_bytes"}};
  EXPECT_EQ(chart.at("rows").size(), flows.size());
  for (const json& row : chart.at("rows"))
    EXPECT_EQ(row.at("bytes"), counters.at(flows.at(row.at("flow").get<std::string>())).at("value")) << row;
}

// ELL stores padding: executed flops move its points to the right and up, along the same bandwidth.
TEST(RooflineCommand, ExecutedFlopsCountPadding) {
  const std::string args =
      "roofline 'gen:powerlaw?rows=500' --kernel ell --device sim:h200 --cold --depth whole --flops ";
  const json useful = numbers(args + "useful"), executed = numbers(args + "executed");
  int points = 0;
  for (std::size_t k = 0; k < useful.at("rows").size(); ++k) {
    const json &u = useful.at("rows")[k], &e = executed.at("rows")[k];
    if (!u.at("gflops").is_number() || u.at("run") == "roof") continue;
    ++points;
    EXPECT_GT(e.at("gflops").get<double>(), 2 * u.at("gflops").get<double>());
    EXPECT_NEAR(e.at("gbs").get<double>(), u.at("gbs").get<double>(), 1e-6 * u.at("gbs").get<double>());
  }
  EXPECT_EQ(points, 3);
}

// As run and analyse take them: with commas between.
TEST(RooflineCommand, TakesSeveralKernels) {
  const json figure =
      numbers("roofline 'gen:powerlaw?rows=500' --kernel csr_vector,ell --kernel csr_scalar --device sim:h200");
  std::set<std::string> kernels;
  for (const json& row : figure.at("rows"))
    if (row.at("kernel").is_string()) kernels.insert(row.at("kernel").get<std::string>());
  EXPECT_EQ(kernels, (std::set<std::string>{"csr_scalar", "csr_vector", "ell"}));
}

}  // namespace
}  // namespace warpspy::testing
