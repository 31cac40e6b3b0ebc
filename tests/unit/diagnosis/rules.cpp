// Each rule has a generated matrix and a kernel on which it fires, and a near miss on which it does not.
#include "core/diagnosis/rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/diagnosis/changes.hpp"
#include "core/diagnosis/diagnose.hpp"
#include "core/io/io.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

struct Asked {
  const char* matrix;
  const char* kernel;
  ParamSet params = {};
  CacheState cache = CacheState::cold;
};
struct Case {
  const char* rule;
  Asked fires, misses;
};
const CacheState warm = CacheState::warm;
const Case cases[] = {
    // A thread per row of 27 entries; the same entries by columns.
    {"uncoalesced", {"gen:laplace27?nx=40&ny=40&nz=40", "csr_scalar"}, {"gen:laplace27?nx=40&ny=40&nz=40", "ell"}},
    // Columns at random; columns of a band.
    {"x_misses_l1", {"gen:random?rows=100000&cols=100000&per_row=16", "ell"}, {"gen:band?rows=100000&half=8", "ell"}},
    // An x of 80 MB; one of 8 MB.
    {"x_misses_l2",
     {"gen:random?rows=1000000&cols=20000000&per_row=10", "csr_vector", {{"coop", 4}}},
     {"gen:random?rows=1000000&cols=2000000&per_row=10", "csr_vector", {{"coop", 4}}}},
    // 32 threads for rows of 5; for rows of 95.
    {"idle_lanes",
     {"gen:laplace5?nx=300&ny=300", "csr_vector", {{"coop", 32}}},
     {"gen:band?rows=50000&half=47", "csr_vector", {{"coop", 32}}}},
    // One row as long as the matrix; all rows alike.
    {"uneven_rows",
     {"gen:arrow?n=200000", "csr_vector", {{"coop", 4}}},
     {"gen:laplace5?nx=450&ny=450", "csr_vector", {{"coop", 4}}}},
    // Little more than a wave of blocks; many waves.
    {"tail",
     {"gen:band?rows=9300&half=100", "csr_vector", {{"coop", 32}, {"block_size", 1024}}},
     {"gen:band?rows=400000&half=30", "csr_vector", {{"coop", 8}, {"block_size", 64}}}},
    // A thread for each of 64 rows; of 20,000.
    {"small_grid", {"gen:dense?rows=64&cols=20000", "csr_scalar"}, {"gen:dense?rows=20000&cols=64", "csr_scalar"}},
    // Rows of uneven length padded to the longest; of one length.
    {"padding", {"gen:like?name=rma10", "ell"}, {"gen:laplace27?nx=30&ny=30&nz=30", "ell"}},
    // An index for each f32 from DRAM; none with diagonals.
    {"index_bytes", {"gen:band?rows=1000000&half=10", "ell"}, {"gen:band?rows=1000000&half=10", "dia"}},
    {"dram_roof", {"gen:band?rows=2000000&half=10", "ell"}, {"gen:laplace5?nx=300&ny=300", "ell"}},
    // Neighbouring rows ask for the same lines again and again; each line is asked for once.
    {"l2_bandwidth",
     {"gen:random?rows=1000000&cols=1000000&per_row=8", "ell", {}, warm},
     {"gen:laplace5?nx=1000&ny=1000", "dia"}},
    {"in_l2", {"gen:laplace5?nx=300&ny=300", "ell", {}, warm}, {"gen:laplace5?nx=300&ny=300", "ell"}},
    {"launch", {"gen:laplace5?nx=50&ny=50", "ell"}, {"gen:band?rows=400000&half=10", "ell"}},
    // Columns in stripes, each with loops of its own; one loop.
    {"issue", {"gen:band?rows=50000&half=20", "csr_striped"}, {"gen:laplace5?nx=300&ny=300", "ell"}},
    {"atomics", {"gen:band?rows=50000&half=30", "coo_atomic"}, {"gen:band?rows=50000&half=30", "csr_vector"}},
    {"latency", {"gen:dense?rows=20000&cols=500", "csr_scalar"}, {"gen:band?rows=1000000&half=10", "dia"}},
};

// Looks at a run of the model; false where its causes are not known.
bool look_at(const Asked& asked, const std::function<void(const Evidence&)>& look) {
  static const auto engine = make_engine(WARPSPY_SOURCE_DIR "/assets");
  static const Catalog catalog = make_catalog(WARPSPY_SOURCE_DIR "/assets");
  static std::string open;
  static Matrix matrix;
  Progress progress;
  if (open != asked.matrix) matrix = open_matrix(open = asked.matrix, progress);
  RunRequest request;
  request.matrix = asked.matrix, request.kernel = asked.kernel, request.params = asked.params;
  request.device = "sim:h200", request.depth = Depth::medium, request.cache_state = asked.cache;
  const RunRecord r = engine->run(request, matrix, progress);
  SCOPED_TRACE(r.error + r.time_how);
  const RowStats rows = row_stats(*matrix.csr);
  const GpuSpec& gpu = catalog.device("sim:h200")->spec;
  const auto roofs = roofs_of(gpu, request.precision);
  const DiagnosisInput in{r, rows, gpu, catalog, roofs, nullptr};
  const auto causes = causes_of(r, gpu);
  if (causes) look(Evidence(in, *causes));
  return causes.has_value();
}

// The first one where there is none of that name.
const RuleRow& rule_named(const std::string& id) {
  const auto all = rules();
  const auto found = std::find_if(all.begin(), all.end(), [&](const RuleRow* r) { return id == r->id; });
  return found == all.end() ? *all.front() : **found;
}

class Rules : public testing::TestWithParam<Case> {};

TEST_P(Rules, FiresAndNearlyDoesNot) {
  const Case& c = GetParam();
  const RuleRow& rule = rule_named(c.rule);
  ASSERT_EQ(rule.id, std::string(c.rule));
  EXPECT_TRUE(look_at(c.fires, [&](const Evidence& e) { EXPECT_EQ(judge(rule, e).ruling, Ruling::fires) << c.rule; }));
  EXPECT_TRUE(
      look_at(c.misses, [&](const Evidence& e) { EXPECT_EQ(judge(rule, e).ruling, Ruling::silent) << c.rule; }));
}
INSTANTIATE_TEST_SUITE_P(All, Rules, testing::ValuesIn(cases),
                         [](const auto& of) { return std::string(of.param.rule); });

// The longest row keeps a warp of CSR waiting, but none of HYB, whose COO part shares it out.
TEST(RuleTable, UnevenRowsOfAHybridAreThoseOfItsEllPart) {
  const RuleRow& rule = rule_named("uneven_rows");
  EXPECT_TRUE(look_at({"gen:arrow?n=50000", "hyb"}, [&](const Evidence& e) {
    ASSERT_TRUE(e.find("row_cut"));
    EXPECT_LT(e.value("row_cut"), 50000);
    EXPECT_NE(rule.says(e).evidence.find("shared out evenly in COO"), std::string::npos);
    EXPECT_EQ(rule.says(e).limit.find("long rows"), std::string::npos);
  }));
  EXPECT_TRUE(
      look_at({"gen:laplace5?nx=50&ny=50", "ell"}, [&](const Evidence& e) { EXPECT_FALSE(e.find("row_cut")); }));
}

TEST(RuleTable, EachHasAMatrix) {
  for (const RuleRow* rule : rules())
    EXPECT_TRUE(std::any_of(std::begin(cases), std::end(cases), [&](const Case& c) {
      return std::string(c.rule) == rule->id;
    })) << rule->id;
}

// Kernels are found by what they are like; these are those that stood in the rules by name. The first is what is said
// where no model can be asked.
TEST(RuleTable, TagsFindTheKernelsThatRulesAreFor) {
  struct Known {
    const char* rule;
    std::vector<std::string> tries;
  };
  const Known all[] = {
      {"uncoalesced", {"csr_even", "csr_vector:coop=8", "csr_packs", "csr_stream", "sell_warps", "bsr_warps"}},
      {"x_misses_l1", {"reorder:rcm", "csr_slots", "csr_even", "csr_stream", "csr_striped", "hyb"}},
      {"x_misses_l2", {"reorder:rcm", "csr_striped", "csr_slots", "csr_even", "sell_warps"}},
      {"idle_lanes", {"csr_even", "csr_vector:coop=8", "csr_stream", "csr_merge", "sell_warps", "hyb_fused"}},
      {"uneven_rows", {"csr_even", "csr_stream", "csr_merge", "csr_adaptive", "hyb_fused"}},
      {"tail", {"csr_scalar:block_size=64", "csr_even", "csr_stream", "csr_merge"}},
      {"small_grid", {"csr_vector:coop=32", "csr_scalar:block_size=32", "csr_vector:coop=8", "csr_even", "csr_stream"}},
      {"padding", {"csr_even", "sell_warps", "hyb_fused", "csr_stream", "csr_vector:coop=8"}},
      {"index_bytes", {"bsr_warps", "dia_packs"}},
      {"dram_roof", {"bsr_warps", "dia_packs"}},
      {"l2_bandwidth", {"csr_even", "csr_packs", "csr_stream", "sell_warps", "bsr_warps"}},
      {"in_l2", {}},
      {"launch", {"csr_stream", "csr_even", "csr_vector:coop=8"}},
      {"issue", {"csr_packs", "sell_warps", "bsr_warps", "csr_vector:coop=8", "csr_even", "ell"}},
      {"atomics", {"csr_vector:coop=8", "csr_stream", "csr_merge", "csr_even", "sell_warps"}},
      {"latency", {"csr_packs", "csr_stream", "sell_warps", "bsr_warps", "csr_even", "csr_vector:coop=8"}}};
  EXPECT_EQ(std::size(all), rules().size());
  EXPECT_TRUE(look_at({"gen:band?rows=2000&half=8", "csr_scalar"}, [&](const Evidence& e) {
    for (const Known& k : all) {
      std::vector<std::string> found;
      for (const Change& c : changes_of(rule_named(k.rule).tries, e)) {
        ASSERT_EQ(c.format_params, ParamSet{});
        found.push_back(c.reorder.empty() ? c.kernel : "reorder:" + c.reorder);
        if (!c.reorder.empty()) continue;
        const bool same = c.kernel == e.run().request.kernel;
        for (const auto& [id, v] : c.params)
          if (!same || v != e.run().request.params.at(id))
            found.back() += ":" + id + "=" + std::to_string(static_cast<int>(v));
      }
      EXPECT_EQ(found, k.tries) << k.rule;
    }
  }));
}

// What a change gives was held against a GPU for products: of a transposed one only its own kernel is turned.
TEST(RuleTable, TransposedProductsAreToldNoOtherKernel) {
  EXPECT_TRUE(look_at({"gen:band?rows=2000&half=8", "csr_transposed"}, [&](const Evidence& e) {
    for (const RuleRow* rule : rules())
      for (const Change& c : changes_of(rule->tries, e)) EXPECT_EQ(c.kernel, "csr_transposed") << rule->id;
  }));
}

// What a rule predicts is held against a GPU in docs/validation.md; who is said to be unproven there says so.
TEST(RuleTable, PageSaysWhichAreUnproven) {
  std::ifstream page(WARPSPY_SOURCE_DIR "/docs/validation.md");
  std::map<std::string, bool> unproven;
  for (std::string line; std::getline(page, line);)
    if (line.starts_with("| `")) unproven[line.substr(3, line.find('`', 3) - 3)] = line.ends_with("| unproven |");
  for (const RuleRow* rule : rules()) {
    if (rule->kind == Finding::Kind::note) continue;
    ASSERT_TRUE(unproven.contains(rule->id)) << rule->id;
    EXPECT_EQ(unproven[rule->id], !rule->proven) << rule->id;
  }
}

}  // namespace
}  // namespace warpspy
