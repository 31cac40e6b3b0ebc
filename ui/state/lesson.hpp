// The open lesson: its step, the student's answers, and which parts of the window are covered until the prediction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/jobs/jobs.hpp"
#include "core/lesson/answers.hpp"
#include "core/lesson/question.hpp"

namespace warpspy::ui {

struct AppState;

// A lesson that comes with the program.
struct LessonEntry {
  std::string file, title;
  std::size_t steps = 0;
  std::size_t answered = 0;  // by the answers that are kept here
  bool operator==(const LessonEntry&) const = default;
};

// The prediction beside the truth.
struct LessonRevealed {
  LessonTruth truth;
  std::string text;  // the truth in words
  double mark = 0;   // 0 to 1
  bool operator==(const LessonRevealed&) const = default;
};

struct LessonShown {
  std::vector<LessonEntry> list;
  std::string name;                      // of the student, by the newest answers that are kept here
  std::string file;                      // file of the open lesson, or of the one to open; empty: none
  std::string next;                      // the lesson to open if the student agrees to leave this one
  std::shared_ptr<const Lesson> lesson;  // none: no lesson is open
  bool begun = false;                    // its first page has been closed
  std::size_t at = 0;                    // the step; after the last step comes the end
  LessonAnswers answers;                 // so far
  std::string answer, reason;            // being written
  std::string refused;                   // why the draft is no valid prediction
  bool ready = false;                    // the run of this step is ready, so the student can predict
  JobPtr job;                            // the job that makes it
  std::string problem;                   // why the run cannot be made
  LessonOffer offer;                     // the choices that the run offers
  std::optional<LessonRevealed> revealed;
  std::vector<std::optional<double>> marks;  // of each step whose truth is known and which was answered, 0 to 1
  std::string tried;                         // the result of the last try, while tries are left
  std::string kept;                          // the file of the answers; empty: they are not kept
  std::string unkept;                        // why not

  const LessonStep* step() const { return lesson && at < lesson->steps.size() ? &lesson->steps[at] : nullptr; }
  const LessonAnswer* given() const { return step() ? answers.answer(step()->question.id) : nullptr; }
  // Returns how many tries are left before the truth is shown. A right try ends them, but only once the truth is known.
  int tries_left() const;
  // Whether the step may show the truth.
  bool settled() const { return given() && tries_left() == 0; }
  bool at_end() const { return lesson && begun && at >= lesson->steps.size(); }
};

// Kinds of data that would show an answer.
enum class Covered : std::uint8_t {
  result,   // times, rates and counters of runs, on the roofline too
  limit,    // what limits a run
  traffic,  // bytes and sectors by array and source line
  sectors,  // counts of single warps and entries
  best,     // which kernel and which parameters are fastest
  formats,  // bytes and padding of storage formats
  facts,    // facts about the matrix: only if the question asks for them
};

// Whether this kind of data is covered now: until the student has given a prediction and a reason for the shown step.
bool covered(const AppState& s, Covered what);
inline constexpr const char* kCovered = "Covered until you predict";

// The tabs on which a kind of question is answered by clicks, the one to show first; nullptr: it has none.
struct AnsweredOn {
  const char* kind;
  const char* tabs[2];
  bool on(const std::string& tab) const { return tab == tabs[0] || tab == tabs[1]; }
};
const AnsweredOn* answered_on(const std::string& kind);

// Whether all of a tab is covered.
bool covered_tab(const AppState& s, const std::string& tab);

}  // namespace warpspy::ui
