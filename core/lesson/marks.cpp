#include "core/lesson/marks.hpp"

#include <algorithm>
#include <map>

#include "core/base/csv.hpp"
#include "core/base/foreign_text.hpp"
#include "core/base/number_text.hpp"
#include "core/base/types.hpp"

namespace warpspy {
namespace {

constexpr std::size_t kMostBars = 12, kWidestBar = 40;

QuestionMark mark_of(const LessonQuestion& q, const LessonTruth& truth, const LessonAnswer* answer) {
  QuestionMark m;
  m.question = q.id;
  if (!answer || answer->tries.empty()) return m.note = "not answered", m;
  m.prediction = answer->tries.front().answer, m.reason = answer->reason;
  m.tries = answer->tries.size(), m.seconds = answer->tries.front().seconds;
  if (answer->after_leaving) m.note = "answered after the lesson had been left";
  if (answer->own_runs > 0)
    m.note += (m.note.empty() ? "" : "; ") + std::string("answered after ") + std::to_string(answer->own_runs) +
              (answer->own_runs == 1 ? " run" : " runs") + " of the student's own";
  const QuestionKind& kind = question_kind(q.kind);
  for (std::size_t k = 0; k < answer->tries.size(); ++k) {
    try {
      const double mark = kind.mark(q, truth, answer->tries[k].answer);
      if (k == 0) m.mark = mark;
      if (mark >= 1 && m.right_at == 0) m.right_at = k + 1;
    } catch (const Error& e) {
      if (k == 0) m.note = e.reason;
    }
  }
  return m;
}

// A spreadsheet computes what begins so.
std::string cell(const std::string& text) {
  if (text.empty() || std::string("=+-@\t\r").find(text[0]) == std::string::npos || number_from<double>(text))
    return text;
  return "'" + text;
}

std::string joined(const std::vector<std::string>& notes) {
  std::string all;
  for (const std::string& n : notes) all += (all.empty() ? "" : "; ") + n;
  return all;
}

}  // namespace

double StudentMarks::mean() const {
  double sum = 0;
  for (const QuestionMark& m : marks) sum += m.mark;
  return marks.empty() ? 0 : sum / static_cast<double>(marks.size());
}

std::string misfit(const Lesson& lesson, const LessonAnswers& a) {
  if (a.lesson != lesson.id) return "it answers another lesson, " + a.lesson;
  if (a.hash != lesson.hash) return "it answers another version of the lesson " + a.lesson;
  if (!lesson.seeded() && a.seed != 1) return "its seed is not 1, and this lesson has no seeds";
  return {};
}

StudentMarks marks_of(const Lesson& lesson, const LessonTruths& truths, const LessonAnswers& a) {
  StudentMarks s;
  s.name = a.name, s.lesson = a.lesson, s.seed = a.seed;
  if (a.edited) s.notes.emplace_back("edited by hand");
  if (const std::string why = misfit(lesson, a); !why.empty()) return s.notes.push_back(why), s;
  for (const LessonStep& step : lesson.steps)
    s.marks.push_back(mark_of(step.question, truths.at(step.question.id), a.answer(step.question.id)));
  if (!a.left.empty())
    s.notes.push_back("left " + std::to_string(a.left.size()) + (a.left.size() == 1 ? " time" : " times") +
                      " before its end, first with " + std::to_string(a.left.front().answered) + " answered");
  for (const LessonAnswer& one : a.answers)
    if (!truths.contains(one.question)) s.notes.push_back("the lesson has no question " + one.question);
  return s;
}

void compare_students(std::vector<StudentMarks>& all, const std::vector<std::string>& seeded) {
  const auto note = [&](auto key, const std::string& what) {
    std::map<std::string, std::vector<StudentMarks*>> same;
    for (StudentMarks& s : all)
      if (const std::string k = key(s); !k.empty()) same[k].push_back(&s);
    for (const auto& [k, students] : same) {
      if (students.size() < 2) continue;
      const std::size_t more = students.size() - 2;
      for (StudentMarks* s : students) {
        const std::string& other = students[s == students[0] ? 1 : 0]->file;
        s->notes.push_back(what + " as in " + other + (more > 0 ? " and " + std::to_string(more) + " more" : ""));
      }
    }
  };
  note([](const StudentMarks& s) { return s.name.empty() ? "" : s.lesson + "\n" + s.name; }, "the same name");
  note(
      [&](const StudentMarks& s) {
        const bool counts = std::find(seeded.begin(), seeded.end(), s.lesson) != seeded.end();
        return counts ? s.lesson + "\n" + std::to_string(s.seed) : "";
      },
      "the same seed");
}

std::string marks_csv(const std::vector<StudentMarks>& all) {
  std::string out;
  csv::add_line(out, {"file", "name", "lesson", "seed", "question", "prediction", "mark", "tries", "right_at",
                      "seconds", "reason", "note"});
  for (const StudentMarks& s : all) {
    const std::string notes = joined(s.notes);
    if (s.marks.empty())
      csv::add_line(out, {cell(s.file), cell(s.name), cell(s.lesson), "", "", "", "", "", "", "", "", cell(notes)});
    for (const QuestionMark& m : s.marks) {
      std::string note = notes;
      if (!m.note.empty()) note += (note.empty() ? "" : "; ") + m.note;
      csv::add_line(out,
                    {cell(s.file), cell(s.name), cell(s.lesson), std::to_string(s.seed), m.question, cell(m.prediction),
                     csv::number(m.mark), std::to_string(m.tries), m.right_at > 0 ? std::to_string(m.right_at) : "",
                     csv::number(m.seconds), cell(m.reason), cell(note)});
    }
  }
  return out;
}

std::string predictions_text(const std::vector<StudentMarks>& all) {
  struct Count {
    std::size_t students = 0;
    bool passes = false;
  };
  std::vector<std::string> order;
  std::map<std::string, std::map<std::string, Count>> counts;
  for (const StudentMarks& s : all)
    for (const QuestionMark& m : s.marks) {
      const std::string id = s.lesson + ", " + m.question;
      if (!counts.contains(id)) order.push_back(id);
      Count& c = counts[id][m.tries == 0 ? "(no answer)" : m.prediction];
      ++c.students, c.passes = m.mark >= 1;
    }
  std::string out;
  for (const std::string& id : order) {
    std::vector<std::pair<std::string, Count>> rows(counts[id].begin(), counts[id].end());
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.second.students > b.second.students; });
    out += harmless(id) + "\n";
    for (std::size_t k = 0; k < std::min(rows.size(), kMostBars); ++k) {
      const auto& [prediction, c] = rows[k];
      const std::size_t bar = std::max<std::size_t>(1, c.students * kWidestBar / rows[0].second.students);
      out += std::string("  ") + (c.passes ? "right " : "      ") + std::string(bar, '#') + " " +
             std::to_string(c.students) + "  " + harmless(prediction.substr(0, 60)) + "\n";
    }
    if (rows.size() > kMostBars) out += "        and " + std::to_string(rows.size() - kMostBars) + " others\n";
  }
  return out;
}

}  // namespace warpspy
