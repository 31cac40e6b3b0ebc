#include "core/io/cache_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/io/cache.hpp"
#include "core/io/checksum.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".matrix";
constexpr const char* kPartEnding = ".part";

std::string environment(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

std::int64_t ns_of(const timespec& t) { return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec; }

struct Copy {
  fs::path path;
  std::uint64_t bytes = 0;
  fs::file_time_type used;
};

// Files may disappear while we look: another process may be making room too.
std::vector<Copy> copies_with(const char* ending) {
  std::vector<Copy> found;
  std::error_code failed;
  for (fs::directory_iterator it(cache_folder(), failed), end; !failed && it != end; it.increment(failed)) {
    if (it->path().extension() != ending) continue;
    std::error_code gone;
    Copy c{it->path(), it->file_size(gone), {}};
    if (!gone) c.used = it->last_write_time(gone);
    if (!gone) found.push_back(std::move(c));
  }
  return found;
}

std::uint64_t bytes_of(const std::vector<Copy>& copies) {
  std::uint64_t n = 0;
  for (const auto& c : copies) n += c.bytes;
  return n;
}

std::uint64_t chosen_limit() {
  const std::string text = environment("WARPSPY_CACHE_BYTES");
  std::uint64_t n = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), n);
  return status == std::errc() && end == text.data() + text.size() ? n : kMostCacheBytes;
}

// Removes what a process left that has ended: files that were not written for an hour.
void remove_abandoned_parts() {
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::error_code ignored;
  for (const auto& c : copies_with(kPartEnding))
    if (c.used < old) fs::remove(c.path, ignored);
}

void make_room(const std::string& target, std::uint64_t bytes) {
  remove_abandoned_parts();
  auto copies = copies_with(kEnding);
  std::uint64_t used = bytes_of(copies);
  std::error_code failed;
  const auto space = fs::space(cache_folder(), failed);
  const std::uint64_t limit =
      std::min(chosen_limit(), failed ? kMostCacheBytes : (std::uint64_t{space.available} + used) / 10);
  if (bytes > limit)
    throw Error("the copy needs " + byte_text(static_cast<double>(bytes)) + ", but all copies together may take " +
                    byte_text(static_cast<double>(limit)),
                cache_folder());
  std::sort(copies.begin(), copies.end(), [](const Copy& a, const Copy& b) { return a.used < b.used; });
  for (const auto& c : copies) {
    const bool replaced = c.path == target;
    if (replaced) used -= c.bytes;
    if (replaced || used + bytes <= limit) continue;
    if (fs::remove(c.path, failed)) used -= c.bytes;
  }
}

}  // namespace

std::string cache_folder() {
  if (const std::string base = environment("XDG_CACHE_HOME"); base.starts_with('/')) return base + "/warpspy";
  const std::string home = environment("HOME");
  return home.empty() ? "" : home + "/.cache/warpspy";
}

std::string copy_path(const std::string& path) {
  char name[17];
  std::snprintf(name, sizeof name, "%016llx", static_cast<unsigned long long>(checksum(path.data(), path.size())));
  return cache_folder() + "/" + name + kEnding;
}

std::optional<CacheKey> cache_key(const std::string& path) {
  if (environment("WARPSPY_CACHE") == "off" || cache_folder().empty()) return {};
  CacheKey key;
  // The clock that the file system uses for its times, read before those times.
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
  struct stat info = {};
  std::error_code failed;
  key.path = fs::canonical(path, failed).string();
  if (failed || ::stat(key.path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
  key.size = static_cast<std::uint64_t>(info.st_size);
  key.inode = info.st_ino;
  key.modified = ns_of(info.st_mtim);
  key.changed = ns_of(info.st_ctim);
  key.settled = ns_of(now) > std::max(key.modified, key.changed);
  if (key.size < kLeastCached) return {};
  return key;
}

NewCopy::NewCopy(const std::string& path, std::uint64_t bytes) : target_(copy_path(path)) {
  std::error_code failed;
  const fs::path folder = cache_folder();
  if (fs::create_directories(folder, failed)) fs::permissions(folder, fs::perms::owner_all, failed);
  if (failed) throw Error("the folder cannot be made: " + failed.message(), folder.string());
  make_room(target_, bytes);
  part_ = target_ + ".XXXXXX" + kPartEnding;
  fd_ = ::mkostemps(part_.data(), static_cast<int>(std::strlen(kPartEnding)), O_CLOEXEC);
  if (fd_ < 0) throw Error("the copy cannot be written: " + std::string(std::strerror(errno)), folder.string());
}

NewCopy::~NewCopy() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(part_.c_str());
}

void NewCopy::commit(std::uint64_t bytes) {
  // The last array may be empty, but the file must still have the length in its header.
  bool ok = ::ftruncate(fd_, static_cast<off_t>(bytes)) == 0;
  ok = ::close(std::exchange(fd_, -1)) == 0 && ok;
  ok = ok && ::rename(part_.c_str(), target_.c_str()) == 0;
  if (ok) return;
  const std::string why = std::strerror(errno);
  ::unlink(part_.c_str());
  throw Error("the copy cannot be written: " + why, cache_folder());
}

CacheUsage cache_usage() {
  const auto copies = copies_with(kEnding);
  return {copies.size(), bytes_of(copies)};
}

CacheUsage clear_cache() {
  CacheUsage removed;
  std::error_code failed;
  for (const auto& c : copies_with(kEnding))
    if (fs::remove(c.path, failed)) ++removed.copies, removed.bytes += c.bytes;
  remove_abandoned_parts();
  return removed;
}

}  // namespace warpspy
