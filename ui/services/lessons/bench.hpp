// Runs the recipes of a lesson; one job at a time may use it.
#pragma once

#include <functional>
#include <memory>

#include "core/experiment/executor.hpp"
#include "core/io/io.hpp"
#include "ui/services/lessons/lessons.hpp"

namespace warpspy::ui {

struct Lessons::Bench {
  Bench(std::shared_ptr<const Lesson> of, Engine& engine, const Catalog& catalog, std::uint64_t seed)
      : lesson(std::move(of)),
        executor(engine, catalog, {.limits = Diagnose::bounds}),
        make([this, &engine, &catalog, seed] {
          const MatrixOf opener = [this](const std::string& source, Progress& p) -> const Matrix& {
            matrix = {};
            return matrix = open_matrix(source, p);
          };
          return std::make_unique<LessonRuns>(*lesson, catalog, engine, executor, opener, seed);
        }) {}
  LessonTruth truth(std::size_t step, Progress& p) {
    if (!runs) runs = make();
    return runs->truth(lesson->steps[step], p);
  }

  const std::shared_ptr<const Lesson> lesson;
  Executor executor;
  Matrix matrix;
  std::function<std::unique_ptr<LessonRuns>()> make;  // called in the job, since it looks for files
  std::unique_ptr<LessonRuns> runs;
};

}  // namespace warpspy::ui
