// What workers finished, waiting for the one thread that owns the state.
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
  using Letter = std::function<void()>;

  void on_post(std::function<void()> wake) {
    std::lock_guard lock(mutex_);
    wake_ = std::move(wake);
  }
  void post(Letter letter) {
    std::function<void()> wake;
    {
      std::lock_guard lock(mutex_);
      letters_.push_back(std::move(letter));
      wake = wake_;
    }
    if (wake) wake();
  }
  // Runs every letter that is there now, in order of arrival; letters posted meanwhile wait for the next call. Returns
  // how many ran. No lock is held while they run.
  std::size_t drain() {
    std::vector<Letter> now;
    {
      std::lock_guard lock(mutex_);
      now.swap(letters_);
    }
    for (auto& letter : now) letter();
    return now.size();
  }

 private:
  std::mutex mutex_;
  std::vector<Letter> letters_;
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
