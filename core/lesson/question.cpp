#include "core/lesson/question.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/base/number_text.hpp"
#include "core/base/numbers.hpp"
#include "core/base/types.hpp"
#include "core/lesson/answer_text.hpp"

namespace warpspy {

// The one list of kinds of questions.
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

bool passes(const LessonQuestion& q, const LessonTruth& truth, const std::string& answer) {
  try {
    return question_kind(q.kind).mark(q, truth, answer) >= 1;
  } catch (const Error&) {
    return false;
  }
}

std::size_t offered(const LessonOffer& offer, const std::string& name) {
  const auto at = std::find(offer.names.begin(), offer.names.end(), name);
  if (at == offer.names.end()) throw Error("the run offers no " + name.substr(0, 40));
  return static_cast<std::size_t>(at - offer.names.begin());
}

namespace {

const std::string& read_as(const LessonOffer& offer, std::size_t k) {
  return k < offer.words.size() ? offer.words[k] : offer.names[k];
}

// How the members of a truth are joined: any of them is right, all of them are, or they form a sequence.
struct Joined {
  const char *kind, *by;
};
constexpr Joined kJoined[] = {{"padding", " and "}, {"findings", ", then "}};
const char* joined_by(const std::string& kind) {
  for (const Joined& j : kJoined)
    if (kind == j.kind) return j.by;
  return " or ";
}

// The unit of its numbers, if the author does not state one.
std::string unit_of(const LessonQuestion& q) {
  if (!q.unit.empty()) return " " + q.unit;
  return q.kind == "alone" ? " % of the time" : "";
}

// Answers count rows from 0; people read them as the window shows them, from 1.
std::string row_in_words(double row) { return "row " + grouped(static_cast<index_t>(row) + 1, ','); }

std::string point_in_words(const std::vector<double>& p) {
  std::ostringstream out;
  out.precision(3);
  out << p[0] << " flop/B, " << p[1] << " % of the roof";
  return out.str();
}

}  // namespace

std::string number_in_words(double value) {
  if (std::abs(value) >= 1e4 && std::abs(value) < 1e15) return grouped(std::llround(value), ',');
  std::ostringstream out;
  out.precision(4);
  out << value;
  return out.str();
}

std::string range_text(const LessonQuestion& q) {
  return "from " + number_in_words(q.least) + " to " + number_in_words(q.most);
}

std::string truth_text(const LessonQuestion& q, const LessonTruth& t) {
  if (q.kind == "choice") return q.options[static_cast<std::size_t>(t.right[0]) - 1].text;
  if (q.kind == "point") return point_in_words(t.right);
  if (q.kind == "row") {
    std::string rows;
    for (const double row : t.right) rows += (rows.empty() ? "" : " or ") + row_in_words(row);
    return rows;
  }
  if (t.offer.names.empty()) return answer_text(t.right) + unit_of(q);
  std::string all;
  for (const double k : t.right)
    all += (all.empty() ? "" : joined_by(q.kind)) + read_as(t.offer, static_cast<std::size_t>(k));
  return all;
}

std::string answer_in_words(const LessonQuestion& q, const std::string& answer, const LessonOffer& offer) {
  std::istringstream in(answer);
  std::string text;
  if (q.kind == "choice" || q.kind == "ranking") {
    for (std::string word; in >> word;) {
      const auto n = number_from<std::size_t>(word);
      const bool known = n && *n >= 1 && *n <= q.options.size();
      text += (text.empty() ? "" : ", ") + (known ? q.options[*n - 1].text : word);
    }
    return text;
  }
  if (const auto row = number_from<index_t>(answer); q.kind == "row" && row)
    return row_in_words(static_cast<double>(*row));
  if (double x = 0, y = 0; q.kind == "point" && in >> x >> y) return point_in_words({x, y});
  if (const auto one = std::find(offer.names.begin(), offer.names.end(), answer); one != offer.names.end())
    return read_as(offer, static_cast<std::size_t>(one - offer.names.begin()));
  if (offer.names.empty()) return answer + unit_of(q);
  for (std::string word; in >> word;) {
    const auto at = std::find(offer.names.begin(), offer.names.end(), word);
    const bool known = at != offer.names.end();
    text += (text.empty() ? "" : ", ") +
            (known ? read_as(offer, static_cast<std::size_t>(at - offer.names.begin())) : word);
  }
  return text;
}

}  // namespace warpspy
