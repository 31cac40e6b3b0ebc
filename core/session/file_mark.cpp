#include "core/session/file_mark.hpp"

#include <sys/stat.h>

#include <cstdio>
#include <vector>

#include "core/base/regular_file.hpp"
#include "core/base/splitmix.hpp"
#include "core/base/types.hpp"
#include "core/io/checksum.hpp"

namespace warpspy {
namespace {

// Two sums of every block, combined in order: against accidental changes, as in the cache of matrices.
std::string hash_of(const std::string& path, std::uint64_t bytes, Progress& progress) {
  RegularFile file(path);
  std::vector<char> block(std::size_t{4} << 20);
  std::uint64_t low = 0, high = 1, done = 0;
  for (std::size_t n; (n = file.read(block.data(), block.size())) > 0; done += n) {
    progress.check();
    const std::uint64_t sum = checksum(block.data(), n);
    low = splitmix::after(low ^ sum);
    high = splitmix::after(high + sum);
    if (bytes > 0) progress.set(static_cast<double>(done + n) / static_cast<double>(bytes));
  }
  char text[40];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(high),
                static_cast<unsigned long long>(low));
  return text;
}

}  // namespace

std::optional<FileMark> mark_of(const std::string& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return FileMark{static_cast<std::uint64_t>(info.st_size),
                  static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec};
}

FileMark hashed_mark_of(const std::string& path, Progress& progress) {
  auto mark = mark_of(path);
  if (!mark) throw Error("the file is not there, or is no plain file", path, "check the path");
  mark->hash = hash_of(path, mark->bytes, progress);
  return *mark;
}

Compared compare_with(const FileMark& before, const std::string& path, Progress& progress) {
  const auto now = mark_of(path);
  if (now && now->same_state(before)) return {before, false};
  if (!now || now->bytes != before.bytes || before.hash.empty()) return {now.value_or(FileMark{}), true};
  const FileMark read = hashed_mark_of(path, progress);
  return {read, read.hash != before.hash};
}

}  // namespace warpspy
