// A mark by which a file is recognised: its size and time, and its contents if these are not enough.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/jobs/progress.hpp"

namespace warpspy {

struct FileMark {
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  // since 1970
  std::string hash = {};         // of the contents, 32 hexadecimal digits; empty: not read yet
  bool operator==(const FileMark&) const = default;
  // Whether size and time are the same; the file is not read.
  bool same_state(const FileMark& o) const { return bytes == o.bytes && modified_ns == o.modified_ns; }
};

// Size and time of a plain file; nothing if it does not exist or is no plain file.
std::optional<FileMark> mark_of(const std::string& path);
// The mark with a hash of the contents; the file is read. Throws Error and Cancelled.
FileMark hashed_mark_of(const std::string& path, Progress& progress);

// Whether the file has changed. If size and time differ, its contents are read, since a file that was only touched or
// copied has the same contents. Throws Error and Cancelled.
struct Compared {
  FileMark now;
  bool changed = false;
};
Compared compare_with(const FileMark& before, const std::string& path, Progress& progress);

}  // namespace warpspy
