// What a kernel is modelled to cost for a matrix: bytes that it must move, and what its parameters add.
#include "profiling/tuner/cost_model.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/generate/generate.hpp"
#include "kernels/table/table.hpp"
#include "tests/unit/profiling/tuner_specs.hpp"

namespace warpspy {
namespace {

TEST(CostModel, ColumnsThatLieAnywhereCostKernelsWithoutTheVectorAtHand) {
  const auto of = [](const std::string& name, index_t value_bytes) {
    Progress progress;
    return scattered_bytes(*generate(name, progress).csr, value_bytes);
  };
  // A sector has 4 columns in f64 and 8 in f32; 32 rows of 8 of 100,000 columns share next to none.
  const double entries = 8.0 * 20'000;
  EXPECT_NEAR(of("random?rows=20000&cols=100000&per_row=8&seed=7", 8), 32 * entries, 0.02 * 32 * entries);
  EXPECT_NEAR(of("random?rows=20000&cols=100000&per_row=8&seed=7", 4), 32 * entries, 0.03 * 32 * entries);
  EXPECT_EQ(of("band?rows=20000&half=4", 8), 0);
  EXPECT_EQ(of("random?rows=31&cols=100000&per_row=8&seed=7", 8), 0) << "less than one group";
  KernelInfo plain{"plain", "", "", "", "csr", {}}, at_hand = plain;
  const Prospect scattered{.least_bytes = 40e6, .scattered_bytes = 120e6};
  at_hand.tags = Tag::vector_in_shared;
  EXPECT_LT(modelled_cost_us(at_hand, scattered), 0.6 * modelled_cost_us(plain, scattered));
  EXPECT_EQ(modelled_cost_us(at_hand, {.least_bytes = 40e6}), modelled_cost_us(plain, {.least_bytes = 40e6}));
  KernelInfo two_orders = plain;
  two_orders.params = {spec("entries_by", Type::choice, 0, 1, 0)};
  EXPECT_EQ(likely_params(two_orders, {}, scattered, 0), (ParamSet{{"entries_by", 1}}));
  EXPECT_EQ(likely_params(two_orders, {{"entries_by", 0}}, scattered, 0), (ParamSet{{"entries_by", 0}}));
  EXPECT_EQ(likely_params(two_orders, {}, {.least_bytes = 40e6}, 0), (ParamSet{{"entries_by", 0}}));
}

TEST(CostModel, OverlapBytesAndLongRowsDecide) {
  KernelInfo plain{"plain", "", "", "", "csr", {}}, early = plain;
  early.params = {spec("overlap", Type::choice, 0, 1, 0), spec("matrix_cache", Type::choice, 0, 11, 0)};
  EXPECT_LT(modelled_cost_us(early, {.least_bytes = 9e6}), modelled_cost_us(plain, {.least_bytes = 9e6}));
  EXPECT_LT(modelled_cost_us(plain, {.least_bytes = 9e6}), modelled_cost_us(early, {.least_bytes = 18e6}));
  EXPECT_GT(modelled_cost_us(plain, {.least_bytes = 9e6, .longest_row = 100'000, .rows_whole = true}),
            1000 * modelled_cost_us(plain, {.least_bytes = 9e6, .longest_row = 100'000}));
  KernelInfo by_rows = plain, slower = plain;
  by_rows.tags = Tag::thread_per_row;
  slower.slowdown = {2.5, "made up"};
  EXPECT_GT(modelled_cost_us(by_rows, {.least_bytes = 9e6, .longest_row = 100'000}),
            1000 * modelled_cost_us(plain, {.least_bytes = 9e6, .longest_row = 100'000}));
  EXPECT_DOUBLE_EQ(modelled_cost_us(slower, {.least_bytes = 9e6}), 2.5 * modelled_cost_us(plain, {.least_bytes = 9e6}));
  KernelInfo striped = plain;
  striped.params = {spec("stripe_kib", Type::integer, 1, 220, 100)};
  const Prospect few{.least_bytes = 9e6, .rows = 4000, .vector_bytes = 4e6};
  Prospect many = few;
  many.rows = 1e6;
  EXPECT_GT(modelled_cost_us(striped, few), 3 * modelled_cost_us(plain, few)) << "pieces of a few entries";
  // Long pieces: before the others. One stripe is none.
  const Prospect long_rows{.least_bytes = 9e6, .rows = 400, .vector_bytes = 4e6, .entries = 4e6};
  EXPECT_LT(modelled_cost_us(striped, long_rows), 0.9 * modelled_cost_us(plain, long_rows));
  const Prospect narrow{.least_bytes = 9e6, .rows = 400, .vector_bytes = 9e4, .entries = 4e6};
  EXPECT_GE(modelled_cost_us(striped, narrow), modelled_cost_us(plain, narrow));
  EXPECT_GT(modelled_cost_us(striped, many), 10 * modelled_cost_us(plain, many));
  const double l2 = 60e6;
  EXPECT_EQ(likely_params(early, {}, {.least_bytes = 20e6}, l2), (ParamSet{{"overlap", 1}, {"matrix_cache", 0}}));
  EXPECT_EQ(likely_params(early, {}, {.least_bytes = 35e6}, l2), (ParamSet{{"overlap", 1}, {"matrix_cache", 0}}));
  EXPECT_EQ(likely_params(early, {}, {.least_bytes = 35e6, .cold = true}, l2),
            (ParamSet{{"overlap", 1}, {"matrix_cache", 2}}));
  EXPECT_EQ(likely_params(early, {}, {.least_bytes = 50e6}, l2), (ParamSet{{"overlap", 1}, {"matrix_cache", 2}}));
  EXPECT_EQ(likely_params(early, {{"overlap", 0}}, {.least_bytes = 50e6}, l2),
            (ParamSet{{"overlap", 0}, {"matrix_cache", 2}}));
  EXPECT_EQ(likely_params(plain, {}, {.least_bytes = 50e6}, l2), ParamSet{});
  // Three tenths of L2 for what is kept of the matrix, but for what x needs; nothing where products are cold.
  early.params[1].tried = {0, 2, 8, 5, 9, 6, 10, 7, 11};
  const auto kept = [&](const Prospect& p) {
    return static_cast<simt::CachePolicy>(likely_params(early, {}, p, l2).at("matrix_cache"));
  };
  EXPECT_EQ(kept({.least_bytes = 57e6}), simt::CachePolicy::evict_last_3_8);
  EXPECT_EQ(kept({.least_bytes = 120e6}), simt::CachePolicy::evict_last_eighth);
  EXPECT_EQ(kept({.least_bytes = 240e6, .vector_bytes = 2e6}), simt::CachePolicy::evict_last_sixteenth);
  EXPECT_EQ(kept({.least_bytes = 240e6, .vector_bytes = 12e6}), simt::CachePolicy::streaming);
  EXPECT_EQ(kept({.least_bytes = 2e9}), simt::CachePolicy::streaming);
  EXPECT_EQ(kept({.least_bytes = 120e6, .cold = true}), simt::CachePolicy::streaming);
  // As many threads for a row of blocks as its entries are worth, of the values to try.
  KernelInfo blocks = plain;
  blocks.params = {spec("coop", Type::power_of_two, 16, 512, 32)};
  blocks.params.front().tried = {16, 32, 64, 128, 256};
  const auto coop = [&](double entries, double block_rows) {
    const Prospect p{.least_bytes = 50e6, .rows = 1000, .entries = 1000 * entries, .block_rows = block_rows};
    return likely_params(blocks, {}, p, l2).at("coop");
  };
  EXPECT_EQ(coop(50, 3), 16);
  EXPECT_EQ(coop(400, 3), 64);
  EXPECT_EQ(coop(1500, 4), 256);
  EXPECT_EQ(coop(1500, 1), 32) << "the default: rows are no blocks";
}

// What one device has: of an H100 and an H200, and of one with less.
const DeviceScale h100 = {132, 227 * 1024}, less = {108, 99 * 1024};

TEST(CostModel, StartsAreTheKernelsOwn) {
  const KernelInfo plain{"plain", "", "", "", "csr", {}};
  KernelInfo even = plain;
  even.params = {spec("items", Type::power_of_two, 4, 8, 8), spec("run", Type::power_of_two, 1, 16, 2)};
  even.starts = {{.params = {{"items", 4}, {"run", 1}}}};
  const ParamSet likely{{"items", 8}, {"run", 2}};
  EXPECT_EQ(other_starts(even, {}, likely, {}), (std::vector<ParamSet>{{{"items", 4}, {"run", 1}}}));
  EXPECT_EQ(other_starts(even, {{"items", 8}}, likely, {}), (std::vector<ParamSet>{{{"items", 8}, {"run", 1}}}))
      << "what is held stays";
  EXPECT_TRUE(other_starts(plain, {}, likely, {}).empty());
  // Large blocks first, where the device has the shared memory for them; the defaults come later then.
  KernelInfo slots = plain;
  slots.params = {spec("blocks", Type::integer, 1, 1024, 264), spec("share_kib", Type::integer, 2, 220, 96)};
  slots.params[0].scale = ParamSpec::Scale::per_sm;
  slots.params[1].scale = ParamSpec::Scale::of_shared;
  slots.starts = {
      {.params = {{"share_kib", 0.96}, {"blocks", 1}}, .first = true, .least_shared_kib = 216, .only_value_bytes = 4},
      {.params = {{"share_kib", 0.43}, {"blocks", 2}}}};
  const ParamSet defaults{{"blocks", 264}, {"share_kib", 96}}, large{{"blocks", 132}, {"share_kib", 216}};
  EXPECT_EQ(likely_params(slots, {}, {.value_bytes = 4, .device = less}, 0), defaults);
  EXPECT_EQ(likely_params(slots, {}, {.value_bytes = 4, .device = h100}, 0), large);
  EXPECT_EQ(likely_params(slots, {}, {.value_bytes = 8, .device = h100}, 0), defaults) << "f32 only";
  EXPECT_EQ(likely_params(slots, {}, {}, 0), defaults) << "not known";
  EXPECT_EQ(other_starts(slots, {}, large, h100), std::vector<ParamSet>{defaults});
  EXPECT_EQ(other_starts(slots, {}, defaults, less), (std::vector<ParamSet>{{{"blocks", 216}, {"share_kib", 40}}}));
}

// Where the search of our kernels begins on an H100 and an H200: what won there, to the number (docs/bench).
TEST(CostModel, StartsOnAnH100) {
  struct Known {
    const char* kernel;
    std::vector<ParamSet> starts;
  };
  const auto of = [](const char* kib_of, double kib, double blocks, double block_size) {
    return ParamSet{{kib_of, kib}, {"blocks", blocks}, {"block_size", block_size}};
  };
  const Known all[] = {
      {"csr_even", {{{"items", 4}, {"run", 1}, {"block_size", 256}}}},
      {"csr_slots",
       {of("share_kib", 216, 132, 1024), of("share_kib", 96, 264, 512), of("share_kib", 96, 132, 1024),
        of("share_kib", 216, 528, 512)}},
      {"csr_compact_slots",
       {of("share_kib", 48, 264, 512), of("share_kib", 216, 132, 1024), of("share_kib", 96, 132, 1024),
        of("share_kib", 96, 264, 512)}},
      {"csr_even_striped", {of("x_kib", 160, 132, 1024), of("x_kib", 64, 132, 1024), of("x_kib", 64, 264, 512)}},
      {"csr_even_striped_transposed", {of("y_kib", 160, 132, 1024), of("y_kib", 64, 264, 512)}},
      {"bsr_symmetric", {of("share_kib", 216, 132, 1024)}},
      {"csr_even_transposed", {of("share_kib", 216, 528, 256)}},
      {"csr_slots_transposed",
       {{{"blocks", 1056}, {"block_size", 512}, {"entries_by", 0}},
        {{"blocks", 528}, {"block_size", 256}, {"entries_by", 0}}}}};
  std::size_t with_starts = 0;
  for (const KernelRow& row : kernels()) with_starts += !row.info.starts.empty();
  EXPECT_EQ(with_starts, std::size(all));
  for (const Known& k : all) {
    const KernelInfo& info = kernel_row(k.kernel).info;
    std::vector<ParamSet> there;
    for (const Start& s : info.starts)
      if (!s.first || s.params.size() > 1) there.push_back(params_on(s, info.params, h100).value_or(ParamSet{}));
    EXPECT_EQ(there, k.starts) << k.kernel;
    // Blocks by default: as many for each SM as there are of an H100's.
    const ParamSpec* blocks = spec_of(info.params, "blocks");
    if (!blocks) continue;
    const Prospect small{.least_bytes = 1e6, .value_bytes = 4, .device = {132, 16 * 1024}};
    EXPECT_EQ(likely_params(info, {}, small, 50e6).at("blocks"), blocks->def) << k.kernel;
    Prospect on_less = small;
    on_less.device = less;
    on_less.value_bytes = 0;
    EXPECT_EQ(likely_params(info, {}, on_less, 50e6).at("blocks"), blocks->def / 132 * less.sm_count) << k.kernel;
  }
  // Large blocks: in place of the defaults where the device can have them, with values of so many bytes.
  const std::pair<const char*, double> large[] = {
      {"csr_slots", 4}, {"csr_compact_slots", 4}, {"csr_even_striped", 0}, {"csr_even_striped_transposed", 0}};
  for (const auto& [id, value_bytes] : large) {
    const KernelInfo& info = kernel_row(id).info;
    const Start& s = info.starts.at(1);
    EXPECT_TRUE(s.first) << id;
    EXPECT_EQ(s.only_value_bytes, value_bytes) << id;
    const Prospect p{.least_bytes = 1e6, .value_bytes = value_bytes, .device = h100};
    const ParamSet likely = likely_params(info, {}, p, 50e6);
    for (const auto& [param, value] : params_on(s, info.params, h100).value_or(ParamSet{}))
      EXPECT_EQ(likely.at(param), value) << id << " " << param;
  }
}

TEST(CostModel, ValuesToTryOnAnH100) {
  struct Known {
    const char *kernel, *param;
    std::vector<double> tried;
  };
  const Known all[] = {{"csr_slots", "blocks", {132, 264, 528}},
                       {"csr_slots", "share_kib", {48, 96, 216}},
                       {"csr_compact_slots", "share_kib", {48, 96, 216}},
                       {"csr_even_striped", "blocks", {132, 264}},
                       {"csr_even_striped", "x_kib", {64, 144, 160}},
                       {"csr_even_striped_transposed", "y_kib", {64, 144, 160}},
                       {"csr_striped", "stripe_kib", {100}},
                       {"bsr_symmetric", "blocks", {132, 264}},
                       {"bsr_symmetric", "share_kib", {96, 216}},
                       {"csr_even_transposed", "blocks", {264, 528}},
                       {"csr_even_transposed", "share_kib", {108, 216}},
                       {"csr_slots_transposed", "blocks", {264, 528, 1056}}};
  for (const Known& k : all) {
    const ParamSpec* spec = spec_of(kernel_row(k.kernel).info.params, k.param);
    ASSERT_NE(spec, nullptr) << k.kernel;
    EXPECT_EQ(tried_on(*spec, h100), k.tried) << k.kernel << " " << k.param;
  }
}

// What stood in a table of the tuner, to the number: the order in which kernels are tried stays.
TEST(CostModel, KernelsSayHowFarTheyStayFromTheirBytes) {
  const std::map<std::string, double> slower = {{"bsr", 2},
                                                {"bsr_symmetric", 1.2},
                                                {"coo_atomic", 2.5},
                                                {"coo_segmented", 1.4},
                                                {"csc", 3},
                                                {"csr_adaptive", 2},
                                                {"csr_compact_even", 1.2},
                                                {"csr_merge", 1.3},
                                                {"csr_packs", 1.3},
                                                {"csr_compact_stream", 1.2},
                                                {"csr_compact_slots", 1.2},
                                                {"csr_scalar", 4},
                                                {"evc_hyb", 1.8},
                                                {"jds", 1.3},
                                                {"sell16_warps", 1.1},
                                                {"sell8_warps", 1.4}};
  const std::set<std::string> by_rows = {"csr_scalar",   "ell",         "jds",       "sell",
                                         "sell16_warps", "sell8_warps", "sell_warps"};
  for (const KernelRow& row : kernels()) {
    const std::string& id = row.info.id;
    EXPECT_EQ(row.info.slowdown.factor, slower.contains(id) ? slower.at(id) : 1) << id;
    EXPECT_EQ(row.info.tags.has_all(Tag::thread_per_row), by_rows.contains(id)) << id;
  }
}

TEST(CostModel, NeighboursAreOneStepAway) {
  KernelInfo k{"k", "", "", "", "csr", {spec("a", Type::integer, 0, 9, 3), spec("b", Type::integer, 0, 9, 0)}};
  k.params[0].tried = {1, 3, 12};
  k.params[1].tried = {5};
  const ParamSet at{{"a", 1}, {"b", 5}};
  EXPECT_EQ(neighbours_of(k, {}, at, {}), (std::vector<ParamSet>{{{"a", 3}, {"b", 5}}, {{"a", 1}, {"b", 0}}}));
  k.params[0].scale = ParamSpec::Scale::per_sm;
  EXPECT_EQ(neighbours_of(k, {}, at, {2, 0}).size(), 4u) << "2, 6 and 3 of a, 0 of b; 24 is out of range";
  k.params[0].scale = ParamSpec::Scale::none;
  EXPECT_EQ(neighbours_of(k, {{"a", 1}}, at, {}), (std::vector<ParamSet>{{{"a", 1}, {"b", 0}}}));
}

}  // namespace
}  // namespace warpspy
