#include "ui/services/desk/undo.hpp"

#include "core/base/cases.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

namespace {

std::string name_of_matrix(const AppState& s, MatrixId id) {
  const auto* m = s.matrix(id);
  return m ? m->name : "a matrix";
}

std::string label_of_param(const std::vector<ParamSpec>& specs, const std::string& id) {
  for (const ParamSpec& p : specs)
    if (p.id == id) return p.label;
  return id;
}

}  // namespace

UndoState undo_state(const AppState& s) {
  UndoState u;
  for (const OpenMatrix& m : s.matrices) {
    u.matrices.push_back({m.id, m.original, m.recipe, m.name, m.file});
    u.cameras[m.id] = m.camera;
  }
  u.selected = s.selected;
  u.choices = undone_choices(s);
  u.kernel_params = s.knobs.kernel_params, u.format_params = s.knobs.format_params;
  u.analysis_params = s.analysis.params;
  if (const auto& h = s.highlight) u.marked = {h->lo, h->hi, h->first, h->past};
  u.comparing = s.comparing;
  return u;
}

std::optional<UndoName> undo_name(const Action& action, const AppState& s) {
  using Name = std::optional<UndoName>;
  const auto plain = [](const char* label) { return Name({label, label}); };
  return action.visit(Cases{
      [&](const SetChoice& a) -> Name {
        const ChoiceRow* row = choice_row(a.id);
        return row && row->label ? plain(row->label) : std::nullopt;
      },
      [&](const SetParam& a) -> Name {
        const bool of_kernel = a.of == SetParam::Of::kernel;
        const auto* k = s.kernel();
        const auto* f = s.format();
        const std::string owner = of_kernel ? s.knobs.kernel : (f ? f->id : "");
        const std::string label =
            of_kernel ? (k ? label_of_param(k->params, a.id) : a.id) : (f ? label_of_param(f->params, a.id) : a.id);
        return UndoName{label, (of_kernel ? "kernel " : "format ") + owner + " " + a.id};
      },
      [&](const SetFormatParam& a) -> Name {
        return UndoName{label_of_param(format_row(a.format).info.params, a.id), "format " + a.format + " " + a.id};
      },
      [&](const SetCamera& a) -> Name { return UndoName{"zoom", "zoom " + std::to_string(a.matrix)}; },
      [&](const CloseMatrix& a) -> Name {
        const std::string label = "closing " + name_of_matrix(s, a.id);
        return UndoName{label, "close " + std::to_string(a.id)};
      },
      [&](const SelectMatrix&) { return plain("shown matrix"); }, [&](const SetDevice&) { return plain("device"); },
      [&](const SetKernel&) { return plain("kernel"); }, [&](const SetMemory&) { return plain("memory limit"); },
      [&](const UseParams&) { return plain("tuned parameters"); },
      [&](const SetHighlight&) { return plain("marked rows"); }, [&](const ShowTab&) { return plain("tab"); },
      [&](const SetPanes&) { return plain("panels"); }, [&](const CompareRuns&) { return plain("comparison"); },
      [&](const SetAnalysis&) { return plain("analysis"); }, [](const auto&) -> Name { return std::nullopt; }});
}

void UndoStack::record(const UndoName& name, const UndoState& before, const UndoState& after) {
  if (before == after) return;
  undone_.clear();
  Step* last = done_.empty() ? nullptr : &done_.back();
  if (last && (last->frame == frame_ || (open_ && last->name.key == name.key))) {
    last->after = after;
    last->frame = frame_;
  } else {
    done_.push_back({name, before, after, frame_});
    if (done_.size() > kMostSteps) done_.erase(done_.begin());
  }
  open_ = true;
}

std::optional<UndoStack::Move> UndoStack::undo() {
  if (done_.empty()) return std::nullopt;
  end_step();
  next_frame();
  undone_.push_back(std::move(done_.back()));
  done_.pop_back();
  return Move{undone_.back().after, undone_.back().before};
}

std::optional<UndoStack::Move> UndoStack::redo() {
  if (undone_.empty()) return std::nullopt;
  end_step();
  next_frame();
  done_.push_back(std::move(undone_.back()));
  undone_.pop_back();
  return Move{done_.back().before, done_.back().after};
}

}  // namespace warpspy::ui
