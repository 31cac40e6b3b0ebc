#include "core/run/store.hpp"

#include <algorithm>

namespace warpspy {

std::shared_ptr<const RunRecord> RunStore::add(RunRecord record) {
  record.id = next_id_++;
  runs_.push_back(std::make_shared<const RunRecord>(std::move(record)));
  return runs_.back();
}

std::shared_ptr<const RunRecord> RunStore::replace(std::uint64_t id, RunRecord record) {
  for (auto& run : runs_) {
    if (run->id != id) continue;
    record.id = id;
    run = std::make_shared<const RunRecord>(std::move(record));
    return run;
  }
  return nullptr;
}

void RunStore::remove(std::uint64_t id) {
  runs_.erase(std::remove_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->id == id; }), runs_.end());
}

}  // namespace warpspy
