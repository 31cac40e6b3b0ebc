// An engine in another process: the same answers as in this one, and a reason for whatever happens to it.
#include "profiling/remote/remote_engine.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <random>
#include <thread>
#include <utility>

#include "profiling/engine/engine.hpp"
#include "profiling/engine/search_plan.hpp"
#include "profiling/remote/parts.hpp"
#include "tests/unit/remote/support.hpp"

namespace warpspy {
namespace {

using namespace std::chrono_literals;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// What two runs of one request have in common: all but time of day and what this machine took.
std::string told(RunRecord r) {
  r.id = 0;
  r.started.clear();
  std::erase_if(r.details, [](const Detail& d) { return d.quantity.provenance != Provenance::modelled; });
  return to_json(r);
}

// Waits until it holds: nothing here depends on how long that takes.
template <class Holds>
void await(Holds&& holds) {
  while (!holds()) std::this_thread::sleep_for(1ms);
}

TEST(RemoteEngine, AnswersAsTheOneOfThisProcess) {
  const auto own = make_engine(assets());
  const auto other = make_remote_engine(honest(), quick());
  Progress progress;
  for (const char* source : {"laplace5?nx=40&ny=40", "fem_quad?nx=9&ny=8"}) {
    const Matrix m = made(source);
    for (const char* kernel : {"csr_vector", "ell", "csr_scalar"}) {
      const RunRequest r = modelled(kernel);
      EXPECT_EQ(told(other->run(r, m, progress)), told(own->run(r, m, progress))) << kernel << " " << source;
    }
  }
}

TEST(RemoteEngine, TellsWhatFailedAndWhy) {
  const auto own = make_engine(assets());
  const auto other = make_remote_engine(honest(), quick());
  Progress progress;
  const Matrix m = made("laplace5?nx=9");
  RunRequest unknown = modelled("no_such_kernel"), range = modelled();
  range.params["coop"] = 3;
  for (const RunRequest& r : {unknown, range}) {
    const RunRecord failed = other->run(r, m, progress);
    EXPECT_EQ(failed.status, RunStatus::failed);
    EXPECT_EQ(failed.error, own->run(r, m, progress).error);
  }
  EXPECT_EQ(other->run(modelled(), {}, progress).error, own->run(modelled(), {}, progress).error);
}

TEST(RemoteEngine, SearchesAsTheOneOfThisProcess) {
  const auto own = make_engine(assets());
  const auto other = make_remote_engine(honest(), quick());
  const Catalog catalog = make_catalog(assets());
  const Matrix m = made("laplace5?nx=30&ny=30");
  const TuneRequest request{modelled(), {"fixed_rule", "run_time"}, 50};
  const auto searched = [&](Engine& engine) {
    Progress progress;
    Executor executor(engine, catalog);
    return run_search(request, search_maker(), executor, catalog.devices, m, progress, {});
  };
  const TuneRecord there = searched(*other), here = searched(*own);
  ASSERT_EQ(there.status, RunStatus::ok) << there.error;
  ASSERT_EQ(there.steps.size(), here.steps.size());
  for (std::size_t k = 0; k < here.steps.size(); ++k) EXPECT_EQ(there.steps[k].us, here.steps[k].us) << k;
}

TEST(RemoteEngine, ProductsOfASearchAsTheOneOfThisProcess) {
  const auto own = make_engine(assets());
  const auto other = make_remote_engine(honest(), quick());
  Progress progress;
  const Matrix m = made("laplace5?nx=40&ny=40");
  const std::vector<RunRequest> asked = {modelled("csr_vector"), modelled("no_such_kernel"), modelled("ell")};
  const InSearch search{InSearch::As::finalist, std::numeric_limits<double>::infinity(), 1e9};
  const auto here = own->run_in_turn(asked, search, m, progress);
  const auto there = other->run_in_turn(asked, search, m, progress);
  ASSERT_EQ(here.size(), 3u);
  ASSERT_EQ(there.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(told(there[i]), told(here[i])) << i;
  EXPECT_EQ(here[1].status, RunStatus::failed);
  EXPECT_TRUE(other->run_in_turn({}, search, m, progress).empty());
  EXPECT_THROW(other->bench_machine("sim:h200", progress), Error);
  EXPECT_TRUE(has(other->run_in_turn(asked, search, {}, progress).at(2).error, "no matrix"));
}

TEST(RemoteEngine, AnEngineThatEndsFailsAllThatTookTurns) {
  const auto engine = make_remote_engine(playing("dies in the call"), quick());
  Progress progress;
  const auto records =
      engine->run_in_turn({modelled(), modelled("ell")}, {InSearch::As::final}, made("laplace5?nx=9"), progress);
  ASSERT_EQ(records.size(), 2u);
  for (const RunRecord& r : records) {
    EXPECT_EQ(r.status, RunStatus::failed);
    EXPECT_FALSE(r.error.empty());
  }
  EXPECT_EQ(records[1].request.kernel, "ell");
}

TEST(RemoteEngine, TracesAsTheOneOfThisProcess) {
  const auto own = make_engine(assets());
  const auto other = make_remote_engine(honest(), quick());
  Progress progress;
  const Matrix m = made("laplace5?nx=40&ny=40");
  const WarpWanted wanted{.row = 77};
  EXPECT_EQ(to_json(other->trace_warp(modelled(), m, wanted, progress)),
            to_json(own->trace_warp(modelled(), m, wanted, progress)));
  EXPECT_EQ(other->trace_entries(modelled(), m, 3, 90, progress).entries.size(),
            own->trace_entries(modelled(), m, 3, 90, progress).entries.size());
  EXPECT_THROW(other->trace_warp(modelled("no_such_kernel"), m, wanted, progress), Error);
  EXPECT_THROW(other->measure_roofs("sim:h200", progress), Error);
  EXPECT_FALSE(other->saved_roofs("sim:h200"));
}

TEST(RemoteEngine, ACancelledCallStopsAndTheNextOneIsGood) {
  const auto engine = make_remote_engine(honest(), quick());
  const Matrix m = made("laplace5?nx=400&ny=400");
  RunRequest long_one = modelled();
  long_one.depth = Depth::whole;
  Progress progress;
  std::jthread hand([&] {
    await([&] { return progress.stage() == "emulating"; });
    progress.cancel();
  });
  EXPECT_EQ(engine->run(long_one, m, progress).status, RunStatus::cancelled);
  const pid_t process = engine->process();
  Progress next;
  EXPECT_EQ(engine->run(modelled(), m, next).status, RunStatus::ok);
  EXPECT_EQ(engine->process(), process) << "it heeded the word, and goes on";
}

TEST(RemoteEngine, OneThatDoesNotHeedACancelIsReplaced) {
  RemoteOptions options = quick();
  options.patience.cancel = 0.1;
  const auto engine = make_remote_engine(playing("hangs in the call"), options);
  Progress progress;
  std::jthread hand([&] {
    await([&] { return engine->process() > 0; });
    progress.cancel();
  });
  EXPECT_EQ(engine->run(modelled(), made("laplace5?nx=9"), progress).status, RunStatus::cancelled);
}

TEST(RemoteEngine, KilledBetweenTwoRunsNobodyNotices) {
  const auto engine = make_remote_engine(honest(), quick());
  const Matrix m = made("laplace5?nx=9");
  for (int k = 0; k < 5; ++k) {
    Progress progress;
    const RunRecord r = engine->run(modelled(), m, progress);
    ASSERT_EQ(r.status, RunStatus::ok) << r.error;
    ASSERT_EQ(::kill(engine->process(), SIGKILL), 0);
  }
}

TEST(RemoteEngine, KilledInARunItFailsWithTheReasonAndTheNextIsGood) {
  const auto engine = make_remote_engine(honest(), quick());
  const Matrix m = made("laplace5?nx=400&ny=400");
  for (const int signal : {SIGKILL, SIGSEGV, SIGABRT}) {
    RunRequest long_one = modelled();
    long_one.depth = Depth::whole;
    Progress progress;
    std::jthread hand([&] {
      await([&] { return progress.stage() == "emulating"; });
      ::kill(engine->process(), signal);
    });
    const RunRecord r = engine->run(long_one, m, progress);
    EXPECT_EQ(r.status, RunStatus::failed);
    EXPECT_TRUE(has(r.error, "signal " + std::to_string(signal)) || has(r.error, "code 1")) << r.error;
    EXPECT_EQ(r.nnz, m.csr->nnz());
    Progress next;
    const RunRecord good = engine->run(modelled(), m, next);
    EXPECT_EQ(good.status, RunStatus::ok) << good.error;
  }
}

// By hand more often, and at other moments: WARPSPY_KILLS=1000, WARPSPY_RANDOM_SEED.
TEST(RemoteEngine, KilledAtRandomMomentsNoRunIsLost) {
  const auto from_environment = [](const char* name, int otherwise) {
    const char* value = std::getenv(name);
    return value ? std::atoi(value) : otherwise;
  };
  const int kills = from_environment("WARPSPY_KILLS", 30), seed = from_environment("WARPSPY_RANDOM_SEED", 16);
  std::printf("%d kills, seed %d (WARPSPY_KILLS, WARPSPY_RANDOM_SEED)\n", kills, seed);
  RemoteOptions options = quick();
  options.pauses.clear();
  const auto engine = make_remote_engine(honest(), options);
  const Matrix m = made("laplace5?nx=60&ny=60");
  // Anywhere in the time that an engine takes to start and to answer, and as long behind it.
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  Progress first;
  ASSERT_EQ(engine->run(modelled(), m, first).status, RunStatus::ok);
  const auto most = std::chrono::duration_cast<std::chrono::microseconds>(2 * (Clock::now() - begin)).count() + 1;
  std::atomic<int> killed{0};
  std::atomic<bool> done{false};
  std::jthread killer([&] {
    std::mt19937 random(static_cast<unsigned>(seed));
    while (!done && killed < kills) {
      std::this_thread::sleep_for(std::chrono::microseconds(random() % most));
      const pid_t process = engine->process();
      if (process > 0 && ::kill(process, SIGKILL) == 0) ++killed;
    }
  });
  int good = 0, failed = 0;
  while (killed < kills) {
    Progress progress;
    const RunRecord r = engine->run(modelled(), m, progress);
    ASSERT_NE(r.status, RunStatus::cancelled);
    (r.status == RunStatus::ok ? good : failed)++;
    if (r.status == RunStatus::failed) {
      ASSERT_TRUE(has(r.error, "the engine")) << r.error;
    }
  }
  done = true;
  killer.join();
  Progress progress;
  const RunRecord last = engine->run(modelled(), m, progress);
  EXPECT_EQ(last.status, RunStatus::ok) << last.error;
  EXPECT_LE(failed, killed);
  std::printf("%d engines killed: %d runs good, %d failed with their reason\n", killed.load(), good, failed);
}

struct Misbehaviour {
  const char* role;
  const char* says;  // the failed run
};
class Misbehaving : public ::testing::TestWithParam<Misbehaviour> {};
TEST_P(Misbehaving, EndsInAFailedRunWithItsReason) {
  RemoteOptions options = quick();
  options.patience = {.hello = 1, .silent = 1, .hung = 1, .cancel = 1};
  const auto engine = make_remote_engine(playing(GetParam().role), options);
  Progress progress;
  RunRequest request = modelled();
  request.device = "cuda:0@far";
  // In every run, not just in the first.
  for (int k = 0; k < 2; ++k) {
    const RunRecord r = engine->run(request, made("laplace5?nx=9"), progress);
    EXPECT_EQ(r.status, RunStatus::failed);
    EXPECT_TRUE(has(r.error, GetParam().says)) << r.error;
    EXPECT_EQ(r.error.find('\n'), std::string::npos);
    EXPECT_EQ(r.device, "cuda:0@far");
  }
}
INSTANTIATE_TEST_SUITE_P(
    RemoteEngine, Misbehaving,
    ::testing::Values(
        Misbehaviour{"nothing", "ended with code 0"},
        Misbehaviour{"refuses", "ended with code 255; it printed: Permission denied (publickey"},
        Misbehaviour{"hangs", "did not answer within 1 s"}, Misbehaviour{"asks", "no terminal to ask on"},
        Misbehaviour{"prints for ever", "no engine of Warpspy"},
        Misbehaviour{"is newer", "it is Warpspy 10.0.0 (new) and speaks protocol 99, this one speaks 5"},
        Misbehaviour{"dies when called", "signal 11"},
        Misbehaviour{"dies in the call", "signal 11 (Segmentation fault); it printed: an illegal address"},
        Misbehaviour{"exits in the call", "ended with code 3"}, Misbehaviour{"half a message", "ended with code 0"},
        Misbehaviour{"garbage", "something that is no message"},
        Misbehaviour{"damaged answer", "not the JSON of a run"},
        Misbehaviour{"floods", "keeps on sending what nobody asked for"},
        Misbehaviour{"tells for ever", "tells of more runs than a call makes"},
        Misbehaviour{"hangs when called", "no sign of life for 1 s"},
        Misbehaviour{"hangs in the call", "no sign of life for 1 s"}, Misbehaviour{"works for ever", "a kernel hangs"}),
    [](const auto& of) {
      std::string name = of.param.role;
      for (char& c : name) c = c == ' ' ? '_' : c;
      return name;
    });

// Bytes that a process has written, to whatever it was.
std::size_t written_by(pid_t process) {
  std::ifstream io("/proc/" + std::to_string(process) + "/io");
  for (std::string word; io >> word;)
    if (std::size_t bytes = 0; word == "wchar:" && io >> bytes) return bytes;
  return 0;
}

// What nobody takes stays where it is: the engine waits, and nothing of it is lost.
TEST(RemoteEngine, OneThatTellsFasterThanAnybodyListensWaits) {
  if (written_by(::getpid()) == 0) GTEST_SKIP() << "/proc does not say what a process has written";
  Connection c(playing("tells much"), {});
  Progress progress;
  c.hello(progress);
  c.expect(1);
  c.send(wire::Kind::run, 1, {});
  std::size_t before = 0, now = 0;
  for (int same = 0; same < 100; same = now == before ? same + 1 : 0) {
    std::this_thread::sleep_for(1ms);
    before = std::exchange(now, written_by(c.process()));
    if (now < (std::size_t{1} << 20)) same = 0;  // it has hardly begun
  }
  EXPECT_LT(now, std::size_t{20} << 20) << "of 25 MiB";
  int steps = 0;
  while (steps < 400) {
    const auto f = c.receive(1s);
    if (!f || f->kind != wire::Kind::timed) continue;
    ASSERT_EQ(f->body, std::string(1 << 16, static_cast<char>(steps)));
    ++steps;
  }
}

// No window asks for the next thing before it was answered.
TEST(RemoteEngine, OneThatIsAskedForMoreThanItCanKeepSaysSo) {
  Connection c(playing("honest"), {});
  Progress progress;
  c.hello(progress);
  c.expect(1);
  std::string why;
  try {
    // The first waits for its matrix, which does not come.
    for (std::uint64_t call = 1; call < 100; ++call)
      c.send(wire::Kind::run, call, wire::pack(wire::MatrixRef{"a key", {}}, to_json(modelled())));
    while (why.empty()) c.receive(1s);
  } catch (const EngineDisconnected& e) {
    why = e.reason;
  }
  EXPECT_TRUE(has(why, "more is asked of this engine than it can answer")) << why;
}

TEST(RemoteEngine, WhatIsAnnouncedLongerThanMemoryIsThereIsNotAwaited) {
  const Matrix m = made("laplace5?nx=9");
  ::setenv("WARPSPY_MEMORY", "400MB", 1);
  const auto engine = make_remote_engine(playing("announces much"), quick());
  Progress progress;
  const RunRecord r = engine->run(modelled(), m, progress);
  ::unsetenv("WARPSPY_MEMORY");
  EXPECT_EQ(r.status, RunStatus::failed);
  EXPECT_TRUE(has(r.error, "a message from the other end needs 1.1 GB of memory, WARPSPY_MEMORY leaves ")) << r.error;
}

TEST(RemoteEngine, OneThatIsNotThereIsSaid) {
  const auto engine = make_remote_engine({"/nowhere/warpspy", {"warpspy", "engine"}, "far"}, quick());
  Progress progress;
  const RunRecord r = engine->run(modelled(), made("laplace5?nx=9"), progress);
  EXPECT_TRUE(has(r.error, "cannot be started: No such file")) << r.error;
}

TEST(RemoteEngine, AfterSeveralDeathsTheNextOneWaitsAndCanBeCancelled) {
  RemoteOptions options = quick();
  options.deaths = 2;
  options.pauses = {3600};
  const auto engine = make_remote_engine(playing("dies in the call"), options);
  const Matrix m = made("laplace5?nx=9");
  Progress progress;
  for (int k = 0; k < 2; ++k) EXPECT_EQ(engine->run(modelled(), m, progress).status, RunStatus::failed);
  std::jthread hand([&] {
    await([&] { return has(progress.stage(), "2 times in a row"); });
    progress.cancel();
  });
  EXPECT_EQ(engine->run(modelled(), m, progress).status, RunStatus::cancelled);
}

TEST(RemoteEngine, ADeadConnectionIsSaidAndTakenUpAgain) {
  std::mutex mutex;
  std::vector<std::vector<DeviceInfo>> news;
  const auto count = [&] {
    std::lock_guard lock(mutex);
    return news.size();
  };
  RemoteOptions options = quick();
  options.keeps_connected = true;
  options.on_devices = [&](const std::vector<DeviceInfo>& devices) {
    std::lock_guard lock(mutex);
    news.push_back(devices);
  };
  EngineProgram program = honest();
  program.host = "gpubox";
  const auto engine = make_remote_engine(program, options);
  await([&] { return count() >= 1; });
  ::kill(engine->process(), SIGKILL);
  await([&] { return count() >= 3; });
  std::lock_guard lock(mutex);
  for (const std::size_t good : {0, 2})
    for (const DeviceInfo& d : news[good]) {
      EXPECT_TRUE(d.available);
      EXPECT_TRUE(d.id.ends_with("@gpubox")) << d.id;
      EXPECT_TRUE(d.name.ends_with(" on gpubox")) << d.name;
    }
  ASSERT_EQ(news[1].size(), news[0].size());
  for (const DeviceInfo& d : news[1]) {
    EXPECT_FALSE(d.available);
    EXPECT_TRUE(has(d.reason, "the engine on gpubox was killed by signal 9")) << d.reason;
  }
}

}  // namespace
}  // namespace warpspy
