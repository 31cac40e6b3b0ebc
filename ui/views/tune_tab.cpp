#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/catalog/grid.hpp"
#include "core/catalog/names.hpp"
#include "ui/platform/compat.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/views/cell_figure.hpp"
#include "ui/views/lesson_ghosts.hpp"
#include "ui/views/roofline_panel.hpp"
#include "ui/views/tune_outcomes.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/choose.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/flow.hpp"
#include "ui/widgets/panel.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// A search for parameters: the plane of two parameters, the roofline beside it, and each strategy's result below.
class TuneTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const bool beside = ImGui::GetContentRegionAvail().x >= l.u(720);
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = room_at_least(l, beside ? 480 : 760);
    controls(s, ui, room.x);
    const float top = ImGui::GetCursorScreenPos().y - at.y + l.u(8);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + top));
    const float left_over = room.y - top;
    if (!s.tuning) {
      if (empty_state(l, "Nothing was tuned yet",
                      "A search tries parameters of the kernel one product after another. Each appears here at once: "
                      "on the plane of two parameters in the colour of its time, and on the roofline.",
                      s.can_run() ? "Tune the kernel" : ""))
        ui.out(StartTuning{});
      return;
    }
    const float table = l.u(190), gutter = l.u(24), plots = left_over - table - l.u(12);
    const float plane = beside ? std::floor((room.x - gutter) * 0.56f) : room.x;
    const float high = beside ? plots : std::floor((plots - gutter) / 2);  // otherwise the roofline is below
    const auto place = [&](const char* id, float x, float y, float w, float h, auto&& body) {
      ImGui::SetCursorScreenPos(ImVec2(at.x + x, at.y + y));
      ImGui::BeginChild(id, ImVec2(w, h), false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
      body(ImVec2(w, h));
      end_child();
    };
    place("plane", 0, top, plane, high, [&](ImVec2 size) { draw_plane(s, ui, size); });
    auto* list = ImGui::GetWindowDrawList();
    const ImU32 line = u32(l.palette->hairline);
    const auto roofline = [&](ImVec2 size) { roofline_.draw(s, ui, size); };
    if (!beside) {
      place("roofline", 0, top + high + gutter, room.x, plots - high - gutter, roofline);
    } else {
      place("roofline", plane + gutter, top, room.x - plane - gutter, plots, roofline);
      const float x = at.x + plane + gutter / 2;
      list->AddLine(ImVec2(x, at.y + top), ImVec2(x, at.y + top + plots), line);
    }
    const float y = top + plots + l.u(4);
    list->AddLine(ImVec2(at.x, at.y + y), ImVec2(at.x + room.x, at.y + y), line);
    place("outcomes", 0, y + l.u(8), room.x, table, [&](ImVec2) { outcomes_.draw(s, ui); });
  }

 private:
  static void controls(const AppState& s, Ui& ui, float width) {
    const Look& l = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    std::vector<std::string> words = {"all"};
    int chosen = 0;
    for (const auto& k : s.catalog->strategies) {
      words.push_back(k.label);
      if (k.id == s.tune.strategy) chosen = static_cast<int>(words.size()) - 1;
    }
    const bool under_way = s.tuning && s.tuning->job;
    const std::string start = under_way ? "Cancel" : "Tune the kernel";
    const float left = under_way ? l.u(90) : l.u(140);
    if (under_way) {
      if (button(l, start, Weight::plain, left)) ui.out(CancelJob{s.tuning->job->id});
    } else {
      if (button(l, start, Weight::primary, left, s.can_run())) ui.out(StartTuning{});
      tip(l, "Searches for good parameters of the chosen kernel on the chosen device" +
                 keys_behind(s, ui.commands, "tune.start") + ".");
    }
    Flow flow(at, width, l.u(30));
    flow.next(left, l.u(16));
    ImVec2 place = flow.next(segments_or_list_width(l, words, width), l.u(16));
    ImGui::SetCursorScreenPos(ImVec2(place.x, place.y + l.u(4)));
    const int picked = segments_or_list(l, "strategy", words, chosen, width);
    std::string help = "Which strategies the next search runs.";
    for (const auto& k : s.catalog->strategies) help += "\n" + k.label + ": " + k.help;
    tip(l, help);
    if (picked >= 0)
      ui.out(choose("strategy", picked == 0 ? "" : s.catalog->strategies[static_cast<std::size_t>(picked) - 1].id));
    if (s.tuning) {
      place = flow.next(l.u(190), 0);
      status(s, l, ImVec2(place.x, place.y + l.u(5)), at.x + width);
    }
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + flow.height()));
  }

  // The progress of the search, or how it ended.
  static void status(const AppState& s, const Look& l, ImVec2 at, float right) {
    const auto& r = *s.tuning->record;
    auto* list = ImGui::GetWindowDrawList();
    std::string text = std::to_string(r.steps.size()) + (r.steps.size() == 1 ? " product" : " products");
    Color c = l.palette->muted;
    if (s.tuning->job) {
      const auto* strategy = r.steps.empty() ? nullptr : s.catalog->strategy(r.steps.back().strategy);
      text = (strategy ? strategy->label : std::string("The default")) + ", " + text;
      ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(19)));
      progress_bar(l, std::min(l.u(180), right - at.x), s.tuning->job->progress.fraction());
    } else if (r.status == RunStatus::failed) {
      text = "\xE2\x9C\x97 Failed: " + r.error;
      c = l.palette->error;
    } else {
      text = (r.status == RunStatus::cancelled ? "Cancelled after " : "Done: ") + text;
    }
    draw_text(l, list, at, Face::ui, 13, c, text, right - at.x);
  }

  void draw_plane(const AppState& s, Ui& ui, ImVec2 size) {
    const Look& l = ui.look;
    const auto& r = *s.tuning->record;
    const auto* kernel = s.catalog->kernel(r.request.run.kernel);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    heading(
        l, "Parameters",
        "Each cell is the least time of the products tried there, whatever the other parameters. The line is the "
        "path of one strategy (pick it in the table), product by product; products in one cell stand side by "
        "side.\nA cross is a cell where every product failed: point at it for the reason.\nA click selects the run, "
        "or sets its parameters where no run is kept.");
    const float left = text_width(l, Face::bold, 13, "Parameters") + l.u(10);
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(origin.x + left, origin.y + l.u(1)), Face::ui, 12, l.palette->muted,
              (kernel ? kernel->label : r.request.run.kernel) + " on " + r.matrix_name, size.x - left);
    float top = origin.y + l.u(24);
    if (kernel) top += axes(s, ui, *kernel, ImVec2(origin.x, top), size.x);
    if (!s.tuning->plane || r.steps.empty()) {
      ImGui::SetCursorScreenPos(ImVec2(origin.x, top));
      if (s.tuning->job)
        empty_state(l, "Waiting for the first product", "The matrix is converted, and the reference computed, first.");
      else
        empty_state(l, "No product was tried", r.error);
      return;
    }
    ImGui::SetCursorScreenPos(ImVec2(origin.x, top));
    const ImVec2 rest(size.x, std::max(1.f, origin.y + size.y - top));
    plot::Layout layout;
    const auto picked = cells_.draw(ui, *s.tuning->plane, rest, "tuning", {.titles = false}, &layout);
    draw_ghost(s, l, "tuning", layout);
    if (picked && picked->id > 0 && picked->id <= r.steps.size()) select(s, ui, r.steps[picked->id - 1]);
  }

  // Selects the run with these parameters if it was saved; else sets them for the next run.
  static void select(const AppState& s, Ui& ui, const TuneStep& step) {
    const auto& all = s.runs.all();
    const auto run = std::find_if(all.rbegin(), all.rend(), [&](const auto& r) {
      return r->status == RunStatus::ok && r->request.kernel == step.kernel && r->request.params == step.params &&
             r->request.matrix == s.tuning->source && r->request.device == s.tuning->record->device;
    });
    if (run != all.rend()) return ui.out(SelectRun{(*run)->id});
    if (s.matrix(s.tuning->matrix) && s.selected != s.tuning->matrix) ui.out(SelectMatrix{s.tuning->matrix});
    ui.out(UseParams{step.kernel, step.params});
    ui.out(
        Notify{{Message::Kind::note, "No run with these parameters is kept: they are set for the next one.", "", 0}});
  }

  // The two parameters of the plane. Returns the height that they take.
  static float axes(const AppState& s, Ui& ui, const KernelInfo& kernel, ImVec2 at, float width) {
    const Look& l = ui.look;
    std::vector<std::string> ids;
    std::vector<Choice> names;
    for (const auto& p : kernel.params)
      if (s.tuning->record->request.run.params.count(p.id) == 0 && !is_cache_policy(p)) {
        ids.push_back(p.id);
        names.push_back({full_label(p), "", true, p.help});
      }
    const float each = std::min(l.u(220), (width - l.u(16)) / 2);
    if (ids.size() < 3 || each < l.u(110)) return 0;
    const auto [x, y] = plot::tune_axes(*s.tuning->record, kernel);
    const auto axis = [&](const char* name, float left, const std::string& now) {
      draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x + left, at.y + l.u(6)), Face::ui, 12, l.palette->muted,
                name);
      ImGui::SetCursorScreenPos(ImVec2(at.x + left + l.u(14), at.y));
      ImGui::BeginChild(name, ImVec2(each - l.u(14), l.u(34)), false, ImGuiWindowFlags_NoScrollbar);
      const auto found = std::find(ids.begin(), ids.end(), now);
      const int picked = choose(l, name, names, found == ids.end() ? -1 : static_cast<int>(found - ids.begin()));
      end_child();
      return picked;
    };
    auto next = s.tune;
    if (next.x.empty()) next.x = x;
    if (next.y.empty()) next.y = y;
    const int px = axis("x", 0, next.x), py = axis("y", each + l.u(16), next.y);
    const auto picked = [&](int k) { return ids[static_cast<std::size_t>(k)]; };
    // If both axes would be the same parameter, they change places.
    if (px >= 0 && picked(px) == next.y) next.y = next.x;
    if (px >= 0) next.x = picked(px);
    if (py >= 0 && picked(py) == next.x) next.x = next.y;
    if (py >= 0) next.y = picked(py);
    if (px >= 0 || py >= 0) ui.out(choose("search x", next.x)), ui.out(choose("search y", next.y));
    return l.u(38);
  }

  RooflinePanel roofline_;
  TuneOutcomes outcomes_;
  CellFigure cells_;
};

}  // namespace

extern const ViewRow tune_tab = {
    .id = "tune",
    .label = "Tune",
    .place = Place::tab,
    .group = Topic::performance,
    .help = "A search for good parameters, product by product.",
    .scrolls = true,
    .make = make<TuneTab>,
};

}  // namespace warpspy::ui
