// A lesson's runs, and what they make of its questions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/experiment/executor.hpp"
#include "core/lesson/lesson.hpp"
#include "core/lesson/question.hpp"

namespace warpspy {

// A recipe as a run, and the warp and its step. Throws Error with FILE:LINE: unknown words, kernels, paths outside the
// lesson's folder, matrices that are too large, devices that are not simulated.
struct LessonRun {
  RunRequest request;
  WarpWanted warp;
  std::size_t step = 0;
  bool has_warp = false;
};
LessonRun lesson_run(const Lesson& lesson, const LessonRecipe& recipe, const Catalog& catalog, std::uint64_t seed = 1);

// Entries of a matrix at most.
inline constexpr double kMostLessonEntries = 4e6;

// Runs every recipe that a question wants. By id of the question. Throws Error with FILE:LINE for a question whose
// truth is none. `executor` finds limits where questions ask for findings. `seed`: where the lesson writes $seed.
using LessonTruths = std::map<std::string, LessonTruth>;
LessonTruths truths_of(const Lesson& lesson, const Catalog& catalog, Engine& engine, Executor& executor,
                       const MatrixOf& matrix_of, Progress& progress, std::uint64_t seed = 1);

// What is wrong with the questions: a wrong answer that passes, a guess that passes too often. FILE:LINE: reason.
std::vector<std::string> weaknesses(const Lesson& lesson, const LessonTruths& truths);

}  // namespace warpspy
