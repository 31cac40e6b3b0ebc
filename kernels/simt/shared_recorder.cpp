#include "kernels/simt/shared_recorder.hpp"

#include <algorithm>
#include <bit>

#include "kernels/simt/merge.hpp"

namespace warpspy::simt {

void SharedRecorder::begin(ConvergenceLog* log, std::size_t warps) {
  log_ = log;
  if (!log_) return;
  log_->shared = {};
  log_->shared.warps.resize(warps);
  for (OfLane& lane : lanes_) lane = {};
}

void SharedRecorder::keep(const Shadow& shadow, const char* name, std::int64_t index, Op op, const Where& where,
                          std::uint32_t before) {
  const Shadow::SharedName array = shadow.named(name);
  std::vector<SharedLog::Array>& arrays = log_->shared.arrays;
  if (arrays.size() <= array.number) arrays.resize(array.number + std::size_t{1});
  arrays[array.number] = {name, array.element_bytes, array.offset};
  detail::LaneRecord record;
  record.where = where;
  record.address = static_cast<std::uint64_t>(index);
  record.array = array.number;
  record.op = op;
  OfLane& lane = lanes_[static_cast<std::size_t>(detail::current_lane->lane)];
  lane.records.push_back(record);
  lane.before.push_back(before);
}

void SharedRecorder::flush(std::size_t warp, const std::vector<Access>& others, std::size_t first, const Where* from,
                           SiteCache& sites, const SiteRegistry& registry) {
  if (std::ranges::all_of(lanes_, [](const OfLane& lane) { return lane.records.empty(); })) return;
  std::array<LaneRecords, warp_size> records;
  for (std::size_t lane = 0; lane < warp_size; ++lane) records[lane] = lanes_[lane].records;
  WarpTrace merged;
  merge_lanes(records, from, sites, merged);

  SharedLog& log = log_->shared;
  std::array<std::size_t, warp_size> told{}, made{};  // for each lane: shared accesses written, other accesses passed
  std::size_t place = first;
  for (const Access& a : merged.accesses) {
    for (std::uint32_t rest = a.active; rest; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint32_t before = lanes_[lane].before[told[lane]++];
      for (; made[lane] < before && place < others.size(); ++place)
        for (std::uint32_t of = others[place].active; of; of &= of - 1)
          ++made[static_cast<std::size_t>(std::countr_zero(of))];
    }
    log.warps[warp].push_back({.op = a.op,
                               .array = a.array,
                               .site = registry.at(a.site),
                               .active = a.active,
                               .first = static_cast<std::uint32_t>(log.elements.size()),
                               .accesses = static_cast<std::uint32_t>(place),
                               .convergence_points = static_cast<std::uint32_t>(log_->warps[warp].size())});
    for (int i = 0; i < std::popcount(a.active); ++i)
      log.elements.push_back(static_cast<std::int64_t>(merged.addresses[a.first + static_cast<std::size_t>(i)]));
  }
  for (OfLane& lane : lanes_) lane.records.clear(), lane.before.clear();
}

}  // namespace warpspy::simt
