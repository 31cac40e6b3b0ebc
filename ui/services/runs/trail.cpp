#include "ui/services/runs/trail.hpp"

#include <algorithm>

namespace warpspy::ui {

namespace {
constexpr std::size_t kTrail = 24;  // the most points of a trail
}

void Trail::follow(std::uint64_t id) {
  newest_ = id;
  saved_ = id < kUnsaved ? id : 0;
}

void Trail::add(std::uint64_t id) {
  if (newest_ != 0) s_.trail.push_back(newest_);
  follow(id);
  if (s_.trail.size() <= kTrail) return;
  s_.runs.remove(s_.trail.front());
  s_.trail.erase(s_.trail.begin());
}

void Trail::settle() {
  if (newest_ != 0) s_.trail.push_back(newest_);
  follow(0);
}

void Trail::forget() {
  for (auto id : s_.trail) s_.runs.remove(id);
  clear();
}

void Trail::clear() {
  s_.trail.clear();
  follow(0);
}

void Trail::remove(std::uint64_t id) {
  std::erase(s_.trail, id);
  if (newest_ == id) follow(0);
}

void Trail::renumber(std::uint64_t id, std::uint64_t now) {
  std::replace(s_.trail.begin(), s_.trail.end(), id, now);
  if (newest_ == id) newest_ = now;
}

void Trail::keep(std::uint64_t id) {
  if (newest_ == id) saved_ = 0;
}

}  // namespace warpspy::ui
