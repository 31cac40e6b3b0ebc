#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "core/catalog/grid.hpp"
#include "ui/views/figure_view.hpp"
#include "ui/views/roofline_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/table.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

std::string params_text(const KernelInfo* kernel, const ParamSet& params) {
  return kernel ? params_words(kernel->params, params) : "";
}

// A search for parameters, watched: the plane of two of them, the roofline beside it, what each strategy found below.
class TuneTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
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
    const float table = left_over < l.u(330) ? 0 : l.u(190), gutter = l.u(24);
    const float plots = left_over - (table > 0 ? table + l.u(12) : 0);
    const bool beside = room.x >= l.u(720);
    const float plane = beside ? std::floor((room.x - gutter) * 0.56f) : room.x;
    const auto place = [&](const char* id, float x, float y, float w, float h, auto&& body) {
      ImGui::SetCursorScreenPos(ImVec2(at.x + x, at.y + y));
      ImGui::BeginChild(id, ImVec2(w, h), false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
      body(ImVec2(w, h));
      ImGui::EndChild();
    };
    place("plane", 0, top, plane, plots, [&](ImVec2 size) { draw_plane(s, ui, size); });
    auto* list = ImGui::GetWindowDrawList();
    const ImU32 line = u32(l.palette->hairline);
    if (beside) {
      place("roofline", plane + gutter, top, room.x - plane - gutter, plots,
            [&](ImVec2 size) { roofline_.draw(s, ui, size); });
      const float x = at.x + plane + gutter / 2;
      list->AddLine(ImVec2(x, at.y + top), ImVec2(x, at.y + top + plots), line);
    }
    if (table <= 0) return;
    const float y = top + plots + l.u(4);
    list->AddLine(ImVec2(at.x, at.y + y), ImVec2(at.x + room.x, at.y + y), line);
    place("outcomes", 0, y + l.u(8), room.x, table, [&](ImVec2) { outcomes(s, ui); });
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
    const float strategies = segments_width(l, words);
    if (left + l.u(16) + strategies <= width) {
      ImGui::SetCursorScreenPos(ImVec2(at.x + left + l.u(16), at.y + l.u(4)));
      const int picked = segments(l, "strategy", words, chosen);
      std::string help = "Which strategies the next search runs.";
      for (const auto& k : s.catalog->strategies) help += "\n" + k.label + ": " + k.help;
      tip(l, help);
      if (picked >= 0) {
        auto next = s.tune;
        next.strategy = picked == 0 ? "" : s.catalog->strategies[static_cast<std::size_t>(picked) - 1].id;
        ui.out(SetTuning{next});
      }
    }
    status(s, l, ImVec2(at.x + left + l.u(32) + strategies, at.y + l.u(5)), at.x + width);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(30)));
  }

  // Where the search is, or how it ended.
  static void status(const AppState& s, const Look& l, ImVec2 at, float right) {
    if (!s.tuning || at.x + l.u(60) > right) return;
    const auto& r = s.tuning->record;
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
    const auto& r = s.tuning->record;
    const auto* kernel = s.catalog->kernel(r.request.run.kernel);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    heading(l, "Parameters",
            "Each cell is the least time of the products tried there, whatever the other parameters. The line is the "
            "path of one strategy (pick it in the table), product by product; products in one cell stand side by "
            "side.\nA cross is a cell where every product failed: point at it for the reason.");
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
    const plot::Rect frame{origin.x, top, size.x, std::max(1.f, origin.y + size.y - top)};
    ImGui::InvisibleButton("tuning", ImVec2(std::max(1.f, size.x), static_cast<float>(frame.h)));
    const bool hovered = ImGui::IsItemHovered();
    figure_stop(ui, *s.tuning->plane, "tuning");
    const plot::Layout layout = paint_figure(ui, *s.tuning->plane, frame);
    if (hovered) hover(l, *s.tuning->plane, layout);
  }

  // The two parameters of the plane. Returns the height taken.
  static float axes(const AppState& s, Ui& ui, const KernelInfo& kernel, ImVec2 at, float width) {
    const Look& l = ui.look;
    std::vector<std::string> ids;
    for (const auto& p : kernel.params)
      if (s.tuning->record.request.run.params.count(p.id) == 0 && !is_cache_policy(p)) ids.push_back(p.id);
    const float each = segments_width(l, ids) + l.u(30);
    if (ids.size() < 3 || 2 * each > width + l.u(16)) return 0;
    const auto [x, y] = plot::tune_axes(s.tuning->record, kernel);
    const auto row = [&](const char* name, float left, const std::string& now) {
      draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x + left, at.y + l.u(2)), Face::ui, 12, l.palette->muted,
                name);
      ImGui::SetCursorScreenPos(ImVec2(at.x + left + l.u(16), at.y));
      const auto found = std::find(ids.begin(), ids.end(), now);
      return segments(l, name, ids, static_cast<int>(found - ids.begin()));
    };
    auto next = s.tune;
    if (next.x.empty()) next.x = x;
    if (next.y.empty()) next.y = y;
    const int px = row("x", 0, next.x), py = row("y", each, next.y);
    const auto picked = [&](int k) { return ids[static_cast<std::size_t>(k)]; };
    // The two change places rather than be the same.
    if (px >= 0 && picked(px) == next.y) next.y = next.x;
    if (px >= 0) next.x = picked(px);
    if (py >= 0 && picked(py) == next.x) next.x = next.y;
    if (py >= 0) next.y = picked(py);
    if (px >= 0 || py >= 0) ui.out(SetTuning{next});
    return l.u(26);
  }

  static void hover(const Look& l, const plot::Plot& figure, const plot::Layout& layout) {
    const plot::Point p{ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y};
    if (!layout.area.contains(p)) return;
    std::string text;
    if (const auto hit = layout.hit(p, l.u(9))) {
      const auto& cards = figure.series[hit->series].cards;
      if (hit->point < cards.size()) text = cards[hit->point];
    }
    if (text.empty()) {
      const auto columns = std::max<std::size_t>(1, figure.x.categories.size());
      const long i = std::lround(layout.x_of(p.x)), j = std::lround(layout.y_of(p.y));
      const std::size_t k =
          static_cast<std::size_t>(std::max(0L, j)) * columns + static_cast<std::size_t>(std::max(0L, i));
      if (i < 0 || i >= static_cast<long>(columns) || k >= figure.series[0].cards.size()) return;
      text = figure.series[0].cards[k];
    }
    text_card(l, text);
  }

  static void outcomes(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    const Palette& p = *l.palette;
    const auto& r = s.tuning->record;
    const std::string path = tune_path(s);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    heading(l, "Strategies",
            "What each strategy found and what it cost. Click one to see its path; its parameters can then be used.");
    const auto* offered = r.outcome(path);
    const bool usable = offered && offered->us;
    const float use = l.u(170);
    ImGui::SetCursorScreenPos(ImVec2(start.x + width - use, start.y));
    if (button(l, "Use these parameters", Weight::plain, use, usable))
      ui.out(UseParams{offered->kernel, offered->params});
    tip(l, usable ? "Sets the run panel to " + params_text(s.catalog->kernel(offered->kernel), offered->params) + "."
                  : "The strategy whose path is shown has found nothing yet.");
    ImGui::SetCursorScreenPos(ImVec2(start.x, start.y + l.u(32)));
    Table table(
        l, "outcomes",
        {{.share = 1.3f},
         {.name = "\xC2\xB5s", .help = "Time of one product with the best parameters.", .right = true},
         {.name = "products", .help = "Products that were needed to choose.", .right = true},
         {.name = "regret",
          .help = "Time / best time of the exhaustive search - 1. Below zero where another kernel is faster.",
          .right = true},
         {.name = "pays off after",
          .help = "Products after which the search has earned its cost: time of all its products and conversions / "
                  "time saved per product against the default parameters.",
          .share = 1.3f,
          .right = true},
         {.name = "parameters", .help = "The best that were found.", .share = 4, .inset = 7}},
        ImVec2(0, 0), {.row = 18});
    if (!table) return;
    table.head();
    const TuneStep* base = r.base();
    if (base) {
      table.row();
      table.text("default", p.ink, Face::ui);
      table.text(base->us ? real_text(*base->us) : "failed", base->us ? p.ink : p.error);
      for (int k = 0; k < 3; ++k) table.text(kDash, p.muted);
      table.text(base->us ? params_text(s.catalog->kernel(base->kernel), base->params) : base->failure, p.muted,
                 Face::ui);
    }
    for (const auto& k : s.catalog->strategies) row(s, ui, table, k, path, base && base->us);
  }

  static void row(const AppState& s, Ui& ui, Table& table, const StrategyInfo& k, const std::string& path,
                  bool base_known) {
    const Look& l = ui.look;
    const Palette& p = *l.palette;
    const auto& r = s.tuning->record;
    int tried = 0;
    for (const auto& step : r.steps) tried += step.strategy == k.id;
    const auto* o = r.outcome(k.id);
    if (!o && tried == 0) return;
    table.row(k.id == path);
    if (table.pick(("##" + k.id).c_str())) {
      auto next = s.tune;
      next.path = k.id;
      ui.out(SetTuning{next});
    }
    std::string help = k.help + (k.source.empty() ? "" : "\n" + k.source);
    if (o)
      for (const auto& note : o->notes) help += "\n" + note;
    tip(l, help);
    table.text(k.label, p.ink, k.id == path ? Face::bold : Face::ui);
    if (!o) return so_far(s, l, table, k.id, tried);
    table.text(o->us ? real_text(*o->us) : "failed", o->us ? p.ink : p.error);
    table.text(std::to_string(o->products), p.ink);
    table.text(o->regret ? percent_text(*o->regret) : o->us ? "unknown" : kDash, p.ink);
    table.text(!o->us                ? kDash
               : !base_known         ? "unknown"
               : !o->pays_after      ? "never"
               : *o->pays_after == 0 ? "at once"
                                     : count_text(static_cast<index_t>(std::ceil(std::min(*o->pays_after, 1e15)))),
               p.ink);
    const auto* kernel = s.catalog->kernel(o->kernel);
    const std::string other = kernel && o->kernel != r.request.run.kernel ? kernel->label + ": " : "";
    table.text(o->us              ? other + params_text(kernel, o->params)
               : o->notes.empty() ? ""
                                  : o->notes.back(),
               o->us ? p.ink : p.muted, Face::ui);
  }

  // A strategy whose outcome is not judged yet: what its products found.
  static void so_far(const AppState& s, const Look& l, Table& table, const std::string& strategy, int tried) {
    const Palette& p = *l.palette;
    const auto& r = s.tuning->record;
    const TuneStep* best = nullptr;
    for (const auto& step : r.steps)
      if (step.strategy == strategy && step.us && (!best || *step.us < *best->us)) best = &step;
    const bool at_work = s.tuning->job && r.steps.back().strategy == strategy;
    table.text(best ? real_text(*best->us) : kDash, best ? p.ink : p.muted);
    table.text(std::to_string(tried), p.ink);
    for (int k = 0; k < 2; ++k) table.text(s.tuning->job ? "" : kDash, p.muted);
    const auto* kernel = best ? s.catalog->kernel(best->kernel) : nullptr;
    const std::string found = kernel ? params_text(kernel, best->params) : "";
    const char* state = at_work ? "under way" : s.tuning->job ? "" : "cut short";
    table.text(std::string(state) + (*state && !found.empty() ? ": " : "") + found, p.muted, Face::ui);
  }

  RooflinePanel roofline_;
};

}  // namespace

extern const ViewRow tune_tab = {
    .id = "tune",
    .label = "Tune",
    .place = Place::tab,
    .help = "A search for good parameters, product by product.",
    .make = make<TuneTab>,
};

}  // namespace warpspy::ui
