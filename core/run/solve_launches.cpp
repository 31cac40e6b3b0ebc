#include "core/run/solve_launches.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace warpspy {

Detail detail_of(const SolveLaunch& launch, Provenance provenance) {
  const std::string number = std::to_string(launch.number);
  return {solve_launch_prefix + number + "_" + launch.part,
          "launch " + number + ": " + launch.part,
          {launch.us, "us", provenance}};
}

std::vector<SolveLaunch> launches_of(const RunRecord& r) {
  std::vector<SolveLaunch> launches;
  for (const Detail& d : r.details) {
    std::string_view id = d.id;
    if (!id.starts_with(solve_launch_prefix)) continue;
    id.remove_prefix(std::string_view(solve_launch_prefix).size());
    SolveLaunch launch{.part = {}, .us = d.quantity.value};
    const auto [next, failed] = std::from_chars(id.data(), id.data() + id.size(), launch.number);
    if (failed != std::errc{} || next == id.data() + id.size() || *next != '_') continue;
    launch.part = id.substr(static_cast<std::size_t>(next + 1 - id.data()));
    launches.push_back(std::move(launch));
  }
  std::sort(launches.begin(), launches.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  return launches;
}

}  // namespace warpspy
