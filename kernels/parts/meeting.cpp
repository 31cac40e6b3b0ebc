#include "kernels/parts/meeting.hpp"

#include <exception>
#include <thread>
#include <utility>

namespace warpspy {

Meeting::Meeting(std::vector<std::string> names, std::chrono::milliseconds longest)
    : names_(std::move(names)), longest_(longest), counts_(std::make_unique<Counts[]>(names_.size())) {}

void Meeting::reach(std::size_t part, Sign sign, std::uint64_t count) {
  counts_[part].of[static_cast<std::size_t>(sign)].store(count, std::memory_order_seq_cst);
  wake();
}

void Meeting::wake() {
  if (sleepers_.load(std::memory_order_seq_cst) == 0) return;
  const std::lock_guard lock(mutex_);
  woken_.notify_all();
}

void Meeting::require_in_time(std::chrono::steady_clock::time_point began, const std::string& what) const {
  if (abandoned()) throw Abandoned();
  if (std::chrono::steady_clock::now() - began > longest_)
    throw Error(what + " did not come for " + std::to_string(longest_.count() / 1000) + " s", {},
                "check the GPUs with nvidia-smi");
}

void Meeting::await(std::size_t part, Sign sign, std::uint64_t count) {
  constexpr int busy_looks = 2000;  // some microseconds: mostly the other thread is about to come
  const std::atomic<std::uint64_t>& now = counts_[part].of[static_cast<std::size_t>(sign)];
  const auto there = [&] { return now.load(std::memory_order_seq_cst) >= count; };
  for (int looks = 0; looks < busy_looks; ++looks)
    if (there()) return;
  // The other thread may need this processor.
  const auto began = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  ++sleepers_;
  while (!there() && !abandoned() && std::chrono::steady_clock::now() - began <= longest_)
    woken_.wait_for(lock, std::chrono::milliseconds(10));
  --sleepers_;
  if (!there()) require_in_time(began, names_[part]);
}

void Meeting::await(const std::string& what, const std::function<bool()>& done) const {
  const auto began = std::chrono::steady_clock::now();
  while (!done()) {
    require_in_time(began, what);
    // Who asks CUDA all the time keeps other threads from launching.
    std::this_thread::sleep_for(std::chrono::microseconds(10));
  }
}

void Meeting::all_there(std::size_t part) {
  std::atomic<std::uint64_t>& own = counts_[part].of[static_cast<std::size_t>(Sign::there)];
  const std::uint64_t count = own.load(std::memory_order_relaxed) + 1;
  own.store(count, std::memory_order_seq_cst);
  wake();
  for (std::size_t other = 0; other < size(); ++other) await(other, Sign::there, count);
}

void Meeting::alone(std::size_t part, const std::function<void(std::size_t part)>& work) const {
  const std::string& name = names_[part];
  try {
    work(part);
  } catch (const Abandoned&) {
    throw;
  } catch (const PartLost&) {
    throw;  // it may be another one
  } catch (const DeviceLost& e) {
    throw PartLost(part, Error(name + ": " + e.reason, e.where, e.remedy));
  } catch (const Error& e) {
    throw Error(name + ": " + e.reason, e.where, e.remedy);
  }
}

void Meeting::together(const std::function<void(std::size_t part)>& work) {
  if (abandoned()) throw Error("the parts have failed before");
  std::atomic<bool> failed{false};
  std::exception_ptr first;
  std::vector<std::jthread> threads;
  for (std::size_t part = 0; part < size(); ++part)
    threads.emplace_back([&, part] {
      try {
        alone(part, work);
      } catch (const Abandoned&) {
        // The part that failed first tells why.
      } catch (...) {
        if (!failed.exchange(true)) first = std::current_exception();
        abandoned_ = true;
        wake();
      }
    });
  threads.clear();
  if (first) std::rethrow_exception(first);
}

}  // namespace warpspy
