#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/diagnosis/predict.hpp"
#include "ui/views/roofline_panel.hpp"
#include "ui/views/runs_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/terms.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr float kMost = 760;  // longer lines are hard to read

std::string run_words(const RunRecord& r) {
  return "Run " + number_text(r.id) + ", " + (r.kernel_label.empty() ? r.request.kernel : r.kernel_label);
}

Color hue_of(Cause c) {
  constexpr Color colors[cause_count] = {plot::kDram,    plot::kL2,     plot::kL2,      plot::kL1,    plot::kCompute,
                                         plot::kCompute, plot::kShared, plot::kCompute, plot::kShared};
  return colors[static_cast<std::size_t>(c)];
}

// What limits the selected run: findings with what to try, what the time is made of, and why another run is faster.
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
    gap(l, 10);
    findings(s, ui, *r, width);
    time(s, ui, *r, width);
    if (s.comparing.size() >= 2) difference(s, ui, width);
    ImGui::Dummy(ImVec2(1, 1));
  }

 private:
  static void findings(const AppState& s, Ui& ui, const RunRecord& r, float width) {
    const Look& l = ui.look;
    if (r.findings.empty()) {
      const bool looking = s.run_job != nullptr && !s.knobs.live;
      paragraph(l, l.palette->muted,
                looking          ? "Looking for what limits it\xE2\x80\xA6"
                : r.request.live ? "A run that follows a slider is not looked at: press Run to know what limits it."
                                 : "Nothing stands out: no change is known that gives more than the noise.");
      gap(l, 12);
      return;
    }
    for (std::size_t k = 0; k < r.findings.size(); ++k) {
      ImGui::PushID(static_cast<int>(k));
      finding(s, ui, r, k, width);
      ImGui::PopID();
    }
    const auto gains =
        std::count_if(r.findings.begin(), r.findings.end(), [](const Finding& f) { return f.gain.has_value(); });
    if (gains > 1) caption(l, "Gains overlap: they do not add up.");
    std::string words;
    for (const Finding& f : r.findings) words += f.limit + " " + f.evidence + " " + f.advice + " ";
    gap(l, 4);
    term_row(l, words);
    gap(l, 14);
  }

  static void finding(const AppState& s, Ui& ui, const RunRecord& r, std::size_t k, float width) {
    const Look& l = ui.look;
    const Palette& p = *l.palette;
    const Finding& f = r.findings[k];
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
    paragraph(l, p.muted, f.evidence, words);
    tip(l, std::string("Evidence: ") + warpspy::name_of(f.provenance) + ".");
    if (!f.advice.empty()) paragraph(l, p.ink, f.advice, words);
    if (!f.changes.empty()) change(s, ui, r, k);
    ImGui::Unindent(l.u(22));
    gap(l, 8);
    const ImVec2 end = ImGui::GetCursorScreenPos();
    list->AddLine(end, ImVec2(end.x + width, end.y), u32(p.hairline));
    gap(l, 10);
  }

  // The button, what it should give, and what it gave.
  static void change(const AppState& s, Ui& ui, const RunRecord& r, std::size_t k) {
    const Look& l = ui.look;
    const Finding& f = r.findings[k];
    const Change& c = f.changes.front();
    gap(l, 2);
    if (button(l, "Try it", Weight::plain)) ui.out(TryFinding{r.id, k});
    tip(l, c.reorder.empty() ? "Runs " + c.text + " and compares the two." : "Reorders the matrix; then press Run.");
    ImGui::SameLine();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    auto* list = ImGui::GetWindowDrawList();
    const float w = draw_text(l, list, ImVec2(at.x, at.y + l.u(4)), Face::bold, 13, l.palette->ink, c.text);
    draw_text(l, list, ImVec2(at.x + w + l.u(10), at.y + l.u(4)), Face::ui, 13, l.palette->muted, gain_text(f));
    ImGui::NewLine();
    for (auto later = s.runs.all().rbegin(); later != s.runs.all().rend(); ++later) {
      const auto outcome = outcome_of(f, r, **later);
      if (!outcome) continue;
      label(l, Face::ui, 13, outcome->inside ? l.palette->ink : l.palette->warning,
            "Tried, run " + number_text((*later)->id) + ": " + real_text(outcome->us) + " \xC2\xB5s, " +
                real_text(outcome->times, 3) + "x" + (outcome->inside ? ", as said" : ", not as said"));
      return;
    }
  }

  // What the time is made of: a bar of its causes.
  static void time(const AppState& s, Ui& ui, const RunRecord& r, float width) {
    const Look& l = ui.look;
    const auto* gpu = modelled_device(r, *s.catalog);
    const auto causes = gpu ? causes_of(r, gpu->spec) : std::nullopt;
    if (!causes) return;
    heading(l, "What the time is made of",
            "Each cause alone would take less; together they overlap in part. Their squares are shared out, so that "
            "the parts add up to the product's time. Modelled, but for what counters tell.");
    gap(l, 2);
    auto* list = ImGui::GetWindowDrawList();
    for (const CauseRow& row : cause_rows) {
      const double share = causes->share(row.cause);
      if (share < 0.01) continue;
      bar(l, list, row, share, real_text(causes->us(row.cause), 3) + " \xC2\xB5s, " + percent_text(share), width);
    }
    gap(l, 14);
  }

  static void bar(const Look& l, ImDrawList* list, const CauseRow& row, double share, const std::string& words,
                  float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float name = l.u(190), most = std::max(l.u(60), width - name - l.u(120));
    draw_text(l, list, at, Face::ui, 13, l.palette->ink, row.words, name - l.u(8));
    const float w = std::max(1.f, most * static_cast<float>(std::min(1.0, share)));
    list->AddRectFilled(ImVec2(at.x + name, at.y + l.u(3)), ImVec2(at.x + name + w, at.y + l.u(14)),
                        u32(hue_of(row.cause)), l.u(2));
    draw_text(l, list, ImVec2(at.x + name + w + l.u(8), at.y), Face::ui, 13, l.palette->muted, words);
    ImGui::Dummy(ImVec2(width, l.u(19)));
  }

  // From a line in the middle: less to the left, more to the right. `part` of the largest, -1 to 1.
  static void signed_bar(const Look& l, ImDrawList* list, const CauseRow& row, double part, const std::string& words,
                         float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float name = l.u(190), number = l.u(80), most = std::max(l.u(40), (width - name - 2 * number) / 2);
    const float zero = at.x + name + number + most, end = zero + most * static_cast<float>(part);
    draw_text(l, list, at, Face::ui, 13, l.palette->ink, row.words, name - l.u(8));
    list->AddRectFilled(ImVec2(std::min(zero, end), at.y + l.u(3)), ImVec2(std::max(zero, end), at.y + l.u(14)),
                        u32(hue_of(row.cause)), l.u(2));
    list->AddLine(ImVec2(zero, at.y - l.u(2)), ImVec2(zero, at.y + l.u(18)), u32(l.palette->outline));
    const float beside = part < 0 ? end - l.u(8) - text_width(l, Face::ui, 13, words) : end + l.u(8);
    draw_text(l, list, ImVec2(beside, at.y), Face::ui, 13, l.palette->muted, words);
    ImGui::Dummy(ImVec2(width, l.u(19)));
  }

  // The baseline and the run that was compared with it last.
  static void difference(const AppState& s, Ui& ui, float width) {
    const Look& l = ui.look;
    const RunRecord &a = *s.comparing.front(), &b = *s.comparing.back();
    const auto *gpu_a = modelled_device(a, *s.catalog), *gpu_b = modelled_device(b, *s.catalog);
    const auto of_a = gpu_a ? causes_of(a, gpu_a->spec) : std::nullopt;
    const auto of_b = gpu_b ? causes_of(b, gpu_b->spec) : std::nullopt;
    heading(
        l, "Why one is faster",
        "The difference of the two runs' times, cause by cause: what the second takes less (to the left) or more than "
        "the first. The parts add up to it.");
    if (!of_a || !of_b) return caption(l, "One of the two runs does not tell what its time is made of.");
    const auto d = time_difference(a, *of_a, b, *of_b);
    if (!d) return;
    {
      const FontScope font(*l.fonts, Face::ui, 13);
      paragraph(l, l.palette->ink, d->sentence, width);
    }
    gap(l, 4);
    auto* list = ImGui::GetWindowDrawList();
    const double most = std::max(1e-9, std::abs(d->causes.front().us));
    for (const CauseDifference& c : d->causes)
      if (std::abs(c.us) > 0.02 * most)
        signed_bar(l, list, cause_rows[static_cast<std::size_t>(c.cause)], c.us / most,
                   std::string(c.us < 0 ? "" : "+") + real_text(c.us, 3) + " \xC2\xB5s", width);
  }
};

}  // namespace

extern const ViewRow diagnosis_tab = {
    .id = "diagnosis",
    .label = "Diagnosis",
    .place = Place::tab,
    .help = "What limits the selected run, what to try, and what that should give.",
    .scrolls = true,
    .make = make<DiagnosisTab>,
};

}  // namespace warpspy::ui
