// The current step: sets it up, takes the prediction, shows the answer. Its run is made in the background.
#include <algorithm>
#include <regex>
#include <utility>

#include "core/base/number_text.hpp"
#include "core/reorder/recipe.hpp"
#include "core/run/run_name.hpp"
#include "core/sweep/matrices.hpp"
#include "ui/services/lessons/bench.hpp"
#include "ui/services/lessons/lessons.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

namespace {

SetHighlight marks_of_state(const AppState& s) {
  if (!s.highlight) return {};
  return {s.highlight->lo, s.highlight->hi, s.highlight->first, s.highlight->past};
}

// The mode of the warp view in which a prediction is visible.
struct SeenIn {
  const char* kind;
  WarpView view;
};
constexpr SeenIn kSeenIn[] = {{"lanes", WarpView::step}, {"sectors", WarpView::step}, {"alone", WarpView::axis}};

// "848,000" as a number is written without the commas between thousands.
std::string without_groups(const std::string& text) {
  static const std::regex groups(R"(\s*\d{1,3}(,\d{3})+(\.\d*)?\s*)");
  std::string plain = text;
  if (std::regex_match(text, groups)) std::erase(plain, ',');
  return plain;
}

bool blank(const std::string& text) { return text.find_first_not_of(" \t\n") == std::string::npos; }

}  // namespace

void Lessons::on(const ShowLessonStep& a) {
  const LessonShown& l = s_.lesson;
  if (!l.lesson || !l.begun) return;
  // A step whose run fails does not block the other steps.
  for (std::size_t k = 0; k < std::min(a.at, l.lesson->steps.size()); ++k) {
    const std::string& id = l.lesson->steps[k].question.id;
    if (!closed(k) && !failed_.contains(id)) return enter(k);
  }
  enter(std::min(a.at, l.lesson->steps.size()));
}

void Lessons::enter(std::size_t at) {
  LessonShown& l = s_.lesson;
  l.at = at;
  l.answer.clear(), l.reason.clear(), l.refused.clear(), l.problem.clear();
  l.ready = false, l.offer = {};
  l.tried.clear();
  l.revealed.reset();
  run_.reset();
  after_ = After::nothing;
  since_ = std::chrono::steady_clock::now();
  const LessonStep* step = l.step();
  if (!step) return;
  try {
    run_ = lesson_run(*l.lesson, l.lesson->recipes.at(step->recipe), *s_.catalog, l.answers.seed);
    apply(*run_);
  } catch (const Error& e) {
    failed_[step->question.id] = e.what();
  }
  seen_ = marks_of_state(s_);
  runs_seen_ = s_.runs.all().size();
  take_truth(step->question.id);
}

// Makes the same choices as a user: matrix, kernel, parameters, device, caches and tab. Nothing runs yet.
void Lessons::apply(const LessonRun& run) {
  const RunRequest& r = run.request;
  DeskMatrix d;
  d.recipe = recipe_of(r.matrix);
  d.name = name_in_order(matrix_name(d.recipe.source), d.recipe.steps);
  const MatrixId id = workspace_.put(d);
  workspace_.load_what_waits({id});
  act(SelectMatrix{id});
  act(SelectRun{});
  act(SetDevice{r.device});
  act(SetKernel{r.kernel});
  act(ResetKnobs{});
  // Its arrays are those that a step shows, or asks to click on.
  if (const KernelInfo* kernel = s_.catalog->kernel(r.kernel); kernel && !kernel->format.empty())
    act(choose("format", kernel->format));
  for (const auto& [param, value] : r.format_params) act(SetParam{SetParam::Of::format, param, value});
  for (const auto& [param, value] : r.params) act(SetParam{SetParam::Of::kernel, param, value});
  act(choose("precision", r.precision));
  act(choose("cache state", r.cache_state));
  act(choose("parts", r.parts));
  act(choose("split", r.split));
  act(choose("live", false));
  if (const std::string tab = tab_of_step(); !tab.empty()) act(ShowTab{tab});
}

std::string Lessons::tab_of_step() const {
  const auto& words = s_.lesson.lesson->recipes.at(s_.lesson.step()->recipe).words;
  const auto written = words.find("tab");
  const std::string tab = written == words.end() ? "" : written->second;
  const AnsweredOn* clicks = answered_on(s_.lesson.step()->question.kind);
  return !clicks || clicks->on(tab) ? tab : clicks->tabs[0];
}

void Lessons::on(const DraftAnswer& a) {
  if (s_.lesson.settled()) return;
  s_.lesson.answer = a.answer, s_.lesson.reason = a.reason;
  s_.lesson.refused.clear();
}

// A prediction needs an answer and a reason; otherwise nothing is revealed.
void Lessons::on(const Predict&) {
  LessonShown& l = s_.lesson;
  const LessonStep* step = l.step();
  if (!step || !l.begun || l.settled()) return;
  const auto truth = truths_.find(step->question.id);
  if (truth == truths_.end()) return (void)(l.refused = "The run of this step is being made: predict in a moment.");
  const bool none_is_one = question_kind(step->question.kind).id == std::string("lanes");
  if (blank(l.answer) && !none_is_one) return (void)(l.refused = "Answer the question first.");
  if (blank(l.reason) && !l.given()) return (void)(l.refused = "Say in one sentence why.");
  if (step->question.kind == "number") {
    l.answer = without_groups(l.answer);
    const auto number = number_from<double>(l.answer);
    if (number && (*number < step->question.least || *number > step->question.most))
      return (void)(l.refused = "The answer is " + range_text(step->question) + ".");
  }
  try {
    question_kind(step->question.kind).mark(step->question, truth->second, l.answer);
  } catch (const Error& e) {
    return (void)(l.refused = e.reason);
  }
  add_try();
  keep();
  if (!closed(l.at)) {
    const int left = l.tries_left();
    l.tried = "Not right: " + std::to_string(left) + (left == 1 ? " try" : " tries") + " left.";
    return;
  }
  uncover();
}

// The first is the prediction, with its reason.
void Lessons::add_try() {
  LessonShown& l = s_.lesson;
  const auto now = std::chrono::steady_clock::now();
  const LessonTry made{l.answer, std::chrono::duration<double>(now - since_).count()};
  since_ = now;
  l.refused.clear();
  const std::string& id = l.step()->question.id;
  for (LessonAnswer& a : l.answers.answers)
    if (a.question == id) return a.tries.push_back(made);
  l.answers.answers.push_back({id, l.reason, {made}, false, !l.answers.left.empty(), std::exchange(own_runs_, 0)});
}

void Lessons::on(const ShowTruth&) {
  LessonShown& l = s_.lesson;
  if (!l.given() || l.settled() || !truths_.contains(l.step()->question.id)) return;
  for (LessonAnswer& a : l.answers.answers)
    if (a.question == l.step()->question.id) a.shown = true;
  keep();
  uncover();
}

// Shows the truth beside the prediction, and then the recipe's run.
void Lessons::uncover() {
  s_.lesson.tried.clear();
  reveal();
  if (!run_) return;
  apply(*run_);  // even if the user has changed choices
  after_ = After::run;
}

void Lessons::reveal() {
  LessonShown& l = s_.lesson;
  const LessonQuestion& q = l.step()->question;
  const LessonTruth& truth = truths_.at(q.id);
  LessonRevealed revealed{truth, truth_text(q, truth), 0};
  try {
    revealed.mark = question_kind(q.kind).mark(q, truth, l.given()->tries.front().answer);
  } catch (const Error& e) {
    l.refused = e.reason;  // a file that was edited by hand
  }
  l.revealed = std::move(revealed);
  if (!q.plane.empty()) show_plane(truth);
  mark_steps();
}

// A step that was revealed before shows its run again, which is made anew if this window has not made it.
void Lessons::look_back() {
  if (!run_) return;
  const auto made = made_.find(s_.lesson.step()->question.id);
  const bool there = made != made_.end() && s_.run(made->second);
  if (there) act(SelectRun{made->second});
  after_ = !there ? After::run : run_->has_warp ? After::warp : After::nothing;
}

void Lessons::mark_steps() {
  LessonShown& l = s_.lesson;
  l.marks.assign(l.lesson->steps.size(), std::nullopt);
  for (std::size_t k = 0; k < l.marks.size(); ++k) {
    const LessonQuestion& q = l.lesson->steps[k].question;
    const LessonAnswer* a = l.answers.answer(q.id);
    const auto truth = truths_.find(q.id);
    if (!a || a->tries.empty() || truth == truths_.end() || !closed(k)) continue;
    try {
      l.marks[k] = question_kind(q.kind).mark(q, truth->second, a->tries.front().answer);
    } catch (const Error&) {
      l.marks[k] = 0;  // a file that was edited by hand
    }
  }
}

// Whose the runs are that have come: the lesson's, or the student's own.
void Lessons::follow_run() {
  const std::size_t all = s_.runs.all().size(), before = std::exchange(runs_seen_, all);
  if (all <= before || !s_.lesson.begun || !s_.lesson.step()) return;
  if (awaited_.empty())
    own_runs_ += all - before;
  else
    made_[std::exchange(awaited_, "")] = s_.runs.all().back()->id;
}

// Shows the plane as a search that has tried every cell. The times are those of the lesson's runs.
void Lessons::show_plane(const LessonTruth& truth) {
  if (!run_ || !s_.current()) return;
  const std::vector<LessonAxis>& plane = s_.lesson.step()->question.plane;
  const KernelInfo& kernel = *s_.catalog->kernel(run_->request.kernel);
  TuneRecord r;
  r.request.run = run_->request;
  r.status = RunStatus::ok;
  r.matrix_name = s_.current()->name;
  r.device = run_->request.device, r.device_name = s_.catalog->device(r.device)->name;
  for (const LessonAxis& axis : plane) r.request.run.params.erase(axis.param);
  for (std::size_t k = 0; k < truth.cost.size(); ++k) {
    TuneStep& step = r.steps.emplace_back();
    step.strategy = "exhaustive", step.product = static_cast<int>(k) + 1, step.kernel = kernel.id;
    step.params = run_->request.params;
    const std::size_t at[] = {k % plane[0].values.size(), k / plane[0].values.size()};
    for (std::size_t side = 0; side < 2; ++side)
      for (const ParamSpec& p : kernel.params)
        if (p.id == plane[side].param) step.params[p.id] = param_value(p, plane[side].values[at[side]]);
    step.us = truth.cost[k];
  }
  const auto best = std::min_element(truth.cost.begin(), truth.cost.end()) - truth.cost.begin();
  const TuneStep& found = r.steps[static_cast<std::size_t>(best)];
  TuneOutcome& o = r.outcomes.emplace_back();
  o.strategy = found.strategy, o.kernel = kernel.id, o.params = found.params, o.us = found.us;
  o.products = static_cast<int>(r.steps.size());
  s_.tuning = Tuning{s_.selected, s_.current()->source, nullptr, {}, false, nullptr};
  s_.tuning->record = Shared(std::move(r));
  act(choose("search x", plane[0].param));
  act(choose("search y", plane[1].param));
}

void Lessons::take_truth(const std::string& question) {
  LessonShown& l = s_.lesson;
  if (!l.step() || l.step()->question.id != question) return;
  if (const auto failed = failed_.find(question); failed != failed_.end()) l.problem = failed->second;
  const auto truth = truths_.find(question);
  if (truth == truths_.end()) return;
  l.ready = true;
  l.offer = truth->second.offer;
  if (closed(l.at)) reveal(), look_back();
}

// The truth of this step, and then of the next while the student reads. At the end those of all answers, for their
// marks.
std::optional<std::size_t> Lessons::wanted_truth() const {
  const LessonShown& l = s_.lesson;
  if (!bench_ || l.job) return std::nullopt;
  for (std::size_t k = l.at_end() ? 0 : l.at; k < std::min(l.at + 2, l.lesson->steps.size()); ++k)
    if (const std::string& id = l.lesson->steps[k].question.id; !truths_.contains(id) && !failed_.contains(id))
      return k;
  return std::nullopt;
}

void Lessons::find_truth(std::size_t at) {
  const auto bench = bench_;
  const std::string id = bench->lesson->steps[at].question.id;
  const auto ended = [this, bench, id](auto&& keep_it) {
    if (bench_ != bench) return;
    s_.lesson.job = nullptr;
    keep_it();
    take_truth(id);
    if (s_.lesson.begun) mark_steps();
  };
  s_.lesson.job = workers_.submit(
      JobQueue::gpu, "The run of step " + std::to_string(at + 1) + " of the lesson",
      [bench, at](Progress& p) { return bench->truth(at, p); },
      [this, ended, id](const LessonTruth& truth) { ended([&] { truths_[id] = truth; }); },
      [this, ended, id](const Failure& f) { ended([&] { failed_[id] = f.one_line(); }); }, [ended] { ended([] {}); });
}

// Covered tabs neither run nor show anything, whatever undo or a restored desk does.
void Lessons::settle() {
  if (!covered(s_, Covered::result)) return;
  s_.knobs.live = false;
  s_.spy.shade.clear();
  s_.lecture.projects = false;
}

// Runs the recipe as if the user had asked for it; then shows its warp.
bool Lessons::may_go_on() const {
  if (after_ == After::nothing || !run_ || !s_.can_run()) return false;
  // The run has its number before its limits are known.
  if (s_.run_job && (after_ == After::run || !s_.run(s_.selected_run))) return false;
  return s_.current()->source == recipe_of(run_->request.matrix).text();
}

void Lessons::frame() {
  follow_desk();
  follow_run();
  if (const auto at = wanted_truth()) find_truth(*at);
  pick();
  if (!may_go_on()) return;
  if (std::exchange(after_, After::nothing) == After::run) {
    if (run_->measured) return look_at_measured();
    act(StartRun{});
    awaited_ = s_.lesson.step()->question.id;
    if (run_->has_warp) after_ = After::warp;
    return;
  }
  // If the lesson names no step of the warp, the one that shows most is selected.
  const auto& words = s_.lesson.lesson->recipes.at(s_.lesson.step()->recipe).words;
  act(ShowWarp{run_->warp, run_->beside, words.contains("step") ? std::optional(run_->step) : std::nullopt});
  WarpView view = WarpView::step;  // another step may have left another one
  for (const SeenIn& seen : kSeenIn)
    if (s_.lesson.step()->question.kind == seen.kind) view = seen.view;
  act(SetWarpView{view});
  if (const std::string tab = tab_of_step(); !tab.empty()) act(ShowTab{tab});
}

// Adds a recorded run of a GPU to the runs, once, and selects it.
void Lessons::look_at_measured() {
  std::shared_ptr<const RunRecord> kept;
  for (const auto& own : s_.runs.all())
    if (run_name(*own) == run_name(*run_->measured)) kept = own;
  if (!kept) kept = s_.runs.add(*run_->measured);
  runs_seen_ = s_.runs.all().size();
  act(SelectRun{kept->id});
}

bool Lessons::due() const { return wanted_truth() || may_go_on(); }

// A click on a row or a bar answers the question for a row.
void Lessons::pick() {
  const SetHighlight now = marks_of_state(s_);
  if (now == std::exchange(seen_, now) || !now.any() || !covered(s_, Covered::result) || !s_.has_matrix()) return;
  if (s_.lesson.step()->question.kind != "row") return;
  const Csr& a = *s_.current()->matrix->csr;
  const bool rows = now.first < now.past;
  index_t longest = -1;
  for (index_t row = rows ? now.first : 0; row < (rows ? std::min(now.past, a.rows()) : a.rows()); ++row) {
    const index_t length = a.row_length(row);
    if (!rows && (length < now.lo || length >= now.hi)) continue;
    if (longest < 0 || length > a.row_length(longest)) longest = row;
  }
  if (longest >= 0) on(DraftAnswer{std::to_string(longest), s_.lesson.reason});
}

}  // namespace warpspy::ui
