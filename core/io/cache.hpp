// Copies of large matrices in the user's cache folder, stored as in memory. With a copy, opening a file again takes a
// tenth of the time. A copy is used only if the file is unchanged (path, size, times, inode) and the copy is complete
// (every block has its check sum). Otherwise the file is read again and the copy replaced.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy {

// Only files of at least this many bytes get a copy; a smaller file can be read as fast as a copy.
constexpr std::uint64_t kLeastCached = 2'000'000;
// The most bytes of all copies together, unless WARPSPY_CACHE_BYTES sets another limit. It is never more than a tenth
// of the free disk space.
constexpr std::uint64_t kMostCacheBytes = 10'000'000'000;

// The state of a file on the disk.
struct CacheKey {
  std::string path;  // absolute, without symbolic links
  std::uint64_t size = 0, inode = 0;
  std::int64_t modified = 0, changed = 0;  // ns since 1970: of the contents; of anything about the file
  // Whether a later change would change the file's times: its last change is older than one tick of the file system's
  // clock.
  bool settled = false;
  bool same_file(const CacheKey& o) const {
    return path == o.path && size == o.size && inode == o.inode && modified == o.modified && changed == o.changed;
  }
};

// Returns the state of a file. Returns nothing if the file is small, is not a plain file, or the cache is off
// (WARPSPY_CACHE=off, or no home folder).
std::optional<CacheKey> cache_key(const std::string& path);
// Reads the copy of a file. Returns nothing if there is no copy that can be trusted. Runs in the caller's TBB arena.
// Throws Cancelled. The result's `location` is the key's path; the caller replaces it by the name that the user gave.
std::optional<Matrix> load_cache(const CacheKey& key, Progress& progress);
// Writes the copy of a matrix. It is written under another name and then renamed, so that other processes see the old
// copy or the new one. Copies used longest ago are removed to make room. Throws Error if the copy cannot be kept (no
// room, no folder), and Cancelled.
void save_cache(const CacheKey& key, const Matrix& m, Progress& progress);

// $XDG_CACHE_HOME/warpspy or ~/.cache/warpspy; empty when there is neither.
std::string cache_folder();
struct CacheUsage {
  std::uint64_t copies = 0, bytes = 0;
};
CacheUsage cache_usage();
// Removes all copies; returns what was removed.
CacheUsage clear_cache();

}  // namespace warpspy
