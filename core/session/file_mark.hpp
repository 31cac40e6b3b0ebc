// By what a file is known again: its size and time at once, its contents where these are not enough.
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
  // The same file as far as the disk tells without reading it.
  bool same_state(const FileMark& o) const { return bytes == o.bytes && modified_ns == o.modified_ns; }
};

// Size and time of a plain file; nothing for what is none, or is not there.
std::optional<FileMark> mark_of(const std::string& path);
// The mark with the hash of the contents, which are read. Throws Error and Cancelled.
FileMark hashed_mark_of(const std::string& path, Progress& progress);

// Whether the file is another one than it was. One that was only touched or copied has the same contents, which are
// read where size and time do not tell. Throws Error and Cancelled.
struct Compared {
  FileMark now;
  bool changed = false;
};
Compared compare_with(const FileMark& before, const std::string& path, Progress& progress);

}  // namespace warpspy
