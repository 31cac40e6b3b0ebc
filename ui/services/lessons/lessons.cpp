#include "ui/services/lessons/lessons.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/source_name.hpp"
#include "core/experiment/executor.hpp"
#include "core/io/io.hpp"
#include "core/lesson/marks.hpp"
#include "core/reorder/recipe.hpp"
#include "core/sweep/matrices.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

// What was read of a lesson, and of the answers that were given to it before.
struct Lessons::Opened {
  std::shared_ptr<const Lesson> lesson;
  std::string kept;
  std::optional<LessonAnswers> answers;
  std::string problem;  // of the answers
};

// What runs the recipes. Of one job at a time.
struct Lessons::Bench {
  Bench(std::shared_ptr<const Lesson> of, Engine& engine, const Catalog& catalog, std::uint64_t seed)
      : lesson(std::move(of)),
        executor(engine, catalog, {.limits = Diagnose::bounds}),
        make([this, &engine, &catalog, seed] {
          const MatrixOf opener = [this](const std::string& source, Progress& p) -> const Matrix& {
            matrix = {};
            return matrix = open_matrix(source, p);
          };
          return std::make_unique<LessonRuns>(*lesson, catalog, engine, executor, opener, seed);
        }) {}
  LessonTruth truth(std::size_t step, Progress& p) {
    if (!runs) runs = make();
    return runs->truth(lesson->steps[step], p);
  }

  const std::shared_ptr<const Lesson> lesson;
  Executor executor;
  Matrix matrix;
  std::function<std::unique_ptr<LessonRuns>()> make;  // in the job: it looks for files
  std::unique_ptr<LessonRuns> runs;
};

namespace {

// Answers that cannot be read, or are of another lesson, are set aside and never written over.
std::optional<LessonAnswers> answers_of_before(const std::string& path, const Lesson& lesson, std::string& problem) {
  std::error_code ignored;
  if (path.empty() || !fs::exists(path, ignored)) return std::nullopt;
  try {
    LessonAnswers a = read_answers(path);
    problem = misfit(lesson, a);
    if (problem.empty()) return a;
  } catch (const Error& e) {
    problem = e.reason;
  }
  fs::rename(path, path + ".aside", ignored);
  return std::nullopt;
}

SetHighlight marks_of_state(const AppState& s) {
  if (!s.highlight) return {};
  return {s.highlight->lo, s.highlight->hi, s.highlight->first, s.highlight->past};
}

bool blank(const std::string& text) { return text.find_first_not_of(" \t\n") == std::string::npos; }

}  // namespace

void Lessons::begin() {
  if (options_.lessons.empty()) return;
  workers_.submit(
      JobQueue::tiles, "Lessons",
      [folder = options_.lessons](Progress&) {
        std::vector<LessonEntry> all;
        std::error_code failed;
        for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
          if (at->path().extension() != ".md") continue;
          const Lesson l = read_lesson(at->path().string());
          all.push_back({l.file, l.title, l.steps.size()});
        }
        std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
        return all;
      },
      [this](std::vector<LessonEntry> all) { s_.lesson.list = std::move(all); }, [this](const Failure& f) { say(f); });
}

void Lessons::on(const OpenLesson& a) {
  s_.dialog.clear();
  s_.lesson.file = opens_ = absolute_source(a.file);
  const auto ticket = opening_.next();
  workers_.submit(
      JobQueue::load, "Opening " + fs::path(a.file).filename().string(),
      [file = opens_, folder = options_.answers](Progress&) {
        Opened opened;
        opened.lesson = std::make_shared<const Lesson>(read_lesson(file));
        opened.kept = answers_path(folder, *opened.lesson);
        opened.answers = answers_of_before(opened.kept, *opened.lesson, opened.problem);
        return opened;
      },
      [this, ticket](Opened opened) {
        if (opening_.is_current(ticket)) take(std::move(opened));
      },
      [this, ticket](const Failure& f) {
        say(f);
        if (opening_.is_current(ticket)) s_.lesson.file = open_file(), opens_.clear();
      },
      [this, ticket] {
        if (opening_.is_current(ticket)) s_.lesson.file = open_file(), opens_.clear();
      });
}

std::string Lessons::open_file() const { return s_.lesson.lesson ? s_.lesson.lesson->file : ""; }

// A desk that came back had one open. One without a lesson does not close the one that is.
void Lessons::follow_desk() {
  const std::string open = open_file();
  if (s_.lesson.file == open || s_.lesson.file == opens_) return;
  if (s_.lesson.file.empty())
    s_.lesson.file = open;
  else
    on(OpenLesson{s_.lesson.file});
}

void Lessons::take(Opened opened) {
  on(CloseLesson{});
  LessonShown& l = s_.lesson;
  l.file = opened.lesson->file;
  l.lesson = std::move(opened.lesson), l.kept = std::move(opened.kept);
  l.answers.lesson = l.lesson->id, l.answers.hash = l.lesson->hash;
  if (!opened.problem.empty())
    say(Message::Kind::warning, "The answers of before are not taken up: " + opened.problem,
        "They are kept in " + l.kept + ".aside.");
  if (!opened.answers) return;
  l.answers = std::move(*opened.answers);
  l.begun = true;
  bench_ = std::make_shared<Bench>(l.lesson, engine_, *s_.catalog, l.answers.seed);
  enter(first_unanswered());
}

void Lessons::on(const CloseLesson&) {
  if (s_.lesson.job) s_.lesson.job->cancel();
  opening_.next();
  opens_.clear();
  bench_.reset();
  truths_.clear(), failed_.clear();
  run_.reset();
  after_ = After::nothing;
  LessonShown none;
  none.list = std::move(s_.lesson.list);
  s_.lesson = std::move(none);
}

void Lessons::on(const BeginLesson& a) {
  LessonShown& l = s_.lesson;
  if (!l.lesson || l.begun) return;
  if (l.lesson->seeded() && blank(a.name))
    return (void)(l.refused = "This lesson gives everybody a matrix of their own: it needs your name.");
  l.answers.name = a.name;
  l.answers.seed = l.lesson->seeded() ? seed_of_name(a.name) : 1;
  l.begun = true;
  bench_ = std::make_shared<Bench>(l.lesson, engine_, *s_.catalog, l.answers.seed);
  keep();
  enter(0);
}

std::size_t Lessons::first_unanswered() const {
  const LessonShown& l = s_.lesson;
  std::size_t at = 0;
  while (at < l.lesson->steps.size() && l.answers.answer(l.lesson->steps[at].question.id)) ++at;
  return at;
}

void Lessons::on(const ShowLessonStep& a) {
  const LessonShown& l = s_.lesson;
  if (!l.lesson || !l.begun) return;
  // One whose run cannot be made does not hold up the rest.
  for (std::size_t k = 0; k < std::min(a.at, l.lesson->steps.size()); ++k) {
    const std::string& id = l.lesson->steps[k].question.id;
    if (!l.answers.answer(id) && !failed_.contains(id)) return enter(k);
  }
  enter(std::min(a.at, l.lesson->steps.size()));
}

void Lessons::enter(std::size_t at) {
  LessonShown& l = s_.lesson;
  l.at = at;
  l.answer.clear(), l.reason.clear(), l.refused.clear(), l.problem.clear(), l.names.clear();
  l.ready = false, l.answers_counted = 0;
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
  take_truth(step->question.id);
}

// As by hand: the matrix, kernel, parameters, device, caches and tab. Nothing runs yet.
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
  for (const auto& [param, value] : r.format_params) act(SetParam{SetParam::Of::format, param, value});
  for (const auto& [param, value] : r.params) act(SetParam{SetParam::Of::kernel, param, value});
  act(choose("precision", r.precision));
  act(choose("cache state", r.cache_state));
  act(choose("live", false));
  if (const std::string tab = tab_of_step(); !tab.empty()) act(ShowTab{tab});
}

std::string Lessons::tab_of_step() const {
  const auto& words = s_.lesson.lesson->recipes.at(s_.lesson.step()->recipe).words;
  const auto tab = words.find("tab");
  return tab == words.end() ? "" : tab->second;
}

void Lessons::on(const DraftAnswer& a) {
  if (s_.lesson.given()) return;
  s_.lesson.answer = a.answer, s_.lesson.reason = a.reason;
  s_.lesson.refused.clear();
}

// What is no answer, and what has no reason, is no prediction: nothing is shown for it.
void Lessons::on(const Predict&) {
  LessonShown& l = s_.lesson;
  const LessonStep* step = l.step();
  if (!step || !l.begun || l.given()) return;
  const auto truth = truths_.find(step->question.id);
  if (truth == truths_.end()) return (void)(l.refused = "The run of this step is being made: predict in a moment.");
  const bool none_is_one = question_kind(step->question.kind).id == std::string("lanes");
  if (blank(l.answer) && !none_is_one) return (void)(l.refused = "Answer the question first.");
  if (blank(l.reason)) return (void)(l.refused = "Say in one sentence why.");
  try {
    question_kind(step->question.kind).mark(step->question, truth->second, l.answer);
  } catch (const Error& e) {
    return (void)(l.refused = e.reason);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - since_;
  l.answers.answers.push_back({step->question.id, l.reason, {{l.answer, took.count()}}});
  l.refused.clear();
  keep();
  reveal();
  if (!run_) return;
  apply(*run_);  // whatever was turned meanwhile
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
}

void Lessons::take_truth(const std::string& question) {
  LessonShown& l = s_.lesson;
  if (!l.step() || l.step()->question.id != question) return;
  if (const auto failed = failed_.find(question); failed != failed_.end()) l.problem = failed->second;
  const auto truth = truths_.find(question);
  if (truth == truths_.end()) return;
  l.ready = true;
  l.names = truth->second.names;
  l.answers_counted = truth->second.cost.size();
  if (l.given() && !l.given()->tries.empty()) reveal();
}

// Of this step, and then of the next, while this one is read.
std::optional<std::size_t> Lessons::wanted_truth() const {
  const LessonShown& l = s_.lesson;
  if (!bench_ || l.job) return std::nullopt;
  for (std::size_t k = l.at; k < std::min(l.at + 2, l.lesson->steps.size()); ++k)
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
  };
  s_.lesson.job = workers_.submit(
      JobQueue::gpu, "The run of step " + std::to_string(at + 1) + " of the lesson",
      [bench, at](Progress& p) { return bench->truth(at, p); },
      [this, ended, id](const LessonTruth& truth) { ended([&] { truths_[id] = truth; }); },
      [this, ended, id](const Failure& f) { ended([&] { failed_[id] = f.one_line(); }); }, [ended] { ended([] {}); });
}

// What is covered neither runs nor shows, whatever undo or a desk brought back.
void Lessons::settle() {
  if (!covered(s_, Covered::result)) return;
  s_.knobs.live = false;
  s_.spy.shade.clear();
  s_.lecture.projects = false;
}

// The run of the recipe, as asked for by hand; then its warp.
bool Lessons::may_go_on() const {
  if (after_ == After::nothing || !run_ || !s_.can_run() || s_.run_job) return false;
  return s_.current()->source == recipe_of(run_->request.matrix).text();
}

void Lessons::frame() {
  follow_desk();
  if (const auto at = wanted_truth()) find_truth(*at);
  pick();
  if (!may_go_on()) return;
  if (std::exchange(after_, After::nothing) == After::run) {
    act(StartRun{});
    if (run_->has_warp) after_ = After::warp;
    return;
  }
  // Without a step of its own it begins at the one that tells most.
  const auto& words = s_.lesson.lesson->recipes.at(s_.lesson.step()->recipe).words;
  act(ShowWarp{run_->warp, "", words.contains("step") ? std::optional(run_->step) : std::nullopt});
  if (const std::string tab = tab_of_step(); !tab.empty()) act(ShowTab{tab});
}

bool Lessons::due() const { return wanted_truth() || may_go_on(); }

// A row or a bar that was clicked on answers the question for a row.
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
