// The runs of a session, in the order in which they ended. One thread owns them (the window's, or main's).
#pragma once

#include <memory>
#include <vector>

#include "core/run/record.hpp"
#include "core/run/run_name.hpp"

namespace warpspy {

class RunStore {
 public:
  explicit RunStore(std::uint64_t first_id = 1) : next_id_(first_id) {}
  // Stores the record under its id. A record without an id (0) gets the next id of the store.
  std::shared_ptr<const RunRecord> add(RunRecord record);
  const std::vector<std::shared_ptr<const RunRecord>>& all() const { return runs_; }
  // An unchanging copy of the present runs. A new copy is made only when a run has changed.
  std::shared_ptr<const std::vector<std::shared_ptr<const RunRecord>>> snapshot() const;
  // Replaces the record of that run by a newer one, if the run is still there. Its id and its start time stay.
  std::shared_ptr<const RunRecord> replace(std::uint64_t id, RunRecord record);
  // Gives that run the next number of the store. Returns nothing if there is no such run.
  std::shared_ptr<const RunRecord> renumber(std::uint64_t id);
  void remove(std::uint64_t id);
  void clear();

 private:
  std::vector<std::shared_ptr<const RunRecord>> runs_;
  mutable std::shared_ptr<const std::vector<std::shared_ptr<const RunRecord>>> snapshot_;  // null: not made yet
  std::uint64_t next_id_;
};

}  // namespace warpspy
