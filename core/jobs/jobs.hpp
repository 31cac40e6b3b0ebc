// Runs work on other threads than the one that draws: a small pool, queues that limit how many jobs run at once, and
// one place where exceptions become messages.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "core/base/types.hpp"
#include "core/jobs/mailbox.hpp"
#include "core/jobs/priority.hpp"
#include "core/jobs/progress.hpp"

namespace warpspy {

// Jobs of one queue start in the order they were submitted; at most `limit` of them run at once.
enum class JobQueue : std::uint8_t {
  gpu,    // one at a time: runs never overlap, so they never disturb each other's times
  load,   // opening, facts, pyramids, exports
  tiles,  // many short ones
};
inline constexpr int kLanes = 3;

// A failure in words for the user (see Error).
struct Failure {
  std::string reason, where, remedy;
  std::string one_line() const { return Error(reason, where, remedy).what(); }
};

enum class JobStatus : std::uint8_t { queued, running, finished };

// A job is one piece of work on another thread. This shows its state; any thread may use it.
class Job {
 public:
  Job(std::uint64_t number, std::string name, JobQueue where) : id(number), title(std::move(name)), queue(where) {}
  const std::uint64_t id;
  const std::string title;
  const JobQueue queue;
  Progress progress;

  JobStatus status() const { return status_.load(std::memory_order_acquire); }
  void cancel() { progress.cancel(); }
  // Seconds since it started; 0 while queued.
  double elapsed_s() const;
  // Seconds left, from the share done so far; nothing until enough is known to say.
  std::optional<double> eta_s() const;

 private:
  friend class Workers;
  using Clock = std::chrono::steady_clock;
  std::atomic<JobStatus> status_{JobStatus::queued};
  std::atomic<Clock::rep> started_{0};
  std::function<void(Job&)> work_;
};
using JobPtr = std::shared_ptr<Job>;

// The pool. Destruction cancels all jobs and waits for them. Callbacks that the mailbox still holds then are never run.
class Workers {
 public:
  // `threads` workers take jobs from all queues; each calls `begin` first. `mailbox` outlives the pool.
  explicit Workers(Mailbox& mailbox, int threads = 4, void (*begin)() = let_others_go_first);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Runs work(Progress&) on a worker; then, on the thread that drains the mailbox, done(result) or failed(Failure). A
  // cancelled job posts only `cancelled`, if given. Work may return void; then done takes nothing.
  template <class Work, class Done>
  JobPtr submit(JobQueue queue, std::string title, Work work, Done done,
                std::function<void(const Failure&)> failed = {}, std::function<void()> cancelled = {});

  // Jobs queued or running, oldest first.
  std::vector<JobPtr> pending() const;
  bool idle() const { return pending().empty(); }
  void cancel_all();

 private:
  JobPtr enqueue(JobQueue queue, std::string title, std::function<void(Job&)> work);
  void serve(const std::stop_token& stop, void (*begin)());
  JobPtr take(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);
  // Turns an exception that a job threw into a failure for the user; nothing for Cancelled.
  static std::optional<Failure> failure_of(const std::exception_ptr& e);

  Mailbox& mailbox_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::vector<JobPtr> queued_, running_;
  int busy_[kLanes] = {};
  std::uint64_t next_id_ = 1;
  std::vector<std::jthread> threads_;  // last: joined first
};

template <class Work, class Done>
JobPtr Workers::submit(JobQueue queue, std::string title, Work work, Done done,
                       std::function<void(const Failure&)> failed, std::function<void()> cancelled) {
  using Result = std::invoke_result_t<Work&, Progress&>;
  return enqueue(queue, std::move(title),
                 [this, work = std::move(work), done = std::move(done), failed = std::move(failed),
                  cancelled = std::move(cancelled)](Job& job) mutable {
                   try {
                     job.progress.check();
                     if constexpr (std::is_void_v<Result>) {
                       work(job.progress);
                       mailbox_.post(done);
                     } else {
                       auto result = std::make_shared<Result>(work(job.progress));
                       mailbox_.post([done, result]() mutable { done(std::move(*result)); });
                     }
                   } catch (...) {
                     const auto failure = failure_of(std::current_exception());
                     if (failure && failed) mailbox_.post([failed, f = *failure] { failed(f); });
                     if (!failure && cancelled) mailbox_.post(cancelled);
                   }
                 });
}

}  // namespace warpspy
