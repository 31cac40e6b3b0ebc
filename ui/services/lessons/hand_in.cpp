// The answers in files: kept by the program after every try, and written where the student wants them.
#include <filesystem>

#include "core/base/source_name.hpp"
#include "core/base/target.hpp"
#include "ui/services/lessons/lessons.hpp"

namespace warpspy::ui {

void Lessons::keep() {
  if (s_.lesson.kept.empty()) return;
  workers_.submit(
      JobQueue::tiles, "Answers", [write = keeper_.write(s_.lesson.kept, s_.lesson.answers)](Progress&) { write(); },
      [this] { s_.lesson.unkept.clear(); },
      [this](const Failure& f) {
        if (s_.lesson.unkept.empty()) say(Failure{"the answers cannot be kept: " + f.reason, f.where, f.remedy});
        s_.lesson.unkept = f.reason;
      });
}

void Lessons::keep_last() {
  if (!s_.lesson.lesson || !s_.lesson.begun || s_.lesson.kept.empty()) return;
  try {
    keeper_.write(s_.lesson.kept, s_.lesson.answers)();
  } catch (const std::exception&) {
    // There is no one left to tell; those of the last try are there.
  }
}

void Lessons::on(const HandIn& a) {
  LessonShown& l = s_.lesson;
  if (!l.lesson || !l.begun) return;
  // A seed follows from the name: that one stays.
  if (!l.lesson->seeded()) l.answers.name = a.name;
  keep();
  s_.dialog.clear();
  std::string path = absolute_source(a.path);
  if (!path.ends_with(".json")) path += ".json";
  workers_.submit(
      JobQueue::load, "Writing the answers",
      [path, text = to_json(l.answers), overwrite = a.overwrite](Progress&) {
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
