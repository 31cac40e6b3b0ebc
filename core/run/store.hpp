// The runs of a session, in the order they came. Owned by one thread (the UI's, or main's).
#pragma once

#include <memory>
#include <vector>

#include "core/run/record.hpp"
#include "core/run/run_name.hpp"

namespace warpspy {

class RunStore {
 public:
  explicit RunStore(std::uint64_t first_id = 1) : next_id_(first_id) {}
  // Keeps the record, under its id; without one (0) it gets the next of the store.
  std::shared_ptr<const RunRecord> add(RunRecord record);
  const std::vector<std::shared_ptr<const RunRecord>>& all() const { return runs_; }
  // The same as they are now, for good: another one when anything has changed, and only then.
  std::shared_ptr<const std::vector<std::shared_ptr<const RunRecord>>> snapshot() const;
  // Puts what is known by now in the place of that run, if it is still there; it keeps its id and when it
  // began.
  std::shared_ptr<const RunRecord> replace(std::uint64_t id, RunRecord record);
  // That run gives its number up and gets the next of the store; nothing: there is no such run.
  std::shared_ptr<const RunRecord> renumber(std::uint64_t id);
  void remove(std::uint64_t id);
  void clear();

 private:
  std::vector<std::shared_ptr<const RunRecord>> runs_;
  mutable std::shared_ptr<const std::vector<std::shared_ptr<const RunRecord>>> snapshot_;  // null: not made yet
  std::uint64_t next_id_;
};

}  // namespace warpspy
