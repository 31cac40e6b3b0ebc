// Results of workers, which wait for the one thread that owns the state.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace warpspy {

// Any thread posts; the owner drains, once per frame. `wake` is called after each post, from the posting thread, so
// that a sleeping event loop looks again.
class Mailbox {
 public:
  using Callback = std::function<void()>;

  void on_post(std::function<void()> wake) {
    std::lock_guard lock(mutex_);
    wake_ = std::move(wake);
  }
  void post(Callback callback) {
    std::function<void()> wake;
    {
      std::lock_guard lock(mutex_);
      callbacks_.push_back(std::move(callback));
      wake = wake_;
    }
    if (wake) wake();
  }
  // Runs all waiting callbacks in order of arrival. Callbacks that are posted during this call wait for the next call.
  // Returns how many ran. No lock is held while they run.
  std::size_t drain() {
    std::vector<Callback> now;
    {
      std::lock_guard lock(mutex_);
      now.swap(callbacks_);
    }
    for (auto& callback : now) callback();
    return now.size();
  }

 private:
  std::mutex mutex_;
  std::vector<Callback> callbacks_;
  std::function<void()> wake_;
};

// Tells whether an answer still belongs to the latest question. Owned by the thread that drains the mailbox.
class Generation {
 public:
  std::uint64_t next() { return ++now_; }
  bool is_current(std::uint64_t ticket) const { return ticket == now_; }

 private:
  std::uint64_t now_ = 0;
};

}  // namespace warpspy
