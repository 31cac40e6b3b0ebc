// Runs that followed the knobs: the newest one, and those before it that a drag left.
#pragma once

#include <atomic>
#include <cstdint>

#include "ui/state/state.hpp"

namespace warpspy::ui {

class Trail {
 public:
  explicit Trail(AppState& s) : s_(s) {}

  std::uint64_t newest() const { return newest_; }  // becomes trail when the next one arrives; 0: none
  void follow(std::uint64_t id);
  void add(std::uint64_t id);  // the newest from now on; the oldest goes where there are many
  void settle();               // the newest belongs to the trail too
  void forget();               // the newest stays, as a run like any other
  void clear();                // with the list of runs
  void remove(std::uint64_t id);
  void renumber(std::uint64_t id, std::uint64_t now);
  void keep(std::uint64_t id);  // it has a note: it stays in the history
  // Its number in the history, which it leaves now that the next one is saved; 0: none. From any thread.
  std::uint64_t take_saved() { return saved_.exchange(0); }

 private:
  AppState& s_;
  std::uint64_t newest_ = 0;
  std::atomic<std::uint64_t> saved_ = 0;
};

}  // namespace warpspy::ui
