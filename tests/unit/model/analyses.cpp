// The table of analyses: the runs each asks for, the numbers it makes of their counters, and what it says when a
// counter is missing. The engine here answers from a rule, so that every number can be worked by hand.
#include <gtest/gtest.h>

#include <set>

#include "core/catalog/grid.hpp"
#include "core/experiment/analysis.hpp"

namespace warpspy {
namespace {

ParamSpec choice(const char* id) {
  ParamSpec s;
  s.id = id, s.label = id, s.type = ParamSpec::Type::choice, s.max = 4;
  s.choices = {"plain", "read-only", "streaming", "no L1", "constant"};
  return s;
}
ParamSpec integer(const char* id, double max, double def) {
  ParamSpec s;
  s.id = id, s.label = id, s.type = ParamSpec::Type::integer, s.min = 1, s.max = max, s.def = def;
  return s;
}

Catalog catalog() {
  Catalog c;
  c.kernels = {
      {"csr_vector", "CSR vector", "", "", "csr", {integer("coop", 32, 8), choice("x_cache"), choice("matrix_cache")}},
      {"vendor", "Vendor CSR", "", "", "csr", {}},
      {"axpy", "axpy", "", "", "", {integer("stride", 32, 1), choice("x_cache")}}};
  c.kernels[2].operation = Operation::axpy;
  GpuSpec g;
  g.clock_mhz = 1000;
  g.l1_latency_ns = 30, g.l2_latency_ns = 200, g.dram_latency_ns = 500;
  g.dram_stream_gbs = 100;
  c.devices = {{"sim:toy", "Toy GPU", true, true, "", "", g}};
  return c;
}

Counter counter(const char* id, double v, const char* unit, Provenance p) {
  Counter c;
  c.id = id, c.value = v, c.unit = unit, c.provenance = p;
  return c;
}

// 1000 entries in 100 rows. The product takes 10 us, 6 us without x, 5 us without A, 2 us without both.
class RuleEngine final : public Engine {
 public:
  Provenance provenance = Provenance::measured;
  bool counters = true;
  double dram = 20000;
  std::string fails;  // variant whose run fails: "x" or "a"
  std::vector<RunRequest> asked;

  using Engine::run;
  RunRecord run(const RunRequest& request, const Matrix&, Progress&, const OnTimed&) override {
    asked.push_back(request);
    const auto constant = [&](const char* id) {
      const auto at = request.params.find(id);
      return at != request.params.end() && at->second == kConstantPolicy;
    };
    const bool no_x = constant("x_cache"), no_a = constant("matrix_cache");
    RunRecord r;
    r.request = request;
    r.device = "sim:toy", r.device_name = "Toy GPU", r.matrix_name = "toy";
    r.rows = r.cols = 100, r.nnz = 1000;
    r.provenance = provenance;
    if ((fails == "x" && no_x) || (fails == "a" && no_a)) {
      r.error = "out of resources";
      return r;
    }
    r.status = RunStatus::ok;
    const double us = no_x && no_a ? 2 : no_x ? 6 : no_a ? 5 : 10;
    r.time = {us, "us", provenance};
    r.gflops = {2e-3 * 1000 / us, "GFLOP/s", provenance};
    r.minimum_bytes = {12000, "B", Provenance::modelled};
    r.details.push_back({"executed_flops", "", {2500, "flop", Provenance::modelled}});  // beta = 0.8
    if (!counters) {
      for (const char* id : {"dram_bytes", "dram_read_bytes", "l1_load_bytes", "l1_hit_rate", "active_lanes"}) {
        Counter c;
        c.id = id, c.reason = "counters are for administrators only";
        r.counters.push_back(c);
      }
      return r;
    }
    const auto add = [&](const char* id, double v, const char* unit) {
      r.counters.push_back(counter(id, v, unit, provenance));
    };
    add("dram_read_bytes", 19000, "B");
    add("dram_bytes", dram, "B");
    // x: 40000 B asked of L1, 30000 hit; of the 10000 that L2 was asked for, 4000 hit. The rest: 20000, 5000; 15000,
    // 3000.
    add("l1_load_bytes", no_x ? 20000 : 60000, "B");
    add("l1_hit_rate", no_x ? 25 : 100.0 * 35 / 60, "%");
    add("l2_load_bytes", no_x ? 15000 : 25000, "B");
    add("l2_hit_rate", no_x ? 20 : 28, "%");
    const auto coop = request.params.find("coop");
    add("active_lanes", coop == request.params.end() ? 32 : 32 / coop->second, "1");
    return r;
  }
};

AnalysisResult analysed(const char* id, RuleEngine& engine, std::vector<std::string> kernels = {"csr_vector"},
                        ParamSet params = {}) {
  AnalysisRequest r;
  r.id = id, r.kernels = std::move(kernels), r.params = std::move(params);
  r.run.device = "sim:toy";
  Progress progress;
  const Catalog known = catalog();
  Executor executor(engine, known);
  return run_analysis(r, known, executor, Matrix{}, progress);
}

const AnalysisValue& value(const AnalysisResult& r, const std::string& series, double x = 0) {
  for (const AnalysisValue& v : r.values)
    if (v.series == series && v.x == x) return v;
  static const AnalysisValue none;
  ADD_FAILURE() << "no value " << series << " at " << x;
  return none;
}

TEST(Analyses, EveryRowIsDescribedAndItsRunsAreRequests) {
  const Catalog c = catalog();
  std::set<std::string> ids;
  for (const AnalysisRow& row : analyses()) {
    SCOPED_TRACE(row.info.id);
    EXPECT_TRUE(ids.insert(row.info.id).second);
    for (const std::string* s : {&row.info.label, &row.info.source, &row.info.help, &row.info.formula, &row.info.needs})
      EXPECT_FALSE(s->empty());
    const KernelInfo& kernel = *c.kernel(row.kernel.empty() ? "csr_vector" : row.kernel);
    std::set<std::string> roles;
    for (const AnalysisRun& run : row.runs(kernel, {})) {
      EXPECT_TRUE(roles.insert(run.variant).second) << run.variant;
      EXPECT_NO_THROW(checked_params(kernel.params, run.request.params)) << run.variant;
      EXPECT_EQ(run.request.kernel, kernel.id);
    }
    EXPECT_FALSE(roles.empty());
  }
  EXPECT_EQ(ids, (std::set<std::string>{"throughput", "hit_rates", "latency", "balance", "attainable", "times", "rates",
                                        "coop", "stride"}));
}

TEST(Analyses, ThroughputIsBytesOverTime) {
  RuleEngine e;
  const auto r = analysed("throughput", e);
  EXPECT_DOUBLE_EQ(*value(r, "dram").value, 1.9);  // 19000 B / 10 us
  EXPECT_DOUBLE_EQ(*value(r, "l2").value, 2.5);
  EXPECT_DOUBLE_EQ(*value(r, "l1").value, 6);
  EXPECT_EQ(value(r, "dram").provenance, Provenance::derived);
  EXPECT_EQ(value(r, "texture").value, std::nullopt);
  EXPECT_FALSE(value(r, "texture").reason.empty());
}

TEST(Analyses, LatenciesOfXAreTheDifferenceOfTwoRuns) {
  RuleEngine e;
  const auto r = analysed("latency", e);
  ASSERT_EQ(e.asked.size(), 2u);
  EXPECT_EQ(e.asked[1].params.at("x_cache"), kConstantPolicy);
  // x: 30000 of 40000 hit in L1, 4000 of 10000 in L2: 30 x 0.75 + 200 x 0.4 x 0.25 + 500 x 0.6 x 0.25 = 117.5 cycles.
  EXPECT_NEAR(*value(r, "x").value, 117.5, 1e-9);
  // A: 25 % and 20 %: 30 x 0.25 + 200 x 0.2 x 0.75 + 500 x 0.8 x 0.75 = 337.5.
  EXPECT_NEAR(*value(r, "a").value, 337.5, 1e-9);
  EXPECT_NE(value(r, "a").worked.find("= 338 cycles"), std::string::npos) << value(r, "a").worked;
  // With the paper's latencies, and one that is set.
  RuleEngine again;
  const auto papers = analysed("latency", again, {"csr_vector"}, {{"latencies", 1}, {"c_dram", 1000}});
  EXPECT_NEAR(*value(papers, "x").value, 110 * 0.75 + 220 * 0.4 * 0.25 + 1000 * 0.6 * 0.25, 1e-9);
  EXPECT_NEAR(*value(papers, "a").value, 110 * 0.25 + 230 * 0.2 * 0.75 + 1000 * 0.8 * 0.75, 1e-9);
}

TEST(Analyses, OtherLatenciesNeedNoOtherRuns) {
  RuleEngine e;
  auto r = analysed("latency", e);
  r.request.params = {{"c_dram", 1000}};
  revalue(r);
  EXPECT_NEAR(*value(r, "a").value, 637.5, 1e-9);
  EXPECT_EQ(e.asked.size(), 2u);
}

TEST(Analyses, CodeBalanceAndWhatItAllows) {
  RuleEngine e;
  // f32: (20000 / 1000 - 8 / 0.8 - 8 / 10) / 4 = 2.3; B = (10 + 9.2 + 0.8) / 2.3 = 20 / 2.3.
  const auto b = analysed("balance", e);
  EXPECT_NEAR(*value(b, "alpha").value, 2.3, 1e-12);
  EXPECT_NEAR(*value(b, "b").value, 20 / 2.3, 1e-12);
  const auto p = analysed("attainable", e);
  EXPECT_NEAR(*value(p, "max").value, 100 / (20 / 2.3), 1e-12);  // 11.5
  EXPECT_NEAR(*value(p, "meas").value, 0.2, 1e-12);
  EXPECT_NEAR(*value(analysed("attainable", e, {"csr_vector"}, {{"bandwidth", 200}}), "max").value, 23, 1e-9);
}

TEST(Analyses, CodeBalanceIsNotDefinedWhereL2HeldTheProduct) {
  for (const double moved : {0.0, 100.0}) {  // of 12000 at least
    RuleEngine e;
    e.dram = moved;
    const auto b = analysed("balance", e);
    for (const char* series : {"b", "alpha"}) {
      EXPECT_EQ(value(b, series).value, std::nullopt) << series << " " << moved;
      EXPECT_NE(value(b, series).reason.find("not defined"), std::string::npos) << value(b, series).reason;
    }
    EXPECT_EQ(value(analysed("attainable", e), "max").value, std::nullopt);
  }
}

TEST(Analyses, TimesOfAXAndY) {
  RuleEngine e;
  const auto r = analysed("times", e);
  ASSERT_EQ(e.asked.size(), 4u);
  // T_A = 6 - 2, T_X = 5 - 2, T_Y = 2: 9 us in all, against 10.
  EXPECT_NEAR(*value(r, "a").value, 400.0 / 9, 1e-9);
  EXPECT_NEAR(*value(r, "x").value, 300.0 / 9, 1e-9);
  EXPECT_NEAR(*value(r, "y").value, 200.0 / 9, 1e-9);
  EXPECT_NEAR(*value(r, "ratio").value, 0.9, 1e-12);
  RuleEngine f;
  const auto rates = analysed("rates", f);
  EXPECT_EQ(f.asked.size(), 3u);
  EXPECT_NEAR(*value(rates, "a").value, 0.4, 1e-12);
}

TEST(Analyses, CoopIsSwept) {
  RuleEngine e;
  const auto r = analysed("coop", e);
  ASSERT_EQ(e.asked.size(), 6u);
  EXPECT_DOUBLE_EQ(*value(r, "divergence", 1).value, 0);
  EXPECT_DOUBLE_EQ(*value(r, "divergence", 4).value, 75);
}

TEST(Analyses, StrideIsOfAxpyWhateverKernelIsAskedFor) {
  RuleEngine e;
  const auto r = analysed("stride", e, {"csr_vector"});
  EXPECT_EQ(e.asked.front().kernel, "axpy");
  EXPECT_DOUBLE_EQ(*value(r, "f64", 32).value, 1.2);  // 12000 B in 10 us
}

TEST(Analyses, ModelledWhereAnyPartIs) {
  RuleEngine e;
  e.provenance = Provenance::modelled;
  for (const char* id : {"throughput", "latency", "balance", "times"})
    for (const AnalysisValue& v : analysed(id, e).values)
      if (v.value) {
        EXPECT_EQ(v.provenance, Provenance::modelled) << id << " " << v.series;
      }
}

TEST(Analyses, MissingCountersAreSaidNeverZero) {
  RuleEngine e;
  e.counters = false;
  for (const char* id : {"throughput", "hit_rates", "latency", "balance", "coop"})
    for (const AnalysisValue& v : analysed(id, e).values) {
      if (v.unit == "GFLOP/s") continue;  // rests on the time alone
      EXPECT_EQ(v.value, std::nullopt) << id << " " << v.series;
      EXPECT_FALSE(v.reason.empty()) << id << " " << v.series;
      EXPECT_TRUE(v.worked.empty());
    }
  EXPECT_EQ(value(analysed("throughput", e), "dram").reason, "counters are for administrators only");
  EXPECT_TRUE(value(analysed("times", e), "a").value.has_value()) << "times need no counters";
}

TEST(Analyses, AFailedRunLeavesWhatDoesNotNeedIt) {
  RuleEngine e;
  e.fails = "a";
  const auto r = analysed("times", e);
  EXPECT_EQ(value(r, "x").value, std::nullopt);
  EXPECT_NE(value(r, "x").reason.find("out of resources"), std::string::npos);
  const auto rates = analysed("rates", e);
  EXPECT_TRUE(value(rates, "x").value.has_value());
}

TEST(Analyses, AKernelThatIsNotSuitedIsSaidBesideOthers) {
  RuleEngine e;
  const auto r = analysed("times", e, {"csr_vector", "vendor"});
  ASSERT_EQ(r.subjects.size(), 2u);
  EXPECT_NE(r.subjects[1].problem.find("x_cache"), std::string::npos) << r.subjects[1].problem;
  EXPECT_THROW(analysed("times", e, {"vendor"}), Error);
  EXPECT_THROW(analysed("coop", e, {"axpy"}), Error);
  EXPECT_THROW(analysed("times", e, {"no_such"}), Error);
  EXPECT_THROW(analysed("no_such", e), Error);
  EXPECT_THROW(analysed("latency", e, {"csr_vector"}, {{"c_dram", -1}}), Error);
}

TEST(Analyses, SeveralMatricesAreOneResult) {
  RuleEngine e;
  const auto whole = merged({analysed("throughput", e), analysed("throughput", e)});
  ASSERT_EQ(whole.subjects.size(), 2u);
  EXPECT_EQ(whole.subjects[0].label, "toy");
  EXPECT_EQ(whole.values.size(), 10u);
}

TEST(Analyses, AFormatIsToldOnlyWhatItKnows) {
  Catalog c = catalog();
  ParamSpec width = integer("width", 8, 1);
  c.formats = {{"csr", "CSR", "", "", {}}, {"ell", "ELL", "", "", {width}}};
  c.kernels.push_back({"ell", "ELL", "", "", "ell", {}});
  RuleEngine e;
  AnalysisRequest r;
  r.id = "throughput", r.kernels = {"csr_vector", "ell"};
  r.run.format_params = {{"width", 4}};
  r.run.params = {{"coop", 4}};
  Progress progress;
  Executor executor(e, c);
  run_analysis(r, c, executor, Matrix{}, progress);
  ASSERT_EQ(e.asked.size(), 2u);
  EXPECT_TRUE(e.asked[0].format_params.empty());
  EXPECT_EQ(e.asked[0].params.at("coop"), 4);
  EXPECT_EQ(e.asked[1].format_params.at("width"), 4);
  EXPECT_TRUE(e.asked[1].params.empty());
}

TEST(Analyses, CancelledStops) {
  RuleEngine e;
  AnalysisRequest r;
  r.id = "times", r.kernels = {"csr_vector"};
  Progress progress;
  progress.cancel();
  const Catalog known = catalog();
  Executor executor(e, known);
  EXPECT_THROW(run_analysis(r, known, executor, Matrix{}, progress), Cancelled);
  EXPECT_TRUE(e.asked.empty());
}

}  // namespace
}  // namespace warpspy
