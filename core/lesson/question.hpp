// The kinds of questions. question.cpp has the one list: what a kind needs, its truth, how an answer is marked.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/lesson/lesson.hpp"
#include "core/model/roofline.hpp"
#include "core/run/record.hpp"
#include "core/run/warp_trace.hpp"

namespace warpspy {

// The time that one cause alone would need at least, as a share of the largest such time.
struct LessonRoof {
  std::string id;  // id in core/diagnosis, such as "dram"
  double share = 0;
};

// Facts from the runs of a lesson. Every function may throw Error.
struct LessonFacts {
  LessonValue value;
  std::function<std::shared_ptr<const RunRecord>(const std::string& recipe)> record;
  std::function<std::shared_ptr<const WarpTrace>(const std::string& recipe)> trace;
  std::function<std::size_t(const std::string& recipe)> step;  // the step of the warp, from 0
  std::function<std::vector<index_t>(const std::string& recipe)> row_lengths;
  std::function<std::vector<double>(const std::string& recipe)> bytes_by_k;  // of HYB
  std::function<std::vector<LessonRoof>(const std::string& recipe)> roofs;
  std::function<RooflinePoint(const std::string& recipe)> point;  // under the DRAM roof
  std::function<std::vector<Finding>(const std::string& recipe)> findings;
  std::function<std::vector<double>(const LessonQuestion& q, const std::string& recipe)> cells;  // times of its plane
};

// The choices that a run offers before the prediction. They do not show the answer.
struct LessonOffer {
  std::vector<std::string> names;  // the names as answers write them
  std::vector<std::string> words;  // the names as people read them; empty: the names themselves
  std::string of;                  // the array whose sectors are picked
  std::size_t from = 0, past = 0;  // the numbers that can be picked
  int each = 0;                    // elements of a sector
  bool operator==(const LessonOffer&) const = default;
};

struct LessonTruth {
  std::vector<double> right;  // the option, from 1; the number; the order; the members of a set; a row
  LessonOffer offer;
  std::vector<double> cost;  // cost of each answer, from 0: an answer near the least cost passes
  double chance = 0;         // the probability that a uniform guess passes
  bool operator==(const LessonTruth&) const = default;
};

struct QuestionKind {
  const char *id, *answer;                    // how an answer is written
  void (*complete)(const LessonQuestion& q);  // throws Error if something is missing
  LessonTruth (*truth)(const LessonQuestion& q, const std::string& recipe, const LessonFacts& facts);
  // 0 to 1; 1 passes. Throws Error for what is no answer.
  double (*mark)(const LessonQuestion& q, const LessonTruth& truth, const std::string& answer);
  // All wrong answers, if they can be listed.
  std::vector<std::string> (*others)(const LessonQuestion& q, const LessonTruth& truth);
};
const std::vector<QuestionKind>& question_kinds();
const QuestionKind& question_kind(const std::string& id);  // throws Error

void require_complete(const LessonQuestion& q);
// Whether an answer gets the full mark; a text that is no valid answer does not.
bool passes(const LessonQuestion& q, const LessonTruth& truth, const std::string& answer);
std::string truth_text(const LessonQuestion& q, const LessonTruth& truth);
// A number with four digits, or with commas between thousands: "0.5078", "848,000".
std::string number_in_words(double value);
// The range of possible answers of a question for a number: "from 1 to 64".
std::string range_text(const LessonQuestion& q);
// An answer in words for people: options, causes and names by their texts, numbers with their unit.
std::string answer_in_words(const LessonQuestion& q, const std::string& answer, const LessonOffer& offer = {});
// The position of a name among the offered ones. Throws Error if it is not offered.
std::size_t offered(const LessonOffer& offer, const std::string& name);

}  // namespace warpspy
