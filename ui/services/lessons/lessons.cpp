// Lists the lessons, and opens and closes one.
#include "ui/services/lessons/lessons.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
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
  std::string problem;     // why the answers could not be read
  bool was_open = false;   // when the program last ended
  bool from_desk = false;  // a restored desk opens it, so nothing was uncovered meanwhile
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

// A file beside the answers while their lesson is open. It outlives a program that is killed.
std::string open_mark(const std::string& kept) { return kept.empty() ? "" : kept + ".open"; }

// Puts the file there; returns whether it was there before.
bool mark_open(const std::string& path) {
  std::error_code ignored;
  if (path.empty()) return false;
  const bool there = fs::exists(path, ignored);
  if (!there) fs::create_directories(fs::path(path).parent_path(), ignored), std::ofstream(path).close();
  return there;
}

// How many questions of a lesson are answered, and by whom.
struct Before {
  std::size_t answered = 0;
  std::string name;
  fs::file_time_type when = fs::file_time_type::min();
};
Before before(const std::string& path) {
  std::error_code failed;
  const auto when = fs::last_write_time(path, failed);
  if (path.empty() || failed) return {};
  try {
    const LessonAnswers a = read_answers(path);
    return {a.answers.size(), a.name, when};
  } catch (const Error&) {
    return {};  // said when the lesson is opened
  }
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

void Lessons::begin() { list_again(); }

// The lessons of the program, and how far each was answered here.
void Lessons::list_again() {
  if (options_.lessons.empty()) return;
  struct Found {
    std::vector<LessonEntry> all;
    std::string name;
  };
  workers_.submit(
      JobQueue::tiles, "Lessons",
      [folder = options_.lessons, answers = options_.answers, last = last_](Progress&) {
        write_first(last);
        Found found;
        Before newest;
        std::error_code failed;
        for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
          if (at->path().extension() != ".md") continue;
          const Lesson l = read_lesson(at->path().string());
          const Before b = before(answers_path(answers, l));
          if (b.when > newest.when) newest = b;
          found.all.push_back({l.file, l.title, l.steps.size(), b.answered});
        }
        std::sort(found.all.begin(), found.all.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
        found.name = newest.name;
        return found;
      },
      [this](Found found) { s_.lesson.list = std::move(found.all), s_.lesson.name = std::move(found.name); },
      [this](const Failure& f) { say(f); });
}

bool Lessons::leaves_open_steps() const {
  return s_.lesson.lesson && s_.lesson.begun && first_open() < s_.lesson.lesson->steps.size();
}

void Lessons::on(const OpenLesson& a) {
  s_.dialog.clear();
  s_.lesson.next.clear();
  const std::string file = absolute_source(a.file);
  if (file == open_file()) return;
  if (!a.sure && leaves_open_steps()) return (void)(s_.lesson.next = file);
  open(file, false);
}

void Lessons::open(const std::string& path, bool from_desk) {
  s_.lesson.file = opens_ = path;
  const auto ticket = opening_.next();
  workers_.submit(
      JobQueue::load, "Opening " + fs::path(path).filename().string(),
      [file = opens_, folder = options_.answers, last = last_, from_desk](Progress&) {
        write_first(last);  // the lesson may be the one that was closed a moment ago
        Opened opened;
        opened.from_desk = from_desk;
        opened.lesson = std::make_shared<const Lesson>(read_lesson(file));
        opened.kept = answers_path(folder, *opened.lesson);
        opened.answers = answers_of_before(opened.kept, *opened.lesson, opened.problem);
        opened.was_open = mark_open(open_mark(opened.kept));
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
  const std::string shown = open_file();
  if (s_.lesson.file == shown || s_.lesson.file == opens_) return;
  if (s_.lesson.file.empty())
    s_.lesson.file = shown;
  else
    open(s_.lesson.file, true);
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
  // The program was ended while the lesson was open, and began without it: nothing was covered then.
  if (opened.was_open && !opened.from_desk) note_leaving();
  bench_ = std::make_shared<Bench>(l.lesson, engine_, *s_.catalog, l.answers.seed);
  enter(first_open());
}

void Lessons::on(const CloseLesson&) {
  note_leaving();
  if (s_.lesson.lesson && !s_.lesson.kept.empty())
    workers_.submit(
        JobQueue::load, "Closing a lesson",
        [path = open_mark(s_.lesson.kept)](Progress&) {
          std::error_code ignored;
          fs::remove(path, ignored);
          return 0;
        },
        [](int) {}, [](const Failure&) {});
  if (s_.lesson.job) s_.lesson.job->cancel();
  opening_.next();
  opens_.clear();
  bench_.reset();
  truths_.clear(), failed_.clear();
  run_.reset();
  made_.clear(), awaited_.clear();
  own_runs_ = 0;
  after_ = After::nothing;
  LessonShown none;
  none.list = std::move(s_.lesson.list), none.name = std::move(s_.lesson.name);
  s_.lesson = std::move(none);
  list_again();
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
  // Nobody comes to a later question before this one is closed.
  for (std::size_t k = at + 1; k < s_.lesson.lesson->steps.size(); ++k)
    if (s_.lesson.answers.answer(s_.lesson.lesson->steps[k].question.id)) return true;
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
  const LessonLeft now{l.lesson->steps[open].question.id, l.answers.answers.size()};
  if (!l.answers.left.empty() && l.answers.left.back() == now) return;  // was left before, and nothing answered since
  l.answers.left.push_back(now);
  keep();
  say(Message::Kind::note,
      "You left the lesson with " + std::to_string(l.answers.answers.size()) + " of " +
          std::to_string(l.lesson->steps.size()) + " questions answered.",
      "Answers that you give later are handed in as given after leaving.");
}

}  // namespace warpspy::ui
