// Undo and redo: the way from one state to another, by the same handlers that brought it about.
#pragma once

#include "ui/services/desk/undo.hpp"
#include "ui/services/runs/runs.hpp"
#include "ui/services/service.hpp"
#include "ui/services/workspace/workspace.hpp"

namespace warpspy::ui {

class UndoRedo : public Service {
 public:
  UndoRedo(const ServiceContext& c, Workspace& workspace, Runs& runs)
      : Service(c), workspace_(workspace), runs_(runs) {}

  void on(const Undo&);
  void on(const Redo&);

  void record(const UndoName& name, const UndoState& before);
  void tell_labels();
  // What undo takes back at once: all actions of a frame, and those of a kind until the hand rests.
  void next_frame() { stack_.next_frame(); }
  void end_step() { stack_.end_step(); }
  void forget();

 private:
  void go(const UndoState& from, const UndoState& to);
  void reopen(const UndoState& to, std::size_t k);

  Workspace& workspace_;
  Runs& runs_;
  UndoStack stack_;
};

}  // namespace warpspy::ui
