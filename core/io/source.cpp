#include "core/io/source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  const std::string fix = error == ENOENT ? "check the path" : "";
  throw Error("cannot read the file: " + std::string(std::strerror(error)), path, fix);
}

// A descriptor that is closed even if a constructor throws.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

// How long to wait until a pipe has a writer, and for its next bytes.
constexpr int kWriterMs = 2000, kSilenceMs = 60000, kPollMs = 20;

// Regular files, and pipes into which somebody writes.
class File final : public Source {
 public:
  // Without O_NONBLOCK, opening a pipe without a writer would hang for ever.
  File(const std::string& path, const Progress* waiting)
      : Source(path), waiting_(waiting), file_{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)} {
    if (file_.fd < 0 && errno == ENXIO) refuse_kind("a socket or a device without a driver");
    if (file_.fd < 0) fail(path, errno);
    struct stat info = {};
    if (::fstat(file_.fd, &info) != 0) fail(path, errno);
    if (S_ISDIR(info.st_mode)) fail(path, EISDIR);
    if (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode)) refuse_kind("a device");
    if (S_ISSOCK(info.st_mode)) refuse_kind("a socket");
    pipe_ = S_ISFIFO(info.st_mode);
    size_ = S_ISREG(info.st_mode) ? info.st_size : 0;
  }

  std::size_t read(char* to, std::size_t most) override {
    std::size_t got = 0;
    while (got < most) {
      const ssize_t n = ::read(file_.fd, to + got, most - got);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN && pipe_) {
        written_ = true;
        wait(kSilenceMs, "nothing came through this pipe for a minute");
        continue;
      }
      if (n < 0) fail(label_, errno);
      if (n == 0 && pipe_ && !written_) {
        wait_for_writer();
        continue;
      }
      if (n == 0) break;
      written_ = true;
      got += static_cast<std::size_t>(n);
    }
    read_ += got;
    return got;
  }
  std::string plain_path() const override { return size_ > 0 ? label_ : ""; }
  double fraction() const override {
    return size_ > 0 ? std::min(1.0, static_cast<double>(read_) / static_cast<double>(size_)) : 0;
  }

 private:
  [[noreturn]] void refuse_kind(const std::string& what) const {
    throw Error("this is " + what + ", not a file", label_, "name a matrix file");
  }
  void wait(int ms, const char* complaint) const {
    pollfd p{file_.fd, POLLIN, 0};
    for (int waited = 0; waited < ms; waited += kPollMs) {
      check();
      if (::poll(&p, 1, kPollMs) != 0) return;
    }
    throw Error(complaint, label_, "check the program that writes into it");
  }
  void check() const {
    if (waiting_ != nullptr) waiting_->check();
  }
  // Until a writer opens the pipe, read() reports the end and poll() reports nothing.
  void wait_for_writer() {
    if (waited_ms_ >= kWriterMs)
      throw Error("this is a pipe into which nobody writes", label_, "start the program that writes into it first");
    check();
    ::poll(nullptr, 0, kPollMs);
    waited_ms_ += kPollMs;
  }

  const Progress* waiting_;
  Descriptor file_;
  bool pipe_ = false, written_ = false;
  int waited_ms_ = 0;
  off_t size_ = 0;
  std::size_t read_ = 0;
};

}  // namespace

void Source::skip(std::uint64_t most) {
  std::vector<char> bytes(std::size_t{64} << 10);
  while (most > 0) {
    const std::size_t step = std::min<std::uint64_t>(most, bytes.size());
    if (read(bytes.data(), step) < step) return;
    most -= step;
  }
}

Peeked::Peeked(Source& source, std::size_t most) : Source(source.label()), source_(source), head_(most, '\0') {
  head_.resize(source_.read(head_.data(), most));
}

Peeked::Peeked(std::unique_ptr<Source> source, std::size_t most) : Peeked(*source, most) { owned_ = std::move(source); }

std::size_t Peeked::read(char* to, std::size_t most) {
  const std::size_t kept = head_.copy(to, most, at_);
  at_ += kept;
  return kept < most ? kept + source_.read(to + kept, most - kept) : kept;
}

std::unique_ptr<Source> open_file(const std::string& path, const Progress* waiting) {
  return std::make_unique<File>(path, waiting);
}

}  // namespace warpspy
