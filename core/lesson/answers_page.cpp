#include "core/lesson/answers_page.hpp"

#include <cmath>

#include "core/base/types.hpp"

namespace warpspy {
namespace {

// Escapes any text: a student's words, or those of a foreign lesson.
std::string html(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const unsigned char u = static_cast<unsigned char>(c);
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (u >= 0x20 || c == '\n')
      out += c;
  }
  return out;
}

std::string line(const char* what, const std::string& text) {
  return std::string("<dt>") + what + "</dt><dd>" + html(text) + "</dd>\n";
}

std::string mark_of(const LessonQuestion& q, const LessonTruth& truth, const std::string& answer) {
  try {
    return std::to_string(std::lround(100 * question_kind(q.kind).mark(q, truth, answer))) + " of 100";
  } catch (const Error& e) {
    return "none: " + e.reason;
  }
}

std::string step_html(const LessonStep& s, const LessonAnswer* given, const LessonTruths& truths) {
  const LessonQuestion& q = s.question;
  std::string text = "<h2>" + html(s.title) + "</h2>\n<p>" + html(s.text) + "</p>\n<p><b>" + html(q.ask) + "</b></p>\n";
  if (!given || given->tries.empty()) return text + "<p>Not answered.</p>\n";
  const std::string& answer = given->tries.front().answer;
  const auto truth = truths.find(q.id);
  const bool known = truth != truths.end();
  text += "<dl>\n" + line("Predicted", answer_in_words(q, answer, known ? truth->second.offer : LessonOffer())) +
          line("Because", given->reason);
  for (std::size_t k = 1; k < given->tries.size(); ++k)
    text += line(k == 1 ? "Then" : "",
                 answer_in_words(q, given->tries[k].answer, known ? truth->second.offer : LessonOffer()));
  if (given->after_leaving) text += line("Note", "Answered after the lesson had been left.");
  if (given->own_runs > 0) text += line("Note", "Runs of one's own before: " + std::to_string(given->own_runs) + ".");
  if (known) text += line("It is", truth_text(q, truth->second)) + line("Mark", mark_of(q, truth->second, answer));
  text += "</dl>\n";
  const bool open = !known && !given->shown && static_cast<int>(given->tries.size()) < q.tries;
  return open ? text : text + "<blockquote>" + html(s.reveal) + "</blockquote>\n";
}

}  // namespace

std::string answers_html(const Lesson& lesson, const LessonAnswers& answers, const LessonTruths& truths) {
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + html(lesson.title) +
      "</title>\n<style>\n"
      "body { font-family: Inter, 'DejaVu Sans', sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; }\n"
      "dt { float: left; width: 6rem; color: #666; } dd { margin: 0 0 0.2rem 6rem; }\n"
      "blockquote { margin: 0.6rem 0 2rem; padding-left: 0.8rem; border-left: 2px solid #ccc; }\n"
      "</style>\n</head>\n<body>\n<h1>" +
      html(lesson.title) + "</h1>\n<p>" + html(answers.name) + "</p>\n";
  for (const LessonStep& s : lesson.steps) text += step_html(s, answers.answer(s.question.id), truths);
  return text + "<p>Numbers are modelled, and computed from the lesson's runs.</p>\n</body>\n</html>\n";
}

}  // namespace warpspy
