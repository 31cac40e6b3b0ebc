#include "core/run/store.hpp"

#include <algorithm>

namespace warpspy {

std::shared_ptr<const RunRecord> RunStore::add(RunRecord record) {
  if (record.id == 0) record.id = next_id_++;
  snapshot_ = nullptr;
  runs_.push_back(std::make_shared<const RunRecord>(std::move(record)));
  return runs_.back();
}

std::shared_ptr<const RunRecord> RunStore::replace(std::uint64_t id, RunRecord record) {
  for (auto& run : runs_) {
    if (run->id != id) continue;
    record.id = id;
    record.started = run->started;  // the same run keeps its name
    snapshot_ = nullptr;
    run = std::make_shared<const RunRecord>(std::move(record));
    return run;
  }
  return nullptr;
}

std::shared_ptr<const RunRecord> RunStore::renumber(std::uint64_t id) {
  for (auto& run : runs_) {
    if (run->id != id) continue;
    RunRecord record = *run;
    record.id = next_id_++;
    snapshot_ = nullptr;
    run = std::make_shared<const RunRecord>(std::move(record));
    return run;
  }
  return nullptr;
}

void RunStore::remove(std::uint64_t id) {
  snapshot_ = nullptr;
  runs_.erase(std::remove_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->id == id; }), runs_.end());
}

void RunStore::clear() {
  snapshot_ = nullptr;
  runs_.clear();
}

std::shared_ptr<const std::vector<std::shared_ptr<const RunRecord>>> RunStore::snapshot() const {
  if (!snapshot_) snapshot_ = std::make_shared<const std::vector<std::shared_ptr<const RunRecord>>>(runs_);
  return snapshot_;
}

}  // namespace warpspy
