// Steps that can be taken back: what each changed of the state, before and after. Pure data; the session applies it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/state/actions.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

// The part of the state that undo knows. What runs on a device leaves runs, which stay.
struct UndoState {
  // A matrix as it is opened again: its data is not held on to, since memory is why it was closed.
  struct Matrix {
    MatrixId id = 0, original = 0;
    MatrixRecipe recipe;
    std::string name;
    std::optional<FileMark> file;
    bool operator==(const Matrix& o) const { return id == o.id; }  // all else of it follows
  };
  std::vector<Matrix> matrices;  // in their order
  std::map<MatrixId, Camera> cameras;
  MatrixId selected = 0;
  std::map<std::string, std::string> choices;  // by row (choice_rows.hpp)
  std::map<std::string, ParamSet> kernel_params, format_params, analysis_params;
  SetHighlight marked;
  std::vector<std::shared_ptr<const RunRecord>> comparing;
  bool operator==(const UndoState&) const = default;
};
UndoState undo_state(const AppState& s);

// How a step is called ("Threads per row"), and by what two of them are one: a drag sends many.
struct UndoName {
  std::string label, key;
};
// Nothing: the action is not one to be taken back.
std::optional<UndoName> undo_name(const Action& a, const AppState& s);

class UndoStack {
 public:
  // Nothing is kept where the two are the same. A step of the key of the last one joins it, until end_step(); so do all
  // steps of one frame.
  void record(const UndoName& name, const UndoState& before, const UndoState& after);
  void end_step() { open_ = false; }
  void next_frame() { ++frame_; }

  // From which state to which; nothing: there is no step. Only what differs between the two is to be applied.
  struct Move {
    UndoState from, to;
  };
  std::optional<Move> undo();
  std::optional<Move> redo();
  std::string undo_label() const { return done_.empty() ? "" : done_.back().name.label; }
  std::string redo_label() const { return undone_.empty() ? "" : undone_.back().name.label; }

 private:
  struct Step {
    UndoName name;
    UndoState before, after;
    std::uint64_t frame = 0;
  };
  std::vector<Step> done_, undone_;
  std::uint64_t frame_ = 0;
  bool open_ = false;
};
inline constexpr std::size_t kMostSteps = 200;

}  // namespace warpspy::ui
