// Writes the student's answers: into the program's own file after every try, and where the student wants them, as a
// file to hand in or as a page to read.
#include <filesystem>

#include "core/base/source_name.hpp"
#include "core/base/target.hpp"
#include "core/lesson/answers_page.hpp"
#include "ui/services/lessons/lessons.hpp"

namespace warpspy::ui {

KeptFiles::Write Lessons::latest() {
  return files_.write(s_.lesson.kept, [answers = s_.lesson.answers] { return to_json(answers); }, Readers::owner);
}

void Lessons::keep() {
  if (s_.lesson.kept.empty()) return;
  last_ = latest();
  workers_.submit(
      JobQueue::tiles, "Answers",
      [write = *last_](Progress&) {
        std::filesystem::create_directories(std::filesystem::path(write.path).parent_path());
        write();
      },
      [this] { s_.lesson.unkept.clear(); },
      [this](const Failure& f) {
        if (s_.lesson.unkept.empty()) say(Failure{"the answers cannot be kept: " + f.reason, f.where, f.remedy});
        s_.lesson.unkept = f.reason;
      });
}

void Lessons::keep_last() {
  if (!s_.lesson.lesson || !s_.lesson.begun || s_.lesson.kept.empty()) return;
  try {
    latest()();
  } catch (const std::exception&) {
    // The window has closed, so nobody can be told; the answers of the last try are written.
  }
}

// Whether the question is closed: all tries are used, or one was right.
bool Lessons::shows_truth_of(const std::string& question) const {
  const auto& steps = s_.lesson.lesson->steps;
  for (std::size_t k = 0; k < steps.size(); ++k)
    if (steps[k].question.id == question) return closed(k);
  return false;
}

// The page must not show answers to questions that the student has not answered.
LessonTruths Lessons::truths_of_given() const {
  LessonTruths given;
  for (const auto& [id, truth] : truths_)
    if (shows_truth_of(id)) given.emplace(id, truth);
  return given;
}

void Lessons::on(const HandIn& a) {
  LessonShown& l = s_.lesson;
  if (!l.lesson || !l.begun) return;
  // With a seed, the name determines the questions, so it cannot change.
  if (!l.lesson->seeded()) l.answers.name = a.name;
  keep();
  s_.dialog.clear();
  std::string path = absolute_source(a.path);
  const bool page = path.ends_with(".html");
  if (!page && !path.ends_with(".json")) path += ".json";
  workers_.submit(
      JobQueue::load, "Writing the answers",
      [path, text = page ? answers_html(*l.lesson, l.answers, truths_of_given()) : to_json(l.answers),
       overwrite = a.overwrite](Progress&) {
        std::error_code ignored;
        if (!overwrite && std::filesystem::exists(path, ignored))
          throw Error("a file of this name is there", path, "choose another name");
        write_file(path, text);
        return path;
      },
      [this](const std::string& written) {
        say(Message::Kind::note, "The answers are in " + written + ".",
            "They leave this machine only when you send them.");
      },
      [this](const Failure& f) { say(f); });
}

}  // namespace warpspy::ui
