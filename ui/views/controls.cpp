#include "ui/widgets/controls.hpp"

#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "core/catalog/host.hpp"
#include "core/diagnosis/diagnose.hpp"
#include "core/plot/text.hpp"
#include "ui/platform/compat.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/state/parts.hpp"
#include "ui/state/solves.hpp"
#include "ui/views/cover.hpp"
#include "ui/views/parts_controls.hpp"
#include "ui/views/roofline_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

std::string counters_of(const DeviceInfo& d) {
  return d.simulated ? "Its caches, its memory and its time are modelled; counters come from the emulator."
                     : d.counters;
}

// The run panel: device, kernel, parameters, and the button Run.
class Controls final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const float foot = l.u(44);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    // The sentence about the limit stays visible while there is room for it and for some controls.
    const bool pinned = room.y - foot - answer_ >= l.u(220);
    ImGui::BeginChild("knobs", ImVec2(room.x, std::max(l.u(40), room.y - foot - (pinned ? answer_ : 0))), false);
    const float right = l.u(2);  // the scrollbar does not move the controls
    ImGui::PushItemWidth(-right);
    device(s, ui);
    kernel(s, ui);
    draw_parts_controls(s, ui);
    gap(ui.look, 12);
    best(s, ui);
    parameters(s, ui);
    numbers(s, ui);
    if (!pinned) answer(s, ui);
    ImGui::PopItemWidth();
    end_child();
    if (pinned) {
      ImGui::BeginChild("answer", ImVec2(room.x, std::max(1.f, answer_)), false, ImGuiWindowFlags_NoScrollbar);
      answer(s, ui);
      end_child();
    }
    run(s, ui);
  }

 private:
  float answer_ = 0;  // height of the result, as it was last drawn

  static void title(const Look& l, const char* text, const char* help) {
    label(l, Face::ui, 12, l.palette->muted, text);
    tip(l, help);
  }

  static void device(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    heading(l, "Run", "What the next run will be.");
    gap(l, 4);
    title(l, "Device",
          "A GPU of this machine, or a simulated one: the emulator runs the same kernel on a model of it.");
    std::vector<Choice> choices;
    int chosen = -1;
    for (std::size_t k = 0; k < s.catalog->devices.size(); ++k) {
      const auto& d = s.catalog->devices[k];
      if (d.id == s.knobs.device) chosen = static_cast<int>(k);
      const std::string host = host_of(d.id);
      std::string note = d.simulated ? "simulated" : host.empty() ? "this machine" : host;
      if (d.simulated && !host.empty()) note += " on " + host;
      if (!d.available) note = "not available";
      if (d.simulated && d.spec.year > 0) note += ", " + d.spec.architecture + " " + std::to_string(d.spec.year);
      std::string help = d.available ? counters_of(d) : d.reason;
      if (told_how_held(s, d)) help += "\n" + held_text(s.studies.results, d.spec.id) + ".";
      choices.push_back({d.name, note, d.available, help});
    }
    const int k = choose(l, "##device", choices, chosen);
    if (k >= 0) ui.out(SetDevice{s.catalog->devices[static_cast<std::size_t>(k)].id});
    if (const auto* d = s.device()) {
      tip(l, counters_of(*d));
      held(s, l, *d);
    }
    gap(l, 12);
  }

  static bool told_how_held(const AppState& s, const DeviceInfo& d) {
    return d.simulated && !s.studies.results.gpus.empty();
  }

  // How far the model of this GPU was compared with measurements.
  static void held(const AppState& s, const Look& l, const DeviceInfo& d) {
    if (!told_how_held(s, d)) return;
    gap(l, 3);
    const FontScope font(*l.fonts, Face::ui, 12);
    paragraph(l, l.palette->muted, "Model " + held_text(s.studies.results, d.spec.id));
    tip(l, held_help(s.studies.results, d.spec.id));
  }

  static void kernel(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    title(l, "Kernel", "The GPU program that computes y = A x, and with it the storage format.");
    std::vector<Choice> choices;
    int chosen = -1;
    for (std::size_t k = 0; k < s.catalog->kernels.size(); ++k) {
      const auto& info = s.catalog->kernels[k];
      if (info.id == s.knobs.kernel) chosen = static_cast<int>(k);
      const auto* f = s.catalog->format(info.format);
      const std::string reads = info.format.empty() ? "no matrix" : f ? f->label : info.format;
      const std::string why_not = s.device() ? s.catalog->why_not(info, *s.device()) : "";
      choices.push_back({info.label, why_not.empty() ? "" : "not on this device", why_not.empty(),
                         why_not.empty() ? description(info) : why_not, reads});
    }
    const int k = choose(l, "##kernel", choices, chosen);
    if (k >= 0) ui.out(SetKernel{s.catalog->kernels[static_cast<std::size_t>(k)].id});
    if (const auto* info = s.kernel()) tip(l, description(*info));
    if (const auto* f = s.format()) {
      gap(l, 6);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      auto* list = ImGui::GetWindowDrawList();
      draw_text(l, list, at, Face::ui, 12, l.palette->muted, "Format");
      const float w = ImGui::GetContentRegionAvail().x;
      const std::string name = fit_text(l, Face::ui, 12, f->label, w - l.u(56));
      draw_text(l, list, ImVec2(at.x + w - text_width(l, Face::ui, 12, name), at.y), Face::ui, 12, l.palette->ink,
                name);
      ImGui::Dummy(ImVec2(w, l.u(15)));
      tip(l, f->help + (f->source.empty() ? "" : "\n" + f->source));
    }
    gap(l, 12);
  }

  // A click starts the search for a good kernel with good parameters; its result for the shown matrix is below.
  static void best(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    if (covered(s, Covered::best)) return;
    const bool searching = s.tuning && s.tuning->job;
    if (searching && s.tuning->best) {
      if (button(l, "Cancel the search")) ui.out(CancelJob{s.tuning->job->id});
      gap(l, 4);
      progress_bar(l, ImGui::GetContentRegionAvail().x, s.tuning->job->progress.fraction());
      gap(l, 12);
      return;
    }
    if (button(l, "Best for this matrix", Weight::plain, 0, s.can_run() && !searching))
      ui.out(StartTuning{.best = true});
    tip(l, searching
               ? "A search is under way."
               : "Tries the kernels predicted to be fastest on this matrix and device, and sets the fastest here" +
                     keys_behind(s, ui.commands, "tune.best") + ".");
    if (s.tuning && s.tuning->best && s.current() && s.tuning->matrix == s.current()->id) {
      gap(l, 4);
      const FontScope font(*l.fonts, Face::ui, 12);
      paragraph(l, l.palette->muted, verdict_text(*s.tuning->record, "predict", *s.catalog));
    }
    gap(l, 12);
  }

  static void parameters(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    const auto* k = s.kernel();
    const auto* f = s.format();
    const auto draw_set = [&](SetParam::Of of, const std::vector<ParamSpec>& specs, const auto& value_of) {
      ImGui::PushID(static_cast<int>(of));
      for (const auto& spec : specs) {
        double value = value_of(spec);
        if (knob(l, spec, value)) ui.out(SetParam{of, spec.id, value});
        gap(l, 8);
      }
      ImGui::PopID();
    };
    if (f) draw_set(SetParam::Of::format, f->params, [&](const ParamSpec& p) { return shown_param(s, *f, p); });
    if (k)
      draw_set(SetParam::Of::kernel, k->params,
               [&](const ParamSpec& p) { return param_value(s.knobs.kernel_params, k->id, p); });
    if (s.knobs_from.empty()) return;
    caption(l, "Carried over from " + s.knobs_from);
    tip(l,
        "This matrix had no parameters of its own yet: these are as they were set for the other. They become its own "
        "with the first change.");
    if (button(l, "Defaults", Weight::quiet)) ui.out(ResetKnobs{});
    tip(l, "Sets the parameters of kernel and format as they are by default.");
    gap(l, 8);
  }

  static void numbers(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    const auto row = [&](const char* name, const char* id, const std::vector<std::string>& words, int chosen,
                         const char* help) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float w = ImGui::GetContentRegionAvail().x;
      draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(2)), Face::ui, 13, l.palette->ink, name);
      ImGui::SetCursorScreenPos(ImVec2(at.x + w - segments_width(l, words), at.y));
      const int k = segments(l, id, words, chosen);
      tip(l, help);
      return k;
    };
    const int p = row("Precision", "precision", {"f32", "f64"}, static_cast<int>(s.knobs.precision),
                      "Of the values, x and y: 4 or 8 bytes each.");
    if (p >= 0) ui.out(choose("precision", static_cast<Precision>(p)));
    gap(l, 10);
    const int c =
        row("Caches", "caches", {"warm", "cold"}, static_cast<int>(s.knobs.cache_state),
            "Warm: products follow one another, and find in L2 what the one before left there. Cold: L2 holds "
            "nothing of the product that begins (on a real GPU copies of it take turns).");
    if (c >= 0) ui.out(choose("cache state", static_cast<CacheState>(c)));
    if (const auto* d = s.device(); d && !d->simulated && d->available) counters(s, ui, *d);
    const auto* m = s.current();
    if (m && m->matrix && m->matrix->csr->is_complex()) {
      gap(l, 10);
      const int v =
          row("Complex as", "view", {"real part", "modulus"}, static_cast<int>(s.knobs.view),
              "The kernels are real: a complex matrix is run on this real view of it, and the run says which.");
      if (v >= 0) ui.out(choose("real view", static_cast<RealView>(v)));
    }
    gap(l, 8);
  }

  // The hardware counters to read, and their cost: passes, and how long they took last time.
  static void counters(const AppState& s, Ui& ui, const DeviceInfo& d) {
    const Look& l = ui.look;
    gap(l, 10);
    title(l, "Counters", "What is read from the hardware after a run was timed. A set may need several more products.");
    if (!d.access.open) {
      label(l, Face::ui, 13, l.palette->muted, "not readable: " + d.access.obstacle);
      tip(l, d.access.reason + "\n" + d.access.remedy);
      if (button(l, "Copy the remedy")) ui.out(CopyText{d.access.remedy});
      return;
    }
    std::vector<Choice> choices = {{"None", "times only", true, "The roofline shows the least bytes of the format."}};
    int chosen = 0;
    for (const auto& set : s.catalog->counter_sets) {
      if (set.id == s.knobs.counters) chosen = static_cast<int>(choices.size());
      std::string cost;
      if (const auto at = d.access.passes.find(set.id); at != d.access.passes.end())
        cost = std::to_string(at->second) + (at->second == 1 ? " pass" : " passes");
      for (auto run = s.runs.all().rbegin(); run != s.runs.all().rend(); ++run) {
        const auto* ms = (*run)->detail("counter_latency");
        if (!ms || (*run)->device != d.id || (*run)->request.counters != set.id) continue;
        cost += (cost.empty() ? "" : ", ") + real_text(ms->value, 3) + " ms the last time";
        break;
      }
      choices.push_back({set.label, cost, true, set.help});
    }
    const int k = choose(l, "##counters", choices, chosen);
    if (k == 0) ui.out(choose("counters", "none"));
    if (k > 0) ui.out(choose("counters", s.catalog->counter_sets[static_cast<std::size_t>(k - 1)].id));
    tip(l, choices[static_cast<std::size_t>(chosen)].help);
    if (!choices[static_cast<std::size_t>(chosen)].note.empty())
      caption(l, choices[static_cast<std::size_t>(chosen)].note);
    gap(l, 6);
    if (toggle(l, "Source lines", s.knobs.lines)) ui.out(choose("source lines", !s.knobs.lines));
    tip(l,
        "Also count what every source line of the kernel moves, behind the counters: its instructions are patched to "
        "count themselves. Not while Live follows a slider.");
  }

  // The result of the selected run: its speed, and what limits it.
  void answer(const AppState& s, Ui& ui) {
    const float top = ImGui::GetCursorPosY();
    told(s, ui);
    answer_ = ImGui::GetCursorPosY() - top;
  }
  static void told(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    const auto r = s.run(s.selected_run);
    if (!r && !covered(s, Covered::result)) return;
    gap(l, 6);
    hairline(l);
    gap(l, 8);
    if (draw_cover(s, ui, Covered::result)) return;
    heading(l, "Run " + run_title(*r), "The selected run, and what limits it.");
    caption(l, (r->kernel_label.empty() ? r->request.kernel : r->kernel_label) + " on " + r->matrix_name);
    if (s.current() && !matrix_of(s, *r)) {
      caption(l, "Its matrix is not open.");
      if (button(l, "Open it", Weight::quiet)) ui.out(OpenSource{r->request.matrix});
    }
    if (r->status != RunStatus::ok) {
      paragraph(l, l.palette->error, "\xE2\x9C\x97 " + r->error);
      return;
    }
    gap(l, 4);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    auto* list = ImGui::GetWindowDrawList();
    const float number = draw_text(l, list, at, Face::bold, 22, l.palette->ink, real_text(r->gflops.value, 3));
    const float unit =
        draw_text(l, list, ImVec2(at.x + number + l.u(6), at.y + l.u(8)), Face::ui, 13, l.palette->muted, "GFLOP/s");
    draw_provenance(l, list, ImVec2(at.x + number + unit + l.u(16), at.y + l.u(16)), l.u(4), r->gflops.provenance,
                    l.palette->muted);
    ImGui::Dummy(ImVec2(ImGui::GetContentRegionAvail().x, l.u(26)));
    const std::string sampled = r->may_be_refined() ? std::string(warpspy::name_of(r->request.depth)) + " depth" : "";
    tip(l,
        std::string(warpspy::name_of(r->gflops.provenance)) + ": " + plot::with_micro(r->time_how) +
            (sampled.empty() ? ""
                             : "\nEmulated " + percent_text(r->sampled_share) + " of the blocks (" + sampled +
                                   "): the full answer can differ. F5 asks for it; Live does once the sliders rest."));
    const RooflinePoint* nearest = s.nearest_roof(r->id);
    if (nearest && nearest->roof_gflops <= 0) nearest = nullptr;
    char often[32] = "";
    if (s.live_hz > 0) std::snprintf(often, sizeof often, ", %.1f readings/s", s.live_hz);
    caption(l, real_text(r->time.value) + " \xC2\xB5s " +
                   (!sampled.empty() ? "at " + sampled
                    : r->solve       ? "per iteration"
                                     : "per product") +
                   often);
    limit(s, ui, *r, nearest);
  }

  // What limits it in a few words, and a link to the details. If nobody has looked, only the roof.
  static void limit(const AppState& s, Ui& ui, const RunRecord& r, const RooflinePoint* nearest) {
    const Look& l = ui.look;
    gap(l, 4);
    const FontScope font(*l.fonts, Face::ui, 13);
    const std::vector<Finding> told = findings_of(s, r);
    const bool unknown = told.empty() || told.front().kind == Finding::Kind::cannot_tell;
    if (unknown && nearest) paragraph(l, l.palette->ink, "Limit: " + nearest->limit);
    if (told.empty()) return;
    const Finding& f = told.front();
    if (!unknown || !nearest) paragraph(l, l.palette->ink, "Limit: " + f.title);
    tip(l, f.limit + "\n" + f.evidence);
    if (!f.changes.empty() && f.gain) {
      const std::string what = f.changes.front().text, gain = gain_times_text(f);
      // No line break inside a number.
      const bool one_line = text_width(l, Face::ui, 13, what + ": " + gain) <= ImGui::GetContentRegionAvail().x;
      paragraph(l, l.palette->muted, what + (one_line ? ": " + gain : ":"));
      if (!one_line) paragraph(l, l.palette->muted, gain);
    }
    if (!f.changes.empty()) {
      if (button(l, "Try it", Weight::plain)) ui.out(TryFinding{r.id, 0});
      tip(l, f.advice + "\nRuns " + f.changes.front().text + " and compares the two.");
      ImGui::SameLine();
    }
    if (button(l, "Why", Weight::quiet)) ui.out(ShowTab{"diagnosis"});
    tip(l, "What limits this run, with the evidence, and what each remedy should give" +
               keys_behind(s, ui.commands, "tab.diagnosis") + ".");
  }

  static void run(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + l.u(2));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float w = ImGui::GetContentRegionAvail().x, live = toggle_width(l, "Live");
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(3)));
    const bool covers = covered(s, Covered::result);
    if (toggle(l, "Live", s.knobs.live, !covers)) ui.out(choose("live", !s.knobs.live));
    tip(l, "Runs again, briefly, while a parameter is dragged; the points leave a trail on the roofline" +
               keys_behind(s, ui.commands, "run.live") + ".");
    ImGui::SetCursorScreenPos(ImVec2(at.x + live + l.u(12), at.y));
    const bool running = s.run_job != nullptr && !s.knobs.live;
    if (running) {
      if (button(l, "Cancel", Weight::plain, w - live - l.u(12))) ui.out(CancelJob{s.run_job->id});
    } else {
      if (button(l, "Run" + keys_behind(s, ui.commands, "run.start"), Weight::primary, w - live - l.u(12),
                 s.can_run() && !covers && why_no_run(s).empty()))
        ui.out(StartRun{});
      const auto* d = s.device();
      tip(l, covers                  ? std::string(kCovered) + "."
             : !s.current()          ? "Open a matrix first."
             : d && !d->available    ? d->reason
             : !s.why_not().empty()  ? s.why_not()
             : !s.has_matrix()       ? "Wait until the matrix is read."
             : why_no_run(s).empty() ? "Runs the kernel once and puts its points on the roofline."
                                     : why_no_run(s));
    }
  }
};

}  // namespace

extern const ViewRow controls = {
    .id = "controls",
    .label = "Run",
    .place = Place::right,
    .help = "Device, kernel and parameters.",
    .make = make<Controls>,
};

}  // namespace warpspy::ui
