// Reads and marks answers, which are texts: numbers with blanks between.
#pragma once

#include <string>
#include <vector>

#include "core/lesson/question.hpp"

namespace warpspy {

double answer_number(const std::string& text);  // throws Error, as does the next
std::vector<double> answer_numbers(const std::string& text);
std::string answer_text(const std::vector<double>& numbers);

// The wrong ones of the `n` answers that count from `from`.
std::vector<std::string> counted_answers(std::size_t n, const std::vector<double>& right, int from);
// 1 if the number is one of the right ones, else 0.
double mark_one(const LessonTruth& t, const std::string& answer);
// The mark of a set: 1 if it is right; else half of the share that it has in common with the right set.
double mark_set(const LessonQuestion& q, const LessonTruth& t, const std::string& answer);
// The mark of an order of all options: 1 if it is right; else half of the share of pairs in the right order.
double mark_order(const LessonTruth& t, const std::vector<double>& order);
std::vector<std::vector<double>> other_orders(const LessonTruth& t);

// For kinds of questions that need no further fields, and whose answers cannot be listed.
void nothing_more(const LessonQuestion& q);
std::vector<std::string> uncounted(const LessonQuestion& q, const LessonTruth& t);

// typed_kinds: kinds that are answered in the question itself. picked_kinds: kinds that are answered in a view.
std::vector<QuestionKind> typed_kinds();
std::vector<QuestionKind> picked_kinds();

}  // namespace warpspy
