// A lesson that is good, and ways to spoil it.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace warpspy::testing {

inline constexpr const char* kStepsOnly = R"(## First

Text.

```question one
kind: number
ask: How many?
truth: run.sectors
unit: sectors
within: 10 percent
range: 0 to 99
```

> It is so.

## Second

Text too.

```question two
kind: choice
recipe: b
ask: Which?
option: First | 1 < 2
option: Second | 1 > 2
option: Third | 1 = 2
wrong: 2
```

> It is the first.
)";

inline std::string good_lesson() {
  return std::string(R"(# Small

About it.

```recipe a
matrix: gen:laplace5?nx=8&ny=8
kernel: csr_scalar
device: h200
```

```recipe b
like: a
kernel: csr_vector
```

)") + kStepsOnly;
}

// The good lesson with the first `from` written as `to`.
inline std::string with(const std::string& from, const std::string& to) {
  std::string text = good_lesson();
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

}  // namespace warpspy::testing
