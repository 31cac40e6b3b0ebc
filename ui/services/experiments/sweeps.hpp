// Runs a sweep (many products, one after another) in the window. If the sweep has a folder, the command line can
// continue it.
#pragma once

#include "core/run/sweep.hpp"
#include "core/sweep/stored.hpp"
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
  void put(const SavedSweep& saved);  // restores a saved sweep, which waits until the user continues it
  void forget();

 private:
  void run_cell(std::size_t cell, const OpenMatrix& m);
  void take_cell(RunRecord r, double seconds);
  void end(SweepRun::Phase phase);
  void read_folder(SweepRun::Phase then, bool retry = false);
  void put_stored(StoredSweep stored);

  Workspace& workspace_;
  Runs& runs_;
  Generation asked_;  // results of an earlier sweep are dropped
};

}  // namespace warpspy::ui
