// A student hands in one JSON file (docs/lessons.md). It has no marks.
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
  bool shown = false;          // the student asked for the truth while tries were left
  bool after_leaving = false;  // the lesson had been left before, so the student could see the answer
  std::size_t own_runs = 0;    // that the student made on revealed steps, since the answer before
  bool operator==(const LessonAnswer&) const = default;
};

// The student left the lesson; from then on nothing was covered.
struct LessonLeft {
  std::string question;      // the question that was open then
  std::size_t answered = 0;  // how many questions had been answered
  bool operator==(const LessonLeft&) const = default;
};
inline constexpr std::size_t kMostLeavings = 100;

struct LessonAnswers {
  std::string name;          // of the student
  std::string lesson, hash;  // Lesson::id and Lesson::hash
  std::uint64_t seed = 1;    // seed of the student's matrices, if the lesson has seeds
  std::vector<LessonAnswer> answers;
  std::vector<LessonLeft> left = {};
  bool edited = false;  // the file's seal does not fit its content; not written
  bool operator==(const LessonAnswers&) const = default;
  const LessonAnswer* answer(const std::string& question) const;  // nullptr where there is none
};

// With a seal, which shows changes by hand. It is no proof, since anyone can compute a new seal.
std::string to_json(const LessonAnswers& a);
// Throws Error if the text is cut off, no answer file, or from another version. Unknown members are ignored.
LessonAnswers answers_from_json(const std::string& text);
LessonAnswers read_answers(const std::string& file);

// A number between 1 and kMostLessonSeed. The same name always gives the same seed; different names mostly give
// different seeds.
std::uint64_t seed_of_name(const std::string& name);

}  // namespace warpspy
