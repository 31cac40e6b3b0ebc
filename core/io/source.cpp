#include "core/io/source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "core/io/npz.hpp"
#include "core/io/reader.hpp"
#include "core/io/words.hpp"
#include "core/matrix/types.hpp"

namespace warpspy {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  const std::string fix = error == ENOENT ? "check the path" : "";
  throw Error("cannot read the file: " + std::string(std::strerror(error)), path, fix);
}

class File final : public Source {
 public:
  explicit File(const std::string& path) : Source(path), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) fail(path, errno);
    struct stat info = {};
    if (::fstat(fd_, &info) != 0 || S_ISDIR(info.st_mode)) {
      ::close(fd_);
      fail(path, S_ISDIR(info.st_mode) ? EISDIR : errno);
    }
    size_ = S_ISREG(info.st_mode) ? info.st_size : 0;
  }
  ~File() override { ::close(fd_); }

  std::size_t read(char* to, std::size_t most) override {
    std::size_t got = 0;
    while (got < most) {
      const ssize_t n = ::read(fd_, to + got, most - got);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail(label_, errno);
      if (n == 0) break;
      got += static_cast<std::size_t>(n);
    }
    read_ += got;
    return got;
  }
  std::string plain_path() const override { return size_ > 0 ? label_ : ""; }
  double fraction() const override {
    return size_ > 0 ? std::min(1.0, static_cast<double>(read_) / static_cast<double>(size_)) : 0;
  }
  // The first bytes, without moving on. Empty for a pipe, which is then read as plain text.
  std::string head() const {
    std::string bytes(512, '\0');
    const ssize_t n = ::pread(fd_, bytes.data(), bytes.size(), 0);
    bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return bytes;
  }

 private:
  int fd_;
  off_t size_ = 0;
  std::size_t read_ = 0;
};

bool is_packed(std::string_view head) {
  using namespace std::string_view_literals;
  constexpr std::string_view magics[] = {"\x1f\x8b"sv,
                                         "BZh"sv,
                                         "\xfd"
                                         "7zXZ"sv,
                                         "\x28\xb5\x2f\xfd"sv,
                                         "PK\x03\x04"sv,
                                         "PK\x05\x06"sv};
  for (const auto magic : magics)
    if (head.starts_with(magic)) return true;
  return head.size() > 262 && head.substr(257, 5) == "ustar";
}

bool drop_suffix(std::string& name, std::string_view suffix) {
  if (name.size() <= suffix.size() || !ends_with_any_case(name, suffix)) return false;
  name.erase(name.size() - suffix.size());
  return true;
}

constexpr std::string_view kPacked[] = {".gz", ".bz2", ".xz", ".zst", ".tgz", ".zip", ".tar"};

}  // namespace

Peeked::Peeked(Source& source, std::size_t most) : Source(source.label()), source_(source), head_(most, '\0') {
  head_.resize(source_.read(head_.data(), most));
}

std::size_t Peeked::read(char* to, std::size_t most) {
  const std::size_t kept = head_.copy(to, most, at_);
  at_ += kept;
  return kept < most ? kept + source_.read(to + kept, most - kept) : kept;
}

std::unique_ptr<Source> open_source(const std::string& path) {
  auto file = std::make_unique<File>(path);
  const std::string head = file->head();
  if (is_packed(head) && !looks_npz(head)) return open_archive(path);
  return file;
}

std::span<const std::string_view> packed_extensions() { return kPacked; }

std::string stem_of(const std::string& path) {
  std::string name = path;
  name.erase(0, name.find_last_of('/') + 1);
  for (const auto packed : kPacked)
    if (drop_suffix(name, packed)) break;
  drop_suffix(name, ".tar");
  for (const auto& reader : matrix_readers())
    for (const auto extension : words_of(reader.extensions))
      if (drop_suffix(name, extension)) return name;
  return name;
}

}  // namespace warpspy
