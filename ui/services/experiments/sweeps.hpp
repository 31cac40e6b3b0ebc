// Runs a sweep (many products, one after another) in the window. If the sweep has a folder, the command line can
// continue it.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/run/sweep.hpp"
#include "core/sweep/nodes.hpp"
#include "ui/services/runs/runs.hpp"
#include "ui/services/service.hpp"
#include "ui/services/workspace/workspace.hpp"

namespace warpspy::ui {

class Sweeps : public Service {
 public:
  Sweeps(const ServiceContext& c, Workspace& workspace, Runs& runs) : Service(c), workspace_(workspace), runs_(runs) {}

  void on(const StartSweep&);
  void on(const SteerSweep&);
  // sweep_folder.cpp: in files and folders
  void on(const SaveSweep&);
  void on(const OpenSweep&);

  void frame();  // starts the next cell when none is running
  bool due() const;
  std::optional<double> due_in_s() const;  // seconds until the next look at a sweep that is watched
  // How many looks have ended that found nothing new, since the last call: they change no desk.
  std::size_t take_vain_looks() { return std::exchange(vain_looks_, 0); }
  void put(const SavedSweep& saved);  // restores a saved sweep, which waits until the user continues it
  void forget();

 private:
  void run_cell(std::size_t cell, const OpenMatrix& m);
  void take_cell(RunRecord r, double seconds);
  void end(SweepRun::Phase phase);
  void read_folder(SweepRun::Phase then, bool retry = false);
  void put_stored(StoredSweep stored);
  // sweep_watch.cpp: a sweep whose tasks run elsewhere
  using Clock = std::chrono::steady_clock;
  struct Asked;   // by a look
  struct Looked;  // what a look found
  static Looked looked(Asked asked, Progress& progress);
  void watch_if_divided();  // begins to watch if the folder says that the sweep has tasks
  void begin_watch();
  void look_at_nodes();
  void take_look(Looked found);
  void stop_watch(const Failure& why);

  Workspace& workspace_;
  Runs& runs_;
  Generation asked_;  // results of an earlier sweep are dropped
  // The runs of this window that are results of a folder, by the cell's id and the time of its start: a result that is
  // read again is the same run.
  std::map<std::string, std::uint64_t> known_;
  // Of the sweep that is watched.
  Clock::time_point next_look_ = {}, queue_asked_ = {};
  std::string seen_;                // the marks of its files at the last look
  std::optional<TaskQueue> queue_;  // when it was asked last
  std::set<std::string> remarked_;  // remarks that were said
  std::size_t vain_looks_ = 0;
};

}  // namespace warpspy::ui
