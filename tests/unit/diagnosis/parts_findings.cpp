// What limits a run over parts: each finding where it holds, and not where it does not.
#include "core/diagnosis/parts_findings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace warpspy {
namespace {

// Two parts with these local products; the second one waits and has a product with its halo.
RunRecord run_of(double first_us, double second_us, double link_us, double halo_us) {
  RunRecord r;
  r.status = RunStatus::ok;
  r.provenance = Provenance::modelled;
  r.details.push_back({"link_latency", "", {2, "us", Provenance::modelled}});
  for (const double local : {first_us, second_us}) {
    PartResult& p = r.parts.emplace_back();
    p.local_us = local, p.messages = 3, p.halo_in = 1000;
    p.time_us = local;
  }
  PartResult& p = r.parts.back();
  p.link_us = link_us;
  p.waiting_us = std::max(0.0, link_us - p.local_us);
  p.halo_us = halo_us;
  p.time_us = p.local_us + p.waiting_us + p.halo_us;
  r.time = {std::max(r.parts[0].time_us, r.parts[1].time_us), "us", Provenance::modelled};
  return r;
}
std::vector<std::string> rules_of(const RunRecord& r) {
  std::vector<std::string> rules;
  for (const Finding& f : diagnose_parts(r)) rules.push_back(f.rule);
  return rules;
}
using Rules = std::vector<std::string>;

TEST(PartsFindings, NoneOfARunOnOneGpu) {
  RunRecord r;
  r.status = RunStatus::ok;
  r.time = {10, "us", Provenance::modelled};
  EXPECT_TRUE(diagnose_parts(r).empty());
  RunRecord failed = run_of(10, 10, 0, 0);
  failed.status = RunStatus::failed;
  EXPECT_TRUE(diagnose_parts(failed).empty());
}

TEST(PartsFindings, SayWhatLimits) {
  EXPECT_EQ(rules_of(run_of(100, 100, 50, 4)), Rules{"parts_nothing"}) << "the halo is hidden";
  EXPECT_EQ(rules_of(run_of(100, 100, 50, 30)), Rules{"parts_halo"});
  EXPECT_EQ(rules_of(run_of(100, 100, 300, 0)), Rules{"parts_halo"}) << "a long way";
  EXPECT_EQ(rules_of(run_of(1, 1, 6, 0)), Rules{"parts_latency"}) << "3 messages of 2 us, and nothing in them";
  EXPECT_EQ(rules_of(run_of(50, 100, 20, 0)), Rules{"parts_imbalance"});
  EXPECT_EQ(rules_of(run_of(50, 100, 20, 80)), (Rules{"parts_halo", "parts_imbalance"})) << "the larger one first";
}

TEST(PartsFindings, ShareTheTimeBeyondTheMeanLocalProduct) {
  const RunRecord r = run_of(50, 100, 120, 30);
  double us = 0;
  for (const Finding& f : diagnose_parts(r)) us += f.share * r.time.value;
  EXPECT_NEAR(us, 150 - 75, 1.01 * 0.05 * 150) << "what is below 5 % is not told";
}

TEST(PartsFindings, AdviseWhatIsNotDoneYet) {
  RunRecord r = run_of(50, 100, 20, 0);
  EXPECT_NE(diagnose_parts(r)[0].advice.find("--split entries"), std::string::npos);
  r.request.split = Split::entries;
  EXPECT_EQ(diagnose_parts(r)[0].advice.find("--split entries"), std::string::npos);
  RunRecord halo = run_of(100, 100, 50, 30);
  EXPECT_NE(diagnose_parts(halo)[0].advice.find("--split metis"), std::string::npos);
  halo.request.split = Split::metis;
  EXPECT_EQ(diagnose_parts(halo)[0].advice.find("--split metis"), std::string::npos);
  for (const Finding& f : diagnose_parts(halo)) {
    EXPECT_EQ(f.provenance, Provenance::modelled);
    EXPECT_FALSE(f.evidence.empty());
  }
}

// A solve, whose parts all end together. The first part waits for the second one.
RunRecord solve_of(double first_us, double second_us, double messages_us, double exposed_us) {
  RunRecord r = run_of(first_us, second_us, 0, 0);
  r.request.solver = Solver::cg;
  r.solve = SolveResult{};
  r.solve->end = SolveEnd::converged;
  const double whole = std::max(first_us, second_us) + 40 + exposed_us;
  for (PartResult& p : r.parts) {
    p.rows = 10, p.vectors_us = 40;
    p.dots_waiting_us = whole - p.local_us - p.vectors_us;
    p.time_us = whole;
  }
  r.time.value = whole;
  r.details.push_back({"exchanges", "", {2, "1", Provenance::modelled}});
  r.details.push_back({"exchange_messages", "", {messages_us, "us", Provenance::modelled}});
  r.details.push_back({"exchange_exposed", "", {exposed_us, "us", Provenance::modelled}});
  return r;
}

TEST(PartsFindings, OfASolveSayWhatItsSumsTake) {
  EXPECT_EQ(rules_of(solve_of(100, 100, 20, 20)), Rules{"parts_sums"});
  EXPECT_EQ(rules_of(solve_of(100, 100, 20, 2)), Rules{"parts_nothing"}) << "the product hides them";
  EXPECT_EQ(rules_of(solve_of(40, 100, 20, 20)), (Rules{"parts_imbalance", "parts_sums"}));
  RunRecord r = solve_of(100, 100, 20, 20);
  EXPECT_NE(diagnose_parts(r)[0].advice.find("Pipelined CG"), std::string::npos);
  EXPECT_NE(diagnose_parts(r)[0].evidence.find("2 times"), std::string::npos);
  r.request.solver = Solver::gmres;
  EXPECT_EQ(diagnose_parts(r)[0].advice.find("Pipelined CG"), std::string::npos);
  // What messages alone take is not known of real GPUs.
  std::erase_if(r.details, [](const Detail& d) { return d.id == "exchange_messages"; });
  EXPECT_NE(diagnose_parts(r)[0].evidence.find("2 times, and the part that waits least waits 20"), std::string::npos)
      << diagnose_parts(r)[0].evidence;
}

}  // namespace
}  // namespace warpspy
