// Finds questions of a lesson that can be passed by guessing.
#include <cmath>

#include "core/lesson/run.hpp"

namespace warpspy {
namespace {

constexpr double kMostChance = 0.34;  // one of three

}  // namespace

std::vector<std::string> weaknesses(const Lesson& lesson, const LessonTruths& truths) {
  std::vector<std::string> all;
  for (const LessonStep& s : lesson.steps) {
    const LessonQuestion& q = s.question;
    const LessonTruth& t = truths.at(q.id);
    const QuestionKind& kind = question_kind(q.kind);
    const std::string place = lesson.file + ":" + std::to_string(q.line) + ": ";
    for (const std::string& wrong : q.wrong) {
      try {
        if (kind.mark(q, t, wrong) >= 1) all.push_back(place + "the wrong answer " + wrong + " passes");
      } catch (const Error& e) {
        all.push_back(place + "the wrong answer " + wrong + " is none: " + e.reason);
      }
    }
    for (const std::string& other : kind.others(q, t))
      if (kind.mark(q, t, other) >= 1) all.push_back(place + "the answer " + other + " passes too");
    if (t.chance > kMostChance)
      all.push_back(place + "a guess passes " + std::to_string(static_cast<int>(std::lround(100 * t.chance))) +
                    " times of 100");
  }
  return all;
}

}  // namespace warpspy
