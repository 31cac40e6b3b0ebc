// Something that follows from the state: made again when what it is made of differs, and not otherwise.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/jobs/jobs.hpp"

namespace warpspy::ui {

// `Reads` is all that the making gets, as a copy, and compares itself: what is made cannot depend on anything else.
template <class Reads>
class Follows {
 public:
  // Of what to make it, where that is not of what it was made last; else nullptr.
  const Reads* differs(Reads now) {
    if (of_ && *of_ == now) return nullptr;
    of_ = std::move(now);
    return &*of_;
  }
  // The same where a job makes it: at most one is under way, until end(), and the next one begins with things as they
  // are then. A drag is followed as fast as the machine can, and never queues up.
  const Reads* begin(Reads now) {
    const Reads* reads = running_ ? nullptr : differs(std::move(now));
    running_ = running_ || reads;
    return reads;
  }
  void end() { running_ = false; }
  const std::optional<Reads>& last() const { return of_; }
  // Nothing is there any more, and nothing of what it was made of is held.
  void forget() { of_.reset(); }

 private:
  std::optional<Reads> of_;
  bool running_ = false;
};

// `make` is a function and no lambda that captures: it knows its reads alone.
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
