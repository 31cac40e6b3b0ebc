// Defines what the program that reads MATLAB 7.3 files writes to its standard output for Warpspy. Both programs run on
// the same machine, so numbers have that machine's byte order. Warpspy checks everything that it reads from there.
#pragma once

#include <cstdint>

namespace warpspy {

enum class MatlabAnswerKind : std::uint32_t {
  matrix = 1,     // u32 row[entries], u32 pointer[cols + 1], f64 re[entries] and, if complex, f64 im[entries] follow
  damaged = 2,    // `entries` bytes of text follow: what is wrong
  no_sparse = 3,  // `entries` bytes of text follow: what the file has instead; none if it has nothing
  outside = 4,    // `entries` bytes of text follow: what in the file refers to another file
};

struct MatlabAnswer {
  static constexpr std::uint64_t kMark = 0x314c54414d505357;
  static constexpr std::uint32_t kComplex = 1, kLogical = 2;
  static constexpr std::uint32_t kOpen = 4;  // the system has no seccomp, so the program's system calls were not
                                             // limited
  std::uint64_t mark = kMark;
  MatlabAnswerKind kind = MatlabAnswerKind::damaged;
  std::uint32_t flags = 0;
  std::uint64_t rows = 0, cols = 0, entries = 0;
};
static_assert(sizeof(MatlabAnswer) == 40);
constexpr std::uint64_t kLongestMatlabText = 4096;

}  // namespace warpspy
