#include "ui/services/experiments/parameter_search.hpp"

#include "core/catalog/grid.hpp"
#include "core/experiment/search.hpp"

namespace warpspy::ui {

namespace {

constexpr const char* best_strategy = "predict";

}  // namespace

void ParameterSearch::on(const StartTuning& a) {
  const auto* m = s_.current();
  if (!m || !m->matrix) return say(Message::Kind::note, "Open a matrix first, then tune a kernel on it.");
  if (!s_.can_run()) {
    const auto* d = s_.device();
    return say(Message::Kind::warning,
               d && !d->reason.empty() ? d->name + ": " + d->reason : "There is no kernel or no device to tune on.");
  }
  if (s_.tuning && s_.tuning->job) return say(Message::Kind::note, "A search is under way: cancel it first.");
  TuneRequest request;
  request.run = request_of(s_, *m);
  request.run.parts = 1, request.run.split = Split::rows;  // parameters are searched on one GPU
  request.run.budget_s = options_.tune_budget_s;
  request.run.depth = Depth::quick;
  if (!s_.tune.strategy.empty()) request.strategies = {s_.tune.strategy};
  if (a.best) request.strategies = {best_strategy}, request.run.budget_s = options_.best_budget_s;
  // All parameters are varied except the cache policies, which the run panel sets.
  ParamSet held;
  for (const auto& spec : s_.kernel()->params)
    if (is_cache_policy(spec) && request.run.params[spec.id] != spec.def) held[spec.id] = request.run.params[spec.id];
  request.run.params = held;
  runs_.trail().forget();
  const auto ticket = asked_.next();
  Tuning t;
  t.matrix = m->id;
  t.source = m->source;
  t.best = a.best;
  TuneRecord begun;
  begun.request = request;
  begun.matrix_name = m->name;
  begun.device = s_.device()->id;
  begun.device_name = s_.device()->name;
  begun.provenance = s_.device()->simulated ? Provenance::modelled : Provenance::measured;
  t.record = Shared(std::move(begun));
  s_.tuning = std::move(t);
  s_.tune.path.clear();
  const auto current = [this, ticket] { return asked_.is_current(ticket) && s_.tuning; };
  s_.tuning->job = workers_.submit(
      JobQueue::gpu, "Tuning " + kernel_label(request.run.kernel) + " on " + m->name,
      [this, request, matrix = m->matrix, catalog = s_.catalog, current](Progress& p) {
        std::optional<RunRecord> best;  // the only product that is listed; all others are trials
        Executor executor(engine_, *catalog, {.history = &history_});
        const auto told = [&](const TuneStep& step, const RunRecord& run) {
          if (step.us && run.status == RunStatus::ok && (!best || run.time.value < best->time.value)) best = run;
          mail_.post([this, current, step, run] {
            if (current()) take(step, run);
          });
        };
        TuneRecord whole = run_search(request, options_.search, executor, catalog->devices, *matrix, p, told);
        if (best) {
          best->purpose = Purpose::final;
          history_.add(*best);
          tell_history_problems();
          mail_.post([this, run = *best] {
            runs_.trail().settle();
            const std::uint64_t id = runs_.record(run, false);
            if (matrix_of(s_, run)) act(FindLimits{id});
          });
        }
        return whole;
      },
      [this, current](TuneRecord whole) {
        if (current()) take(std::move(whole));
      },
      [this, current](const Failure& f) {
        say(f);
        if (!current()) return;
        s_.tuning->job = nullptr;
        s_.tuning->record.edit([&](TuneRecord& r) { r.status = RunStatus::failed, r.error = f.one_line(); });
      },
      // Cancelled before it began.
      [this, current] {
        if (current()) s_.tuning.reset();
      });
}

void ParameterSearch::take(const TuneStep& step, RunRecord run) {
  s_.tuning->record.edit([&](TuneRecord& r) { r.steps.push_back(step); });
  // A trail on the roofline, like that of a dragged slider. The plane shows failures.
  if (run.status != RunStatus::ok) return;
  run.id = 0;  // a trial has no number in this window
  runs_.record(std::move(run), true);
}

void ParameterSearch::take(TuneRecord whole) {
  Tuning& t = *s_.tuning;
  t.job = nullptr;
  t.record = Shared(std::move(whole));
  if (t.record->status == RunStatus::failed) return say(Message::Kind::error, "Tuning failed: " + t.record->error);
  if (t.best) use_best();
}

// Sets the best parameters if the searched matrix is still shown. Otherwise it reports them, and a click sets them.
void ParameterSearch::use_best() {
  const Tuning& t = *s_.tuning;
  const TuneOutcome* o = t.record->outcome(best_strategy);
  if (!o || !o->us) return;
  if (s_.current() && s_.current()->id == t.matrix && s_.knobs.device == t.record->device)
    act(UseParams{o->kernel, o->params});
  say(Message::Kind::note,
      "Best for " + t.record->matrix_name + ": " + verdict_text(*t.record, o->strategy, *s_.catalog));
}

void ParameterSearch::forget() {
  s_.tuning.reset();
  asked_.next();
}

}  // namespace warpspy::ui
