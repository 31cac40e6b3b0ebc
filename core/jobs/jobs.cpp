#include "core/jobs/jobs.hpp"

#include <algorithm>

#include "core/base/json_problem.hpp"
#include "core/base/memory_reserve.hpp"

namespace warpspy {

namespace {
// Limits of running jobs per queue. The tiles queue may run two, since its jobs are short and the pool limits them.
constexpr int kLimit[kLanes] = {1, 2, 2};
}  // namespace

double Job::elapsed_s() const {
  const auto start = started_.load(std::memory_order_acquire);
  if (start == 0) return 0;
  return std::chrono::duration<double>(Clock::now().time_since_epoch() - Clock::duration(start)).count();
}

std::optional<double> Job::eta_s() const {
  const double f = progress.fraction(), t = elapsed_s();
  // Below these the estimate varies too much to be useful.
  if (t < 0.5 || f < 0.03 || f >= 1) return std::nullopt;
  return t * (1 - f) / f;
}

Workers::Workers(Mailbox& mailbox, int threads, void (*begin)()) : mailbox_(mailbox) {
  for (int k = 0; k < std::max(1, threads); ++k)
    threads_.emplace_back([this, begin](const std::stop_token& stop) { serve(stop, begin); });
}

Workers::~Workers() {
  cancel_all();
  for (auto& t : threads_) t.request_stop();
  wake_.notify_all();
}

JobPtr Workers::enqueue(JobQueue queue, std::string title, std::function<void(Job&)> work) {
  JobPtr job;
  {
    std::lock_guard lock(mutex_);
    job = std::make_shared<Job>(next_id_++, std::move(title), queue);
    job->work_ = std::move(work);
    queued_.push_back(job);
  }
  wake_.notify_one();
  return job;
}

JobPtr Workers::take(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
  const auto ready = [&] {
    return std::find_if(queued_.begin(), queued_.end(), [&](const JobPtr& j) {
      const auto queue = static_cast<int>(j->queue);
      return busy_[queue] < kLimit[queue];
    });
  };
  if (!wake_.wait(lock, stop, [&] { return ready() != queued_.end(); })) return nullptr;
  const auto it = ready();
  JobPtr job = *it;
  queued_.erase(it);
  running_.push_back(job);
  ++busy_[static_cast<int>(job->queue)];
  return job;
}

void Workers::serve(const std::stop_token& stop, void (*begin)()) {
  begin();
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    JobPtr job = take(lock, stop);
    if (!job) return;
    lock.unlock();
    job->started_.store(std::max<Job::Clock::rep>(1, Job::Clock::now().time_since_epoch().count()));
    job->status_.store(JobStatus::running, std::memory_order_release);
    job->work_(*job);
    job->work_ = nullptr;  // releases what the work captured, even if the handle lives longer
    job->status_.store(JobStatus::finished, std::memory_order_release);
    lock.lock();
    std::erase(running_, job);
    --busy_[static_cast<int>(job->queue)];
    // Another worker may be waiting for this queue, not for a job.
    wake_.notify_all();
  }
}

std::vector<JobPtr> Workers::pending() const {
  std::lock_guard lock(mutex_);
  std::vector<JobPtr> all = running_;
  all.insert(all.end(), queued_.begin(), queued_.end());
  std::sort(all.begin(), all.end(), [](const JobPtr& a, const JobPtr& b) { return a->id < b->id; });
  return all;
}

void Workers::cancel_all() {
  std::lock_guard lock(mutex_);
  for (auto& j : running_) j->cancel();
  for (auto& j : queued_) j->cancel();
}

std::optional<Failure> Workers::failure_of(const std::exception_ptr& e) {
  try {
    std::rethrow_exception(e);
  } catch (const Cancelled&) {
    return std::nullopt;
  } catch (const Error& x) {
    return Failure{x.reason, x.where, x.remedy};
  } catch (const std::exception& x) {
    if (memory_ran_out()) {
      hold_memory_reserve();  // a new reserve for the next time
      return Failure{"memory ran out", "", "close matrices that are no longer needed, or take a smaller one"};
    }
    return Failure{json_problem(x), "", ""};
  } catch (...) {
    return Failure{"an unknown error", "", ""};
  }
}

}  // namespace warpspy
