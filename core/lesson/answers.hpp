// What a student hands in: one JSON file, documented in docs/lessons.md. Marks are not in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/lesson/lesson.hpp"

namespace warpspy {

inline constexpr const char* kAnswersSchema = "warpspy-lesson-answers-1";
inline constexpr std::size_t kMostAnswersBytes = 1 << 20;
inline constexpr std::size_t kMostTries = 100;

// One try at a question. The first is the prediction; it alone is marked.
struct LessonTry {
  std::string answer;
  double seconds = 0;  // since the step was shown, or since the try before
  bool operator==(const LessonTry&) const = default;
};

struct LessonAnswer {
  std::string question, reason;
  std::vector<LessonTry> tries;
  bool shown = false;          // the truth was asked for while there were tries left
  bool after_leaving = false;  // the lesson had been left: what it covers could be seen before
  bool operator==(const LessonAnswer&) const = default;
};

// The lesson was left, and nothing was covered from then on.
struct LessonLeft {
  std::string question;      // that was asked then
  std::size_t answered = 0;  // so many questions had been
  bool operator==(const LessonLeft&) const = default;
};
inline constexpr std::size_t kMostLeavings = 100;

struct LessonAnswers {
  std::string name;          // of the student
  std::string lesson, hash;  // Lesson::id and Lesson::hash
  std::uint64_t seed = 1;    // of the student's matrices, where the lesson is seeded
  std::vector<LessonAnswer> answers;
  std::vector<LessonLeft> left = {};
  bool edited = false;  // the file's seal does not fit its content; not written
  bool operator==(const LessonAnswers&) const = default;
  const LessonAnswer* answer(const std::string& question) const;  // nullptr where there is none
};

// With a seal: it tells of changes by hand, and is no proof against somebody who makes a seal anew.
std::string to_json(const LessonAnswers& a);
// Throws Error for what is cut, no answer file or of another version. Members that it does not know are left unread.
LessonAnswers answers_from_json(const std::string& text);
LessonAnswers read_answers(const std::string& file);

// Between 1 and kMostLessonSeed: the same for the same name, and others for others, mostly.
std::uint64_t seed_of_name(const std::string& name);

}  // namespace warpspy
