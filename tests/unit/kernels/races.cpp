// What the emulator says about planted races, and that it says nothing about their clean twins.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <numeric>
#include <thread>

#include "tests/unit/kernels/simt.hpp"

namespace warpspy::simt {
namespace {

using Code = std::function<void(Thread)>;

// The lines of two planted accesses; set beside the accesses themselves.
int first_line = 0, second_line = 0;
std::string here(int line) { return "races.cpp:" + std::to_string(line); }

// A launch over one writable array `data` of 256 numbers.
struct Racing {
  Bench bench;
  std::vector<int> numbers = std::vector<int>(256, 0);
  Array<int> data;
  explicit Racing(int threads) : bench(threads), data(bench.array("data", numbers)) {}

  // What the blocks end with, run in this order; "" when with nothing.
  Error run(const Code& code, const std::vector<std::int64_t>& blocks = {0}, Additions* later = nullptr) try {
    for (std::int64_t block : blocks)
      run_block(bench.launch, {.number = block, .size = bench.block_size}, code, nullptr, later);
    return Error("");
  } catch (const Error& e) {
    return e;
  }
  std::string reason(const Code& code, const std::vector<std::int64_t>& blocks = {0}) {
    return run(code, blocks).reason;
  }
};

// ---- shared memory
// ---------------------------------------------------------------------------------------------------
TEST(Races, TwoLanesThatWriteOneCell) {
  Racing r(32);
  const Error e = r.run([](Thread t) {
    SIMT_SHARED(int, part, 32);
    first_line = __LINE__, st(part, t.thread / 2 + 5, t.thread);
  });
  EXPECT_EQ(e.reason, "kernel planted: threads 0 and 1 of block 0 race for shared part[5]: thread 0 writes it at " +
                          here(first_line) + ", thread 1 writes it at " + here(first_line) +
                          ", and no barrier stands between them");
  EXPECT_EQ(e.where, here(first_line));
  EXPECT_EQ(e.remedy, "put syncwarp() or sync_block() between them");
}

// What may stand between a write by one thread and a read by another, and whether it orders them.
struct Between {
  const char* name;
  void (*meet)();
  bool orders_warp, orders_block;
};
constexpr Between betweens[] = {
    {"nothing", [] {}, false, false},
    // "do not imply a memory barrier" (CUDA C++ Programming Guide)
    {"shuffle", [] { shfl_xor(1, 1); }, false, false},
    {"ballot", [] { ballot(true); }, false, false},
    {"syncwarp", [] { syncwarp(); }, true, false},
    {"sync_block", [] { sync_block(); }, true, true},
};

// Across the edge of the warp only a barrier of the block is enough.
TEST(Races, WarpsWithThisBetween) {
  for (const Between& between : betweens) {
    Racing r(64);
    const Error e = r.run([&](Thread t) {
      SIMT_SHARED(int, part, 64);
      if (t.thread < 32) first_line = __LINE__, st(part, t.thread, t.thread);
      between.meet();
      if (t.thread >= 32) second_line = __LINE__, ld(part, t.thread % 32);
    });
    EXPECT_EQ(e.reason.empty(), between.orders_block) << between.name << ": " << e.reason;
    if (between.orders_block) continue;
    EXPECT_EQ(e.reason, "kernel planted: threads 0 and 32 of block 0 race for shared part[0]: thread 0 writes it at " +
                            here(first_line) + ", thread 32 reads it at " + here(second_line) +
                            ", and no barrier stands between them");
    EXPECT_EQ(e.where, here(second_line));
    EXPECT_EQ(e.remedy, "put sync_block() between them");
  }
}

TEST(Races, LanesOfOneWarpWithThisBetween) {
  for (const Between& between : betweens) {
    Racing r(32);
    const Error e = r.run([&](Thread t) {
      SIMT_SHARED(int, part, 32);
      first_line = __LINE__, st(part, t.thread, t.thread);
      between.meet();
      second_line = __LINE__, ld(part, t.thread ^ 1);
    });
    EXPECT_EQ(e.reason.empty(), between.orders_warp) << between.name << ": " << e.reason;
    if (between.orders_warp || between.meet == betweens[0].meet) continue;
    EXPECT_EQ(e.reason, "kernel planted: threads 1 and 0 of block 0 race for shared part[1]: thread 1 writes it at " +
                            here(first_line) + ", thread 0 reads it at " + here(second_line) +
                            ", and no barrier stands between them");
    EXPECT_EQ(e.where, here(second_line));
  }
}

// Many read a cell, then one of the readers writes it: the race is with the others.
TEST(Races, AWriteByOneOfTheReaders) {
  for (int readers : {1, 2, 32, 33, 64})
    for (int writer : {0, 1, 31, 32, 63})
      for (int barrier : {0, 1, 2}) {
        if (writer >= readers) continue;
        Racing r(64);
        const Error e = r.run([&](Thread t) {
          SIMT_SHARED(int, part, 1);
          if (t.thread == 0) st(part, 0, 7);
          sync_block();
          if (t.thread < readers) first_line = __LINE__, ld(part, 0);
          if (barrier == 1) syncwarp();
          if (barrier == 2) sync_block();
          shfl_xor(1, 1);  // the others have read when the writer goes on
          if (t.thread == writer) second_line = __LINE__, st(part, 0, 8);
        });
        // Lanes of the other warp read later or earlier without order unless a block barrier stands between.
        const int others_in_warp = std::clamp(readers - writer / 32 * 32, 0, 32) - 1;
        const bool other_warp = readers > 32;
        const bool race = barrier == 0 ? others_in_warp > 0 || other_warp : barrier == 1 && other_warp;
        EXPECT_EQ(!e.reason.empty(), race) << readers << " " << writer << " " << barrier << ": " << e.reason;
        if (!race) continue;
        EXPECT_NE(e.reason.find("reads it at " + here(first_line)), std::string::npos) << e.reason;
        EXPECT_NE(e.reason.find("writes it at " + here(second_line)), std::string::npos) << e.reason;
      }
}

// Atomics do not race with each other; with a load or a store they race like a store.
TEST(Races, AnAtomicInSharedMemoryAndWhatComesAfter) {
  constexpr const char* verbs[] = {"reads", "writes", "adds to"};
  for (int kind : {0, 1, 2})
    for (const Between& between : betweens)
      for (int partner : {1, 32}) {
        Racing r(64);
        const Error e = r.run([&](Thread t) {
          SIMT_SHARED(int, part, 4);
          if (t.thread < 4) st(part, t.thread, 0);
          sync_block();
          if (t.thread == 0) first_line = __LINE__, atomic_add(part, 3, 1);
          between.meet();
          if (t.thread != partner) return;
          if (kind == 0) second_line = __LINE__, ld(part, 3);
          if (kind == 1) second_line = __LINE__, st(part, 3, 7);
          if (kind == 2) second_line = __LINE__, atomic_add(part, 3, 1);
        });
        const bool ordered = partner == 1 ? between.orders_warp : between.orders_block;
        EXPECT_EQ(e.reason.empty(), ordered || kind == 2) << between.name << " " << kind << ": " << e.reason;
        if (e.reason.empty()) continue;
        EXPECT_EQ(e.reason, "kernel planted: threads 0 and " + std::to_string(partner) +
                                " of block 0 race for shared part[3]: thread 0 adds to it at " + here(first_line) +
                                ", thread " + std::to_string(partner) + " " + verbs[kind] + " it at " +
                                here(second_line) + ", and no barrier stands between them");
      }
}

TEST(Races, AnAtomicAfterALoadOrAStoreInSharedMemory) {
  for (bool stores : {false, true})
    for (bool barrier : {false, true}) {
      Racing r(64);
      const Error e = r.run([&](Thread t) {
        SIMT_SHARED(int, part, 1);
        if (t.thread == 0) st(part, 0, 0);
        sync_block();
        if (t.thread == 0) stores ? st(part, 0, 1) : static_cast<void>(ld(part, 0));
        if (barrier) sync_block();
        if (t.thread == 40) atomic_add(part, 0, 1);
      });
      EXPECT_EQ(e.reason.empty(), barrier) << e.reason;
    }
}

// The papers' reduction of a warp in volatile shared memory, as it was before lanes could drift apart.
TEST(Races, AReductionThatReliesOnLockstep) {
  for (bool barriers : {false, true}) {
    Racing r(32);
    const Error e = r.run([&](Thread t) {
      SIMT_SHARED(int, part, 64);
      st(part, t.thread, t.thread), st(part, t.thread + 32, 0);
      for (int s = 16; s > 0; s /= 2) {
        if (barriers) syncwarp();
        const int sum = ld(part, t.thread) + ld(part, t.thread + s);
        if (barriers) syncwarp();
        st(part, t.thread, sum);
      }
      if (t.thread == 0) st(r.data, 0, ld(part, 0));
    });
    EXPECT_EQ(e.reason.empty(), barriers) << e.reason;
    EXPECT_EQ(r.numbers[0], barriers ? 31 * 16 : 0);
  }
}

// A thread that has left has come to every barrier: it blocks nobody, and what it wrote is there.
TEST(Races, ThreadsThatLeftBlockNobody) {
  for (int stay : {1, 20, 32, 50}) {
    Racing r(64);
    EXPECT_EQ(r.reason([&](Thread t) {
      SIMT_SHARED(int, part, 64);
      st(part, t.thread, t.thread + 100);
      if (t.thread >= stay) return;
      sync_block();
      st(r.data, t.thread, ld(part, 63 - t.thread));
    }),
              "");
    for (int i = 0; i < stay; ++i) EXPECT_EQ(r.numbers[i], 163 - i);
  }
}

TEST(Races, AReadOfSharedMemoryThatNobodyWrote) {
  Racing r(32);
  for (int block = 0; block < 2; ++block) {
    const Error e = r.run(
        [](Thread t) {
          SIMT_SHARED(float, part, 32);
          if (t.thread < 31) st(part, t.thread, 1.f);
          sync_block();
          second_line = __LINE__, ld(part, t.thread);
        },
        {block});
    EXPECT_EQ(e.reason, "kernel planted reads shared part[31], which no thread has written (block " +
                            std::to_string(block) + ", thread 31)");
    EXPECT_EQ(e.where, here(second_line));
    // What one block writes the next has not.
    EXPECT_EQ(r.reason([](Thread t) {
      SIMT_SHARED(float, part, 32);
      st(part, t.thread, 1.f);
    }),
              "");
  }
}

TEST(Races, AnAtomicAddsToSharedMemoryThatNobodyWrote) {
  Racing r(32);
  const Error e = r.run([](Thread t) {
    SIMT_SHARED(float, part, 32);
    if (t.thread > 0) st(part, t.thread, 1.f);
    sync_block();
    second_line = __LINE__, atomic_add(part, t.thread, 1.f);
  });
  EXPECT_EQ(e.reason, "kernel planted reads shared part[0], which no thread has written (block 0, thread 0)");
  EXPECT_EQ(e.where, here(second_line));
}

TEST(Races, SharedArraysThatAreNotTheirOwn) {
  Racing r(32);
  EXPECT_EQ(r.reason([](Thread t) {
    if (t.thread % 2) {
      SIMT_SHARED(int, part, 8);
      st(part, 0, ld(part, 0));
    } else {
      SIMT_SHARED(int, part, 1);
      st(part, 0, t.thread);
    }
  }),
            "kernel planted asks for shared part twice, with 1 elements of 4 bytes and with 8 of 4");
  const auto two = [&](std::int64_t second) {
    try {
      run_block(r.bench.launch, {.size = 32, .shared_bytes = 512}, Code([=](Thread t) {
                  SIMT_DYNAMIC_SHARED(int, low, 0, 32);
                  SIMT_DYNAMIC_SHARED(double, high, second, 32);
                  st(low, t.thread, 1), st(high, t.thread, 1);
                }),
                nullptr);
      return std::string();
    } catch (const Error& e) {
      return e.reason;
    }
  };
  EXPECT_EQ(two(128), "");
  EXPECT_EQ(two(120), "kernel planted: shared low (bytes 0 to 128) and high (120 to 376) overlap");
}

// ---- global memory
// ---------------------------------------------------------------------------------------------------
TEST(Races, ThreadsOfABlockInGlobalMemory) {
  for (const Between& between : betweens)
    for (int partner : {1, 32}) {
      Racing r(64);
      const Error e = r.run([&](Thread t) {
        if (t.thread == 0) first_line = __LINE__, st(r.data, 7, 1);
        between.meet();
        if (t.thread == partner) second_line = __LINE__, ld(r.data, 7);
      });
      EXPECT_EQ(e.reason.empty(), partner == 1 ? between.orders_warp : between.orders_block) << between.name;
      if (e.reason.empty()) continue;
      EXPECT_EQ(e.reason, "kernel planted: threads 0 and " + std::to_string(partner) +
                              " of block 0 race for data[7]: thread 0 writes it at " + here(first_line) + ", thread " +
                              std::to_string(partner) + " reads it at " + here(second_line) +
                              ", and no barrier stands between them");
      EXPECT_EQ(e.where, here(second_line));
    }
}

TEST(Races, EveryElementOfAPackIsRead) {
  Racing r(32);
  const Error e = r.run([&](Thread t) {
    if (t.thread == 0) ld_pack<4>(CachePolicy::plain, r.data, 4);
    if (t.thread == 1) st(r.data, 7, 1);
  });
  EXPECT_NE(e.reason.find("race for data[7]: thread 0 reads it"), std::string::npos) << e.reason;
}

// How one thread of each block touches an element. Blocks are never ordered, whatever barriers they pass.
struct Touch {
  const char* verb;
  void (*touch)(const Array<int>&);
};
const Touch touches[] = {
    {"reads", [](const Array<int>& a) { ld(a, 9); }},
    {"writes", [](const Array<int>& a) { st(a, 9, 1); }},
    {"adds to", [](const Array<int>& a) { atomic_add(a, 9, 1); }},
};

TEST(Races, BlocksInAnyOrder) {
  for (const Touch& low : touches)
    for (const Touch& high : touches) {
      const bool clean = &low == &high && low.verb != touches[1].verb;
      std::string texts[2];
      for (const bool backwards : {false, true}) {
        Racing r(64);
        const Error e = r.run(
            [&](Thread t) {
              sync_block();
              if (t.thread == 5 && t.block == 3) low.touch(r.data);
              if (t.thread == 40 && t.block == 8) high.touch(r.data);
              sync_block();
            },
            backwards ? std::vector<std::int64_t>{8, 5, 3} : std::vector<std::int64_t>{3, 5, 8});
        texts[backwards] = e.reason;
        EXPECT_EQ(e.reason.empty(), clean) << e.reason;
        if (clean) continue;
        EXPECT_EQ(e.reason.find("kernel planted: blocks 3 and 8 race for data[9]: thread 5 of block 3 " +
                                std::string(low.verb) + " it at races.cpp:"),
                  0u)
            << e.reason;
        EXPECT_NE(e.reason.find("thread 40 of block 8 " + std::string(high.verb) + " it at races.cpp:"),
                  std::string::npos)
            << e.reason;
        EXPECT_EQ(e.remedy, "let all of them add by atomics, or leave the second access to a later launch");
      }
      EXPECT_EQ(texts[0], texts[1]);
    }
}

TEST(Races, BlocksOnSeveralHostThreads) {
  for (int round = 0; round < 50; ++round) {
    Racing r(32);
    std::atomic<int> errors = 0;
    const auto blocks = [&](int first) {
      for (std::int64_t b = first; b < 64; b += 4)
        errors += !r.run(
                        [&](Thread t) {
                          if (t.thread == 0) st(r.data, t.block % 63, 1);
                        },
                        {b})
                       .reason.empty();
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(blocks, i);
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(errors, 1) << "blocks 0 and 63";
  }
}

TEST(Races, LaunchesAreOrdered) {
  Racing r(32);
  for (int launch : {0, 1, 0, 2})
    for (std::int64_t block : {0, 1})
      EXPECT_NO_THROW(run_block(r.bench.launch, {.number = block, .size = 32, .launch = launch}, Code([&](Thread t) {
                                  if (t.block == launch % 2 && t.thread == 0) st(r.data, 3, ld(r.data, 3) + 1);
                                }),
                                nullptr));
  EXPECT_EQ(r.numbers[3], 4);
}

// A trial changes nothing, in the shadow either.
TEST(Races, ADryRunLeavesNoTrace) {
  Racing r(32);
  Additions never = Additions::dry_run();
  const auto all_write = [&](Thread t) {
    if (t.thread == 0) st(r.data, 1, 1);
  };
  EXPECT_EQ(r.run(all_write, {4}, &never).reason, "");
  EXPECT_EQ(r.run(all_write, {0}).reason, "");
}

// Additions that are put aside until all blocks are done are still done before what their own block does next.
TEST(Races, ABlockSeesWhatItAdded) {
  for (const bool aside : {false, true}) {
    Racing r(64);
    Additions later;
    const Error e = r.run(
        [&](Thread t) {
          atomic_add(r.data, 5, 1);
          atomic_add(r.data, 6, 1);
          sync_block();
          if (t.thread == 33) st(r.data, 7, ld(r.data, 5));
          if (t.thread == 34) st(r.data, 6, 1000);
          sync_block();
          atomic_add(r.data, 6, 1);
          atomic_add(r.data, 8, 1);
        },
        {0}, aside ? &later : nullptr);
    EXPECT_EQ(e.reason, "");
    EXPECT_EQ(r.numbers[8], aside ? 0 : 64);
    later.apply();
    EXPECT_EQ(r.numbers[5], 64);
    EXPECT_EQ(r.numbers[6], 1064);
    EXPECT_EQ(r.numbers[7], 64);
    EXPECT_EQ(r.numbers[8], 64);
  }
}

// ---- any program
// -----------------------------------------------------------------------------------------------------
enum class Kind { load, store, add };
struct Step {
  std::int64_t block;
  int thread, stretch, cell;
  Kind kind;
};
// Stretches between which all threads of a block meet: at betweens[1] to [4].
struct Program {
  std::vector<int> meetings;
  std::vector<Step> steps;

  bool ordered(const Step& a, const Step& b) const {
    if (a.block != b.block) return false;
    if (a.thread == b.thread) return true;
    const auto [low, high] = std::minmax(a.stretch, b.stretch);
    for (int m = low; m < high; ++m) {
      if (betweens[meetings[m]].orders_block) return true;
      if (betweens[meetings[m]].orders_warp && a.thread / 32 == b.thread / 32) return true;
    }
    return false;
  }
  bool races() const {
    for (const Step& a : steps)
      for (const Step& b : steps)
        if (a.cell == b.cell && (a.kind != b.kind || a.kind == Kind::store) && !ordered(a, b)) return true;
    return false;
  }
};

Program some_program(bool shared) {
  Program p;
  const int meetings = *rc::gen::inRange(0, 5);
  for (int m = 0; m < meetings; ++m) p.meetings.push_back(*rc::gen::inRange(1, 5));
  const int steps = *rc::gen::inRange(0, 8);
  for (int s = 0; s < steps; ++s)
    p.steps.push_back({shared ? 0 : *rc::gen::element(0, 0, 0, 1), *rc::gen::element(0, 1, 2, 31, 32, 33, 70),
                       *rc::gen::inRange(0, meetings + 1), *rc::gen::inRange(0, 2),
                       static_cast<Kind>(*rc::gen::inRange(0, 3))});
  return p;
}

RC_GTEST_PROP(Races, InGlobalMemoryAreThoseOfTheDefinition, ()) {
  const Program p = some_program(false);
  Racing r(96);
  const bool backwards = *rc::gen::arbitrary<bool>(), aside = *rc::gen::arbitrary<bool>();
  Additions later;
  const Error e = r.run(
      [&](Thread t) {
        for (int stretch = 0; stretch <= static_cast<int>(p.meetings.size()); ++stretch) {
          if (stretch > 0) betweens[p.meetings[stretch - 1]].meet();
          for (const Step& s : p.steps) {
            if (s.block != t.block || s.thread != t.thread || s.stretch != stretch) continue;
            if (s.kind == Kind::load) ld(r.data, s.cell);
            if (s.kind == Kind::store) st(r.data, s.cell, 1);
            if (s.kind == Kind::add) atomic_add(r.data, s.cell, 1);
          }
        }
      },
      backwards ? std::vector<std::int64_t>{1, 0} : std::vector<std::int64_t>{0, 1}, aside ? &later : nullptr);
  RC_CLASSIFY(p.races(), "races");
  RC_ASSERT(!e.reason.empty() == p.races());
}

RC_GTEST_PROP(Races, InSharedMemoryAreThoseOfTheDefinition, ()) {
  const Program p = some_program(true);
  Racing r(96);
  const Error e = r.run([&](Thread t) {
    SIMT_SHARED(int, part, 2);
    if (t.thread < 2) st(part, t.thread, 0);
    sync_block();
    for (int stretch = 0; stretch <= static_cast<int>(p.meetings.size()); ++stretch) {
      if (stretch > 0) betweens[p.meetings[stretch - 1]].meet();
      for (const Step& s : p.steps) {
        if (s.thread != t.thread || s.stretch != stretch) continue;
        if (s.kind == Kind::load) ld(part, s.cell);
        if (s.kind == Kind::store) st(part, s.cell, 1);
        if (s.kind == Kind::add) atomic_add(part, s.cell, 1);
      }
    }
  });
  RC_CLASSIFY(p.races(), "races");
  RC_ASSERT(!e.reason.empty() == p.races());
}

}  // namespace
}  // namespace warpspy::simt
