// Writes a student's answers as a page to read, in HTML without scripts or links.
#pragma once

#include <string>

#include "core/lesson/answers.hpp"
#include "core/lesson/run.hpp"

namespace warpspy {

// The page has the questions, predictions and reasons, and the reveals; also the truth and the mark, if `truths` has
// them.
std::string answers_html(const Lesson& lesson, const LessonAnswers& answers, const LessonTruths& truths);

}  // namespace warpspy
