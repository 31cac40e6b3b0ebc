// The lesson that is open: its step, what the student has put down, and what of the window is covered until then.
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
  bool operator==(const LessonEntry&) const = default;
};

// What was predicted, beside what is true.
struct LessonRevealed {
  LessonTruth truth;
  std::string text;  // the truth in words
  double mark = 0;   // 0 to 1
  bool operator==(const LessonRevealed&) const = default;
};

struct LessonShown {
  std::vector<LessonEntry> list;
  std::string file;                      // of the lesson that is open, or is to be; empty: none
  std::shared_ptr<const Lesson> lesson;  // none: no lesson is open
  bool begun = false;                    // its first page was left
  std::size_t at = 0;                    // the step; behind the last one is the end
  LessonAnswers answers;                 // so far
  std::string answer, reason;            // being written
  std::string refused;                   // why that is no prediction
  bool ready = false;                    // the run of this step is made: it can be predicted
  JobPtr job;                            // that makes it
  std::string problem;                   // why it cannot be made
  LessonOffer offer;                     // what its run offers to pick from
  std::optional<LessonRevealed> revealed;
  std::string tried;   // what became of the last try, while there are others
  std::string kept;    // the file of the answers; empty: they are not kept
  std::string unkept;  // why not

  const LessonStep* step() const { return lesson && at < lesson->steps.size() ? &lesson->steps[at] : nullptr; }
  const LessonAnswer* given() const { return step() ? answers.answer(step()->question.id) : nullptr; }
  // Tries that are left before the step is revealed. Only a truth that is known ends them sooner.
  int tries_left() const;
  // The step may show what is true.
  bool settled() const { return given() && tries_left() == 0; }
  bool at_end() const { return lesson && begun && at >= lesson->steps.size(); }
};

// What gives an answer away.
enum class Covered : std::uint8_t {
  result,   // times, rates and counters of runs, on the roofline too
  limit,    // what limits a run
  traffic,  // bytes and sectors by array and source line
  sectors,  // of single warps and entries
  best,     // which kernel and which parameters are fastest
  formats,  // bytes and padding of storage formats
  facts,    // of the matrix: only where they are asked for
};

// THE predicate of the lock: until the prediction of the step that is shown, and its reason, are in.
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
