// Lessons and answer files: whatever is accepted keeps its bounds, and its recipes are bounded runs.
#include <string>

#include "core/lesson/answers.hpp"
#include "core/lesson/markdown.hpp"
#include "core/lesson/question.hpp"
#include "core/lesson/run.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace warpspy::fuzz {
namespace {

Catalog catalog() {
  Catalog c;
  ParamSpec k{"k", "K", "help", ParamSpec::Type::integer, 0, 4096, 4};
  ParamSpec coop{"coop", "Threads per row", "help", ParamSpec::Type::power_of_two, 1, 32, 8};
  c.formats = {{"csr", "CSR", "", "", {}}, {"hyb", "HYB", "", "", {k}}};
  c.kernels = {{"csr_scalar", "CSR scalar", "", "", "csr", {}},
               {"csr_vector", "CSR vector", "", "", "csr", {coop}},
               {"hyb", "HYB", "", "", "hyb", {}}};
  GpuSpec g;
  g.id = "h200", g.name = "H200";
  c.devices = {{"sim:h200", "H200", true, true, "", "", g}};
  return c;
}

void run_recipes(const Lesson& lesson) {
  static const Catalog known = catalog();
  for (const auto& [name, recipe] : lesson.recipes) {
    try {
      const LessonRun run = lesson_run(lesson, recipe, known);
      const std::string& m = run.request.matrix;
      require(m.find("..") == std::string::npos || m.starts_with("gen:") || m.starts_with(folder()),
              "a matrix lies outside the lesson's folder: " + m);
    } catch (const Error& e) {
      require(!e.where.empty(), "an error of a recipe has no place: " + e.reason);
    }
  }
}

void read_lesson_text(Bytes bytes) {
  const std::string text(bytes), file = folder() + "/fuzzed.md";
  Lesson lesson;
  try {
    lesson = lesson_from_markdown(text, file);
  } catch (const Error& e) {
    require(e.where.starts_with(file + ":"), "an error has no line: " + e.reason);
    throw;
  }
  require(!lesson.title.empty() && !lesson.steps.empty(), "a lesson without a title or a step");
  require(lesson.steps.size() <= kMostLessonSteps && lesson.recipes.size() <= kMostLessonRecipes, "too long a lesson");
  for (const LessonStep& s : lesson.steps) {
    require(lesson.recipes.contains(s.recipe), "a step without its recipe");
    require(!s.question.id.empty() && !s.reveal.empty(), "a step that asks or reveals nothing");
    question_kind(s.question.kind);
  }
  run_recipes(lesson);
}

// What was read and written once reads back the same, and no longer as edited.
void read_answer_file(Bytes bytes) {
  LessonAnswers a = answers_from_json(std::string(bytes));
  const std::string once = to_json(a);
  LessonAnswers again;
  try {
    again = answers_from_json(once);
  } catch (const Error& e) {
    require(false, std::string("answers of ours are refused: ") + e.what());
  }
  require(!again.edited, "answers of ours are taken for edited");
  a.edited = false;
  require(again == a && to_json(again) == once, "answers read back as something else");
}

constexpr const char* kLesson = R"(# Small

About it, <b>bold</b> and [a link](http://example.org).

```recipe a
matrix: gen:powerlaw?rows=64&mean=4&seed=$seed
kernel: csr_scalar
device: h200
tab: warp
warp: worst
step: 2
```

```recipe b
like: a
kernel: csr_vector
param.coop: 4
precision: f64
cache_state: cold
```

## First

Text.

```question one
kind: number
ask: How many?
truth: run.sectors@b / run.sectors * 100
unit: percent
within: 10 percent
range: 0 to 99
wrong: 4
```

> It is so.

## Second

```question two
kind: choice
recipe: b
ask: Which?
option: First | matrix.nnz < 2
option: Second | array.x.sectors_per_request >= 4
option: Third | cause.dram = 2
wrong: 2
```

> It is the first.
)";

std::string mutate_lesson(const std::string& text, Random& r) {
  static const Words words = {"```recipe c",
                              "```question three",
                              "```",
                              "kind: ranking",
                              "kind: lanes",
                              "kind: row",
                              "like: a",
                              "matrix: ../a.mtx",
                              "matrix: /etc/passwd",
                              "gen:dense?rows=100000",
                              " | rcm",
                              "@a",
                              "+ - * /",
                              "# ",
                              "## ",
                              "> ",
                              "option: x | 1 = 1",
                              "within: a factor of 2",
                              "range: 0 to 1e308",
                              "<script>",
                              "$seed",
                              "|"};
  return mutate_text(text, words, r);
}

std::string mutate_answers(const std::string& text, Random& r) {
  static const std::string deep = std::string(4000, '[') + std::string(4000, ']');
  static const Words words = {deep, "null", "[]", "{}", "\"tries\"", "\"seed\"", "1e300", "-1", "\"\\u0000\""};
  return mutate_text(text, words, r);
}

Words answer_files() {
  const Lesson l = lesson_from_markdown(kLesson, "fuzzed.md");
  LessonAnswers a;
  a.name = "Zo\xC3\xAB, \"Z\"", a.lesson = l.id, a.hash = l.hash, a.seed = seed_of_name(a.name);
  a.answers = {{"one", "rows are short", {{"12", 3.5}, {"13", 1}}}, {"two", "so", {{"1", 0}}}};
  return {to_json(a), to_json(LessonAnswers{})};
}

std::string seed_lesson(const std::string& path) { return path.ends_with(".md") ? contents(path) : std::string(); }

}  // namespace

std::vector<Target> lesson_targets() {
  return {{.name = "lesson",
           .run = read_lesson_text,
           .mutate = mutate_lesson,
           .seed_of = seed_lesson,
           .seeds = [] { return Words{kLesson}; }},
          {.name = "answers", .run = read_answer_file, .mutate = mutate_answers, .seeds = answer_files}};
}

}  // namespace warpspy::fuzz
