// What ranks of MPI do together, with threads in the place of processes.
#include "profiling/ranks/ranks.hpp"

#include <gtest/gtest.h>

#include <barrier>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

#include "tests/unit/profiling/over_parts.hpp"

namespace warpspy {
namespace {

using testing::generated;

// A plugin whose ranks are threads of this process.
class Threads {
 public:
  explicit Threads(int size) : size_(size), barrier_(size), given_(static_cast<std::size_t>(size)) {}

  // Calls work(ranks) in a thread for each rank.
  template <class Work>
  void run(const Work& work) {
    std::vector<Self> selves;
    for (int k = 0; k < size_; ++k) selves.push_back({this, k});
    std::vector<WarpspyRanks> plugins;
    for (Self& self : selves)
      plugins.push_back({WARPSPY_RANKS_VERSION, self.rank, size_, "threads", &self, gather, broadcast, exchange, abort,
                         [](void*) {}});
    std::vector<std::thread> threads;
    for (const WarpspyRanks& plugin : plugins)
      threads.emplace_back([&] {
        Ranks ranks(plugin);
        work(ranks);
      });
    for (std::thread& t : threads) t.join();
  }

 private:
  struct Self {
    Threads* all;
    int rank;
  };
  static Self& of(void* self) { return *static_cast<Self*>(self); }

  static void gather(void* self, const void* mine, std::size_t size, void* all) {
    auto& [threads, rank] = of(self);
    threads->given_[static_cast<std::size_t>(rank)] = mine;
    threads->barrier_.arrive_and_wait();
    for (std::size_t k = 0; k < threads->given_.size(); ++k)
      std::memcpy(static_cast<char*>(all) + k * size, threads->given_[k], size);
    threads->barrier_.arrive_and_wait();
  }
  static void broadcast(void* self, void* bytes, std::size_t size, int from) {
    auto& [threads, rank] = of(self);
    if (rank == from) threads->given_[0] = bytes;
    threads->barrier_.arrive_and_wait();
    if (rank != from) std::memcpy(bytes, threads->given_[0], size);
    threads->barrier_.arrive_and_wait();
  }
  static void exchange(void* self, const WarpspyMessage* out, int outs, const WarpspyMessage* in, int ins) {
    auto& [threads, rank] = of(self);
    for (int k = 0; k < outs; ++k) {
      const std::lock_guard lock(threads->mutex_);
      threads->sent_[{rank, out[k].rank}] = {static_cast<const char*>(out[k].bytes), out[k].size};
    }
    threads->barrier_.arrive_and_wait();
    for (int k = 0; k < ins; ++k) {
      const std::lock_guard lock(threads->mutex_);
      const std::string& message = threads->sent_.at({in[k].rank, rank});
      ASSERT_EQ(message.size(), in[k].size);
      std::memcpy(in[k].bytes, message.data(), message.size());
    }
    threads->barrier_.arrive_and_wait();
  }
  static void abort(void*, int) {
    ADD_FAILURE() << "ranks do unlike things";
    std::terminate();
  }

  int size_;
  std::barrier<> barrier_;
  std::vector<const void*> given_;
  std::map<std::pair<int, int>, std::string> sent_;
  std::mutex mutex_;
};

std::string failure(Ranks& ranks, const std::function<void()>& work) {
  try {
    ranks.together(work);
  } catch (const RanksFailed& e) {
    return e.reason;
  }
  return "nothing";
}

TEST(Ranks, AddUpInTheirOrderAndGatherWhatEachHas) {
  Threads(4).run([](Ranks& ranks) {
    const double terms[] = {0.1, 1e16, 0.3, -1e16};
    double sums[] = {terms[ranks.rank()], 1};
    ranks.add_up(sums);
    EXPECT_EQ(sums[0], ((0.1 + 1e16) + 0.3) - 1e16);
    EXPECT_EQ(sums[1], 4);
    const auto all = ranks.gather(std::string(static_cast<std::size_t>(ranks.rank()), 'x'));
    EXPECT_EQ(all, (std::vector<std::string>{"", "x", "xx", "xxx"}));
  });
}

TEST(Ranks, AFailureOfOneIsAFailureOfAll) {
  Threads(3).run([](Ranks& ranks) {
    EXPECT_EQ(failure(ranks,
                      [&] {
                        if (ranks.rank() == 1) throw Error("no luck");
                        double sum = 1;
                        ranks.add_up({&sum, 1});
                      }),
              "rank 1: no luck");
    EXPECT_EQ(failure(ranks, [] { throw Error("no file", "m.mtx"); }), "no file") << "all say the same";
    EXPECT_EQ(failure(ranks, [&] { ranks.require_same(ranks.rank() == 0 ? "a" : "b", "matrix", "x"); }),
              "ranks 1, 2 have another matrix than rank 0");
    EXPECT_EQ(failure(ranks,
                      [&] {
                        if (ranks.rank() == 2) throw Cancelled();
                      }),
              "rank 2: it was stopped");
    EXPECT_EQ(failure(ranks, [&] { ranks.gather("x"); }), "nothing") << "then all go on";
  });
}

// A rank that cannot open its file ends the command, while the others are within a run, whose record keeps the failure.
TEST(Ranks, AFailureAroundARunEndsTheRunOfAll) {
  Threads(3).run([](Ranks& ranks) {
    int runs = 0;
    EXPECT_EQ(failure(ranks,
                      [&] {
                        if (ranks.rank() == 1) throw Error("no file");
                        for (; runs < 2; ++runs)
                          EXPECT_EQ(failure(ranks, [&] { ranks.gather("x"); }), "rank 1: no file");
                      }),
              "rank 1: no file");
    EXPECT_EQ(runs, ranks.rank() == 1 ? 0 : 2);
    EXPECT_EQ(failure(ranks, [&] { ranks.gather("x"); }), "nothing");
  });
}

class RanksOverParts : public testing::OverParts {
 protected:
  static RunRequest request(std::uint64_t parts, Split split) {
    RunRequest r;
    r.device = "sim:h200";
    r.precision = Precision::f64;
    r.depth = Depth::whole;
    r.parts = parts, r.split = split;
    return r;
  }
  // The records of all ranks, each with an engine of its own.
  std::vector<RunRecord> run_in_ranks(const RunRequest& r, const std::vector<const Matrix*>& matrices) {
    std::vector<RunRecord> records(matrices.size());
    Threads(static_cast<int>(matrices.size())).run([&](Ranks& ranks) {
      const auto engine = make_engine(WARPSPY_SOURCE_DIR "/assets", {}, &ranks);
      const auto k = static_cast<std::size_t>(ranks.rank());
      Progress progress;
      records[k] = engine->run(r, *matrices[k], progress);
    });
    return records;
  }
  static void expect_same_model(const RunRecord& a, const RunRecord& b) {
    EXPECT_EQ(a.time.value, b.time.value);
    EXPECT_EQ(a.parts, b.parts);
    EXPECT_EQ(a.minimum_bytes.value, b.minimum_bytes.value);
    EXPECT_EQ(a.sampled_share, b.sampled_share);
    ASSERT_EQ(a.counters.size(), b.counters.size());
    for (std::size_t k = 0; k < a.counters.size(); ++k) EXPECT_EQ(a.counters[k].value, b.counters[k].value);
    ASSERT_EQ(a.lines.size(), b.lines.size());
    for (std::size_t k = 0; k < a.lines.size(); ++k) EXPECT_EQ(a.lines[k].sectors, b.lines[k].sectors);
  }
};

TEST_F(RanksOverParts, AProductIsTheSameAsInOneProcess) {
  const Matrix square = generated("gen:laplace27?nx=9&ny=8&nz=7"), wide = generated("gen:random?rows=90&cols=200");
  for (const Matrix* m : {&square, &wide})
    for (const Split split : {Split::rows, Split::entries}) {
      const RunRecord one = run(request(3, split), *m);
      ASSERT_EQ(one.status, RunStatus::ok) << one.error;
      for (const RunRecord& r : run_in_ranks(request(3, split), {m, m, m})) {
        ASSERT_EQ(r.status, RunStatus::ok) << r.error;
        expect_same_model(r, one);
        ASSERT_TRUE(r.check);
        EXPECT_TRUE(r.check->passed);
        EXPECT_EQ(r.check->rows_checked, m->csr->rows());
        EXPECT_EQ(r.check->max_abs, one.check->max_abs);
      }
    }
}

TEST_F(RanksOverParts, ASolveHasTheResidualsOfOneProcess) {
  const Matrix m = generated("gen:laplace5?nx=30&ny=20");
  for (const SolverInfo& info : solvers())
    for (const Preconditioner p : {Preconditioner::none, Preconditioner::jacobi, Preconditioner::chebyshev}) {
      SCOPED_TRACE(std::string(info.label) + " " + name_of(p));
      RunRequest r = request(4, Split::metis);
      r.solver = info.solver, r.preconditioner = p;
      const RunRecord one = run(r, m);
      ASSERT_EQ(one.status, RunStatus::ok) << one.error;
      const std::vector<RunRecord> all = run_in_ranks(r, {&m, &m, &m, &m});
      for (const RunRecord& of : all) {
        ASSERT_EQ(of.status, RunStatus::ok) << of.error;
        expect_same_model(of, one);
        EXPECT_EQ(of.solve->residuals, all[0].solve->residuals) << "the same bits in every rank";
        EXPECT_EQ(of.solve->end, SolveEnd::converged);
        // Sums are added up in another order. BiCGStab amplifies that: after ten iterations the solves part.
        const bool parts = info.solver == Solver::bicgstab;
        if (!parts) {
          ASSERT_EQ(of.solve->iterations, one.solve->iterations);
        }
        for (std::size_t k = 0; k < (parts ? 10 : one.solve->residuals.size()); ++k)
          EXPECT_NEAR(of.solve->residuals[k], one.solve->residuals[k], 1e-6 * one.solve->residuals[k]) << k;
        EXPECT_EQ(of.solve->numbers_from, "the processors of 4 ranks");
      }
    }
}

TEST_F(RanksOverParts, UnlikeMatricesNameTheRanks) {
  const Matrix m = generated("gen:laplace5?nx=9&ny=9"), other = generated("gen:laplace5?nx=9&ny=10");
  for (const RunRecord& r : run_in_ranks(request(4, Split::rows), {&m, &other, &m, &other})) {
    EXPECT_EQ(r.status, RunStatus::failed);
    EXPECT_NE(r.error.find("ranks 1, 3 have another matrix than rank 0"), std::string::npos) << r.error;
  }
}

TEST_F(RanksOverParts, APartThatDoesNotFitEndsAll) {
  const Matrix m = generated("gen:laplace5?nx=20&ny=20");
  RunRequest r = request(2, Split::rows);
  r.memory.device_bytes = 200;
  for (const RunRecord& record : run_in_ranks(r, {&m, &m})) {
    EXPECT_EQ(record.status, RunStatus::failed);
    EXPECT_NE(record.error.find("part 1 of 2"), std::string::npos) << record.error;
  }
}

}  // namespace
}  // namespace warpspy
