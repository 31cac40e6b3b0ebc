// Each check with numbers that it must find, and numbers beside them that it must not.
#include "core/model/sanity.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace warpspy {
namespace {

Counter counter(const char* id, double value, const char* unit = "B") {
  Counter c;
  c.id = id, c.value = value, c.unit = unit;
  return c;
}

// 10 us: 1 MB of DRAM are 100 GB/s. Nothing to find.
RunRecord healthy() {
  RunRecord r;
  r.status = RunStatus::ok;
  r.nnz = 50000;
  r.time = {10, "us", Provenance::measured};
  r.gflops = {10, "GFLOP/s", Provenance::derived};
  r.minimum_bytes = {0.9e6, "B", Provenance::modelled};
  r.counters = {counter("dram_bytes", 1e6), counter("l2_bytes", 2e6), counter("l1_bytes", 4e6),
                counter("l1_hit_rate", 60, "%"), counter("l2_hit_rate", 100, "%")};
  return r;
}

const std::vector<Roof> roofs = {{Level::l1, "L1", 4000, Provenance::modelled, ""},
                                 {Level::l2, "L2", 2000, Provenance::modelled, ""},
                                 {Level::dram, "DRAM", 1000, Provenance::modelled, ""},
                                 {Level::compute, "peak", 5000, Provenance::modelled, ""}};

struct Case {
  const char* name;
  std::function<void(RunRecord&)> change;
  std::vector<std::string> found;  // ids
  const char* says;                // part of the first sentence
};

void set(RunRecord& r, const char* id, double v) {
  for (Counter& c : r.counters)
    if (c.id == id) c.value = v;
}

const Case cases[] = {
    {"healthy", [](RunRecord&) {}, {}, ""},
    {"failed", [](RunRecord& r) { r.status = RunStatus::failed, set(r, "l1_hit_rate", 120); }, {}, ""},
    {"above the L2 roof",
     [](RunRecord& r) { set(r, "l2_bytes", 2.1e7), set(r, "l1_bytes", 3e7); },
     {"above_roof"},
     "2100 GB/s is above the L2 roof of 2000 GB/s"},
    {"at the L2 roof", [](RunRecord& r) { set(r, "l2_bytes", 2.005e7), set(r, "l1_bytes", 3e7); }, {}, ""},
    {"minimum above the roof",
     [](RunRecord& r) { r.counters.clear(), r.minimum_bytes.value = 1.5e7; },
     {"above_roof"},
     "each array once in this time would take 1500 GB/s"},
    {"above the peak", [](RunRecord& r) { r.gflops.value = 6000; }, {"above_roof"}, "arithmetic peak of 5000 GFLOP/s"},
    {"padding above the peak",
     [](RunRecord& r) { r.details.push_back({"executed_flops", "", {6e7, "flop", Provenance::modelled}}); },
     {"above_roof"},
     "6000 GFLOP/s is above the arithmetic peak"},
    {"hit rate above 100", [](RunRecord& r) { set(r, "l1_hit_rate", 104); }, {"hit_rate"}, "l1_hit_rate is 104 %"},
    {"hit rate below 0", [](RunRecord& r) { set(r, "l2_hit_rate", -3); }, {"hit_rate"}, "l2_hit_rate is -3 %"},
    {"L2 below DRAM",
     [](RunRecord& r) { set(r, "dram_bytes", 3e6); },
     {"l2_below_dram"},
     "L2 exchanged 2 MB with the SMs and 3 MB with DRAM"},
    {"L1 below L2", [](RunRecord& r) { set(r, "l1_bytes", 1.5e6); }, {"l1_below_l2"}, "asked for 1.5 MB"},
    {"below compulsory, warm",
     [](RunRecord& r) { set(r, "dram_bytes", 0.5e6); },
     {"below_compulsory"},
     "DRAM moved 500 kB, less than the 900 kB of every array once: L2 still held"},
    {"below compulsory, a sample",
     [](RunRecord& r) { set(r, "dram_bytes", 0.5e6), r.request.cache_state = CacheState::cold, r.sampled_share = 0.1; },
     {"below_compulsory"},
     "only a sample"},
    {"below compulsory, cold",
     [](RunRecord& r) { set(r, "dram_bytes", 0.5e6), r.request.cache_state = CacheState::cold; },
     {"below_compulsory"},
     "leaves out padding"},
    {"constant loads have no least",
     [](RunRecord& r) { set(r, "dram_bytes", 0.5e6), r.request.params["x_cache"] = 4; },
     {},
     ""},
    {"plain loads have",
     [](RunRecord& r) { set(r, "dram_bytes", 0.5e6), r.request.params["x_cache"] = 1; },
     {"below_compulsory"},
     "L2 still held"},
    {"unavailable counters are not judged",
     [](RunRecord& r) {
       for (Counter& c : r.counters) c.value.reset();
     },
     {},
     ""},
};

TEST(SanityChecks, FindWhatTheyMustAndNothingElse) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    RunRecord r = healthy();
    c.change(r);
    const auto found = sanity_checks(r, roofs);
    std::vector<std::string> ids;
    for (const SanityFinding& f : found) ids.push_back(f.id);
    EXPECT_EQ(ids, c.found);
    if (!found.empty()) {
      EXPECT_NE(found[0].sentence.find(c.says), std::string::npos) << found[0].sentence;
    }
    for (const SanityFinding& f : found) EXPECT_EQ(f.sentence.back(), '.');
  }
}

}  // namespace
}  // namespace warpspy
