// A lesson: one Markdown file (docs/lessons.md). Each step asks a question before it shows the answer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/lesson/expression.hpp"

namespace warpspy {

inline constexpr std::size_t kMostLessonBytes = 256 << 10;
inline constexpr int kMostLessonWords = 60;
inline constexpr std::size_t kMostLessonSteps = 32, kMostLessonRecipes = 32;

// A recipe says which run a question is about: words by option, with the command line's names; parameters of kernel and
// format are param.NAME.
struct LessonRecipe {
  std::string name;
  std::map<std::string, std::string> words;
  std::map<std::string, int> lines;
  int line = 0;
};

struct LessonOption {
  std::string text;
  LessonExpression value;
  int line = 0;
};

// One side of a plane of parameters, with the values on it as a recipe writes them.
struct LessonAxis {
  std::string param;
  std::vector<std::string> values;
  bool operator==(const LessonAxis&) const = default;
};
inline constexpr std::size_t kMostLessonCells = 64;
inline constexpr int kMostLessonTries = 9;

struct LessonQuestion {
  std::string id, kind, ask, unit;
  LessonExpression truth;
  double within_percent = 0;          // 0: exactly
  double within_factor = 1;           // 1: no factor
  double least = 0, most = 0;         // for a number: the range of possible answers
  std::vector<LessonOption> options;  // for a choice or a ranking
  std::vector<LessonAxis> plane;      // of a search for the best cell: to the right, and upwards
  int tries = 1;                      // tries before the answer is revealed
  std::vector<std::string> wrong;     // answers that must fail
  int line = 0;
};

struct LessonStep {
  std::string title, recipe, text, reveal;
  LessonQuestion question;
  int line = 0;
};

struct Lesson {
  std::string file, id, title, about, hash;
  std::map<std::string, LessonRecipe> recipes;
  std::vector<LessonStep> steps;
  bool seeded() const;  // each student has a matrix of their own: a recipe says $seed
};
inline constexpr const char* kLessonSeed = "$seed";
inline constexpr std::uint64_t kMostLessonSeed = 1'000'000;

// Throws Error with FILE:LINE.
Lesson lesson_from_markdown(const std::string& text, const std::string& file);
Lesson read_lesson(const std::string& file);

}  // namespace warpspy
