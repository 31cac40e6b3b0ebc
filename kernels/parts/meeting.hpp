// Host threads, one for each part, tell each other here how far they are. No wait is endless: it ends when another
// thread has failed, or after a while.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "kernels/device/device.hpp"

namespace warpspy {

// Thrown in threads that end because another one has failed.
struct Abandoned : Error {
  Abandoned() : Error("another part failed") {}
};

// The GPU of one part was lost.
struct PartLost : DeviceLost {
  PartLost(std::size_t lost, const Error& why) : DeviceLost(why.reason, why.where, why.remedy), part(lost) {}
  std::size_t part;
  std::string device = {};  // its id, if the catcher who knows it has set it
};

class Meeting {
 public:
  // What a part has enqueued so often: its x for others, its reads of what others gave, its sums, and being there.
  enum class Sign : std::uint8_t { given, taken, sums, there };

  explicit Meeting(std::vector<std::string> names, std::chrono::milliseconds longest = std::chrono::minutes(2));
  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t part) const { return names_[part]; }
  // The part's count is now `count`. Counts only grow.
  void reach(std::size_t part, Sign sign, std::uint64_t count);
  // Waits until another part's count is `count` or more. Throws Abandoned; and Error naming that part if it does not
  // come.
  void await(std::size_t part, Sign sign, std::uint64_t count);
  // Waits until `done` returns true. `what`: "the GPU of part 1 of 2 (cuda:0)". Throws as await(), and what `done`
  // throws.
  void await(const std::string& what, const std::function<bool()>& done) const;
  // Waits for all parts.
  void all_there(std::size_t part);
  // Runs work(k) of each part in a thread of its own and waits for all. Throws the first error, with the part's name; a
  // lost GPU as PartLost.
  void together(const std::function<void(std::size_t part)>& work);
  // Runs the work of one part in this thread. Throws as together().
  void alone(std::size_t part, const std::function<void(std::size_t part)>& work) const;
  bool abandoned() const { return abandoned_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t signs = 4;
  struct alignas(64) Counts {
    std::array<std::atomic<std::uint64_t>, signs> of = {};
  };
  void wake();
  void require_in_time(std::chrono::steady_clock::time_point began, const std::string& what) const;

  std::vector<std::string> names_;
  std::chrono::milliseconds longest_;
  std::unique_ptr<Counts[]> counts_;
  std::atomic<bool> abandoned_{false};
  std::mutex mutex_;
  std::condition_variable woken_;
  std::atomic<int> sleepers_{0};
};

}  // namespace warpspy
