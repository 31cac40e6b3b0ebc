#include "profiling/simulated/memory.hpp"

#include <gtest/gtest.h>

#include "traces.hpp"

namespace warpspy {
namespace {

using Fill = std::function<void(simt::WarpTrace&)>;

// One block of one warp on each given SM, `apart` from the next, all at a time; then everything is written back.
struct Counted {
  MemoryCounts counts;
  std::vector<BlockCost> costs;
  std::uint64_t dram_sectors() const {
    std::uint64_t sum = counts.dram_fill_sectors;
    for (const ArrayMisses& a : counts.arrays) sum += a.dram_first + a.dram_again;
    return sum;
  }
};
Counted run(const GpuSpec& gpu, const std::vector<Fill>& per_sm, std::size_t apart = 1) {
  std::vector<BlockStream> streams;
  for (const Fill& fill : per_sm) streams.push_back(coalesce(one_warp(fill), gpu));
  std::vector<std::vector<const BlockStream*>> sms;
  for (const BlockStream& s : streams) sms.resize(sms.size() + apart), sms.back() = {&s};
  MemorySystem memory(gpu, test_arrays());
  Counted c;
  for (const BlockStream& s : streams) c.costs.push_back(memory.cost_of(s));
  memory.l2_and_dram(memory.private_caches(sms, 0), 0, 0, c.costs);
  memory.flush(false);
  c.counts = memory.counts();
  return c;
}

// These blocks on SMs 0, 1, ...
void run(MemorySystem& memory, const std::vector<std::vector<const BlockStream*>>& sms) {
  std::vector<BlockCost> costs(64);
  memory.l2_and_dram(memory.private_caches(sms, 0), 0, 0, costs);
}

// Reads `bytes` from the start of a, 128 bytes per instruction, `times` over.
Fill reads(int bytes, int times) {
  return [=](simt::WarpTrace& w) {
    for (int t = 0; t < times; ++t)
      for (int at = 0; at < bytes; at += 128)
        access(w, a_base, [=](int l) { return static_cast<std::uint64_t>(at + 4 * l); });
  };
}

double from_dram() { return before_volta.dram * small_gpu().dram_latency_ns; }

TEST(Memory, ALineReadAgainHits) {
  const Counted c = run(small_gpu(), {reads(128, 2)});
  EXPECT_EQ(c.counts.l1_lookups, 8u);
  EXPECT_EQ(c.counts.l1_hits, 4u);
  EXPECT_EQ(c.counts.l2_sectors, 4u);
  EXPECT_EQ(c.dram_sectors(), 4u);
  EXPECT_EQ(waited_ns(c.costs.at(0).waits, small_gpu()), from_dram());  // both are on their way together
  EXPECT_EQ(c.costs.at(0).sectors, 8u);
}

// What is on its way together, and what waits for what.
TEST(Memory, AWarpWaitsForTheSlowestOfWhatItAskedForTogether) {
  const auto waits = [](const Fill& fill) {
    return waited_ns(run(small_gpu(), {fill}).costs.at(0).waits, small_gpu());
  };
  const auto line = [](int n) { return [=](int l) { return static_cast<std::uint64_t>(128 * n + 4 * l); }; };
  const double from_l2 = before_volta.cache * small_gpu().l2_latency_ns;
  // Four of an array, not five.
  EXPECT_EQ(waits(reads(4 * 128, 1)), from_dram());
  EXPECT_EQ(waits(reads(5 * 128, 1)), 2 * from_dram());
  // What is stored must have come before anything else is asked for.
  EXPECT_EQ(waits([&](simt::WarpTrace& w) {
              access(w, a_base, line(0));
              access(w, y_base, line(0), simt::Op::store);
              access(w, a_base, line(1));
            }),
            2 * from_dram());
  // Nobody waits for an atomic that is sent off, but for the answer of an exchange.
  EXPECT_EQ(waits([&](simt::WarpTrace& w) { access(w, y_base, line(0), simt::Op::atomic); }), 0);
  EXPECT_EQ(waits([&](simt::WarpTrace& w) {
              access(w, a_base, line(0));
              access(w, y_base, line(0), simt::Op::exchange);
              access(w, y_base, line(0), simt::Op::exchange);
            }),
            2 * from_dram() + from_l2);
  // What comes behind a barrier of the block is asked for when all have come there.
  EXPECT_EQ(waits([&](simt::WarpTrace& w) {
              access(w, a_base, line(0));
              w.barriers = {1};
              access(w, a_base, line(1));
            }),
            2 * from_dram());
}

// A column number that says whether there is an entry comes before the entry, and a loop that was not unrolled has
// nothing of its next round on its way.
TEST(Memory, RoundsOfALoopWaitForEachOther) {
  GpuSpec volta = small_gpu();
  volta.compute_capability = 70;
  const std::vector<simt::ArrayInfo> arrays{{"columns", a_base, 1 << 22, simt::Role::guarding_x_index},
                                            {"y", y_base, 1 << 22, simt::Role::y},
                                            {"values", x_base, 4096, simt::Role::matrix}};
  const auto waits = [&](const GpuSpec& gpu, int loads_in_flight) {
    const BlockStream rounds = coalesce(one_warp([](simt::WarpTrace& w) {
                                          for (int n = 0; n < 3; ++n)
                                            for (const std::uint64_t base : {a_base, x_base})
                                              access(w, base, [=](int l) { return std::uint64_t(128 * n + 4 * l); });
                                        }),
                                        gpu);
    MemorySystem memory(gpu, arrays);
    memory.begin_launch(1, 0, {.loads_in_flight = loads_in_flight, .matrix_in_flight = loads_in_flight});
    std::vector<BlockCost> costs(1);
    memory.l2_and_dram(memory.private_caches(std::vector<std::vector<const BlockStream*>>{{&rounds}}, 0), 0, 0, costs);
    return costs[0].waits;
  };
  EXPECT_EQ(waits(volta, 1), Waits{.dram = 6});
  EXPECT_EQ(waits(volta, 4), Waits{.dram = 4});  // the next number comes with the entry before
  // What older compilers made of loops is not known: the next entry's number comes with the entry.
  EXPECT_EQ(waits(small_gpu(), 1), Waits{.dram = 3});
}

// What waits for what, by what arrays lead to: a warp's loads of these arrays, one 128-byte line after another in each.
Waits waits_of(const std::vector<simt::Role>& order, int lines, const WarpCode& code = {}) {
  GpuSpec gpu = small_gpu();
  gpu.compute_capability = 90;
  std::vector<simt::ArrayInfo> arrays;
  for (std::size_t a = 0; a < order.size(); ++a)
    arrays.push_back({std::to_string(a), a_base + (a << 22), 1 << 22, order[a]});
  const BlockStream stream =
      coalesce(one_warp([&](simt::WarpTrace& w) {
                 for (int n = 0; n < lines; ++n)
                   for (std::size_t a = 0; a < order.size(); ++a) {
                     access(w, a_base + (a << 22), [=](int l) { return std::uint64_t(128 * n + 4 * l); });
                     w.accesses.back().array = static_cast<std::uint16_t>(a);
                   }
               }),
               gpu);
  MemorySystem memory(gpu, arrays);
  memory.begin_launch(1, 0, code);
  std::vector<BlockCost> costs(1);
  memory.l2_and_dram(memory.private_caches(std::vector<std::vector<const BlockStream*>>{{&stream}}, 0), 0, 0, costs);
  return costs[0].waits;
}

TEST(Memory, WhatLeadsToPointersIsWaitedForFirst) {
  using enum simt::Role;
  EXPECT_EQ(waits_of({matrix_index, matrix_index, matrix}, 1), Waits{.dram = 2});
  EXPECT_EQ(waits_of({pointer_index, matrix_index, matrix}, 1), Waits{.dram = 3});
}

// A loop that was unrolled asks for all columns of a round before the first x, where no branch stands between.
TEST(Memory, RoundsWithoutBranchesAskAhead) {
  using enum simt::Role;
  EXPECT_EQ(waits_of({x_index, matrix, x}, 4), Waits{.dram = 8});
  EXPECT_EQ(waits_of({hoisted_x_index, matrix, x}, 4), Waits{.dram = 2});
  EXPECT_EQ(waits_of({hoisted_x_index, matrix, x}, 6), Waits{.dram = 4});
  EXPECT_EQ(waits_of({hoisted_x_index, matrix, x, y}, 4), Waits{.dram = 9}) << "y is asked for behind the sum";
}

// Of values that no register was left for the last comes with x.
TEST(Memory, FewerOfTheMatrixMayBeInFlight) {
  using enum simt::Role;
  EXPECT_EQ(waits_of({guarding_x_index, matrix}, 4, {.loads_in_flight = 4, .matrix_in_flight = 4}), Waits{.dram = 5});
  EXPECT_EQ(waits_of({matrix}, 4, {.loads_in_flight = 4, .matrix_in_flight = 4}), Waits{.dram = 1});
  EXPECT_EQ(waits_of({matrix}, 4, {.loads_in_flight = 4, .matrix_in_flight = 3}), Waits{.dram = 2});
}

// A sample begins with empty caches: what the whole grid would find in L2 nobody waits for DRAM for. Counts stay.
TEST(Memory, OfASampleNobodyWaitsForWhatL2WouldHold) {
  for (const double share : {0.0, 1.0}) {
    const BlockStream one =
        coalesce(one_warp([](simt::WarpTrace& w) { access(w, x_base, [](int l) { return std::uint64_t(128 * l); }); }),
                 small_gpu());
    MemorySystem memory(small_gpu(), test_arrays());
    memory.expect_in_l2({{share, share, share}, {}});
    std::vector<BlockCost> costs(1);
    memory.l2_and_dram(memory.private_caches(std::vector<std::vector<const BlockStream*>>{{&one}}, 0), 0, 0, costs);
    EXPECT_EQ(costs[0].waits, share > 0 ? Waits{.l2 = 1} : Waits{.dram = 1});
    EXPECT_EQ(memory.counts().l2_loads - memory.counts().l2_load_hits, 32u);
  }
}

// What a warp issues takes its time as well, in order.
TEST(Memory, InstructionsAreWaitedFor) {
  const BlockStream two =
      coalesce(one_warp([](simt::WarpTrace& w) { w.warp_steps = 2, w.shared_steps = 1; }), small_gpu());
  MemorySystem memory(small_gpu(), test_arrays());
  memory.begin_launch(1, 0, {.issued = {.once = 2, .each_step = 5}});
  std::vector<BlockCost> costs(1);
  memory.l2_and_dram(memory.private_caches(std::vector<std::vector<const BlockStream*>>{{&two}}, 0), 0, 0, costs);
  EXPECT_EQ(costs[0].waits, Waits{.instructions = 17});
  GpuSpec gpu = small_gpu();
  gpu.compute_capability = 90, gpu.clock_mhz = 2000;
  EXPECT_DOUBLE_EQ(waited_ns(costs[0].waits, gpu), 17 * since_volta.clocks_of_instruction / 2);
}

TEST(Memory, SectorsAreFilledOneByOne) {
  GpuSpec gpu = small_gpu();
  const auto eight_lanes = [](int first) {
    return [=](simt::WarpTrace& w) {
      for (int sector : {first, 0})
        access(w, a_base, [=](int l) { return 32 * sector + 4 * l; }, simt::Op::load, 0xFFu);
    };
  };
  gpu.dram_granule_bytes = 32;
  EXPECT_EQ(run(gpu, {eight_lanes(1)}).counts.l1_hits, 0u);
  EXPECT_EQ(run(gpu, {eight_lanes(1)}).dram_sectors(), 2u);
  // DRAM gives pairs of sectors: the second read finds its sector in L2.
  gpu.dram_granule_bytes = 64;
  EXPECT_EQ(run(gpu, {eight_lanes(1)}).dram_sectors(), 2u);
  EXPECT_EQ(run(gpu, {eight_lanes(1)}).counts.l2_load_hits, 1u);
  EXPECT_EQ(run(gpu, {eight_lanes(2)}).dram_sectors(), 4u);
  // On Fermi a miss brings the whole line into L1.
  gpu.sector_bytes = 128;
  EXPECT_EQ(run(gpu, {eight_lanes(2)}).counts.l1_hits, 1u);
}

// 16 KiB of L1: what fits well hits when read again, twice as much read in a circle does not (least recently used
// goes). Close to the capacity some sets overflow and some do not, as on a GPU.
TEST(Memory, CapacityEvicts) {
  EXPECT_EQ(run(small_gpu(), {reads(12288, 2)}).counts.l1_hits, 384u);
  const std::uint64_t edge = run(small_gpu(), {reads(18432, 2)}).counts.l1_hits;
  EXPECT_GT(edge, 128u);
  EXPECT_LT(edge, 384u);
  EXPECT_EQ(run(small_gpu(), {reads(32768, 2)}).counts.l1_hits, 0u);
  // Both come from L2 the second time.
  EXPECT_EQ(run(small_gpu(), {reads(32768, 2)}).dram_sectors(), 1024u);
  EXPECT_EQ(run(small_gpu(), {reads(32768, 2)}).counts.l2_load_hits, 1024u);
  // 1 MiB of L2: 2 MiB in a circle are read twice.
  EXPECT_EQ(run(small_gpu(), {reads(2 << 20, 2)}).dram_sectors(), 2u * 65536u);
  const MemoryCounts counts = run(small_gpu(), {reads(2 << 20, 2)}).counts;
  EXPECT_EQ(counts.arrays[0].dram_first, 65536u);
  EXPECT_EQ(counts.arrays[0].dram_again, 65536u);
}

TEST(Memory, L2IsSharedL1IsNot) {
  const Counted c = run(small_gpu(), {reads(4096, 1), reads(4096, 1), reads(4096, 1)});
  EXPECT_EQ(c.counts.l1_hits, 0u);
  EXPECT_EQ(c.counts.l2_loads, 3u * 128);
  EXPECT_EQ(c.counts.l2_load_hits, 2u * 128);
  EXPECT_EQ(c.dram_sectors(), 128u);
}

// What every SM reads is held twice, so half of the capacity is left for it. What one SM reads is held once when its
// home is on the SM's side, twice when not: 1.5 times. Homes are hashed, so the edge is not sharp.
TEST(Memory, TwoPartitionsHoldSharedDataTwice) {
  GpuSpec gpu = small_gpu();
  gpu.l1_caches_global = false;
  gpu.l2_partitions = 2;
  gpu.sm_count = 2 * sms_of_a_partition;
  const auto again = [&](int kib, bool shared) {
    const Fill all = reads(kib * 1024, 2);
    const auto half = [=](int which) {
      return [=](simt::WarpTrace& w) {
        for (int t = 0; t < 2; ++t)
          for (int at = 0; at < kib * 512; at += 128)
            access(w, a_base, [=](int l) { return static_cast<std::uint64_t>(which * kib * 512 + at + 4 * l); });
      };
    };
    const auto fills = shared ? std::vector<Fill>{all, all} : std::vector<Fill>{half(0), half(1)};
    const MemoryCounts c = run(gpu, fills, sms_of_a_partition).counts;
    return static_cast<double>(c.arrays[0].dram_again) / static_cast<double>(c.arrays[0].dram_first);
  };
  EXPECT_LT(again(400, true), 0.02);
  EXPECT_GT(again(640, true), 0.5);
  EXPECT_LT(again(480, false), 0.02);
  EXPECT_GT(again(900, false), 0.5);
  gpu.l2_partitions = 1;
  EXPECT_LT(again(800, true), 0.02);
}

TEST(Memory, WholeSectorsAreWrittenWithoutReading) {
  const Fill store = [](simt::WarpTrace& w) { access(w, y_base, [](int l) { return 4 * l; }, simt::Op::store); };
  const Counted c = run(small_gpu(), {store});
  EXPECT_EQ(c.counts.dram_written_bytes, 128u);
  EXPECT_EQ(c.dram_sectors(), 0u);
  EXPECT_EQ(c.counts.l2_sectors, 4u);
  EXPECT_EQ(c.costs.at(0).waits, Waits{});  // nobody waits for a store
}

TEST(Memory, PartlyWrittenSectorsAreFilled) {
  const Fill one_word = [](simt::WarpTrace& w) {
    access(w, y_base, [](int l) { return 64 * l; }, simt::Op::store, 1u);
  };
  const Counted c = run(small_gpu(), {one_word});
  EXPECT_EQ(c.counts.dram_written_bytes, 32u);
  EXPECT_EQ(c.counts.dram_fill_sectors, 1u);
  // Eight warps that complete the sector between them spare the reading.
  const Fill all_words = [](simt::WarpTrace& w) {
    for (int word = 0; word < 8; ++word)
      access(w, y_base, [=](int) { return 4 * static_cast<std::uint64_t>(word); }, simt::Op::store, 1u);
  };
  EXPECT_EQ(run(small_gpu(), {all_words}).counts.dram_fill_sectors, 0u);
  EXPECT_EQ(run(small_gpu(), {all_words}).counts.dram_written_bytes, 32u);
}

TEST(Memory, AtomicsReadOnceAndStayInL2) {
  const Fill add = [](simt::WarpTrace& w) {
    for (int t = 0; t < 3; ++t) access(w, y_base, [](int l) { return 4 * l; }, simt::Op::atomic);
  };
  const Counted c = run(small_gpu(), {add});
  EXPECT_EQ(c.dram_sectors(), 4u);
  EXPECT_EQ(c.counts.dram_written_bytes, 128u);
  EXPECT_EQ(c.counts.l2_sectors, 12u);
  EXPECT_EQ(c.counts.l1_lookups, 0u);
  EXPECT_EQ(c.counts.atomic_turns, 12u);  // a line belongs to one unit
}

// A warp waits for what was there and for each round; those that get through at one element come one after another.
TEST(Memory, CompareAndSwapsWaitAndQueueAtTheirElement) {
  GpuSpec maxwell = small_gpu();
  maxwell.compute_capability = 52;
  const Fill add = [](simt::WarpTrace& w) {
    access(w, y_base, [](int l) { return static_cast<std::uint64_t>(8 * (l / 4)); }, simt::Op::atomic, ~0u, 8);
  };
  const Counted once = run(maxwell, {add}), twice = run(maxwell, {add, add});
  EXPECT_EQ(once.counts.swaps_in_a_row, 4u);
  EXPECT_EQ(twice.counts.swaps_in_a_row, 8u);
  EXPECT_EQ(once.costs.at(0).waits.dram + once.costs.at(0).waits.l2, 5u);
  EXPECT_EQ(run(small_gpu(), {add}).counts.swaps_in_a_row, 0u);
}

// A sample has of L2 what its blocks have of it.
TEST(Memory, ASampleHasItsShareOfL2) {
  const auto missed = [](double share) {
    MemorySystem memory(small_gpu(), test_arrays());  // of 1 MiB
    if (share < 1) memory.begin_sample({share, 1});
    const BlockStream twice = coalesce(one_warp(reads(1 << 18, 2)), small_gpu());
    run(memory, {{&twice}});
    return memory.counts().arrays[0].dram_again;
  };
  EXPECT_EQ(missed(1), 0u);
  EXPECT_EQ(missed(0.5), 0u);
  EXPECT_GT(missed(0.125), 8192u * 8 / 10);  // of 128 KiB in order, all but what a random victim leaves
}

// Units of L2 are even again when all SMs had their turns: one SM alone, as in a sample, does not make them uneven.
TEST(Memory, AtomicsOfOneSmFallEvenlyToTheUnitsOfL2) {
  GpuSpec gpu = small_gpu();
  gpu.sm_count = 132;
  constexpr int turns = 4 * 132, loads = 16;  // in one turn, of four sectors each
  const Fill spread = [](simt::WarpTrace& w) {
    for (int t = 0; t < turns; ++t) {
      for (int n = 0; n < loads; ++n)
        access(w, a_base, [=](int l) { return static_cast<std::uint64_t>(128 * (loads * t + n) + 4 * l); });
      access(w, y_base, [=](int) { return static_cast<std::uint64_t>(128 * t); }, simt::Op::atomic, 1u);
    }
  };
  const std::uint64_t at_the_busiest = run(gpu, {spread}).counts.atomic_turns;
  EXPECT_GE(at_the_busiest, turns / l2_atomic_units);
  EXPECT_LT(at_the_busiest, 30u);
}

// Samples of a few short blocks each: a wave would have many of them before units are even, so that no sample alone
// tells how many turns the busiest has.
TEST(Memory, AtomicsOfSmallSamplesAddUpToAWave) {
  GpuSpec gpu = small_gpu();
  gpu.sm_count = 128;
  constexpr int samples = 64, blocks = 2, lines = 4;
  MemorySystem memory(gpu, test_arrays());
  for (int n = 0; n < samples; ++n) {
    memory.begin_sample({blocks / 128.0, 1});
    std::vector<BlockStream> streams;
    for (int b = 0; b < blocks; ++b)
      streams.push_back(coalesce(
          one_warp([&](simt::WarpTrace& w) {
            for (int t = 0; t < lines; ++t)
              access(
                  w, y_base, [=](int) { return static_cast<std::uint64_t>(128 * (lines * (blocks * n + b) + t)); },
                  simt::Op::atomic, 1u);
          }),
          gpu));
    run(memory, {{&streams[0]}, {&streams[1]}});
    memory.flush(true);
  }
  memory.end_atomics();
  const MemoryCounts& c = memory.counts();
  EXPECT_EQ(c.atomics, std::uint64_t{samples} * blocks * lines);
  EXPECT_EQ(c.atomics_evened, c.atomics);
  // 512 lines over 96 units; each sample by itself would have one turn at least, 64 in all.
  EXPECT_GE(c.atomic_turns, 512u / l2_atomic_units);
  EXPECT_LT(c.atomic_turns, 20u);
}

TEST(Memory, WithoutCachesEverythingIsDram) {
  GpuSpec gt200 = small_gpu();
  gt200.coalesce_lanes = 16;
  gt200.l1_bytes_per_sm = gt200.l2_bytes = 0;
  gt200.l1_caches_global = false;
  gt200.dram_granule_bytes = 32;
  const Counted c = run(gt200, {reads(256, 2)});
  EXPECT_EQ(c.dram_sectors(), 16u);
  EXPECT_EQ(c.counts.l1_lookups, 0u);
  EXPECT_EQ(waited_ns(c.costs.at(0).waits, small_gpu()), from_dram());
  EXPECT_EQ(c.costs.at(0).sectors, 0u);  // they pass no cache of the SM
  // Its texture cache serves loads that ask for it.
  gt200.texture_bytes_per_sm = 8192;
  const Fill textured = [](simt::WarpTrace& w) {
    for (int t = 0; t < 2; ++t)
      access(w, a_base, [](int l) { return 4 * l; }, simt::Op::load, ~0u, 4, simt::CachePolicy::read_only);
  };
  const Counted t = run(gt200, {textured});
  EXPECT_EQ(t.dram_sectors(), 4u);
  EXPECT_EQ(t.counts.l1_hits, 4u);
  EXPECT_EQ(t.costs.at(0).sectors, 8u);  // 64 lanes x 4 bytes
}

// A word each of 512 lines: 32 KiB have room for 1024 lines of 32 bytes, or for 256 of 128.
TEST(Memory, TextureCachesBeforeMaxwellHaveLinesOfASector) {
  constexpr int lines = 512;
  const Fill apart = [](simt::WarpTrace& w) {
    for (int t = 0; t < 2; ++t)
      for (int k = 0; k < lines; k += 16)
        access(
            w, a_base, [=](int l) { return 128 * (k + l % 16); }, simt::Op::load, ~0u, 4, simt::CachePolicy::read_only);
  };
  GpuSpec gpu = small_gpu();
  gpu.texture_bytes_per_sm = 32768;
  gpu.compute_capability = 35;
  const Counted kepler = run(gpu, {apart});
  EXPECT_EQ(kepler.counts.texture_lookups, 2u * lines);
  EXPECT_EQ(kepler.counts.texture_hits, lines);
  EXPECT_EQ(kepler.counts.l2_texture_loads, lines);
  EXPECT_EQ(kepler.counts.l2_requests, 0u) << "sectors are limited by L2's bytes alone";
  // A Fermi's loads bring whole lines; its texture cache does not.
  gpu.compute_capability = 20;
  gpu.sector_bytes = 128;
  EXPECT_EQ(run(gpu, {apart}).counts.l2_texture_loads, lines);
  EXPECT_EQ(run(gpu, {reads(128 * lines, 1)}).counts.l2_requests, lines);
  gpu.compute_capability = 50;
  gpu.sector_bytes = 32;
  const Counted maxwell = run(gpu, {apart});
  EXPECT_LT(maxwell.counts.texture_hits, lines / 2);
  EXPECT_EQ(maxwell.counts.l2_requests, maxwell.counts.l2_texture_loads);
}

TEST(Memory, CheckBitsComeWithEachLineOfDram) {
  GpuSpec gpu = small_gpu();
  gpu.dram_granule_bytes = 32;
  EXPECT_EQ(run(gpu, {reads(1024, 1)}).counts.check_reads, 0u);
  gpu.ecc_in_memory = true;
  // Eight lines, read twice and kept: a sector of check bits for each four of data.
  const Counted copy = run(gpu, {reads(1024, 2)});
  EXPECT_EQ(copy.dram_sectors(), 32u);
  EXPECT_EQ(copy.counts.check_reads, 8u);
  EXPECT_EQ(copy.counts.check_writes, 0u);
  // A line's check bits come with its first sector, and not again with the others.
  const Counted halves = run(gpu, {[](simt::WarpTrace& w) {
                               for (const std::uint32_t half : {0xFFFFu, 0xFFFF0000u})
                                 access(w, a_base, [](int l) { return 4 * l; }, simt::Op::load, half);
                             }});
  EXPECT_EQ(halves.dram_sectors(), 4u);
  EXPECT_EQ(halves.counts.check_reads, 1u);
  // Words far apart: as many sectors of check bits as of data.
  const Counted alone = run(gpu, {[](simt::WarpTrace& w) { access(w, a_base, [](int l) { return 1024 * l; }); }});
  EXPECT_EQ(alone.dram_sectors(), 32u);
  EXPECT_EQ(alone.counts.check_reads, 32u);
  const Counted stored =
      run(gpu, {[](simt::WarpTrace& w) { access(w, y_base, [](int l) { return 4 * l; }, simt::Op::store); }});
  EXPECT_EQ(stored.counts.check_writes, 1u);
  EXPECT_EQ(stored.counts.check_reads, 0u);
  // What is left of partly written sectors is read, with its check bits.
  const Counted partly =
      run(gpu, {[](simt::WarpTrace& w) { access(w, y_base, [](int l) { return 1024 * l; }, simt::Op::store); }});
  EXPECT_EQ(partly.counts.check_writes, 32u);
  EXPECT_EQ(partly.counts.check_reads, 32u);
}

TEST(Memory, SharedMemoryIsTakenFromL1OnVoltaAndLater) {
  GpuSpec gpu = small_gpu();
  gpu.compute_capability = 70;
  gpu.l1_bytes_per_sm = 65536;
  const BlockStream stream = coalesce(one_warp(reads(40960, 2)), gpu);
  const auto hits = [&](int shared) {
    MemorySystem memory(gpu, test_arrays());
    memory.begin_launch(2, shared);
    const std::vector<std::vector<const BlockStream*>> sms = {{&stream}};
    run(memory, sms);
    return memory.counts().l1_hits;
  };
  EXPECT_EQ(hits(0), 1280u);
  EXPECT_EQ(hits(20000), 0u);  // 64 KiB - 40 kB leave about 25 kB
}

// 64 warps whose lanes walk rows of a line each, a sector of it in two steps of four loads. Side by side they would
// push out all 2048 lines before the second step; but only so many are begun as the SM has sectors on their way.
TEST(Memory, YoungWarpsWaitWhereWarpsAskForMuch) {
  GpuSpec gpu = small_gpu();
  gpu.l1_bytes_per_sm = 192 * 1024;
  simt::BlockTrace trace;
  trace.warps.resize(64);
  for (std::size_t w = 0; w < trace.warps.size(); ++w)
    for (std::uint64_t entry = 0; entry < 8; ++entry)
      access(trace.warps[w], a_base, [=](int l) { return (w * 32 + static_cast<std::uint64_t>(l)) * 128 + entry * 4; });
  const BlockStream block = coalesce(trace, gpu);
  MemorySystem memory(gpu, test_arrays());
  const std::vector<std::vector<const BlockStream*>> sms = {{&block}};
  run(memory, sms);
  EXPECT_EQ(memory.counts().l1_lookups, 64u * 32 * 8);
  EXPECT_GT(memory.counts().l1_hits, 64u * 32 * 7 * 0.92);  // in step: 64 x 32 x 6
}

TEST(Memory, WarpsOfAnSmTakeTurns) {
  // Two blocks that read the same lines in step: the second finds each line that the first has just brought.
  const GpuSpec gpu = small_gpu();
  const BlockStream first = coalesce(one_warp(reads(65536, 1)), gpu), second = first;
  MemorySystem memory(gpu, test_arrays());
  const std::vector<std::vector<const BlockStream*>> sms = {{&first, &second}};
  run(memory, sms);
  EXPECT_EQ(memory.counts().l1_hits, 2048u);
}

}  // namespace
}  // namespace warpspy
