// A long computation reports its progress through this object, and learns from it that it was cancelled.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <string>

namespace warpspy {

// Thrown at a check point of a cancelled job; caught at the job boundary only.
struct Cancelled : std::exception {
  const char* what() const noexcept override { return "cancelled"; }
};

// Shared between the worker (which advances it) and the UI (which reads it). All calls are thread safe and cheap enough
// to be made every few thousand entries.
class Progress {
 public:
  Progress() = default;
  // The progress of one part of a larger piece of work. It is cancelled together with `whole`, but has a fraction and a
  // stage of its own. `whole` must live longer.
  explicit Progress(const Progress* whole) : whole_(whole) {}
  void set(double fraction) { fraction_.store(fraction, std::memory_order_relaxed); }
  double fraction() const { return fraction_.load(std::memory_order_relaxed); }
  void stage(std::string name) {
    std::lock_guard lock(mutex_);
    stage_ = std::move(name);
  }
  std::string stage() const {
    std::lock_guard lock(mutex_);
    return stage_;
  }
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const {
    return cancelled_.load(std::memory_order_relaxed) || (whole_ != nullptr && whole_->cancelled());
  }
  // The check point: throws Cancelled once cancel() was called.
  void check() const {
    if (cancelled()) throw Cancelled{};
  }

 private:
  std::atomic<double> fraction_{0};
  std::atomic<bool> cancelled_{false};
  mutable std::mutex mutex_;
  std::string stage_;
  const Progress* whole_ = nullptr;
};

}  // namespace warpspy
