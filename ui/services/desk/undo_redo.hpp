// Undo and redo: they change the state by the same handlers as the user's actions.
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
  // One step of undo: all actions of a frame, and actions of one kind until the mouse or key is released.
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
