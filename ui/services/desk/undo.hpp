// Steps that can be undone: what each step changed in the state, before and after. This is plain data; the session
// applies it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/state/actions.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

// The part of the state that undo restores. Runs are never undone.
struct UndoState {
  // Holds what is needed to open a matrix again. Its data is not kept, since a user closes a matrix to free memory.
  struct Matrix {
    MatrixId id = 0, original = 0;
    MatrixRecipe recipe;
    std::string name;
    std::optional<FileMark> file;
    bool operator==(const Matrix& o) const { return id == o.id; }  // the other members follow from the id
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

// The name of a step ("Threads per row"), and a key: steps with the same key are one step, since a drag sends many
// actions.
struct UndoName {
  std::string label, key;
};
// Returns nothing if the action cannot be undone.
std::optional<UndoName> undo_name(const Action& a, const AppState& s);

class UndoStack {
 public:
  // Records a step if the two states differ. A step with the key of the last step joins it, until end_step(); all steps
  // of one frame are joined too.
  void record(const UndoName& name, const UndoState& before, const UndoState& after);
  void end_step() { open_ = false; }
  void next_frame() { ++frame_; }

  // The two states of a step; nothing if there is no step. Only their differences must be applied.
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
