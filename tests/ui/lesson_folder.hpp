// A folder with a lesson on the toy GPU, and a place for its answers: it goes with its object.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/ui/hands.hpp"

namespace warpspy::ui {

inline constexpr const char* kToyLesson = R"(# Toy lesson

About toys.

```recipe grid
matrix: gen:laplace5?nx=10&ny=10
kernel: csr_scalar
device: toy
tab: warp
warp: 6
step: 2
```

```recipe arrow
like: grid
matrix: gen:arrow?n=60
kernel: csr_vector
param.coop: 16
precision: f64
tab: rows
```

## How many entries

A grid of ten by ten.

```question entries
kind: number
ask: How many entries does it have?
truth: matrix.nnz
unit: entries
within: 10 percent
range: 0 to 1000
wrong: 5
```

> Five in a row, but at the edges.

## Who idles

```question idle
kind: lanes
ask: Which lanes idle at the second step?
```

> The upper half has ended.

## Which of them

```question which
kind: choice
ask: Which holds?
option: It has few | matrix.nnz < 100
option: It has some | matrix.nnz = 460
option: It has many | matrix.nnz > 1000
```

> It has some.

## In order

```question order
kind: ranking
ask: Order them, the largest first.
option: Ones | 1
option: Nines | 9
option: Fours | 4
```

> Nine is the largest.

## The row that holds it up

```question row
kind: row
recipe: arrow
ask: Which row is the longest?
```

> The last one.
)";

class LessonFolder {
 public:
  LessonFolder() {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_ / "lessons");
    std::ofstream(lesson()) << kToyLesson;
  }
  ~LessonFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string at(const std::string& name) const { return (path_ / name).string(); }
  std::string lesson() const { return at("lessons/toy.md"); }
  SessionOptions options() const {
    SessionOptions o = Harness::quiet();
    o.lessons = at("lessons");
    o.answers = at("answers");
    return o;
  }

 private:
  const std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("warpspy_lessons_" + std::to_string(::getpid()));
};

// At its first step.
inline void begin_lesson(Harness& h, const LessonFolder& f) {
  h.session.apply(OpenLesson{f.lesson()});
  h.settle();
  h.session.apply(BeginLesson{"Ada"});
  h.settle();
}
inline void predict(Harness& h, const std::string& answer, const std::string& reason = "so it seems") {
  h.session.apply(DraftAnswer{answer, reason});
  h.session.apply(Predict{});
  h.settle();
}

}  // namespace warpspy::ui
