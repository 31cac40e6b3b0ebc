#include <imgui.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "core/diagnosis/orders.hpp"
#include "core/diagnosis/predict.hpp"
#include "ui/state/solves.hpp"
#include "ui/views/causes_panel.hpp"
#include "ui/views/lesson_ghosts.hpp"
#include "ui/views/runs_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/terms.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr float kMost = 760;  // longer lines are hard to read
constexpr char kShowWarp[] = "Show the warp";

std::string run_words(const RunRecord& r) {
  return "Run " + run_title(r) + ", " + (r.kernel_label.empty() ? r.request.kernel : r.kernel_label);
}

// The warp that shows a finding best, and in which mode. Time is shown together with the SM's other warps.
struct SeenIn {
  const char* rule;
  WarpMeasure measure;
  WarpView view = WarpView::step;
  // The loads that it is about. Their array is selected in Traffic too, and the warp opens at the step that shows most.
  enum class Of : std::uint8_t { all, x, matrix } of = Of::all;
};
constexpr SeenIn seen_in[] = {{"uncoalesced", WarpMeasure::sectors, WarpView::step, SeenIn::Of::matrix},
                              {"x_misses_l1", WarpMeasure::sectors, WarpView::step, SeenIn::Of::x},
                              {"x_misses_l2", WarpMeasure::sectors, WarpView::step, SeenIn::Of::x},
                              {"l2_bandwidth", WarpMeasure::sectors},
                              {"padding", WarpMeasure::idle, WarpView::step, SeenIn::Of::matrix},
                              {"idle_lanes", WarpMeasure::idle},
                              {"uneven_rows", WarpMeasure::time, WarpView::axis},
                              {"latency", WarpMeasure::time, WarpView::axis},
                              {"atomics", WarpMeasure::time},
                              {"tail", WarpMeasure::time, WarpView::axis},
                              {"issue", WarpMeasure::time, WarpView::axis}};

// The array that is meant: of the matrix's arrays the one with the most sectors. Empty if the run has no traffic by
// array.
std::string array_of(SeenIn::Of of, const RunRecord& r) {
  const Traffic* most = nullptr;
  for (const Traffic& t : r.arrays) {
    const bool meant = of == SeenIn::Of::x ? t.name == "x" : of == SeenIn::Of::matrix && t.name != "x" && t.name != "y";
    if (meant && (!most || t.sectors > most->sectors)) most = &t;
  }
  return most ? most->name : "";
}

// What limits the selected run: findings and what to try, the causes of its time, and why another run is faster.
class DiagnosisTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const auto r = s.run(s.selected_run);
    if (!r || r->status != RunStatus::ok) {
      const bool failed = r != nullptr;
      if (empty_state(l, failed ? "This run failed" : "No run is selected",
                      failed ? r->error : "What limits a run is told here, with what to try and what that should give.",
                      s.can_run() ? "Run" + keys_behind(s, ui.commands, "run.start") : std::string()))
        ui.out(StartRun{});
      return;
    }
    const float width = std::min(ImGui::GetContentRegionAvail().x, l.u(kMost));
    label(l, Face::bold, 18, l.palette->ink, run_words(*r) + " on " + r->matrix_name);
    caption(l, params_text(s, *r) + (params_text(s, *r).empty() ? "" : "; ") + name_of(r->request.precision) + ", " +
                   name_of(r->request.cache_state) + ", " + r->device_name + "; " + real_text(r->time.value) +
                   " \xC2\xB5s, " + warpspy::name_of(r->time.provenance));
    prediction(s, l, *r);
    order(s, l, *r, width);
    gap(l, 10);
    findings(s, ui, *r, width);
    draw_causes(s, ui, *r, width);
    if (s.comparing.size() >= 2) draw_difference(s, ui, width);
    ImGui::Dummy(ImVec2(1, 1));
  }

 private:
  // The gain that an earlier run predicted for this one.
  static void prediction(const AppState& s, const Look& l, const RunRecord& r) {
    const auto& all = s.runs.all();
    for (auto before = all.rbegin(); before != all.rend(); ++before) {
      if ((*before)->id >= r.id) continue;
      const CheckedPrediction kept = prediction_of(**before, r);
      if (kept.text.empty()) continue;
      gap(l, 4);
      label(l, Face::ui, 13, kept.inside ? l.palette->ink : l.palette->warning,
            "Run " + run_title(**before) + " " + kept.text);
      return;
    }
  }

  // Why the caches hit as they do, beside the newest run of the same with the rows in another order.
  static void order(const AppState& s, const Look& l, const RunRecord& r, float width) {
    if (s.comparing.size() >= 2) return;  // then the difference says it
    const auto& all = s.runs.all();
    const auto other = std::find_if(all.rbegin(), all.rend(), [&](const auto& o) { return differ_in_order(*o, r); });
    if (other == all.rend()) return;
    const std::string words = order_difference(**other, r);
    if (words.empty()) return;
    gap(l, 4);
    const FontScope font(*l.fonts, Face::ui, 13);
    paragraph(l, l.palette->ink, "Beside run " + run_title(**other) + " on " + (*other)->matrix_name + ". " + words,
              width);
  }

  static void findings(const AppState& s, Ui& ui, const RunRecord& r, float width) {
    const Look& l = ui.look;
    const auto& all = s.runs.all();
    const std::vector<Finding> told = findings_of(s, r);
    // A live run on a real GPU is measured again and again, and its limits are not searched.
    const bool looked_at = !s.knobs.live || r.provenance == Provenance::modelled;
    const bool looking = s.run_job != nullptr && looked_at && !all.empty() && all.back()->id == r.id;
    if (told.empty()) {
      paragraph(l, l.palette->muted,
                looking ? std::string("Looking for what limits it\xE2\x80\xA6") : findings_text(r));
      if (!looking) ask(s, ui, r);
      gap(l, 12);
      return;
    }
    for (std::size_t k = 0; k < told.size(); ++k) {
      ImGui::PushID(static_cast<int>(k));
      finding(s, ui, r, told[k], k, width);
      ImGui::PopID();
    }
    if (looking)
      caption(l,
              "The model of the GPU is asked what each change would give\xE2\x80\xA6 until it answers, gains are "
              "estimates.");
    else if (more_to_say(r))
      ask(s, ui, r);
    const auto gains = std::count_if(told.begin(), told.end(), [](const Finding& f) { return f.gain.has_value(); });
    if (gains > 1) caption(l, "Gains overlap: they do not add up.");
    std::string words;
    for (const Finding& f : told) words += f.limit + " " + f.evidence + " " + f.advice + " ";
    gap(l, 4);
    term_row(l, words);
    gap(l, 14);
  }

  // Whether the model of the GPU could find more.
  static bool more_to_say(const RunRecord& r) {
    return std::any_of(r.findings.begin(), r.findings.end(), [&](const Finding& f) {
      if (f.kind == Finding::Kind::cannot_tell) return r.provenance != Provenance::modelled;
      return f.gain && f.gain->from == Gain::From::roof && !f.changes.empty() && f.changes.front().reorder.empty();
    });
  }

  static void ask(const AppState& s, Ui& ui, const RunRecord& r) {
    const OpenMatrix* m = matrix_of(s, r);
    const bool open = m && m->matrix, free = s.run_job == nullptr;
    if (button(ui.look, "Ask the model", Weight::plain, 0, open && free)) ui.out(FindLimits{r.id});
    tip(ui.look, !open   ? "The matrix of this run is not open."
                 : !free ? "A run is under way."
                         : "Runs what the findings suggest on the model of the GPU, and says what each gives.");
  }

  static void finding(const AppState& s, Ui& ui, const RunRecord& r, const Finding& f, std::size_t k, float width) {
    const Look& l = ui.look;
    const Palette& p = *l.palette;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    auto* list = ImGui::GetWindowDrawList();
    draw_text(l, list, at, Face::mono, 13, p.muted, std::to_string(k + 1));
    const float words = width - l.u(22);
    ImGui::Indent(l.u(22));
    {
      const FontScope font(*l.fonts, Face::bold, 14);
      paragraph(l, p.ink, f.limit, words);
    }
    const FontScope font(*l.fonts, Face::ui, 13);
    if (const int place = predicted_place(s, f.rule); place > 0)
      label(l, Face::bold, 13, p.ink, "you: place " + std::to_string(place));
    paragraph(l, p.muted, f.evidence, words);
    tip(l, std::string("Evidence: ") + warpspy::name_of(f.provenance) + ".");
    if (!f.advice.empty()) paragraph(l, p.ink, f.advice, words);
    gap(l, 2);
    const ImVec2 buttons = ImGui::GetCursorScreenPos();
    if (!f.changes.empty()) change(s, ui, r, k);
    // At the right of the change if there is room, else below it.
    const float beside = at.x + width - text_width(l, Face::ui, 13, kShowWarp) - l.u(16);
    const ImVec2 below = ImGui::GetCursorScreenPos();
    const bool fits = !f.changes.empty() && beside > buttons.x + l.u(480);
    if (fits) ImGui::SetCursorScreenPos(ImVec2(beside, buttons.y));
    show_warp(s, ui, r, f);
    if (fits) ImGui::SetCursorScreenPos(below);
    ImGui::Unindent(l.u(22));
    gap(l, 8);
    const ImVec2 end = ImGui::GetCursorScreenPos();
    list->AddLine(end, ImVec2(end.x + width, end.y), u32(p.hairline));
    gap(l, 10);
  }

  static void show_warp(const AppState& s, Ui& ui, const RunRecord& r, const Finding& f) {
    const auto seen =
        std::find_if(std::begin(seen_in), std::end(seen_in), [&](const SeenIn& i) { return f.rule == i.rule; });
    if (seen == std::end(seen_in)) return;
    const std::string why = why_no_warp(s);
    if (button(ui.look, kShowWarp, Weight::quiet, 0, why.empty())) {
      WarpWanted wanted;
      wanted.by = WarpWanted::By::worst;
      wanted.measure = seen->measure;
      ui.out(SelectPart{array_of(seen->of, r), s.line});
      ui.out(ShowWarp{wanted});
      ui.out(SetWarpView{seen->view});
    }
    tip(ui.look,
        why.empty() ? std::string("The worst warp by ") + name_of(seen->measure) + ", step by step: where this is seen."
                    : why);
  }

  // The button, the predicted gain, and the actual gain.
  static void change(const AppState& s, Ui& ui, const RunRecord& r, std::size_t k) {
    const Look& l = ui.look;
    const Finding& f = r.findings[k];
    const Change& c = f.changes.front();
    if (const auto before = same_change_before(r.findings, k)) {
      label(l, Face::ui, 13, l.palette->muted, "The same change as in " + std::to_string(*before + 1) + ":");
    } else {
      if (button(l, "Try it", Weight::plain)) ui.out(TryFinding{r.id, k});
      const KernelInfo* kernel = s.catalog->kernel(c.kernel);
      tip(l, c.reorder.empty() ? "Runs " + c.text + " and compares the two." + (kernel ? "\n" + kernel->help : "")
                               : "Reorders the matrix, runs the same kernel on it, and compares the two.");
    }
    ImGui::SameLine();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    auto* list = ImGui::GetWindowDrawList();
    const float room = ImGui::GetContentRegionAvail().x;
    const float w = draw_text(l, list, ImVec2(at.x, at.y + l.u(4)), Face::bold, 13, l.palette->ink, c.text, room);
    const std::string gain = gain_text(f);
    const bool fits = w + l.u(10) + text_width(l, Face::ui, 13, gain) <= room;
    if (fits) draw_text(l, list, ImVec2(at.x + w + l.u(10), at.y + l.u(4)), Face::ui, 13, l.palette->muted, gain);
    ImGui::NewLine();
    if (!fits) paragraph(l, l.palette->muted, gain);  // half a number would be another one
    for (auto later = s.runs.all().rbegin(); later != s.runs.all().rend(); ++later) {
      const auto actual = actual_gain(f, r, **later);
      if (!actual) continue;
      label(l, Face::ui, 13, actual->inside ? l.palette->ink : l.palette->warning,
            "Tried, run " + run_title(**later) + ": " + actual_gain_text(*actual));
      return;
    }
  }
};

}  // namespace

extern const ViewRow diagnosis_tab = {
    .id = "diagnosis",
    .label = "Diagnosis",
    .place = Place::tab,
    .group = Topic::why,
    .help = "What limits the selected run, what to try, and what that should give.",
    .scrolls = true,
    .make = make<DiagnosisTab>,
};

}  // namespace warpspy::ui
