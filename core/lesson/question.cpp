#include "core/lesson/question.hpp"

#include <algorithm>
#include <sstream>

#include "core/base/number_text.hpp"
#include "core/base/types.hpp"
#include "core/diagnosis/causes.hpp"
#include "core/lesson/answer_text.hpp"

namespace warpspy {

// THE list.
const std::vector<QuestionKind>& question_kinds() {
  static const std::vector<QuestionKind> all = [] {
    std::vector<QuestionKind> kinds = typed_kinds();
    for (const QuestionKind& k : picked_kinds()) kinds.push_back(k);
    return kinds;
  }();
  return all;
}

const QuestionKind& question_kind(const std::string& id) {
  std::string known;
  for (const QuestionKind& k : question_kinds()) {
    if (id == k.id) return k;
    known += (known.empty() ? "" : ", ") + std::string(k.id);
  }
  throw Error("there is no kind of question \"" + id + "\"", {}, "there are " + known);
}

void require_complete(const LessonQuestion& q) {
  if (q.kind.empty()) throw Error("the question " + q.id + " has no kind", {}, "write kind: choice");
  question_kind(q.kind).complete(q);
}

std::string truth_text(const LessonQuestion& q, const LessonTruth& t) {
  if (q.kind == "choice") return q.options[static_cast<std::size_t>(t.right[0]) - 1].text;
  if (!t.names.empty()) {
    std::string all;
    for (const double k : t.right) all += (all.empty() ? "" : " or ") + t.names[static_cast<std::size_t>(k)];
    return all;
  }
  return answer_text(t.right) + (q.unit.empty() ? "" : " " + q.unit);
}

std::string answer_in_words(const LessonQuestion& q, const std::string& answer) {
  if (q.kind == "roof") {
    const auto row = std::find_if(cause_rows.begin(), cause_rows.end(), [&](const auto& c) { return answer == c.id; });
    return row == cause_rows.end() ? answer : row->words;
  }
  if (q.kind != "choice" && q.kind != "ranking") return answer + (q.unit.empty() ? "" : " " + q.unit);
  std::string text;
  std::istringstream in(answer);
  for (std::string word; in >> word;) {
    const auto n = number_from<std::size_t>(word);
    const bool known = n && *n >= 1 && *n <= q.options.size();
    text += (text.empty() ? "" : ", ") + (known ? q.options[*n - 1].text : word);
  }
  return text;
}

}  // namespace warpspy
