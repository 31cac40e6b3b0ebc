#include "ui/services/following.hpp"

#include <algorithm>

#include "core/plot/warp_figure.hpp"
#include "ui/state/parts.hpp"

namespace warpspy::ui {

void Following::list() {
  RunList& list = s_.list;
  if (!list.all) {
    if (const ListReads* of = list_.differs(list_reads(s_))) {
      RunList now = listed(*of);
      list.rows = std::move(now.rows), list.total = now.total, list.words = std::move(now.words);
      list.waiting = false;
    }
    return found_->forget();
  }
  list_.forget();
  const ListReads* of = found_->begin(list_reads(s_));
  if (!of) return;
  list.waiting = true;
  workers_.submit(
      JobQueue::tiles, "Listing runs",
      [this, query = of->query](Progress&) {
        auto answer = std::pair(history_.find(query), history_.words());
        tell_history_problems();
        return answer;
      },
      [this](std::pair<HistoryPage, HistoryWords> answer) {
        found_->end();
        RunList& now = s_.list;
        if (!now.all) return;
        now.rows = std::move(answer.first.runs);
        now.total = answer.first.total;
        now.words = std::move(answer.second);
        now.waiting = false;
        // A run of this session is the same object everywhere, so that marks on it appear everywhere.
        for (SavedRun& k : now.rows)
          for (const auto& own : s_.runs.all())
            if (own->id == k.record->id) k.record = own;
      },
      [this](const Failure& f) {
        found_->end();
        s_.list.waiting = false;
        say(f);
      },
      [this] { found_->end(); });
}

void Following::at_once() {
  follow(comparison_, ComparisonReads{s_.comparing, s_.catalog}, compared, s_.comparison);
  points();
  warp();
}

void Following::points() {
  const auto under = points_.last() ? points_.last()->under : PointReads::Under{};
  const PointReads* of = points_.differs(point_reads(s_));
  if (!of) return;
  if (!(under == of->under)) placed_.clear();
  RunPoints points;
  std::map<std::uint64_t, RunPtr> placed;
  for (const RunPtr& r : of->runs) {
    if (!placed.emplace(r->id, r).second) continue;
    const auto known = placed_.find(r->id);
    const bool same = known != placed_.end() && known->second == r;
    points[r->id] = same ? s_.points->at(r->id) : points_of(*r, of->under);
  }
  placed_ = std::move(placed);
  s_.points = Shared(std::move(points));
}

void Following::warp() {
  WarpShown& w = s_.warp;
  if (!w.trace) return step_.forget(), w.figure.reset();
  if (painted_ != s_.theme)  // a figure adapts to another theme, but again at every step
    for (plot::SeenWarp& seen : w.seen)
      seen.picture = std::make_shared<const plot::StepsPicture>(
          plot::picture_of_steps(*seen.trace, plot_theme(palette_of(s_.theme), 12)));
  painted_ = s_.theme;
  Figure figure = figure_of(s_, "warp");
  figure.options.spans_as_rows = false;  // an axis that is drawn again for every step does not need its numbers
  draw(step_, std::move(figure), w.figure);
}

void Following::draw(Follows<Drawing>& what, Figure figure, Drawn& into) {
  Progress progress;
  if (!into) what.forget();  // whoever shows another subject clears the picture first
  if (const Drawing* of = what.differs(drawing(std::move(figure)))) into = drawn(*of, progress);
}

void Following::in_frame() {
  roofline();
  if (memory_runs(s_).empty())
    memory_.forget(), s_.memory_chart.reset();
  else
    draw(memory_, figure_of(s_, "memory"), s_.memory_chart);
  solves();
  parts();
  tuning();
  analyses();
  study();
  many();
  std::erase_if(matrices_, [&](const auto& of) { return !s_.matrix(of.first); });
  for (const OpenMatrix& m : s_.matrices) {
    OfMatrix& follows = matrices_[m.id];
    if (follows.opening != m.opening) follows = {.opening = m.opening};
    if (m.matrix) of_matrix(m, follows);
  }
  slow_costs();
  layout();
  both_lengths();
}

void Following::roofline() {
  const DeviceInfo* baseline = s_.comparing.empty() ? nullptr : s_.catalog->device(s_.comparing.front()->device);
  const auto* d = s_.roofline_device = baseline ? baseline : s_.device();
  s_.roofline_precision = baseline ? s_.comparing.front()->request.precision : s_.knobs.precision;
  s_.roofs = d ? roofs_of(d->spec, s_.roofline_precision, s_.measured_roofs_of(d->id)) : std::vector<Roof>{};
  Figure figure = figure_of(s_, "roofline");
  figure.subject.runs = roofline_runs(s_, true);
  figure.options.roofline.trail = s_.trail;
  draw(roofline_, std::move(figure), s_.roofline);
}

void Following::solves() {
  follow(break_even_, solve_break_even_reads(s_), solve_break_even_of, s_.solve.break_even);
  if (shown_solves(s_).empty()) {
    residuals_.forget(), parts_.forget();
    return s_.solve.residuals.reset(), s_.solve.parts.reset();
  }
  if (!s_.shows("solve")) return;
  draw(residuals_, figure_of(s_, "residual"), s_.solve.residuals);
  draw(parts_, figure_of(s_, "iteration"), s_.solve.parts);
}

void Following::parts() {
  if (const auto of = owner_reads(s_))
    follow<OwnerReads, std::shared_ptr<const RowOwners>>(
        workers_, owners_, *of, JobQueue::load, "Rows of each GPU", owners_of,
        [this](std::shared_ptr<const RowOwners> owners) { s_.parts.owners = std::move(owners); }, say_);
  else
    owners_->forget(), s_.parts.owners.reset();
  if (!told_parts(s_)) {
    lanes_.forget(), speed_up_.forget(), speed_ups_.forget();
    s_.parts.lanes.reset(), s_.parts.speed_up.reset();
    s_.parts.speed_ups = {};
    return;
  }
  follow(speed_ups_, SpeedUpReads{speed_up_runs(s_), s_.catalog}, speed_ups_of, s_.parts.speed_ups);
  if (!s_.shows("parts")) return;
  draw(lanes_, figure_of(s_, "parts"), s_.parts.lanes);
  if (s_.parts.speed_ups.curves.empty()) return speed_up_.forget(), s_.parts.speed_up.reset();
  draw(speed_up_, figure_of(s_, "speedup"), s_.parts.speed_up);
}

void Following::tuning() {
  if (!s_.tuning) return plane_.forget();
  if (!s_.catalog->kernel(s_.tuning->record->request.run.kernel)) return;
  Figure figure = figure_of(s_, "tuning");
  figure.options.plane.running = s_.tuning->job != nullptr;
  draw(plane_, std::move(figure), s_.tuning->plane);
}

void Following::analyses() {
  std::erase_if(analyses_, [&](const auto& a) { return !s_.analyses.contains(a.first); });
  for (auto& [id, a] : s_.analyses) {
    if (!a.result) continue;
    // Other latencies need no other runs.
    const auto params = s_.analysis.params.find(id);
    if (params != s_.analysis.params.end() && a.result->request.params != params->second) {
      AnalysisResult again = *a.result;
      again.request.params = params->second;
      revalue(again);
      a.result = std::make_shared<const AnalysisResult>(std::move(again));
    }
    Figure figure = figure_of(s_, "analysis");
    figure.subject.analysis = a.result;
    draw(analyses_[id], std::move(figure), a.figure);
  }
}

void Following::study() {
  const OpenStudy* shown = s_.studies.shown();
  if (!shown || !shown->report) return study_.forget(), s_.studies.figure.reset();
  if (!s_.shows("studies")) return;
  draw(study_, figure_of(s_, "study"), s_.studies.figure);
}

void Following::best_costs() {
  if (!best_shown(s_)) return best_costs_.forget(), s_.costs_chart.reset();
  if (s_.matrices_view.face == MatricesFace::best) draw(best_costs_, figure_of(s_, "cost"), s_.costs_chart);
}

void Following::many() {
  if (!s_.shows("matrices")) return;
  ManyFigures figures;
  if (!follow(many_, std::pair(many_reads(s_), s_.theme), many_figures, figures)) return best_costs();
  s_.heat_map = std::move(figures.heat_map), s_.profile = std::move(figures.profile);
  s_.line_chart = std::move(figures.line_chart);
  s_.turned = std::move(figures.turned), s_.best = std::move(figures.best);
  best_costs();
}

void Following::of_matrix(const OpenMatrix& m, OfMatrix& follows) {
  const auto open = finder(m);
  if (m.pyramid)
    follow<ThumbnailReads, std::shared_ptr<const Thumbnail>>(
        workers_, follows.thumbnail, {m.pyramid, s_.spy.style.map, s_.theme}, JobQueue::tiles, "Thumbnail",
        thumbnail_of,
        [open](std::shared_ptr<const Thumbnail> t) {
          if (auto* of = open()) of->thumbnail = std::move(t);
        },
        say_);
  if (m.facts)
    follow<SmallestReads, std::optional<SmallestFormat>>(
        workers_, follows.smallest, {m.format_facts, m.matrix, s_.knobs.precision}, JobQueue::load,
        "Formats of " + m.name, smallest_of,
        [open](std::optional<SmallestFormat> f) {
          if (auto* of = open(); of && f) of->smallest = std::move(f);
        },
        say_);
  const auto [left, right] = s_.compared();
  const bool beside = s_.shows("compare") && (&m == left || &m == right);
  if (&m != s_.current() && !beside) return;
  costs(m, follows);
  // In a job, since a row with millions of entries makes the table of lengths long.
  if (m.facts)
    follow<Drawing, Drawn>(
        workers_, follows.histogram, drawing(figure_of(s_, "histogram", &m)), JobQueue::tiles, "Histogram", drawn,
        [open](Drawn figure) {
          if (auto* of = open()) of->histogram = std::move(figure);
        },
        say_);
}

void Following::costs(const OpenMatrix& m, OfMatrix& follows) {
  follow<CostReads, std::shared_ptr<FormatCosts>>(
      workers_, follows.costs, cost_reads(s_, m), JobQueue::tiles, "Costs of formats", costs_of,
      [open = finder(m)](std::shared_ptr<FormatCosts> costs) {
        auto* of = open();
        if (!of) return;
        // Costs that take long to compute stay as they are while their parameters are the same.
        for (auto& row : costs->rows) {
          const FormatCost* old = row.waiting && of->costs ? of->costs->of(row.format) : nullptr;
          if (old && of->costs->precision == costs->precision && old->params == row.params) row = *old;
        }
        of->costs = std::move(costs);
      },
      say_);
}

// If a slider moves again, the running computation is cancelled.
void Following::slow_costs() {
  const auto* m = s_.current();
  const bool shown = m && m->costs && s_.shows("formats");
  const SlowReads* of = shown ? slow_.differs(slow_reads(*m)) : nullptr;
  if (!shown) slow_.forget();
  if ((of || !shown) && slow_job_) std::exchange(slow_job_, nullptr)->cancel();
  if (!of) return;
  slow_job_ = workers_.submit(
      JobQueue::load, "Partitioning " + m->name, [of = *of](Progress& p) { return slow_costs_of(of, p); },
      [open = finder(*m), of = *of](const std::vector<FormatCost>& found) {
        auto* then = open();
        if (!then || !then->costs || then->costs->precision != of.of.precision) return;
        auto next = std::make_shared<FormatCosts>(*then->costs);
        for (auto& row : next->rows)
          for (const auto& f : found)
            if (row.format == f.format && row.params == f.params) row = f;
        then->costs = std::move(next);
      },
      say_);
}

// Only while the tab is shown.
void Following::layout() {
  const auto* m = s_.current();
  if (!m || !m->matrix) s_.layout = nullptr;
  if (!m || !m->costs || !s_.shows("formats")) return layout_->forget();
  const auto shown = [this, id = m->id] { return id == s_.selected; };
  follow<Drawing, Drawn>(
      workers_, layout_, drawing(figure_of(s_, "layout")), JobQueue::tiles, "Layout", drawn,
      [this, shown](Drawn figure) {
        if (!shown()) return;
        s_.layout = std::move(figure);
        s_.layout_problem.clear();
      },
      [this, shown](const Failure& f) {
        if (!shown()) return;
        s_.layout = nullptr;
        s_.layout_problem = f.reason + (f.remedy.empty() ? "." : ".\n" + f.remedy + ".");
      });
}

void Following::both_lengths() {
  const auto [left, right] = s_.compared();
  const bool there = s_.shows("compare") && left && right && left->facts && right->facts;
  if (!there) return both_lengths_->forget(), s_.both_lengths.reset();
  follow<Drawing, Drawn>(
      workers_, both_lengths_, drawing(figure_of(s_, "lengths")), JobQueue::tiles, "Row lengths of both", drawn,
      [this](Drawn figure) { s_.both_lengths = std::move(figure); }, say_);
}

}  // namespace warpspy::ui
