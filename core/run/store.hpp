// The runs of a session, in the order they came. Owned by one thread (the UI's, or main's).
#pragma once

#include <memory>
#include <vector>

#include "core/run/record.hpp"

namespace warpspy {

class RunStore {
 public:
  // Gives the record its id and keeps it.
  std::shared_ptr<const RunRecord> add(RunRecord record);
  const std::vector<std::shared_ptr<const RunRecord>>& all() const { return runs_; }
  // Puts what is known by now in the place of that run, if it is still there; it keeps its id.
  std::shared_ptr<const RunRecord> replace(std::uint64_t id, RunRecord record);
  void remove(std::uint64_t id);
  void clear() { runs_.clear(); }

 private:
  std::vector<std::shared_ptr<const RunRecord>> runs_;
  std::uint64_t next_id_ = 1;
};

}  // namespace warpspy
