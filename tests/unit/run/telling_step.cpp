// The step at which one sees what a warp was chosen for.
#include "core/run/telling_step.hpp"

#include <gtest/gtest.h>

namespace warpspy {
namespace {

WarpStep step(std::uint32_t active, std::uint16_t times = 1) {
  WarpStep s;
  s.op = WarpOp::exchange, s.active = active, s.times = times;
  return s;
}

WarpStep load(WarpTrace& t, int lines) {
  WarpStep s = step(~0u);
  s.op = WarpOp::load, s.array = 0, s.requests = 1;
  s.first_line = static_cast<std::uint32_t>(t.requested.size()), s.lines = static_cast<std::uint32_t>(lines);
  for (int k = 0; k < lines; ++k) {
    WarpLine line;
    line.sectors = 1;
    t.requested.push_back(line);
  }
  return s;
}

TEST(TellingStep, OfSectorsIsTheFirstWidestRequest) {
  WarpTrace t;
  t.steps = {step(1), load(t, 4), load(t, 32), load(t, 32), load(t, 8)};
  EXPECT_EQ(telling_step(t, WarpMeasure::sectors), 2u);
}

TEST(TellingStep, OfIdleLanesIsTheInstructionWithTheMost) {
  WarpTrace t;
  t.steps = {step(~0u), step(0xff), step(1, 0), step(0x3), step(0x3)};
  EXPECT_EQ(telling_step(t, WarpMeasure::idle), 3u) << "a block barrier is no instruction of lanes";
}

// What is said of the matrix is not seen in a wider load of x.
TEST(TellingStep, OfAnArrayIsTheOneThatItIsAbout) {
  WarpTrace t;
  t.arrays = {{"x"}, {"values"}};
  t.steps = {load(t, 32), load(t, 4), load(t, 8)};
  t.steps[1].array = t.steps[2].array = 1;
  EXPECT_EQ(telling_step(t, WarpMeasure::sectors), 0u);
  EXPECT_EQ(telling_step(t, WarpMeasure::sectors, "values"), 2u);
  EXPECT_EQ(telling_step(t, WarpMeasure::sectors, "columns"), 0u) << "an array that this warp does not ask for";
}

TEST(TellingStep, OfTimeAndOfNothingIsTheFirst) {
  WarpTrace t;
  EXPECT_EQ(telling_step(t, WarpMeasure::sectors), 0u);
  t.steps = {step(~0u), step(1)};
  EXPECT_EQ(telling_step(t, WarpMeasure::time), 0u);
}

// A warp that loads an entry of this row in its second step.
WarpTrace warp_of_row(index_t row) {
  WarpTrace t;
  t.steps = {step(~0u), load(t, 1)};
  t.steps[1].active = 1;
  t.accesses.resize(1);
  t.accesses[0].row = row;
  return t;
}

TEST(BesideAWarp, StandsTheOneOfTheSameRow) {
  WarpWanted worst;
  worst.by = WarpWanted::By::worst, worst.measure = WarpMeasure::time, worst.alone = true, worst.first = 1;
  const WarpWanted beside = beside_of(worst, warp_of_row(41));
  EXPECT_EQ(beside.by, WarpWanted::By::row);
  EXPECT_EQ(beside.row, 41);
  EXPECT_TRUE(beside.alone);
  EXPECT_EQ(beside.first, 1);
  EXPECT_EQ(beside_of(worst, WarpTrace{}), worst) << "it asks for nothing: there is no row";
  WarpWanted entry;
  entry.by = WarpWanted::By::entry, entry.row = 3, entry.column = 4;
  EXPECT_EQ(beside_of(entry, warp_of_row(41)), entry);
}

}  // namespace
}  // namespace warpspy
