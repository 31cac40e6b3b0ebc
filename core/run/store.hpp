// The runs of a session, in the order they came. Owned by one thread (the UI's, or main's).
#pragma once

#include <memory>
#include <vector>

#include "core/run/record.hpp"

namespace warpspy {

// Runs that no history has numbered are numbered from here, so that no two runs of a window share a number.
inline constexpr std::uint64_t kUnkept = std::uint64_t{1} << 40;
// "17"; "·3" for the third run that is in no history.
std::string number_text(std::uint64_t id);

class RunStore {
 public:
  explicit RunStore(std::uint64_t first_id = 1) : next_id_(first_id) {}
  // Keeps the record, under its id; without one (0) it gets the next of the store.
  std::shared_ptr<const RunRecord> add(RunRecord record);
  const std::vector<std::shared_ptr<const RunRecord>>& all() const { return runs_; }
  // Puts what is known by now in the place of that run, if it is still there; it keeps its id.
  std::shared_ptr<const RunRecord> replace(std::uint64_t id, RunRecord record);
  // That run gives its number up and gets the next of the store; nothing: there is no such run.
  std::shared_ptr<const RunRecord> renumber(std::uint64_t id);
  void remove(std::uint64_t id);
  void clear() { runs_.clear(); }

 private:
  std::vector<std::shared_ptr<const RunRecord>> runs_;
  std::uint64_t next_id_;
};

}  // namespace warpspy
