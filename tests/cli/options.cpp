// The options of a run are the same wherever one is made.
#include "core/run/request_options.hpp"
#include "tests/cli/program.hpp"

namespace {

using warpspy::RequestOption;
using warpspy::testing::has;
using warpspy::testing::warpspy;

TEST(Options, EveryCommandThatRunsHasThemAll) {
  for (const std::string command : {"run", "roofline", "tune", "analyse", "memory"}) {
    const std::string help = warpspy(command + " --help").out;
    for (const RequestOption& o : ::warpspy::request_options()) {
      if (!o.flag || o.of_solve) continue;
      // A search wants times, and figures know which counters they need.
      const bool of_one_run = std::string(o.id) == "counters" || std::string(o.id) == "lines";
      if (of_one_run && command != "run" && command != "roofline") continue;
      EXPECT_TRUE(has(help, o.flag)) << command << " " << o.flag;
    }
  }
}

// What a solve has no use for: its iterations follow one another, and all of them are timed.
bool of_products(const RequestOption& o) {
  const std::string id = o.id;
  return id == "alpha" || id == "beta" || id == "lines" || id == "cache_state" || id == "budget_s";
}

TEST(Options, ASolveHasItsOwnToo) {
  const std::string help = warpspy("solve --help").out;
  for (const RequestOption& o : ::warpspy::request_options())
    if (o.flag) {
      EXPECT_EQ(has(help, std::string(o.flag) + " ") || has(help, std::string(o.flag) + "\n"), !of_products(o))
          << o.flag;
    }
}

TEST(Options, ASearchHeedsThem) {
  const auto r = warpspy("tune 'gen:laplace5?nx=8' --strategy fixed_rule --device sim:h200 --cold --beta 0.5 --json");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "\"cache_state\": \"cold\"")) << r.out;
  EXPECT_TRUE(has(r.out, "\"beta\": 0.5")) << r.out;
  EXPECT_TRUE(has(r.out, "\"depth\": \"quick\"")) << r.out;
}

TEST(Options, AWrongOneIsRefused) {
  for (const char* option :
       {"--precision f16", "--depth deep", "--budget 0", "--host-memory much", "--view imaginary"}) {
    const auto r = warpspy(std::string("run gen:laplace5 ") + option);
    EXPECT_NE(r.code, 0) << option;
    EXPECT_FALSE(r.err.empty()) << option;
  }
}

}  // namespace
