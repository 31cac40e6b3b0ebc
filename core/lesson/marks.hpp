// Marks the answers of a class. Marks are computed from answers and truth; marks in a file are ignored.
#pragma once

#include <string>
#include <vector>

#include "core/lesson/answers.hpp"
#include "core/lesson/question.hpp"
#include "core/lesson/run.hpp"

namespace warpspy {

struct QuestionMark {
  std::string question, prediction, reason;
  double mark = 0;  // 0 to 1, of the prediction
  std::size_t tries = 0;
  std::size_t right_at = 0;  // the try that was right, from 1; 0: none was
  double seconds = 0;        // time until the prediction
  std::string note;          // why it has no mark: not answered, no answer
  bool operator==(const QuestionMark&) const = default;
};

// The marks of one answer file. If the file cannot be marked, `notes` say why, and there are no marks.
struct StudentMarks {
  std::string file, name, lesson;
  std::uint64_t seed = 1;
  std::vector<QuestionMark> marks;  // marks of the questions, in the lesson's order
  std::vector<std::string> notes;
  bool operator==(const StudentMarks&) const = default;
  double mean() const;
};

// Returns why answers do not belong to this lesson; "" if they do.
std::string misfit(const Lesson& lesson, const LessonAnswers& answers);
StudentMarks marks_of(const Lesson& lesson, const LessonTruths& truths, const LessonAnswers& answers);
// Adds notes to files that share a name, or the seed of a lesson with $seed.
void compare_students(std::vector<StudentMarks>& all, const std::vector<std::string>& seeded_lessons);

// Writes the marks as CSV, with a line per file and question. Texts that a spreadsheet would run as a formula are made
// harmless.
std::string marks_csv(const std::vector<StudentMarks>& all);
// Shows what a class predicted, question by question, as bars of text, the most frequent answer first.
std::string predictions_text(const std::vector<StudentMarks>& all);

}  // namespace warpspy
