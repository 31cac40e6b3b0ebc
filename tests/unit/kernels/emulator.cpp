// The emulator by itself: results of the intrinsics, and what it says about planted faults.
#include "kernels/simt/emulator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <thread>

#include "tests/unit/kernels/simt.hpp"

namespace warpspy::simt {
namespace {

// A kernel from a lambda, so that a planted fault stands beside what is said about it.
template <class F>
struct Planted {
  F f;
  void operator()(Thread t) const { f(t); }
};
template <class F>
Planted(F) -> Planted<F>;

std::string here(int line) { return "emulator.cpp:" + std::to_string(line); }

TEST(Emulator, EveryThreadRunsOnce) {
  std::vector<int> count(256, 0);
  Bench bench(64);
  const auto a = bench.array("count", count);
  for (int block = 0; block < 4; ++block)
    bench.run(Planted{[=](Thread t) { st(a, t.block * 64 + t.thread, ld(a, t.block * 64 + t.thread) + 1); }}, block);
  EXPECT_EQ(count, std::vector<int>(256, 1));
}

TEST(Emulator, ShufflesMoveWordsWithinTheirGroup) {
  for (int width : {1, 2, 4, 8, 16, 32}) {
    std::vector<double> down(32), crossed(32);
    Bench bench;
    const auto d = bench.array("down", down), x = bench.array("crossed", crossed);
    bench.run(Planted{[=](Thread t) {
      st(d, t.thread, shfl_down(100.5 + t.thread, 1, width));
      st(x, t.thread, shfl_xor(100.5 + t.thread, 1, width));
    }});
    for (int lane = 0; lane < 32; ++lane) {
      const bool last = lane % width == width - 1;
      EXPECT_EQ(down[lane], 100.5 + lane + (last ? 0 : 1)) << width;
      EXPECT_EQ(crossed[lane], 100.5 + (width == 1 ? lane : lane ^ 1)) << width;
    }
  }
}

TEST(Emulator, ManyShufflesInARowKeepTheirWordsApart) {
  std::vector<std::int64_t> sum(64);
  Bench bench(64);
  const auto s = bench.array("sum", sum);
  bench.run(Planted{[=](Thread t) {
    std::int64_t v = t.thread;
    for (int d = 16; d > 0; d /= 2) v += shfl_down(v, d);
    st(s, t.thread, v);
  }});
  EXPECT_EQ(sum[0], 31 * 32 / 2);
  EXPECT_EQ(sum[32], 32 * 32 + 31 * 32 / 2);
}

TEST(Emulator, BallotCountsOnlyLanesThatStayed) {
  std::vector<std::uint32_t> votes(32, 0);
  Bench bench;
  const auto v = bench.array("votes", votes);
  bench.run(Planted{[=](Thread t) {
    if (t.thread >= 24) return;
    st(v, t.thread, ballot(t.thread % 2 == 0));
  }});
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(votes[lane], lane < 24 ? 0x555555u : 0u);
}

// Code that awaits the launch before itself.
template <class Body>
struct Overlapping {
  static constexpr bool awaits_previous = true;
  Body body;
  void operator()(Thread t) const { body(t); }
};
template <class Body>
Overlapping(Body) -> Overlapping<Body>;

// Where launches overlap, the one before may still read y and scratch, and write what is x now.
TEST(Emulator, ALaunchTouchesNoVectorBeforeItHasAwaitedTheOneBefore) {
  std::vector<double> data(64, 1.0), result(64);
  Bench bench(64);
  const auto values = bench.array("values", data, Role::matrix), x = bench.array("x", data, Role::x),
             y = bench.array("y", result, Role::y), parts = bench.array("parts", result, Role::scratch);
  // The same with and without a trace, and where blocks only try.
  const auto reason = [&](const auto& kernel) -> std::string {
    std::vector<std::string> reasons;
    for (const bool traced : {true, false})
      for (const bool dry : {true, false}) {
        BlockTrace trace;
        Additions never = Additions::dry_run();
        reasons.emplace_back();
        try {
          run_block(bench.launch, {0, bench.block_size}, kernel, traced ? &trace : nullptr, dry ? &never : nullptr);
        } catch (const Error& e) {
          reasons.back() = e.reason;
          EXPECT_EQ(e.where.find("emulator.cpp:"), 0u) << e.where;
        }
        EXPECT_EQ(reasons.back(), reasons.front());
      }
    return reasons.front();
  };
  const auto too_early = [](const char* array, int thread = 0) {
    return std::string("kernel planted touches ") + array +
           " before it has awaited the launch before, which may not have ended (block 0, thread " +
           std::to_string(thread) + ")";
  };
  EXPECT_EQ(reason(Overlapping{[=](Thread t) {
              PreviousLaunch previous;
              const double value = shfl(ld(values, t.thread), 1);
              previous.await();
              sync_block();  // behind which every lane still knows
              st(y, t.thread, value * ld(x, t.thread));
              previous.await();  // a second time it says nothing
            }}),
            "");
  EXPECT_EQ(reason(Overlapping{[=](Thread t) {
              PreviousLaunch previous;
              const double near = ld(x, t.thread);
              previous.await();
              st(y, t.thread, near);
            }}),
            too_early("x"));
  // One that never awaits.
  EXPECT_EQ(reason(Overlapping{[=](Thread t) { st(y, t.thread, ld(values, t.thread)); }}), too_early("y"));
  // One that touches, meets the other lanes, and then awaits.
  for (void (*meet)() : {+[] { shfl(1, 0); }, +[] { syncwarp(); }, +[] { sync_block(); }}) {
    EXPECT_EQ(reason(Overlapping{[=](Thread t) {
                PreviousLaunch previous;
                const double near = ld(x, t.thread);
                meet();
                previous.await();
                st(y, t.thread, near);
              }}),
              too_early("x"));
    // One lane that awaits does not do it for the others, of its warp or of another.
    EXPECT_EQ(reason(Overlapping{[=](Thread t) {
                PreviousLaunch previous;
                if (t.thread != 40) previous.await();
                meet();
                ld(x, t.thread);
              }}),
              too_early("x", 40));
  }
  // What the launch before leaves in scratch.
  EXPECT_EQ(reason(Overlapping{[=](Thread t) {
              PreviousLaunch previous;
              const double part = ld(parts, t.thread);
              previous.await();
              st(y, t.thread, part);
            }}),
            too_early("parts"));
  EXPECT_EQ(reason(Overlapping{[=](Thread t) {
              PreviousLaunch previous;
              atomic_add(parts, t.thread, 1);
              previous.await();
            }}),
            too_early("parts"));
  // Code that does not say that it awaits: it begins when the launch before has ended.
  EXPECT_EQ(reason(Planted{[=](Thread t) { st(y, t.thread, ld(x, t.thread)); }}), "");
}

TEST(Emulator, ABlockAddsUpThroughSharedMemory) {
  std::vector<int> out(1);
  Bench bench(256);
  const auto o = bench.array("out", out);
  bench.run(Planted{[=](Thread t) {
    SIMT_SHARED(int, part, 256);
    st(part, t.thread, t.thread);
    sync_block();
    for (int s = 128; s > 0; s /= 2) {
      if (t.thread < s) st(part, t.thread, ld(part, t.thread) + ld(part, t.thread + s));
      sync_block();
    }
    if (t.thread == 0) st(o, 0, ld(part, 0));
  }});
  EXPECT_EQ(out[0], 255 * 128);
}

// Sums in shared memory are there after the barrier, whoever wants to do the additions to global memory.
TEST(Emulator, AtomicsInSharedMemoryAreDoneAtOnce) {
  for (bool aside : {false, true}) {
    std::vector<double> out(3, 0);
    Bench bench(96);
    const auto o = bench.array("out", out);
    Additions later;
    run_block(bench.launch, {0, bench.block_size}, Planted{[=](Thread t) {
                SIMT_SHARED(double, sums, 3);
                if (t.thread < 3) st(sums, t.thread, 0.5);
                sync_block();
                atomic_add(sums, t.thread % 3, t.thread);
                sync_block();
                if (t.thread < 3) atomic_add(o, t.thread, ld(sums, t.thread));
              }},
              nullptr, aside ? &later : nullptr);
    EXPECT_EQ(out[0], aside ? 0 : 0.5 + 3 * 496);
    later.apply();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], 0.5 + 3 * 496 + 32 * i) << i;
  }
}

// Blocks bring a part each. Whoever comes when, the sum is the same, it is stored once, the slots are empty again, and
// the trace is that of the last part coming last. Twice, since the second product begins with what the first one left.
TEST(Emulator, TheLastOfAllPartsHasTheirSum) {
  constexpr double nobody = std::bit_cast<double>(~std::uint64_t{0});
  for (const int parts : {2, 3, 4, 5}) {
    std::vector<int> order(static_cast<std::size_t>(parts));
    std::iota(order.begin(), order.end(), 0);
    do {
      std::vector<double> slots(static_cast<std::size_t>(parts), nobody), out(1, -1);
      std::vector<std::int32_t> counters(1, -1);
      Bench bench;
      const auto s = bench.array("slots", slots), o = bench.array("out", out);
      const auto c = bench.array("counters", counters);
      for (int product = 0; product < 2; ++product) {
        out[0] = -1;
        std::vector<std::size_t> accesses(order.size());
        std::vector<std::uint64_t> steps(order.size());
        for (const int block : order) {
          const BlockTrace trace =
              bench.run(Planted{[=](Thread t) {
                          double sum = t.thread == 0 ? 1.5 * static_cast<double>(1 << t.block) : -7;
                          if (!last_of_all(s, c, 0, static_cast<int>(t.block), parts, sum, t.thread)) return;
                          if (t.thread == 0) st(o, 0, sum);
                        }},
                        block);
          accesses[static_cast<std::size_t>(block)] = trace.warps[0].accesses.size();
          steps[static_cast<std::size_t>(block)] = trace.warps[0].warp_steps;
        }
        EXPECT_EQ(out[0], 1.5 * ((1 << parts) - 1));
        for (const double slot : slots) EXPECT_EQ(std::bit_cast<std::uint64_t>(slot), ~std::uint64_t{0});
        // One exchange where there are two; else a part and the counter. The last takes all, and stores.
        std::vector<std::size_t> wanted(order.size(), parts == 2 ? 1 : 2);
        wanted.back() += 2;
        EXPECT_EQ(accesses, wanted);
        for (std::size_t k = 0; k + 1 < steps.size(); ++k) EXPECT_EQ(steps[k], steps[0]);
        EXPECT_EQ(steps.back(), steps[0] + (parts == 2 ? 2 : 7));
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

// More parts than lanes, brought by the blocks of one launch from end to end and back: the sum has them all.
TEST(Emulator, AsManyPartsAsMeetAtOnceAreAddedUp) {
  std::vector<float> slots(most_parts, std::bit_cast<float>(~std::uint32_t{0})), out(1, -1);
  std::vector<std::int32_t> counters(1, -1);
  Bench bench;
  const auto s = bench.array("slots", slots), o = bench.array("out", out);
  const auto c = bench.array("counters", counters);
  for (int k = 0; k < most_parts; ++k)
    bench.run(Planted{[=](Thread t) {
                float sum = static_cast<float>(t.block + 1);
                if (last_of_all(s, c, 0, static_cast<int>(t.block), most_parts, sum, t.thread) && t.thread == 0)
                  st(o, 0, sum);
              }},
              most_parts - 1 - k);
  EXPECT_EQ(out[0], most_parts * (most_parts + 1) / 2);
}

// A sum that is no number is one to whoever comes last too, and leaves the slots empty.
TEST(Emulator, ANanMeetsLikeAnyOtherSum) {
  for (const int parts : {2, 3}) {
    const float nobody = std::bit_cast<float>(~std::uint32_t{0});
    std::vector<float> slots(static_cast<std::size_t>(parts), nobody), out(1, 0);
    std::vector<std::int32_t> counters(1, -1);
    Bench bench;
    const auto s = bench.array("slots", slots), o = bench.array("out", out);
    const auto c = bench.array("counters", counters);
    for (int block = 0; block < parts; ++block)
      bench.run(Planted{[=](Thread t) {
                  float sum = nobody;
                  if (last_of_all(s, c, 0, static_cast<int>(t.block), parts, sum, t.thread) && t.thread == 0)
                    st(o, 0, sum);
                }},
                block);
    EXPECT_TRUE(std::isnan(out[0]));
    for (const float slot : slots) EXPECT_EQ(std::bit_cast<std::uint32_t>(slot), ~std::uint32_t{0});
  }
}

TEST(Emulator, PacksOfSharedMemoryAreTheirElements) {
  std::vector<float> out(32);
  Bench bench;
  const auto o = bench.array("out", out);
  bench.run(Planted{[=](Thread t) {
    SIMT_SHARED(float, all, 32);
    if (t.thread < 8) st_pack(all, 4 * t.thread, Pack<float, 4>{{0.5F, 1.5F, 2.5F, static_cast<float>(t.thread)}});
    syncwarp();
    st(o, t.thread, ld_pack<2>(all, t.thread / 2 * 2).v[t.thread % 2]);
  }});
  for (int i = 0; i < 32; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i % 4 == 3 ? i / 4 : 0.5 + i % 4) << i;
}

TEST(Emulator, APartGoesOnAloneBehindTheFirstBarrier) {
  std::vector<int> out(128, -1);
  Bench bench(128);
  const auto o = bench.array("out", out);
  const auto code = Planted{[=](Thread t) {
    SIMT_SHARED(int, all, 128);
    st(all, t.thread, t.thread);
    sync_block();
    st(o, t.thread, ld(all, 127 - t.thread));
  }};
  BlockTrace trace;
  EXPECT_TRUE(run_block(bench.launch, {.size = 128, .warps = {1, 2}}, code, &trace));
  for (int i = 0; i < 128; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i >= 32 && i < 96 ? 127 - i : -1) << i;
  ASSERT_EQ(trace.warps.size(), 4u);
  for (const std::size_t w : {0, 1, 2, 3}) EXPECT_EQ(trace.warps[w].accesses.size(), w == 1 || w == 2 ? 1u : 0u) << w;
}

TEST(Emulator, APartEndsAtTheSecondBarrier) {
  std::vector<int> out(96, -1);
  Bench bench(96);
  const auto o = bench.array("out", out);
  const auto code = Planted{[=](Thread t) {
    SIMT_SHARED(int, all, 96);
    st(all, t.thread, 0);
    sync_block();
    st(all, t.thread, t.thread);
    sync_block();
    st(o, t.thread, ld(all, 95 - t.thread));
  }};
  EXPECT_FALSE(run_block(bench.launch, {.size = 96, .warps = {0, 1}}, code, nullptr));
  EXPECT_EQ(std::count(out.begin(), out.end(), -1), 96);
  EXPECT_TRUE(run_block(bench.launch, {.size = 96}, code, nullptr));  // and its stacks are free again
  for (int i = 0; i < 96; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], 95 - i);
}

TEST(Emulator, NamesAnAtomicOutsideSharedMemory) {
  Bench bench(32);
  const Error e = bench.error_of(Planted{[](Thread t) {
    SIMT_SHARED(float, part, 31);
    atomic_add(part, t.thread + 31, 1.f);
  }});
  EXPECT_EQ(e.reason, "kernel planted adds to shared part[31], outside its 31 elements (block 0, thread 0)");
}

TEST(Emulator, AtomicsFromSeveralHostThreadsLoseNothing) {
  std::vector<double> sum(1, 0);
  Bench bench(128);
  const auto s = bench.array("sum", sum);
  const auto blocks = [&](int first) {
    for (int b = first; b < 40; b += 2)
      run_block(bench.launch, {b, bench.block_size}, Planted{[=](Thread) { atomic_add(s, 0, 1.0); }}, nullptr);
  };
  std::thread other(blocks, 1);
  blocks(0);
  other.join();
  EXPECT_EQ(sum[0], 40 * 128);
}

TEST(Emulator, NamesAnAccessOutsideAnArray) {
  std::vector<float> data(12);
  Bench bench;
  const auto values = bench.array("values", data);
  const int line = __LINE__ + 1;
  const Error e = bench.error_of(Planted{[=](Thread t) { ld(values, t.thread + 1); }});
  EXPECT_EQ(e.where, here(line));
  EXPECT_EQ(e.reason, "kernel planted reads values[12], outside its 12 elements (block 0, thread 11)");
  const Error below = bench.error_of(Planted{[=](Thread t) { st(values, t.thread - 1, 0.f); }});
  EXPECT_EQ(below.reason, "kernel planted writes values[-1], outside its 12 elements (block 0, thread 0)");
}

TEST(Emulator, NamesAnAccessOutsideSharedMemory) {
  Bench bench;
  const Error e = bench.error_of(Planted{[=](Thread t) {
    SIMT_SHARED(int, part, 16);
    st(part, t.thread, 0);
  }});
  EXPECT_EQ(e.reason, "kernel planted writes shared part[16], outside its 16 elements (block 0, thread 16)");
}

TEST(Emulator, NamesAShuffleThatSomeLanesNeverReach) {
  Bench bench;
  const int line = __LINE__ + 2;
  const Error e = bench.error_of(Planted{[=](Thread t) {
    if (t.thread < 16) shfl_down(1, 1);
    syncwarp();
  }});
  EXPECT_EQ(e.where, here(line));
  EXPECT_NE(e.reason.find("kernel planted"), std::string::npos);
  EXPECT_NE(e.reason.find("shuffle that lane 16 never reaches"), std::string::npos) << e.reason;
  EXPECT_NE(e.reason.find(here(line + 1)), std::string::npos) << e.reason;
}

TEST(Emulator, NamesABlockBarrierThatSomeLanesNeverReach) {
  Bench bench(64);
  const int line = __LINE__ + 2;
  const Error e = bench.error_of(Planted{[=](Thread t) {
    if (t.thread < 40) sync_block();
    shfl_down(1, 1);
  }});
  EXPECT_EQ(e.where, here(line));
  EXPECT_NE(e.reason.find("block barrier"), std::string::npos) << e.reason;
}

TEST(Emulator, NamesWarpsThatWaitAtDifferentBarriers) {
  Bench bench(64);
  const int line = __LINE__ + 3;
  const Error e = bench.error_of(Planted{[=](Thread t) {
    if (t.thread < 32)
      sync_block();
    else
      sync_block();
  }});
  EXPECT_EQ(e.where, here(line));
  EXPECT_NE(e.reason.find("warp 1"), std::string::npos) << e.reason;
}

TEST(Emulator, NamesAShuffleFromALaneThatLeft) {
  Bench bench;
  const int line = __LINE__ + 3;
  const Error e = bench.error_of(Planted{[=](Thread t) {
    if (t.thread == 9) return;
    shfl_down(1, 1);
  }});
  EXPECT_EQ(e.where, here(line));
  EXPECT_NE(e.reason.find("from lane 9, which has left the kernel"), std::string::npos) << e.reason;
}

TEST(Emulator, WorksAgainAfterAnError) {
  std::vector<int> out(64, 0);
  Bench bench(64);
  const auto o = bench.array("out", out);
  for (int i = 0; i < 3; ++i) {
    bench.error_of(Planted{[=](Thread t) {
      sync_block();
      shfl_xor(1, 1);
      if (t.thread == 50) ld(o, 64);
      sync_block();
    }});
    bench.run(Planted{[=](Thread t) {
      sync_block();
      st(o, t.thread, ld(o, t.thread) + shfl_xor(1, 1));
    }});
  }
  EXPECT_EQ(out, std::vector<int>(64, 3));
}

TEST(Emulator, ABlockNeedNotFillItsLastWarp) {
  std::vector<int> out(40, 0);
  Bench bench(40);
  const auto o = bench.array("out", out);
  const BlockTrace trace = bench.run(Planted{[=](Thread t) {
    sync_block();
    st(o, t.thread, shfl_xor(t.thread, 1));
  }});
  for (int i = 0; i < 40; ++i) EXPECT_EQ(out[i], i ^ 1);
  ASSERT_EQ(trace.warps.size(), 2u);
  EXPECT_EQ(trace.warps[1].accesses.at(0).active, 0xffu);
}

}  // namespace
}  // namespace warpspy::simt
