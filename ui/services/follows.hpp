// Keeps a result that follows from the state. The result is made again when the values that it reads differ, and only
// then.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/jobs/jobs.hpp"

namespace warpspy::ui {

// `Reads` has all the values that the result may read, as a copy, and can be compared. So the result cannot depend on
// anything else.
template <class Reads>
class Follows {
 public:
  // Returns the values, if they differ from those of the last result; otherwise nullptr.
  const Reads* differs(Reads now) {
    if (of_ && *of_ == now) return nullptr;
    of_ = std::move(now);
    return &*of_;
  }
  // As differs(), for a result that a job makes. At most one job runs, until end(); the next one begins with the state
  // at that time. So results follow a drag as fast as the machine can, and jobs never pile up.
  const Reads* begin(Reads now) {
    const Reads* reads = running_ ? nullptr : differs(std::move(now));
    running_ = running_ || reads;
    return reads;
  }
  void end() { running_ = false; }
  const std::optional<Reads>& last() const { return of_; }
  // Forgets the last values, so that the result is made again.
  void forget() { of_.reset(); }

 private:
  std::optional<Reads> of_;
  bool running_ = false;
};

// `make` is a plain function, not a lambda with captures, so that it knows only its reads.
template <class Reads, class Value, class Into>
bool follow(Follows<Reads>& what, Reads now, Value (*make)(const Reads&), Into& into) {
  const Reads* reads = what.differs(std::move(now));
  if (reads) into = make(*reads);
  return reads != nullptr;
}
template <class Reads, class Value>
JobPtr follow(Workers& workers, const std::shared_ptr<Follows<Reads>>& what, Reads now, JobQueue queue,
              const std::string& title, Value (*make)(const Reads&, Progress&), std::function<void(Value)> take,
              std::function<void(const Failure&)> failed) {
  const Reads* reads = what->begin(std::move(now));
  if (!reads) return nullptr;
  return workers.submit(
      queue, title, [make, of = *reads](Progress& p) { return make(of, p); },
      [what, take](Value value) {
        what->end();
        take(std::move(value));
      },
      [what, failed](const Failure& f) {
        what->end();
        failed(f);
      },
      [what] { what->end(); });
}

}  // namespace warpspy::ui
