#include <algorithm>
#include <chrono>
#include <thread>

#include "core/formats/budget.hpp"
#include "core/formats/compare.hpp"
#include "core/formats/hyb_rule.hpp"
#include "core/plot/format_figures.hpp"
#include "ui/figures/figure.hpp"
#include "ui/look/numbers.hpp"
#include "ui/session/session.hpp"

namespace warpspy::ui {

namespace {

// A slider rests when it has not moved for this long: then what takes seconds is computed.
constexpr auto kRest = std::chrono::milliseconds(250);
// What a slow estimate is doing: cancelling it takes effect afterwards.
constexpr const char* kUninterrupted = "estimate: cannot be interrupted";

FormatCost cost_of(const FormatRow& row, const FormatFacts& facts, Precision precision, const ParamSet& params,
                   const Budget& budget) {
  FormatCost out;
  out.format = row.info.id;
  out.params = params;
  try {
    out.estimate = row.estimate(facts, precision, params);
    out.minimum_bytes = minimum_bytes(*out.estimate, facts.csr(), precision);
    const Fit fit = fits(*out.estimate, budget);
    out.fits = fit.fits;
    out.reason = fit.reason;
  } catch (const Error& e) {
    out.problem = e.reason + (e.remedy.empty() ? "" : "; " + e.remedy);
    out.fits = false;
  }
  return out;
}

Budget budget_of(const AppState& s, const OpenMatrix& m) {
  const auto* d = s.device();
  const bool known = d && d->available && d->spec.memory_bytes > 0;
  const double vectors =
      static_cast<double>(m.matrix->csr->rows() + m.matrix->csr->cols()) * bytes_of(s.knobs.precision);
  return budget_now(s.memory, known ? d->spec.memory_bytes : 0, known ? d->name : "", vectors);
}

}  // namespace

void Session::formats_changed() { costs_.mark(), layout_.mark(); }

// Starts what is due and not under way.
void Session::settle_formats() {
  const auto* m = s_.current();
  if (!m || !m->matrix) {
    costs_.drop(), layout_.drop();
    s_.layout = nullptr;
    return;
  }
  if (costs_.begin()) start_costs(s_.selected, [this] { costs_.end(); });
  // Only while it is looked at.
  if (!s_.shows("formats")) layout_.drop();
  if (layout_.begin()) start_layout();
}

void Session::start_costs(MatrixId id, std::function<void()> finished) {
  const auto* m = find(id);
  const Precision precision = s_.knobs.precision;
  std::map<std::string, ParamSet> params;
  for (const auto& row : formats()) params[row.info.id] = format_params_of(s_, row.info.id);
  workers_.submit(
      JobQueue::tiles, "Costs of formats",
      [facts = m->format_facts, matrix = m->matrix, precision, params, budget = budget_of(s_, *m)](Progress& p) {
        auto out = std::make_shared<FormatCosts>();
        out->precision = precision;
        out->budget = budget;
        for (const auto& row : formats()) {
          p.check();
          if (row.slow_estimate) {
            FormatCost later;
            later.format = row.info.id;
            later.params = params.at(row.info.id);
            later.waiting = true;
            out->rows.push_back(std::move(later));
            continue;
          }
          out->rows.push_back(cost_of(row, *facts, precision, params.at(row.info.id), budget));
        }
        return out;
      },
      [this, opening = opening_of(*m), finished](std::shared_ptr<FormatCosts> costs) {
        finished();
        auto* open = find(opening);
        if (!open) return;
        // What takes long is shown as it was while its knobs are the same.
        for (auto& row : costs->rows) {
          const FormatCost* old = row.waiting && open->costs ? open->costs->of(row.format) : nullptr;
          if (old && open->costs->precision == costs->precision && old->params == row.params) row = *old;
        }
        open->costs = std::move(costs);
        if (open->id != s_.selected) return;
        roofline_.mark();
        rebuild_histogram();
        start_slow_costs(open->id);
      },
      [this, finished](const Failure& f) {
        say(f);
        finished();
      },
      finished);
}

void Session::start_slow_costs(MatrixId id) {
  const auto ticket = slow_asked_.next();
  if (slow_costs_) slow_costs_->cancel();
  slow_costs_ = nullptr;
  const auto* m = find(id);
  if (!m || !s_.shows("formats")) return;
  const Precision precision = s_.knobs.precision;
  std::map<std::string, ParamSet> params;
  for (const auto& row : formats())
    if (row.slow_estimate) params[row.info.id] = format_params_of(s_, row.info.id);
  slow_costs_ = workers_.submit(
      JobQueue::load, "Partitioning " + m->name,
      [facts = m->format_facts, matrix = m->matrix, precision, params, budget = budget_of(s_, *m)](Progress& p) {
        for (auto waited = kRest; waited.count() > 0; waited -= std::chrono::milliseconds(10)) {
          p.check();
          std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        p.stage(kUninterrupted);
        std::vector<FormatCost> out;
        for (const auto& [format, set] : params) {
          p.check();
          out.push_back(cost_of(format_row(format), *facts, precision, set, budget));
        }
        return out;
      },
      [this, opening = opening_of(*m), ticket](const std::vector<FormatCost>& found) {
        auto* open = find(opening);
        if (!open || !open->costs || !slow_asked_.is_current(ticket)) return;
        auto next = std::make_shared<FormatCosts>(*open->costs);
        for (auto& row : next->rows)
          for (const auto& f : found)
            if (row.format == f.format) row = f;
        open->costs = std::move(next);
        roofline_.mark();
      },
      [this](const Failure& f) { say(f); });
}

void Session::start_layout() {
  const auto* m = s_.current();
  const MatrixId id = m->id;
  const auto finished = [this] { layout_.end(); };
  Figure figure = figure_of(s_, "layout");
  figure.subject.budget = budget_of(s_, *m);
  workers_.submit(
      JobQueue::tiles, "Layout",
      [figure = std::move(figure), theme = plot_theme(palette_of(s_.theme), 12)](Progress& p) {
        return std::make_shared<const plot::Plot>(figure.draw(theme, p));
      },
      [this, id, finished](std::shared_ptr<const plot::Plot> figure) {
        finished();
        if (id != s_.selected) return;
        s_.layout = std::move(figure);
        s_.layout_problem.clear();
      },
      [this, id, finished](const Failure& f) {
        finished();
        if (id != s_.selected) return;
        s_.layout = nullptr;
        s_.layout_problem = f.reason + (f.remedy.empty() ? "." : ".\n" + f.remedy + ".");
      },
      finished);
}

void Session::on(const SetFormat& a) {
  for (const auto& row : formats())
    if (row.info.id == a.id) s_.knobs.format = a.id;
  layout_.mark();
  roofline_.mark();
  rebuild_histogram();
}

void Session::on(const SetFormatParam& a) {
  s_.knobs.format_params[a.format][a.id] = a.value;
  // Whoever moves K means it, whatever rule chose it before.
  const auto& specs = format_row(a.format).info.params;
  for (const auto& p : specs)
    if (a.id == "k" && p.id == "rule") s_.knobs.format_params[a.format]["rule"] = static_cast<int>(HybRule::by_hand);
  formats_changed();
  if (s_.format() && s_.format()->id == a.format) knobs_changed();
}

void Session::on(const SortFormats& a) {
  s_.sort_formats = a.by;
  s_.sort_descending = a.descending;
}

void Session::on(const SetMemory& a) {
  if (s_.memory == a.budget) return;
  s_.memory = a.budget;
  save();
  formats_changed();
}

void Session::on(const BuildFormat& a) {
  auto* m = s_.matrices.empty() ? nullptr : find(s_.selected);
  if (!m || !m->matrix || m->building.count(a.id)) return;
  const FormatRow& row = format_row(a.id);
  BuiltFormat wanted{a.id, format_params_of(s_, a.id), s_.knobs.precision, s_.knobs.view, nullptr, 0};
  const Opening opening = opening_of(*m);
  // What it replaces goes first: two need not fit together.
  std::erase_if(m->built, [&](const BuiltFormat& b) { return b.format == a.id; });
  const auto ended = [this, opening, format = a.id] {
    if (auto* open = find(opening)) open->building.erase(format);
    costs_.mark();  // the memory that is left has changed
  };
  m->building[a.id] = workers_.submit(
      JobQueue::load, "Building " + row.info.label + " of " + m->name,
      [wanted, matrix = m->matrix, facts = m->format_facts, &row, budget = budget_of(s_, *m)](Progress& p) {
        BuiltFormat out = wanted;
        if (row.slow_estimate) p.stage(kUninterrupted);
        const Estimate estimate = row.estimate(*facts, wanted.precision, wanted.params);
        if (!fits(estimate, budget).fits) throw refusal(wanted.format, estimate, *facts, wanted.precision, budget);
        p.stage("converting");
        const auto start = std::chrono::steady_clock::now();
        out.arrays = row.build(*facts, wanted.precision, wanted.view, wanted.params, p);
        out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        p.stage("comparing");
        const std::string wrong = difference(*matrix->csr, *out.arrays, wanted.precision, wanted.view, p);
        if (!wrong.empty()) throw Error("the conversion to " + row.info.label + " is wrong: " + wrong);
        return out;
      },
      [this, opening, ended](BuiltFormat built) {
        ended();
        if (auto* open = find(opening)) open->built.push_back(std::move(built));
      },
      [this, ended](const Failure& f) {
        ended();
        say(f);
      },
      ended);
}

void Session::on(const ReleaseFormat& a) {
  if (auto* m = find(s_.selected)) std::erase_if(m->built, [&](const BuiltFormat& b) { return b.format == a.id; });
  costs_.mark();
}

}  // namespace warpspy::ui
