// The desk is what is open in the window, how it is shown, and which runs belong to it. This service keeps the desk
// between two starts of the program, and writes sessions to files.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/session/desk.hpp"
#include "core/session/desk_folder.hpp"
#include "core/session/file_mark.hpp"
#include "ui/services/desk/desk_writer.hpp"
#include "ui/services/desk/undo_redo.hpp"
#include "ui/services/experiments/best_kernels.hpp"
#include "ui/services/experiments/parameter_search.hpp"
#include "ui/services/experiments/sweeps.hpp"
#include "ui/services/runs/next_run.hpp"
#include "ui/services/runs/warps.hpp"
#include "ui/services/service.hpp"

namespace warpspy::ui {

class DeskKeeper : public Service {
 public:
  // Other services that hold a part of the desk.
  struct Others {
    Workspace& workspace;
    Runs& runs;
    NextRun& next_run;
    Warps& warps;
    Sweeps& sweeps;
    BestKernels& best;
    ParameterSearch& search;
    UndoRedo& undo;
  };
  DeskKeeper(const ServiceContext& c, const Others& others) : Service(c), others_(others) {}

  void on(const BringBack&);
  void on(const SetSettings&);
  // session_files.cpp
  void on(const SaveSession&);
  void on(const OpenSession&);

  void on(const MatrixOpened&);

  // Takes a place among the running windows, and restores or offers the desk at that place.
  void begin();
  // bring_back.cpp: adds a desk that was read to the present desk
  void bring_back(DeskRead read, const DeskRunsFound& runs, const std::string& what);

  // Shows this desk in place of the present one; its matrices that are open already stay open.
  void show(const Desk& desk);

  void note_change();
  void frame();      // writes the desk, in a job, when it has not changed for a moment
  void keep_last();  // called at the end of the program
  bool due() const { return changed_ && may_keep() && options_.autosave_s <= 0; }
  std::optional<double> due_in_s() const;
  // Returns how many results of its own jobs arrived: they do not change the desk.
  std::size_t take_own_mail() { return std::exchange(own_mail_, 0); }

 private:
  bool may_keep() const;
  void offer(std::vector<LeftDesk> left);
  void read_desk(const std::string& file);
  void close_all();
  void put_runs(const Desk& desk, const DeskRunsFound& runs);
  void put_results(const Desk& desk);

  Others others_;
  std::optional<DeskPlace> place_;
  std::shared_ptr<DeskWriter> writer_ = std::make_shared<DeskWriter>();
  std::optional<std::chrono::steady_clock::time_point> changed_;  // when the desk last changed after it was written
  std::size_t own_mail_ = 0;
  bool writing_ = false;
  bool reading_ = false;                  // the kept desk is being read, so it must not be overwritten
  bool foreign_ = false;                  // the kept desk is not the one on the screen: it is set aside, not lost
  bool failed_ = false;                   // writing failed, and the user was told
  std::optional<FileMark> session_mark_;  // mark of the session's file when it was opened or saved
  std::map<std::string, std::string> other_choices_;  // choices of a newer version are kept unchanged
};

}  // namespace warpspy::ui
