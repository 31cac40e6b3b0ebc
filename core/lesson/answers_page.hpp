// A student's answers as a page to read: HTML without scripts or links, all of it as text.
#pragma once

#include <string>

#include "core/lesson/answers.hpp"
#include "core/lesson/run.hpp"

namespace warpspy {

// What was asked, predicted and why; the truth and the mark where `truths` has them, and the reveal.
std::string answers_html(const Lesson& lesson, const LessonAnswers& answers, const LessonTruths& truths);

}  // namespace warpspy
