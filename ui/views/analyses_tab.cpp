#include <imgui.h>

#include <algorithm>

#include "core/plot/analysis_figures.hpp"
#include "core/plot/text.hpp"
#include "ui/platform/compat.hpp"
#include "ui/views/figure_view.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/panel.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// The papers' analyses: which one, its subject, its figure, and its formulas with numbers.
class AnalysesTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const AnalysisRow& row = analysis_row(s.analysis.id);
    const auto found = s.analyses.find(s.analysis.id);
    const Analysing* a = found == s.analyses.end() ? nullptr : &found->second;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = room_at_least(l, 480);
    controls(s, ui, row, a, room.x);
    const float top = ImGui::GetCursorScreenPos().y - at.y + l.u(6);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + top));
    if (!a || !a->figure) {
      if (a && a->job) {
        empty_state(l, "Running", "Runs needed: " + row.info.needs + ".");
      } else if (empty_state(
                     l, a && !a->problem.empty() ? "It could not be made" : row.info.label,
                     a && !a->problem.empty() ? a->problem : row.info.help + " Runs needed: " + row.info.needs + ".",
                     can_start(s) ? "Run the analysis" : "")) {
        ui.out(StartAnalysis{});
      }
      return;
    }
    const float rest = std::max(room.y - top, l.u(380)), text = std::min(l.u(230), rest * 0.34f);
    // Its foot stands below, whole.
    const auto hit =
        draw_figure(ui, *a->figure, ImVec2(room.x, rest - text), "analysis", {.titles = false, .foot = false});
    if (hit && hit->id <= a->result->subjects.size()) select(s, ui, a->result->subjects[hit->id - 1]);
    const float y = at.y + top + rest - text + l.u(4);
    ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, y), ImVec2(at.x + room.x, y), u32(l.palette->hairline));
    ImGui::SetCursorScreenPos(ImVec2(at.x, y + l.u(8)));
    ImGui::BeginChild("formulas", ImVec2(room.x, text - l.u(12)), false);
    formulas(l, row, *a);
    end_child();
  }

 private:
  // Selects the run that a mark shows: the newest of its kernel in this session; else selects the kernel.
  static void select(const AppState& s, Ui& ui, const AnalysisSubject& subject) {
    if (subject.runs.empty() || !subject.runs.front().record) return;
    const RunRequest& asked = subject.runs.front().record->request;
    const auto& all = s.runs.all();
    const auto found = std::find_if(all.rbegin(), all.rend(), [&](const auto& r) {
      return r->request.kernel == asked.kernel && r->request.matrix == asked.matrix &&
             r->request.device == asked.device && r->status == RunStatus::ok && !s.on_trail(r->id);
    });
    if (found != all.rend()) return ui.out(SelectRun{(*found)->id});
    ui.out(SetKernel{asked.kernel});
    ui.out(Notify{
        {Message::Kind::note, subject.label + " has no run of its own yet: it is chosen for the next one.", "", 0}});
  }

  static bool can_start(const AppState& s) {
    return s.current() && s.current()->matrix && s.device() && s.device()->available;
  }

  static void controls(const AppState& s, Ui& ui, const AnalysisRow& row, const Analysing* a, float width) {
    const Look& l = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    std::vector<Choice> choices;
    int chosen = 0;
    for (const AnalysisRow& r : analyses()) {
      if (r.info.id == s.analysis.id) chosen = static_cast<int>(choices.size());
      choices.push_back({r.info.label, r.info.source, true, r.info.help + "\n" + r.info.formula});
    }
    const float list = std::min(l.u(330), width * 0.45f);
    ImGui::BeginChild("which", ImVec2(list, l.u(34)), false, ImGuiWindowFlags_NoScrollbar);
    const int picked = choose(l, "analysis", choices, chosen);
    end_child();
    if (picked >= 0) {
      auto next = s.analysis;
      next.id = analyses()[static_cast<std::size_t>(picked)].info.id;
      ui.out(SetAnalysis{next});
    }
    ImGui::SetCursorScreenPos(ImVec2(at.x + list + l.u(12), at.y));
    const bool under_way = a && a->job;
    const float run = l.u(96);
    if (under_way) {
      if (button(l, "Cancel", Weight::plain, run)) ui.out(CancelJob{a->job->id});
    } else {
      if (button(l, "Run", Weight::primary, run, can_start(s))) ui.out(StartAnalysis{});
      tip(l, "Executes the runs that this needs: " + row.info.needs + ".");
    }
    const std::vector<std::string> words = {"chosen kernel", "kernels of the runs"};
    const float at_words = list + run + l.u(28);
    const bool below = row.kernel.empty() && at_words + segments_width(l, words) > width;
    if (row.kernel.empty()) {
      ImGui::SetCursorScreenPos(below ? ImVec2(at.x, at.y + l.u(40)) : ImVec2(at.x + at_words, at.y + l.u(4)));
      const int k = segments(l, "kernels", words, static_cast<int>(s.analysis.kernels));
      tip(l, "Which kernels the next analysis runs: the one of the run panel, or all that ran on this matrix before.");
      if (k >= 0) {
        auto next = s.analysis;
        next.kernels = static_cast<AnalysisSettings::Kernels>(k);
        ui.out(SetAnalysis{next});
      }
    }
    if (under_way) {
      ImGui::SetCursorScreenPos(ImVec2(at.x + list + l.u(12), at.y + l.u(29)));
      progress_bar(l, run, a->job->progress.fraction());
    }
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(below ? 68 : 38)));
    params(s, ui, row, width);
    if (a && a->figure) caption(l, a->figure->subtitle);
  }

  // The parameters of the analysis, in as many columns as fit. Changing one starts no run.
  static void params(const AppState& s, Ui& ui, const AnalysisRow& row, float width) {
    const Look& l = ui.look;
    if (row.info.params.empty()) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float gap_x = l.u(20), each = l.u(200);
    const int columns = std::max(1, static_cast<int>((width + gap_x) / (each + gap_x)));
    float bottom = at.y, row_top = at.y;
    int k = 0;
    for (const ParamSpec& spec : row.info.params) {
      if (k > 0 && k % columns == 0) row_top = bottom;
      const float x = at.x + static_cast<float>(k % columns) * (each + gap_x);
      ImGui::SetCursorScreenPos(ImVec2(x, row_top));
      ImGui::BeginChild(spec.id.c_str(), ImVec2(each, l.u(54)), false, ImGuiWindowFlags_NoScrollbar);
      double value = param_value(s.analysis.params, row.info.id, spec);
      if (knob(l, spec, value)) {
        auto next = s.analysis;
        next.params[row.info.id][spec.id] = value;
        ui.out(SetAnalysis{next});
      }
      end_child();
      bottom = std::max(bottom, row_top + l.u(58));
      ++k;
    }
    ImGui::SetCursorScreenPos(ImVec2(at.x, bottom));
  }

  static void formulas(const Look& l, const AnalysisRow& row, const Analysing& a) {
    heading(l, row.info.formula, row.info.help + "\n" + row.info.source);
    const auto& r = *a.result;
    for (std::size_t k = 0; k < r.subjects.size(); ++k) {
      gap(l, 4);
      label(l, Face::bold, 13, l.palette->ink, r.subjects[k].label);
      for (const AnalysisValue& v : r.values) {
        if (v.subject != k || v.worked.empty()) continue;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        draw_provenance(l, ImGui::GetWindowDrawList(), ImVec2(at.x + l.u(6), at.y + l.u(9)), l.u(4), v.provenance,
                        l.palette->muted);
        ImGui::SetCursorScreenPos(ImVec2(at.x + l.u(16), at.y));
        paragraph(l, l.palette->ink, plot::with_micro(v.worked) + " (" + warpspy::name_of(v.provenance) + ")");
      }
    }
    for (const std::string& line : plot::unavailable_lines(r)) caption(l, line);
  }
};

}  // namespace

extern const ViewRow analyses_tab = {
    .id = "analyses",
    .label = "Analyses",
    .place = Place::tab,
    .group = Topic::why,
    .help = "The papers' analyses of this matrix, with their formulas.",
    .scrolls = true,
    .make = make<AnalysesTab>,
};

}  // namespace warpspy::ui
