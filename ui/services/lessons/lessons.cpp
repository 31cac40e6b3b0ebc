// Lists the lessons, and opens and closes one.
#include "ui/services/lessons/lessons.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/source_name.hpp"
#include "core/lesson/marks.hpp"
#include "ui/services/lessons/bench.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

// A lesson that was read, and the student's earlier answers to it.
struct Lessons::Opened {
  std::shared_ptr<const Lesson> lesson;
  std::string kept;
  std::optional<LessonAnswers> answers;
  std::string problem;  // why the answers could not be read
};

namespace {

// The path of a lesson's answers in a folder; "" without a folder. Another version of the lesson has another file.
std::string answers_path(const std::string& folder, const Lesson& lesson) {
  return folder.empty() ? "" : folder + "/" + lesson.id + "-" + lesson.hash.substr(0, 8) + ".json";
}

// Answers that cannot be read, or belong to another lesson, are moved aside and never overwritten.
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

// An error was already reported at the first attempt.
void write_first(const std::optional<KeptFiles::Write>& last) {
  try {
    if (last) (*last)();
  } catch (const std::exception&) {
    return;
  }
}

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
  if (absolute_source(a.file) == open_file()) return;
  s_.lesson.file = opens_ = absolute_source(a.file);
  const auto ticket = opening_.next();
  workers_.submit(
      JobQueue::load, "Opening " + fs::path(a.file).filename().string(),
      [file = opens_, folder = options_.answers, last = last_](Progress&) {
        write_first(last);  // the lesson may be the one that was closed a moment ago
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

// A restored desk had a lesson open. A desk without a lesson does not close the open one.
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
  enter(first_open());
}

void Lessons::on(const CloseLesson&) {
  note_leaving();
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
  if (l.lesson->seeded() && a.name.find_first_not_of(" \t") == std::string::npos)
    return (void)(l.refused = "This lesson gives everybody a matrix of their own: it needs your name.");
  l.answers.name = a.name;
  l.answers.seed = l.lesson->seeded() ? seed_of_name(a.name) : 1;
  l.begun = true;
  bench_ = std::make_shared<Bench>(l.lesson, engine_, *s_.catalog, l.answers.seed);
  keep();
  enter(0);
}

// Whether the question is closed: all tries are used, one was right, or the student asked for the answer.
bool Lessons::closed(std::size_t at) const {
  const LessonQuestion& q = s_.lesson.lesson->steps[at].question;
  const LessonAnswer* a = s_.lesson.answers.answer(q.id);
  if (!a || a->tries.empty()) return false;
  if (a->shown || static_cast<int>(a->tries.size()) >= q.tries) return true;
  const auto truth = truths_.find(q.id);
  return truth != truths_.end() && passes(q, truth->second, a->tries.back().answer);
}

std::size_t Lessons::first_open() const {
  std::size_t at = 0;
  while (at < s_.lesson.lesson->steps.size() && closed(at)) ++at;
  return at;
}

// From now on the student can look up open questions. The answers record that, and the lecturer decides what it means.
void Lessons::note_leaving() {
  LessonShown& l = s_.lesson;
  if (!l.lesson || !l.begun) return;
  const std::size_t open = first_open();
  if (open == l.lesson->steps.size() || l.answers.left.size() == kMostLeavings) return;
  l.answers.left.push_back({l.lesson->steps[open].question.id, l.answers.answers.size()});
  keep();
  say(Message::Kind::note,
      "You left the lesson with " + std::to_string(l.answers.answers.size()) + " of " +
          std::to_string(l.lesson->steps.size()) + " questions answered.",
      "Answers that you give later are handed in as given after leaving.");
}

}  // namespace warpspy::ui
