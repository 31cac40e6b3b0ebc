// Answers as text: numbers with blanks between.
#pragma once

#include <string>
#include <vector>

#include "core/lesson/question.hpp"

namespace warpspy {

double answer_number(const std::string& text);  // throws Error, as does the next
std::vector<double> answer_numbers(const std::string& text);
std::string answer_text(const std::vector<double>& numbers);

// Every one of `n` answers from `from` that is not right.
std::vector<std::string> counted_answers(std::size_t n, const std::vector<double>& right, int from);
// 1 where the number is among those that are right, else 0.
double mark_one(const LessonTruth& t, const std::string& answer);
// The same for sets: a wrong one has half of what the two have in common.
double mark_set(const LessonQuestion& q, const LessonTruth& t, const std::string& answer);
// The same for orders, each with all that there is: a wrong one has half of the pairs that stand as they should.
double mark_order(const LessonTruth& t, const std::vector<double>& order);
std::vector<std::vector<double>> other_orders(const LessonTruth& t);

// For kinds that need nothing more, and whose answers cannot be counted.
void nothing_more(const LessonQuestion& q);
std::vector<std::string> uncounted(const LessonQuestion& q, const LessonTruth& t);

// The kinds that are typed or chosen in the question itself, and those that are picked in a view.
std::vector<QuestionKind> typed_kinds();
std::vector<QuestionKind> picked_kinds();

}  // namespace warpspy
