// Keeps the live runs: the newest one, and the earlier ones of the same drag of a slider (the trail).
#pragma once

#include <atomic>
#include <cstdint>

#include "ui/state/state.hpp"

namespace warpspy::ui {

class Trail {
 public:
  explicit Trail(AppState& s) : s_(s) {}

  std::uint64_t newest() const { return newest_; }  // joins the trail when the next live run arrives; 0: none
  void follow(std::uint64_t id);
  void add(std::uint64_t id);  // makes it the newest; if there are many, the oldest is removed
  void settle();               // the newest run joins the trail
  void forget();               // drops the trail; the newest run becomes an ordinary run
  void clear();                // called when the list of runs is cleared
  void remove(std::uint64_t id);
  void renumber(std::uint64_t id, std::uint64_t now);
  void keep(std::uint64_t id);  // keeps a run with a note in the history
  // The history's number of the last live run, which is removed now that the next one is saved; 0: none. From any
  // thread.
  std::uint64_t take_saved() { return saved_.exchange(0); }

 private:
  AppState& s_;
  std::uint64_t newest_ = 0;
  std::atomic<std::uint64_t> saved_ = 0;
};

}  // namespace warpspy::ui
