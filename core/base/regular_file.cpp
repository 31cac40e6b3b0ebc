#include "core/base/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/base/types.hpp"

namespace warpspy {
namespace {

// Without O_NONBLOCK, opening a pipe without a writer would hang for ever; so would read() on some files of /proc.
int open_without_waiting(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

}  // namespace

RegularFile::RegularFile(const std::string& path, const FileWords& words)
    : RegularFile(open_without_waiting(path), path, words) {}

std::optional<RegularFile> RegularFile::if_there(const std::string& path, const FileWords& words) {
  const int fd = open_without_waiting(path);
  if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  return RegularFile(fd, path, words);
}

RegularFile::RegularFile(int fd, std::string path, const FileWords& words)
    : fd_(fd), path_(std::move(path)), words_(words) {
  struct stat info = {};
  if (fd_ < 0 && errno == ENXIO) refuse("it is a socket, or a device without a driver");
  if (fd_ < 0) refuse(std::strerror(errno));
  const int failed = ::fstat(fd_, &info) == 0 ? 0 : errno;
  if (failed == 0 && S_ISREG(info.st_mode)) {
    bytes_ = static_cast<std::uint64_t>(info.st_size);
    return;
  }
  ::close(std::exchange(fd_, -1));
  refuse(failed != 0 ? std::strerror(failed) : std::string("it is ") + kind_of(info.st_mode));
}

RegularFile::RegularFile(RegularFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)), words_(other.words_), bytes_(other.bytes_) {}

RegularFile::~RegularFile() {
  if (fd_ >= 0) ::close(fd_);
}

void RegularFile::refuse(const std::string& why) const {
  throw Error("the " + std::string(words_.what) + " cannot be read: " + why, path_, std::string(words_.remedy));
}

std::size_t RegularFile::read(char* to, std::size_t n) {
  std::size_t got = 0;
  while (got < n) {
    const ssize_t some = ::read(fd_, to + got, n - got);
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) refuse(std::strerror(errno));
    if (some == 0) break;
    got += static_cast<std::size_t>(some);
  }
  return got;
}

std::string RegularFile::whole(std::uint64_t most) {
  const auto too_large = [&] { refuse("it has more than " + byte_text(static_cast<double>(most))); };
  if (bytes_ > most) too_large();
  // Reads until the end: the file may have grown since its size was read.
  constexpr std::size_t kStep = std::size_t{64} << 10;
  std::string text;
  for (;;) {
    const std::size_t at = text.size();
    const std::size_t step = at == 0 ? static_cast<std::size_t>(bytes_) + 1 : std::max(kStep, at / 2);
    text.resize(at + static_cast<std::size_t>(std::min<std::uint64_t>(step, most - at + 1)));
    text.resize(at + read(text.data() + at, text.size() - at));
    if (text.size() > most) too_large();
    if (text.size() < at + step) return text;
  }
}

std::string read_file(const std::string& path, std::uint64_t most, const FileWords& words) {
  return RegularFile(path, words).whole(most);
}

std::optional<std::string> read_file_if_there(const std::string& path, std::uint64_t most, const FileWords& words) {
  auto file = RegularFile::if_there(path, words);
  return file ? std::optional(file->whole(most)) : std::nullopt;
}

}  // namespace warpspy
