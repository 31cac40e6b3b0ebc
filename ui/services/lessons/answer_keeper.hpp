// Keeps the answers of a lesson after every try: in jobs, and at the end of the program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/lesson/answers.hpp"

namespace warpspy::ui {

struct AnswersOnDisk;

// The file of a lesson's answers in a folder; "" without one. Another text of the lesson has another file.
std::string answers_path(const std::string& folder, const Lesson& lesson);

// Jobs and the end of the program may come to it at once: what was told last is what stays.
class AnswerKeeper {
 public:
  AnswerKeeper();
  // A writer of this text; it may be called on any thread. Throws Error; the old file stays.
  struct Write {
    void operator()() const;
    std::shared_ptr<AnswersOnDisk> disk;
    std::string path, text;
    std::uint64_t number = 0;
  };
  Write write(const std::string& path, const LessonAnswers& answers);

 private:
  std::shared_ptr<AnswersOnDisk> disk_;
  std::uint64_t told_ = 0;
};

}  // namespace warpspy::ui
