// What a kernel promises for a matrix: bytes that it must move, and what its parameters add.
#include "profiling/tuner/promise.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/generate/generate.hpp"
#include "tests/unit/profiling/tuner_specs.hpp"

namespace warpspy {
namespace {

TEST(Promise, ColumnsThatLieAnywhereCostKernelsWithoutTheVectorAtHand) {
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
  for (const char* id : {"y_kib", "share_kib"}) {
    at_hand.params = {spec(id, Type::integer, 1, 220, 100)};
    EXPECT_LT(promise_us(at_hand, scattered), 0.6 * promise_us(plain, scattered)) << id;
  }
  EXPECT_EQ(promise_us(at_hand, {.least_bytes = 40e6}), promise_us(plain, {.least_bytes = 40e6}));
  KernelInfo two_orders = plain;
  two_orders.params = {spec("entries_by", Type::choice, 0, 1, 0)};
  EXPECT_EQ(likely_params(two_orders, {}, scattered, 0), (ParamSet{{"entries_by", 1}}));
  EXPECT_EQ(likely_params(two_orders, {{"entries_by", 0}}, scattered, 0), (ParamSet{{"entries_by", 0}}));
  EXPECT_EQ(likely_params(two_orders, {}, {.least_bytes = 40e6}, 0), (ParamSet{{"entries_by", 0}}));
}

TEST(Promise, OverlapBytesAndLongRowsDecide) {
  KernelInfo plain{"plain", "", "", "", "csr", {}}, early = plain;
  early.params = {spec("overlap", Type::choice, 0, 1, 0), spec("matrix_cache", Type::choice, 0, 11, 0)};
  EXPECT_LT(promise_us(early, {.least_bytes = 9e6}), promise_us(plain, {.least_bytes = 9e6}));
  EXPECT_LT(promise_us(plain, {.least_bytes = 9e6}), promise_us(early, {.least_bytes = 18e6}));
  EXPECT_GT(promise_us(plain, {.least_bytes = 9e6, .longest_row = 100'000, .rows_whole = true}),
            1000 * promise_us(plain, {.least_bytes = 9e6, .longest_row = 100'000}));
  KernelInfo striped = plain;
  striped.params = {spec("stripe_kib", Type::integer, 1, 220, 100)};
  const Prospect few{.least_bytes = 9e6, .rows = 4000, .vector_bytes = 4e6};
  Prospect many = few;
  many.rows = 1e6;
  EXPECT_GT(promise_us(striped, few), 3 * promise_us(plain, few)) << "pieces of a few entries";
  // Long pieces: before the others. One stripe is none.
  const Prospect long_rows{.least_bytes = 9e6, .rows = 400, .vector_bytes = 4e6, .entries = 4e6};
  EXPECT_LT(promise_us(striped, long_rows), 0.9 * promise_us(plain, long_rows));
  const Prospect narrow{.least_bytes = 9e6, .rows = 400, .vector_bytes = 9e4, .entries = 4e6};
  EXPECT_GE(promise_us(striped, narrow), promise_us(plain, narrow));
  EXPECT_GT(promise_us(striped, many), 10 * promise_us(plain, many));
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
  EXPECT_EQ(kept({.least_bytes = 57e6}), simt::CachePolicy::kept_3_8);
  EXPECT_EQ(kept({.least_bytes = 120e6}), simt::CachePolicy::kept_eighth);
  EXPECT_EQ(kept({.least_bytes = 240e6, .vector_bytes = 2e6}), simt::CachePolicy::kept_sixteenth);
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
  // Somewhere else to begin: only where the kernel has won there, and what is held stays.
  KernelInfo even{"csr_even", "", "", "", "csr", {}};
  even.params = {spec("items", Type::power_of_two, 4, 8, 8), spec("run", Type::power_of_two, 1, 16, 2)};
  const ParamSet likely{{"items", 8}, {"run", 2}};
  EXPECT_EQ(other_starts(even, {}, likely), (std::vector<ParamSet>{{{"items", 4}, {"run", 1}}}));
  EXPECT_EQ(other_starts(even, {{"items", 8}}, likely), (std::vector<ParamSet>{{{"items", 8}, {"run", 1}}}));
  EXPECT_TRUE(other_starts(plain, {}, likely).empty());
  // Large blocks first, where the device has the shared memory for them; the defaults come later then.
  KernelInfo slots{"csr_slots", "", "", "", "csr", {}};
  slots.params = {spec("blocks", Type::integer, 1, 1024, 264), spec("share_kib", Type::integer, 2, 220, 96),
                  spec("block_size", Type::power_of_two, 64, 1024, 512)};
  const ParamSet defaults{{"blocks", 264}, {"share_kib", 96}, {"block_size", 512}};
  const ParamSet large{{"blocks", 132}, {"share_kib", 216}, {"block_size", 1024}};
  EXPECT_EQ(likely_params(slots, {}, {.value_bytes = 4, .shared_bytes = 99 * 1024}, l2), defaults);
  EXPECT_EQ(likely_params(slots, {}, {.value_bytes = 4, .shared_bytes = 227 * 1024}, l2), large);
  EXPECT_EQ(likely_params(slots, {}, {.value_bytes = 8, .shared_bytes = 227 * 1024}, l2), defaults) << "f32 only";
  EXPECT_EQ(likely_params(slots, {}, {}, l2), defaults) << "not known";
  const auto after = other_starts(slots, {}, large);
  EXPECT_NE(std::find(after.begin(), after.end(), defaults), after.end());
}

TEST(Promise, NeighboursAreOneStepAway) {
  KernelInfo k{"k", "", "", "", "csr", {spec("a", Type::integer, 0, 9, 3), spec("b", Type::integer, 0, 9, 0)}};
  k.params[0].tried = {1, 3, 12};
  k.params[1].tried = {5};
  const ParamSet at{{"a", 1}, {"b", 5}};
  EXPECT_EQ(neighbours_of(k, {}, at), (std::vector<ParamSet>{{{"a", 3}, {"b", 5}}, {{"a", 1}, {"b", 0}}}));
  EXPECT_EQ(neighbours_of(k, {{"a", 1}}, at), (std::vector<ParamSet>{{{"a", 1}, {"b", 0}}}));
}

}  // namespace
}  // namespace warpspy
