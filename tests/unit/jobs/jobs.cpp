#include "core/jobs/jobs.hpp"

#include <gtest/gtest.h>

#ifdef __linux__
#include <sched.h>
#include <sys/resource.h>
#endif

#include <algorithm>
#include <atomic>
#include <fstream>
#include <latch>
#include <new>
#include <optional>
#include <semaphore>
#include <utility>

#include "core/jobs/parallel.hpp"

using namespace warpspy;

namespace {
// Drains until `done` holds; the jobs under test always end, so no time limit decides the outcome.
template <class P>
void drain_until(Mailbox& mail, P done) {
  while (!done()) {
    if (mail.drain() == 0) std::this_thread::yield();
  }
}

TEST(Jobs, ResultArrivesOnTheDrainingThread) {
  Mailbox mail;
  Workers workers(mail, 2);
  int got = 0;
  std::thread::id worker, owner;
  workers.submit(
      JobQueue::load, "add",
      [&](Progress&) {
        worker = std::this_thread::get_id();
        return 41 + 1;
      },
      [&](int v) {
        got = v;
        owner = std::this_thread::get_id();
      });
  drain_until(mail, [&] { return got != 0; });
  EXPECT_EQ(got, 42);
  EXPECT_EQ(owner, std::this_thread::get_id());
  EXPECT_NE(worker, owner);
}

TEST(Jobs, GpuLaneNeverOverlaps) {
  Mailbox mail;
  Workers workers(mail, 4);
  std::atomic<int> inside{0}, most{0};
  int finished = 0;
  for (int k = 0; k < 40; ++k)
    workers.submit(
        JobQueue::gpu, "run",
        [&](Progress&) {
          most = std::max(most.load(), ++inside);
          std::this_thread::yield();
          --inside;
        },
        [&] { ++finished; });
  drain_until(mail, [&] { return finished == 40; });
  EXPECT_EQ(most, 1);
}

TEST(Jobs, LaneKeepsOrder) {
  Mailbox mail;
  Workers workers(mail, 4);
  std::vector<int> order;
  for (int k = 0; k < 25; ++k)
    workers.submit(JobQueue::gpu, "run", [k](Progress&) { return k; }, [&](int v) { order.push_back(v); });
  drain_until(mail, [&] { return order.size() == 25; });
  for (int k = 0; k < 25; ++k) EXPECT_EQ(order[k], k);
}

TEST(Jobs, LanesDoNotBlockEachOther) {
  Mailbox mail;
  Workers workers(mail, 2);
  std::binary_semaphore hold(0);
  bool tile = false, run = false;
  workers.submit(JobQueue::gpu, "long", [&](Progress&) { hold.acquire(); }, [&] { run = true; });
  workers.submit(JobQueue::tiles, "short", [](Progress&) {}, [&] { tile = true; });
  drain_until(mail, [&] { return tile; });
  EXPECT_FALSE(run);
  EXPECT_EQ(workers.pending().size(), 1u);
  hold.release();
  drain_until(mail, [&] { return run; });
}

TEST(Jobs, ErrorBecomesAFailureWithItsParts) {
  Mailbox mail;
  Workers workers(mail, 1);
  std::optional<Failure> seen;
  workers.submit(
      JobQueue::load, "read",
      [](Progress&) -> int { throw Error("too few entries", "a.mtx:7", "add the missing ones"); },
      [](int) { FAIL() << "done must not run"; }, [&](const Failure& f) { seen = f; });
  drain_until(mail, [&] { return seen.has_value(); });
  EXPECT_EQ(seen->reason, "too few entries");
  EXPECT_EQ(seen->where, "a.mtx:7");
  EXPECT_EQ(seen->remedy, "add the missing ones");
}

TEST(Jobs, ForeignExceptionsAreSaidToo) {
  Mailbox mail;
  Workers workers(mail, 1);
  std::vector<std::string> said;
  const auto note = [&](const Failure& f) { said.push_back(f.one_line()); };
  workers.submit(JobQueue::load, "a", [](Progress&) { throw std::runtime_error("odd"); }, [] {}, note);
  workers.submit(JobQueue::load, "b", [](Progress&) { throw std::bad_alloc(); }, [] {}, note);
  workers.submit(JobQueue::load, "c", [](Progress&) { throw 7; }, [] {}, note);
  drain_until(mail, [&] { return said.size() == 3; });
  EXPECT_EQ(said[0], "odd");
  EXPECT_NE(said[1].find("memory"), std::string::npos);
  EXPECT_FALSE(said[2].empty());
}

TEST(Jobs, CancelIsQuiet) {
  Mailbox mail;
  Workers workers(mail, 1);
  std::latch started(1);
  bool cancelled = false;
  auto job = workers.submit(
      JobQueue::gpu, "endless",
      [&](Progress& p) {
        started.count_down();
        for (;;) p.check();
      },
      [] { FAIL(); }, [](const Failure&) { FAIL() << "a cancelled job is not a failure"; }, [&] { cancelled = true; });
  started.wait();
  job->cancel();
  drain_until(mail, [&] { return cancelled; });
  EXPECT_TRUE(cancelled);
}

TEST(Jobs, QueuedJobCanBeCancelledBeforeItStarts) {
  Mailbox mail;
  Workers workers(mail, 2);
  std::binary_semaphore hold(0);
  bool first = false, gone = false;
  workers.submit(JobQueue::gpu, "first", [&](Progress&) { hold.acquire(); }, [&] { first = true; });
  auto second = workers.submit(
      JobQueue::gpu, "second", [](Progress&) { ADD_FAILURE() << "ran"; }, [] {}, {}, [&] { gone = true; });
  EXPECT_EQ(second->status(), JobStatus::queued);
  second->cancel();
  hold.release();
  drain_until(mail, [&] { return first && gone; });
}

TEST(Jobs, DestructionCancelsAndWaits) {
  Mailbox mail;
  std::atomic<bool> left{false};
  std::latch started(1);
  {
    Workers workers(mail, 1);
    workers.submit(
        JobQueue::load, "endless",
        [&](Progress& p) {
          started.count_down();
          try {
            for (;;) p.check();
          } catch (...) {
            left = true;
            throw;
          }
        },
        [] {});
    started.wait();
  }
  EXPECT_TRUE(left);
}

TEST(Jobs, EveryPostWakes) {
  Mailbox mail;
  std::atomic<int> wakes{0};
  mail.on_post([&] { ++wakes; });
  int finished = 0;
  {
    Workers workers(mail, 2);
    for (int k = 0; k < 10; ++k) workers.submit(JobQueue::tiles, "t", [](Progress&) {}, [&] { ++finished; });
    drain_until(mail, [&] { return finished == 10; });
  }  // a letter can be read before its wake was called: only the workers' end says that all were
  EXPECT_EQ(wakes, 10);
}

TEST(Jobs, EtaOnlyWhenKnown) {
  Job job(1, "x", JobQueue::load);
  EXPECT_FALSE(job.eta_s().has_value());
  job.progress.set(0.5);
  EXPECT_FALSE(job.eta_s().has_value()) << "has not started";
  EXPECT_EQ(job.elapsed_s(), 0);
}

TEST(Mailbox, LettersPostedWhileDrainingWait) {
  Mailbox mail;
  int n = 0;
  mail.post([&] {
    ++n;
    mail.post([&] { ++n; });
  });
  EXPECT_EQ(mail.drain(), 1u);
  EXPECT_EQ(n, 1);
  EXPECT_EQ(mail.drain(), 1u);
  EXPECT_EQ(n, 2);
}

TEST(Generation, OnlyTheLatestIsCurrent) {
  Generation g;
  const auto first = g.next();
  EXPECT_TRUE(g.is_current(first));
  const auto second = g.next();
  EXPECT_FALSE(g.is_current(first));
  EXPECT_TRUE(g.is_current(second));
}

#ifdef __linux__
TEST(Workers, LetTheThreadThatDrawsGoFirst) {
  Mailbox mail;
  Workers workers(mail, 1);
  const int own = getpriority(PRIO_PROCESS, 0);
  constexpr int kMost = 19;
  std::optional<int> nice;
  workers.submit(
      JobQueue::tiles, "how nice", [](Progress&) { return getpriority(PRIO_PROCESS, 0); }, [&](int n) { nice = n; });
  drain_until(mail, [&] { return nice.has_value(); });
  EXPECT_EQ(*nice, std::min(own + 10, kMost));
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), own);
}

TEST(Workers, TakeIdleProcessorsOnlyWhereSessionsShareThem) {
  Mailbox mail;
  Workers workers(mail, 1, take_idle_processors);
  const int own = getpriority(PRIO_PROCESS, 0), own_policy = sched_getscheduler(0);
  std::optional<std::pair<int, int>> found;
  workers.submit(
      JobQueue::tiles, "how idle",
      [](Progress&) { return std::pair(sched_getscheduler(0), getpriority(PRIO_PROCESS, 0)); },
      [&](std::pair<int, int> p) { found = p; });
  drain_until(mail, [&] { return found.has_value(); });
  std::ifstream file("/proc/sys/kernel/sched_autogroup_enabled");
  int shared = 0;
  file >> shared;
  if (shared == 1) {
    EXPECT_EQ(found->first, SCHED_IDLE);
  } else {
    EXPECT_EQ(found->second, std::min(own + 10, 19));
  }
  EXPECT_EQ(sched_getscheduler(0), own_policy);
}
#endif

// Every part once, however many there are; things dealt out in order and evenly.
TEST(Parallel, EveryPartIsDoneOnce) {
  for (const std::size_t parts : {0, 1, 3, 64}) {
    std::vector<std::atomic<int>> done(parts);
    in_parallel(parts, [&](std::size_t part) { ++done[part]; });
    for (const auto& d : done) EXPECT_EQ(d, 1);
    for (const std::size_t count : {std::size_t{0}, std::size_t{2}, std::size_t{1000}, SIZE_MAX / 2}) {
      if (parts == 0) continue;
      EXPECT_EQ(part_begin(count, 0, parts), 0u);
      EXPECT_EQ(part_begin(count, parts, parts), count);
      for (std::size_t p = 0; p < parts; ++p) {
        const std::size_t has = part_begin(count, p + 1, parts) - part_begin(count, p, parts);
        EXPECT_GE(has, count / parts);
        EXPECT_LE(has, count / parts + 1);
      }
    }
  }
  EXPECT_THROW(in_parallel(3,
                           [](std::size_t part) {
                             if (part == 1) throw Error("one part fails");
                           }),
               Error);
}

}  // namespace
