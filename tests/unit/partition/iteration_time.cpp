// The time of an iteration over several GPUs, by clocks that can be followed by hand.
#include "core/partition/iteration_time.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/shapes.hpp"

namespace warpspy {
namespace {

using Work = IterationStep::Work;

// Two parts, each with one x of the other. A message takes 10 us, a byte nothing to speak of.
class TwoParts : public ::testing::Test {
 protected:
  TwoParts() { link_.gbs = 1e5, link_.latency_us = 10; }
  IterationTime time(const std::vector<IterationStep>& steps) { return iteration_time(partition_, steps, link_, 8); }
  Progress progress_;
  Partition partition_ = partition_of(testing::from_rows(4, {{0, 1}, {1, 2}, {1, 2}, {3}}, testing::some_value),
                                      {0, 0, 1, 1}, 2, progress_);
  Link link_;
};

void expect_whole(const IterationTime& t) {
  for (const PartResult& p : t.parts) {
    EXPECT_NEAR(p.time_us, t.us, 1e-9) << "a part ends before the iteration";
    EXPECT_DOUBLE_EQ(p.time_us, p.local_us + p.waiting_us + p.halo_us + p.vectors_us + p.dots_us + p.dots_waiting_us);
  }
  double sum = 0;
  for (const PartStretch& s : t.of_slowest) sum += s.us;
  EXPECT_NEAR(sum, t.us, 1e-9);
}

TEST_F(TwoParts, WaitForEachOtherAtEachSum) {
  // As CG: product, dot, exchange, residual, exchange, direction.
  const IterationTime t = time({{Work::product, {100, 60}, {5, 5}},
                                {Work::dots, {3, 2}},
                                {Work::exchange, {1, 1}, {}, 1},
                                {Work::vectors, {20, 10}},
                                {Work::exchange, {1, 1}, {}, 2},
                                {Work::vectors, {30, 15}}});
  const double small = 8e-5 / 1000;  // of 8 bytes at 1e5 GB/s
  EXPECT_NEAR(t.us, 30 + 100 + 5 + 3 + 1 + 10 + 20 + 1 + 10, 1e3 * small);
  EXPECT_NEAR(t.messages_us, 20, 1e3 * small);
  EXPECT_EQ(t.exposed_us, t.messages_us);
  EXPECT_EQ(t.slowest, 0u);
  EXPECT_DOUBLE_EQ(t.parts[0].vectors_us, 50);
  EXPECT_DOUBLE_EQ(t.parts[0].dots_us, 5);
  EXPECT_DOUBLE_EQ(t.parts[0].waiting_us, 0) << "the halo came while the local product ran";
  EXPECT_NEAR(t.parts[0].dots_waiting_us, 20, 1e3 * small) << "the slowest waits for messages alone";
  EXPECT_NEAR(t.parts[1].dots_waiting_us, 20 + 30 - 15 + 100 - 60 + 3 - 2 + 20 - 10, 1e3 * small);
  expect_whole(t);
  ASSERT_FALSE(t.of_slowest.empty());
  EXPECT_EQ(std::string(t.of_slowest.front().work), "updates") << "behind the last exchange";
  EXPECT_EQ(std::string(t.of_slowest.back().work), "waiting");
}

TEST_F(TwoParts, WaitForAHaloUntilItsGiverIsThereToo) {
  const IterationTime t = time({{Work::vectors, {40, 5}},  // part 1 could begin its product at 5
                                {Work::product, {1, 1}, {2, 2}},
                                {Work::exchange, {0, 0}, {}, 1}});
  EXPECT_NEAR(t.parts[0].waiting_us, 40 + 10 - 41, 1e-3);
  EXPECT_NEAR(t.parts[1].waiting_us, 40 + 10 - 6, 1e-3) << "its giver has x at 40";
  EXPECT_NEAR(t.parts[0].link_us, 10, 1e-3);
  EXPECT_NEAR(t.us, 40 + 10 + 2 + 10, 1e-3);
  expect_whole(t);
}

TEST_F(TwoParts, HideAnExchangeBesideTheProduct) {
  const auto pipelined = [](double product) {
    return std::vector<IterationStep>{{Work::product, {product, product / 2}, {0, 0}},
                                      {Work::vectors, {20, 10}},
                                      {Work::exchange, {3, 3}, {}, 2, true}};
  };
  const IterationTime hidden = time(pipelined(100));
  EXPECT_NEAR(hidden.us, 120, 1e-6) << "the sums came while the product ran";
  EXPECT_NEAR(hidden.exposed_us, 0, 1e-9);
  EXPECT_NEAR(hidden.messages_us, 10, 1e-3);
  EXPECT_DOUBLE_EQ(hidden.parts[0].dots_us, 0);
  EXPECT_NEAR(hidden.parts[0].dots_waiting_us, 0, 1e-9);
  EXPECT_NEAR(hidden.parts[1].dots_waiting_us, 60, 1e-6);
  expect_whole(hidden);
  const IterationTime exposed = time(pipelined(12));  // with the halo's 10 us hidden in 12
  EXPECT_NEAR(exposed.us, 20 + 3 + 10, 1e-3);
  EXPECT_NEAR(exposed.exposed_us, 1, 1e-3);
  expect_whole(exposed);
}

TEST_F(TwoParts, NeedASum) { EXPECT_THROW(time({{Work::vectors, {1, 1}}}), Error); }

TEST(Exchange, TakesRoundsOfOneMessage) {
  Link link;
  link.gbs = 0.001, link.latency_us = 5;  // a byte takes 1 us
  EXPECT_DOUBLE_EQ(exchange_us(link, 1, 1, 8), 0);
  EXPECT_DOUBLE_EQ(exchange_us(link, 2, 1, 8), 5 + 8);
  EXPECT_DOUBLE_EQ(exchange_us(link, 3, 1, 8), 2 * 5 + 2 * 8);
  EXPECT_DOUBLE_EQ(exchange_us(link, 4, 1, 8), 2 * 5 + 3 * 8);
  EXPECT_DOUBLE_EQ(exchange_us(link, 5, 2, 4), 3 * 5 + 4 * 2 * 4);
  EXPECT_DOUBLE_EQ(exchange_us(link, 8, 1, 8), 3 * 5 + 7 * 8);
}

}  // namespace
}  // namespace warpspy
