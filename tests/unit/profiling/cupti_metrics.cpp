// The table of metrics against every chip that CUPTI knows: its host side answers without a device. Skipped where there
// is no CUPTI.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "profiling/cupti/failure.hpp"
#include "profiling/cupti/library.hpp"
#include "profiling/cupti/plan.hpp"
#include "profiling/metrics/metrics.hpp"

namespace warpspy {
namespace {

const MetricRow* row_of(const std::string& id) {
  for (const MetricRow& m : metrics())
    if (m.info.id == id) return &m;
  return nullptr;
}

const Counter* counter(const std::vector<Counter>& list, const std::string& id) {
  for (const Counter& c : list)
    if (c.id == id) return &c;
  return nullptr;
}

TEST(Formula, ComputesByName) {
  const std::map<std::string, double> v = {{"a.sum", 6}, {"b_x.avg", 2}, {"zero", 0}};
  struct Case {
    const char* text;
    std::optional<double> value;
  };
  for (const Case& k : {Case{"a.sum", 6}, Case{"32 * (a.sum + b_x.avg)", 256}, Case{"a.sum - b_x.avg - 1", 3},
                        Case{"100 * a.sum / b_x.avg", 300}, Case{"a.sum/b_x.avg*2", 6}, Case{"a.sum / zero", {}},
                        Case{"a.sum + c", {}}, Case{" ( 2.5 ) ", 2.5}})
    EXPECT_EQ(Formula(k.text).value(v), k.value) << k.text;
  EXPECT_EQ(Formula("a + b + a").names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(Formula("a.sum").is_one_metric());
  EXPECT_FALSE(Formula("2 * a.sum").is_one_metric());
  EXPECT_FALSE(Formula("2").is_one_metric());
  EXPECT_EQ(Formula("a").value({{"a", std::numeric_limits<double>::quiet_NaN()}}), std::nullopt);
}

TEST(Formula, RefusesWhatIsNone) {
  for (const char* text : {"", "a +", "(a", "a b", "a)", "3x", "a ** b", "+ a", "a # b"})
    EXPECT_THROW(Formula{text}, Error) << text;
}

TEST(Metrics, TheTableHoldsTogether) {
  std::set<std::string> ids;
  for (const MetricRow& m : metrics()) {
    EXPECT_TRUE(ids.insert(m.info.id).second) << m.info.id << " is there twice";
    EXPECT_FALSE(m.info.label.empty() || m.info.unit.empty() || m.info.help.empty()) << m.info.id;
    EXPECT_TRUE(m.modelled || !m.cupti.empty()) << m.info.id << " can neither be modelled nor read";
    EXPECT_EQ(m.cupti.empty(), m.info.counter_set.empty()) << m.info.id;
    if (!m.cupti.empty()) {
      EXPECT_NO_THROW(counter_set_index(m.info.counter_set)) << m.info.id;
    }
    for (const std::string& f : m.cupti) EXPECT_FALSE(Formula(f).names().empty()) << m.info.id;
  }
  EXPECT_THROW(counter_set_index("none"), Error);
  EXPECT_THROW(counter_set_index("huge"), Error);
}

TEST(Metrics, NvprofsNamesLeadSomewhere) {
  std::set<std::string> names;
  for (const NvprofName& n : nvprof_names()) {
    EXPECT_TRUE(names.insert(n.name).second) << n.name << " is there twice";
    const MetricRow* m = row_of(n.metric);
    ASSERT_TRUE(m) << n.name << " leads to " << n.metric;
    EXPECT_FALSE(m->cupti.empty()) << n.metric << " is not read from the hardware";
    EXPECT_TRUE(n.formula.empty() || n.formula.find(n.metric) != std::string::npos) << n.name;
  }
  // Those that the papers use: EVC-HYB, section 3.2 and Table 4.
  for (const char* name :
       {"l2_texture_read_hit_rate", "tex_cache_hit_rate", "l1_cache_global_hit_rate", "l2_l1_read_hit_rate",
        "dram_read_throughput", "l2_read_throughput", "l2_texture_read_throughput", "tex_cache_throughput"})
    EXPECT_TRUE(names.count(name)) << name;
}

TEST(CounterPlan, ValuesNeverShiftToAnotherName) {
  CounterPlan plan;
  plan.chip = "test";
  const auto add = [&](const char* id, const char* formula) {
    PlannedCounter p{id, "1", Formula(formula), {}};
    plan.counters.push_back(p);
  };
  add("first", "a.sum");
  add("second", "b.sum");
  plan.counters.push_back({"lacking", "1", std::nullopt, "chip test has no counter x.sum"});
  add("third", "c.sum");
  add("ratio", "a.sum / d.sum");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  // b is missing, c is no number: what follows keeps its own value.
  const auto got = plan.counters_of({{"a.sum", 1}, {"c.sum", nan}, {"d.sum", 4}});
  ASSERT_EQ(got.size(), 5u);
  EXPECT_EQ(counter(got, "first")->value, 1.0);
  EXPECT_EQ(counter(got, "first")->provenance, Provenance::measured);
  EXPECT_FALSE(counter(got, "second")->value);
  EXPECT_NE(counter(got, "second")->reason.find("b.sum"), std::string::npos);
  EXPECT_EQ(counter(got, "lacking")->reason, "chip test has no counter x.sum");
  EXPECT_FALSE(counter(got, "third")->value);
  EXPECT_NE(counter(got, "third")->reason.find("c.sum"), std::string::npos);
  EXPECT_EQ(counter(got, "ratio")->value, 0.25);
  EXPECT_EQ(counter(got, "ratio")->provenance, Provenance::derived);
  // A share of nothing is no failure of the counters, and no 0 either.
  const auto none = plan.counters_of({{"a.sum", 0}, {"b.sum", 0}, {"c.sum", 0}, {"d.sum", 0}});
  EXPECT_EQ(counter(none, "first")->value, 0.0);
  EXPECT_FALSE(counter(none, "ratio")->value);
  EXPECT_NE(counter(none, "ratio")->reason.find("nothing of the kind"), std::string::npos);
}

class CuptiHost : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cupti_library().available) GTEST_SKIP() << cupti_library().reason << "; " << cupti_library().remedy;
  }
};

// Chips of boards that share the processor's memory have no DRAM counters of their own.
const std::set<std::string> integrated = {"GV11B", "GA10B", "GB10B", "GB20B"};

TEST_F(CuptiHost, EveryMetricIsThereOrSaysWhyNotOnEveryChip) {
  const auto chips = cupti_chips();
  ASSERT_GT(chips.size(), 5u);
  int served = 0;
  for (const std::string& chip : chips) {
    std::unique_ptr<ChipHost> host;
    try {
      host = std::make_unique<ChipHost>(chip);
    } catch (const CounterFailure& e) {
      EXPECT_NE(e.reason.find(chip), std::string::npos) << e.reason;
      EXPECT_TRUE(e.for_all_sets);
      continue;
    }
    ++served;
    int before = 0;
    for (const CounterSetInfo& set : counter_sets()) {
      if (set.id == "quick" && integrated.count(chip)) {
        EXPECT_THROW(plan_counters(*host, set.id), CounterFailure) << chip;
        continue;
      }
      const CounterPlan plan = plan_counters(*host, set.id);
      EXPECT_GE(plan.config.passes, std::max(1, before)) << chip << ", " << set.id;
      before = plan.config.passes;
      int lacking = 0;
      for (const PlannedCounter& c : plan.counters) {
        if (c.formula) continue;
        lacking += !integrated.count(chip) || row_of(c.id)->info.level != Level::dram;
        EXPECT_NE(c.reason.find(chip), std::string::npos) << c.id << ": " << c.reason;
        EXPECT_NE(c.reason.find("__"), std::string::npos) << c.id << " names no metric: " << c.reason;
      }
      // A misspelt name would be missing everywhere.
      EXPECT_LE(lacking, 2) << chip << ", " << set.id;
    }
  }
  EXPECT_GT(served, 5);
}

TEST_F(CuptiHost, EachMetricIsKnownOnSomeChip) {
  std::set<std::string> known;
  for (const char* chip : {"GH100", "GB202"}) {
    const ChipHost host(chip);
    for (const MetricRow& m : metrics())
      for (const std::string& f : m.cupti)
        for (const std::string& name : Formula(f).names())
          if (host.has(name)) known.insert(name);
  }
  for (const MetricRow& m : metrics())
    for (const std::string& f : m.cupti)
      for (const std::string& name : Formula(f).names()) EXPECT_TRUE(known.count(name)) << m.info.id << ": " << name;
}

TEST_F(CuptiHost, PassesOfTheSetsOnAnH200) {
  const ChipHost host("GH100");
  EXPECT_EQ(plan_counters(host, "quick").config.passes, 1);
  EXPECT_EQ(plan_counters(host, "roofline").config.passes, 2);
  EXPECT_GT(plan_counters(host, "full").config.passes, 3);
  // The same host again: nothing of the sets before may be left in it.
  EXPECT_EQ(plan_counters(host, "quick").config.passes, 1);
}

TEST_F(CuptiHost, WrongNamesAreFailuresWithReason) {
  EXPECT_THROW(ChipHost("GX999"), CounterFailure);
  const ChipHost host("GH100");
  EXPECT_TRUE(host.has("dram__bytes_read.sum"));
  for (const char* name : {"dram__bytes_read", "dram__bytes_read.total", "dram__bytes_eaten.sum", ""})
    EXPECT_FALSE(host.has(name)) << name;
  EXPECT_THROW(host.config({"dram__bytes_eaten.sum"}), CounterFailure);
  EXPECT_EQ(host.config({}).passes, 0);
}

}  // namespace
}  // namespace warpspy
