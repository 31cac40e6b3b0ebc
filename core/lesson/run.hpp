// A lesson's runs, and the truths of its questions, computed from them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/experiment/executor.hpp"
#include "core/lesson/lesson.hpp"
#include "core/lesson/question.hpp"

namespace warpspy {

// Turns a recipe into a run, with the warp and the step that it names. Throws Error with FILE:LINE for unknown words
// and kernels, paths outside the lesson's folder, matrices that are too large, and devices that are not simulated.
struct LessonRun {
  RunRequest request;
  WarpWanted warp;
  std::size_t step = 0;
  bool has_warp = false;
  std::string beside;  // id of the kernel whose warp the window shows beside this one; empty: none
  // Counted on a GPU before, and read from a file beside the lesson: it is not made again. nullptr: the run is made.
  std::shared_ptr<const RunRecord> measured = nullptr;
};
LessonRun lesson_run(const Lesson& lesson, const LessonRecipe& recipe, const Catalog& catalog, std::uint64_t seed = 1);

// Tabs of the window that a recipe may name.
const std::vector<std::string>& lesson_tabs();

// The most entries that a lesson's matrix may have.
inline constexpr double kMostLessonEntries = 4e6;

// The runs of a lesson. A run is made when a question needs it, and kept. Only one thread at a time may use it; its
// arguments must live longer. Every function throws Error with FILE:LINE.
class LessonRuns {
 public:
  LessonRuns(const Lesson& lesson, const Catalog& catalog, Engine& engine, Executor& executor, MatrixOf matrix_of,
             std::uint64_t seed = 1);
  ~LessonRuns();
  LessonRuns(const LessonRuns&) = delete;
  LessonRuns& operator=(const LessonRuns&) = delete;
  LessonTruth truth(const LessonStep& step, Progress& progress);  // throws Cancelled too

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Runs every recipe that a question needs; returns the truths by the question's id. Throws Error with FILE:LINE for a
// question without a valid truth. `executor` finds limits where questions ask for findings. `seed`: where the lesson
// writes $seed.
using LessonTruths = std::map<std::string, LessonTruth>;
LessonTruths truths_of(const Lesson& lesson, const Catalog& catalog, Engine& engine, Executor& executor,
                       const MatrixOf& matrix_of, Progress& progress, std::uint64_t seed = 1);

// Lists what is wrong with the questions, as "FILE:LINE: reason": a wrong answer that passes, or a guess that passes
// too often.
std::vector<std::string> weaknesses(const Lesson& lesson, const LessonTruths& truths);

}  // namespace warpspy
