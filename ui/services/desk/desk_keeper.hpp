// The desk between two starts, and sessions in files: what is open, how it is looked at, which runs lie on it.
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
  // Who has a part of what is brought back, or forgotten.
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

  // Takes a place among the windows that run, and brings back or offers what lies there.
  void begin();
  // bring_back.cpp: what was read of a desk, onto the one that is there
  void bring_back(DeskRead read, const DeskRunsFound& runs, const std::string& what);

  // What is on the screen becomes this desk, of which what is open already stays open.
  void show(const Desk& desk);

  void note_change();
  void frame();      // a desk that rests for a moment is written, in a job
  void keep_last();  // at the end of the program
  bool due() const { return changed_ && may_keep() && options_.autosave_s <= 0; }
  std::optional<double> due_in_s() const;
  // How many results of its own jobs came: they are no news for the desk.
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
  std::optional<std::chrono::steady_clock::time_point> changed_;  // since it was written
  std::size_t own_mail_ = 0;
  bool writing_ = false;
  bool reading_ = false;                  // what is kept is just being read: it is not written over
  bool foreign_ = false;                  // what is kept is not what is on the screen: it makes room, but is not lost
  bool failed_ = false;                   // to write it, and it was said
  std::optional<FileMark> session_mark_;  // of the session's file, as it was opened or saved
  std::map<std::string, std::string> other_choices_;  // of a later program: kept as they are
};

}  // namespace warpspy::ui
