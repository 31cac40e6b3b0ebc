#include "ui/views/tune_outcomes.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "ui/state/choice_rows.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

std::string params_text(const KernelInfo* kernel, const ParamSet& params) {
  return kernel ? params_words(kernel->params, params) : "";
}

struct Line {
  const StrategyInfo* strategy;  // nullptr: the default parameters
};

std::vector<Line> lines_of(const AppState& s) {
  const TuneRecord& r = *s.tuning->record;
  std::vector<Line> lines;
  if (r.base()) lines.push_back({nullptr});
  for (const StrategyInfo& k : s.catalog->strategies)
    if (r.outcome(k.id) ||
        std::any_of(r.steps.begin(), r.steps.end(), [&](const TuneStep& step) { return step.strategy == k.id; }))
      lines.push_back({&k});
  return lines;
}

// Unknown values come last.
SortKey sort_key(const AppState& s, const Line& line, int column) {
  const TuneRecord& r = *s.tuning->record;
  const TuneOutcome* o = line.strategy ? r.outcome(line.strategy->id) : nullptr;
  const TuneStep* base = line.strategy ? nullptr : r.base();
  const double us = o ? o->us.value_or(INFINITY) : base ? base->us.value_or(INFINITY) : INFINITY;
  const auto* kernel = s.catalog->kernel(o ? o->kernel : r.request.run.kernel);
  const SortKey keys[] = {{0, line.strategy ? line.strategy->label : "default"},
                          {us, ""},
                          {o ? o->products : 0, ""},
                          {o ? o->regret.value_or(INFINITY) : INFINITY, ""},
                          {o ? o->pays_after.value_or(INFINITY) : INFINITY, ""},
                          {0, o ? params_text(kernel, o->params) : ""}};
  return keys[column];
}

// A strategy that may choose another kernel can find less time than the exhaustive search, which has nothing to regret.
std::string regret_text(double regret) {
  return regret < -0.00005 ? "none: " + percent_text(-regret) + " less" : percent_text(std::max(0.0, regret));
}

// A strategy that is still running: what its products have found so far.
void so_far(const AppState& s, const Look& l, Table& table, const std::string& strategy, int tried) {
  const Palette& p = *l.palette;
  const auto& r = *s.tuning->record;
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

void strategy_row(const AppState& s, Ui& ui, Table& table, const StrategyInfo& k, const std::string& path,
                  bool base_known) {
  const Look& l = ui.look;
  const Palette& p = *l.palette;
  const auto& r = *s.tuning->record;
  int tried = 0;
  for (const auto& step : r.steps) tried += step.strategy == k.id;
  const auto* o = r.outcome(k.id);
  if (!o && tried == 0) return;
  table.row(k.id == path);
  if (table.pick(("##" + k.id).c_str())) ui.out(choose("search path", k.id));
  std::string help = k.help + (k.source.empty() ? "" : "\n" + k.source);
  if (o && !o->reason.empty()) help += "\n" + verdict_text(r, k.id, *s.catalog);
  if (o)
    for (const auto& note : o->notes) help += "\n" + note;
  tip(l, help);
  table.text(k.label, p.ink, k.id == path ? Face::bold : Face::ui);
  if (!o) return so_far(s, l, table, k.id, tried);
  table.text(o->us ? real_text(*o->us) : "failed", o->us ? p.ink : p.error);
  table.text(std::to_string(o->products), p.ink);
  table.text(o->regret ? regret_text(*o->regret) : o->us ? "unknown" : kDash, p.ink);
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

void default_row(const AppState& s, Ui& ui, Table& table, const TuneStep& base) {
  const Palette& p = *ui.look.palette;
  table.row();
  table.pick("##default");
  tip(ui.look, "The parameters that the kernel has by default: every strategy is compared with them.");
  table.text("default", p.ink, Face::ui);
  table.text(base.us ? real_text(*base.us) : "failed", base.us ? p.ink : p.error);
  for (int k = 0; k < 3; ++k) table.text(kDash, p.muted);
  table.text(base.us ? params_text(s.catalog->kernel(base.kernel), base.params) : base.failure, p.muted, Face::ui);
}

}  // namespace

void TuneOutcomes::draw(const AppState& s, Ui& ui) {
  const Look& l = ui.look;
  const auto& r = *s.tuning->record;
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
      {{.name = "strategy", .share = 1.3f, .inset = 6},
       {.name = "\xC2\xB5s", .help = "Time of one product with the best parameters.", .right = true},
       {.name = "products", .help = "Products that were needed to choose.", .right = true},
       {.name = "regret",
        .help =
            "Time / best time of the exhaustive search - 1. The exhaustive search stays with one kernel: a strategy "
            "that found another kernel may take less time, and regrets nothing.",
        .share = 1.4f,
        .right = true},
       {.name = "products to pay off",
        .help = "Products after which the search has earned its cost: time of all its products and conversions / "
                "time saved per product against the default parameters.",
        .share = 1.6f,
        .right = true},
       {.name = "parameters", .help = "The best that were found.", .share = 3.6f, .inset = 7}},
      ImVec2(0, 0), {.row = 18});
  if (!table) return;
  sort_.head(table);
  const std::vector<Line> lines = lines_of(s);
  for (const std::size_t k :
       sort_.order(lines.size(), [&](std::size_t row, int column) { return sort_key(s, lines[row], column); }))
    if (lines[k].strategy)
      strategy_row(s, ui, table, *lines[k].strategy, path, r.base() && r.base()->us);
    else
      default_row(s, ui, table, *r.base());
}

}  // namespace warpspy::ui
